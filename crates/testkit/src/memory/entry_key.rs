//! Sort order of items in a table or an index.

use std::ops::Bound;
use std::sync::Arc;

use hansang_core::model::Index;
use hansang_core::number::Number;
use hansang_core::plan::{Key, Query, SortCondition};
use hansang_core::{Item, Name, Value};

/// One part of an entry key. `First` and `Last` are for range bounds and unused parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    First,
    Number(Number),
    Text(Arc<str>),
    Last,
}

/// Key of an entry: the item key in a table; the index key and the item key in an index.
pub(super) type EntryKey = [Part; 4];

/// A range of entries; `to` is excluded.
pub(super) struct Range {
    from: Bound<EntryKey>,
    to: EntryKey,
}

impl Range {
    /// The range of all entries.
    pub(super) fn all() -> Self {
        Self { from: Bound::Included([const { Part::First }; 4]), to: [const { Part::Last }; 4] }
    }

    /// The range of a query.
    pub(super) fn of_query(query: &Query) -> Self {
        let pk = of_value(&query.pk.1);
        let from = |sk: Part| Bound::Included([pk.clone(), sk, Part::First, Part::First]);
        let through = |sk: Part| [pk.clone(), sk, Part::Last, Part::Last];
        let (from, to) = match query.sort.as_ref().map(|(_, condition)| condition) {
            None => (from(Part::First), through(Part::Last)),
            Some(SortCondition::Equal(value)) => (from(of_value(value)), through(of_value(value))),
            Some(SortCondition::Between(low, high)) => (from(of_value(low)), through(of_value(high))),
            Some(SortCondition::AtLeast(low)) => (from(of_value(low)), through(Part::Last)),
            Some(SortCondition::AtMost(high)) => (from(Part::First), through(of_value(high))),
            Some(SortCondition::BeginsWith(prefix)) => {
                (from(of_text(prefix)), [pk.clone(), after(prefix), Part::First, Part::First])
            }
        };
        Self { from, to }
    }

    /// The part after a key.
    pub(super) fn behind(self, key: EntryKey, descending: bool) -> Self {
        let Self { from, to } = self;
        if descending {
            return Self { from, to: to.min(key) };
        }
        let from = match from {
            Bound::Included(from) if from > key => Bound::Included(from),
            _ => Bound::Excluded(key),
        };
        Self { from, to }
    }

    /// Returns the bounds, or `None` for an empty range, which a map does not accept.
    pub(super) fn bounds(self) -> Option<(Bound<EntryKey>, Bound<EntryKey>)> {
        let holds_something = match &self.from {
            Bound::Included(from) | Bound::Excluded(from) => *from < self.to,
            Bound::Unbounded => true,
        };
        holds_something.then_some((self.from, Bound::Excluded(self.to)))
    }
}

/// Key of an item in its table.
pub(super) fn of_item(key: &Key) -> EntryKey {
    [of_text(&key.pk), of_text(&key.sk), Part::First, Part::First]
}

/// Key of an item in an index. Returns `None` if it lacks a key, or has one of the wrong type because it is
/// older than the index.
pub(super) fn of_entry(index: &Index, item: &Item, [pk, sk, ..]: &EntryKey) -> Option<EntryKey> {
    let fitting = |name: &Name, numeric: bool| match item.get(name)? {
        Value::N(number) if numeric => Some(Part::Number(*number)),
        Value::S(text) if !numeric && !text.is_empty() => Some(of_text(text)),
        _ => None,
    };
    let first = fitting(&index.pk, index.pk_numeric)?;
    let second = match &index.sk {
        Some(name) => fitting(name, index.sk_numeric)?,
        None => Part::First,
    };
    Some([first, second, pk.clone(), sk.clone()])
}

fn of_value(value: &Value) -> Part {
    match value {
        Value::N(number) => Part::Number(*number),
        Value::S(text) => of_text(text),
        // Other types cannot be keys.
        _ => Part::Last,
    }
}

fn of_text(text: &str) -> Part {
    Part::Text(text.into())
}

/// The first text after all texts with this prefix, in code point order.
fn after(prefix: &str) -> Part {
    let mut text = prefix.to_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Part::Text(text.into());
        }
    }
    Part::Last
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Also before the surrogates and at the last code point.
        #[test]
        fn a_prefix_range_has_all_texts_with_the_prefix(
            prefix in "[a\u{d7ff}\u{e000}\u{10ffff}]{1,3}",
            text in "[a-c\u{d7ff}\u{e000}\u{10fffe}\u{10ffff}]{0,4}",
        ) {
            let key = of_text(&text);
            prop_assert_eq!(of_text(&prefix) <= key && key < after(&prefix), text.starts_with(&prefix));
        }
    }
}
