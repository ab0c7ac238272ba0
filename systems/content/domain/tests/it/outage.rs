//! A store that stops taking writes while an answer is recorded.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use hansang_content::{
    CorpInfo, Delivered, Mail, MailState, Mailer, Sent, deliver, mails_of, save_corp_info, submit,
};
use hansang_core::model::Table;
use hansang_core::plan::{BatchGet, Get, Key, Query, Scan, TableWrite, Write};
use hansang_core::store::{History, Unavailable};
use hansang_core::{Error, Item, Page, Store, StoreError};
use hansang_testkit::memory::Memory;
use tokio::time::Instant;

use crate::grounds::{content, ports};
use crate::inquiries::{Scripted, inquiry};
use crate::mails::clock;

/// A store that refuses writes until a time.
#[derive(Debug, Default)]
struct Outage {
    inner: Memory,
    until: Mutex<Option<Instant>>,
}

impl Outage {
    fn check(&self) -> Result<(), StoreError> {
        if self.until.lock().unwrap().is_none_or(|until| Instant::now() >= until) {
            return Ok(());
        }
        let message = "no writes for now".to_owned();
        Err(StoreError::Unavailable(Unavailable { message, outcome_unknown: false, source: None }))
    }
}

#[async_trait]
impl Store for Outage {
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
        self.check()?;
        self.inner.write(table, write).await
    }

    async fn transact(&self, writes: Vec<TableWrite>) -> Result<(), StoreError> {
        self.check()?;
        self.inner.transact(writes).await
    }

    async fn batch_put(&self, table: &Table, items: Vec<Item>) -> Result<(), StoreError> {
        self.check()?;
        self.inner.batch_put(table, items).await
    }

    async fn history(&self, table: &Table, key: &Key, limit: usize) -> Result<Option<History>, StoreError> {
        self.inner.history(table, key, limit).await
    }
}

/// Accepts a mail, and then the store takes no writes for some time.
struct Breaking(Arc<Outage>, Duration, Scripted);

#[async_trait]
impl Mailer for Breaking {
    async fn send(&self, mail: &Mail) -> Sent {
        *self.0.until.lock().unwrap() = Some(Instant::now() + self.1);
        self.2.send(mail).await
    }

    async fn forget(&self, id: &str) -> Result<(), Error> {
        self.2.forget(id).await
    }
}

/// Cs11: a clear answer is recorded as long as no other worker can have the mail: behind that it would be sent again.
#[tokio::test(start_paused = true)]
async fn an_answer_is_recorded_after_an_outage() {
    for (outage, recorded) in [(150, true), (175, false)] {
        let store = Arc::new(Outage::default());
        let seconds = Arc::new(AtomicI64::new(0));
        let content = content(store.clone(), clock(0, seconds.clone()));
        content.db.ensure_table().await.unwrap();
        let info = CorpInfo { email: Some("contact@family.com".to_owned()), ..CorpInfo::default() };
        save_corp_info(&content, &info).await.unwrap();
        let new = submit(&content, &inquiry()).await.unwrap();
        let mailer = Breaking(store.clone(), Duration::from_secs(outage), Scripted::default());
        let begun = Instant::now();
        // The event beside the mail fails meanwhile, and is due again later.
        drop(deliver(&content, ports(&mailer)).await);
        assert!(begun.elapsed() < Duration::from_secs(180), "another worker may have it by now");
        *store.until.lock().unwrap() = None;
        let [mail] = &mails_of(&content, &new.id).await.unwrap()[..] else { panic!() };
        assert_eq!(mail.state == MailState::Sent, recorded, "{outage} s");
        // The next worker sends only what was not recorded.
        seconds.fetch_add(3600, Ordering::Relaxed);
        let again = Delivered { sent: usize::from(!recorded), ..Delivered::default() };
        assert_eq!(deliver(&content, ports(&mailer.2)).await.unwrap(), again, "{outage} s");
    }
}
