//! Reads that many visitors share: when an event opens, all of them load the page at once.

use std::sync::Arc;

use hansang_core::Error;
use hansang_entry::{Capacity, Event, events};

use crate::api::Entries;
use crate::pages::Glance;
use crate::shared::Shared;

/// The cached reads of the last second.
#[derive(Default)]
pub(crate) struct Known {
    lists: Shared<Arc<[Event]>>,
    events: Shared<Arc<Event>>,
    capacities: Shared<Option<Capacity>>,
    boards: Shared<Arc<Glance>>,
}

impl Known {
    /// Removes a changed event from the cache.
    pub(crate) async fn forget(&self, id: &str) {
        self.lists.forget("").await;
        self.events.forget(id).await;
        self.capacities.forget(id).await;
        self.boards.forget(id).await;
    }

    /// Removes the figures of an event from the cache; their samples stay.
    pub(crate) async fn forget_board(&self, id: &str) {
        self.boards.forget(id).await;
    }
}

impl Entries {
    /// All events, at most a second old.
    pub(crate) async fn list(&self) -> Result<Arc<[Event]>, Error> {
        let ask =
            |_| self.calls.measured("event.list", async { Ok(events::list(self.entry()).await?.into()) });
        self.door.known.lists.get("", self.entry().db.clock(), ask).await
    }

    /// An event, at most a second old.
    pub(crate) async fn event(&self, id: &str) -> Result<Arc<Event>, Error> {
        let ask = |_| {
            self.calls.measured("event.get", async { Ok(Arc::new(events::get(self.entry(), id).await?)) })
        };
        self.door.known.events.get(id, self.entry().db.clock(), ask).await
    }

    /// The capacity of a first-come event, at most a second old.
    pub(crate) async fn capacity(&self, id: &str) -> Result<Option<Capacity>, Error> {
        let ask = |_| self.calls.measured("event.capacity", events::capacity(self.entry(), id));
        self.door.known.capacities.get(id, self.entry().db.clock(), ask).await
    }

    /// The figures of an event and its recent rate, at most a second old.
    pub(crate) async fn glance(&self, id: &str) -> Result<Arc<Glance>, Error> {
        let clock = self.entry().db.clock();
        let ask = |last: Option<Arc<Glance>>| {
            let board = self.calls.measured("event.board", hansang_entry::board(self.entry(), id));
            async move { Ok(Arc::new(Glance::after(last.as_deref(), board.await?, clock.moment().now))) }
        };
        self.door.known.boards.get(id, clock, ask).await
    }
}
