//! Reads the members of a spec and collects all problems.
//!
//! A reader returns a default value where it finds a problem. The decoder discards its result if there are problems.

use std::cell::RefCell;

use hansang_core::messages::{fields, kinds};
use hansang_core::validate::Violation;
use hansang_core::{Item, Message, Name, Value, message};

use super::location::Location;
use crate::Known;
use crate::messages::specs;
use crate::references::{Reference, read_reference};

/// The problems found so far.
pub(super) type Problems = RefCell<Vec<Violation>>;

/// Reads one map.
pub(super) struct Reader<'r, 's> {
    map: Map<'s>,
    location: Location<'r>,
    problems: &'r Problems,
    takes: Takes,
}

/// The mode of a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Copies values out of the spec.
    Copies,
    /// Only collects problems; texts, maps and lists of texts are returned empty.
    Nothing,
}

/// The result of reading a map.
#[derive(Clone, Copy)]
enum Map<'s> {
    There(&'s Item),
    Absent,
    /// Not a map, which was reported; missing members are not reported again.
    Wrong,
}

impl<'r, 's> Reader<'r, 's> {
    /// Reads a whole spec.
    pub(super) fn new(spec: &'s Item, problems: &'r Problems, takes: Takes) -> Self {
        Self { map: Map::There(spec), location: Location::Spec, problems, takes }
    }

    /// Whether the map exists.
    pub(super) fn is_there(&self) -> bool {
        matches!(self.map, Map::There(_))
    }

    /// The map, or an empty one if it does not exist.
    pub(super) fn item(&self) -> Item {
        match self.map {
            Map::There(map) => self.copy(map),
            Map::Absent | Map::Wrong => Item::new(),
        }
    }

    /// Copies a value, or returns the default in a check.
    pub(super) fn copy<T: ToOwned<Owned: Default> + ?Sized>(&self, value: &T) -> T::Owned {
        if self.takes == Takes::Copies { value.to_owned() } else { T::Owned::default() }
    }

    /// Reads a nested map.
    pub(super) fn map<'i>(&'i self, name: &'i str) -> Reader<'i, 's> {
        let map = match (self.get(name), self.map) {
            (Some(Value::M(map)), _) => Map::There(map),
            (Some(_), _) => {
                self.wrong::<()>(name, message!(specs::MAP));
                Map::Wrong
            }
            (None, Map::Wrong) => Map::Wrong,
            (None, _) => Map::Absent,
        };
        Reader { map, location: self.location.member(name), problems: self.problems, takes: self.takes }
    }

    /// Reads a required nested map.
    pub(super) fn needed_map<'i>(&'i self, name: &'i str) -> Reader<'i, 's> {
        self.need(name);
        self.map(name)
    }

    /// An optional text.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let Value::S(text) = self.get(name)? else { return self.wrong(name, message!(kinds::MUST_BE_TEXT)) };
        if text.is_empty() {
            self.wrong(name, message!(fields::EMPTY))
        } else {
            Some(self.copy(text.as_str()))
        }
    }

    /// A text with a default.
    pub(super) fn text_or(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| self.copy(default))
    }

    /// A required text.
    pub(super) fn needed_text(&self, name: &str) -> String {
        self.need(name);
        self.text(name).unwrap_or_default()
    }

    /// An optional non-negative integer.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        let Some(whole) = self.get(name)?.as_number().and_then(|number| number.to_i64()) else {
            return self.wrong(name, message!(kinds::MUST_BE_INTEGER));
        };
        u64::try_from(whole).map_or_else(|_| self.wrong(name, message!(fields::AT_LEAST, 0)), Some)
    }

    /// A boolean that defaults to `false`.
    pub(super) fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(truth)) => *truth,
            Some(_) => self.wrong(name, message!(kinds::MUST_BE_BOOL)).unwrap_or_default(),
        }
    }

    /// An optional list of texts.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        self.each(name, |value, location| match value {
            Value::S(text) if text.is_empty() => drop(self.wrong_at::<()>(location, message!(fields::EMPTY))),
            Value::S(text) if self.takes == Takes::Copies => texts.push(text.to_string()),
            Value::S(_) => {}
            _ => drop(self.wrong_at::<()>(location, message!(kinds::MUST_BE_TEXT))),
        });
        texts
    }

    /// A required list of texts, which may be empty.
    pub(super) fn needed_texts(&self, name: &str) -> Vec<String> {
        self.need(name);
        self.texts(name)
    }

    /// An optional list, with `read` applied to each element.
    pub(super) fn elements<T>(
        &self,
        name: &str,
        mut read: impl FnMut(&'s Value, Location<'_>) -> T,
    ) -> Vec<T> {
        let mut all = Vec::new();
        self.each(name, |value, location| all.push(read(value, location)));
        all
    }

    /// Calls `look` for each element of an optional list.
    fn each(&self, name: &str, mut look: impl FnMut(&'s Value, Location<'_>)) {
        match self.get(name) {
            None => {}
            Some(Value::L(values)) => {
                let list = self.location.member(name);
                values.iter().enumerate().for_each(|(at, value)| look(value, list.element(at)));
            }
            Some(_) => drop(self.wrong::<()>(name, message!(specs::LIST))),
        }
    }

    /// Reads an element, which must be a map.
    pub(super) fn element<'i>(&self, value: &'s Value, location: Location<'i>) -> Reader<'i, 's>
    where
        'r: 'i,
    {
        let map = match value {
            Value::M(map) => Map::There(map),
            _ => {
                self.wrong_at::<()>(location, message!(specs::MAP));
                Map::Wrong
            }
        };
        Reader { map, location, problems: self.problems, takes: self.takes }
    }

    /// The names of the members; none if the map does not exist.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s Name> + use<'s> {
        let map = match self.map {
            Map::There(map) => Some(map),
            Map::Absent | Map::Wrong => None,
        };
        map.into_iter().flat_map(Item::keys)
    }

    /// A member. Null counts as missing, because YAML reads a name without a value as null.
    pub(super) fn get(&self, name: &str) -> Option<&'s Value> {
        match self.map {
            Map::There(map) => map.get(name).filter(|value| **value != Value::Null),
            Map::Absent | Map::Wrong => None,
        }
    }

    /// A reference to a contract of this kind.
    pub(super) fn contract(&self, name: &str, kind: Known) -> Option<Reference> {
        let location = self.location.member(name);
        match read_reference(self.get(name)?, Some(kind), &location) {
            Ok(reference) if reference.kind.known() == Some(kind) => Some(reference),
            Ok(_) => self.wrong(name, message!(specs::OTHER_KIND, kind.name())),
            Err(problems) => {
                self.problems.borrow_mut().extend(problems);
                None
            }
        }
    }

    /// Reports a problem with a member.
    pub(super) fn wrong<T>(&self, name: &str, problem: Message) -> Option<T> {
        self.wrong_at(self.location.member(name), problem)
    }

    /// Reports a problem at a location.
    pub(super) fn wrong_at<T>(&self, location: Location<'_>, problem: Message) -> Option<T> {
        let violation = Violation { attribute: location.to_string(), problem };
        self.problems.borrow_mut().push(violation);
        None
    }

    fn need(&self, name: &str) {
        if self.get(name).is_none() && !matches!(self.map, Map::Wrong) {
            self.wrong::<()>(name, message!(fields::REQUIRED));
        }
    }
}
