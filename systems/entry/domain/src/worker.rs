//! What a worker does: it receives messages, decides what they are about, and looks after the rest from time to time.
//!
//! A message is forgotten only when its request has a result. Everything else about a message is a hint: deliveries may
//! repeat, come late, early or out of order.

use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::Error;
use hansang_core::queue::{Delivery, Receipt};
use tokio::sync::watch;

use crate::decide::{self, Decided, decide_noting, is_undecided};
use crate::ended::Ended;
use crate::fields::{after, between};
use crate::moves::is_passing;
use crate::submit::Note;
use crate::tend::tend_beside;
use crate::turns::Turns;
use crate::{Entry, FailureClass, Request, ResultCode, Status, event, request, sweep};

/// How often a message that only waits is delivered before a fresh one takes its place, so that waiting never looks
/// like failing.
const FRESH_AFTER: u32 = 20;
/// The longest pause before a message is looked at again.
const LONGEST: Duration = Duration::from_secs(60);

/// A worker.
#[derive(Clone, Debug)]
pub struct Worker {
    /// What it is called: another name for every process, and for every start.
    pub name: String,
    /// How many batches of messages it deals with at once.
    pub loops: usize,
    /// How many messages it receives at once.
    pub batch: usize,
    /// How long it waits for messages.
    pub wait: Duration,
    /// How often it looks after what no message brings.
    pub every: Duration,
}

impl Worker {
    /// A worker of this name, as most are.
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

/// What the tasks of one process know of each other.
#[derive(Default)]
pub(crate) struct Process {
    /// Who decides which event.
    pub(crate) turns: Turns,
    /// Who has a result.
    pub(crate) ended: Ended,
}

/// Works until told to stop, and then ends what was begun.
pub async fn work(entry: &Entry, worker: &Worker, stop: impl Future<Output = ()>) {
    let (stopping, stopped) = watch::channel(false);
    let process = &Process::default();
    let loops = (0..worker.loops.max(1)).map(|number| {
        let owner = format!("{}/{number}", worker.name);
        receive(entry, worker, owner, process, stopped.clone())
    });
    let tending = look_after(entry, worker, process, stopped.clone());
    let tell = async {
        stop.await;
        let _ = stopping.send(true);
    };
    tokio::join!(join_all(loops), tending, tell);
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
                tracing::warn!(%error, "no messages can be received");
                rest(Duration::from_secs(1), &mut stopped).await;
            }
        }
    }
}

async fn look_after(entry: &Entry, worker: &Worker, process: &Process, mut stopped: watch::Receiver<bool>) {
    let owner = format!("{}/tend", worker.name);
    while !*stopped.borrow() {
        if let Err(error) = sweep(entry).await {
            tracing::warn!(%error, "requests on their way to the queue cannot be looked after");
        }
        if let Err(error) = tend_beside(entry, &owner, process).await {
            tracing::warn!(%error, "events cannot be looked after");
        }
        // Not all at the same time: workers that were started together would do the same things together.
        let chance = entry.db.clock().moment().random % 1000;
        let jitter = 0.5 + f64::from(u32::try_from(chance).unwrap_or_default()) / 1000.0;
        rest(worker.every.mul_f64(jitter), &mut stopped).await;
    }
}

async fn rest(time: Duration, stopped: &mut watch::Receiver<bool>) {
    let _ = tokio::time::timeout(time, stopped.changed()).await;
}

/// What is to be done with deliveries.
#[derive(Default)]
struct Answers {
    done: Vec<Receipt>,
    later: Vec<(Receipt, Duration)>,
}

async fn handle(entry: &Entry, owner: &str, process: &Process, deliveries: Vec<Delivery>) {
    let mut answers = Answers::default();
    let mut by_event: BTreeMap<String, Vec<(Delivery, Note)>> = BTreeMap::new();
    for delivery in deliveries {
        match serde_json::from_str::<Note>(&delivery.body) {
            // Its request was decided while the message waited.
            Ok(note) if process.ended.has(&note.request_id) => answers.done.push(delivery.receipt),
            Ok(note) => by_event.entry(note.event_id.clone()).or_default().push((delivery, note)),
            Err(_) => bury(entry, &delivery, "this is no message about a request").await,
        }
    }
    for (event_id, deliveries) in by_event {
        // Whoever comes while another loop decides finds these decided too, most likely.
        let _turn = process.turns.wait(&event_id).await;
        let (known, deliveries): (Vec<_>, Vec<_>) =
            deliveries.into_iter().partition(|(_, note)| process.ended.has(&note.request_id));
        answers.done.extend(known.into_iter().map(|(delivery, _)| delivery.receipt));
        if let Err(error) = of_event(entry, owner, process, &event_id, &deliveries, &mut answers).await {
            tracing::warn!(%error, event = event_id, "messages are dealt with again later");
            answers
                .later
                .extend(deliveries.iter().map(|(one, _)| (one.receipt.clone(), backoff(one.attempts))));
        }
    }
    let Answers { done, later } = answers;
    if !done.is_empty()
        && let Err(error) = entry.queue.acknowledge(&done).await
    {
        tracing::warn!(%error, "messages that were dealt with are delivered again");
    }
    if !later.is_empty()
        && let Err(error) = entry.queue.hide(&later).await
    {
        tracing::warn!(%error, "messages are delivered again later than they could be");
    }
}

/// Deals with messages about requests of one event.
async fn of_event(
    entry: &Entry,
    owner: &str,
    process: &Process,
    event_id: &str,
    deliveries: &[(Delivery, Note)],
    answers: &mut Answers,
) -> Result<(), Error> {
    let found = find(entry, &deliveries.iter().collect::<Vec<_>>()).await?;
    let undecided: Vec<Request> = found.iter().flatten().filter(|one| is_undecided(one)).cloned().collect();
    let decided = if undecided.is_empty() {
        Ok(Decided::All)
    } else {
        decide_noting(entry, event_id, owner, &undecided, &process.ended).await
    };
    // Whoever decides elsewhere decides these too: their messages tell when they come again.
    let as_before = undecided.is_empty() || matches!(decided, Ok(Decided::Elsewhere));
    let (ended, deliveries): (Vec<_>, Vec<_>) =
        deliveries.iter().partition(|(_, note)| !as_before && process.ended.has(&note.request_id));
    answers.done.extend(ended.into_iter().map(|(delivery, _)| delivery.receipt.clone()));
    let after = if as_before { found } else { find(entry, &deliveries).await? };
    for ((delivery, note), request) in deliveries.into_iter().zip(after) {
        let answer = answer(entry, &decided, (delivery, note), request).await?;
        match answer {
            Answer::Done => answers.done.push(delivery.receipt.clone()),
            Answer::Later(pause) => answers.later.push((delivery.receipt.clone(), pause)),
            Answer::Buried => {}
        }
    }
    match decided {
        Err(error) if !is_passing(&error) => {
            tracing::error!(%error, event = event_id, "an event cannot be decided");
            Ok(())
        }
        _ => Ok(()),
    }
}

enum Answer {
    Done,
    Later(Duration),
    Buried,
}

async fn answer(
    entry: &Entry,
    decided: &Result<Decided, Error>,
    (delivery, note): (&Delivery, &Note),
    request: Option<Request>,
) -> Result<Answer, Error> {
    let Some(request) = request.filter(|request| request.event_id == note.event_id) else {
        bury(entry, delivery, "there is no such request of this event").await;
        return Ok(Answer::Buried);
    };
    match request.status {
        Status::FailedFinal if request.result == Some(ResultCode::FailedWorker) => {
            bury(entry, delivery, request.error_message.as_deref().unwrap_or("it could not be decided"))
                .await;
            Ok(Answer::Buried)
        }
        status if status.is_final() => Ok(Answer::Done),
        // The message was quicker than the note of its place in the order.
        Status::Received => later(entry, delivery, note, backoff(delivery.attempts)).await,
        _ => match decided {
            Ok(Decided::Elsewhere | Decided::More) => {
                later(entry, delivery, note, backoff(delivery.attempts)).await
            }
            Ok(Decided::Waiting) => waiting(entry, delivery, note).await,
            Ok(Decided::All) => not_decided(entry, delivery, note, &request).await,
            Err(error) if is_passing(error) => later(entry, delivery, note, backoff(delivery.attempts)).await,
            Err(error) => failing(entry, delivery, note, &request, &error.message.to_string()).await,
        },
    }
}

/// The event stands still. A lottery is drawn without messages; a paused event goes on whenever it likes.
async fn waiting(entry: &Entry, delivery: &Delivery, note: &Note) -> Result<Answer, Error> {
    let event = event::load(entry, &note.event_id, false).await?;
    if event.is_some_and(|event| event.event_type == crate::EventType::Lottery) {
        return Ok(Answer::Done);
    }
    later(entry, delivery, note, LONGEST).await
}

/// Everything that was due is decided, and this is not: its time has not come, or it cannot be decided.
async fn not_decided(
    entry: &Entry,
    delivery: &Delivery,
    note: &Note,
    request: &Request,
) -> Result<Answer, Error> {
    let event = event::need(entry, &note.event_id, false).await?;
    let due = after(request.queued_at.unwrap_or(request.requested_at), event.settle);
    let now = entry.now();
    if now < due {
        return later(entry, delivery, note, between(now, due) + Duration::from_millis(100)).await;
    }
    failing(entry, delivery, note, request, "it stays undecided").await
}

async fn failing(
    entry: &Entry,
    delivery: &Delivery,
    note: &Note,
    request: &Request,
    message: &str,
) -> Result<Answer, Error> {
    if delivery.attempts < entry.settings.max_attempts {
        return later(entry, delivery, note, backoff(delivery.attempts)).await;
    }
    match decide::fail(entry, request, FailureClass::NonRetryable, message).await {
        Ok(()) => {
            bury(entry, delivery, message).await;
            Ok(Answer::Buried)
        }
        Err(_) => later(entry, delivery, note, backoff(delivery.attempts)).await,
    }
}

/// The message comes again. One that came often while nothing was wrong is replaced by a fresh one.
async fn later(entry: &Entry, delivery: &Delivery, note: &Note, pause: Duration) -> Result<Answer, Error> {
    if delivery.attempts < FRESH_AFTER {
        return Ok(Answer::Later(pause));
    }
    let mut message = note.message();
    message.delay = pause;
    match entry.queue.send(vec![message]).await.into_iter().next() {
        Some(Ok(())) => Ok(Answer::Done),
        _ => Ok(Answer::Later(pause)),
    }
}

/// The requests of messages, as they are stored; nothing for an identifier that cannot be one.
async fn find(entry: &Entry, deliveries: &[&(Delivery, Note)]) -> Result<Vec<Option<Request>>, Error> {
    let ids: Vec<String> = deliveries.iter().map(|(_, note)| note.request_id.clone()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    match request::load_all(entry, &ids).await {
        Ok(found) => Ok(found),
        Err(error) if is_passing(&error) => Err(error),
        // One of them is damaged or no identifier: the others are read without it.
        Err(_) => {
            let mut found = Vec::with_capacity(ids.len());
            for id in &ids {
                found.push(match request::load(entry, id).await {
                    Err(error) if is_passing(&error) => return Err(error),
                    other => other.ok().flatten(),
                });
            }
            Ok(found)
        }
    }
}

async fn bury(entry: &Entry, delivery: &Delivery, reason: &str) {
    if let Err(error) = entry.queue.bury(delivery, reason).await {
        tracing::warn!(%error, message = delivery.id, "a message could not be put aside: it comes again");
    }
}

/// A pause that doubles with every delivery.
fn backoff(attempts: u32) -> Duration {
    (Duration::from_millis(500) * 2_u32.pow(attempts.clamp(1, 8) - 1)).min(LONGEST)
}
