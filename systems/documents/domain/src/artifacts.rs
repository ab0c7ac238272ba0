//! Artifacts: files that were made for a user in a project.
//!
//! An artifact is three items: itself, under its user; one under its project, and one under its document if it was made from
//! one. They are written in one transaction, so a project or document finds the artifacts of all users.

use std::collections::BTreeSet;

use hansang_core::db::{Ask, Typed, TypedListing};
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::claims::Lease;
use crate::deletions::{DeletionKind, finish_or_leave, note_deletion};
use crate::edit::{
    ATTEMPTS, Check, busy, check_id, commit, commit_known, create, delete, document_exists, document_key,
    erase, is, key, load, page, present, project_exists, project_key, set, strong, update,
};
use crate::ends::check_lease;
use crate::projects::{join, joined_meanwhile};
use crate::texts::{artifact_folder, check_inside};
use crate::{Documents, DocumentsCode, messages};

/// A file that was made for a user in a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Artifact {
    /// The id.
    pub artifact_id: String,
    /// The owner.
    pub user_id: String,
    /// The project.
    pub project_id: String,
    /// The name.
    pub filename: String,
    /// The media type.
    pub content_type: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The key of the file.
    pub s3_key: String,
    /// The document it was made from.
    pub document_id: Option<String>,
    /// The run that made it.
    pub workflow_id: Option<String>,
    /// The time it was created.
    pub created_at: Timestamp,
}

impl Typed for Artifact {
    const ENTITY: &'static str = "Artifact";
}

/// As [`Artifact`], for the item that finds it from its document.
#[derive(Serialize, Deserialize)]
pub(crate) struct OfDocument {
    pub(crate) artifact_id: String,
}

impl Typed for OfDocument {
    const ENTITY: &'static str = "ArtifactOfDocument";
}

/// A new artifact, whose file is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewArtifact {
    /// The id, under which its file was stored.
    pub artifact_id: String,
    /// The owner.
    pub user_id: String,
    /// The project.
    pub project_id: String,
    /// The name.
    pub filename: String,
    /// The media type.
    pub content_type: String,
    /// The number of bytes.
    pub file_size: i64,
    /// The document it was made from.
    pub document_id: Option<String>,
    /// The run that made it.
    pub workflow_id: Option<String>,
}

/// The key under which the file of an artifact is stored, before the artifact is created. The id is a new one:
/// [`Documents::new_id`].
#[must_use]
pub fn artifact_key(project_id: &str, artifact_id: &str) -> String {
    format!("{}/file", artifact_folder(project_id, artifact_id))
}

pub(crate) fn artifact_id_key(artifact_id: &str) -> Item {
    key([(name!("artifact_id"), artifact_id)])
}

pub(crate) fn in_project(project_id: &str, artifact_id: &str) -> Item {
    key([(name!("project_id"), project_id), (name!("artifact_id"), artifact_id)])
}

pub(crate) fn in_document(document_id: &str, artifact_id: &str) -> Item {
    key([(name!("document_id"), document_id), (name!("artifact_id"), artifact_id)])
}

/// Creates an artifact whose file is stored under [`artifact_key`]; by a processor under its lease. Repeating it is
/// no error, and notes the name, type and size of the file as it is now.
///
/// # Errors
/// Every field that is wrong, `project_unknown`, `document_unknown` or `lease_lost`. Delete the file then.
pub async fn create_artifact(
    documents: &Documents,
    lease: Option<&Lease>,
    new: &NewArtifact,
) -> Result<Artifact, Error> {
    check(new)?;
    let s3_key = artifact_key(&new.project_id, &new.artifact_id);
    check_inside(&artifact_folder(&new.project_id, &new.artifact_id), &s3_key)?;
    let fields = present([
        (name!("artifact_id"), Some(Value::from(new.artifact_id.as_str()))),
        (name!("user_id"), Some(new.user_id.as_str().into())),
        (name!("project_id"), Some(new.project_id.as_str().into())),
        (name!("filename"), Some(new.filename.trim().into())),
        (name!("content_type"), Some(new.content_type.trim().into())),
        (name!("file_size"), Some(new.file_size.into())),
        (name!("s3_key"), Some(s3_key.into())),
        (name!("document_id"), new.document_id.as_deref().map(Value::from)),
        (name!("workflow_id"), new.workflow_id.as_deref().map(Value::from)),
    ]);
    for _ in 0..ATTEMPTS {
        let mut operations = vec![
            create(name!("Artifact"), fields.clone()),
            create(name!("ArtifactOfProject"), fields.clone()),
            project_exists(&new.project_id),
        ];
        operations.extend(lease.map(check_lease));
        if let Some(document_id) = &new.document_id {
            operations.push(document_exists(&new.project_id, document_id));
            operations.push(create(name!("ArtifactOfDocument"), in_document(document_id, &new.artifact_id)));
        }
        operations.extend(join(documents, &new.project_id, &new.user_id).await?);
        match commit(documents, operations).await {
            Ok(()) => return find_artifact(documents, &new.artifact_id).await,
            Err(error) if joined_meanwhile(&error) => {
                if let Ok(stored) = find_artifact(documents, &new.artifact_id).await {
                    let same = stored.user_id == new.user_id && stored.project_id == new.project_id;
                    return if same { renew(documents, lease, stored, new).await } else { Err(error) };
                }
            }
            Err(error) if error.code == CoreCode::Contended => {}
            Err(error) => return Err(error),
        }
    }
    Err(busy())
}

/// Records the current file of an artifact. A step that is repeated stores it again.
async fn renew(
    documents: &Documents,
    lease: Option<&Lease>,
    stored: Artifact,
    new: &NewArtifact,
) -> Result<Artifact, Error> {
    let now = (new.filename.trim(), new.content_type.trim(), new.file_size);
    if (&*stored.filename, &*stored.content_type, stored.file_size) == now {
        return Ok(stored);
    }
    let changes = vec![
        set(name!("filename"), now.0),
        set(name!("content_type"), now.1),
        set(name!("file_size"), now.2),
    ];
    let in_project = in_project(&new.project_id, &new.artifact_id);
    let mut operations = vec![
        update(name!("Artifact"), artifact_id_key(&new.artifact_id), changes.clone(), Vec::new()),
        update(name!("ArtifactOfProject"), in_project, changes, Vec::new()),
    ];
    operations.extend(lease.map(check_lease));
    commit_known(documents, operations, || unknown(&new.artifact_id)).await?;
    find_artifact(documents, &new.artifact_id).await
}

/// Finds an artifact.
///
/// # Errors
/// `artifact_unknown`.
pub async fn find_artifact(documents: &Documents, artifact_id: &str) -> Result<Artifact, Error> {
    check_id("artifact_id", artifact_id)?;
    load(documents, &artifact_id_key(artifact_id)).await?.ok_or_else(|| unknown(artifact_id))
}

/// The artifacts of a user, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn artifacts_of_user(
    documents: &Documents,
    user_id: &str,
    ask: Ask,
) -> Result<TypedListing<Artifact>, Error> {
    living(documents, page(documents, "artifactsOfUser", key([(name!("user_id"), user_id)]), ask).await?)
        .await
}

/// The artifacts of a user in a project, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn artifacts_of_user_in_project(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    ask: Ask,
) -> Result<TypedListing<Artifact>, Error> {
    let arguments = key([(name!("user_id"), user_id), (name!("project_id"), project_id)]);
    living(documents, page(documents, "artifactsOfUserInProject", arguments, ask).await?).await
}

/// The artifacts of all users in a project, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn artifacts_of_project(
    documents: &Documents,
    project_id: &str,
    ask: Ask,
) -> Result<TypedListing<Artifact>, Error> {
    living(documents, page(documents, "artifactsOfProject", project_key(project_id), ask).await?).await
}

/// The artifacts that were made from a document, the newest first unless the other direction is asked for.
///
/// # Errors
/// A wrong cursor or limit.
pub async fn artifacts_of_document(
    documents: &Documents,
    document_id: &str,
    ask: Ask,
) -> Result<TypedListing<Artifact>, Error> {
    let arguments = key([(name!("document_id"), document_id)]);
    let page: TypedListing<OfDocument> = page(documents, "artifactsOfDocument", arguments, ask).await?;
    let keys: Vec<Item> = page.items.iter().map(|one| artifact_id_key(&one.artifact_id)).collect();
    let found = documents.db.batch_get("Artifact", &keys, &strong()).await?;
    let items: Vec<Artifact> = found.into_iter().flatten().filter_map(|record| record.typed().ok()).collect();
    let found = TypedListing { items, unreadable: page.unreadable, next: page.next, previous: page.previous };
    living(documents, found).await
}

/// Leaves out what is being deleted with its project or its document: from a deletion on no list shows it, although its parts
/// go one after the other. A page may then have fewer entries than were asked for.
async fn living(
    documents: &Documents,
    mut found: TypedListing<Artifact>,
) -> Result<TypedListing<Artifact>, Error> {
    let projects: BTreeSet<&str> = found.items.iter().map(|one| &*one.project_id).collect();
    let keys: Vec<Item> = projects.iter().map(|id| project_key(id)).collect();
    let projects = gone(documents, "Project", &keys, projects).await?;
    let of = |one: &'_ Artifact| Some((one.project_id.clone(), one.document_id.clone()?));
    let sources: BTreeSet<(String, String)> = found.items.iter().filter_map(of).collect();
    let keys: Vec<Item> = sources.iter().map(|(project, document)| document_key(project, document)).collect();
    let sources = gone(documents, "Document", &keys, sources).await?;
    let projects: BTreeSet<String> = projects.into_iter().map(str::to_owned).collect();
    found.items.retain(|one| {
        !projects.contains(&one.project_id) && of(one).is_none_or(|source| !sources.contains(&source))
    });
    Ok(found)
}

/// Those of the names whose item is not there.
async fn gone<N: Ord>(
    documents: &Documents,
    entity: &str,
    keys: &[Item],
    names: BTreeSet<N>,
) -> Result<BTreeSet<N>, Error> {
    let found = documents.db.batch_get(entity, keys, &strong()).await?;
    Ok(names.into_iter().zip(found).filter(|(_, found)| found.is_none()).map(|(name, _)| name).collect())
}

/// Deletes an artifact and its file, by its owner.
///
/// # Errors
/// `not_owner`, or `artifact_unknown`.
pub async fn delete_artifact(documents: &Documents, by: &str, artifact_id: &str) -> Result<(), Error> {
    let artifact = find_artifact(documents, artifact_id).await?;
    if artifact.user_id != by {
        return Err(Error::forbidden(DocumentsCode::NotOwner, message!(messages::NOT_OWNER)));
    }
    let not_owner = Error::forbidden(DocumentsCode::NotOwner, message!(messages::NOT_OWNER));
    let Artifact { project_id, s3_key, document_id, .. } = &artifact;
    let (deletion, note) = note_deletion(
        documents,
        DeletionKind::Artifact,
        artifact_id,
        project_id,
        document_id.as_deref().unwrap_or_default(),
        Some(s3_key),
    );
    let guards = vec![is(&name!("user_id"), Some(by.into()), not_owner)];
    let mut operations = vec![
        delete(name!("Artifact"), artifact_id_key(artifact_id), guards),
        erase(documents, "ArtifactOfProject", &in_project(project_id, artifact_id))?,
        note,
    ];
    if let Some(document_id) = document_id {
        operations.push(erase(documents, "ArtifactOfDocument", &in_document(document_id, artifact_id))?);
    }
    match commit(documents, operations).await {
        Err(error) if error.code == CoreCode::NotFound => return Err(unknown(artifact_id)),
        done => done?,
    }
    finish_or_leave(documents, &deletion).await;
    Ok(())
}

fn check(new: &NewArtifact) -> Result<(), Error> {
    check_id("artifact_id", &new.artifact_id)?;
    check_id("user_id", &new.user_id)?;
    check_id("project_id", &new.project_id)?;
    let mut check = Check::default();
    check.text("filename", &new.filename, 255);
    check.text("content_type", &new.content_type, 127);
    check.done()
}

fn unknown(id: &str) -> Error {
    Error::not_found(DocumentsCode::ArtifactUnknown, message!(messages::ARTIFACT_UNKNOWN, id))
}
