//! The steps that read a file: what it is, and its text.

use std::collections::BTreeMap;

use hansang_documents::{Block, Claimed, NewSegment, Outcome, SegmentType, SegmentWriter};

use super::work::Work;
use super::{End, Failure, Processor, Progress};
use crate::event::{Event, Segment, SegmentKind};
use crate::limits::Scans;
use crate::reading::extract_in_child;
use crate::trouble::Trouble;

/// The segments that are written before the writer is begun again: it counts up to a limit.
const MAX_OF_WRITER: u32 = 5000;

impl Processor {
    /// Looks whether the file can be read, and how many pages it has.
    pub(super) async fn prepare(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let work = Work::begin(self, claimed).await?;
        let mut options = work.options(self, claimed, Scans::None);
        options.images = None;
        let mut reading = extract_in_child(&self.reader, &work.file, &options)?;
        // The rest is read by the next step.
        match reading.next().await? {
            Some(Event::Facts(facts)) => progress.set(0, facts.pages.map(i64::from)),
            _ => return Err(Trouble::Crashed.into()),
        }
        Ok(End::Done(Outcome::default()))
    }

    /// Reads the segments, and stores their text and images.
    pub(super) async fn parse(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let work = Work::begin(self, claimed).await?;
        let mut options = work.options(self, claimed, Scans::None);
        options.pages = wanted(claimed);
        let mut reading = extract_in_child(&self.reader, &work.file, &options)?;
        let mut writer = SegmentWriter::begin(&self.documents, &claimed.lease).await?;
        let mut written = 0;
        while let Some(event) = reading.next().await? {
            match event {
                Event::Facts(facts) => progress.set(0, facts.pages.map(i64::from)),
                Event::Segment(segment) => {
                    let image = match &segment.image {
                        Some(image) => Some(work.keep(self, claimed, image).await?),
                        None => None,
                    };
                    writer.push(parsed(segment, image)).await?;
                    written += 1;
                    progress.set(i64::from(written), None);
                    if written % MAX_OF_WRITER == 0 {
                        writer.finish().await?;
                        writer = SegmentWriter::begin(&self.documents, &claimed.lease).await?;
                    }
                }
                Event::Done(_) | Event::Failed(_) => {}
            }
        }
        writer.finish().await?;
        let whole = claimed.workflow.pages.is_none();
        Ok(End::Done(Outcome { total_segments: whole.then_some(i64::from(written)), ..Outcome::default() }))
    }
}

/// The pages of a run that is not over all of them.
pub(super) fn wanted(claimed: &Claimed) -> Option<Vec<u32>> {
    let pages = claimed.workflow.pages.as_ref()?;
    Some(pages.iter().filter_map(|page| u32::try_from(*page).ok()).collect())
}

fn parsed(segment: Segment, image_key: Option<String>) -> NewSegment {
    let image = segment.image.as_ref().filter(|_| image_key.is_some());
    let blocks = segment.blocks.iter().filter_map(|block| placed(block, "parsed")).collect();
    NewSegment {
        segment_index: i64::from(segment.index),
        segment_type: Some(match segment.kind {
            SegmentKind::Page => SegmentType::Page,
            SegmentKind::Text => SegmentType::Text,
            SegmentKind::Chapter => SegmentType::Chapter,
            SegmentKind::Web => SegmentType::Web,
        }),
        title: segment.title,
        image_width: image.map(|image| i64::from(image.width)),
        image_height: image.map(|image| i64::from(image.height)),
        image_key,
        texts: BTreeMap::from([("parsed".to_owned(), segment.text)]),
        blocks: Some(blocks),
        ..NewSegment::default()
    }
}

/// A line with its place on the page. Paragraphs without one are in the text already.
pub(super) fn placed(block: &crate::event::Block, source: &str) -> Option<Block> {
    let bounds = block.bounds?;
    Some(Block {
        text: block.text.clone(),
        kind: Some("line".to_owned()),
        left: bounds.left.into(),
        top: bounds.top.into(),
        width: bounds.width.into(),
        height: bounds.height.into(),
        confidence: block.confidence.map(i64::from),
        source: Some(source.to_owned()),
    })
}
