//! Errors, without their causes.

use serde_json::Value as Json;

use super::{Wire, member, members, object};
use crate::code::CoreCode;
use crate::error::{Error, ErrorKind};
use crate::message::{Language, Message};
use crate::queue::QueueError;
use crate::store::{FailedCondition, StoreError, Unavailable};
use crate::validate::Violation;

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
    "precondition": Precondition {},
    "corrupt": Corrupt {},
    "limited": Limited {},
    "unavailable": Unavailable {},
    "internal": Internal {},
});

record!(FailedCondition { index, item });
record!(Violation { attribute, problem });

/// A message travels as its texts: the other side may not know its phrase.
impl Wire for Message {
    fn to_json(&self) -> Json {
        let [english, korean] = [Language::English, Language::Korean].map(|one| self.in_language(one));
        object([("english", english.to_json()), ("korean", korean.to_json())])
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let members = members(json, &["english", "korean"])?;
        let (english, korean): (String, String) = (member(members, "english")?, member(members, "korean")?);
        Ok(if english == korean { Self::raw(english) } else { Self::worded(english, korean) })
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
            code: CoreCode::from_text(&code).unwrap_or(CoreCode::Refused).into(),
            message: member(members, "message")?,
            violations: member(members, "violations")?,
            source: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::fields;
    use crate::validate::violation;
    use crate::{codes, message};

    codes! {
        enum OtherCode {
            News = "news",
        }
    }

    #[test]
    fn an_error_comes_back_as_it_was_but_for_its_cause() {
        let lost = Unavailable { message: "lost".to_owned(), outcome_unknown: true, source: None };
        let found = FailedCondition { index: 3, item: None };
        for error in [
            StoreError::Condition(vec![found]),
            StoreError::Conflict,
            StoreError::Throttled,
            StoreError::Unavailable(lost),
        ] {
            let back = StoreError::from_json(&error.to_json()).unwrap();
            assert_eq!(format!("{back:?}"), format!("{error:?}"));
        }
        let caused =
            Error::invalid(OtherCode::News, Message::raw("m")).caused_by(std::io::Error::other("secret"));
        let sent = QueueError::Invalid(caused).to_json();
        assert!(!sent.to_string().contains("secret"), "{sent}");
        let QueueError::Invalid(back) = QueueError::from_json(&sent).unwrap() else { panic!("{sent}") };
        assert_eq!(back, Error::invalid(CoreCode::Refused, Message::raw("m")));
    }

    #[test]
    fn messages_keep_their_languages() {
        let violation = violation("a", message!(fields::AT_LEAST, 3));
        let refused = Error { kind: ErrorKind::Conflict, ..Error::fields(vec![violation]) };
        let back = Error::from_json(&refused.to_json()).unwrap();
        assert_eq!((back.kind, back.code), (refused.kind, refused.code));
        for language in [Language::English, Language::Korean] {
            assert_eq!(back.message.in_language(language), refused.message.in_language(language));
            assert_eq!(
                back.violations[0].problem.in_language(language),
                refused.violations[0].problem.in_language(language)
            );
        }
    }
}
