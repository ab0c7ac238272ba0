//! Accepting an entry: a lock and a request in one transaction, then the queue.

use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::db::{GetOptions, Operation};
use hansang_core::kind::text::ulid;
use hansang_core::queue::Message;
use hansang_core::{CoreCode, Db, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::event::{Event, need, unknown};
use crate::fields::{between, item, set, time, ttl};
use crate::moves::{Transition, line};
use crate::sweep::forgotten;
use crate::{Entry, EntryCode, Reason, Request, ResultCode, Status, letters, messages, request};

/// The number of partitions of `Unsent`.
pub(crate) const SHARDS: i64 = 16;
/// The number of attempts of the transaction.
const ATTEMPTS: usize = 3;
/// The minimum time for recording `queuedAt` after the queue accepted the message.
const MIN_WINDOW: Duration = Duration::from_millis(500);

/// An accepted entry, new or existing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The id of its request.
    pub request_id: String,
    /// Whether the user had already entered.
    pub duplicate: bool,
}

/// A user who enters an event.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// The id of the user.
    pub user_id: String,
    /// The table to write a new entry through, which may carry more writes: see [`Db::alongside`]. An entry that exists
    /// already writes nothing.
    pub db: Db,
}

/// The body of a queue message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Payload {
    pub(crate) request_id: String,
    pub(crate) event_id: String,
}

impl Payload {
    pub(crate) fn of(request: &Request) -> Self {
        Self { request_id: request.id.clone(), event_id: request.event_id.clone() }
    }

    pub(crate) fn message(&self) -> Message {
        Message::new(
            serde_json::json!({ "requestId": self.request_id, "eventId": self.event_id }).to_string(),
        )
    }
}

/// Accepts a user's entry in an event. Entering again returns the first request.
///
/// Once this succeeds the request is stored and will be decided: if its message is lost, [`crate::sweep`] sends it again.
///
/// # Errors
/// If the event does not exist or accepts no entries now, if an id is invalid, or if the store fails. After a failure
/// the same call can be repeated.
pub async fn submit(entry: &Entry, event_id: &str, user_id: &str) -> Result<Submitted, Error> {
    let results = submit_all(entry, event_id, &[user_id.to_owned()]).await;
    results.into_iter().next().unwrap_or_else(|| Err(unknown(event_id)))
}

/// Accepts the entries of several users in an event, like [`submit`], with one read of the event and one call to the
/// queue. Returns one result per user.
pub async fn submit_all(entry: &Entry, event_id: &str, user_ids: &[String]) -> Vec<Result<Submitted, Error>> {
    let entrant = |user_id: &String| Entrant { user_id: user_id.clone(), db: entry.db.clone() };
    submit_each(entry, event_id, &user_ids.iter().map(entrant).collect::<Vec<_>>()).await
}

/// Like [`submit_all`], with further writes for each new entry.
pub async fn submit_each(
    entry: &Entry,
    event_id: &str,
    entrants: &[Entrant],
) -> Vec<Result<Submitted, Error>> {
    let event = match need(entry, event_id, false).await {
        Ok(event) => event,
        Err(error) => return vec![Err(error); entrants.len()],
    };
    let open = event.check_open(entry.now());
    let each = entrants.iter().map(|entrant| store(entry, &event, &open, entrant));
    let stored = join_all(each.collect::<Vec<_>>()).await;
    let new: Vec<&Request> = stored.iter().flatten().filter_map(Stored::request).collect();
    // The entries are accepted. If this fails, the sweep sends them again.
    enqueue_all(entry, &new, event.settle).await;
    stored.into_iter().map(|stored| stored.map(Submitted::from)).collect()
}

/// A stored entry.
enum Stored {
    /// A new request.
    New(Box<Request>),
    /// The id of an existing request.
    Existing(String),
}

impl Stored {
    fn request(&self) -> Option<&Request> {
        match self {
            Self::New(request) => Some(request),
            Self::Existing(_) => None,
        }
    }
}

impl From<Stored> for Submitted {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::New(request) => Self { request_id: request.id, duplicate: false },
            Stored::Existing(request_id) => Self { request_id, duplicate: true },
        }
    }
}

/// Stores the entry of a user, if the event is open and the user has not entered yet.
async fn store(
    entry: &Entry,
    event: &Event,
    open: &Result<(), Error>,
    Entrant { user_id, db }: &Entrant,
) -> Result<Stored, Error> {
    if let Err(closed) = open {
        // An existing entry is returned even if the event is closed.
        let known = read_lock(entry, &event.id, user_id).await?;
        return known.map(Stored::Existing).ok_or_else(|| closed.clone());
    }
    let request = new_request(entry, event, user_id);
    let mut attempt = 1;
    loop {
        match db.commit(creation(entry, event, &request)).await.map_err(Error::from) {
            Ok(()) => return Ok(Stored::New(Box::new(request))),
            Err(error) if error.code != CoreCode::AlreadyExists && error.code != CoreCode::OutcomeUnknown => {
                return Err(error);
            }
            Err(error) => match read_lock(entry, &event.id, user_id).await? {
                Some(known) if known == request.id => return Ok(Stored::New(Box::new(request))),
                Some(known) => return duplicate(entry, known).await,
                None if attempt == ATTEMPTS => return Err(error),
                None => attempt += 1,
            },
        }
    }
}

/// Reads the id of a user's request in an event with a strong read.
///
/// # Errors
/// If an id is invalid or the store fails.
pub async fn entered(entry: &Entry, event_id: &str, user_id: &str) -> Result<Option<String>, Error> {
    read_lock(entry, event_id, user_id).await
}

/// Sends requests to the queue and records `queuedAt`. The sweep sends the others again.
async fn enqueue_all(entry: &Entry, requests: &[&Request], settle: Duration) {
    if requests.is_empty() {
        return;
    }
    let messages = requests.iter().map(|request| Payload::of(request).message()).collect();
    let sent = entry.queue.send(messages).await;
    let now = entry.now();
    let each = requests.iter().zip(sent).map(|(request, sent)| async move {
        if let Err(error) = sent {
            tracing::warn!(%error, request = request.id, "request not queued; the sweep sends it again");
        } else if let Err(error) = queued(entry, request, now.max(request.requested_at), settle).await {
            tracing::debug!(%error, request = request.id, "not recorded as queued; the sweep sends it again");
        }
    });
    join_all(each.collect::<Vec<_>>()).await;
}

/// Records that the queue has a request. Later entries wait only for the settle window, so after half of it this gives
/// up, and the sweep takes a later `queuedAt`.
async fn queued(entry: &Entry, request: &Request, at: Timestamp, settle: Duration) -> Result<(), Error> {
    let mut transition = Transition::new(entry, request, Status::Queued);
    transition.at = at;
    transition.changes = vec![set(name!("queuedAt"), time(at))];
    let mut operations = transition.operations(entry).to_vec();
    operations.push(forgotten(request));
    let left = window(settle).saturating_sub(between(at, entry.now()));
    match tokio::time::timeout(left, entry.db.commit(operations)).await {
        Ok(written) => Ok(written?),
        Err(_) => Err(Error::unavailable(EntryCode::QueuedLate, message!(messages::QUEUED_LATE))),
    }
}

/// The time for recording `queuedAt`.
pub(crate) fn window(settle: Duration) -> Duration {
    (settle / 2).max(MIN_WINDOW)
}

fn new_request(entry: &Entry, event: &Event, user_id: &str) -> Request {
    let moment = entry.db.clock().moment();
    // Rounded to the stored precision, so that a later read returns the same time.
    let now = time(moment.now).parse().unwrap_or(moment.now);
    Request {
        id: ulid(u64::try_from(now.as_millisecond()).unwrap_or_default(), moment.random),
        event_id: event.id.clone(),
        user_id: user_id.to_owned(),
        event_type: event.event_type,
        status: Status::Received,
        requested_at: now,
        queued_at: None,
        started_at: None,
        finished_at: None,
        attempts: 0,
        lease_owner: None,
        lease_until: None,
        result: None,
        failure_class: None,
        error: None,
    }
}

/// The lock, the request, its first log line, and the `Unsent` note.
fn creation(entry: &Entry, event: &Event, request: &Request) -> Vec<Operation> {
    let create =
        |entity: &str, fields: Item| Operation::Create { entity: entity.into(), fields, guards: Vec::new() };
    let at = request.requested_at;
    let id = || Value::from(request.id.as_str());
    let lock = item([
        (name!("eventId"), event.id.as_str().into()),
        (name!("userId"), request.user_id.as_str().into()),
        (name!("requestId"), id()),
        (name!("createdAt"), time(at).into()),
        (name!("ttl"), ttl(event.closes_at.max(at), entry.settings.lock_days)),
    ]);
    let fields = item([
        (name!("requestId"), id()),
        (name!("eventId"), event.id.as_str().into()),
        (name!("userId"), request.user_id.as_str().into()),
        (name!("eventType"), event.event_type.name().into()),
        (name!("requestedAt"), time(at).into()),
        (name!("ttl"), ttl(event.closes_at.max(at), entry.settings.request_days)),
    ]);
    let mut unsent = unsent_key(&request.id, at);
    unsent.insert(name!("eventId"), event.id.as_str().into());
    vec![
        create("IdempotencyLock", lock),
        create("Request", fields),
        line(entry, &request.id, (None, Status::Received), at, None),
        create("Unsent", unsent),
    ]
}

/// Reads the lock of a user in an event with a strong read.
async fn read_lock(entry: &Entry, event_id: &str, user_id: &str) -> Result<Option<String>, Error> {
    let key = item([(name!("eventId"), event_id.into()), (name!("userId"), user_id.into())]);
    let lock = entry.db.get("IdempotencyLock", &key, &GetOptions { consistent: true, fields: None }).await?;
    Ok(lock.and_then(|lock| lock.text("requestId").map(str::to_owned)))
}

/// Returns the existing request of a user. If it failed because it never reached the queue, it is sent again.
async fn duplicate(entry: &Entry, request_id: String) -> Result<Stored, Error> {
    if let Some(request) = request::load(entry, &request_id).await?
        && request.result == Some(ResultCode::FailedIngestEnqueue)
    {
        letters::send_again(entry, &request, Reason::EnteredAgain).await?;
    }
    Ok(Stored::Existing(request_id))
}

pub(crate) fn unsent_key(request_id: &str, requested_at: Timestamp) -> Item {
    let sum = request_id.bytes().fold(0_i64, |sum, byte| (sum * 31 + i64::from(byte)) % 65_521);
    item([
        (name!("shard"), Value::from(sum % SHARDS)),
        (name!("requestedAt"), time(requested_at).into()),
        (name!("requestId"), request_id.into()),
    ])
}
