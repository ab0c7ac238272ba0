//! Stable codes of errors: enums for programs in Rust, texts for everything else.

use std::fmt;

use serde::{Serialize, Serializer};

/// The stable code of an error, as one of the enums that [`codes!`](crate::codes) defines.
///
/// A code compares with every such enum and is shown as its text, which is part of the API.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(&'static str);

impl Code {
    /// The code with this text. Made by [`codes!`](crate::codes) alone.
    #[doc(hidden)]
    #[must_use]
    pub const fn of(text: &'static str) -> Self {
        Self(text)
    }

    /// The text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

/// Defines an enum of error codes: `Variant = "text"`. It has `ALL`, `as_str` and `from_text`, becomes a
/// [`Code`] and compares with one.
#[macro_export]
macro_rules! codes {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $($(#[$inner:meta])* $variant:ident = $text:literal),* $(,)?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis enum $name {
            $(
                $(#[$inner])*
                #[doc = concat!("`", $text, "`")]
                $variant,
            )*
        }

        #[allow(dead_code, unreachable_pub, reason = "an enum may be private and need not use all of this")]
        impl $name {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The stable text.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The code with this text.
            #[must_use]
            pub fn from_text(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl From<$name> for $crate::code::Code {
            fn from(code: $name) -> Self {
                Self::of(code.as_str())
            }
        }

        impl PartialEq<$crate::code::Code> for $name {
            fn eq(&self, other: &$crate::code::Code) -> bool {
                self.as_str() == other.as_str()
            }
        }

        impl PartialEq<$name> for $crate::code::Code {
            fn eq(&self, other: &$name) -> bool {
                self.as_str() == other.as_str()
            }
        }
    };
}

codes! {
    /// The codes of core, its stores and its queues.
    pub enum CoreCode {
        /// A write alongside another one was refused, and with it both: see [`crate::Db::alongside`].
        AlongsideRefused = "alongside_refused",
        AlreadyExists = "already_exists",
        ChangedMeanwhile = "changed_meanwhile",
        ChangedTwice = "changed_twice",
        /// Only the operations of its system write the entity: see [`crate::Db::closing`].
        ClosedEntity = "closed_entity",
        Contended = "contended",
        ContradictingPaths = "contradicting_paths",
        DamagedRecord = "damaged_record",
        EmptyKey = "empty_key",
        EmptySet = "empty_set",
        FileKeyInvalid = "file_key_invalid",
        FilesUnavailable = "files_unavailable",
        FilterOnKey = "filter_on_key",
        ImportedTwice = "imported_twice",
        InvalidCondition = "invalid_condition",
        InvalidCursor = "invalid_cursor",
        InvalidFields = "invalid_fields",
        InvalidPageSize = "invalid_page_size",
        InvalidRange = "invalid_range",
        InvalidRequest = "invalid_request",
        ItemTooLarge = "item_too_large",
        KeyChanged = "key_changed",
        KeyTooLong = "key_too_long",
        MessageInvalid = "message_invalid",
        MissingKey = "missing_key",
        NewerFormat = "newer_format",
        NoStrongReadOnIndex = "no_strong_read_on_index",
        NoSuchPath = "no_such_path",
        NoVersion = "no_version",
        NotADataDirectory = "not_a_data_directory",
        NotAnItem = "not_an_item",
        NotFound = "not_found",
        NotInIndex = "not_in_index",
        NotOfThisModel = "not_of_this_model",
        NotOfThisType = "not_of_this_type",
        NotUnique = "not_unique",
        NothingToChange = "nothing_to_change",
        NumberOutOfRange = "number_out_of_range",
        OtherEntity = "other_entity",
        OutcomeUnknown = "outcome_unknown",
        QueueIsThere = "queue_is_there",
        QueueNameInvalid = "queue_name_invalid",
        QueueThrottled = "queue_throttled",
        QueueUnavailable = "queue_unavailable",
        RangeTooLong = "range_too_long",
        ReadsAgain = "reads_again",
        /// A store or queue of another process refused with a code that is not known here.
        Refused = "refused",
        RuleBroken = "rule_broken",
        SameKey = "same_key",
        StoreUnavailable = "store_unavailable",
        TableDoesNotFit = "table_does_not_fit",
        Throttled = "throttled",
        TimeTooLong = "time_too_long",
        TooDeep = "too_deep",
        TooManyIndexes = "too_many_indexes",
        TooManyMessages = "too_many_messages",
        TransactionRepeatsItem = "transaction_repeats_item",
        TransactionTooLarge = "transaction_too_large",
        UnexplainedCondition = "unexplained_condition",
        UnknownEntity = "unknown_entity",
        UnknownIndex = "unknown_index",
        UnknownPattern = "unknown_pattern",
        UnknownQueue = "unknown_queue",
        UnknownTable = "unknown_table",
        WrittenUnread = "written_unread",
        WrongKey = "wrong_key",
        WrongKeyType = "wrong_key_type",
        WrongState = "wrong_state",
        WrongType = "wrong_type",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    codes! {
        enum OtherCode {
            Same = "not_found",
        }
    }

    #[test]
    fn codes_compare_by_their_text() {
        let code = Code::from(CoreCode::NotFound);
        assert_eq!(code, CoreCode::NotFound);
        assert_eq!(CoreCode::NotFound, code);
        assert_ne!(code, CoreCode::NotUnique);
        assert!(code == OtherCode::Same);
        assert_eq!(format!("{code} {code:?}"), "not_found \"not_found\"");
        assert_eq!(serde_json::to_string(&code).unwrap(), "\"not_found\"");
    }

    #[test]
    fn texts_and_variants_belong_together() {
        for code in CoreCode::ALL {
            assert_eq!(CoreCode::from_text(code.as_str()), Some(*code));
            let words = format!("{code:?}").to_lowercase();
            assert_eq!(words, code.as_str().replace('_', ""));
        }
        assert_eq!(CoreCode::from_text("news"), None);
    }
}
