//! Uploads: the versions of a document's file.
//!
//! A version is stored in the table before its file is, and the key of the file is made of ids. So a crash leaves an upload
//! that [`abort_uploads`] finishes, and never a file that nothing leads to.

use hansang_core::db::Ask;
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::SignedDuration;

use crate::deletions::{DeletionKind, finish_deletion, note_deletion};
use crate::edit::{
    ATTEMPTS, Check, busy, check_id, commit, create, delete, document_exists, document_key, erase, is,
    is_stale, key, load, moved, optional, page, present, project_is_open, remove, set, time, update,
};
use crate::texts::{delete_folder, document_file_key, document_folder};
use crate::version::{unknown, version_key};
use crate::workflow::{NewRun, change_document, refuse_active};
use crate::{
    Document, DocumentStatus, Documents, DocumentsCode, FileVersion, Finished, NewFile, Received, Upload,
    VersionState, duplicates, file_version, find_document, find_workflow, messages, versions,
};

/// The maximum size of a file: 500 MB.
pub const MAX_FILE: i64 = 500 * 1024 * 1024;
/// The time after which an upload that did not end is deleted.
const ABANDONED: SignedDuration = SignedDuration::from_hours(24);

/// Begins to upload a new document.
///
/// # Errors
/// Every field that is wrong, `file_too_large`, `project_unknown` or `project_archived`.
pub async fn begin_upload(
    documents: &Documents,
    by: &str,
    project_id: &str,
    file: &NewFile,
) -> Result<Upload, Error> {
    check_id("project_id", project_id)?;
    check(file)?;
    let document_id = documents.new_id();
    let mut fields = document_key(project_id, &document_id);
    fields.extend(present([
        (name!("name"), Some(file.name.trim().into())),
        (name!("file_type"), Some(file.file_type.trim().into())),
        (name!("file_size"), Some(file.file_size.into())),
        (name!("status"), Some(DocumentStatus::Uploading.name().into())),
        (name!("source_url"), optional(file.source_url.as_deref())),
        (name!("created_by"), Some(by.into())),
    ]));
    let version = version_fields(documents, by, project_id, &document_id, 1, file);
    let operations = vec![
        project_is_open(project_id),
        create(name!("Document"), fields),
        create(name!("FileVersion"), version),
    ];
    commit(documents, operations).await?;
    upload(documents, project_id, &document_id, 1).await
}

/// Begins to upload a new version of a document's file.
///
/// # Errors
/// As [`begin_upload`], `document_unknown` or `not_uploaded`.
pub async fn begin_version(
    documents: &Documents,
    by: &str,
    project_id: &str,
    document_id: &str,
    file: &NewFile,
) -> Result<Upload, Error> {
    check(file)?;
    for _ in 0..ATTEMPTS {
        let document = find_document(documents, project_id, document_id).await?;
        if document.status == DocumentStatus::Uploading {
            return Err(Error::conflict(DocumentsCode::NotUploaded, message!(messages::NOT_UPLOADED)));
        }
        let newest = versions(documents, document_id, Ask { limit: Some(1), ..Ask::default() }).await?.items;
        let last = newest.first().map(|version| version.file_version).max(document.file_version);
        let number = last.unwrap_or_default() + 1;
        let version = version_fields(documents, by, project_id, document_id, number, file);
        let operations = vec![
            project_is_open(project_id),
            document_exists(project_id, document_id),
            create(name!("FileVersion"), version),
        ];
        match commit(documents, operations).await {
            Err(error) if is_stale(&error) => {}
            Err(error) => return Err(error),
            Ok(()) => return upload(documents, project_id, document_id, number).await,
        }
    }
    Err(busy())
}

/// Ends an upload whose file is stored, and starts a run over it. Repeating it is no error.
///
/// # Errors
/// `document_busy` while an older version is processed, `file_too_large`, `upload_unknown`, `document_unknown` or
/// `project_archived`.
pub async fn finish_upload(
    documents: &Documents,
    by: &str,
    project_id: &str,
    document_id: &str,
    version: i64,
    received: &Received,
) -> Result<Finished, Error> {
    check_received(received)?;
    for _ in 0..ATTEMPTS {
        let document = match find_document(documents, project_id, document_id).await {
            Err(error) if error.code == DocumentsCode::DocumentUnknown => {
                return Err(deleted(documents, project_id, document_id, error).await);
            }
            found => found?,
        };
        let stored = file_version(documents, document_id, version).await?;
        if received.s3_key.as_ref().is_some_and(|s3_key| *s3_key != stored.s3_key) {
            return Err(unknown());
        }
        if stored.state == VersionState::Ready {
            return finished(documents, document).await;
        }
        if document.status != DocumentStatus::Uploading {
            refuse_active(&document)?;
        }
        match commit(documents, finishing(documents, by, &document, &stored, received)?).await {
            Err(error) if is_stale(&error) => {}
            Err(error)
                if error.code == DocumentsCode::DocumentUnknown || error.code == CoreCode::NotFound => {}
            Err(error) => return Err(error),
            Ok(()) => {
                let document = find_document(documents, project_id, document_id).await?;
                return finished(documents, document).await;
            }
        }
    }
    Err(busy())
}

/// The writes that end an upload: document, version, checksum and run are one transaction.
fn finishing(
    documents: &Documents,
    by: &str,
    document: &Document,
    version: &FileVersion,
    received: &Received,
) -> Result<Vec<hansang_core::db::Operation>, Error> {
    let Document { project_id, document_id, .. } = document;
    let next =
        Document { name: version.name.clone(), file_version: Some(version.file_version), ..document.clone() };
    let run = NewRun::of(documents, &next, by, None);
    let first = document.status == DocumentStatus::Uploading;
    let mut changes = run.document_changes(if first { "pending" } else { "reanalyzing" });
    changes.extend([
        set(name!("name"), version.name.as_str()),
        set(name!("file_type"), received.file_type.as_str()),
        set(name!("file_size"), received.file_size),
        set(name!("sha256"), received.sha256.as_str()),
        set(name!("s3_key"), version.s3_key.as_str()),
        set(name!("file_version"), version.file_version),
    ]);
    let of_version = vec![
        set(name!("state"), VersionState::Ready.name()),
        set(name!("file_type"), received.file_type.as_str()),
        set(name!("file_size"), received.file_size),
        set(name!("sha256"), received.sha256.as_str()),
        remove(name!("upload_at")),
    ];
    let guards = vec![is(&name!("state"), Some(VersionState::Uploading.name().into()), moved())];
    let mut operations = vec![
        project_is_open(project_id),
        change_document(document, changes),
        update(name!("FileVersion"), version_key(document_id, version.file_version), of_version, guards),
    ];
    if document.sha256.as_deref() != Some(&*received.sha256) {
        if let Some(old) = &document.sha256 {
            operations.push(erase(documents, "FileOfHash", &hash_key(project_id, old, document_id))?);
        }
        operations.push(create(name!("FileOfHash"), hash_key(project_id, &received.sha256, document_id)));
    }
    operations.extend(run.operations());
    Ok(operations)
}

/// Gives an upload up, with what was stored of it. A document without another version goes too.
///
/// # Errors
/// `upload_unknown` if there is none or it has ended.
pub async fn abort_upload(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
    version: i64,
) -> Result<(), Error> {
    let stored = file_version(documents, document_id, version).await?;
    if stored.project_id != project_id || stored.state != VersionState::Uploading {
        return Err(unknown());
    }
    let uploading =
        |field: hansang_core::Name| is(&field, Some(VersionState::Uploading.name().into()), unknown());
    let document: Option<Document> = load(documents, &document_key(project_id, document_id)).await?;
    let whole = document.is_some_and(|document| document.status == DocumentStatus::Uploading);
    let gone =
        delete(name!("FileVersion"), version_key(document_id, version), vec![uploading(name!("state"))]);
    let (kind, subject) = if whole {
        (DeletionKind::Document, document_id.to_owned())
    } else {
        (DeletionKind::File, documents.new_id())
    };
    let (deletion, note) =
        note_deletion(documents, kind, &subject, project_id, document_id, Some(&stored.s3_key));
    let mut operations = vec![gone, note];
    if whole {
        let guards = vec![uploading(name!("status"))];
        operations.push(delete(name!("Document"), document_key(project_id, document_id), guards));
    }
    match commit(documents, operations).await {
        Err(error) if error.code == CoreCode::NotFound => return Err(unknown()),
        done => done?,
    }
    finish_deletion(documents, &deletion).await
}

/// Gives up the uploads that began a day ago and did not end. Returns their number.
///
/// # Errors
/// When the store or the files fail. The next run does the rest.
pub async fn abort_uploads(documents: &Documents) -> Result<usize, Error> {
    let until = Item::from([(name!("to"), time(documents.now() - ABANDONED))]);
    let stale = page::<FileVersion>(documents, "uploads", until, Ask::default()).await?.items;
    let mut aborted = 0;
    for version in stale {
        let FileVersion { project_id, document_id, file_version, .. } = &version;
        match abort_upload(documents, project_id, document_id, *file_version).await {
            Err(error) if error.code == DocumentsCode::UploadUnknown => {}
            done => {
                done?;
                aborted += 1;
            }
        }
    }
    Ok(aborted)
}

async fn upload(
    documents: &Documents,
    project_id: &str,
    document_id: &str,
    version: i64,
) -> Result<Upload, Error> {
    let document = find_document(documents, project_id, document_id).await?;
    Ok(Upload { document, version: file_version(documents, document_id, version).await? })
}

async fn finished(documents: &Documents, document: Document) -> Result<Finished, Error> {
    let workflow_id = document.workflow_id.clone().unwrap_or_default();
    let workflow = find_workflow(documents, &document.document_id, &workflow_id).await?;
    let mut same = match &document.sha256 {
        Some(sha256) => duplicates(documents, &document.project_id, sha256).await?,
        None => Vec::new(),
    };
    same.retain(|other| *other != document.document_id);
    Ok(Finished { document, workflow, duplicates: same })
}

/// The document was deleted while its file was stored: nothing else leads to the file.
async fn deleted(documents: &Documents, project_id: &str, document_id: &str, error: Error) -> Error {
    let folder = document_folder(project_id, document_id);
    if let Err(problem) = delete_folder(documents, &folder).await {
        tracing::warn!(%problem, folder, "the file of a deleted document is left");
    }
    error
}

pub(crate) fn hash_key(project_id: &str, sha256: &str, document_id: &str) -> Item {
    key([(name!("project_id"), project_id), (name!("sha256"), sha256), (name!("document_id"), document_id)])
}

fn version_fields(
    documents: &Documents,
    by: &str,
    project_id: &str,
    document_id: &str,
    version: i64,
    file: &NewFile,
) -> Item {
    let mut fields = version_key(document_id, version);
    // Never the key of an upload that was given up: its number is used again, and its file may be deleted late.
    let name = format!("original-{version:06}-{}", documents.new_id());
    let s3_key = document_file_key(project_id, document_id, &name);
    fields.extend(present([
        (name!("project_id"), Some(Value::from(project_id))),
        (name!("name"), Some(file.name.trim().into())),
        (name!("file_type"), Some(file.file_type.trim().into())),
        (name!("file_size"), Some(file.file_size.into())),
        (name!("s3_key"), Some(s3_key.into())),
        (name!("upload_at"), Some(time(documents.now()))),
        (name!("created_by"), Some(by.into())),
    ]));
    fields
}

fn check(file: &NewFile) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("name", &file.name, 255);
    check.text("file_type", &file.file_type, 127);
    check.done()?;
    check_size(file.file_size)
}

fn check_received(received: &Received) -> Result<(), Error> {
    let mut check = Check::default();
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if received.sha256.len() != 64 || !received.sha256.bytes().all(digit) {
        check.problem("sha256", message!(messages::NOT_SHA256));
    }
    check.text("file_type", &received.file_type, 127);
    check.done()?;
    check_size(received.file_size)
}

fn check_size(size: i64) -> Result<(), Error> {
    if size > MAX_FILE {
        let message = message!(messages::FILE_TOO_LARGE, size, MAX_FILE);
        return Err(Error::invalid(DocumentsCode::FileTooLarge, message));
    }
    Ok(())
}
