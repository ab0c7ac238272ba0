//! The writer thread: takes all waiting requests, evaluates them in order, makes them durable with one
//! commit, and then replies.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hansang_core::{Item, StoreError, Table};
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::catalog::{Catalog, StoredTable};
use crate::engine::{Batch, Engine, Space};
use crate::feed;
use crate::group::{Changed, Group, Prepared};
use crate::queue::{self, Lines};
use crate::rows::Rows;
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
    Transact { tables: Vec<Arc<StoredTable>>, writes: Vec<(usize, Prepared)>, reply: oneshot::Sender<Reply> },
    /// Work on a queue.
    Queue(queue::QueueRequest),
}

pub(crate) struct Writer {
    pub(crate) engine: Arc<Engine>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) rows: Arc<Rows>,
    /// Writes of the next commit.
    pub(crate) group: Group,
    pub(crate) meta: Space,
    pub(crate) now: Now,
    /// Last sequence number of each change feed, by table number.
    pub(crate) sequences: HashMap<u32, u64>,
    /// Queues. Their changes are part of the same commits.
    pub(crate) lines: Lines,
}

impl Writer {
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
        let engine = self.engine.clone();
        let mut batch = engine.batch(waiting.len() * 4);
        let mut replies = Vec::with_capacity(waiting.len());
        for request in waiting.drain(..) {
            let (table, work, reply) = match request {
                Request::Table { table, work, reply } => (table, work, reply),
                Request::Transact { tables, writes, reply } => {
                    replies.push((reply, self.transact(&tables, writes)));
                    continue;
                }
                Request::Queue(request) => {
                    self.lines.handle(request);
                    continue;
                }
            };
            if let Work::Ensure(table) = work {
                // Later requests must see the new table.
                self.commit(batch, &mut replies);
                let result = build::ensure(&engine, &self.meta, &self.catalog, &table);
                let _ = reply.send(result.map(|()| None));
                batch = engine.batch(MAX_GROUP);
                continue;
            }
            // Looked up again: the table may have a new index since the request was made.
            let stored = self.catalog.get(&table);
            let result = stored.and_then(|stored| execute(&mut self.group, &mut batch, &stored, work));
            replies.push((reply, result));
        }
        self.commit(batch, &mut replies);
    }

    /// Looks the tables up again: they may have a new index since the request was made.
    fn transact(&mut self, tables: &[Arc<StoredTable>], writes: Vec<(usize, Prepared)>) -> Reply {
        let current = |stored: &Arc<StoredTable>| self.catalog.get(&stored.table.name);
        let tables = tables.iter().map(current).collect::<Result<Vec<_>, _>>()?;
        self.group.transact(&tables, writes).map(|()| None)
    }

    fn commit(&mut self, mut batch: Batch, replies: &mut Vec<(oneshot::Sender<Reply>, Reply)>) {
        self.rows.begin(self.group.changed_keys());
        let changed = self.group.finish(&mut batch);
        self.lines.write(&mut batch);
        let written = self
            .record(&mut batch, changed)
            .and_then(|()| if batch.is_empty() { Ok(()) } else { self.engine.commit(batch) });
        self.rows.end();
        if written.is_err() {
            self.group.forget();
        }
        for (reply, result) in replies.drain(..) {
            // The caller may have stopped waiting.
            let _ = reply.send(match &written {
                Ok(()) => result,
                Err(error) => Err(unknown(error.clone())),
            });
        }
        self.lines.reply(written.map_err(unknown));
    }

    fn record(&mut self, batch: &mut Batch, changed: Vec<Changed>) -> Result<(), StoreError> {
        for change in changed {
            let sequence = self.next_sequence(&change.stored)?;
            feed::put(batch, &change, sequence, (self.now)());
        }
        Ok(())
    }

    fn next_sequence(&mut self, stored: &StoredTable) -> Result<u64, StoreError> {
        let last = match self.sequences.get(&stored.number) {
            Some(last) => *last,
            None => feed::last(&self.engine, stored)?,
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

/// Marks the outcome as unknown: a failed commit may have reached the disk.
fn unknown(error: StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(unavailable) => {
            StoreError::Unavailable(hansang_core::store::Unavailable { outcome_unknown: true, ..unavailable })
        }
        other => other,
    }
}
