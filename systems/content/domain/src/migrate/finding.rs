//! Findings: what a migration could not keep as it was, and what it could not move.

use hansang_core::message::Message;
use hansang_core::{message, names};
use serde::{Deserialize, Serialize};

use super::LegacyTable;
use crate::messages;

names! {
    /// The kind of a finding.
    pub enum FindingKind {
        /// The row cannot be mapped: `was` is the reason.
        NotMapped = "not_mapped",
        /// Another row has the same id.
        Duplicate = "duplicate",
        /// An item with this id was here before, and is not from the old tables.
        TakenHere = "taken_here",
        /// The row has changed, but its item was edited here.
        EditedHere = "edited_here",
        /// The row has changed, but its item was deleted here.
        DeletedHere = "deleted_here",
        /// A newer row of the company counts.
        Superseded = "superseded",
        /// A value that does not fit its attribute is kept in `legacy`.
        KeptAside = "kept_aside",
        /// A missing or unreadable value has a placeholder.
        Placeholder = "placeholder",
        /// A slug that could not be kept, or was absent.
        Slug = "slug",
        /// The retention period of an inquiry has ended: the worker deletes it.
        RetentionEnded = "retention_ended",
        /// A category or user that the rows mention and no table has.
        Invented = "invented",
        /// Verification: the item of a row is not here.
        Missing = "missing",
        /// Verification: the item differs from its row.
        Differs = "differs",
        /// Verification: the row of an item is no longer in the source.
        Gone = "gone",
        /// Verification: a category counts another number of posts than it has.
        WrongCount = "wrong_count",
    }
}

/// Something that a migration could not keep as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The old table.
    pub table: LegacyTable,
    /// The id, or the location of a row without one.
    pub id: String,
    /// The kind.
    pub kind: FindingKind,
    /// The attribute, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The old value, shortened. None for values of inquiries: they are personal data, and a report outlives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The new value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<String>,
}

/// The maximum number of characters of a value in a finding. The value itself is in the source, or in `legacy`.
const MAX_VALUE: usize = 200;

impl Finding {
    pub(crate) fn new(table: LegacyTable, id: &str, kind: FindingKind) -> Self {
        Self { table, id: shortened(id), kind, attribute: None, was: None, now: None }
    }

    pub(crate) fn of(self, attribute: &str) -> Self {
        Self { attribute: Some(attribute.to_owned()), ..self }
    }

    pub(crate) fn was(self, value: &str) -> Self {
        let is_value = matches!(self.kind, FindingKind::KeptAside | FindingKind::Placeholder);
        if self.table == LegacyTable::Inquiries && is_value {
            return self;
        }
        Self { was: Some(shortened(value)), ..self }
    }

    pub(crate) fn now(self, value: &str) -> Self {
        Self { now: Some(shortened(value)), ..self }
    }

    /// Whether a row, or part of one, is not here: a person has to decide.
    #[must_use]
    pub fn is_loss(&self) -> bool {
        use FindingKind::{Differs, Duplicate, Missing, NotMapped, TakenHere, WrongCount};
        matches!(self.kind, NotMapped | Duplicate | TakenHere | Missing | Differs | WrongCount)
    }

    /// The finding in words, with the next step where there is one.
    #[must_use]
    pub fn message(&self) -> Message {
        let attribute = self.attribute.clone().unwrap_or_default();
        let was = self.was.clone().unwrap_or_default();
        let now = self.now.clone().unwrap_or_default();
        match self.kind {
            FindingKind::NotMapped => message!(messages::NOT_MAPPED, was),
            FindingKind::Duplicate => message!(messages::DUPLICATE),
            FindingKind::TakenHere => message!(messages::TAKEN_HERE),
            FindingKind::EditedHere => message!(messages::EDITED_HERE),
            FindingKind::DeletedHere => message!(messages::DELETED_HERE),
            FindingKind::Superseded => message!(messages::SUPERSEDED),
            FindingKind::KeptAside if self.was.is_none() => message!(messages::KEPT_ASIDE_UNSHOWN, attribute),
            FindingKind::KeptAside => message!(messages::KEPT_ASIDE, attribute, was),
            FindingKind::Placeholder if was.is_empty() => {
                message!(messages::PLACEHOLDER_ALONE, attribute, now)
            }
            FindingKind::Placeholder => message!(messages::PLACEHOLDER, attribute, now, was),
            FindingKind::Slug if was.is_empty() => message!(messages::SLUG_MADE, now),
            FindingKind::Slug => message!(messages::SLUG_REPLACED, was, now),
            FindingKind::RetentionEnded => message!(messages::RETENTION_ENDED, now),
            FindingKind::Invented => message!(messages::INVENTED, attribute, was),
            FindingKind::Missing => message!(messages::MISSING),
            FindingKind::Differs => message!(messages::DIFFERS, attribute),
            FindingKind::Gone => message!(messages::GONE),
            FindingKind::WrongCount => message!(messages::WRONG_COUNT, was, now),
        }
    }
}

pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
