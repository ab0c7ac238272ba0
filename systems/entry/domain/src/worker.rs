//! The worker: receives messages, decides their requests, and runs scheduled work.
//!
//! A message is only a hint, which may be repeated, late, early or out of order. It is acknowledged when its request has a
//! result.

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::Error;
use hansang_core::queue::{Delivery, Receipt};
use tokio::sync::watch;

use crate::damaged::Stored;
use crate::decide::{self, Decided, decide_recording, is_undecided};
use crate::ended::RecentlyDecided;
use crate::fields::{after, between};
use crate::moves::is_transient;
use crate::request::load_all;
use crate::submit::Payload;
use crate::tend::tend_in_turn;
use crate::turns::Turns;
use crate::{Damaged, Entry, FailureClass, Reason, Request, ResultCode, Status, event, sweep};

/// The number of deliveries after which a waiting message is replaced by a new one, so that waiting does not count as
/// failing.
const REPLACE_AFTER: u32 = 20;
/// The longest delay of a redelivery.
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// The configuration of a worker.
#[derive(Clone, Debug)]
pub struct Worker {
    /// The name, different for every process and every start.
    pub name: String,
    /// The number of message batches it processes concurrently.
    pub loops: usize,
    /// The number of messages per batch.
    pub batch: usize,
    /// The time it waits for messages.
    pub wait: Duration,
    /// The interval of scheduled work.
    pub every: Duration,
}

impl Worker {
    /// A worker with this name and default values.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            loops: 4,
            batch: 100,
            wait: Duration::from_secs(5),
            every: Duration::from_secs(5),
        }
    }
}

/// The state that the tasks of one process share.
#[derive(Default)]
pub(crate) struct Process {
    /// The turns at deciding an event.
    pub(crate) turns: Turns,
    /// The recently decided requests.
    pub(crate) recent: RecentlyDecided,
}

/// Works until `stop` completes, then finishes work in progress.
pub async fn work(entry: &Entry, worker: &Worker, stop: impl Future<Output = ()>) {
    let (stopping, stopped) = watch::channel(false);
    let process = &Process::default();
    let loops = (0..worker.loops.max(1)).map(|number| {
        let owner = format!("{}/{number}", worker.name);
        receive(entry, worker, owner, process, stopped.clone())
    });
    let scheduled = run_scheduled(entry, worker, process, stopped.clone());
    let tell = async {
        stop.await;
        let _ = stopping.send(true);
    };
    tokio::join!(join_all(loops), scheduled, tell);
}

async fn receive(
    entry: &Entry,
    worker: &Worker,
    owner: String,
    process: &Process,
    mut stopped: watch::Receiver<bool>,
) {
    let hidden = entry.settings.lease * 3;
    while !*stopped.borrow() {
        let received = tokio::select! {
            biased;
            received = entry.queue.receive(worker.batch, worker.wait, hidden) => received,
            _ = stopped.changed() => break,
        };
        match received {
            Ok(deliveries) => handle(entry, &owner, process, deliveries).await,
            Err(error) => {
                tracing::warn!(%error, "cannot receive messages");
                sleep(Duration::from_secs(1), &mut stopped).await;
            }
        }
    }
}

async fn run_scheduled(
    entry: &Entry,
    worker: &Worker,
    process: &Process,
    mut stopped: watch::Receiver<bool>,
) {
    let owner = format!("{}/tend", worker.name);
    while !*stopped.borrow() {
        if let Err(error) = sweep(entry).await {
            tracing::warn!(%error, "sweep failed");
        }
        if let Err(error) = tend_in_turn(entry, &owner, process).await {
            tracing::warn!(%error, "scheduled work failed");
        }
        // Jitter, because workers that start together would work in lockstep.
        let chance = entry.db.clock().moment().random % 1000;
        let jitter = 0.5 + f64::from(u32::try_from(chance).unwrap_or_default()) / 1000.0;
        sleep(worker.every.mul_f64(jitter), &mut stopped).await;
    }
}

async fn sleep(time: Duration, stopped: &mut watch::Receiver<bool>) {
    let _ = tokio::time::timeout(time, stopped.changed()).await;
}

/// The deliveries to acknowledge or to hide.
#[derive(Default)]
struct Dispositions {
    acknowledge: Vec<Receipt>,
    hide: Vec<(Receipt, Duration)>,
}

async fn handle(entry: &Entry, owner: &str, process: &Process, deliveries: Vec<Delivery>) {
    let mut dispositions = Dispositions::default();
    let mut by_event: BTreeMap<String, Vec<(Delivery, Payload)>> = BTreeMap::new();
    for delivery in deliveries {
        match serde_json::from_str::<Payload>(&delivery.body) {
            // Decided while the message waited.
            Ok(payload) if process.recent.contains(&payload.request_id) => {
                dispositions.acknowledge.push(delivery.receipt)
            }
            Ok(payload) => by_event.entry(payload.event_id.clone()).or_default().push((delivery, payload)),
            Err(_) => bury(entry, &delivery, &Reason::NotAMessage).await,
        }
    }
    for (event_id, deliveries) in by_event {
        // Another loop may decide these while this one waits.
        let _turn = process.turns.wait(&event_id).await;
        let (known, deliveries): (Vec<_>, Vec<_>) =
            deliveries.into_iter().partition(|(_, payload)| process.recent.contains(&payload.request_id));
        dispositions.acknowledge.extend(known.into_iter().map(|(delivery, _)| delivery.receipt));
        if let Err(error) =
            handle_event(entry, owner, process, &event_id, &deliveries, &mut dispositions).await
        {
            tracing::warn!(%error, event = event_id, "messages not handled; they are redelivered");
            dispositions
                .hide
                .extend(deliveries.iter().map(|(one, _)| (one.receipt.clone(), backoff(one.attempts))));
        }
    }
    let Dispositions { acknowledge, hide } = dispositions;
    if !acknowledge.is_empty()
        && let Err(error) = entry.queue.acknowledge(&acknowledge).await
    {
        tracing::warn!(%error, "acknowledge failed; handled messages are redelivered");
    }
    if !hide.is_empty()
        && let Err(error) = entry.queue.hide(&hide).await
    {
        tracing::warn!(%error, "hide failed; messages are redelivered after their visibility timeout");
    }
}

/// Handles the messages of one event.
async fn handle_event(
    entry: &Entry,
    owner: &str,
    process: &Process,
    event_id: &str,
    deliveries: &[(Delivery, Payload)],
    dispositions: &mut Dispositions,
) -> Result<(), Error> {
    let found = find(entry, &deliveries.iter().collect::<Vec<_>>()).await?;
    for damaged in found.iter().flatten().filter_map(damaged) {
        damaged.set_aside(entry, event_id).await?;
    }
    let undecided: Vec<Request> =
        found.iter().flatten().filter_map(request).filter(|one| is_undecided(one)).cloned().collect();
    let decided = if undecided.is_empty() {
        Ok(Decided::All)
    } else {
        decide_recording(entry, event_id, owner, &undecided, &process.recent).await
    };
    // The other process decides these too; their messages are checked on the next delivery.
    let unchanged = undecided.is_empty() || matches!(decided, Ok(Decided::Elsewhere));
    let (decided_now, deliveries): (Vec<_>, Vec<_>) = deliveries
        .iter()
        .partition(|(_, payload)| !unchanged && process.recent.contains(&payload.request_id));
    dispositions.acknowledge.extend(decided_now.into_iter().map(|(delivery, _)| delivery.receipt.clone()));
    let after = if unchanged { found } else { find(entry, &deliveries).await? };
    for ((delivery, payload), request) in deliveries.into_iter().zip(after) {
        let disposition = dispose(entry, &decided, (delivery, payload), request).await?;
        match disposition {
            Disposition::Acknowledge => dispositions.acknowledge.push(delivery.receipt.clone()),
            Disposition::Hide(pause) => dispositions.hide.push((delivery.receipt.clone(), pause)),
            Disposition::Buried => {}
        }
    }
    match decided {
        Err(error) if !is_transient(&error) => {
            tracing::error!(%error, event = event_id, "event cannot be decided");
            Ok(())
        }
        _ => Ok(()),
    }
}

enum Disposition {
    Acknowledge,
    Hide(Duration),
    Buried,
}

async fn dispose(
    entry: &Entry,
    decided: &Result<Decided, Error>,
    (delivery, payload): (&Delivery, &Payload),
    stored: Option<Stored>,
) -> Result<Disposition, Error> {
    let request = match stored {
        Some(Stored::Request(request)) if request.event_id == payload.event_id => request,
        Some(Stored::Damaged(_)) => {
            bury(entry, delivery, &Reason::Damaged).await;
            return Ok(Disposition::Buried);
        }
        _ => {
            bury(entry, delivery, &Reason::NoSuchRequest).await;
            return Ok(Disposition::Buried);
        }
    };
    match request.status {
        Status::FailedFinal if request.result == Some(ResultCode::FailedWorker) => {
            bury(entry, delivery, request.error.as_ref().unwrap_or(&Reason::Undecided)).await;
            Ok(Disposition::Buried)
        }
        status if status.is_final() => Ok(Disposition::Acknowledge),
        // The message was faster than the write of `queuedAt`.
        Status::Received => redeliver(entry, delivery, payload, backoff(delivery.attempts)).await,
        _ => match decided {
            Ok(Decided::Elsewhere | Decided::More) => {
                redeliver(entry, delivery, payload, backoff(delivery.attempts)).await
            }
            Ok(Decided::Waiting) => redeliver_waiting(entry, delivery, payload).await,
            Ok(Decided::All) => redeliver_undecided(entry, delivery, payload, &request).await,
            Err(error) if is_transient(error) => {
                redeliver(entry, delivery, payload, backoff(delivery.attempts)).await
            }
            Err(error) => {
                let reason = Reason::Text(error.message.to_string());
                retry_or_fail(entry, delivery, payload, &request, &reason).await
            }
        },
    }
}

/// Handles a message of an event that decides nothing now. A lottery is drawn without messages; a paused event may be
/// resumed at any time.
async fn redeliver_waiting(
    entry: &Entry,
    delivery: &Delivery,
    payload: &Payload,
) -> Result<Disposition, Error> {
    let event = event::load(entry, &payload.event_id, false).await?;
    if event.is_some_and(|event| event.event_type == crate::EventType::Lottery) {
        return Ok(Disposition::Acknowledge);
    }
    redeliver(entry, delivery, payload, MAX_BACKOFF).await
}

/// Handles a request that is still undecided after all due requests were decided: it is not due, or cannot be decided.
async fn redeliver_undecided(
    entry: &Entry,
    delivery: &Delivery,
    payload: &Payload,
    request: &Request,
) -> Result<Disposition, Error> {
    let event = event::need(entry, &payload.event_id, false).await?;
    let due = after(request.queued_at.unwrap_or(request.requested_at), event.settle);
    let now = entry.now();
    if now < due {
        return redeliver(entry, delivery, payload, between(now, due) + Duration::from_millis(100)).await;
    }
    retry_or_fail(entry, delivery, payload, request, &Reason::Undecided).await
}

async fn retry_or_fail(
    entry: &Entry,
    delivery: &Delivery,
    payload: &Payload,
    request: &Request,
    reason: &Reason,
) -> Result<Disposition, Error> {
    if delivery.attempts < entry.settings.max_attempts {
        return redeliver(entry, delivery, payload, backoff(delivery.attempts)).await;
    }
    match decide::fail(entry, request, FailureClass::NonRetryable, reason).await {
        Ok(()) => {
            bury(entry, delivery, reason).await;
            Ok(Disposition::Buried)
        }
        Err(_) => redeliver(entry, delivery, payload, backoff(delivery.attempts)).await,
    }
}

/// Delays the message, or replaces it if it was delivered often.
async fn redeliver(
    entry: &Entry,
    delivery: &Delivery,
    payload: &Payload,
    pause: Duration,
) -> Result<Disposition, Error> {
    if delivery.attempts < REPLACE_AFTER {
        return Ok(Disposition::Hide(pause));
    }
    let mut message = payload.message();
    message.delay = pause;
    match entry.queue.send(vec![message]).await.into_iter().next() {
        Some(Ok(())) => Ok(Disposition::Acknowledge),
        _ => Ok(Disposition::Hide(pause)),
    }
}

/// Reads the requests of messages; `None` for invalid ids.
async fn find(entry: &Entry, deliveries: &[&(Delivery, Payload)]) -> Result<Vec<Option<Stored>>, Error> {
    let ids: Vec<String> = deliveries.iter().map(|(_, payload)| payload.request_id.clone()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    match load_all(entry, &ids).await {
        Ok(found) => Ok(found),
        Err(error) if is_transient(&error) => Err(error),
        // One of them has an invalid id: read them one by one.
        Err(_) => {
            let mut found = Vec::with_capacity(ids.len());
            for id in &ids {
                found.push(match load_all(entry, std::slice::from_ref(id)).await {
                    Err(error) if is_transient(&error) => return Err(error),
                    other => other.ok().and_then(|mut one| one.pop()).flatten(),
                });
            }
            Ok(found)
        }
    }
}

fn request(stored: &Stored) -> Option<&Request> {
    match stored {
        Stored::Request(request) => Some(request),
        Stored::Damaged(_) => None,
    }
}

fn damaged(stored: &Stored) -> Option<&Damaged> {
    match stored {
        Stored::Damaged(damaged) => Some(damaged),
        Stored::Request(_) => None,
    }
}

async fn bury(entry: &Entry, delivery: &Delivery, reason: &Reason) {
    if let Err(error) = entry.queue.bury(delivery, &reason.stored()).await {
        tracing::warn!(%error, message = delivery.id, "bury failed; the message is redelivered");
    }
}

/// A delay that doubles with every delivery.
fn backoff(attempts: u32) -> Duration {
    (Duration::from_millis(500) * 2_u32.pow(attempts.clamp(1, 8) - 1)).min(MAX_BACKOFF)
}
