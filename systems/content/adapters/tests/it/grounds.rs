//! Fixtures.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use async_trait::async_trait;
use hansang_content::{Caller, Content, HookAnswer, HookCall, MODEL, Mail, Mailer, Sent};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::files::{FileBody, Files};
use hansang_core::write::Moment;
use hansang_core::{Db, Error, compile};
use hansang_testkit::memory::Memory;
use jiff::{SignedDuration, Timestamp};

/// A site in memory, with a clock that the test sets.
pub(crate) struct Ground {
    pub(crate) content: Content,
    seconds: Arc<AtomicI64>,
}

impl Ground {
    /// A site at noon of 2026-01-01.
    pub(crate) async fn new() -> Self {
        let seconds = Arc::new(AtomicI64::new(0));
        let (count, passed) = (AtomicU64::new(1), seconds.clone());
        let noon: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let clock = Clock::new(move || Moment {
            now: noon + SignedDuration::from_secs(passed.load(Ordering::Relaxed)),
            random: u128::from(count.fetch_add(1, Ordering::Relaxed)),
        });
        let model = Arc::new(compile(MODEL.as_bytes()).unwrap());
        let content =
            Content::new(Db::new(model, None, Arc::new(Memory::new()), clock, CursorKey::new(b"tests")));
        content.db.ensure_table().await.unwrap();
        Self { content, seconds }
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, seconds: i64) {
        self.seconds.fetch_add(seconds, Ordering::Relaxed);
    }
}

/// A part of the outside that a test does not use.
#[derive(Debug)]
pub(crate) struct Unused;

#[async_trait]
impl Mailer for Unused {
    async fn send(&self, mail: &Mail) -> Sent {
        panic!("{mail:?}")
    }

    async fn forget(&self, id: &str) -> Result<(), Error> {
        panic!("{id}")
    }
}

#[async_trait]
impl Caller for Unused {
    async fn call(&self, call: &HookCall) -> HookAnswer {
        panic!("{call:?}")
    }
}

#[async_trait]
impl Files for Unused {
    async fn put(&self, key: &str, _: &str, _: &std::path::Path) -> Result<(), Error> {
        panic!("{key}")
    }

    async fn get(&self, key: &str, _: Option<std::ops::Range<u64>>) -> Result<Option<FileBody>, Error> {
        panic!("{key}")
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        panic!("{key}")
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        panic!("{folder}")
    }

    async fn address(
        &self,
        key: &str,
        _: Option<&str>,
        _: std::time::Duration,
    ) -> Result<Option<String>, Error> {
        panic!("{key}")
    }

    async fn upload_address(
        &self,
        key: &str,
        _: &str,
        _: u64,
        _: std::time::Duration,
    ) -> Result<Option<String>, Error> {
        panic!("{key}")
    }
}
