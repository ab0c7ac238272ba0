//! The outbox: sends what waits, in any number of processes. Mails of inquiries, events and deliveries of webhooks.
//!
//! A worker takes an item by moving its time ahead under a number that grows with every attempt. After a crash the item is
//! due again. What got a clear answer is sent once; after a lost answer it is sent again with the same id.

use std::time::Duration;

use futures_util::future::join_all;
use hansang_core::db::Operation;
use hansang_core::files::Files;
use hansang_core::plan::{Change, Condition, Guard, Path, Reason};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, ErrorKind, Item, message, name};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use tokio::time::Instant;

use crate::edit::all;
use crate::hook::Caller;
use crate::inquiries::{failed_mails, update};
use crate::inquiry::{MailKind, MailState, mail_key};
use crate::live::time;
use crate::mail::Mailer;
use crate::post::{busy, of_id, strong};
use crate::posts::{commit, path, set};
use crate::webhooks::{Event, delivery_key};
use crate::{Content, ContentCode, InquiryMail, messages};

mod event;
mod hook;
mod mail;

/// The time that one attempt to send may take.
pub const SEND_TIMEOUT: Duration = Duration::from_secs(90);
/// The time after which another worker tries. Recording the answer of a slow server must fit into it.
const LEASE: Duration = Duration::from_secs(180);
const _: () = assert!(SEND_TIMEOUT.as_secs() + 60 <= LEASE.as_secs());
/// The pause after the first failed attempt, which doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_secs(30);
/// The maximum pause.
const MAX_PAUSE: Duration = Duration::from_secs(6 * 3600);
/// The number of attempts of a mail: several days.
const MAX_ATTEMPTS: i64 = 24;
/// The number of attempts of a delivery: about a day.
const MAX_CALLS: i64 = 14;
/// The number of items that are sent at the same time.
const PARALLEL: usize = 8;
/// The part of a lease that is left when an attempt to record an answer is the last one.
const LAST: Duration = Duration::from_secs(15);
/// The maximum pause between attempts to record an answer.
const MAX_RECORD_PAUSE: Duration = Duration::from_secs(5);

/// Where things are sent to.
#[derive(Clone, Copy)]
pub struct Ports<'p> {
    /// The mail server.
    pub mailer: &'p dyn Mailer,
    /// The addresses of webhooks.
    pub caller: &'p dyn Caller,
    /// The files of media.
    pub files: &'p dyn Files,
}

/// Something that waits.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Waiting {
    id: String,
    inquiry_id: Option<String>,
    webhook_id: Option<String>,
    event: Option<Event>,
    subject_id: Option<String>,
    /// The publishing time or the end of the post that an event is about.
    at: Option<Timestamp>,
    due_at: Timestamp,
    #[serde(default)]
    lease: i64,
    /// The end of the lease of this worker.
    #[serde(skip)]
    until: Option<Instant>,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delivered {
    /// The mails and deliveries that were accepted.
    pub sent: usize,
    /// Those that are tried again later.
    pub later: usize,
    /// Those that failed.
    pub failed: usize,
}

/// The result of one attempt.
enum Attempt {
    Sent,
    Later,
    Failed,
    /// Nothing was to be sent.
    Nothing,
}

/// Sends everything that is due.
///
/// # Errors
/// When the store fails. The next run does the rest.
pub async fn deliver(content: &Content, ports: Ports<'_>) -> Result<Delivered, Error> {
    let mut delivered = Delivered::default();
    let mut problem = None;
    let now = content.now();
    let due: Vec<Waiting> = waiting(content).await?.into_iter().filter(|one| one.due_at <= now).collect();
    for some in due.chunks(PARALLEL) {
        for attempt in join_all(some.iter().map(|one| attempt(content, ports, one))).await {
            match attempt {
                Ok(Attempt::Sent) => delivered.sent += 1,
                Ok(Attempt::Later) => delivered.later += 1,
                Ok(Attempt::Failed) => delivered.failed += 1,
                Ok(Attempt::Nothing) => {}
                // Another worker took it over while this one was slow.
                Err(error) if error.code == ContentCode::MailTaken || error.code == CoreCode::NotFound => {}
                // The others are sent all the same.
                Err(error) => problem = Some(error),
            }
        }
    }
    problem.map_or(Ok(delivered), Err)
}

/// The time at which something is due next.
///
/// # Errors
/// When the store fails.
pub async fn next_due(content: &Content) -> Result<Option<Timestamp>, Error> {
    Ok(waiting(content).await?.iter().map(|one| one.due_at).min())
}

/// Puts a failed mail back into the outbox. A notification is sent to the address that the company has then.
///
/// # Errors
/// A mail that has not failed.
pub async fn resend(content: &Content, inquiry_id: &str, id: &str) -> Result<(), Error> {
    let key = mail_key(inquiry_id, id);
    let stored = content.db.get("InquiryMail", &key, &strong()).await?;
    let stored: Option<InquiryMail> = stored.map(|record| record.typed()).transpose()?;
    let mut changes = again();
    if stored.is_some_and(|mail| mail.kind == MailKind::Notification) {
        changes.push((path(name!("to")), Change::Remove));
    }
    let counted = update(inquiry_id, vec![failed_mails(-1)], Vec::new());
    put_back(content, "InquiryMail", key, changes, Some(counted)).await
}

/// Makes the notifications due that wait for an address of the company.
pub(crate) async fn hasten_notifications(content: &Content) -> Result<(), Error> {
    let now = content.now();
    for waiting in waiting(content).await?.into_iter().filter(|one| one.due_at > now) {
        let Some(inquiry_id) = &waiting.inquiry_id else { continue };
        let stored = content.db.get("InquiryMail", &mail_key(inquiry_id, &waiting.id), &strong()).await?;
        let mail = stored.and_then(|stored| stored.typed::<InquiryMail>().ok());
        if mail.is_none_or(|mail| mail.to.is_some()) {
            continue;
        }
        // With a new number, a worker that has just found no address does not make it wait again.
        let changes = vec![set(name!("dueAt"), time(now)), set(name!("lease"), waiting.lease + 1)];
        let again = change(&waiting, changes);
        match commit(content, vec![again]).await {
            // A worker has it, or the inquiry was erased.
            Err(error) if error.code == ContentCode::MailTaken || error.code == CoreCode::NotFound => {}
            other => other?,
        }
    }
    Ok(())
}

/// Puts a failed delivery back into the outbox.
///
/// # Errors
/// A delivery that has not failed.
pub async fn redeliver(content: &Content, webhook_id: &str, id: &str) -> Result<(), Error> {
    put_back(content, "WebhookDelivery", delivery_key(webhook_id, id), again(), None).await
}

fn again() -> Vec<(Path, Change)> {
    vec![
        set(name!("state"), MailState::Pending.name()),
        set(name!("attempts"), 0),
        (path(name!("error")), Change::Remove),
    ]
}

async fn put_back(
    content: &Content,
    entity: &str,
    key: Item,
    changes: Vec<(Path, Change)>,
    more: Option<Operation>,
) -> Result<(), Error> {
    let mut fields = key.clone();
    fields.insert(name!("dueAt"), time(content.now()).into());
    let update = Update { key, changes, expected_version: None };
    let again = Operation::Update { entity: entity.into(), update, guards: Vec::new() };
    let waits = Operation::Create { entity: name!("Outbox"), fields, guards: Vec::new() };
    commit(content, [again, waits].into_iter().chain(more).collect()).await?;
    content.staged.notify_one();
    Ok(())
}

async fn waiting(content: &Content) -> Result<Vec<Waiting>, Error> {
    let records = all(content, "outbox", Item::new()).await?;
    Ok(records.iter().filter_map(|record| record.typed().ok()).collect())
}

async fn attempt(content: &Content, ports: Ports<'_>, waiting: &Waiting) -> Result<Attempt, Error> {
    let Some(taken) = take(content, waiting).await? else { return Ok(Attempt::Nothing) };
    match (&taken.inquiry_id, &taken.webhook_id, taken.event) {
        (Some(inquiry_id), _, _) => mail::attempt(content, ports.mailer, &taken, inquiry_id).await,
        (_, Some(webhook_id), _) => hook::attempt(content, ports.caller, &taken, webhook_id).await,
        (_, _, Some(event)) => event::expand(content, &taken, event).await.map(|()| Attempt::Nothing),
        // Of a program that is newer than this one.
        _ => Ok(Attempt::Nothing),
    }
}

/// Takes an item for one attempt; `None` if another worker has it, or it is gone.
async fn take(content: &Content, waiting: &Waiting) -> Result<Option<Waiting>, Error> {
    let due_at = after(content.now(), LEASE);
    let until = Some(Instant::now() + LEASE);
    let changes = vec![set(name!("dueAt"), time(due_at)), set(name!("lease"), waiting.lease + 1)];
    match commit(content, vec![change(waiting, changes)]).await {
        Ok(()) => Ok(Some(Waiting { lease: waiting.lease + 1, until, ..waiting.clone() })),
        Err(error)
            if error.code == ContentCode::MailTaken
                || error.code == CoreCode::NotFound
                || error.code == CoreCode::Contended =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Records the result of an attempt. A clear answer that is not recorded would make the next worker send again, so this is
/// tried until shortly before the lease ends. `plan` makes the writes that follow that of the outbox from what is stored now.
async fn record<F>(
    content: &Content,
    taken: &Waiting,
    due: Option<Timestamp>,
    plan: impl Fn() -> F,
) -> Result<(), Error>
where
    F: Future<Output = Result<Vec<Operation>, Error>>,
{
    let mut last = busy();
    let mut tried = 0_u32;
    loop {
        if tried > 0 {
            let pause = Duration::from_millis(10 << tried.min(9)).min(MAX_RECORD_PAUSE);
            if taken.until.is_none_or(|until| Instant::now() + pause + LAST > until) {
                return Err(last);
            }
            tokio::time::sleep(pause).await;
        }
        tried += 1;
        let mut operations = vec![match due {
            Some(due) => change(taken, vec![set(name!("dueAt"), time(due))]),
            None => done(taken),
        }];
        match plan().await {
            Ok(more) => operations.extend(more),
            Err(error) if passes(&error) => {
                last = error;
                continue;
            }
            Err(error) => return Err(error),
        }
        let Err(refusal) = content.db.commit(operations).await else { return Ok(()) };
        if refusal.operation == Some(0) && refusal.error.code == CoreCode::NotFound {
            // An attempt to record whose answer was lost has done it. Before any, another worker has finished it, or the
            // inquiry was erased.
            return if tried > 1 { Ok(()) } else { Err(taken_over()) };
        }
        if !passes(&refusal.error) {
            return Err(refusal.error);
        }
        last = refusal.error;
    }
}

/// Whether a new plan may succeed.
fn passes(error: &Error) -> bool {
    error.kind == ErrorKind::Unavailable
        || error.code == CoreCode::Contended
        || error.code == CoreCode::WrongState
        || error.code == CoreCode::NotFound
}

/// A change of an item of the outbox, if no other worker has taken it.
fn change(waiting: &Waiting, changes: Vec<(Path, Change)>) -> Operation {
    let update = Update { key: of_id(&waiting.id), changes, expected_version: None };
    Operation::Update { entity: name!("Outbox"), update, guards: vec![held(waiting.lease)] }
}

/// Takes an item out of the outbox, if no other worker has taken it.
fn done(taken: &Waiting) -> Operation {
    let guards = vec![held(taken.lease)];
    Operation::Delete { entity: name!("Outbox"), key: of_id(&taken.id), expected_version: None, guards }
}

fn held(lease: i64) -> Guard {
    let condition = Condition::unchanged(&name!("lease"), Some(&lease.into()));
    Guard { condition, otherwise: Reason::Other(taken_over()) }
}

fn taken_over() -> Error {
    Error::conflict(ContentCode::MailTaken, message!(messages::MAIL_TAKEN))
}

/// The time of the next attempt. The pause is up to a quarter longer by chance, so that what failed together is not tried
/// together again.
fn retry_at(content: &Content, attempts: i64) -> Timestamp {
    let doubled = u32::try_from(attempts - 1).unwrap_or_default().min(20);
    let pause = FIRST_PAUSE.saturating_mul(1 << doubled).min(MAX_PAUSE);
    let chance = u32::try_from(content.db.clock().moment().random % 256).unwrap_or_default();
    after(content.now(), pause + pause * chance / 1024)
}

fn after(at: Timestamp, pause: Duration) -> Timestamp {
    SignedDuration::try_from(pause)
        .ok()
        .and_then(|pause| at.checked_add(pause).ok())
        .unwrap_or(Timestamp::MAX)
}

fn short(why: &str) -> String {
    let text: String = why.chars().take(500).collect();
    if text.is_empty() { "-".to_owned() } else { text }
}
