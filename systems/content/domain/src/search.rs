//! Search over the posts that visitors see.
//!
//! Each process has an index in memory, made of the stored posts and kept fresh by the notes of changes: it follows a change
//! within [`FRESH`], and one of a program that leaves no notes within [`WHOLE`]. The index only proposes: every hit is read
//! from the store and checked before it is shown, so a visitor never finds a draft, an expired post or an old text.

use std::sync::{PoisonError, RwLock};

use futures_util::future::join_all;
use hansang_core::db::Ask;
use hansang_core::{Error, Item, name};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::live::time;
use crate::post::Post;
use crate::{Content, ContentCode, find_post, render};

mod index;
mod snippet;
mod words;

use index::Index;
pub use snippet::Piece;
use snippet::{marked, snippet};
use words::Query;

/// The maximum age of the index when it is asked.
pub const FRESH: SignedDuration = SignedDuration::from_secs(5);
/// The time after which the whole index is made again.
pub const WHOLE: SignedDuration = SignedDuration::from_hours(1);
/// The time for which notes are read again: the clocks of processes differ, and a note can be stored late.
const OVERLAP: SignedDuration = SignedDuration::from_secs(120);
/// The maximum number of characters of a query.
const MAX_QUERY: usize = 100;
/// The maximum number of hits that can be paged through.
const MAX_HITS: usize = 500;
/// The number of hits that are read at once.
const READS: usize = 16;

/// The index of a process. It needs at most 32 KB for each published post, whatever its length.
#[derive(Debug, Default)]
pub struct Search {
    index: RwLock<Index>,
    read: Mutex<Read>,
}

/// The times that the index is made of.
#[derive(Debug, Default)]
struct Read {
    whole: Option<Timestamp>,
    to: Timestamp,
}

/// A post that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The post, visible now.
    pub post: Post,
    /// Its title, with the words of the query marked.
    pub title: Vec<Piece>,
    /// A part of its text around the first words of the query.
    pub snippet: Vec<Piece>,
}

/// A page of hits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// The hits, the best first.
    pub hits: Vec<Hit>,
    /// Whether more follow.
    pub more: bool,
}

impl Search {
    /// An empty index. The first search fills it, or [`Search::refresh`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds visible posts that have every word of a query: `limit` hits after the first `skip`. Words of Korean, Chinese and
    /// Japanese are also found inside of longer ones.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn find(&self, content: &Content, query: &str, skip: usize, limit: usize) -> Result<Hits, Error> {
        let query: String = query.chars().take(MAX_QUERY).collect();
        let query = Query::new(&query);
        if query.is_empty() {
            return Ok(Hits::default());
        }
        self.refresh(content).await?;
        let ids = self.index.read().unwrap_or_else(PoisonError::into_inner).find(&query, MAX_HITS);
        let now = content.now();
        let mut found = Vec::new();
        for some in ids.chunks(READS) {
            for post in join_all(some.iter().map(|id| find_post(content, id))).await {
                match post {
                    Ok(post) if post.is_visible(now) => found.extend(hit(post, &query)),
                    Ok(_) => {}
                    Err(error) if error.code == ContentCode::PostUnknown => {}
                    Err(error) => return Err(error),
                }
            }
            if found.len() > skip + limit {
                break;
            }
        }
        let more = found.len() > skip + limit;
        Ok(Hits { hits: found.into_iter().skip(skip).take(limit).collect(), more })
    }

    /// Brings the index up to date, if it is older than [`FRESH`].
    ///
    /// # Errors
    /// When the store fails.
    pub async fn refresh(&self, content: &Content) -> Result<(), Error> {
        let mut read = self.read.lock().await;
        let now = content.now();
        if read.whole.is_none_or(|whole| now.duration_since(whole) >= WHOLE) {
            self.read_all(content).await?;
            *read = Read { whole: Some(now), to: now };
        } else if now.duration_since(read.to) >= FRESH {
            self.read_changes(content, read.to - OVERLAP).await?;
            read.to = now;
        }
        Ok(())
    }

    /// Makes the index of all published posts, also of those that are shown later.
    async fn read_all(&self, content: &Content) -> Result<(), Error> {
        let mut index = Index::default();
        let mut cursor = None;
        loop {
            let ask = Ask { cursor, ..Ask::default() };
            let page = content.db.query("posts", Item::new(), ask).await?;
            for post in page.records.iter().filter_map(|record| Post::of(record).ok()) {
                index.put(&post);
            }
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        *self.index.write().unwrap_or_else(PoisonError::into_inner) = index;
        Ok(())
    }

    async fn read_changes(&self, content: &Content, from: Timestamp) -> Result<(), Error> {
        let arguments = Item::from([(name!("from"), time(from).into())]);
        let records = crate::edit::all(content, "postChanges", arguments).await?;
        let mut ids: Vec<&str> = records.iter().filter_map(|record| record.text("id")).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let post = match find_post(content, id).await {
                Ok(post) => Some(post),
                Err(error) if error.code == ContentCode::PostUnknown => None,
                Err(error) => return Err(error),
            };
            let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
            match post {
                Some(post) => index.put(&post),
                None => index.remove(id),
            }
        }
        Ok(())
    }
}

/// A post with its passages, if it really has every word.
fn hit(post: Post, query: &Query) -> Option<Hit> {
    let text = render::text(&post.text.contents, post.text.format);
    let title = marked(&post.text.title, query);
    let snippet = snippet(&text, query);
    query.is_in(&post.text.title, &text).then_some(Hit { post, title, snippet })
}
