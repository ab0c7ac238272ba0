//! The members of a JSON body. Every problem is collected, each at its field.

use std::collections::BTreeMap;

use hansang_core::kind::text::is_ulid;
use hansang_core::messages::fields;
use hansang_core::number::Number;
use hansang_core::validate::{Violation, violation};
use hansang_core::{Error, Message, message};
use hansang_ledger::{Kind, LedgerCode, MAX_AMOUNT, Month, Subject, date, messages as ledger};
use jiff::civil::Date;
use serde_json::{Map, Value as Json};

use crate::messages;

/// A body that is being read.
pub(super) struct Sent {
    members: Map<String, Json>,
    violations: Vec<Violation>,
}

impl Sent {
    pub(super) fn new(members: Map<String, Json>) -> Self {
        Self { members, violations: Vec::new() }
    }

    /// Ends the reading: every problem that was found, and every member that was not read.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        for name in self.members.keys() {
            self.violations.push(violation(name, message!(messages::UNKNOWN_MEMBER)));
        }
        if self.violations.is_empty() { Ok(()) } else { Err(Error::fields(self.violations)) }
    }

    fn wrong(&mut self, name: &str, problem: impl Into<Message>) {
        self.violations.push(violation(name, problem));
    }

    /// Takes a member that must be there.
    fn need(&mut self, name: &str) -> Option<Json> {
        let found = self.members.remove(name);
        if found.is_none() {
            self.wrong(name, message!(fields::REQUIRED));
        }
        found
    }

    /// Whether a member was sent.
    pub(super) fn has(&self, name: &str) -> bool {
        self.members.contains_key(name)
    }

    /// A text; empty if it is wrong.
    pub(super) fn text(&mut self, name: &str) -> String {
        match self.need(name) {
            Some(Json::String(text)) => text,
            Some(_) => {
                self.wrong(name, message!(messages::NOT_A_TEXT));
                String::new()
            }
            None => String::new(),
        }
    }

    /// A text that may be left out.
    pub(super) fn optional_text(&mut self, name: &str) -> Option<String> {
        self.has(name).then(|| self.text(name))
    }

    /// A number of whole won; 0 if it is wrong.
    pub(super) fn amount(&mut self, name: &str) -> i64 {
        let Some(json) = self.need(name) else { return 0 };
        match whole(&json) {
            Some(amount) if (-MAX_AMOUNT..=MAX_AMOUNT).contains(&amount) => amount,
            _ if json.as_f64().is_some_and(|number| number.abs() > 1e15) => {
                self.wrong(name, message!(ledger::AMOUNT_TOO_LARGE, MAX_AMOUNT));
                0
            }
            _ => {
                self.wrong(name, message!(ledger::AMOUNT_INVALID, json.to_string()));
                0
            }
        }
    }

    /// A whole number within bounds.
    pub(super) fn number(&mut self, name: &str, least: i64, most: i64) -> i64 {
        let Some(json) = self.need(name) else { return least };
        whole(&json).filter(|number| (least..=most).contains(number)).unwrap_or_else(|| {
            self.wrong(name, message!(messages::NOT_A_NUMBER_FROM, least, most));
            least
        })
    }

    /// `true` or `false`; `false` if it is left out.
    pub(super) fn truth(&mut self, name: &str) -> bool {
        match self.members.remove(name) {
            None => false,
            Some(Json::Bool(truth)) => truth,
            Some(_) => {
                self.wrong(name, message!(messages::NOT_TRUE_OR_FALSE));
                false
            }
        }
    }

    /// A value that a function reads from text.
    fn read<T>(&mut self, name: &str, read: impl Fn(&str) -> Result<T, Error>) -> Option<T> {
        let before = self.violations.len();
        let text = self.text(name);
        if self.violations.len() > before {
            return None;
        }
        read(&text).map_err(|error| self.wrong(name, error.message)).ok()
    }

    /// A month.
    pub(super) fn month(&mut self, name: &str) -> Option<Month> {
        self.read(name, str::parse)
    }

    /// A month that may be left out.
    pub(super) fn optional_month(&mut self, name: &str) -> Option<Month> {
        if self.has(name) { self.month(name) } else { None }
    }

    /// A date in a month that can be used.
    pub(super) fn date(&mut self, name: &str) -> Option<Date> {
        self.read(name, |text| {
            let date = date(text)?;
            Month::of(date).to_string().parse::<Month>()?;
            Ok(date)
        })
    }

    /// The kind of an entry.
    pub(super) fn kind(&mut self, name: &str) -> Option<Kind> {
        self.read(name, str::parse)
    }

    /// The id that a caller chose.
    pub(super) fn optional_id(&mut self, name: &str) -> Option<String> {
        let id = self.optional_text(name)?;
        if !is_ulid(&id) {
            self.wrong(name, message!(fields::PATTERN, "[0-7][0-9A-HJKMNP-TV-Z]{25}"));
        }
        Some(id)
    }

    /// The entry that `kind`, `name` and `detail` name.
    pub(super) fn subject(&mut self) -> Option<Subject> {
        let kind = self.kind("kind");
        let name = self.text("name");
        let detail = self.optional_text("detail");
        let kind = kind?;
        let error = match Subject::new(kind, &name, detail.as_deref()) {
            Ok(subject) => return Some(subject),
            Err(error) => error,
        };
        let of_detail =
            [LedgerCode::DetailMissing, LedgerCode::DetailUnwanted, LedgerCode::TransactionUnknown];
        // A name is checked before the detail.
        let name_is_right = || Subject::new(Kind::Savings, &name, None).is_ok();
        let field = if of_detail.iter().any(|code| error.code == *code) || name_is_right() {
            "detail"
        } else {
            "name"
        };
        if self.violations.iter().all(|known| known.attribute != field) {
            self.wrong(field, error.message);
        }
        None
    }

    /// A list of texts.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let Some(json) = self.need(name) else { return Vec::new() };
        texts(&json).unwrap_or_else(|| {
            self.wrong(name, message!(messages::NOT_A_LIST_OF_TEXTS));
            Vec::new()
        })
    }

    /// An object whose members a function reads.
    pub(super) fn map<T>(
        &mut self,
        name: &str,
        problem: &'static hansang_core::message::Phrase,
        read: impl Fn(&Json) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let object = match self.need(name) {
            Some(Json::Object(object)) => object,
            Some(_) => {
                self.wrong(name, message!(messages::NOT_AN_OBJECT));
                return BTreeMap::new();
            }
            None => return BTreeMap::new(),
        };
        let mut map = BTreeMap::new();
        for (member, json) in object {
            match read(&json) {
                Some(value) => drop(map.insert(member, value)),
                None => {
                    let problem = Message::new(problem, vec![json.to_string().into()]);
                    self.wrong(&format!("{name}.{member}"), problem);
                }
            }
        }
        map
    }
}

/// A whole number of 64 bits, also when it is written `3.0`.
pub(super) fn whole(json: &Json) -> Option<i64> {
    let Json::Number(number) = json else { return None };
    number.to_string().parse::<Number>().ok().and_then(Number::to_i64)
}

/// A list of texts.
pub(super) fn texts(json: &Json) -> Option<Vec<String>> {
    json.as_array()?.iter().map(|one| one.as_str().map(str::to_owned)).collect()
}
