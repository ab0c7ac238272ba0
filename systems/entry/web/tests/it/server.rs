//! A server with events and an in-memory queue. Tests decide requests explicitly.

use std::ops::Deref;
use std::sync::Arc;

use hansang_core::Queue;
use hansang_entry::Entry;
use hansang_entry_web::EntrySystem;
use hansang_server::{Settings, System};
use hansang_testserver::On;

pub(crate) use hansang_testserver::settings;

pub(crate) struct Server {
    server: hansang_testserver::Server,
    pub(crate) entry: Entry,
}

impl Server {
    pub(crate) async fn entry(on: On) -> Self {
        Self::entry_with(on, settings()).await
    }

    pub(crate) async fn entry_with(on: On, settings: Settings) -> Self {
        let server = hansang_testserver::Server::of_system(on, Arc::new(EntrySystem), settings).await;
        let db = server.db(hansang_entry::MODEL);
        let entry = Entry { db, queue: server.queue.clone(), settings: hansang_entry::Settings::default() };
        let mut server = Self { server, entry };
        server.reopen(&[("rate-entries", "1000")], &[]).await;
        server
    }

    /// Serves the same events with another queue.
    pub(crate) async fn use_queue(&mut self, queue: Arc<dyn Queue>) {
        self.server.queue = queue.clone();
        self.entry.queue = queue;
        self.reopen(&[("rate-entries", "1000")], &[]).await;
    }

    /// Serves the same events with other settings.
    pub(crate) async fn reopen(&mut self, settings: &[(&'static str, &str)], secret: &[u8]) {
        let system: Arc<dyn System> = Arc::new(EntrySystem);
        self.server.serve(&system, self.entry.db.clone(), settings, secret).await;
    }
}

impl Deref for Server {
    type Target = hansang_testserver::Server;

    fn deref(&self) -> &Self::Target {
        &self.server
    }
}
