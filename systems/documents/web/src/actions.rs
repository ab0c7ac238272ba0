//! Every change of documents, through the API and on pages. The input of each comes with the id of the user who makes it.

use std::time::Duration;

use hansang_core::Error;
use hansang_documents::{
    DocumentsCode, NewFile, Project, ProjectText, Reprocess, Segment, Upload, Workflow, abort_upload,
    add_question, archive_project, begin_upload, begin_version, cancel, change_project, change_segment_text,
    create_project, delete_document, delete_project, file_version, invalidate, reprocess,
};
use hansang_server::{Action, Caller, Calls};
use sha2::{Digest as _, Sha256};

use crate::messages;
use crate::state::State;

pub(crate) mod asking;
pub(crate) mod own;
pub(crate) mod whole;

/// The maximum number of characters of a user's id, as the model has it.
const MAX_BY: usize = 64;

/// The time for which a client may send a file to the file store itself.
const UPLOAD_LIFETIME: Duration = Duration::from_secs(6 * 3600);

/// A change by a user.
pub(crate) type Change<I, O> = Action<State, (String, I), O>;

/// Makes a change for a caller, audited.
pub(crate) async fn act<I, O>(
    action: &Change<I, O>,
    calls: &Calls,
    state: &State,
    caller: &Caller,
    input: I,
) -> Result<O, Error> {
    action.call(calls, state, caller, (by(caller)?, input)).await
}

/// The id of the caller as it is part of keys. One that is long or has a separator of keys, which only another provider
/// makes, is replaced by its hash.
pub(crate) fn by(caller: &Caller) -> Result<String, Error> {
    let id = &caller.signed_in()?.id;
    let fits = id.chars().count() <= MAX_BY && hansang_documents::check_id("user_id", id).is_ok();
    if fits {
        return Ok(id.clone());
    }
    Ok(Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) const CREATE_PROJECT: Change<ProjectText, Project> = Action {
    name: "project.create",
    summary: &messages::CREATE_PROJECT,
    subject: |(_, text)| text.name.clone(),
    run: |state, (by, text)| Box::pin(async move { create_project(&state.documents, &by, &text).await }),
};

/// Changes a project of this revision.
pub(crate) const CHANGE_PROJECT: Change<(String, ProjectText, i64), Project> = Action {
    name: "project.change",
    summary: &messages::CHANGE_PROJECT,
    subject: |(_, (id, ..))| id.clone(),
    run: |state, (_, (id, text, revision))| {
        Box::pin(async move { change_project(&state.documents, &id, &text, revision).await })
    },
};

/// Archives a project of this revision, or makes it active again.
pub(crate) const ARCHIVE_PROJECT: Change<(String, bool, i64), Project> = Action {
    name: "project.archive",
    summary: &messages::ARCHIVE_PROJECT,
    subject: |(_, (id, archived, _))| format!("{id} {archived}"),
    run: |state, (_, (id, archived, revision))| {
        Box::pin(async move { archive_project(&state.documents, &id, archived, revision).await })
    },
};

/// Deletes a project with everything below it.
pub(crate) const DELETE_PROJECT: Change<String, ()> = Action {
    name: "project.delete",
    summary: &messages::DELETE_PROJECT,
    subject: |(_, id)| id.clone(),
    run: |state, (_, id)| {
        Box::pin(async move {
            delete_project(&state.documents, &id).await?;
            state.forget_text(&id, None).await;
            Ok(())
        })
    },
};

/// An upload that has begun, with the address to which the client may send the file itself.
pub(crate) struct Begun {
    pub(crate) upload: Upload,
    pub(crate) upload_url: Option<String>,
}

impl Begun {
    async fn of(state: &State, upload: Upload) -> Result<Self, Error> {
        let version = &upload.version;
        let size = u64::try_from(version.file_size).unwrap_or_default();
        let files = &state.documents.files;
        let upload_url =
            files.upload_address(&version.sent_key(), &version.file_type, size, UPLOAD_LIFETIME).await?;
        Ok(Self { upload, upload_url })
    }
}

/// Begins to upload a new document of a project.
pub(crate) const BEGIN_UPLOAD: Change<(String, NewFile), Begun> = Action {
    name: "document.upload",
    summary: &messages::BEGIN_UPLOAD,
    subject: |(_, (project_id, file))| format!("{project_id} {}", file.name),
    run: |state, (by, (project_id, file))| {
        Box::pin(async move {
            state.check_size(file.file_size)?;
            Begun::of(state, begin_upload(&state.documents, &by, &project_id, &file).await?).await
        })
    },
};

/// Begins to upload a new version of a document: its project, its id, the file.
pub(crate) const BEGIN_VERSION: Change<(String, String, NewFile), Begun> = Action {
    name: "version.upload",
    summary: &messages::BEGIN_VERSION,
    subject: |(_, (_, document_id, _))| document_id.clone(),
    run: |state, (by, (project_id, document_id, file))| {
        Box::pin(async move {
            state.check_size(file.file_size)?;
            let upload = begin_version(&state.documents, &by, &project_id, &document_id, &file).await?;
            Begun::of(state, upload).await
        })
    },
};

/// Gives an upload up: the project, the document, the version.
pub(crate) const ABORT_UPLOAD: Change<(String, String, i64), ()> = Action {
    name: "version.abort",
    summary: &messages::ABORT_UPLOAD,
    subject: |(_, (_, document_id, version))| format!("{document_id} {version}"),
    run: |state, (_, (project_id, document_id, version))| {
        Box::pin(async move {
            let upload = file_version(&state.documents, &document_id, version).await?;
            abort_upload(&state.documents, &project_id, &document_id, version).await?;
            state.uploads.forget(&upload.s3_key).await;
            Ok(())
        })
    },
};

/// Deletes a document of a project.
pub(crate) const DELETE_DOCUMENT: Change<(String, String), ()> = Action {
    name: "document.delete",
    summary: &messages::DELETE_DOCUMENT,
    subject: |(_, (_, document_id))| document_id.clone(),
    run: |state, (_, (project_id, document_id))| {
        Box::pin(async move {
            delete_document(&state.documents, &project_id, &document_id).await?;
            state.forget_text(&project_id, Some(&document_id)).await;
            Ok(())
        })
    },
};

/// Processes a document of a project again.
pub(crate) const REPROCESS: Change<(String, String, Reprocess), Workflow> = Action {
    name: "document.reprocess",
    summary: &messages::REPROCESS,
    subject: |(_, (_, document_id, _))| document_id.clone(),
    run: |state, (by, (project_id, document_id, again))| {
        Box::pin(async move { reprocess(&state.documents, &by, &project_id, &document_id, &again).await })
    },
};

/// Cancels the processing of a document of a project.
pub(crate) const CANCEL: Change<(String, String), Workflow> = Action {
    name: "document.cancel",
    summary: &messages::CANCEL,
    subject: |(_, (_, document_id))| document_id.clone(),
    run: |state, (by, (project_id, document_id))| {
        Box::pin(async move { cancel(&state.documents, &by, &project_id, &document_id).await })
    },
};

/// Corrects the text of a segment: the project, the document, the number, the text.
pub(crate) const CHANGE_TEXT: Change<(String, String, i64, String), Segment> = Action {
    name: "segment.text",
    summary: &messages::CHANGE_TEXT,
    subject: |(_, (_, document_id, index, _))| format!("{document_id} {index}"),
    run: |state, (_, (project_id, document_id, index, text))| {
        Box::pin(async move {
            change_segment_text(&state.documents, &project_id, &document_id, index, &text).await
        })
    },
};

/// Keeps a question: the workflow, the number of the segment, the question, the answer.
pub(crate) const ADD_QUESTION: Change<(String, i64, String, String), Segment> = Action {
    name: "segment.question",
    summary: &messages::ADD_QUESTION,
    subject: |(_, (workflow_id, index, ..))| format!("{workflow_id} {index}"),
    run: |state, (by, (workflow_id, index, question, answer))| {
        Box::pin(
            async move { add_question(&state.documents, &by, &workflow_id, index, &question, &answer).await },
        )
    },
};

/// Drops a cached list by its key.
pub(crate) const INVALIDATE: Change<String, ()> = Action {
    name: "cache.invalidate",
    summary: &messages::INVALIDATE,
    subject: |(_, key)| key.clone(),
    run: |state, (_, key)| {
        Box::pin(async move {
            let is_list = |prefix: &str| {
                let parts = key.strip_prefix(prefix).map(|rest| rest.split(':').collect::<Vec<_>>());
                parts.is_some_and(|parts| parts.len() == 2 && parts.iter().all(|part| !part.is_empty()))
            };
            if key != "query_projects" && !is_list("session_list:") && !is_list("agent_list:") {
                let message = hansang_core::message!(messages::NO_SUCH_KEY, key);
                return Err(Error::invalid(DocumentsCode::IdInvalid, message));
            }
            invalidate(&state.documents, &key).await;
            Ok(())
        })
    },
};
