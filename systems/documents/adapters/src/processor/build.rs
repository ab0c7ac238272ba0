//! The step that makes the content of segments of the texts of all sources.

use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_documents::{
    Claimed, Documents, NewSegment, Outcome, Segment, SegmentText, SegmentWriter, segments, whole_segment,
};

use super::{End, Failure, Processor, Progress};
use crate::analysis::{Analysis, keywords, language};

/// The segments that are read at once.
const PAGE: u32 = 100;
/// The segments that are written before the writer is begun again.
const MAX_OF_WRITER: i64 = 5000;
/// The keywords of a segment.
const KEYWORDS: usize = 10;

impl Processor {
    /// Writes the content, the language and the keywords of each segment. The document's language is that of all of them.
    /// Where single pages are processed again, people's corrections of the others stay.
    pub(super) async fn build(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let mut analysis = Analysis::default();
        let (mut built, mut written, total) = (0, 0, claimed.workflow.total_segments);
        progress.set(0, total);
        let mut writer = SegmentWriter::begin(&self.documents, &claimed.lease).await?;
        let mut all = Segments::of(&self.documents, &claimed.lease.workflow_id, true);
        let wanted = claimed.workflow.pages.as_deref();
        while let Some(segment) = all.next().await? {
            built += 1;
            progress.set(built, total);
            if wanted.is_some_and(|wanted| !wanted.contains(&segment.segment_index))
                && let Some(content) = &segment.text.content
            {
                analysis.add(content);
                continue;
            }
            let content = content(&segment.text);
            analysis.add(&content);
            written += 1;
            writer
                .push(NewSegment {
                    segment_index: segment.segment_index,
                    language: language(&content),
                    keywords: Some(keywords(&content, KEYWORDS)),
                    content: Some(content),
                    ..NewSegment::default()
                })
                .await?;
            if written % MAX_OF_WRITER == 0 {
                writer.finish().await?;
                writer = SegmentWriter::begin(&self.documents, &claimed.lease).await?;
            }
        }
        writer.finish().await?;
        Ok(End::Done(Outcome { language: analysis.language(), ..Outcome::default() }))
    }
}

/// The text that is shown: that of the source of the blocks, so that both agree; else that of the file, else what was
/// recognised, else that of another processor.
fn content(text: &SegmentText) -> String {
    let has = |source: &str| text.texts.get(source).filter(|text| !text.trim().is_empty());
    let of_blocks = || text.blocks.first().and_then(|block| has(block.source.as_deref()?));
    let other = || text.texts.values().find(|text| !text.trim().is_empty());
    of_blocks().or_else(|| has("parsed")).or_else(|| has("ocr")).or_else(other).cloned().unwrap_or_default()
}

/// The segments of a run, in order, read in pages.
pub(super) struct Segments<'d> {
    documents: &'d Documents,
    workflow_id: &'d str,
    whole: bool,
    page: std::vec::IntoIter<Segment>,
    cursor: Option<String>,
    over: bool,
}

impl<'d> Segments<'d> {
    /// The segments of a run; with `whole`, also their texts that are in files.
    pub(super) fn of(documents: &'d Documents, workflow_id: &'d str, whole: bool) -> Self {
        Self { documents, workflow_id, whole, page: Vec::new().into_iter(), cursor: None, over: false }
    }

    pub(super) async fn next(&mut self) -> Result<Option<Segment>, Error> {
        loop {
            match self.page.next() {
                Some(segment) if self.whole => return whole_segment(self.documents, segment).await.map(Some),
                Some(segment) => return Ok(Some(segment)),
                None if self.over => return Ok(None),
                None => {}
            }
            let ask = Ask {
                limit: Some(PAGE),
                descending: Some(false),
                consistent: Some(true),
                cursor: self.cursor.take(),
                ..Ask::default()
            };
            let page = segments(self.documents, self.workflow_id, None, ask).await?;
            self.page = page.items.into_iter();
            self.over = page.next.is_none();
            self.cursor = page.next;
        }
    }
}
