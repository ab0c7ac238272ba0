//! Failures of a store as errors for the caller.

use std::sync::Arc;

use crate::code::CoreCode;
use crate::error::{Error, Source};
use crate::evaluate::holds;
use crate::message;
use crate::messages::stores;
use crate::plan::{Guard, Guards, Reason};
use crate::store::{FailedCondition, StoreError};

/// The error for everything but a failed condition, which needs the guards of its write.
pub(super) fn of_store(error: StoreError) -> Error {
    let told = match &error {
        StoreError::Invalid(error) => return error.clone(),
        StoreError::Condition(_) => unexplained(),
        StoreError::Conflict => Error::unavailable(CoreCode::Contended, message!(stores::CONTENDED)),
        StoreError::Throttled => Error::unavailable(CoreCode::Throttled, message!(stores::THROTTLED)),
        StoreError::Unavailable(unavailable) if unavailable.outcome_unknown => {
            Error::unavailable(CoreCode::OutcomeUnknown, message!(stores::OUTCOME_UNKNOWN))
        }
        StoreError::Unavailable(_) => {
            Error::unavailable(CoreCode::StoreUnavailable, message!(stores::UNAVAILABLE))
        }
    };
    Error { source: Some(Source(Arc::new(error))), ..told }
}

/// The reason of a failed write: its first guard that fails for the stored item. Nothing if all of them
/// hold, which no correct store reports.
pub(super) fn reason<'g>(guards: &'g [Guards], failed: &FailedCondition) -> Option<&'g Reason> {
    let fails = |guard: &&Guard| !holds(&guard.condition, failed.item.as_ref());
    guards.get(failed.index)?.iter().find(fails).map(|guard| &guard.otherwise)
}

pub(super) fn unexplained() -> Error {
    Error::internal(CoreCode::UnexplainedCondition, message!(stores::UNEXPLAINED))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ErrorKind;
    use crate::messages::items;
    use crate::plan::Condition;
    use crate::store::Unavailable;
    use crate::value::{Item, Name, Value};

    #[test]
    fn each_outage_has_a_code_of_its_own_and_keeps_its_source() {
        let lost = Unavailable { message: "lost".to_owned(), outcome_unknown: true, source: None };
        for (error, code) in [
            (StoreError::Throttled, CoreCode::Throttled),
            (StoreError::Conflict, CoreCode::Contended),
            (StoreError::unavailable("down"), CoreCode::StoreUnavailable),
            (StoreError::Unavailable(lost), CoreCode::OutcomeUnknown),
        ] {
            let told = of_store(error);
            assert_eq!((told.kind, told.code), (ErrorKind::Unavailable, code.into()));
            assert!(told.source.is_some());
            let message = told.message.to_string();
            assert!(!message.contains("lost") && !message.contains("down"), "{message}");
        }
        let invalid = Error::invalid(CoreCode::ItemTooLarge, message!(items::TOO_LARGE, 2, 1));
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
