//! Reads the members of a spec and collects everything that is wrong with them.
//!
//! A reader gives something back even where it found a problem. Nobody sees that: whoever decodes with it
//! gives out the problems instead, if there are any.

use std::cell::RefCell;

use hansang_core::validate::Violation;
use hansang_core::{Item, Name, Value};

use super::place::Place;
use crate::Known;
use crate::references::{Reference, read_reference};

/// The problems that were found so far.
pub(super) type Problems = RefCell<Vec<Violation>>;

/// Reads one map.
pub(super) struct Reader<'r, 's> {
    map: Map<'s>,
    place: Place<'r>,
    problems: &'r Problems,
    takes: Takes,
}

/// What a reader takes from a spec.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Copies of what stands there.
    Copies,
    /// Nothing: it is only asked what is wrong, so texts, maps and lists of texts that it gives are empty.
    Nothing,
}

/// What stands where a map is read.
#[derive(Clone, Copy)]
enum Map<'s> {
    There(&'s Item),
    Absent,
    /// Something else, which was reported: that its members are not there is no news.
    Wrong,
}

impl<'r, 's> Reader<'r, 's> {
    /// A reader of a whole spec.
    pub(super) fn new(spec: &'s Item, problems: &'r Problems, takes: Takes) -> Self {
        Self { map: Map::There(spec), place: Place::Spec, problems, takes }
    }

    /// Whether there is such a map.
    pub(super) fn is_there(&self) -> bool {
        matches!(self.map, Map::There(_))
    }

    /// The map itself; an empty one if it is not there.
    pub(super) fn item(&self) -> Item {
        match self.map {
            Map::There(map) => self.copy(map),
            Map::Absent | Map::Wrong => Item::new(),
        }
    }

    /// What stands somewhere, or nothing of it.
    pub(super) fn copy<T: ToOwned<Owned: Default> + ?Sized>(&self, value: &T) -> T::Owned {
        if self.takes == Takes::Copies { value.to_owned() } else { T::Owned::default() }
    }

    /// A map inside of this one.
    pub(super) fn map<'i>(&'i self, name: &'i str) -> Reader<'i, 's> {
        let map = match (self.get(name), self.map) {
            (Some(Value::M(map)), _) => Map::There(map),
            (Some(_), _) => {
                self.wrong::<()>(name, "must be a map");
                Map::Wrong
            }
            (None, Map::Wrong) => Map::Wrong,
            (None, _) => Map::Absent,
        };
        Reader { map, place: self.place.member(name), problems: self.problems, takes: self.takes }
    }

    /// A text that may be left out.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let Value::S(text) = self.get(name)? else { return self.wrong(name, "must be text") };
        if text.is_empty() { self.wrong(name, "must not be empty") } else { Some(self.copy(text.as_str())) }
    }

    /// A text that must be there.
    pub(super) fn needed_text(&self, name: &str) -> String {
        self.need(name);
        self.text(name).unwrap_or_default()
    }

    /// A whole number from zero on that may be left out.
    pub(super) fn count(&self, name: &str) -> Option<u64> {
        let Some(whole) = self.get(name)?.as_number().and_then(|number| number.to_i64()) else {
            return self.wrong(name, "must be a whole number");
        };
        u64::try_from(whole).map_or_else(|_| self.wrong(name, "must be at least 0"), Some)
    }

    /// A whole number from zero on that must be there.
    pub(super) fn needed_count(&self, name: &str) -> u64 {
        self.need(name);
        self.count(name).unwrap_or_default()
    }

    /// Yes or no; no if it is left out.
    pub(super) fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            None => false,
            Some(Value::Bool(truth)) => *truth,
            Some(_) => self.wrong(name, "must be true or false").unwrap_or_default(),
        }
    }

    /// A list of texts; an empty one if it is left out.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        self.each(name, |value, place| match value {
            Value::S(text) if text.is_empty() => drop(self.wrong_at::<()>(place, "must not be empty")),
            Value::S(text) if self.takes == Takes::Copies => texts.push(text.to_string()),
            Value::S(_) => {}
            _ => drop(self.wrong_at::<()>(place, "must be text")),
        });
        texts
    }

    /// A list of texts that must be there, and may be empty.
    pub(super) fn needed_texts(&self, name: &str) -> Vec<String> {
        self.need(name);
        self.texts(name)
    }

    /// A list of whatever is read of each element; an empty one if it is left out.
    pub(super) fn elements<T>(&self, name: &str, mut read: impl FnMut(&'s Value, Place<'_>) -> T) -> Vec<T> {
        let mut all = Vec::new();
        self.each(name, |value, place| all.push(read(value, place)));
        all
    }

    /// Looks at each element of a list; at none if it is left out.
    fn each(&self, name: &str, mut look: impl FnMut(&'s Value, Place<'_>)) {
        match self.get(name) {
            None => {}
            Some(Value::L(values)) => {
                let list = self.place.member(name);
                values.iter().enumerate().for_each(|(at, value)| look(value, list.element(at)));
            }
            Some(_) => drop(self.wrong::<()>(name, "must be a list")),
        }
    }

    /// A reader of an element, which must be a map.
    pub(super) fn element<'i>(&self, value: &'s Value, place: Place<'i>) -> Reader<'i, 's>
    where
        'r: 'i,
    {
        let map = match value {
            Value::M(map) => Map::There(map),
            _ => {
                self.wrong_at::<()>(place, "must be a map");
                Map::Wrong
            }
        };
        Reader { map, place, problems: self.problems, takes: self.takes }
    }

    /// The names of the members, none if the map is not there.
    pub(super) fn names(&self) -> impl Iterator<Item = &'s Name> + use<'s> {
        let map = match self.map {
            Map::There(map) => Some(map),
            Map::Absent | Map::Wrong => None,
        };
        map.into_iter().flat_map(Item::keys)
    }

    /// A member as it is. One that is null is left out: that is how YAML writes a name without a value.
    pub(super) fn get(&self, name: &str) -> Option<&'s Value> {
        match self.map {
            Map::There(map) => map.get(name).filter(|value| **value != Value::Null),
            Map::Absent | Map::Wrong => None,
        }
    }

    /// A contract of this kind that is named here.
    pub(super) fn contract(&self, name: &str, kind: Known) -> Option<Reference> {
        let place = self.place.member(name);
        match read_reference(self.get(name)?, Some(kind), &place) {
            Ok(reference) if reference.kind.known() == Some(kind) => Some(reference),
            Ok(_) => self.wrong(name, &format!("must name a contract of the kind {}", kind.name())),
            Err(problems) => {
                self.problems.borrow_mut().extend(problems);
                None
            }
        }
    }

    /// Something is wrong with a member.
    pub(super) fn wrong<T>(&self, name: &str, problem: &str) -> Option<T> {
        self.wrong_at(self.place.member(name), problem)
    }

    /// Something is wrong with what is at this place.
    pub(super) fn wrong_at<T>(&self, place: Place<'_>, problem: &str) -> Option<T> {
        let violation = Violation { attribute: place.to_string(), problem: problem.into() };
        self.problems.borrow_mut().push(violation);
        None
    }

    fn need(&self, name: &str) {
        if self.get(name).is_none() && !matches!(self.map, Map::Wrong) {
            self.wrong::<()>(name, "is required");
        }
    }
}
