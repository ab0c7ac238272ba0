//! Files in a bucket of S3.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::Method;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{Ground, id, start, step};

const CONTENT: &str = "한글과 text, 0123456789";
/// A picture of one pixel.
const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

/// A server with a bucket of its own: the ids of all tests are the same.
async fn start_with_bucket(on: On) -> Ground {
    static BUCKETS: AtomicU64 = AtomicU64::new(0);
    let mut ground = start(on).await;
    let bucket = format!("documents-{}", BUCKETS.fetch_add(1, Ordering::Relaxed));
    ground.restart(&[("documents-s3-bucket", &bucket)]).await;
    ground
}

/// With a bucket, a client sends the file there; what arrived is measured and hashed when the upload ends.
async fn a_file_is_sent_to_the_bucket(on: On) {
    let ground = start_with_bucket(on).await;
    let project = ground.project("p").await;
    let size = CONTENT.len();
    let new = json!({ "name": "a.txt", "file_type": "text/plain", "file_size": size });
    let begun = ok(ground.make(Method::POST, &format!("projects/{project}/documents"), new).await);
    let document = id(&begun["document"], "document_id").to_owned();
    let version = format!("projects/{project}/documents/{document}/versions/1");
    let finish = async |sha256: Option<&str>| {
        ground.make(Method::POST, &format!("{version}/finish"), json!({ "sha256": sha256 })).await
    };
    assert_eq!(refusal(&finish(None).await), (409, "size_differs".to_owned()), "nothing is there");
    let address = id(&begun, "upload_url").to_owned();
    let client = reqwest::Client::new();
    let put = async |content: String| {
        let request = client.put(&address).header("content-type", "text/plain").body(content);
        request.send().await.unwrap().error_for_status().unwrap();
    };
    put(CONTENT.to_owned()).await;
    assert_eq!(refusal(&finish(Some(&"0".repeat(64))).await), (409, "checksum_differs".to_owned()));
    put(CONTENT.to_owned()).await;
    let finished = ok(finish(None).await);
    let sha256: String = Sha256::digest(CONTENT).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(id(&finished["document"], "sha256"), sha256);
    assert_eq!(
        (id(&finished["document"], "file_type"), &finished["document"]["file_size"]),
        ("text/plain", &json!(size))
    );
    // The address is still valid, but no longer that of the document's file.
    put(CONTENT.replace("text", "evil")).await;
    let file = ground.see(&format!("projects/{project}/documents/{document}/file")).await;
    assert_eq!(file.status, 303);
    let stored = reqwest::get(file.header("location")).await.unwrap();
    assert_eq!(stored.text().await.unwrap(), CONTENT);
    assert_eq!(ok(finish(None).await)["document"]["sha256"], sha256, "again changes nothing");
}

/// Files in a directory are sent to the server: there is no other address.
async fn a_directory_has_no_address(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let new = json!({ "name": "a.txt", "file_size": 1 });
    let begun = ok(ground.make(Method::POST, &format!("projects/{project}/documents"), new).await);
    assert!(begun.get("upload_url").is_none());
}

/// Pictures that pages show come from the server: pages load none from elsewhere. Other files come from the bucket.
async fn pictures_come_from_the_server(on: On) {
    let ground = start_with_bucket(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    ok(ground.under(&ground.claim("prepare").await, "complete", json!({})).await);
    let parse = ground.claim("parse").await;
    let path = format!("steps/{}/images/0?processor=p&attempt={}", step(&parse), parse["lease"]["attempt"]);
    let kept = ok(ground.bytes(Method::PUT, &path, &[("content-type", "image/png")], PICTURE).await);
    let line = json!({ "segment_index": 0, "content": "text", "image_key": id(&kept, "image_key") });
    ok(ground.write(&parse, &line.to_string()).await);
    let image = format!("workflows/{}/segments/0/image", id(&sent["workflow"], "workflow_id"));
    let shown = ground.see(&image).await;
    assert_eq!((shown.status, shown.header("content-type")), (200, "image/png"));
    assert_eq!(shown.header("content-length"), PICTURE.len().to_string());

    let make = async |name: &str, kind: &str| {
        let path = format!("projects/{project}/artifacts?filename={name}");
        let made = ok(ground.bytes(Method::POST, &path, &[("content-type", kind)], PICTURE).await);
        format!("artifacts/{}/file", id(&made, "artifact_id"))
    };
    let picture = ground.order(Method::GET, &make("a.png", "image/png").await).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    let document = format!("projects/{project}/documents/{}/file", id(&sent["document"], "document_id"));
    let file = ground.see(&document).await;
    assert_eq!(file.status, 303);
    assert_eq!(reqwest::get(file.header("location")).await.unwrap().text().await.unwrap(), "text");
}

on_each_store!(a_file_is_sent_to_the_bucket, a_directory_has_no_address, pictures_come_from_the_server);
