//! Compares the embedded store with a DynamoDB endpoint by random operations.

use std::sync::Arc;

use hansang_aws::DynamoDb;
use hansang_embedded::{Embedded, Options};
use hansang_testkit::differential::{Operation, early_operations, operations, same};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use crate::endpoints;

/// By default 64 cases with a fixed seed, so that a change is judged by its own effect; `PROPTEST_CASES` sets
/// more, with a random seed.
fn config() -> Config {
    let default = Config::default();
    let (cases, rng_seed) = match default.cases {
        256 => (64, RngSeed::Fixed(1)),
        more => (more, default.rng_seed),
    };
    Config { cases, rng_seed, failure_persistence: None, max_shrink_iters: 2000, ..default }
}

fn compare(connect: impl AsyncFnOnce() -> DynamoDb, operations: impl Strategy<Value = Vec<Operation>>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let endpoint = runtime.block_on(connect());
    let directory = tempfile::tempdir().unwrap();
    let now = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap());
    let embedded = Embedded::open(directory.path(), Options::new(now)).unwrap();
    proptest!(config(), |(operations in operations)| {
        let outcome = runtime.block_on(same(&embedded, &endpoint, &operations));
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    });
}

#[test]
fn embedded_is_like_dynoxide() {
    compare(endpoints::dynoxide, operations());
}

#[test]
fn embedded_is_like_dynamodb_local() {
    compare(endpoints::dynamodb_local, early_operations());
}
