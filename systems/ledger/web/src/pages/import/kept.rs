//! The file that was reviewed last, read: its next page, or the same page after a decision, needs no second reading.
//!
//! A preview is shown again only if nothing has changed since it was made: neither the decisions nor the ledger.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt as _;
use hansang_core::Error;
use hansang_ledger::import::{Preview, Table, Upload, uploaded};
use hansang_ledger::last_change;

use super::super::Pages;

/// The maximum number of rows that are kept in memory.
const MAX_ROWS: usize = 50_000;

/// The file that was reviewed last.
#[derive(Clone, Default)]
pub(in super::super) struct Reviewed(Arc<Mutex<Option<Kept>>>);

#[derive(Clone)]
struct Kept {
    upload: Upload,
    /// The last change of the ledger that the preview knows.
    seq: i64,
    table: Arc<Table>,
    preview: Arc<Preview>,
}

impl Reviewed {
    fn get(&self) -> Option<Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, kept: Option<Kept>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
    }

    /// Drops the preview, because its choices have changed.
    pub(in super::super) fn forget(&self) {
        self.set(None);
    }
}

/// The effect of every row of a file, with the decisions so far.
pub(super) async fn preview(pages: &Pages, upload: &Upload) -> Result<Arc<Preview>, Error> {
    let _turn = pages.reading().await;
    let seq = last_change(&pages.ledger).await?;
    let kept = pages.reviewed.get().filter(|kept| kept.upload.upload_id == upload.upload_id);
    if let Some(kept) = kept.as_ref().filter(|kept| kept.seq == seq && kept.upload == *upload) {
        return Ok(kept.preview.clone());
    }
    let read = async {
        let table = match kept {
            Some(kept) => kept.table,
            None => Arc::new(uploaded(&pages.ledger, upload).await?),
        };
        let (preview, _) = upload.preview(&pages.ledger, &table).await?;
        Ok((table, Arc::new(preview)))
    }
    .boxed();
    let (table, preview) = pages.calls.measured("import.preview", read).await?;
    let is_small = table.rows.len() <= MAX_ROWS;
    let kept = Kept { upload: upload.clone(), seq, table, preview: preview.clone() };
    pages.reviewed.set(is_small.then_some(kept));
    Ok(preview)
}
