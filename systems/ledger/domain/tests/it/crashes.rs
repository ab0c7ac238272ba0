//! Processes that die between two writes: what is done in several steps is completed by the next run.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use async_trait::async_trait;
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, Unavailable};
use hansang_core::{Item, Page, Store, StoreError};
use hansang_ledger::import::{NewImport, imports, mapping_of, read, resume_imports, stage, undo_import};
use hansang_ledger::{
    Kind, Ledger, LedgerCode, NewLine, add_lines, copy_month, delete, lines_of_month, month, relocate,
};

use crate::checker::{check, everything, text};
use crate::grounds::{Ground, On, line, month as at, subject};

/// A store that refuses every write after some.
#[derive(Debug)]
struct Dying {
    inner: Arc<dyn Store>,
    left: AtomicI64,
}

impl Dying {
    fn write_one(&self) -> Result<(), StoreError> {
        if self.left.fetch_sub(1, Ordering::Relaxed) > 0 {
            return Ok(());
        }
        let message = "the process has died".to_owned();
        Err(StoreError::Unavailable(Unavailable { message, outcome_unknown: false, source: None }))
    }
}

#[async_trait]
impl Store for Dying {
    async fn ensure_table(&self, table: &Table) -> Result<(), StoreError> {
        self.inner.ensure_table(table).await
    }

    async fn get(&self, table: &Table, get: &Get) -> Result<Option<Item>, StoreError> {
        self.inner.get(table, get).await
    }

    async fn batch_get(&self, table: &Table, gets: &BatchGet) -> Result<Vec<Option<Item>>, StoreError> {
        self.inner.batch_get(table, gets).await
    }

    async fn query(&self, table: &Table, query: &Query) -> Result<Page, StoreError> {
        self.inner.query(table, query).await
    }

    async fn scan(&self, table: &Table, scan: &Scan) -> Result<Page, StoreError> {
        self.inner.scan(table, scan).await
    }

    async fn write(&self, table: &Table, write: Write) -> Result<Option<Item>, StoreError> {
        self.write_one()?;
        self.inner.write(table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        self.write_one()?;
        self.inner.transact(writes).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.write_one()?;
        self.inner.batch_put(table, items).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.inner.history(table, key, limit).await
    }
}

/// A process on the store of a ledger that dies after some writes.
fn dying(ground: &Ground, writes: i64) -> Ledger {
    let inner = ground.ledger.db.store().clone();
    ground.another(Arc::new(Dying { inner, left: AtomicI64::new(writes) }))
}

/// Runs work in a process that dies after 0, 1, 2, … writes, each on a ledger of its own, until one lives.
async fn at_every_write(work: impl AsyncFn(&Ground, &Ledger) -> bool) {
    for writes in 0.. {
        assert!(writes < 100, "it never ends");
        let ground = Ground::new(On::Embedded).await;
        if work(&ground, &dying(&ground, writes)).await {
            return;
        }
    }
}

/// Sixty lines of an entry.
async fn fill(ledger: &Ledger) {
    let food: Vec<NewLine> = (0..60)
        .map(|number| line(&format!("2025-12-{:02}", number % 28 + 1), Kind::LivingExpense, "식비", "", 100))
        .collect();
    add_lines(ledger, "ann", &food).await.unwrap();
}

/// A process dies anywhere while it stages a file: the import is completed, or nothing is left of it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn staging_is_completed_or_swept() {
    at_every_write(async |ground, process| {
        let ledger = &ground.ledger;
        ground.set_date("2026-03-01");
        let mut file = "날짜,내용,금액\n".to_owned();
        for number in 0..450 {
            file.push_str(&format!("2026-02-{:02},가게 {number},1000\n", number % 28 + 1));
        }
        let table = read(file.as_bytes()).unwrap();
        let (_, mapping) = mapping_of(ledger, &table, None, None).await.unwrap();
        let choices = Default::default();
        let new =
            NewImport { file: "a.csv", profile: "a", table: &table, mapping: &mapping, choices: &choices };
        let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
        let staged = stage(process, "ann", id, new).await;
        resume_imports(ledger).await.unwrap();
        let spent = async || month(ledger, at("2026.02")).await.unwrap().totals.total_expense;
        match imports(ledger).await.unwrap().first() {
            Some(import) => assert_eq!((&*import.status, import.added), ("done", 450)),
            None => assert_eq!(spent().await, 0),
        }
        // A person tries again, and the next day everything that was staged is gone.
        stage(ledger, "ann", id, new).await.unwrap();
        resume_imports(ledger).await.unwrap();
        assert_eq!(spent().await, 450_000);
        ground.set_date("2026-03-03");
        resume_imports(ledger).await.unwrap();
        let items = everything(&ledger.db).await;
        let left = items.iter().filter(|item| text(item, "PK").starts_with("LEDGER#STAG"));
        assert_eq!(left.count(), 0);
        assert_eq!(check(ledger).await, Vec::<String>::new());
        staged.is_ok()
    })
    .await;
}

/// A sweep and a slow request: rows that were given up are not imported.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn swept_rows_are_not_imported() {
    let ground = Ground::new(On::Embedded).await;
    let ledger = &ground.ledger;
    ground.set_date("2026-03-01");
    let table = read("날짜,내용,금액\n2026-02-01,가게,1000\n".as_bytes()).unwrap();
    let (_, mapping) = mapping_of(ledger, &table, None, None).await.unwrap();
    let choices = Default::default();
    let new = NewImport { file: "a.csv", profile: "a", table: &table, mapping: &mapping, choices: &choices };
    // It dies before the import is created: the note, the rows and the mapping are there.
    let id = "01KA9Z6Q3N8V5T2R7W4Y1M0CDE";
    stage(&dying(&ground, 3), "ann", id, new).await.unwrap_err();
    let staging = |items: &[Item]| {
        items
            .iter()
            .find(|item| text(item, "PK") == "LEDGER#STAGINGS")
            .map(|item| text(item, "SK").to_owned())
    };
    assert!(staging(&everything(&ledger.db).await).is_some());
    ground.set_date("2026-03-03");
    resume_imports(ledger).await.unwrap();
    assert_eq!(staging(&everything(&ledger.db).await), None);
    assert!(imports(ledger).await.unwrap().is_empty());
}

/// A long entry is on its way to another month when the process dies: the same move again completes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_move_goes_on() {
    let food = subject(Kind::LivingExpense, "식비");
    at_every_write(async |ground, process| {
        let ledger = &ground.ledger;
        fill(ledger).await;
        let moved = relocate(process, "ann", at("2025.12"), &food, at("2026.01")).await;
        assert_eq!(check(ledger).await, Vec::<String>::new());
        if moved.is_err() {
            relocate(ledger, "ann", at("2025.12"), &food, at("2026.01")).await.unwrap();
        }
        assert_eq!(lines_of_month(ledger, at("2026.01")).await.unwrap().len(), 60);
        assert!(lines_of_month(ledger, at("2025.12")).await.unwrap().is_empty());
        assert_eq!(check(ledger).await, Vec::<String>::new());
        // A move that ended is not continued.
        fill(ledger).await;
        let refused = relocate(ledger, "ann", at("2025.12"), &food, at("2026.01")).await.unwrap_err();
        assert_eq!(refused.code, LedgerCode::EntryExists);
        moved.is_ok()
    })
    .await;
}

/// A long entry is half deleted, and a month half copied: the same again completes it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn interrupted_deletions_and_copies_go_on() {
    let food = subject(Kind::LivingExpense, "식비");
    at_every_write(async |ground, process| {
        let ledger = &ground.ledger;
        fill(ledger).await;
        fill(ledger).await;
        let deleted = delete(process, "ann", at("2025.12"), &food).await;
        assert_eq!(check(ledger).await, Vec::<String>::new());
        if deleted.is_err() {
            delete(ledger, "ann", at("2025.12"), &food).await.unwrap();
        }
        assert!(lines_of_month(ledger, at("2025.12")).await.unwrap().is_empty());
        deleted.is_ok()
    })
    .await;
    at_every_write(async |ground, process| {
        let ledger = &ground.ledger;
        let names: Vec<String> = (0..70).map(|number| format!("분류 {number}")).collect();
        let list = hansang_ledger::CodeType::LivingExpenseCategory;
        hansang_ledger::replace_codes(ledger, "ann", list, names.clone()).await.unwrap();
        let lines: Vec<NewLine> =
            names.iter().map(|name| line("2025-12-01", Kind::LivingExpense, name, "", 100)).collect();
        add_lines(ledger, "ann", &lines).await.unwrap();
        let copied = copy_month(process, "ann", at("2026.01")).await;
        assert_eq!(check(ledger).await, Vec::<String>::new());
        if copied.is_err() {
            copy_month(ledger, "ann", at("2026.01")).await.unwrap();
        }
        assert_eq!(month(ledger, at("2026.01")).await.unwrap().entries.len(), 70);
        assert_eq!(check(ledger).await, Vec::<String>::new());
        copied.is_ok()
    })
    .await;
}

/// An import is half undone when the process dies: the worker completes it, but for a line that a person changed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_undo_goes_on() {
    at_every_write(async |ground, process| {
        let ledger = &ground.ledger;
        let mut file = "날짜,내용,금액\n".to_owned();
        for number in 0..100 {
            file.push_str(&format!("2026-02-{:02},가게 {number},1000\n", number % 28 + 1));
        }
        let import = crate::imports::bring(ledger, &file).await.unwrap();
        let undone = undo_import(process, "ann", &import.import_id).await;
        let status = imports(ledger).await.unwrap()[0].status.clone();
        let kept = lines_of_month(ledger, at("2026.02")).await.unwrap().pop();
        let mut left = 0;
        if let Some(line) = kept.filter(|_| status == "undoing") {
            let change = hansang_ledger::LineChange { amount: Some(7), ..Default::default() };
            hansang_ledger::change_line(ledger, "bob", at("2026.02"), &line.line_id, change).await.unwrap();
            left = 7;
        }
        resume_imports(ledger).await.unwrap();
        let expected = if status == "done" { 100_000 } else { left };
        assert_eq!(month(ledger, at("2026.02")).await.unwrap().totals.total_expense, expected);
        assert_eq!(check(ledger).await, Vec::<String>::new());
        undone.is_ok()
    })
    .await;
}
