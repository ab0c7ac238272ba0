//! The writer thread: takes all waiting requests, evaluates them in order, makes them durable with one
//! commit, and then replies.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hansang_core::{Item, StoreError, Table};
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::catalog::StoredTable;
use crate::current::{Current, Opened};
use crate::engine::{Batch, Engine};
use crate::feed;
use crate::group::{Group, Prepared};
use crate::queue::{self, Lines};
use crate::rows::Rows;
use crate::trouble::{Trouble, probe, with_outcome};
use crate::{Now, build};

/// Capacity of the request channel.
pub(crate) const CHANNEL_CAPACITY: usize = 1024;
/// Maximum number of requests per commit.
const MAX_GROUP: usize = 1024;

/// Maximum time that a commit waits for more requests.
const MAX_GATHER_TIME: Duration = Duration::from_millis(2);
/// Commits after this idle gap.
const IDLE_GAP: Duration = Duration::from_micros(100);

/// Work on one table.
pub(crate) enum Work {
    Write(Box<Prepared>),
    PutAll(Vec<Prepared>),
    Expire { now: Timestamp, entries: Vec<Vec<u8>> },
    Trim { until: u64 },
    Ensure(Box<Table>),
}

pub(crate) type Reply = Result<Option<Item>, StoreError>;

pub(crate) enum Request {
    /// Work on the table of this name.
    Table { table: String, work: Work, reply: oneshot::Sender<Reply> },
    /// All of the writes or none. Each write has the index of its table in `tables`.
    Transact { tables: Vec<Arc<Table>>, writes: Vec<(usize, Prepared)>, reply: oneshot::Sender<Reply> },
    /// Work on a queue.
    Queue(queue::QueueRequest),
    /// A checkpoint: see [`Current::begin_checkpoint`].
    Checkpoint { reply: oneshot::Sender<Reply> },
}

impl Request {
    fn refuse(self, error: StoreError) {
        // The caller may have stopped waiting.
        match self {
            Self::Table { reply, .. } | Self::Transact { reply, .. } | Self::Checkpoint { reply } => {
                drop(reply.send(Err(error)))
            }
            Self::Queue(request) => drop(request.reply.send(Err(error))),
        }
    }
}

/// The replies that wait for a commit.
type Replies = Vec<(oneshot::Sender<Reply>, Reply)>;

pub(crate) struct Writer {
    current: Arc<Current>,
    rows: Arc<Rows>,
    now: Now,
    /// `None` while the engine is closed.
    session: Option<Session>,
    /// Set since a write failed.
    trouble: Option<Trouble>,
}

/// State of the writer that belongs to an open engine.
struct Session {
    opened: Arc<Opened>,
    /// Writes of the next commit.
    group: Group,
    /// Last sequence number of each change feed, by table number.
    sequences: HashMap<u32, u64>,
    /// Queues. Their changes are part of the same commits.
    lines: Lines,
}

impl Writer {
    pub(crate) fn new(current: Arc<Current>, rows: Arc<Rows>, now: Now) -> Self {
        let mut writer = Self { current, rows, now, session: None, trouble: None };
        writer.begin();
        writer
    }

    /// Runs until all senders are dropped.
    pub(crate) fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        let mut waiting = Vec::with_capacity(MAX_GROUP);
        let (mut served, mut took) = (0, Duration::ZERO);
        while requests.blocking_recv_many(&mut waiting, MAX_GROUP) > 0 {
            gather(&mut requests, &mut waiting, served, (took / 2).min(MAX_GATHER_TIME));
            let began = Instant::now();
            served = waiting.len();
            self.serve(&mut waiting);
            took = began.elapsed();
        }
    }

    fn serve(&mut self, waiting: &mut Vec<Request>) {
        let mut refusal = self.prepare().err();
        let mut replies = Vec::with_capacity(waiting.len());
        let (mut batch, mut checkpoint) = (None, None);
        for request in waiting.drain(..) {
            let session = match (&refusal, &mut self.session) {
                (None, Some(session)) => session,
                (Some(error), _) => {
                    request.refuse(error.clone());
                    continue;
                }
                (None, None) => continue,
            };
            let changes = batch.get_or_insert_with(|| session.opened.engine.batch(MAX_GROUP));
            match request {
                Request::Table { work: Work::Ensure(table), reply, .. } => {
                    // Later requests must see the new table.
                    refusal = self.commit(batch.take(), &mut replies).err();
                    let result = match (&refusal, &self.session) {
                        (Some(error), _) => Err(error.clone()),
                        (None, Some(Session { opened, .. })) => {
                            self.current.changed();
                            build::ensure(opened, &table).and_then(|()| self.current.note_keyspaces(opened))
                        }
                        (None, None) => Ok(()),
                    };
                    replies.push((reply, result.map(|()| None)));
                }
                Request::Table { table, work, reply } => {
                    // Looked up again: the table may have a new index since the request was made.
                    let stored = session.opened.catalog.get(&table);
                    let result =
                        stored.and_then(|stored| execute(&mut session.group, changes, &stored, work));
                    replies.push((reply, result));
                }
                Request::Transact { tables, writes, reply } => {
                    replies.push((reply, session.transact(&tables, writes)));
                }
                Request::Queue(request) => session.lines.handle(request, &self.current),
                Request::Checkpoint { reply } => {
                    checkpoint = self.current.begin_checkpoint(&session.opened, changes).or(checkpoint);
                    replies.push((reply, Ok(None)));
                }
            }
        }
        if refusal.is_none() {
            // The error was sent to the callers.
            let committed = self.commit(batch, &mut replies);
            if let (Ok(()), Some(number), Some(session)) = (committed, checkpoint, &self.session)
                && let Err(error) = self.current.end_checkpoint(&session.opened, number)
            {
                tracing::warn!(%error, "a checkpoint was not noted");
            }
        }
        for (reply, result) in replies {
            let _ = reply.send(result);
        }
    }

    /// Commits, and replies. After a failure, opens the engine again and returns the error for the requests
    /// that follow.
    fn commit(&mut self, batch: Option<Batch>, replies: &mut Replies) -> Result<(), StoreError> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let mut batch = batch.unwrap_or_else(|| session.opened.engine.batch(MAX_GROUP));
        self.rows.begin(session.group.changed_keys());
        let written = session.write(&mut batch, &self.now).and_then(|()| {
            if !batch.is_empty() {
                self.current.changed();
            }
            if batch.is_empty() {
                session.opened.engine.check_commits()
            } else {
                session.opened.engine.commit(batch)
            }
        });
        self.rows.end();
        let Err(error) = written else {
            if self.trouble.take().is_some() {
                tracing::info!("the store writes again");
            }
            for (reply, result) in replies.drain(..) {
                // The caller may have stopped waiting.
                let _ = reply.send(result);
            }
            if let Some(session) = &mut self.session {
                session.lines.reply();
            }
            return Ok(());
        };
        session.group.forget();
        let queues = session.lines.abandon();
        let error = self.fail(error);
        replies.drain(..).for_each(|(reply, _)| drop(reply.send(Err(error.clone()))));
        queues.into_iter().for_each(|reply| drop(reply.send(Err(error.clone()))));
        Err(with_outcome(error, false))
    }

    /// Removes a failed commit from the journal and opens the engine again. Returns the error for the callers:
    /// the outcome is unknown only if the commit could not be removed.
    ///
    /// An engine that refused the commit has nothing to remove. It stays open, because it can still be read,
    /// until [`Self::prepare`] finds that opening it again will succeed.
    fn fail(&mut self, error: StoreError) -> StoreError {
        let Some(session) = self.session.take() else { return error };
        let engine = &session.opened.engine;
        let (writable, failed_from) = (engine.check_writable().is_ok(), engine.failed_from());
        drop(session);
        match &mut self.trouble {
            // Something could not be read, and nothing was committed.
            _ if writable => {}
            Some(trouble) => trouble.goes_on(&error),
            None => self.trouble = Some(Trouble::begin(&error)),
        }
        let Some(from) = failed_from else {
            self.begin();
            return with_outcome(error, false);
        };
        let closed = self.current.close();
        let undone = closed && Engine::undo(self.current.directory(), from).is_ok();
        self.reopen(closed);
        with_outcome(error, !undone)
    }

    /// Opens the engine if it is closed, and begins a session.
    fn reopen(&mut self, closed: bool) {
        if closed {
            // The commit that failed may be visible now.
            self.rows.clear();
            if let Err(error) = self.current.reopen()
                && let Some(trouble) = &mut self.trouble
            {
                trouble.goes_on(&error);
            }
        }
        self.begin();
    }

    fn begin(&mut self) {
        self.session = self.current.get().ok().map(|opened| Session {
            group: Group::new(opened.clone(), self.rows.clone()),
            sequences: HashMap::new(),
            lines: Lines::new(opened.clone(), self.now.clone()),
            opened,
        });
    }

    /// Makes sure that the engine is open and accepts writes. After a failure, tries again from time to time;
    /// in between, requests are refused without an attempt.
    fn prepare(&mut self) -> Result<(), StoreError> {
        let Some(trouble) = &mut self.trouble else { return Ok(()) };
        if !trouble.is_due() {
            return Err(trouble.error());
        }
        if let Err(cause) = probe(self.current.directory()) {
            let message = format!("{} cannot be written: {cause}", self.current.directory().display());
            trouble.goes_on(&StoreError::unavailable(message));
            return Err(trouble.error());
        }
        let writable = self.session.as_ref().is_some_and(|one| one.opened.engine.check_writable().is_ok());
        if !writable {
            self.session = None;
            let closed = self.current.close();
            self.reopen(closed);
        }
        match (&self.session, &self.trouble) {
            (None, Some(trouble)) => Err(trouble.error()),
            _ => Ok(()),
        }
    }
}

impl Session {
    /// Looks the tables up again: they may have a new index since the request was made.
    fn transact(&mut self, tables: &[Arc<Table>], writes: Vec<(usize, Prepared)>) -> Reply {
        let current = |table: &Arc<Table>| self.opened.catalog.get(&table.name);
        let tables = tables.iter().map(current).collect::<Result<Vec<_>, _>>()?;
        self.group.transact(&tables, writes).map(|()| None)
    }

    /// Adds all changes to the batch.
    fn write(&mut self, batch: &mut Batch, now: &Now) -> Result<(), StoreError> {
        let changed = self.group.finish(batch);
        self.lines.write(batch);
        for change in changed {
            let sequence = self.next_sequence(&change.stored)?;
            feed::put(batch, &change, sequence, now());
        }
        Ok(())
    }

    fn next_sequence(&mut self, stored: &StoredTable) -> Result<u64, StoreError> {
        let last = match self.sequences.get(&stored.number) {
            Some(last) => *last,
            None => feed::last(&self.opened.engine, stored)?,
        };
        self.sequences.insert(stored.number, last + 1);
        Ok(last + 1)
    }
}

/// Waits for callers that were just served: most send the next request at once, and a request that misses
/// this commit waits for a whole one.
fn gather(
    requests: &mut mpsc::Receiver<Request>,
    waiting: &mut Vec<Request>,
    expected: usize,
    timeout: Duration,
) {
    let began = Instant::now();
    let (mut came, mut last) = (0, began);
    while waiting.len() + requests.len() < expected && began.elapsed() < timeout {
        thread::yield_now();
        if requests.len() > came {
            (came, last) = (requests.len(), Instant::now());
        } else if last.elapsed() > IDLE_GAP {
            break;
        }
    }
    while waiting.len() < MAX_GROUP
        && let Ok(request) = requests.try_recv()
    {
        waiting.push(request);
    }
}

fn execute(group: &mut Group, batch: &mut Batch, stored: &Arc<StoredTable>, work: Work) -> Reply {
    match work {
        Work::Write(prepared) => return group.write(stored, *prepared),
        Work::PutAll(writes) => {
            for prepared in writes {
                group.write(stored, prepared)?;
            }
        }
        Work::Expire { now, entries } => group.expire(batch, stored, now, entries)?,
        Work::Trim { until } => feed::trim(batch, stored, until),
        Work::Ensure(_) => {}
    }
    Ok(None)
}
