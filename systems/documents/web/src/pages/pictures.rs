//! Pictures of pages, with the places of their text.

use hansang_documents::{Block, Segment};
use hansang_documents_adapters::Bounds;

use super::marks;

/// The addresses of what the API serves of a document.
pub(super) fn document_api(project_id: &str, document_id: &str) -> String {
    format!("/api/documents/projects/{project_id}/documents/{document_id}")
}

/// The picture of a page, and the places of its text.
pub(super) struct Picture {
    pub(super) address: String,
    pub(super) width: i64,
    pub(super) height: i64,
}

/// A piece of text with its place.
pub(super) struct Place {
    pub(super) text: marks::Parts,
    /// Whether it has one of the words that were searched for.
    pub(super) hit: bool,
    pub(super) left: i64,
    pub(super) top: i64,
    pub(super) width: i64,
    pub(super) height: i64,
    /// Whether it is a heading.
    pub(super) heading: bool,
    /// How sure the recognition is, in percent, if it is unsure.
    pub(super) unsure: Option<i64>,
}

/// The recognition is unsure below this many percent.
const UNSURE: i64 = 70;

/// The places of the words themselves on the picture: in the middle of their lines.
pub(super) fn marked_words(blocks: &[Block], query: &str) -> Vec<Bounds> {
    let number = |value: i64| u16::try_from(value.clamp(0, 10_000)).unwrap_or_default();
    let lines = blocks.iter().map(|block| {
        let bounds = Bounds {
            left: number(block.left),
            top: number(block.top),
            width: number(block.width),
            height: number(block.height),
        };
        (&*block.text, bounds)
    });
    hansang_documents_adapters::marks(lines, query).into_iter().map(|mark| mark.bounds).collect()
}

/// The picture of a segment, if it has one.
pub(super) fn picture(segment: &Segment) -> Option<Picture> {
    segment.image_key.as_ref()?;
    Some(Picture {
        address: format!(
            "/api/documents/workflows/{}/segments/{}/image",
            segment.workflow_id, segment.segment_index
        ),
        width: segment.image_width.unwrap_or(850),
        height: segment.image_height.unwrap_or(1100),
    })
}

/// The places of a segment's text. Places outside of the page are moved into it.
pub(super) fn places(blocks: &[Block], words: &[String]) -> Vec<Place> {
    let inside = |value: i64| value.clamp(0, 10_000);
    let place = |block: &Block| Place {
        text: marks::marked(&block.text, words),
        hit: marks::has(&block.text, words),
        left: inside(block.left),
        top: inside(block.top),
        width: inside(block.width),
        height: inside(block.height),
        heading: matches!(block.kind.as_deref(), Some("heading" | "title")),
        unsure: block.confidence.filter(|percent| *percent < UNSURE),
    };
    blocks.iter().filter(|block| !block.text.trim().is_empty()).map(place).collect()
}
