//! Taking an entry: a lock and a request in one transaction, then the queue.

use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::db::{GetOptions, Operation};
use hansang_core::kind::text::ulid;
use hansang_core::queue::Message;
use hansang_core::{Error, Item, Value, name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::event::{Event, need, unknown};
use crate::fields::{between, item, set, time, ttl};
use crate::moves::{Move, line};
use crate::{Entry, Request, ResultCode, Status, letters, request};

/// In how many partitions requests wait that are not known to be queued.
pub(crate) const SHARDS: i64 = 16;
/// How often the transaction is tried.
const ATTEMPTS: usize = 3;
/// The least time for which a place in the order may be written down after the queue gave it.
const LEAST_WINDOW: Duration = Duration::from_millis(500);

/// An entry that was taken, now or before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// Its request.
    pub request_id: String,
    /// Whether the user had entered before.
    pub duplicate: bool,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Note {
    pub(crate) request_id: String,
    pub(crate) event_id: String,
}

impl Note {
    pub(crate) fn of(request: &Request) -> Self {
        Self { request_id: request.id.clone(), event_id: request.event_id.clone() }
    }

    pub(crate) fn message(&self) -> Message {
        Message::new(
            serde_json::json!({ "requestId": self.request_id, "eventId": self.event_id }).to_string(),
        )
    }
}

/// Takes a user's entry in an event. Whoever enters again is given their first request.
///
/// Once this succeeds the request is written down and will be decided: whatever is lost on its way to the queue
/// is sent again by [`crate::sweep`].
///
/// # Errors
/// That there is no such event, that it takes no entries now, that an identifier cannot be one; an outage, after which
/// nothing was written, or the same call tells.
pub async fn submit(entry: &Entry, event_id: &str, user_id: &str) -> Result<Submitted, Error> {
    let answers = submit_all(entry, event_id, &[user_id.to_owned()]).await;
    answers.into_iter().next().unwrap_or_else(|| Err(unknown(event_id)))
}

/// Takes the entries of several users in an event at once, as [`submit`] takes one: each is taken or refused for itself.
/// The event is read once, and one call sends all messages. There are as many answers as users.
pub async fn submit_all(entry: &Entry, event_id: &str, user_ids: &[String]) -> Vec<Result<Submitted, Error>> {
    let event = match need(entry, event_id, false).await {
        Ok(event) => event,
        Err(error) => return vec![Err(error); user_ids.len()],
    };
    let open = event.check_open(entry.now());
    let each = user_ids.iter().map(|user_id| take(entry, &event, &open, user_id));
    let taken = join_all(each.collect::<Vec<_>>()).await;
    let new: Vec<&Request> = taken.iter().flatten().filter_map(Taken::request).collect();
    // What fails from here on is found by the sweep: the entries are taken.
    enqueue_all(entry, &new, event.settle).await;
    taken.into_iter().map(|taken| taken.map(Submitted::from)).collect()
}

/// An entry that is written down.
enum Taken {
    /// Now, as this request.
    Now(Box<Request>),
    /// Before, as the request of this identifier.
    Before(String),
}

impl Taken {
    fn request(&self) -> Option<&Request> {
        match self {
            Self::Now(request) => Some(request),
            Self::Before(_) => None,
        }
    }
}

impl From<Taken> for Submitted {
    fn from(taken: Taken) -> Self {
        match taken {
            Taken::Now(request) => Self { request_id: request.id, duplicate: false },
            Taken::Before(request_id) => Self { request_id, duplicate: true },
        }
    }
}

/// Writes down the entry of a user, if they may enter and have not.
async fn take(entry: &Entry, event: &Event, open: &Result<(), Error>, user_id: &str) -> Result<Taken, Error> {
    if let Err(closed) = open {
        // A second click is answered for as long as the first one is known.
        let known = locked(entry, &event.id, user_id).await?;
        return known.map(Taken::Before).ok_or_else(|| closed.clone());
    }
    let request = new_request(entry, event, user_id);
    let mut attempt = 1;
    loop {
        match entry.db.commit(creation(entry, event, &request)).await.map_err(Error::from) {
            Ok(()) => return Ok(Taken::Now(Box::new(request))),
            Err(error) if !["already_exists", "outcome_unknown"].contains(&error.code.as_str()) => {
                return Err(error);
            }
            Err(error) => match locked(entry, &event.id, user_id).await? {
                Some(known) if known == request.id => return Ok(Taken::Now(Box::new(request))),
                Some(known) => return duplicate(entry, known).await,
                None if attempt == ATTEMPTS => return Err(error),
                None => attempt += 1,
            },
        }
    }
}

/// The request that a user has in an event, if they entered. Sees every entry before.
///
/// # Errors
/// When an identifier cannot be one; when it cannot be read.
pub async fn entered(entry: &Entry, event_id: &str, user_id: &str) -> Result<Option<String>, Error> {
    locked(entry, event_id, user_id).await
}

/// Sends a request to the queue, and writes down its place in the order. Says whether it has one now.
pub(crate) async fn enqueue(entry: &Entry, request: &Request, settle: Duration) -> Result<bool, Error> {
    let places = enqueue_all(entry, &[request], settle).await;
    places.into_iter().next().unwrap_or(Ok(false))
}

/// As [`enqueue`], for several.
async fn enqueue_all(entry: &Entry, requests: &[&Request], settle: Duration) -> Vec<Result<bool, Error>> {
    if requests.is_empty() {
        return Vec::new();
    }
    let messages = requests.iter().map(|request| Note::of(request).message()).collect();
    let sent = entry.queue.send(messages).await;
    let now = entry.now();
    let each = requests.iter().zip(sent).map(|(request, sent)| async move {
        if let Err(error) = sent {
            tracing::warn!(%error, request = request.id, "a request was not queued: it is sent again later");
            return Ok(false);
        }
        queued(entry, request, now.max(request.requested_at), settle).await.map(|()| true)
    });
    join_all(each.collect::<Vec<_>>()).await
}

/// Writes down that the queue has a request. Others wait for this one only so long, so a place that cannot be
/// written down in time is given up for a later one.
async fn queued(entry: &Entry, request: &Request, at: Timestamp, settle: Duration) -> Result<(), Error> {
    let mut step = Move::new(entry, request, Status::Queued);
    step.at = at;
    step.changes = vec![set(name!("queuedAt"), time(at))];
    let mut operations = step.operations(entry).to_vec();
    let key = unsent_key(&request.id, request.requested_at);
    operations.push(Operation::Delete {
        entity: name!("Unsent"),
        key,
        expected_version: None,
        guards: Vec::new(),
    });
    let window = (settle / 2).max(LEAST_WINDOW);
    let left = window.saturating_sub(between(at, entry.now()));
    match tokio::time::timeout(left, entry.db.commit(operations)).await {
        Ok(written) => Ok(written?),
        Err(_) => Err(Error::unavailable("queued_late", "the store took too long to write a place down")),
    }
}

fn new_request(entry: &Entry, event: &Event, user_id: &str) -> Request {
    let moment = entry.db.clock().moment();
    // As it is stored, so that what is read later is the same.
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
        error_message: None,
    }
}

/// The lock, the request, its first line in the log, and the note that it is not queued yet.
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

/// The request that a user has in an event. Sees every write before.
async fn locked(entry: &Entry, event_id: &str, user_id: &str) -> Result<Option<String>, Error> {
    let key = item([(name!("eventId"), event_id.into()), (name!("userId"), user_id.into())]);
    let lock = entry.db.get("IdempotencyLock", &key, &GetOptions { consistent: true, fields: None }).await?;
    Ok(lock.and_then(|lock| lock.text("requestId").map(str::to_owned)))
}

/// Whoever enters again is given their first request; and if that never came to the queue, which was our fault, it is
/// tried again.
async fn duplicate(entry: &Entry, request_id: String) -> Result<Taken, Error> {
    if let Some(request) = request::load(entry, &request_id).await?
        && request.result == Some(ResultCode::FailedIngestEnqueue)
    {
        letters::send_again(entry, &request, "the user entered again").await?;
    }
    Ok(Taken::Before(request_id))
}

pub(crate) fn unsent_key(request_id: &str, requested_at: Timestamp) -> Item {
    let sum = request_id.bytes().fold(0_i64, |sum, byte| (sum * 31 + i64::from(byte)) % 65_521);
    item([
        (name!("shard"), Value::from(sum % SHARDS)),
        (name!("requestedAt"), time(requested_at).into()),
        (name!("requestId"), request_id.into()),
    ])
}
