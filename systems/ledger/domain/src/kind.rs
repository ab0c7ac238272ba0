//! The six kinds of entries, and the keys of entries.

use std::fmt;
use std::str::FromStr;

use hansang_core::{Error, Item, Name, Record, Value, message, name};
use serde::{Deserialize, Serialize};

use crate::{LedgerCode, Month, messages};

/// The detail of a key whose kind has none, in the keys of lines.
const NO_DETAIL: &str = "-";

/// A kind of entry.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Kind {
    /// Income of a person.
    Income,
    /// Fixed expenses.
    FixedExpense,
    /// Living expenses.
    LivingExpense,
    /// Savings.
    Savings,
    /// Investments.
    Investment,
    /// Money paid into or taken out of a short-term account.
    ShortSavings,
}

/// A movement of a short-term account: paid in.
pub const PAID_IN: &str = "적립";
/// A movement of a short-term account: taken out.
pub const TAKEN_OUT: &str = "지출";

impl Kind {
    /// All kinds, in the order of the document.
    pub const ALL: [Self; 6] = [
        Self::Income,
        Self::FixedExpense,
        Self::LivingExpense,
        Self::Savings,
        Self::Investment,
        Self::ShortSavings,
    ];

    /// The kinds that accounts hold.
    pub const OF_ACCOUNTS: [Self; 3] = [Self::Savings, Self::Investment, Self::ShortSavings];

    /// The name in keys and in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Income => "INCOME",
            Self::FixedExpense => "FIXED_EXPENSE",
            Self::LivingExpense => "LIVING_EXPENSE",
            Self::Savings => "SAVINGS",
            Self::Investment => "INVESTMENT",
            Self::ShortSavings => "SHORT_SAVINGS",
        }
    }

    /// The entity of its entries.
    #[must_use]
    pub const fn entity(self) -> &'static str {
        match self {
            Self::Income => "Income",
            Self::FixedExpense => "FixedExpense",
            Self::LivingExpense => "LivingExpense",
            Self::Savings => "Savings",
            Self::Investment => "Investment",
            Self::ShortSavings => "ShortSavings",
        }
    }

    /// The attributes of a key: the name, and the detail where the kind has one.
    #[must_use]
    pub const fn attributes(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Income => ("name", Some("incomeType")),
            Self::FixedExpense => ("expenseType", None),
            Self::LivingExpense => ("category", None),
            Self::Savings | Self::Investment => ("accountName", None),
            Self::ShortSavings => ("accountName", Some("transactionType")),
        }
    }

    /// Whether its entries carry the group of their account.
    pub(crate) const fn has_account_type(self) -> bool {
        matches!(self, Self::Savings | Self::Investment)
    }

    /// The kind of an entity.
    pub(crate) fn of_entity(entity: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.entity() == entity)
    }
}

impl FromStr for Kind {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| Error::invalid(LedgerCode::KindUnknown, message!(messages::KIND_UNKNOWN, text)))
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The key of an entry inside of a month.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// The kind.
    pub kind: Kind,
    /// The person, expense type, category or account.
    pub name: String,
    /// The income type or the transaction type; `-` for other kinds.
    pub detail: String,
}

impl Subject {
    /// A subject. The detail is needed by income and short-term savings, and by no other kind.
    ///
    /// # Errors
    /// When a detail is missing or not wanted, or a part cannot be in a key.
    pub fn new(kind: Kind, name: &str, detail: Option<&str>) -> Result<Self, Error> {
        let (name_attribute, detail_attribute) = kind.attributes();
        check_name(name_attribute, name)?;
        let detail = match (detail_attribute, detail) {
            (Some(attribute), Some(detail)) => {
                check_name(attribute, detail)?;
                detail
            }
            (Some(attribute), None) => {
                let message = message!(messages::DETAIL_MISSING, kind.name(), attribute);
                return Err(Error::invalid(LedgerCode::DetailMissing, message));
            }
            (None, None | Some(NO_DETAIL)) => NO_DETAIL,
            (None, Some(_)) => {
                let message = message!(messages::DETAIL_UNWANTED, kind.name());
                return Err(Error::invalid(LedgerCode::DetailUnwanted, message));
            }
        };
        if kind == Kind::ShortSavings && detail != PAID_IN && detail != TAKEN_OUT {
            let message = message!(messages::TRANSACTION_UNKNOWN, detail);
            return Err(Error::invalid(LedgerCode::TransactionUnknown, message));
        }
        Ok(Self { kind, name: name.to_owned(), detail: detail.to_owned() })
    }

    /// The detail, for kinds that have one.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.kind.attributes().1.map(|_| &*self.detail)
    }

    /// The key fields of the entry in a month.
    pub(crate) fn entry_key(&self, month: Month) -> Item {
        let (name, detail) = self.kind.attributes();
        let mut key = Item::from([
            (name!("yearMonth"), Value::from(month.to_string())),
            (Name::from(name), Value::from(&*self.name)),
        ]);
        if let Some(detail) = detail {
            key.insert(Name::from(detail), Value::from(&*self.detail));
        }
        key
    }

    /// The arguments of `linesOfEntry`.
    pub(crate) fn line_arguments(&self, month: Month) -> Item {
        Item::from([
            (name!("month"), Value::from(month.to_string())),
            (name!("kind"), Value::from(self.kind.name())),
            (name!("name"), Value::from(&*self.name)),
            (name!("detail"), Value::from(&*self.detail)),
        ])
    }

    /// The subject of a stored entry.
    pub(crate) fn of_entry(record: &Record) -> Option<Self> {
        let kind = Kind::of_entity(&record.entity.name)?;
        let (name, detail) = kind.attributes();
        let detail = match detail {
            Some(detail) => record.text(detail)?,
            None => NO_DETAIL,
        };
        Some(Self { kind, name: record.text(name)?.to_owned(), detail: detail.to_owned() })
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.name)?;
        self.detail().map_or(Ok(()), |detail| write!(f, " {detail}"))
    }
}

/// Checks a name that becomes part of a key.
pub(crate) fn check_name(attribute: &str, name: &str) -> Result<(), Error> {
    let length = name.chars().count();
    let plain = !name.contains('#') && !name.chars().any(char::is_control) && name.trim() == name;
    if plain && (1..=40).contains(&length) {
        return Ok(());
    }
    Err(Error::invalid(LedgerCode::NameInvalid, message!(messages::NAME_INVALID, attribute, name)))
}
