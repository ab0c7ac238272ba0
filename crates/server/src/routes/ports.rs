//! The ports of this server, lent to workers in other processes and on other machines: only one process can open an
//! embedded store, and its workers may run elsewhere.
//!
//! Plans are data and are sent as they are: [`hansang_core::wire`]. These routes are not part of the API's description:
//! only another Hansang creates plans, and a generated client must not bypass the rules of the systems through them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, MethodRouter, on};
use axum::{Extension, Json as Answered};
use futures_util::stream;
use hansang_core::plan::{TableWrite, Write};
use hansang_core::queue::Delivery;
use hansang_core::store::Unavailable;
use hansang_core::wire::{self, QueueCall, QueueResponse, StoreCall, StoreResponse, Wire};
use hansang_core::{CoreCode, Error, ErrorKind, Queue, QueueError, Store, StoreError, Table, message};
use serde_json::{Map, Value as Json};

use crate::app::{App, Caller};
use crate::{ServerCode, messages};
use hansang_access::{EVERYWHERE, Role};
use hansang_core::message::Argument;
use hansang_http::input::{Members, PathKey};
use hansang_http::limits::Endless;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};

/// The size limit of a call: four times that of a transaction of DynamoDB, because JSON takes more.
pub(crate) const MAX_PORT_BODY: u64 = 16 * 1024 * 1024;
/// The prefix of the paths of ports.
const PORTS: &str = "/api/server/ports/";
/// The maximum wait for messages. The worker then calls again, and is authorised again.
const LASTS: Duration = Duration::from_secs(20);
/// The name of the ports in the metrics.
const SYSTEM: &str = "ports";

/// The ports that a server lends.
#[derive(Clone, Debug)]
pub struct Lent {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The tables that may be used.
    pub tables: Vec<Arc<Table>>,
    /// The queues, by the names that workers use.
    pub queues: BTreeMap<String, Arc<dyn Queue>>,
}

impl Lent {
    /// The table of this name, if it is lent.
    fn table(&self, name: &str) -> Result<&Arc<Table>, Error> {
        self.tables.iter().find(|table| table.name == name).ok_or_else(|| {
            let names = Argument::list(self.tables.iter().map(|table| table.name.as_str()));
            Error::invalid(CoreCode::UnknownTable, message!(messages::TABLE_NOT_LENT, name, names))
        })
    }
}

/// The routes of the two ports. A worker acts for all callers of its systems, so it needs the administrator's role; the
/// systems write the audit log, so the ports do not.
pub(crate) fn routes(app: &App) -> Vec<Route> {
    let (of_store, of_queue) = (app.clone(), app.clone());
    vec![
        route(
            "/api/server/ports/store/{method}",
            on(MethodFilter::POST, async move |_: Caller, path: PathKey, members: Members| {
                store(&of_store, &path.text("method"), members).await
            }),
        ),
        route(
            "/api/server/ports/queue/{method}",
            on(MethodFilter::POST, async move |_: Caller, path: PathKey, members: Members| {
                queue(&of_queue, &path.text("method"), members).await
            }),
        ),
    ]
}

/// Whether a path is one of the ports, whose calls are small and have their own time limits.
pub(crate) fn is_port(path: &str) -> bool {
    path.starts_with(PORTS)
}

fn route(path: &str, handler: MethodRouter) -> Route {
    let needs = Needs::Role(EVERYWHERE.to_owned(), Role::Admin);
    Route { method: Method::POST, streams: true, ..Route::page(path, needs, handler) }
}

async fn store(app: &App, method: &str, Members(members): Members) -> Result<Response, Problem> {
    let (name, call): (String, StoreCall) = read(method, members)?;
    let lent = app.lent().ok_or_else(none_lent)?;
    let work = async {
        let table = lent.table(&name)?;
        let outcome_unknown = !call.is_read();
        let done = tokio::time::timeout(app.settings().request_time, execute(&lent, table, call));
        done.await.unwrap_or_else(|_| Err(StoreError::Unavailable(late("store", outcome_unknown))))
    };
    let answer = app.metrics().observe_as(SYSTEM, &format!("store.{method}"), work, store_kind).await;
    Ok(Answered(answer.to_json()).into_response())
}

async fn execute(lent: &Lent, table: &Table, call: StoreCall) -> Result<StoreResponse, StoreError> {
    let store = &*lent.store;
    Ok(match call {
        StoreCall::EnsureTable => {
            store.ensure_table(table).await?;
            StoreResponse::Done
        }
        StoreCall::Get(get) => StoreResponse::Item(store.get(table, &get).await?),
        StoreCall::BatchGet(gets) => StoreResponse::Items(store.batch_get(table, &gets).await?),
        StoreCall::Query(query) => StoreResponse::Page(store.query(table, &query).await?),
        StoreCall::Scan(scan) => StoreResponse::Page(store.scan(table, &scan).await?),
        StoreCall::Write(write) => StoreResponse::Item(store.write(table, write).await?),
        StoreCall::Transact(writes) => {
            let of_table = |(name, write): (String, Write)| {
                lent.table(&name).map(|table| TableWrite { table: table.clone(), write })
            };
            store.transact(writes.into_iter().map(of_table).collect::<Result<_, _>>()?).await?;
            StoreResponse::Done
        }
        StoreCall::BatchPut(items) => {
            store.batch_put(table, items).await?;
            StoreResponse::Done
        }
        StoreCall::History(key, limit) => StoreResponse::History(store.history(table, &key, limit).await?),
    })
}

async fn queue(app: &App, method: &str, Members(members): Members) -> Result<Response, Problem> {
    let (name, call): (String, QueueCall) = read(method, members)?;
    let lent = app.lent().ok_or_else(none_lent)?;
    let (app, operation) = (app.clone(), format!("queue.{method}"));
    let waits = matches!(call, QueueCall::Receive(..));
    let answer = async move {
        let work = async {
            let queue = lent.queues.get(&name).ok_or_else(|| {
                let names = Argument::list(lent.queues.keys());
                let message = message!(messages::QUEUE_NOT_LENT, &name, names);
                QueueError::Invalid(Error::invalid(CoreCode::UnknownQueue, message))
            })?;
            deal(&app, &**queue, call).await
        };
        app.metrics().observe_as(SYSTEM, &operation, work, queue_kind).await.to_json().to_string()
    };
    let json = [(header::CONTENT_TYPE, "application/json")];
    if !waits {
        return Ok((json, answer.await).into_response());
    }
    // The head of the response is sent at once, so that a call that waits for messages holds no slot.
    let body = stream::once(async { Ok::<_, Infallible>(answer.await) });
    Ok((json, Extension(Endless), Body::from_stream(body)).into_response())
}

async fn deal(app: &App, queue: &dyn Queue, call: QueueCall) -> Result<QueueResponse, QueueError> {
    let (mut patience, outcome_unknown) = (app.settings().request_time, !call.is_read());
    if matches!(call, QueueCall::Receive(..)) {
        patience += LASTS;
    }
    let work = async {
        Ok(match call {
            QueueCall::Ensure => {
                queue.ensure().await?;
                QueueResponse::Done
            }
            QueueCall::Send(messages) => QueueResponse::Sent(queue.send(messages).await),
            QueueCall::Receive(most, wait, hidden) => {
                let deliveries = queue.receive(most, wait.min(LASTS), hidden);
                QueueResponse::Deliveries(until_the_end(app, deliveries).await?)
            }
            QueueCall::Acknowledge(receipts) => {
                queue.acknowledge(&receipts).await?;
                QueueResponse::Done
            }
            QueueCall::Hide(receipts) => {
                queue.hide(&receipts).await?;
                QueueResponse::Done
            }
            QueueCall::Bury(delivery, reason) => {
                queue.bury(&delivery, &reason).await?;
                QueueResponse::Done
            }
            QueueCall::Dead(most) => QueueResponse::Dead(queue.dead(most).await?),
            QueueCall::Revive(ids) => QueueResponse::Revived(queue.revive(&ids).await?),
            QueueCall::Depth => QueueResponse::Depth(queue.depth().await?),
        })
    };
    let done = tokio::time::timeout(patience, work).await;
    done.unwrap_or_else(|_| Err(QueueError::Unavailable(late("queue", outcome_unknown))))
}

/// The received messages, or none once the server is about to stop.
async fn until_the_end(
    app: &App,
    deliveries: impl Future<Output = Result<Vec<Delivery>, QueueError>>,
) -> Result<Vec<Delivery>, QueueError> {
    tokio::select! {
        biased;
        received = deliveries => received,
        () = app.live().ended() => Ok(Vec::new()),
    }
}

/// The table or queue of a call, and the call.
fn read<C: Wire>(method: &str, mut members: Map<String, Json>) -> Result<(String, C), Error> {
    let mut take = |name: &str| members.remove(name).unwrap_or_default();
    let on = String::from_json(&take("on"));
    let call = wire::join(method, take("arguments"));
    on.and_then(|on| Ok((on, call?))).map_err(|problem| {
        Error::invalid(ServerCode::MalformedCall, message!(messages::MALFORMED_CALL, problem))
    })
}

fn none_lent() -> Error {
    Error::not_found(ServerCode::NothingLent, message!(messages::NOTHING_LENT))
}

fn late(what: &str, outcome_unknown: bool) -> Unavailable {
    let message = format!("the {what} of the server did not answer in time: look into the server's log");
    Unavailable { message, outcome_unknown, source: None }
}

fn store_kind(error: &StoreError) -> ErrorKind {
    match error {
        StoreError::Condition(_) | StoreError::Conflict => ErrorKind::Conflict,
        StoreError::Invalid(error) => error.kind,
        StoreError::Throttled | StoreError::Unavailable(_) => ErrorKind::Unavailable,
    }
}

fn queue_kind(error: &QueueError) -> ErrorKind {
    match error {
        QueueError::Invalid(error) => error.kind,
        QueueError::Throttled | QueueError::Unavailable(_) => ErrorKind::Unavailable,
    }
}
