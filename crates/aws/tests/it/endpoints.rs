//! Stores on two local DynamoDB endpoints, started by the first test that needs them.

use std::sync::OnceLock;
use std::time::Duration;

use hansang_aws::{AccessKey, DynamoDb, Settings};
use hansang_testkit::endpoints;

/// A store on dynoxide.
pub(crate) async fn dynoxide() -> DynamoDb {
    connect(dynoxide_url()).await
}

/// A store on Amazon's DynamoDB Local.
pub(crate) async fn dynamodb_local() -> DynamoDb {
    connect(endpoints::dynamodb_local()).await
}

/// A store on an endpoint, with short pauses.
pub(crate) async fn connect(url: &str) -> DynamoDb {
    DynamoDb::connect(settings(url)).await.unwrap()
}

pub(crate) fn settings(url: &str) -> Settings {
    Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url.to_owned()),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        connect_timeout: Some(Duration::from_secs(2)),
        backoff: Some(Duration::from_millis(1)),
        ..Settings::default()
    }
}

/// URL of the dynoxide that all tests share.
pub(crate) fn dynoxide_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(endpoints::dynoxide)
}
