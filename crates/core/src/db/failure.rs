//! What a store could not do, in words for whoever asked.

use std::sync::Arc;

use crate::error::{Error, Source};
use crate::evaluate::holds;
use crate::plan::{Guard, Guards, Reason};
use crate::store::{FailedCondition, StoreError};

/// The error for everything but a failed condition, which only its write can explain.
pub(super) fn of_store(error: StoreError) -> Error {
    let told = match &error {
        StoreError::Invalid(error) => return error.clone(),
        StoreError::Condition(_) => unexplained(),
        StoreError::Conflict => {
            Error::unavailable("contended", "others keep writing the same item: try again in a moment")
        }
        StoreError::Throttled => {
            Error::unavailable("throttled", "the store is asked for more than it can take: try again later")
        }
        StoreError::Unavailable(unavailable) if unavailable.outcome_unknown => Error::unavailable(
            "outcome_unknown",
            "the store did not say whether the write was done: read again before you repeat it",
        ),
        StoreError::Unavailable(_) => Error::unavailable(
            "store_unavailable",
            "the store cannot be reached at the moment, and nothing was written: try again later",
        ),
    };
    Error { source: Some(Source(Arc::new(error))), ..told }
}

/// Why a write must not happen: its first guard that the item found does not pass. Nothing when
/// all of them hold, which no right store reports.
pub(super) fn reason<'g>(guards: &'g [Guards], failed: &FailedCondition) -> Option<&'g Reason> {
    let fails = |guard: &&Guard| !holds(&guard.condition, failed.item.as_ref());
    guards.get(failed.index)?.iter().find(fails).map(|guard| &guard.otherwise)
}

pub(super) fn unexplained() -> Error {
    let message = "a condition of the write failed and none of its guards says why: nothing was written";
    Error::internal("unexplained_condition", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::plan::Condition;
    use crate::store::Unavailable;
    use crate::value::{Item, Name, Value};

    #[test]
    fn each_outage_has_a_code_of_its_own_and_keeps_its_source() {
        let lost = Unavailable { message: "lost".to_owned(), outcome_unknown: true, source: None };
        for (error, code) in [
            (StoreError::Throttled, "throttled"),
            (StoreError::Conflict, "contended"),
            (StoreError::unavailable("down"), "store_unavailable"),
            (StoreError::Unavailable(lost), "outcome_unknown"),
        ] {
            let told = of_store(error);
            assert_eq!((told.kind, told.code.as_str()), (ErrorKind::Unavailable, code));
            assert!(told.source.is_some());
            let message = told.message.to_string();
            assert!(!message.contains("lost") && !message.contains("down"), "{message}");
        }
        let invalid = Error::invalid("item_too_large", "too large");
        assert_eq!(of_store(invalid.clone().into()), invalid);
    }

    #[test]
    fn the_first_guard_that_fails_is_the_reason() {
        let name = Name::from("a");
        let entity = Name::from("Note");
        let exists = Guard {
            condition: Condition::Exists((&name).into()),
            otherwise: Reason::Missing { entity: entity.clone() },
        };
        let equal = Guard {
            condition: Condition::unchanged(&name, Some(&Value::from(1))),
            otherwise: Reason::Changed { entity },
        };
        let writes = [Guards::from(vec![exists.clone(), equal.clone()])];
        let found = |number: i64| Some(Item::from([(name.clone(), Value::from(number))]));
        let failed = |item| FailedCondition { index: 0, item };
        assert_eq!(reason(&writes, &failed(None)), Some(&exists.otherwise));
        assert_eq!(reason(&writes, &failed(found(2))), Some(&equal.otherwise));
        assert_eq!(reason(&writes, &failed(found(1))), None);
        assert_eq!(reason(&writes, &FailedCondition { index: 7, item: None }), None);
    }
}
