//! The parts of what was deleted.
//!
//! Each loop reads the first page of what is left, deletes it and reads again, so it needs no position and can stop anywhere.
//! Steps go before segments: from then on no processor holds a lease, and nothing can be added.

use futures_util::future::BoxFuture;
use hansang_core::db::{Operation, Typed};
use hansang_core::plan::{Action, Guards, Key, Write};
use hansang_core::store::check::key_of;
use hansang_core::{Error, Item, Record, name};

use crate::artifacts::{Artifact, artifact_id_key, in_document, in_project};
use crate::deletions::{Deletion, DeletionKind, finish_deletion, take_document};
use crate::edit::{PAGE, erase, first, key, load, project_key};
use crate::lists::UserList;
use crate::texts::{artifact_folder, delete_file, delete_folder, document_folder, project_folder};
use crate::version::sent_key;
use crate::{Document, Documents, FileVersion};

/// Deletes the parts of what was deleted.
pub(crate) fn parts<'a>(
    documents: &'a Documents,
    deletion: &'a Deletion,
) -> BoxFuture<'a, Result<(), Error>> {
    Box::pin(async move {
        let Deletion { subject_id, project_id, .. } = deletion;
        match deletion.kind {
            DeletionKind::Project => of_project(documents, project_id).await?,
            DeletionKind::Document => of_document(documents, project_id, subject_id).await?,
            DeletionKind::Artifact => {
                delete_folder(documents, &artifact_folder(project_id, subject_id)).await?
            }
            DeletionKind::Session => of_session(documents, subject_id).await?,
            DeletionKind::File => {
                let sent = deletion.s3_key.as_deref().map(sent_key);
                delete_file(documents, sent.as_deref()).await?;
            }
        }
        delete_file(documents, deletion.s3_key.as_deref()).await
    })
}

async fn of_project(documents: &Documents, project_id: &str) -> Result<(), Error> {
    loop {
        let left = first(documents, "partsOfProject", project_key(project_id)).await?;
        if left.records.is_empty() && left.strays.is_empty() {
            return delete_folder(documents, &project_folder(project_id)).await;
        }
        let mut gone = strays(documents, left.strays);
        for record in left.records {
            gone.extend(part_of_project(documents, project_id, &record).await?);
        }
        delete_all(documents, gone).await?;
    }
}

/// Deletes what is below an item of a project. Returns the writes that delete the item.
async fn part_of_project(
    documents: &Documents,
    project_id: &str,
    record: &Record,
) -> Result<Vec<Operation>, Error> {
    let text = |field: &str| record.text(field).unwrap_or_default().to_owned();
    match &*record.entity.name {
        Document::ENTITY => {
            let document_id = text("document_id");
            if let Some(deletion) = take_document(documents, project_id, &document_id).await? {
                finish_deletion(documents, &deletion).await?;
            }
            // One that cannot be read has no note, but its parts go all the same.
            of_document(documents, project_id, &document_id).await?;
        }
        "Member" => of_member(documents, project_id, &text("user_id")).await?,
        "ArtifactOfProject" => {
            let artifact_id = text("artifact_id");
            return artifact(documents, project_id, &artifact_id).await;
        }
        _ => {}
    }
    Ok(vec![erase(documents, &record.entity.name, &record.fields)?])
}

/// Deletes the sessions and agents of a user in a project, and drops both lists from the cache.
async fn of_member(documents: &Documents, project_id: &str, user_id: &str) -> Result<(), Error> {
    let arguments = key([(name!("user_id"), user_id), (name!("project_id"), project_id)]);
    loop {
        let left = first(documents, "partsOfUserInProject", arguments.clone()).await?;
        if left.records.is_empty() && left.strays.is_empty() {
            break;
        }
        let mut gone = strays(documents, left.strays);
        for record in left.records {
            if &*record.entity.name == "Session" {
                of_session(documents, record.text("session_id").unwrap_or_default()).await?;
            }
            gone.push(erase(documents, &record.entity.name, &record.fields)?);
        }
        delete_all(documents, gone).await?;
    }
    for list in [UserList::Sessions, UserList::Agents] {
        documents.cached.invalidate(&list.key(user_id, project_id)).await;
    }
    Ok(())
}

async fn of_session(documents: &Documents, session_id: &str) -> Result<(), Error> {
    everything(documents, "messagesOfSession", key([(name!("session_id"), session_id)])).await
}

async fn of_document(documents: &Documents, project_id: &str, document_id: &str) -> Result<(), Error> {
    let arguments = key([(name!("document_id"), document_id)]);
    loop {
        let left = first(documents, "partsOfDocument", arguments.clone()).await?;
        if left.records.is_empty() && left.strays.is_empty() {
            return delete_folder(documents, &document_folder(project_id, document_id)).await;
        }
        let mut gone = strays(documents, left.strays);
        for record in left.records {
            match &*record.entity.name {
                "Workflow" => of_workflow(documents, record.text("workflow_id").unwrap_or_default()).await?,
                FileVersion::ENTITY => delete_file(documents, record.text("s3_key")).await?,
                "ArtifactOfDocument" => {
                    let artifact_id = record.text("artifact_id").unwrap_or_default();
                    gone.extend(artifact(documents, project_id, artifact_id).await?);
                }
                _ => {}
            }
            gone.push(erase(documents, &record.entity.name, &record.fields)?);
        }
        delete_all(documents, gone).await?;
    }
}

async fn of_workflow(documents: &Documents, workflow_id: &str) -> Result<(), Error> {
    for pattern in ["stepsOfWorkflow", "partsOfWorkflow"] {
        everything(documents, pattern, key([(name!("workflow_id"), workflow_id)])).await?;
    }
    Ok(())
}

/// Deletes the file of an artifact. Returns the writes that delete its items.
async fn artifact(
    documents: &Documents,
    project_id: &str,
    artifact_id: &str,
) -> Result<Vec<Operation>, Error> {
    delete_folder(documents, &artifact_folder(project_id, artifact_id)).await?;
    let stored: Option<Artifact> = load(documents, &artifact_id_key(artifact_id)).await.unwrap_or_default();
    let mut gone = vec![
        erase(documents, "Artifact", &artifact_id_key(artifact_id))?,
        erase(documents, "ArtifactOfProject", &in_project(project_id, artifact_id))?,
    ];
    if let Some(stored) = stored {
        delete_file(documents, Some(&stored.s3_key)).await?;
        if let Some(document_id) = &stored.document_id {
            gone.push(erase(documents, "ArtifactOfDocument", &in_document(document_id, artifact_id))?);
        }
    }
    Ok(gone)
}

/// Deletes all items of a pattern.
async fn everything(documents: &Documents, pattern: &str, arguments: Item) -> Result<(), Error> {
    loop {
        let left = first(documents, pattern, arguments.clone()).await?;
        if left.records.is_empty() && left.strays.is_empty() {
            return Ok(());
        }
        let mut gone = strays(documents, left.strays);
        for record in left.records {
            gone.push(erase(documents, &record.entity.name, &record.fields)?);
        }
        delete_all(documents, gone).await?;
    }
}

/// Deletes stored items that no entity of the model can have.
fn strays(documents: &Documents, items: Vec<Item>) -> Vec<Operation> {
    let table = documents.db.table();
    let keys = items.iter().filter_map(|item| key_of(table, item).ok());
    keys.map(|key: Key| Operation::Write(Write { key, action: Action::Delete, guards: Guards::default() }))
        .collect()
}

/// Deletes items, in transactions. An item that is named twice is deleted once.
async fn delete_all(documents: &Documents, mut gone: Vec<Operation>) -> Result<(), Error> {
    let key = |operation: &Operation| match operation {
        Operation::Write(write) => Some(write.key.clone()),
        _ => None,
    };
    gone.sort_by_key(key);
    gone.dedup_by_key(|operation| key(operation));
    let size = usize::try_from(PAGE).unwrap_or(1);
    let mut rest = gone.into_iter().peekable();
    while rest.peek().is_some() {
        documents.db.commit(rest.by_ref().take(size).collect()).await?;
    }
    Ok(())
}
