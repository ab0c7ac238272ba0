//! The step that recognises the text of pages that have none.

use std::collections::BTreeMap;

use hansang_core::message;
use hansang_documents::{Claimed, NewSegment, OcrMode, Outcome, SegmentType, SegmentWriter};

use super::build::Segments;
use super::parse::{placed, wanted};
use super::work::Work;
use super::{End, Failure, Processor, Progress};
use crate::event::Event;
use crate::limits::Scans;
use crate::messages;
use crate::ocr::{Ocr, Recognised};
use crate::reading::extract_in_child;

/// The languages that are recognised where a project names none.
const LANGUAGES: &str = "kor+eng";
/// The pages that a note names.
const MAX_LISTED: usize = 40;

impl Processor {
    /// Recognises pages without text; all pages where the project says so.
    pub(super) async fn recognise(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        let mode = claimed.project.text.ocr.unwrap_or(OcrMode::Auto);
        let skipped = |reason: hansang_core::message::Message| Ok(End::Skipped(reason.to_string()));
        if mode == OcrMode::Never {
            return skipped(message!(messages::OCR_OFF));
        }
        let pages = self.pages_to_recognise(claimed, mode).await?;
        if pages.is_empty() {
            return skipped(message!(messages::OCR_NOT_NEEDED));
        }
        let languages = claimed.project.text.ocr_languages.as_deref().unwrap_or(LANGUAGES);
        let ocr = match Ocr::find(&self.tesseract, languages, self.ocr_seconds).await {
            Ok(ocr) => ocr,
            Err(reason) => return skipped(reason),
        };
        let total = i64::try_from(pages.len()).unwrap_or(i64::MAX);
        progress.set(0, Some(total));
        let (done, mut failed) = self.recognise_pages(claimed, mode, pages, &ocr, progress).await?;
        match failed.pop() {
            // A page that cannot be recognised has its image: the others are kept.
            Some((_, error)) if done == 0 => Err(error.into()),
            None if done == 0 => skipped(message!(messages::OCR_NOT_NEEDED)),
            None => Ok(End::Done(Outcome::default())),
            Some((last, _)) => {
                let numbers = failed.iter().map(|(page, _)| *page).chain([last]);
                let numbers: Vec<String> = numbers.map(|page| (page + 1).to_string()).collect();
                let note = message!(messages::OCR_INCOMPLETE, listed(&numbers)).to_string();
                Ok(End::Done(Outcome { note: Some(note), ..Outcome::default() }))
            }
        }
    }

    /// Pages that are empty; all with [`OcrMode::Always`].
    async fn pages_to_recognise(&self, claimed: &Claimed, mode: OcrMode) -> Result<Vec<u32>, Failure> {
        let (wanted, mut pages) = (wanted(claimed), Vec::new());
        let mut segments = Segments::of(&self.documents, &claimed.lease.workflow_id, false);
        while let Some(segment) = segments.next().await? {
            let index = u32::try_from(segment.segment_index).unwrap_or(u32::MAX);
            let is_empty = segment.text_ref.is_none()
                && segment.text.texts.get("parsed").is_none_or(|text| text.trim().is_empty());
            if segment.segment_type == Some(SegmentType::Page)
                && segment.image_key.is_some()
                && (is_empty || mode == OcrMode::Always)
                && wanted.as_ref().is_none_or(|wanted| wanted.contains(&index))
            {
                pages.push(index);
            }
        }
        Ok(pages)
    }

    /// Draws the pages again, larger, and recognises each. Returns how many were, and those that failed.
    async fn recognise_pages(
        &self,
        claimed: &Claimed,
        mode: OcrMode,
        pages: Vec<u32>,
        ocr: &Ocr,
        progress: &Progress,
    ) -> Result<(i64, Vec<(u32, hansang_core::Error)>), Failure> {
        let work = Work::begin(self, claimed).await?;
        let scans = if mode == OcrMode::Always { Scans::All } else { Scans::WithoutText };
        let mut options = work.options(self, claimed, scans);
        options.pages = Some(pages);
        let mut reading = extract_in_child(&self.reader, &work.file, &options)?;
        let (mut looked, mut done, mut failed) = (0, 0, Vec::new());
        while let Some(event) = reading.next().await? {
            let Event::Segment(segment) = event else { continue };
            looked += 1;
            if let Some(image) = &segment.image {
                tokio::fs::remove_file(work.image(image)).await?;
            }
            if let Some(scan) = &segment.scan {
                progress.note(format!("page {}", segment.index + 1));
                match ocr.read(&work.image(scan), segment.index).await {
                    Ok(text) => {
                        let mut writer = SegmentWriter::begin(&self.documents, &claimed.lease).await?;
                        writer.push(recognised(segment.index, &text)).await?;
                        writer.finish().await?;
                        done += 1;
                    }
                    Err(error) => {
                        tracing::warn!(%error, document = claimed.document.document_id, "a page was not recognised");
                        failed.push((segment.index, error));
                    }
                }
                tokio::fs::remove_file(work.image(scan)).await?;
            }
            progress.set(looked, None);
        }
        Ok((done, failed))
    }
}

/// The numbers of pages, as many as a note has room for.
fn listed(numbers: &[String]) -> String {
    let shown = numbers[..numbers.len().min(MAX_LISTED)].join(", ");
    if numbers.len() > MAX_LISTED { shown + ", …" } else { shown }
}

fn recognised(index: u32, text: &Recognised) -> NewSegment {
    // Where nothing was recognised, the text of the file stays, and so do its blocks.
    let blocks: Vec<_> = text.blocks.iter().filter_map(|block| placed(block, "ocr")).collect();
    NewSegment {
        segment_index: i64::from(index),
        texts: BTreeMap::from([("ocr".to_owned(), text.text.clone())]),
        blocks: (!blocks.is_empty()).then_some(blocks),
        ..NewSegment::default()
    }
}
