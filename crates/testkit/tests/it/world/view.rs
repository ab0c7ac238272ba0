//! Lagging indexes.

use hansang_core::Value;
use hansang_testkit::expect::{NOTHING, query_all, read};
use hansang_testkit::fields;
use hansang_testkit::plans::{add, delete, item, on, put, query_index, scan_index, update};
use hansang_testkit::table::BY_TEXT;
use hansang_testkit::world::{Hazards, run};

use super::{MILLI, SECOND, Scene, scene};

#[test]
fn an_index_follows_in_its_time() {
    run(async {
        let Scene { world, store, table, .. } =
            scene(1, Hazards { index_lag: SECOND, ..Hazards::default() }).await;
        let distant = world.process(1).store;
        let in_index = query_index(BY_TEXT, "tpk", "t");
        let thing = item("p", "s", fields! { tpk: "t", tsk: "s" });
        distant.write(&table, put(thing.clone())).await.unwrap();
        assert_eq!(query_all(&*distant, &table, &in_index).await, NOTHING, "the index does not have it yet");
        assert_eq!(
            read(&*distant, &table, "p", "s").await.as_ref(),
            Some(&thing),
            "the table has it at once"
        );
        assert_eq!(query_all(&*store, &table, &in_index).await, std::slice::from_ref(&thing));
        tokio::time::sleep(SECOND).await;
        assert_eq!(query_all(&*distant, &table, &in_index).await, std::slice::from_ref(&thing));

        distant.transact(on(&table, vec![delete("p", "s")])).await.unwrap();
        let found = distant.scan(&table, &scan_index(BY_TEXT)).await.unwrap().items;
        assert_eq!(found, [thing], "the index still has the deleted item");
        tokio::time::sleep(SECOND).await;
        assert_eq!(query_all(&*distant, &table, &in_index).await, NOTHING);
    });
}

/// An index may skip short-lived images, and never goes back to an older one.
#[test]
fn an_index_never_goes_back() {
    run(async {
        let hazards = Hazards { latency: (MILLI, 5 * MILLI), index_lag: SECOND, ..Hazards::default() };
        let Scene { world, table, .. } = scene(5, hazards).await;
        let distant = world.process(1).store;
        distant.write(&table, put(item("p", "s", fields! { tpk: "t", tsk: "s", n: 0 }))).await.unwrap();
        tokio::time::sleep(SECOND).await;
        let mut seen = Vec::new();
        for _ in 0..300 {
            distant.write(&table, update("p", "s", [add("n", "1")])).await.unwrap();
            let found = query_all(&*distant, &table, &query_index(BY_TEXT, "tpk", "t")).await;
            seen.extend(found[0]["n"].as_number().unwrap().to_i64());
        }
        assert!(seen.is_sorted(), "{seen:?}");
        seen.dedup();
        assert!((20..300).contains(&seen.len()), "it lags, and it follows: {seen:?}");
        tokio::time::sleep(SECOND).await;
        let found = query_all(&*distant, &table, &query_index(BY_TEXT, "tpk", "t")).await;
        assert_eq!(found[0]["n"], Value::from(300));
    });
}

/// Indexes see a late write too.
#[test]
fn an_index_follows_a_late_write() {
    run(async {
        let hazards = Hazards { timeout_late: 1.0, index_lag: SECOND, ..Hazards::default() };
        let Scene { world, table, .. } = scene(1, hazards).await;
        let distant = world.process(1).store;
        distant.write(&table, put(item("p", "s", fields! { tpk: "t", tsk: "s" }))).await.unwrap_err();
        tokio::time::sleep(2 * SECOND).await;
        assert_eq!(query_all(&*distant, &table, &query_index(BY_TEXT, "tpk", "t")).await.len(), 1);
    });
}
