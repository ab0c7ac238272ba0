//! The suite that every store passes, on both endpoints.

use std::sync::Arc;

use hansang_core::Store;

use crate::endpoints;

mod dynoxide {
    use super::*;

    async fn connect() -> Arc<dyn Store> {
        Arc::new(endpoints::dynoxide().await)
    }

    hansang_testkit::conformance!(connect().await);
}

mod dynamodb_local {
    use super::*;

    async fn connect() -> Arc<dyn Store> {
        Arc::new(endpoints::dynamodb_local().await)
    }

    hansang_testkit::conformance!(connect().await);
}
