//! Errors of failed calls, and the number of attempts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::Router;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use hansang_core::queue::{Message, Queue as _};
use hansang_core::{QueueError, Store as _, StoreError, Table};
use hansang_remote::Lender;
use hansang_testkit::plans::{get, item, on, put};
use hansang_testkit::{fields, table};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

use crate::lending::{Lending, client};

/// Attempts of a read.
const ATTEMPTS: u32 = 5;

fn to(listener: &TcpListener) -> Lender {
    Lender::new(client("t"), format!("http://{}", listener.local_addr().unwrap()).parse().unwrap())
}

async fn listen() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

/// Errors of a write, of a read, and of sending a message.
async fn outcomes(lender: &Lender, table: &Table) -> (StoreError, StoreError, QueueError) {
    let store = lender.store();
    let write = store.write(table, put(item("p", "s", fields! {}))).await.unwrap_err();
    let read = store.get(table, &get("p", "s")).await.unwrap_err();
    let sent = lender.queue("q").send(vec![Message::new("m")]).await.remove(0).unwrap_err();
    (write, read, sent)
}

fn unknown(error: &StoreError) -> bool {
    let StoreError::Unavailable(unavailable) = error else { panic!("{error:?}") };
    unavailable.outcome_unknown
}

fn unknown_sent(error: &QueueError) -> bool {
    let QueueError::Unavailable(unavailable) = error else { panic!("{error:?}") };
    unavailable.outcome_unknown
}

/// A server with a fixed response, and the number of its requests.
async fn responding(status: StatusCode, body: &'static str) -> (Lender, Arc<AtomicU32>) {
    let (listener, count) = (listen().await, Arc::new(AtomicU32::new(0)));
    let (lender, counted) = (to(&listener), count.clone());
    let router = Router::new().fallback(async move || {
        counted.fetch_add(1, Ordering::SeqCst);
        (status, body).into_response()
    });
    tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
    (lender, count)
}

#[tokio::test]
async fn an_unreachable_server_has_a_known_outcome() {
    let lender = to(&listen().await);
    let (write, read, sent) = outcomes(&lender, &table::described()).await;
    assert!(!unknown(&write) && !unknown(&read) && !unknown_sent(&sent));
    assert!(write.to_string().contains("cannot be reached: is `hansang serve` running there?"), "{write}");
}

/// Reads are retried; writes with a lost response are not.
#[tokio::test]
async fn a_lost_response_leaves_a_write_unknown() {
    let (listener, count) = (listen().await, Arc::new(AtomicU32::new(0)));
    let (lender, counted) = (to(&listener), count.clone());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = [0; 4];
            stream.read_exact(&mut head).await.unwrap();
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    let (write, read, sent) = outcomes(&lender, &table::described()).await;
    assert!(unknown(&write) && !unknown(&read) && unknown_sent(&sent));
    assert!(write.to_string().ends_with("read before you try again"), "{write}");
    assert_eq!(count.load(Ordering::SeqCst), 1 + ATTEMPTS + 1);
}

/// An overloaded server has done nothing, so writes are retried too.
#[tokio::test]
async fn a_busy_server_throttles() {
    for (status, body) in [
        (StatusCode::SERVICE_UNAVAILABLE, r#"{"code":"overloaded","detail":"try again"}"#),
        (StatusCode::TOO_MANY_REQUESTS, r#"{"code":"rate_limited","detail":"try again"}"#),
    ] {
        let (lender, count) = responding(status, body).await;
        let (write, read, sent) = outcomes(&lender, &table::described()).await;
        assert!(matches!((write, read), (StoreError::Throttled, StoreError::Throttled)));
        assert!(matches!(sent, QueueError::Throttled));
        assert_eq!(count.load(Ordering::SeqCst), 3 * ATTEMPTS);
    }
}

/// A proxy may have passed a request on before it failed.
#[tokio::test]
async fn an_unexpected_response_leaves_a_write_unknown() {
    for (status, body) in [
        (StatusCode::BAD_GATEWAY, "<html>"),
        (StatusCode::SERVICE_UNAVAILABLE, "<html>"),
        (StatusCode::INTERNAL_SERVER_ERROR, r#"{"code":"panicked","detail":"oh"}"#),
        (StatusCode::OK, "hello"),
        (StatusCode::OK, r#"{"ok":[{"revived":[1]}]}"#),
    ] {
        let (lender, _) = responding(status, body).await;
        let (write, read, sent) = outcomes(&lender, &table::described()).await;
        assert!(unknown(&write) && !unknown(&read) && unknown_sent(&sent), "{status} {body}");
    }
}

/// A refusal is final and says what to do.
#[tokio::test]
async fn a_refusal_is_not_retried() {
    for (status, body, expected) in [
        (StatusCode::FORBIDDEN, r#"{"code":"role_missing","detail":"ask for it"}"#, "refuses: ask for it"),
        (StatusCode::NOT_FOUND, r#"{"code":"no_such_path","detail":"check it"}"#, "with --lend-ports"),
        (StatusCode::MOVED_PERMANENTLY, "", "redirects to another address"),
        (StatusCode::IM_A_TEAPOT, "", "418"),
    ] {
        let (lender, count) = responding(status, body).await;
        let (write, read, sent) = outcomes(&lender, &table::described()).await;
        assert!(!unknown(&write) && !unknown(&read) && !unknown_sent(&sent));
        assert!(write.to_string().contains(expected), "{write}");
        assert_eq!(count.load(Ordering::SeqCst), 3);
    }
}

/// The error names what is lent: the caller may use it.
#[tokio::test]
async fn an_error_names_what_is_lent() {
    let lending = Lending::start().await;
    let (known, strange) = (table::described(), table::described());
    lending.ensure(&known).await.unwrap();
    let refused = lending.lender.store().get(&strange, &get("p", "s")).await.unwrap_err();
    let StoreError::Invalid(error) = refused else { panic!("{refused:?}") };
    assert_eq!(error.code, "unknown_table");
    assert!(
        error.message.to_string().contains(&format!("no table `{}`, but {}", strange.name, known.name)),
        "{error}"
    );
    let refused = lending.lender.queue("entry").depth().await.unwrap_err();
    let QueueError::Invalid(error) = refused else { panic!("{refused:?}") };
    assert_eq!(error.code, "unknown_queue");
}

/// The table of accounts is never lent, even if it is listed.
#[tokio::test]
async fn accounts_are_never_lent() {
    let lending = Lending::start().await;
    let accounts = Table { name: "HansangAccess".to_owned(), ..table::described() };
    let refused = lending.ensure(&accounts).await.unwrap_err();
    let StoreError::Invalid(error) = refused else { panic!("{refused:?}") };
    assert_eq!(error.code, "unknown_table");
}

/// A transaction with one table that is not lent writes nothing, at any position.
#[tokio::test]
async fn a_transaction_stays_in_lent_tables() {
    let lending = Lending::start().await;
    let lent = table::described();
    lending.ensure(&lent).await.unwrap();
    let accounts = Table { name: "HansangAccess".to_owned(), ..table::described() };
    let one = |table: &Table| on(table, vec![put(item("p", "s", fields! {}))]);
    for writes in [[one(&lent), one(&accounts)], [one(&accounts), one(&lent)]] {
        let refused = lending.lender.store().transact(writes.concat()).await.unwrap_err();
        let StoreError::Invalid(error) = refused else { panic!("{refused:?}") };
        assert_eq!(error.code, "unknown_table");
    }
    for table in [&lent, &accounts] {
        assert_eq!(lending.store.get(table, &get("p", "s")).await.unwrap(), None);
    }
}

/// A valid transaction that is larger than the limit of a call is refused.
#[tokio::test]
async fn a_call_above_the_size_limit_is_refused() {
    let lending = Lending::start().await;
    let table = table::described();
    lending.ensure(&table).await.unwrap();
    // Each of these takes six bytes of JSON.
    let large = |n: u32| put(item("p", &n.to_string(), fields! { text: "\u{1}".repeat(390_000) }));
    let refused =
        lending.lender.store().transact(on(&table, (0..10).map(large).collect())).await.unwrap_err();
    let StoreError::Invalid(error) = refused else { panic!("{refused:?}") };
    assert!(error.message.to_string().contains("send less at once"), "{error}");
    assert_eq!(lending.store.get(&table, &get("p", "0")).await.unwrap(), None);
}

/// Calls appear in the metrics by method.
#[tokio::test]
async fn calls_are_counted() {
    let lending = Lending::start().await;
    let table = table::described();
    lending.ensure(&table).await.unwrap();
    let store = lending.lender.store();
    store.write(&table, put(item("p", "s", fields! {}))).await.unwrap();
    store.get(&table, &get("p", "s")).await.unwrap().unwrap();
    let numbers = lending.client.get(lending.url.join("/metrics").unwrap()).send().await.unwrap();
    let numbers = numbers.text().await.unwrap();
    for operation in ["store.write", "store.get", "store.ensure-table"] {
        let line = numbers.lines().find(|line| {
            line.contains(&format!("operation=\"{operation}\"")) && line.contains("outcome=\"ok\"")
        });
        let line = line.unwrap_or_else(|| panic!("{operation} is not in {numbers}"));
        assert!(line.contains("system=\"ports\"") && line.ends_with(" 1"), "{line}");
    }
}
