//! Responses of stores and queues, and the messages of queues.

use serde_json::Value as Json;

use super::Wire;
use crate::queue::{DeadLetter, Delivery, Depth, Message, Receipt};
use crate::store::{History, Page, Past};

record!(Page { items, next });
record!(History { changes, whole });
record!(Past { at, old, new });
record!(Message { body, delay });
record!(Delivery { id, receipt, body, attempts });
record!(DeadLetter { id, body, reason, since });
record!(Depth { visible, hidden, dead, oldest });

impl Wire for Receipt {
    fn to_json(&self) -> Json {
        self.0.to_json()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        Wire::from_json(json).map(Self)
    }
}
