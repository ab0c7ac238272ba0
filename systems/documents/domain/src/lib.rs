#![doc = include_str!("../README.md")]

pub mod messages;

mod agents;
mod artifacts;
mod cascade;
mod claims;
mod code;
mod deletions;
mod document;
mod edit;
mod ends;
mod indexed;
mod jobs;
mod lists;
mod notes;
mod progress;
mod projects;
mod run;
mod segment;
mod segments;
mod sessions;
mod step;
mod texts;
mod upload;
mod version;
mod workflow;
mod writer;

use std::sync::Arc;

use hansang_core::Db;
use hansang_core::cache::Cached;
use hansang_core::files::Files;
use hansang_core::kind::text::ulid;
use jiff::{SignedDuration, Timestamp, TimestampRound, Unit};
use tokio::sync::Notify;

pub use agents::{Agent, AgentText, agents, change_agent, create_agent, delete_agent, find_agent};
pub use artifacts::{
    Artifact, NewArtifact, artifact_key, artifacts_of_document, artifacts_of_project, artifacts_of_user,
    artifacts_of_user_in_project, create_artifact, delete_artifact, find_artifact,
};
pub use claims::{Claimed, LEASE, Lease, MAX_TRIES, StepProgress, claim, heartbeat};
pub use code::DocumentsCode;
pub use deletions::{
    Deletion, DeletionKind, delete_document, delete_project, deletions, finish_deletion, finish_deletions,
};
pub use document::{Document, DocumentStatus, documents_of_project, duplicates, find_document};
pub use edit::check_id;
pub use ends::{Outcome, complete, expire, fail, release, skip};
pub use indexed::{IndexedText, texts_of_project};
pub use jobs::{Tended, tend, work};
pub use lists::{CACHE_TTL, ListAsk, PageOf, agent_list_key, invalidate, session_list_key};
pub use notes::{add_question, change_segment_text};
pub use progress::{DocumentProgress, ProjectProgress, progress};
pub use projects::{
    OcrMode, Project, ProjectStatus, ProjectText, archive_project, change_project, create_project,
    find_project, members, projects, query_projects,
};
pub use segment::{
    Block, MAX_SEGMENT_INDEX, NewSegment, Question, Segment, SegmentText, SegmentType, parse_index,
};
pub use segments::{segment, segments};
pub use sessions::{
    Citation, Message, NewMessage, Role, Session, SessionText, add_message, change_session, create_session,
    delete_session, find_session, messages_of_session, sessions,
};
pub use step::{Step, StepName, StepStatus, find_step, steps};
pub use texts::{document_file_key, whole_segment};
pub use upload::{MAX_FILE, abort_upload, abort_uploads, begin_upload, begin_version, finish_upload};
pub use version::{FileVersion, Finished, NewFile, Received, Upload, VersionState, file_version, versions};
pub use workflow::{Reprocess, Workflow, WorkflowStatus, cancel, find_workflow, reprocess, workflows};
pub use writer::{MAX_BULK, SegmentWriter, Written, write_segments};

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/documents.yaml");

/// The documents of a table. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Documents {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
    /// The cache of lists.
    pub cached: Cached,
    /// The files.
    pub files: Arc<dyn Files>,
    /// The time for which a processor has a step without a heartbeat.
    pub lease: SignedDuration,
    /// Rings when this process has changed something that a worker or a watcher waits for.
    changes: Arc<Notify>,
}

impl Documents {
    /// The documents in a table, with the cache of lists and the files.
    #[must_use]
    pub fn new(db: Db, cached: Cached, files: Arc<dyn Files>) -> Self {
        Self { db, cached, files, lease: LEASE, changes: Arc::default() }
    }

    /// The current time, in whole milliseconds as times are stored.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let now = self.db.clock().moment().now;
        let millis = TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Floor);
        now.round(millis).unwrap_or(now)
    }

    /// A new id.
    #[must_use]
    pub fn new_id(&self) -> String {
        let moment = self.db.clock().moment();
        ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random)
    }

    /// Waits until this process starts, moves or ends some processing.
    pub async fn changed(&self) {
        self.changes.notified().await;
    }

    pub(crate) fn ring(&self) {
        self.changes.notify_waiters();
    }
}
