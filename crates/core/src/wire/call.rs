//! One call of a port's method, and its response.

use std::time::Duration;

use serde_json::Value as Json;

use super::Wire;
use crate::plan::{BatchGet, Get, Key, Query, Scan, Write};
use crate::queue::{DeadLetter, Delivery, Depth, Message, QueueError, Receipt};
use crate::store::{History, Page};
use crate::value::Item;

/// A call of [`crate::Store`]. Its table travels by name, beside it: the server has the table itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one at a time is sent, and none is kept")]
pub enum StoreCall {
    /// `ensure_table`
    EnsureTable,
    /// `get`
    Get(Get),
    /// `batch_get`
    BatchGet(BatchGet),
    /// `query`
    Query(Query),
    /// `scan`
    Scan(Scan),
    /// `write`
    Write(Write),
    /// `transact`, each write with the name of its table
    Transact(Vec<(String, Write)>),
    /// `batch_put`
    BatchPut(Vec<Item>),
    /// `history`, with its limit
    History(Key, usize),
}

/// The response to a [`StoreCall`] that succeeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreResponse {
    /// Done, without a result.
    Done,
    /// An item, or nothing.
    Item(Option<Item>),
    /// Items in the order of their keys.
    Items(Vec<Option<Item>>),
    /// A page.
    Page(Page),
    /// The changes of an item, or nothing if the store keeps no changes.
    History(Option<History>),
}

/// A call of [`crate::Queue`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueueCall {
    /// `ensure`
    Ensure,
    /// `send`
    Send(Vec<Message>),
    /// `receive`, with the maximum number, the time to wait and the time to hide
    Receive(usize, Duration, Duration),
    /// `acknowledge`
    Acknowledge(Vec<Receipt>),
    /// `hide`
    Hide(Vec<(Receipt, Duration)>),
    /// `bury`, with the reason
    Bury(Delivery, String),
    /// `dead`
    Dead(usize),
    /// `revive`
    Revive(Vec<String>),
    /// `depth`
    Depth,
}

/// The response to a [`QueueCall`] that succeeds.
#[derive(Clone, Debug)]
pub enum QueueResponse {
    /// Done, without a result.
    Done,
    /// The result of each message.
    Sent(Vec<Result<(), QueueError>>),
    /// Messages.
    Deliveries(Vec<Delivery>),
    /// Dead letters.
    Dead(Vec<DeadLetter>),
    /// The number of messages that were sent again.
    Revived(usize),
    /// The depth of the queue.
    Depth(Depth),
}

variants!(StoreCall {
    "ensure-table": EnsureTable {},
    "get": Get { 0: get },
    "batch-get": BatchGet { 0: gets },
    "query": Query { 0: query },
    "scan": Scan { 0: scan },
    "write": Write { 0: write },
    "transact": Transact { 0: writes },
    "batch-put": BatchPut { 0: items },
    "history": History { 0: key, 1: limit },
});

variants!(StoreResponse {
    "done": Done {},
    "item": Item { 0: item },
    "items": Items { 0: items },
    "page": Page { 0: page },
    "history": History { 0: history },
});

variants!(QueueCall {
    "ensure": Ensure {},
    "send": Send { 0: messages },
    "receive": Receive { 0: most, 1: wait, 2: hidden },
    "acknowledge": Acknowledge { 0: receipts },
    "hide": Hide { 0: receipts },
    "bury": Bury { 0: delivery, 1: reason },
    "dead": Dead { 0: most },
    "revive": Revive { 0: ids },
    "depth": Depth {},
});

variants!(QueueResponse {
    "done": Done {},
    "sent": Sent { 0: each },
    "deliveries": Deliveries { 0: deliveries },
    "dead": Dead { 0: letters },
    "revived": Revived { 0: count },
    "depth": Depth { 0: depth },
});

impl StoreCall {
    /// Whether it changes nothing, so that it can always be retried.
    #[must_use]
    pub fn is_read(&self) -> bool {
        match self {
            Self::Get(_) | Self::BatchGet(_) | Self::Query(_) | Self::Scan(_) | Self::History(..) => true,
            Self::EnsureTable | Self::Write(_) | Self::Transact(_) | Self::BatchPut(_) => false,
        }
    }
}

impl QueueCall {
    /// Whether it changes nothing, so that it can always be retried.
    #[must_use]
    pub fn is_read(&self) -> bool {
        matches!(self, Self::Dead(_) | Self::Depth)
    }
}

/// The name of a call and its arguments: the name is part of an address, the arguments of a body.
#[must_use]
pub fn split(call: &impl Wire) -> (String, Json) {
    match call.to_json() {
        Json::Object(members) => members.into_iter().next().unwrap_or_default(),
        other => (String::new(), other),
    }
}

/// The call of this name with these arguments.
///
/// # Errors
/// The problem.
pub fn join<C: Wire>(name: &str, arguments: Json) -> Result<C, String> {
    C::from_json(&super::object([(name, arguments)]))
}
