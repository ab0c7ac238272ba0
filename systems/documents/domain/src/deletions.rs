//! Deleting what has parts.
//!
//! One transaction removes the item that everything below it depends on, and leaves a note. From then on nothing shows it and
//! nothing can be added below it. The parts are deleted after that, page by page; the note is deleted last. So whatever
//! interrupts it, a worker finds the note and goes on, and doing it twice does no harm.

use hansang_core::db::{Ask, Operation, Typed};
use hansang_core::{CoreCode, Error, Item, Value, name, names};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::cascade::parts;
use crate::edit::{
    ATTEMPTS, busy, check_id, commit, create, delete, document_key, erase, is, is_stale, key, load, moved,
    page, present, project_key, time, unknown_document, unknown_project,
};
use crate::lists::{PROJECTS_KEY, raise_projects};
use crate::upload::hash_key;
use crate::{Document, Documents};

/// The time that the caller of a deletion has for the parts, before a worker looks after it.
const GRACE: SignedDuration = SignedDuration::from_secs(60);

names! {
    /// What was deleted.
    pub enum DeletionKind {
        /// A project with everything of all users.
        Project = "project",
        /// A document with its runs, segments, versions and artifacts.
        Document = "document",
        /// A version of a file that was not uploaded.
        File = "file",
        /// An artifact with its file.
        Artifact = "artifact",
        /// A session with its messages.
        Session = "session",
    }
}

/// A deletion with parts left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deletion {
    /// What was deleted.
    pub kind: DeletionKind,
    /// The id of what was deleted.
    pub subject_id: String,
    /// The project.
    pub project_id: String,
    /// The document, of one of its parts.
    pub document_id: Option<String>,
    /// From then on, a worker finishes it.
    pub due_at: Timestamp,
    /// The key of a file that belongs to it.
    pub s3_key: Option<String>,
}

impl Typed for Deletion {
    const ENTITY: &'static str = "Deletion";
}

/// A deletion, and the write that notes it.
pub(crate) fn note_deletion(
    documents: &Documents,
    kind: DeletionKind,
    subject_id: &str,
    project_id: &str,
    document_id: &str,
    s3_key: Option<&str>,
) -> (Deletion, Operation) {
    let due_at = documents.now() + GRACE;
    let document_id = Some(document_id).filter(|id| !id.is_empty());
    let fields = present([
        (name!("kind"), Some(Value::from(kind.name()))),
        (name!("subject_id"), Some(subject_id.into())),
        (name!("project_id"), Some(project_id.into())),
        (name!("document_id"), document_id.map(Value::from)),
        (name!("due_at"), Some(time(due_at))),
        (name!("s3_key"), s3_key.map(Value::from)),
    ]);
    let deletion = Deletion {
        kind,
        subject_id: subject_id.to_owned(),
        project_id: project_id.to_owned(),
        document_id: document_id.map(str::to_owned),
        due_at,
        s3_key: s3_key.map(str::to_owned),
    };
    (deletion, create(name!("Deletion"), fields))
}

/// Deletes a project with everything of all users. When this returns, no list shows it; what could not be deleted is deleted
/// by a worker.
///
/// # Errors
/// `project_unknown`.
pub async fn delete_project(documents: &Documents, project_id: &str) -> Result<(), Error> {
    check_id("project_id", project_id)?;
    let (deletion, note) = note_deletion(documents, DeletionKind::Project, project_id, project_id, "", None);
    let gone = delete(name!("Project"), project_key(project_id), Vec::new());
    let done = commit(documents, vec![gone, note, raise_projects(documents)?]).await;
    documents.cached.invalidate(PROJECTS_KEY).await;
    match done {
        Err(error) if error.code == CoreCode::NotFound => return Err(unknown_project(project_id)),
        done => done?,
    }
    finish_or_leave(documents, &deletion).await;
    Ok(())
}

/// Deletes a document with its runs, segments, versions and artifacts. When this returns, no list shows it and processors
/// have lost it; what could not be deleted is deleted by a worker.
///
/// # Errors
/// `document_unknown`.
pub async fn delete_document(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
) -> Result<(), Error> {
    check_id("project_id", project_id)?;
    check_id("document_id", document_id)?;
    let deletion = take_document(documents, project_id, document_id).await?;
    let deletion = deletion.ok_or_else(|| unknown_document(document_id))?;
    finish_or_leave(documents, &deletion).await;
    Ok(())
}

/// Removes the item of a document and notes its deletion; `None` if it is gone.
pub(crate) async fn take_document(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
) -> Result<Option<Deletion>, Error> {
    let key = document_key(project_id, document_id);
    for _ in 0..ATTEMPTS {
        let document: Option<Document> = load(documents, &key).await?;
        let Some(document) = document else { return Ok(None) };
        let file = document.s3_key.as_deref();
        let (deletion, note) =
            note_deletion(documents, DeletionKind::Document, document_id, project_id, document_id, file);
        let checksum = document.sha256.as_deref();
        let guards = vec![is(&name!("sha256"), checksum.map(Value::from), moved())];
        let mut operations = vec![delete(name!("Document"), key.clone(), guards), note];
        if let Some(sha256) = checksum {
            operations.push(erase(documents, "FileOfHash", &hash_key(project_id, sha256, document_id))?);
        }
        match commit(documents, operations).await {
            Ok(()) => return Ok(Some(deletion)),
            Err(error) if error.code == CoreCode::NotFound => return Ok(None),
            Err(error) if is_stale(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

/// The deletions with parts left, those first that are due first.
///
/// # Errors
/// When the store fails.
pub async fn deletions(documents: &Documents) -> Result<Vec<Deletion>, Error> {
    crate::edit::every(documents, "deletions", Item::new()).await
}

/// Deletes what is left of a deletion, and then its note. Any number of processes may do it at the same time.
///
/// # Errors
/// When the store or the files fail. The next call goes on.
pub async fn finish_deletion(documents: &Documents, deletion: &Deletion) -> Result<(), Error> {
    parts(documents, deletion).await?;
    let fields = key([(name!("kind"), deletion.kind.name()), (name!("subject_id"), &deletion.subject_id)]);
    commit(documents, vec![erase(documents, "Deletion", &fields)?]).await
}

/// Deletes what is left of the deletions that are due. Returns their number.
///
/// # Errors
/// The last problem, after all were tried. The next run does the rest.
pub async fn finish_deletions(documents: &Documents) -> Result<usize, Error> {
    let due = Item::from([(name!("to"), time(documents.now()))]);
    let due = page::<Deletion>(documents, "deletions", due, Ask::default()).await?.items;
    let (mut finished, mut problem) = (0, None);
    for deletion in due {
        match finish_deletion(documents, &deletion).await {
            Ok(()) => finished += 1,
            Err(error) => problem = Some(error),
        }
    }
    problem.map_or(Ok(finished), Err)
}

/// Deletes what is left now, or leaves it to a worker.
pub(crate) async fn finish_or_leave(documents: &Documents, deletion: &Deletion) {
    if let Err(error) = finish_deletion(documents, deletion).await {
        let (kind, id) = (deletion.kind, &deletion.subject_id);
        tracing::warn!(%error, %kind, id, "a deletion is not complete: a worker goes on with it");
    }
}
