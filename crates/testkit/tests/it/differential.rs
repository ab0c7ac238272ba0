//! The differential test finds differences, and only those.

use std::sync::Arc;

use hansang_testkit::differential::{Operation, operations, same};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::fields;
use hansang_testkit::plans::{get, item, put};
use proptest::prelude::*;

use crate::embedded;

/// Two stores of one kind agree.
#[test]
fn a_store_is_like_itself() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ((a, _kept_a), (b, _kept_b)) = (embedded(), embedded());
    let config = ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(operations in operations())| {
        let outcome = runtime.block_on(same(&*a, &*b, &operations));
        prop_assert!(outcome.is_ok(), "{}", outcome.unwrap_err());
    });
}

/// A store that loses responses differs.
#[tokio::test]
async fn a_difference_is_found() {
    let ((a, _kept_a), (b, _kept_b)) = (embedded(), embedded());
    let lossy = Faulty::new(Arc::clone(&b), Faults { timeout_after: 1.0, ..Faults::default() }, 1);
    let write = [Operation::Write(put(item("a", "1", fields! {}))), Operation::Get(get("a", "1"))];
    assert!(same(&*a, &lossy, &write[1..]).await.is_ok(), "reads are not touched");
    let difference = same(&*a, &lossy, &write).await.unwrap_err();
    assert!(difference.starts_with("operation 0"), "{difference}");
}

/// Most random operations succeed, and many are refused.
#[tokio::test]
async fn operations_are_of_every_kind() {
    use hansang_core::StoreError;
    use hansang_core::plan::Action;
    use hansang_testkit::table::fresh;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    let (store, _kept) = embedded();
    let mut runner = TestRunner::deterministic();
    let (mut done, mut failed, mut refused) = (0, 0, 0);
    for _ in 0..40 {
        let table = fresh(&*store).await;
        for operation in operations().new_tree(&mut runner).unwrap().current() {
            let Operation::Write(write) = operation else { continue };
            if write.action == Action::Check {
                continue;
            }
            match store.write(&table, write).await {
                Ok(_) => done += 1,
                Err(StoreError::Condition(_)) => failed += 1,
                Err(StoreError::Invalid(_)) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
    }
    assert!(done > 50 && failed > 20 && refused > 20, "{done} done, {failed} failed, {refused} refused");
}
