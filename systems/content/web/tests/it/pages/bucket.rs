//! Media in a bucket of S3.

use std::sync::Arc;

use hansang_content::{Content, MODEL, media};
use hansang_content_web::ContentSystem;
use hansang_core::db::Ask;
use hansang_server::System;
use hansang_testserver::{On, Server, Visitor, settings};

hansang_testserver::on_each_store! {
    documents_are_read_from_the_bucket,
}

/// The pictures of the example site are as good as any.
const PICTURE: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/demo/table.png"));

/// A document is redirected to a signed address, and a picture comes from the server.
async fn documents_are_read_from_the_bucket(on: On) {
    let system: Arc<dyn System> = Arc::new(ContentSystem);
    let mut server = Server::of_system(on, system.clone(), settings()).await;
    let folder = tempfile::tempdir().unwrap();
    let values = [("content-s3-bucket", "media"), ("content-files", folder.path().to_str().unwrap())];
    server.serve(&system, server.db(MODEL), &values, &[7; 32]).await;
    let content = Content::new(server.db(MODEL));
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    for (name, bytes) in [("report.pdf", &b"%PDF-1.4\n%%EOF\n"[..]), ("picture.png", PICTURE)] {
        let sent = editor.upload("/console/content/media/upload", name, bytes).await;
        assert_eq!(sent.status, 303, "{}", sent.text);
    }
    for medium in media(&content, Ask::default()).await.unwrap().media {
        let read = editor.get(&format!("/media/{}/{}", medium.id, medium.original())).await;
        if medium.filename == "report.pdf" {
            assert_eq!((read.status, read.header("cache-control")), (302, "no-store"));
            let address = reqwest::get(read.header("location")).await.unwrap();
            assert_eq!(address.text().await.unwrap(), "%PDF-1.4\n%%EOF\n");
        } else {
            assert_eq!(read.status, 200);
            assert!(read.header("cache-control").contains("immutable"));
        }
    }
    assert!(!folder.path().join("media").exists(), "nothing is kept here");
}
