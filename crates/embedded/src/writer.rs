//! The one writer: takes all requests that wait, evaluates them in order, makes them durable with
//! one commit, and only then answers them.

use std::collections::HashMap;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hansang_core::{Item, StoreError, Table};
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::catalog::{Catalog, Shelf};
use crate::engine::{Batch, Engine, Space};
use crate::feed;
use crate::group::{Changed, Group, Prepared};
use crate::queue::{self, Lines};
use crate::rows::Rows;
use crate::{Now, build};

/// Requests that may wait; whoever comes later waits to be let in.
pub(crate) const WAITING: usize = 1024;
/// The most requests of one commit.
const GROUP: usize = 1024;

/// The longest that a commit waits for others to share it.
const PATIENCE: Duration = Duration::from_millis(2);
/// When nobody has come for so long, the others are busy with something else.
const LULL: Duration = Duration::from_micros(100);

/// What is asked of the writer.
pub(crate) enum Work {
    Write(Box<Prepared>),
    PutAll(Vec<Prepared>),
    Expire { now: Timestamp, entries: Vec<Vec<u8>> },
    Trim { until: u64 },
    Ensure(Box<Table>),
}

pub(crate) type Answer = Result<Option<Item>, StoreError>;

pub(crate) enum Request {
    /// Work for a table of this name.
    Table { table: String, work: Work, reply: oneshot::Sender<Answer> },
    /// All of the writes or none, each with the number of its table among `shelves`.
    Transact { shelves: Vec<Arc<Shelf>>, writes: Vec<(usize, Prepared)>, reply: oneshot::Sender<Answer> },
    /// Work for a queue.
    Queue(queue::Asked),
}

pub(crate) struct Writer {
    pub(crate) engine: Arc<Engine>,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) rows: Arc<Rows>,
    /// The writes of the next commit.
    pub(crate) group: Group,
    pub(crate) meta: Space,
    pub(crate) now: Now,
    /// The last number of each change feed.
    pub(crate) sequences: HashMap<u32, u64>,
    /// The queues, whose changes are part of the same commits.
    pub(crate) lines: Lines,
}

impl Writer {
    /// Works until nobody is left who could ask.
    pub(crate) fn run(mut self, mut requests: mpsc::Receiver<Request>) {
        let mut waiting = Vec::with_capacity(GROUP);
        let (mut answered, mut took) = (0, Duration::ZERO);
        while requests.blocking_recv_many(&mut waiting, GROUP) > 0 {
            gather(&mut requests, &mut waiting, answered, (took / 2).min(PATIENCE));
            let began = Instant::now();
            answered = waiting.len();
            self.serve(&mut waiting);
            took = began.elapsed();
        }
    }

    fn serve(&mut self, waiting: &mut Vec<Request>) {
        let engine = self.engine.clone();
        let mut batch = engine.batch(waiting.len() * 4);
        let mut answers = Vec::with_capacity(waiting.len());
        for request in waiting.drain(..) {
            let (table, work, reply) = match request {
                Request::Table { table, work, reply } => (table, work, reply),
                Request::Transact { shelves, writes, reply } => {
                    answers.push((reply, self.transact(&shelves, writes)));
                    continue;
                }
                Request::Queue(asked) => {
                    self.lines.take(asked);
                    continue;
                }
            };
            if let Work::Ensure(table) = work {
                // What comes after it must see the table it makes.
                self.commit(batch, &mut answers);
                let answer = build::ensure(&engine, &self.meta, &self.catalog, &table);
                let _ = reply.send(answer.map(|()| None));
                batch = engine.batch(GROUP);
                continue;
            }
            // The table may have got an index since the request was made.
            let shelf = self.catalog.get(&table);
            let answer = shelf.and_then(|shelf| execute(&mut self.group, &mut batch, &shelf, work));
            answers.push((reply, answer));
        }
        self.commit(batch, &mut answers);
    }

    /// The tables are looked up again: they may have got an index since the request was made.
    fn transact(&mut self, shelves: &[Arc<Shelf>], writes: Vec<(usize, Prepared)>) -> Answer {
        let current = |shelf: &Arc<Shelf>| self.catalog.get(&shelf.table.name);
        let shelves = shelves.iter().map(current).collect::<Result<Vec<_>, _>>()?;
        self.group.transact(&shelves, writes).map(|()| None)
    }

    fn commit(&mut self, mut batch: Batch, answers: &mut Vec<(oneshot::Sender<Answer>, Answer)>) {
        self.rows.begin(self.group.changed_places());
        let changed = self.group.finish(&mut batch);
        self.lines.write(&mut batch);
        let written = self
            .record(&mut batch, changed)
            .and_then(|()| if batch.is_empty() { Ok(()) } else { self.engine.commit(batch) });
        self.rows.end();
        if written.is_err() {
            self.group.forget();
        }
        for (reply, answer) in answers.drain(..) {
            // Whoever gave up waiting is not told.
            let _ = reply.send(match &written {
                Ok(()) => answer,
                Err(error) => Err(unknown(error.clone())),
            });
        }
        self.lines.answer(written.map_err(unknown));
    }

    fn record(&mut self, batch: &mut Batch, changed: Vec<Changed>) -> Result<(), StoreError> {
        for change in changed {
            let sequence = self.next_sequence(&change.shelf)?;
            feed::put(batch, &change, sequence, (self.now)());
        }
        Ok(())
    }

    fn next_sequence(&mut self, shelf: &Shelf) -> Result<u64, StoreError> {
        let last = match self.sequences.get(&shelf.number) {
            Some(last) => *last,
            None => feed::last(&self.engine, shelf)?,
        };
        self.sequences.insert(shelf.number, last + 1);
        Ok(last + 1)
    }
}

/// Waits a moment for those who were answered last: most of them ask again at once, and whoever comes too late waits
/// for a whole commit. A commit for the first of them alone would make all others late.
fn gather(
    requests: &mut mpsc::Receiver<Request>,
    waiting: &mut Vec<Request>,
    expected: usize,
    patience: Duration,
) {
    let began = Instant::now();
    let (mut came, mut last) = (0, began);
    while waiting.len() + requests.len() < expected && began.elapsed() < patience {
        thread::yield_now();
        if requests.len() > came {
            (came, last) = (requests.len(), Instant::now());
        } else if last.elapsed() > LULL {
            break;
        }
    }
    while waiting.len() < GROUP
        && let Ok(request) = requests.try_recv()
    {
        waiting.push(request);
    }
}

fn execute(group: &mut Group, batch: &mut Batch, shelf: &Arc<Shelf>, work: Work) -> Answer {
    match work {
        Work::Write(prepared) => return group.write(shelf, *prepared),
        Work::PutAll(writes) => {
            for prepared in writes {
                group.write(shelf, prepared)?;
            }
        }
        Work::Expire { now, entries } => group.expire(batch, shelf, now, entries)?,
        Work::Trim { until } => feed::trim(batch, shelf, until),
        Work::Ensure(_) => {}
    }
    Ok(None)
}

/// A commit that failed may have reached the disk all the same.
fn unknown(error: StoreError) -> StoreError {
    match error {
        StoreError::Unavailable(unavailable) => {
            StoreError::Unavailable(hansang_core::store::Unavailable { outcome_unknown: true, ..unavailable })
        }
        other => other,
    }
}
