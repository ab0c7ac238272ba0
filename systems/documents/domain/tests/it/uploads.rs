//! Uploads, versions, duplicates.

use hansang_core::ErrorKind;
use hansang_core::db::Ask;
use hansang_documents::{
    DocumentStatus, DocumentsCode, MAX_FILE, NewFile, Received, VersionState, WorkflowStatus, abort_upload,
    abort_uploads, begin_upload, begin_version, documents_of_project, duplicates, file_version,
    find_document, finish_upload, steps, tend, versions, workflows,
};

use crate::grounds::{Ground, file, naming, on_each_store, received};

/// Ds16, D6, D8: an upload ends with a run, in one transaction; ending it again changes nothing.
async fn an_upload_ends_with_a_run(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let upload = begin_upload(documents, "ann", &project, &file("a.pdf")).await.unwrap();
    let id = upload.document.document_id.clone();
    assert_eq!(upload.document.status, DocumentStatus::Uploading);
    assert_eq!((upload.version.file_version, upload.version.state), (1, VersionState::Uploading));
    let early = begin_version(documents, "ann", &project, &id, &file("b.pdf")).await.unwrap_err();
    assert_eq!(early.code, DocumentsCode::NotUploaded);
    let measured = Received { file_size: 42, file_type: "image/png".to_owned(), ..received("a.pdf") };
    let done = finish_upload(documents, "ann", &project, &id, 1, &measured).await.unwrap();
    assert_eq!(
        (done.document.status, done.workflow.status),
        (DocumentStatus::Pending, WorkflowStatus::Pending)
    );
    assert_eq!((done.document.file_size, &*done.document.file_type), (42, "image/png"));
    assert_eq!(done.document.workflow_id.as_ref(), Some(&done.workflow.workflow_id));
    assert_eq!(done.document.s3_key.as_ref(), Some(&upload.version.s3_key));
    assert_eq!(steps(documents, &done.workflow.workflow_id).await.unwrap().len(), 6);
    let again = finish_upload(documents, "ann", &project, &id, 1, &measured).await.unwrap();
    assert_eq!(again, done);
    assert_eq!(workflows(documents, &id, Ask::default()).await.unwrap().items.len(), 1);
    assert_eq!(file_version(documents, &id, 1).await.unwrap().state, VersionState::Ready);
}

/// Ds16: what is too large or not a file is refused.
async fn bad_uploads_are_refused(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let large = NewFile { file_size: MAX_FILE + 1, ..file("a.pdf") };
    let refused = begin_upload(documents, "ann", &project, &large).await.unwrap_err();
    assert_eq!((refused.kind, refused.code), (ErrorKind::Invalid, DocumentsCode::FileTooLarge.into()));
    let largest = NewFile { file_size: MAX_FILE, ..file("a.pdf") };
    let upload = begin_upload(documents, "ann", &project, &largest).await.unwrap();
    let id = &upload.document.document_id;
    for wrong in [
        Received { file_size: MAX_FILE + 1, ..received("a") },
        Received { sha256: "x".to_owned(), ..received("a") },
        Received { file_type: String::new(), ..received("a") },
    ] {
        let refused = finish_upload(documents, "ann", &project, id, 1, &wrong).await.unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Invalid, "{wrong:?}");
    }
    assert!(begin_upload(documents, "ann", &project, &file("")).await.is_err());
    let unknown = finish_upload(documents, "ann", &project, id, 2, &received("a")).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::UploadUnknown);
    let unknown = finish_upload(documents, "ann", &project, "none", 1, &received("a")).await.unwrap_err();
    assert_eq!(unknown.code, DocumentsCode::DocumentUnknown);
}

/// Ds20: a new version is processed when the last run has ended, and not while it runs.
async fn a_new_version_is_processed(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let document = ground.document(&project, "a.pdf").await;
    let id = &document.document_id;
    let upload = begin_version(documents, "bob", &project, id, &file("b.pdf")).await.unwrap();
    assert_eq!(upload.version.file_version, 2);
    let busy = finish_upload(documents, "bob", &project, id, 2, &received("b.pdf")).await.unwrap_err();
    assert_eq!((busy.kind, busy.code), (ErrorKind::Conflict, DocumentsCode::DocumentBusy.into()));
    ground.run_all(2).await;
    let done = finish_upload(documents, "bob", &project, id, 2, &received("b.pdf")).await.unwrap();
    assert_eq!(done.document.status, DocumentStatus::Reanalyzing);
    assert_eq!((done.document.file_version, &*done.document.name), (Some(2), "b.pdf"));
    assert_eq!(done.workflow.file_version, Some(2));
    assert_eq!(duplicates(documents, &project, &received("a.pdf").sha256).await.unwrap(), [""; 0]);
    assert_eq!(
        duplicates(documents, &project, &received("b.pdf").sha256).await.unwrap(),
        std::slice::from_ref(id)
    );
    let all = versions(documents, id, Ask::default()).await.unwrap().items;
    assert_eq!(all.iter().map(|version| version.file_version).collect::<Vec<_>>(), [2, 1]);
    ground.run_all(1).await;
    assert_eq!(find_document(documents, &project, id).await.unwrap().status, DocumentStatus::Completed);
}

/// The same file in a project is reported; in another project it is not.
async fn duplicates_are_reported(ground: Ground) {
    let project = ground.project("a").await.project_id;
    let other = ground.project("b").await.project_id;
    let first = ground.upload(&project, "a.pdf").await;
    assert_eq!(first.duplicates, [""; 0]);
    let second = ground.upload(&project, "a.pdf").await;
    assert_eq!(second.duplicates, [first.document.document_id]);
    assert_eq!(ground.upload(&other, "a.pdf").await.duplicates, [""; 0]);
}

/// An upload that did not end in a day goes, with what was stored of it; a version goes alone.
async fn abandoned_uploads_go(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let lost = begin_upload(documents, "ann", &project, &file("a.pdf")).await.unwrap();
    ground.files.store(&lost.version.s3_key, "half");
    let kept = ground.completed(&project, "b.pdf", 1).await;
    let version = begin_version(documents, "ann", &project, &kept.document_id, &file("c.pdf")).await.unwrap();
    ground.files.store(&version.version.s3_key, "half");
    ground.pass(24 * 3600 - 1);
    assert_eq!(abort_uploads(documents).await.unwrap(), 0);
    ground.pass(1);
    assert_eq!(abort_uploads(documents).await.unwrap(), 2);
    assert_eq!(abort_uploads(documents).await.unwrap(), 0);
    assert_eq!(ground.files.keys(), [kept.s3_key.clone().unwrap()]);
    assert_eq!(naming(&documents.db, &lost.document.document_id).await, [""; 0]);
    assert_eq!(find_document(documents, &project, &kept.document_id).await.unwrap(), kept);
    let id = &lost.document.document_id;
    let late = finish_upload(documents, "ann", &project, id, 1, &received("a.pdf")).await;
    assert_eq!(late.unwrap_err().code, DocumentsCode::DocumentUnknown);
    let ended = abort_upload(documents, &project, &kept.document_id, 1).await.unwrap_err();
    assert_eq!(ended.code, DocumentsCode::UploadUnknown);
}

/// A new version takes the number of one that was given up, but never its file: what is left of that one is deleted late.
async fn a_late_deletion_spares_the_next_version(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let id = ground.completed(&project, "a.pdf", 1).await.document_id;
    let upload =
        async || begin_version(documents, "ann", &project, &id, &file("b.pdf")).await.unwrap().version;
    let first = upload().await;
    ground.files.store(&first.s3_key, "half");
    ground.files.fail(100, 1);
    abort_upload(documents, &project, &id, 2).await.unwrap_err();
    let second = upload().await;
    assert_eq!((first.file_version, second.file_version), (2, 2));
    // It can be given up too while the first is not deleted.
    abort_upload(documents, &project, &id, 2).await.unwrap_err();
    let third = upload().await;
    ground.files.fail(0, 0);
    ground.files.store(&third.s3_key, "whole");
    let late = Received { s3_key: Some(first.s3_key.clone()), ..received("b.pdf") };
    let refused = finish_upload(documents, "ann", &project, &id, 2, &late).await.unwrap_err();
    assert_eq!(refused.code, DocumentsCode::UploadUnknown, "the file of the first is not that of the third");
    let done = finish_upload(documents, "ann", &project, &id, 2, &received("b.pdf")).await.unwrap();
    ground.pass(61);
    tend(documents).await.unwrap();
    assert_eq!(done.document.s3_key.as_ref(), Some(&third.s3_key));
    assert!(ground.files.keys().contains(&third.s3_key), "the live file stays");
    assert!(!ground.files.keys().contains(&first.s3_key));
}

/// D7, Ds2, Ds4: the documents of a project in pages, in both directions.
async fn documents_are_listed(ground: Ground) {
    let documents = &ground.documents;
    let project = ground.project("a").await.project_id;
    let mut made = Vec::new();
    for number in 0..5 {
        ground.pass(1);
        made.push(ground.document(&project, &format!("{number}.pdf")).await.document_id);
    }
    let all = |descending: Option<bool>| {
        let project = &project;
        async move {
            let (mut ids, mut cursor) = (Vec::new(), None);
            loop {
                let ask = Ask { limit: Some(2), descending, cursor, ..Ask::default() };
                let page = documents_of_project(documents, project, ask).await.unwrap();
                ids.extend(page.items.into_iter().map(|document| document.document_id));
                match page.next {
                    Some(next) => cursor = Some(next),
                    None => return ids,
                }
            }
        }
    };
    assert_eq!(all(Some(false)).await, made);
    made.reverse();
    assert_eq!(all(None).await, made);
}

on_each_store!(
    an_upload_ends_with_a_run,
    bad_uploads_are_refused,
    a_new_version_is_processed,
    duplicates_are_reported,
    abandoned_uploads_go,
    a_late_deletion_spares_the_next_version,
    documents_are_listed,
);
