//! Uploads and downloads.

use std::sync::Arc;

use axum::http::Method;
use hansang_core::cache::Cached;
use hansang_documents::{Documents, MODEL, abort_upload};
use hansang_embedded::Directory;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::json;

use super::{all, id, start};

const CONTENT: &str = "한글과 text, 0123456789";

/// Ds16, D5, D6: a document is uploaded in one request; its type is that of its content, its checksum is kept.
async fn a_document_is_sent_in_one_request(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let path = format!("projects/{project}/files/%EA%B0%80.pdf?source_url=https%3A%2F%2Fexample.com%2Fa");
    let sent = ground.bytes(Method::PUT, &path, &[("content-type", "application/pdf")], CONTENT).await;
    assert_eq!(sent.status, 201);
    let sent = sent.json();
    let document = &sent["document"];
    assert_eq!((id(document, "name"), id(document, "file_type")), ("가.pdf", "text/plain"));
    assert_eq!(
        (&document["file_size"], id(document, "source_url")),
        (&json!(CONTENT.len()), "https://example.com/a")
    );
    assert_eq!((id(document, "status"), id(&sent["workflow"], "status")), ("pending", "pending"));
    assert_eq!(id(document, "sha256").len(), 64);
    assert_eq!(sent["duplicates"], json!([]));
    let again = ground.upload(&project, "b.txt", CONTENT).await;
    assert_eq!(again["duplicates"], json!([document["document_id"]]));
    let same =
        ok(ground.see(&format!("projects/{project}/duplicates?sha256={}", id(document, "sha256"))).await);
    assert_eq!(same["items"].as_array().unwrap().len(), 2);
    let path = format!("projects/{project}/documents");
    assert_eq!(ok(ground.see(&format!("{path}/{}", id(document, "document_id"))).await), *document);
    assert_eq!(all(&ok(ground.see(&format!("{path}?order=ascending")).await), "name"), ["가.pdf", "b.txt"]);
}

/// A file is downloaded as a whole and in ranges, always as an attachment.
async fn a_file_is_downloaded_in_ranges(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a%20%22b.html", "<html><script>alert(1)</script>").await;
    let id = id(&sent["document"], "document_id").to_owned();
    let path = format!("projects/{project}/documents/{id}/file");
    let whole = ground.see(&path).await;
    assert_eq!((whole.status, &*whole.text), (200, "<html><script>alert(1)</script>"));
    assert_eq!(whole.header("content-type"), "text/html");
    assert!(
        whole.header("content-disposition").starts_with("attachment; filename=\"a _b.html\""),
        "{whole:?}"
    );
    assert_eq!(whole.header("accept-ranges"), "bytes");
    let tag = whole.header("etag").to_owned();
    let range = async |range: &str, tag: &str| {
        ground.bytes(Method::GET, &path, &[("range", range), ("if-range", tag)], "").await
    };
    let part = range("bytes=1-4", &tag).await;
    assert_eq!((part.status, &*part.text, part.header("content-range")), (206, "html", "bytes 1-4/31"));
    assert_eq!(range("bytes=-3", &tag).await.text, "pt>");
    assert_eq!(range("bytes=1-4", "\"other\"").await.status, 200);
    let none = range("bytes=31-", &tag).await;
    assert_eq!(
        (refusal(&none), none.header("content-range")),
        ((416, "range_invalid".to_owned()), "bytes */31")
    );
    assert_eq!(ground.see(&format!("{path}?version=1")).await.status, 200);
    assert_eq!(refusal(&ground.see(&format!("{path}?version=2")).await).0, 404);
}

/// Ds16: an upload in parts goes on after a restart; parts that do not fit are refused.
async fn an_upload_goes_on_after_a_restart(on: On) {
    let mut ground = start(on).await;
    let project = ground.project("p").await;
    let new = json!({ "name": "a.txt", "file_size": CONTENT.len() });
    let begun = ground.make(Method::POST, &format!("projects/{project}/documents"), new).await;
    assert_eq!(begun.status, 201);
    let begun = begun.json();
    assert_eq!(
        (id(&begun["document"], "status"), id(&begun["version"], "state")),
        ("uploading", "uploading")
    );
    let version =
        format!("projects/{project}/documents/{}/versions/1", id(&begun["document"], "document_id"));
    let content = format!("{version}/content");
    let part = |from: usize, to: usize| format!("bytes {from}-{}/{}", to - 1, CONTENT.len());

    let sent = ground.bytes(Method::PUT, &content, &[("content-range", &part(0, 10))], &CONTENT[..10]).await;
    assert_eq!((sent.header("upload-offset"), sent.json()["received"].as_u64()), ("10", Some(10)));
    let early = ground.make(Method::POST, &format!("{version}/finish"), json!({})).await;
    assert_eq!(refusal(&early), (409, "size_differs".to_owned()));
    ground.restart(&[]).await;
    let there = ground.order(Method::GET, &content).await;
    assert_eq!(
        (there.header("upload-offset"), there.json()["file_size"].as_u64()),
        ("10", Some(CONTENT.len() as u64))
    );
    // HEAD is that of GET, and not described.
    let bearer = format!("Bearer {}", ground.editor);
    let url = format!("{}/{content}", super::API);
    let head =
        ground.page(Method::HEAD, &url, &[("authorization", &bearer)], axum::body::Body::empty()).await;
    assert_eq!((head.header("upload-offset"), &*head.text), ("10", ""));

    let gap =
        ground.bytes(Method::PUT, &content, &[("content-range", &part(12, 20))], &CONTENT[12..20]).await;
    assert_eq!(refusal(&gap), (409, "offset_differs".to_owned()));
    let long =
        ground.bytes(Method::PUT, &content, &[("content-range", &part(10, 12))], &CONTENT[10..20]).await;
    assert_eq!(refusal(&long), (400, "size_differs".to_owned()));
    for wrong in ["bytes 10-9/28", "bytes 0-5/7", "bytes x-5/28", "10-12"] {
        let refused = ground.bytes(Method::PUT, &content, &[("content-range", wrong)], "").await;
        assert_eq!(refusal(&refused), (400, "range_invalid".to_owned()), "{wrong}");
    }
    let there =
        usize::try_from(ground.order(Method::GET, &content).await.json()["received"].as_u64().unwrap())
            .unwrap();
    let rest = part(there, CONTENT.len());
    ok(ground.bytes(Method::PUT, &content, &[("content-range", &rest)], &CONTENT[there..]).await);

    let finish = async |sha256: Option<&str>| {
        ground.make(Method::POST, &format!("{version}/finish"), json!({ "sha256": sha256 })).await
    };
    let done = ok(finish(None).await);
    assert_eq!((id(&done["document"], "status"), &done["document"]["file_version"]), ("pending", &json!(1)));
    assert_eq!(ok(finish(None).await), done);
    let file = ground
        .see(&format!("projects/{project}/documents/{}/file", id(&done["document"], "document_id")))
        .await;
    assert_eq!(file.text, CONTENT);
    assert_eq!(refusal(&ground.order(Method::GET, &content).await), (404, "upload_unknown".to_owned()));
    assert_eq!(std::fs::read_dir(ground.directory.path().join("uploads")).unwrap().count(), 0);
}

/// A checksum that differs, a file that is too large, and an upload that is given up.
async fn bad_uploads_are_refused(on: On) {
    let mut ground = start(on).await;
    let project = ground.project("p").await;
    let documents = format!("projects/{project}/documents");
    let large = json!({ "name": "a", "file_size": 524_288_001 });
    let refused = ground.make(Method::POST, &documents, large).await;
    assert_eq!(refusal(&refused), (400, "file_too_large".to_owned()));
    let begin = async |ground: &super::Ground| {
        let begun = ok(ground.make(Method::POST, &documents, json!({ "name": "a", "file_size": 4 })).await);
        format!("{documents}/{}/versions/1", id(&begun["document"], "document_id"))
    };
    let version = begin(&ground).await;
    ok(ground.bytes(Method::PUT, &format!("{version}/content"), &[], "text").await);
    let finish = json!({ "sha256": "0".repeat(64) });
    let differs = ground.make(Method::POST, &format!("{version}/finish"), finish).await;
    assert_eq!(refusal(&differs), (409, "checksum_differs".to_owned()));
    assert_eq!(ground.order(Method::GET, &format!("{version}/content")).await.json()["received"], 0);
    assert_eq!(ground.order(Method::DELETE, &version).await.status, 204);
    assert_eq!(refusal(&ground.order(Method::DELETE, &version).await), (404, "upload_unknown".to_owned()));
    assert_eq!(ok(ground.see(&documents).await)["items"], json!([]));

    ground.restart(&[("documents-upload-mb", "1")]).await;
    let over = "x".repeat((1 << 20) + 1);
    let refused = ground.bytes(Method::PUT, &format!("projects/{project}/files/a.txt"), &[], over).await;
    assert_eq!(refusal(&refused), (400, "file_too_large".to_owned()));
    assert_eq!(ok(ground.see(&documents).await)["items"], json!([]));
    assert_eq!(std::fs::read_dir(ground.directory.path().join("uploads")).unwrap().count(), 0);
}

/// Ds20: a document gets a new version of its file, and both can be downloaded.
async fn versions_are_kept(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "first").await;
    let path = format!("projects/{project}/documents/{}", id(&sent["document"], "document_id"));
    let versions = format!("{path}/versions");
    ground.process(&["first"]).await;
    let begun = ok(ground.make(Method::POST, &versions, json!({ "name": "b.txt", "file_size": 6 })).await);
    assert_eq!(begun["version"]["file_version"], 2);
    ok(ground.bytes(Method::PUT, &format!("{versions}/2/content"), &[], "second").await);
    let done = ok(ground.make(Method::POST, &format!("{versions}/2/finish"), json!({})).await);
    assert_eq!((id(&done["document"], "status"), id(&done["document"], "name")), ("reanalyzing", "b.txt"));
    assert_eq!(ground.see(&format!("{path}/file")).await.text, "second");
    assert_eq!(ground.see(&format!("{path}/file?version=1")).await.text, "first");
    assert_eq!(all(&ok(ground.see(&versions).await), "name"), ["b.txt", "a.txt"]);
    let workflows = ok(ground.see(&format!("{path}/workflows")).await);
    assert_eq!(all(&workflows, "status"), ["pending", "completed"]);
}

/// A version that takes the number of one that the worker gave up has nothing of its parts.
async fn a_number_that_is_used_again_begins_anew(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let document = id(&sent["document"], "document_id");
    ground.process(&["text"]).await;
    let versions = format!("projects/{project}/documents/{document}/versions");
    let begin = async || {
        let begun =
            ok(ground.make(Method::POST, &versions, json!({ "name": "b.txt", "file_size": 10 })).await);
        assert_eq!(begun["version"]["file_version"], 2);
        id(&begun["version"], "s3_key").to_owned()
    };
    let content = format!("{versions}/2/content");
    let first = begin().await;
    let range = [("content-range", "bytes 0-3/10")];
    assert_eq!(ok(ground.bytes(Method::PUT, &content, &range, "half").await)["received"], 4);
    let files = Arc::new(Directory::new(&ground.directory().join("files")));
    let worker = Documents::new(ground.server.db(MODEL), Cached::none(), files);
    abort_upload(&worker, &project, document, 2).await.unwrap();
    assert_ne!(begin().await, first);
    assert_eq!(ok(ground.order(Method::GET, &content).await)["received"], 0);
}

on_each_store!(
    a_number_that_is_used_again_begins_anew,
    a_document_is_sent_in_one_request,
    a_file_is_downloaded_in_ranges,
    an_upload_goes_on_after_a_restart,
    bad_uploads_are_refused,
    versions_are_kept,
);
