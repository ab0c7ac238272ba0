//! Concurrent writes are atomic and see all earlier ones.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Comparison, Write};
use hansang_core::{Item, Store, StoreError};

use crate::expect::{contents, query_all, read, store_all};
use crate::fields;
use crate::plans::{
    absent, add, compare, equal, get, item, key, on, put, query, query_index, set, update, when,
};
use crate::table::{BY_NUMBER, fresh};

/// Runs all futures concurrently in this task. Returns their results in order.
fn together<'a, T: Send + Unpin + 'a>(
    futures: impl IntoIterator<Item = impl Future<Output = T> + Send + 'a>,
) -> Pin<Box<dyn Future<Output = Vec<T>> + Send + 'a>> {
    let mut running: Vec<Pin<Box<dyn Future<Output = T> + Send + 'a>>> = Vec::new();
    for future in futures {
        running.push(Box::pin(future));
    }
    let mut results: Vec<Option<T>> = running.iter().map(|_| None).collect();
    Box::pin(std::future::poll_fn(move |context| {
        for (future, result) in running.iter_mut().zip(&mut results) {
            if result.is_none()
                && let Poll::Ready(value) = future.as_mut().poll(context)
            {
                *result = Some(value);
            }
        }
        if results.iter().all(Option::is_some) {
            Poll::Ready(results.iter_mut().filter_map(Option::take).collect())
        } else {
            Poll::Pending
        }
    }))
}

/// Retries on conflicts.
async fn write_through(store: &dyn Store, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
    loop {
        match store.write(table, write.clone()).await {
            Err(StoreError::Conflict) => {}
            answer => return answer,
        }
    }
}

async fn transact_through(store: &dyn Store, table: &Table, writes: &[Write]) -> Result<(), StoreError> {
    loop {
        match store.transact(on(table, writes.to_vec())).await {
            Err(StoreError::Conflict) => {}
            answer => return answer,
        }
    }
}

fn won<T: std::fmt::Debug>(answers: &[Result<T, StoreError>]) -> usize {
    for answer in answers {
        assert!(matches!(answer, Ok(_) | Err(StoreError::Condition(_))), "{answer:?}");
    }
    answers.iter().filter(|answer| answer.is_ok()).count()
}

/// Sixty-four decrements of forty: forty succeed, and zero is left.
pub async fn stock_is_never_oversold(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [item("p", "s", fields! { left: 40 })]).await;
    let take = || when(update("p", "s", [add("left", "-1")]), compare("left", Comparison::Greater, 0));
    let answers = together((0..64).map(|_| write_through(store, &table, take()))).await;
    assert_eq!(won(&answers), 40);
    assert_eq!(read(store, &table, "p", "s").await, Some(item("p", "s", fields! { left: 0 })));
}

/// Every update returns the item right after it: counts are unique.
pub async fn answers_are_of_one_moment(store: &dyn Store) {
    let table = fresh(store).await;
    let count = || update("p", "s", [add("n", "1")]);
    let answers = together((0..32).map(|_| write_through(store, &table, count()))).await;
    let mut seen: Vec<i64> = answers
        .into_iter()
        .map(|answer| answer.unwrap().unwrap()["n"].as_number().unwrap().to_i64().unwrap())
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, (1..=32).collect::<Vec<_>>());
}

/// One of many concurrent creates succeeds.
pub async fn one_creates(store: &dyn Store) {
    let table = fresh(store).await;
    let create = |n: i64| when(put(item("p", "s", fields! { n: n })), absent("PK"));
    let answers = together((0..32).map(|n| write_through(store, &table, create(n)))).await;
    assert_eq!(won(&answers), 1);
    let winner = answers.iter().position(Result::is_ok).unwrap();
    assert_eq!(read(store, &table, "p", "s").await, Some(item("p", "s", fields! { n: winner as i64 })));
}

/// One of many concurrent replacements of a version succeeds.
pub async fn one_replaces_a_version(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, [item("p", "s", fields! { version: 1 })]).await;
    let replace = |n: i64| when(update("p", "s", [set("version", 2), set("by", n)]), equal("version", 1));
    let answers = together((0..16).map(|n| write_through(store, &table, replace(n)))).await;
    assert_eq!(won(&answers), 1);
}

/// Transfers between accounts keep the sum.
pub async fn transfers_keep_the_sum(store: &dyn Store) {
    let table = fresh(store).await;
    store_all(store, &table, (0..4_i64).map(|n| item("account", &n.to_string(), fields! { balance: 10 })))
        .await;
    let transfer = |n: i64| {
        let (from, to, amount) = ((n % 4).to_string(), ((n / 4 + n + 1) % 4).to_string(), 1 + n % 5);
        let enough = compare("balance", Comparison::AtLeast, amount);
        let take = update("account", &from, [add("balance", &(-amount).to_string())]);
        let give = update("account", &to, [add("balance", &amount.to_string())]);
        if from == to { vec![when(give, absent("balance"))] } else { vec![when(take, enough), give] }
    };
    let transfers: Vec<Vec<Write>> = (0..48).map(transfer).collect();
    let answers = together(transfers.iter().map(|writes| transact_through(store, &table, writes))).await;
    assert!(won(&answers) > 0);
    let balances: Vec<i64> = contents(store, &table)
        .await
        .iter()
        .map(|item| item["balance"].as_number().unwrap().to_i64().unwrap())
        .collect();
    assert_eq!(balances.iter().sum::<i64>(), 40, "{balances:?}");
    assert!(balances.iter().all(|balance| *balance >= 0), "{balances:?}");
}

/// A strong read never sees a partial update.
pub async fn items_are_never_half_written(store: &dyn Store) {
    let table = &fresh(store).await;
    store_all(store, table, [item("p", "s", fields! { a: 0, b: 0 })]).await;
    let answers = together((1..=24_i64).map(|n| async move {
        if n % 3 == 0 {
            store.get(table, &get("p", "s")).await
        } else {
            write_through(store, table, update("p", "s", [set("a", n), set("b", n)])).await
        }
    }))
    .await;
    for answer in answers {
        let item = answer.unwrap().unwrap();
        assert_eq!(item["a"], item["b"]);
    }
}

/// Concurrent writes of different items are all in every index.
pub async fn different_items_all_arrive(store: &dyn Store) {
    let table = fresh(store).await;
    let row = |n: i64| item(&format!("p{}", n % 4), &format!("{n:02}"), fields! { npk: "n", nsk: n });
    let answers = together((0..40).map(|n| write_through(store, &table, put(row(n))))).await;
    assert_eq!(won(&answers), 40);
    assert_eq!(
        query_all(store, &table, &query_index(BY_NUMBER, "npk", "n")).await,
        (0..40).map(row).collect::<Vec<_>>()
    );
    let keys = (0..40).map(|n| key(&format!("p{}", n % 4), &format!("{n:02}"))).collect();
    let found = store.batch_get(&table, &BatchGet { keys, consistent: true, fields: None }).await.unwrap();
    assert!(found.iter().all(Option::is_some));
    assert_eq!(query_all(store, &table, &query("p0")).await.len(), 10);
}
