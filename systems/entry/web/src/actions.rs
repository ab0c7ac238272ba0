//! The actions of operators, through the API and on pages.

use hansang_entry::events::{self, EventChanges, NewEvent};
use hansang_entry::lottery::{self, DrawFigures};
use hansang_entry::{Entry, Event, Request, redrive, redrive_letters};
use hansang_server::Action;

use crate::messages;

/// An action on one event.
pub(crate) type EventAction = Action<Entry, String, Event>;

/// Creates an event.
pub(crate) const CREATE: Action<Entry, NewEvent, Event> = Action {
    name: "event.create",
    summary: &messages::CREATE,
    subject: |new| new.id.clone().unwrap_or_else(|| new.title.clone()),
    run: |entry, new| Box::pin(events::create(entry, new)),
};

/// Changes an event.
pub(crate) const EDIT: Action<Entry, (String, EventChanges), Event> = Action {
    name: "event.edit",
    summary: &messages::EDIT,
    subject: |(id, _)| id.clone(),
    run: |entry, (id, changes)| Box::pin(async move { events::edit(entry, &id, changes).await }),
};

/// Deletes an event without entries.
pub(crate) const DELETE: Action<Entry, String, ()> = Action {
    name: "event.delete",
    summary: &messages::DELETE,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { events::delete(entry, &id).await }),
};

/// Pauses an event.
pub(crate) const PAUSE: EventAction = Action {
    name: "event.pause",
    summary: &messages::PAUSE,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { events::pause(entry, &id).await }),
};

/// Resumes a paused event.
pub(crate) const RESUME: EventAction = Action {
    name: "event.resume",
    summary: &messages::RESUME,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { events::resume(entry, &id).await }),
};

/// Closes an event for good.
pub(crate) const CLOSE: EventAction = Action {
    name: "event.close",
    summary: &messages::CLOSE,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { events::close(entry, &id).await }),
};

/// Makes the results of an event public.
pub(crate) const ANNOUNCE: EventAction = Action {
    name: "event.announce",
    summary: &messages::ANNOUNCE,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { events::announce(entry, &id).await }),
};

/// A new number of places of an event.
pub(crate) struct Places {
    pub(crate) event_id: String,
    /// The number that it was changed from; `None` changes any.
    pub(crate) was: Option<i64>,
    pub(crate) total: i64,
}

/// Changes the capacity of an event, or the winners of a lottery.
pub(crate) const SET_CAPACITY: Action<Entry, Places, Event> = Action {
    name: "event.places",
    summary: &messages::SET_CAPACITY,
    subject: |places| places.event_id.clone(),
    run: |entry, Places { event_id, was, total }| {
        Box::pin(async move { events::resize_from(entry, &event_id, was, total).await })
    },
};

/// Draws a lottery now.
pub(crate) const DRAW: Action<Entry, String, DrawFigures> = Action {
    name: "event.draw",
    summary: &messages::DRAW,
    subject: Clone::clone,
    run: |entry, id| {
        Box::pin(async move {
            // Unique per call, so that no call takes over the draw of another.
            let owner = format!("operator-{:032x}", entry.db.clock().moment().random);
            lottery::draw_now(entry, &id, &owner).await
        })
    },
};

/// Puts a failed request back into the queue.
pub(crate) const REDRIVE: Action<Entry, String, Request> = Action {
    name: "request.redrive",
    summary: &messages::REDRIVE,
    subject: Clone::clone,
    run: |entry, id| Box::pin(async move { redrive(entry, &id).await }),
};

/// Puts dead letters back into the queue.
pub(crate) const REDRIVE_LETTERS: Action<Entry, Vec<String>, usize> = Action {
    name: "letters.redrive",
    summary: &messages::REDRIVE_LETTERS,
    subject: |ids| ids.join(" "),
    run: |entry, ids| Box::pin(async move { redrive_letters(entry, &ids).await }),
};
