//! The built-in processor: it claims steps and does them, as a processor of somebody else would over the API.
//!
//! A step that fails is told to the domain with its reason. A process that is killed tells nothing: its leases run out, and
//! another one does the steps again from their beginning, which overwrites what was written.

mod build;
mod finish;
mod parse;
mod recognise;
mod sync;
mod work;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::error::ErrorKind;
use hansang_core::{CoreCode, Error};
use hansang_documents::{
    Claimed, Documents, DocumentsCode, Lease, Outcome, StepName, StepProgress, claim, complete, fail,
    heartbeat, release, skip,
};

pub use sync::{bring_up_to_date, current, passages, remove_deleted};

use crate::index::TextIndex;
use crate::limits::Limits;
use crate::model::LanguageModel;
use crate::reading::Reader;
use crate::trouble::Trouble;

/// The signs of life in the time of a lease, which survives two that are lost.
const BEATS: u32 = 3;
/// The pause between two looks for steps that other processes have started.
const LOOK: Duration = Duration::from_secs(3);

/// Does steps. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Processor {
    /// The documents.
    pub documents: Documents,
    /// The program that reads files.
    pub reader: Reader,
    /// What reading a file may use.
    pub limits: Limits,
    /// The index of this process, if it has one: others add the text when it is searched.
    pub index: Option<TextIndex>,
    /// The language model, if there is one.
    pub model: Option<LanguageModel>,
    /// The program `tesseract`, by its name or path.
    pub tesseract: PathBuf,
    /// The seconds that the recognition of one page may take.
    pub ocr_seconds: u64,
    /// A directory of this process for files that are worked on.
    pub scratch: PathBuf,
    /// The name of this processor.
    pub owner: String,
}

/// How a step ends.
enum End {
    Done(Outcome),
    Skipped(String),
}

/// Why a step fails.
#[derive(Debug)]
struct Failure {
    error: Error,
    /// Whether another attempt may succeed.
    retry: bool,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let retry = matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Limited)
            || error.code == CoreCode::OutcomeUnknown
            || error.code == DocumentsCode::Busy;
        Self { error, retry }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self { retry: trouble.may_pass(), error: trouble.into() }
    }
}

impl From<std::io::Error> for Failure {
    fn from(cause: std::io::Error) -> Self {
        Self { error: Error::from(Trouble::NotReadable).caused_by(cause), retry: true }
    }
}

/// The progress that a step reports while it works.
#[derive(Clone, Default)]
struct Progress(Arc<Mutex<StepProgress>>);

impl Progress {
    fn set(&self, done: i64, total: Option<i64>) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.done = Some(done);
        progress.total = total.or(progress.total);
    }

    fn note(&self, note: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).note = Some(note);
    }

    fn now(&self) -> StepProgress {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Processor {
    /// Does up to `at_once` steps at the same time until `stop`, then gives those it has back. Files of an earlier process in
    /// the scratch directory are deleted first: one process has one directory, and calls this once.
    pub async fn process(&self, at_once: usize, stop: impl Future<Output = ()>) {
        if let Err(error) = work::clean(&self.scratch).await {
            tracing::warn!(%error, "old files of processing cannot be deleted");
        }
        let rounds = (0..at_once.max(1)).map(|_| self.rounds());
        tokio::select! {
            biased;
            () = stop => {}
            _ = join_all(rounds) => {}
        }
    }

    async fn rounds(&self) {
        loop {
            if self.round().await {
                continue;
            }
            tokio::select! {
                () = self.documents.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    /// Does one step of each kind that is due. Returns whether there was one.
    async fn round(&self) -> bool {
        let mut any = false;
        for name in StepName::ALL {
            match self.step(name).await {
                Ok(done) => any |= done,
                Err(error) => {
                    tracing::warn!(%error, step = name.name(), "a step of documents failed: it is tried again");
                    return false;
                }
            }
        }
        any
    }

    /// Claims a step of a kind and does it. Returns whether there was one.
    ///
    /// # Errors
    /// When the store fails. The lease of the step runs out then.
    pub async fn step(&self, name: StepName) -> Result<bool, Error> {
        let Some((claimed, given_back)) = self.claim(name).await? else { return Ok(false) };
        let progress = Progress::default();
        let ended = tokio::select! {
            ended = self.work(&claimed, &progress) => ended,
            lost = self.beat(&claimed.lease, &progress) => Err(lost),
        };
        let told = match ended {
            Ok(End::Done(outcome)) => complete(&self.documents, &claimed.lease, outcome).await,
            Ok(End::Skipped(reason)) => skip(&self.documents, &claimed.lease, &reason).await,
            Err(Failure { error, .. }) if error.code == DocumentsCode::LeaseLost => Err(error),
            Err(Failure { error, retry }) => {
                tracing::info!(%error, cause = ?error.source, step = name.name(), document = claimed.document.document_id, "a step failed");
                fail(&self.documents, &claimed.lease, &error.message.to_string(), retry).await
            }
        };
        given_back.not_needed();
        match told {
            // Somebody else has the step, or it was cancelled: there is nothing to tell.
            Err(error) if error.code == DocumentsCode::LeaseLost => Ok(true),
            told => told.map(|()| true),
        }
    }

    /// Claims a step, in a task of its own: a claim that is written when the server stops is given back too.
    async fn claim(&self, name: StepName) -> Result<Option<(Claimed, GiveBack)>, Error> {
        let (documents, owner) = (self.documents.clone(), self.owner.clone());
        let claiming = tokio::spawn(async move {
            let claimed = claim(&documents, name, &owner).await?;
            Ok(claimed.map(|claimed| {
                let lease = Some(claimed.lease.clone());
                (claimed, GiveBack { documents, lease })
            }))
        });
        claiming.await.unwrap_or_else(|stopped| std::panic::resume_unwind(stopped.into_panic()))
    }

    async fn work(&self, claimed: &Claimed, progress: &Progress) -> Result<End, Failure> {
        match claimed.lease.name {
            StepName::Prepare => self.prepare(claimed, progress).await,
            StepName::Parse => self.parse(claimed, progress).await,
            StepName::Ocr => self.recognise(claimed, progress).await,
            StepName::Build => self.build(claimed, progress).await,
            StepName::Index => self.add_to_index(claimed, progress).await,
            StepName::Summarise => self.summarise(claimed, progress).await,
        }
    }

    /// Keeps the lease. Ends when it is lost.
    async fn beat(&self, lease: &Lease, progress: &Progress) -> Failure {
        let pause = self.documents.lease.unsigned_abs() / BEATS;
        loop {
            tokio::time::sleep(pause).await;
            match heartbeat(&self.documents, lease, &progress.now()).await {
                Err(error) if error.code == DocumentsCode::LeaseLost => return error.into(),
                Err(error) => tracing::warn!(%error, "a heartbeat failed"),
                Ok(_) => {}
            }
        }
    }
}

/// Gives a step back if its work is dropped, such as when the server stops.
struct GiveBack {
    documents: Documents,
    lease: Option<Lease>,
}

impl GiveBack {
    fn not_needed(mut self) {
        self.lease = None;
    }
}

impl Drop for GiveBack {
    fn drop(&mut self) {
        let (Some(lease), Ok(runtime)) = (self.lease.take(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        let documents = self.documents.clone();
        runtime.spawn(async move {
            if let Err(error) = release(&documents, &lease).await {
                tracing::debug!(%error, "a step could not be given back: its lease runs out");
            }
        });
    }
}
