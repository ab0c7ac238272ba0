//! The stores on which the main tests run: responses do not depend on the store.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use hansang_aws::{AccessKey, DynamoDb};
use hansang_core::Store;
use hansang_embedded::{Embedded, Options};
use tempfile::TempDir;

/// The store of a test.
#[derive(Clone, Copy, Debug)]
pub enum On {
    /// The embedded store, in a directory of its own.
    Embedded,
    /// A DynamoDB endpoint of its own, over HTTP.
    DynamoDb,
}

/// One test on each store from the same body.
#[macro_export]
macro_rules! on_each_store {
    ($($name:ident),* $(,)?) => {
        mod embedded {
            $(#[::tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                super::$name($crate::On::Embedded).await;
            })*
        }
        mod dynamodb {
            $(#[::tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                super::$name($crate::On::DynamoDb).await;
            })*
        }
    };
}

/// A new store, and its directory if it has one.
pub async fn open(on: On, options: Options) -> (Arc<dyn Store>, Option<TempDir>) {
    match on {
        On::Embedded => {
            let directory = tempfile::tempdir().unwrap();
            let store = Embedded::open(directory.path(), options).unwrap();
            (Arc::new(store), Some(directory))
        }
        On::DynamoDb => (Arc::new(dynamodb().await), None),
    }
}

/// The endpoint and its tables end with the runtime of its test.
async fn dynamodb() -> DynamoDb {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()));
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        backoff: Some(Duration::from_millis(1)),
        ..hansang_aws::Settings::default()
    };
    DynamoDb::connect(settings).await.unwrap()
}
