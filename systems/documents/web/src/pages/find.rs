//! Search inside of one document.

use futures_util::future::try_join_all;
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_documents::{Segment, segments, whole_segment};
use hansang_ui::address;
use hansang_ui::frame::View;

use super::marks::{self, Parts};
use super::{Pages, words};

/// The number of pages that are read at once.
const AT_ONCE: u32 = 100;
/// The number of pages that are searched, and of those that are listed.
const MAX_SEARCHED: usize = 2000;
const MAX_LISTED: usize = 50;

/// The pages of a document with the words.
#[derive(Default)]
pub(super) struct Found {
    pub(super) pages: Vec<FoundPage>,
    /// The number of pages that have the words.
    pub(super) total: usize,
    /// The number of pages that were searched, if the document has more.
    pub(super) searched: Option<usize>,
}

/// A page with the words.
pub(super) struct FoundPage {
    pub(super) name: String,
    pub(super) number: i64,
    pub(super) address: String,
    pub(super) count: usize,
    pub(super) snippet: Parts,
}

/// Finds the pages that have all words.
pub(super) async fn find(
    pages: &Pages,
    view: &View,
    workflow_id: &str,
    document: &str,
    query: &str,
) -> Result<Found, Error> {
    let wanted = marks::words(query);
    let (mut found, mut searched, mut cursor) = (Found::default(), 0, None);
    loop {
        let ask = Ask { limit: Some(AT_ONCE), cursor, ..Ask::default() };
        let read = segments(pages.documents(), workflow_id, None, ask).await?;
        searched += read.items.len();
        let whole = read.items.into_iter().map(|segment| whole_segment(pages.documents(), segment));
        for segment in try_join_all(whole).await? {
            found.add(view, document, query, &wanted, &segment);
        }
        match read.next {
            Some(next) if searched < MAX_SEARCHED => cursor = Some(next),
            Some(_) => return Ok(Found { searched: Some(searched), ..found }),
            None => return Ok(found),
        }
    }
}

impl Found {
    fn add(&mut self, view: &View, document: &str, query: &str, wanted: &[String], segment: &Segment) {
        let text = segment.text.content.as_deref().unwrap_or_default();
        let has_all = wanted.iter().all(|word| marks::has(text, std::slice::from_ref(word)));
        if !has_all {
            return;
        }
        self.total += 1;
        if self.pages.len() < MAX_LISTED {
            let number = segment.segment_index + 1;
            self.pages.push(FoundPage {
                name: words::part(view, segment.segment_type, segment.segment_index),
                number,
                address: address::with(&format!("{document}/pages/{number}"), &[("q", query)]),
                count: marks::count(text, wanted),
                snippet: marks::snippet(text, wanted),
            });
        }
    }
}
