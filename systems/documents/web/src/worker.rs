//! The background work: what is due, and the built-in processor.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use hansang_documents::work;
use hansang_documents_adapters::{Processor, Reader, remove_deleted};
use hansang_server::Stop;

use crate::state::State;

/// The pause between two looks for files of uploads that did not end, and for deleted text in the index.
const SWEEP: Duration = Duration::from_secs(3600);
/// The hidden command that reads a file in a process of its own.
pub(crate) const READ_FILE: &str = "read-file";

/// Works until it is told to stop.
pub(crate) async fn run(state: Arc<State>, stop: Stop) {
    tokio::join!(
        work(&state.documents, stop.clone().stopped()),
        sweep(&state, stop.clone()),
        process(&state, stop)
    );
}

async fn sweep(state: &State, stop: Stop) {
    let sweep = async {
        loop {
            state.uploads.sweep().await;
            remove_text(state).await;
            tokio::time::sleep(SWEEP).await;
        }
    };
    tokio::select! {
        () = stop.stopped() => {}
        () = sweep => {}
    }
}

/// Removes the text of what was deleted, here or by other processes, from the index.
async fn remove_text(state: &State) {
    let removed = async { remove_deleted(&state.documents, state.index().await?).await };
    if let Err(error) = removed.await {
        tracing::warn!(%error, cause = ?error.source, "deleted text is removed from the search index at the next look");
    }
}

/// Runs the built-in processors. Where there can be none, others may do the steps.
async fn process(state: &Arc<State>, stop: Stop) {
    let settings = &state.settings.processing;
    if settings.count == 0 {
        return;
    }
    if let Some(processor) = processor(state).await {
        processor.process(settings.count, stop.stopped()).await;
    }
}

async fn processor(state: &Arc<State>) -> Option<Processor> {
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => {
            tracing::warn!(%error, "documents are not processed here: the program does not know its own path");
            return None;
        }
    };
    let index = match state.index().await {
        Ok(index) => Some(index.clone()),
        Err(error) => {
            tracing::warn!(%error, cause = ?error.source, "documents are processed without a search index here");
            None
        }
    };
    let settings = &state.settings.processing;
    Some(Processor {
        documents: state.documents.clone(),
        reader: Reader { program, arguments: ["documents", READ_FILE].map(OsString::from).to_vec() },
        limits: settings.limits,
        index,
        model: state.settings.model.clone(),
        tesseract: settings.tesseract.clone(),
        ocr_seconds: settings.ocr_seconds,
        scratch: state.settings.folder.join("scratch"),
        owner: format!("built-in-{}", std::process::id()),
    })
}
