//! The conformance suite of files on a local S3 server, and tests of the adapter.

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use hansang_aws::{S3, Settings};
use hansang_core::CoreCode;
use hansang_core::files::Files as _;
use hansang_testkit::endpoints;
use hansang_testkit::files_suite::Trial;

use crate::endpoints::settings;

const BUCKET: &str = "hansang-files";
const MINUTE: Duration = Duration::from_secs(60);

/// The bucket that all tests share.
async fn bucket() -> S3 {
    let s3 = S3::connect(settings(endpoints::s3()), BUCKET).await.unwrap();
    // It exists from the second test on.
    let _ = s3.client().create_bucket().bucket(BUCKET).send().await;
    s3
}

async fn trial() -> Trial {
    Trial::new(Arc::new(bucket().await), None)
}

mod conformance {
    use super::trial;

    hansang_testkit::files_conformance!(trial().await);
}

/// A browser reads a file at its address, with its type and a name.
#[tokio::test]
async fn addresses_lead_to_the_file() {
    let trial = trial().await;
    trial.put("a", b"content").await;
    let address = trial.files.address(&trial.key("a"), Some("보고서.pdf"), MINUTE).await.unwrap().unwrap();
    assert!(address.contains("X-Amz-Expires=60&"), "{address}");
    assert!(address.contains("response-content-disposition=inline"), "{address}");
    let response = reqwest::get(&address).await.unwrap();
    assert_eq!(response.headers()["content-type"], "text/plain");
    assert_eq!(response.text().await.unwrap(), "content");
    let week = trial.files.address(&trial.key("a"), None, Duration::MAX).await.unwrap().unwrap();
    assert!(week.contains("X-Amz-Expires=604800&"), "{week}");
}

/// A browser puts a file at its address. Type and size are signed.
#[tokio::test]
async fn upload_addresses_take_the_file() {
    let trial = trial().await;
    let address =
        trial.files.upload_address(&trial.key("a"), "text/plain", 7, MINUTE).await.unwrap().unwrap();
    assert!(address.contains("X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost"), "{address}");
    let put = reqwest::Client::new().put(&address).header("content-type", "text/plain").body("content");
    assert!(put.send().await.unwrap().status().is_success());
    assert_eq!(trial.content("a").await.unwrap(), b"content");
}

/// The cause names the bucket, for the operator.
#[tokio::test]
async fn a_bucket_that_is_not_there_is_unavailable() {
    let s3 = S3::connect(settings(endpoints::s3()), "no-such-bucket").await.unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    for size in [1, 9 << 20] {
        file.as_file().set_len(size).unwrap();
        let refused = s3.put("a", "text/plain", file.path()).await.unwrap_err();
        assert_eq!(refused.code, CoreCode::FilesUnavailable);
        let cause = std::error::Error::source(&refused).unwrap().to_string();
        assert!(cause.contains("no-such-bucket") && cause.contains("NoSuchBucket"), "{cause}");
    }
    assert_eq!(s3.get("a", Some(0..9)).await.unwrap_err().code, CoreCode::FilesUnavailable);
    assert_eq!(s3.delete_all("a").await.unwrap_err().code, CoreCode::FilesUnavailable);
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_unavailable() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let settings = Settings { attempts: Some(2), ..settings(&format!("http://127.0.0.1:{port}")) };
    let s3 = S3::connect(settings, BUCKET).await.unwrap();
    assert_eq!(s3.get("a", None).await.unwrap_err().code, CoreCode::FilesUnavailable);
    assert_eq!(s3.delete("a").await.unwrap_err().code, CoreCode::FilesUnavailable);
}
