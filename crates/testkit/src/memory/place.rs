//! Where items stand: keys in the order in which they are read.

use std::ops::Bound;
use std::sync::Arc;

use hansang_core::model::Index;
use hansang_core::number::Number;
use hansang_core::plan::{Key, Query, SortCondition};
use hansang_core::{Item, Name, Value};

/// One part of a place. What stands in a key is text or a number; before and behind all of them are
/// the two that only the ends of a range have, or a place that needs no such part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    First,
    Number(Number),
    Text(Arc<str>),
    Last,
}

/// In a table the key of an item, in an index the key there and then the key of the item.
pub(super) type Place = [Part; 4];

/// A part of an order: from a place to just before another.
pub(super) struct Range {
    from: Bound<Place>,
    to: Place,
}

impl Range {
    /// Everything.
    pub(super) fn all() -> Self {
        Self { from: Bound::Included([const { Part::First }; 4]), to: [const { Part::Last }; 4] }
    }

    /// What a query reads.
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

    /// The part that comes behind a place.
    pub(super) fn behind(self, place: Place, descending: bool) -> Self {
        let Self { from, to } = self;
        if descending {
            return Self { from, to: to.min(place) };
        }
        let from = match from {
            Bound::Included(from) if from > place => Bound::Included(from),
            _ => Bound::Excluded(place),
        };
        Self { from, to }
    }

    /// The bounds, unless nothing can lie between them: a map refuses to be asked for less.
    pub(super) fn bounds(self) -> Option<(Bound<Place>, Bound<Place>)> {
        let holds_something = match &self.from {
            Bound::Included(from) | Bound::Excluded(from) => *from < self.to,
            Bound::Unbounded => true,
        };
        holds_something.then_some((self.from, Bound::Excluded(self.to)))
    }
}

/// The place of an item in its table.
pub(super) fn of_item(key: &Key) -> Place {
    [of_text(&key.pk), of_text(&key.sk), Part::First, Part::First]
}

/// The place of an item in an index, if it is there. An item that was there before the index may have a
/// value that does not fit its key: then it is not in the index.
pub(super) fn of_entry(index: &Index, item: &Item, [pk, sk, ..]: &Place) -> Option<Place> {
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
        // The rules of a table let nothing else stand in a key.
        _ => Part::Last,
    }
}

fn of_text(text: &str) -> Part {
    Part::Text(text.into())
}

/// The first text behind all that begin with these characters: texts are in the order of their characters.
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

        /// The ends of a prefix are right where characters end, too: before the surrogates and at the last one.
        #[test]
        fn a_prefix_holds_what_begins_with_it(
            prefix in "[a\u{d7ff}\u{e000}\u{10ffff}]{1,3}",
            text in "[a-c\u{d7ff}\u{e000}\u{10fffe}\u{10ffff}]{0,4}",
        ) {
            let place = of_text(&text);
            prop_assert_eq!(of_text(&prefix) <= place && place < after(&prefix), text.starts_with(&prefix));
        }
    }
}
