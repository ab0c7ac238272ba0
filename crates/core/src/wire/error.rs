//! Errors: what a caller can do about them travels, what lies beneath them stays where it was.

use serde_json::Value as Json;

use super::{Wire, member, members, object};
use crate::error::{Error, ErrorKind};
use crate::message::Message;
use crate::queue::QueueError;
use crate::store::{FailedCondition, StoreError, Unavailable};
use crate::validate::Violation;

/// The codes with which stores and queues refuse. A code is part of the program that knows it, so
/// one that is not here becomes [`OTHER`].
const CODES: &[&str] = &[
    "changed_twice",
    "contradicting_paths",
    "empty_key",
    "empty_set",
    "filter_on_key",
    "invalid_condition",
    "invalid_page_size",
    "invalid_range",
    "invalid_request",
    "item_too_large",
    "key_changed",
    "key_too_long",
    "message_invalid",
    "missing_key",
    "no_strong_read_on_index",
    "no_such_path",
    "not_in_index",
    "nothing_to_change",
    "number_out_of_range",
    "queue_name_invalid",
    "range_too_long",
    "table_does_not_fit",
    "time_too_long",
    "too_deep",
    "too_many_indexes",
    "too_many_messages",
    "transaction_repeats_item",
    "transaction_too_large",
    "unknown_index",
    "unknown_queue",
    "unknown_table",
    "wrong_key",
    "wrong_key_type",
    "wrong_type",
];
const OTHER: &str = "refused";

variants!(StoreError {
    "condition": Condition { 0: failed },
    "conflict": Conflict {},
    "throttled": Throttled {},
    "invalid": Invalid { 0: error },
    "unavailable": Unavailable { 0: unavailable },
});

variants!(QueueError {
    "throttled": Throttled {},
    "invalid": Invalid { 0: error },
    "unavailable": Unavailable { 0: unavailable },
});

variants!(ErrorKind {
    "invalid": Invalid {},
    "unauthenticated": Unauthenticated {},
    "forbidden": Forbidden {},
    "notFound": NotFound {},
    "conflict": Conflict {},
    "limited": Limited {},
    "unavailable": Unavailable {},
    "internal": Internal {},
});

record!(FailedCondition { index, item });
record!(Violation { attribute, problem });

impl Wire for Message {
    fn to_json(&self) -> Json {
        self.to_string().to_json()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        String::from_json(json).map(Self::from)
    }
}

impl Wire for Unavailable {
    fn to_json(&self) -> Json {
        object([("message", self.message.to_json()), ("outcomeUnknown", self.outcome_unknown.to_json())])
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let members = members(json, &["message", "outcomeUnknown"])?;
        Ok(Self {
            message: member(members, "message")?,
            outcome_unknown: member(members, "outcomeUnknown")?,
            source: None,
        })
    }
}

impl Wire for Error {
    fn to_json(&self) -> Json {
        object([
            ("kind", self.kind.to_json()),
            ("code", self.code.as_str().to_owned().to_json()),
            ("message", self.message.to_json()),
            ("violations", self.violations.to_json()),
        ])
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let members = members(json, &["kind", "code", "message", "violations"])?;
        let code: String = member(members, "code")?;
        Ok(Self {
            kind: member(members, "kind")?,
            code: CODES.iter().find(|known| **known == code).copied().unwrap_or(OTHER).into(),
            message: member(members, "message")?,
            violations: member(members, "violations")?,
            source: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use regex::Regex;

    use super::*;

    #[test]
    fn an_error_comes_back_as_it_was_but_for_its_cause() {
        let lost = Unavailable { message: "lost".to_owned(), outcome_unknown: true, source: None };
        let found = FailedCondition { index: 3, item: None };
        let violation = Violation { attribute: "a".to_owned(), problem: "is wrong".into() };
        let refused =
            Error { violations: vec![violation], ..Error::invalid("wrong_type", "`a` is of another type") };
        for error in [
            StoreError::Condition(vec![found]),
            StoreError::Conflict,
            StoreError::Throttled,
            StoreError::Invalid(refused),
            StoreError::Unavailable(lost),
        ] {
            let back = StoreError::from_json(&error.to_json()).unwrap();
            assert_eq!(format!("{back:?}"), format!("{error:?}"));
        }
        let caused = Error::invalid("news", "m").caused_by(std::io::Error::other("secret"));
        let sent = QueueError::Invalid(caused).to_json();
        assert!(!sent.to_string().contains("secret"), "{sent}");
        let QueueError::Invalid(back) = QueueError::from_json(&sent).unwrap() else { panic!("{sent}") };
        assert_eq!((back.code.as_str(), &*back.message.to_string(), back.source), (OTHER, "m", None));
    }

    /// Whoever gives a store or a queue a new code is told here that others would not know it.
    #[test]
    fn the_codes_of_stores_and_queues_are_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut files: Vec<_> = ["apply", "plan", "queue", "store/check", "store/check/read"]
            .map(|name| root.join(format!("src/{name}.rs")))
            .into();
        for adapter in ["../embedded/src/catalog.rs", "../embedded/src/queue/place.rs", "../aws/src/error.rs"]
        {
            files.push(root.join(adapter));
        }
        let refusal = Regex::new(r#"\binvalid\(\s*"([a-z_]+)""#).unwrap();
        let mut given = BTreeSet::new();
        for file in files {
            let text = fs::read_to_string(&file).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap();
            given.extend(refusal.captures_iter(text).map(|found| found[1].to_owned()));
        }
        assert!(given.len() > 20, "only {given:?} were found: the search is broken");
        let strange: Vec<&String> = given.iter().filter(|code| !CODES.contains(&code.as_str())).collect();
        assert!(strange.is_empty(), "add these to CODES: {strange:?}");
    }
}
