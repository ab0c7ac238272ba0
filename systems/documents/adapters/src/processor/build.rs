//! The step that makes the content of segments of the texts of all sources.

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
    pub(super) async fn build(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let mut analysis = Analysis::default();
        let (mut built, total) = (0, claimed.workflow.total_segments);
        progress.set(0, total);
        let mut writer = Some(SegmentWriter::begin(&self.documents, &claimed.lease).await?);
        each_segment(&self.documents, &claimed.lease.workflow_id, true, async |segment| {
            let content = content(&segment.text);
            analysis.add(&content);
            let new = NewSegment {
                segment_index: segment.segment_index,
                language: language(&content),
                keywords: Some(keywords(&content, KEYWORDS)),
                content: Some(content),
                ..NewSegment::default()
            };
            if built > 0 && built % MAX_OF_WRITER == 0 {
                if let Some(writer) = writer.take() {
                    writer.finish().await?;
                }
                writer = Some(SegmentWriter::begin(&self.documents, &claimed.lease).await?);
            }
            if let Some(writer) = &mut writer {
                writer.push(new).await?;
            }
            built += 1;
            progress.set(built, total);
            Ok(())
        })
        .await?;
        if let Some(writer) = writer {
            writer.finish().await?;
        }
        Ok(End::Done(Outcome { language: analysis.language(), ..Outcome::default() }))
    }
}

/// The text that is shown: that of the file, else what was recognised, else that of another processor.
fn content(text: &SegmentText) -> String {
    let has = |source: &str| text.texts.get(source).filter(|text| !text.trim().is_empty());
    let other = || text.texts.values().find(|text| !text.trim().is_empty());
    has("parsed").or_else(|| has("ocr")).or_else(other).cloned().unwrap_or_default()
}

/// Gives each segment of a run out, in order; with `whole`, also texts that are in files.
pub(super) async fn each_segment(
    documents: &Documents,
    workflow_id: &str,
    whole: bool,
    mut out: impl AsyncFnMut(Segment) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut cursor = None;
    loop {
        let ask = Ask { limit: Some(PAGE), descending: Some(false), consistent: Some(true), cursor, ..Ask::default() };
        let page = segments(documents, workflow_id, None, ask).await?;
        for segment in page.items {
            let segment = if whole { whole_segment(documents, segment).await? } else { segment };
            out(segment).await?;
        }
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(()),
        }
    }
}
