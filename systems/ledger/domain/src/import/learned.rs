//! What imports have learned: the columns of sources, and the entries of merchants. Both can be forgotten.

use hansang_core::{Error, ErrorKind, Item, Record, Value, message, name};

use crate::kind::Subject;
use crate::line::every;
use crate::{Ledger, LedgerCode, messages};

/// What was learned from imports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// The sources whose columns are known.
    pub sources: Vec<String>,
    /// The merchants.
    pub merchants: Vec<Merchant>,
}

/// A merchant and where its amounts belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merchant {
    /// The letters of its name.
    pub merchant: String,
    /// The entry; `None` if it is never imported.
    pub subject: Option<Subject>,
}

/// Everything that was learned, by name.
///
/// # Errors
/// When the store fails.
pub async fn learned(ledger: &Ledger) -> Result<Learned, Error> {
    let sources = every(&ledger.db, "profiles", Item::new()).await?;
    let merchants = every(&ledger.db, "merchants", Item::new()).await?;
    Ok(Learned {
        sources: sources.iter().filter_map(|record| record.text("profile").map(str::to_owned)).collect(),
        merchants: merchants.iter().filter_map(Merchant::of).collect(),
    })
}

impl Merchant {
    /// A stored merchant. One that is neither put into an entry nor left out was not learned from.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let merchant = record.text("merchant")?.to_owned();
        if record.fields.get("never") == Some(&Value::Bool(true)) {
            return Some(Self { merchant, subject: None });
        }
        let [name, detail] = [record.text("name")?, record.text("detail")?].map(str::to_owned);
        let kind = record.text("kind")?.parse().ok()?;
        Some(Self { merchant, subject: Some(Subject { kind, name, detail }) })
    }
}

/// Deletes the remembered columns of a source.
///
/// # Errors
/// A source that is not known.
pub async fn forget_source(ledger: &Ledger, source: &str) -> Result<(), Error> {
    forget(ledger, "Profile", Item::from([(name!("profile"), source.into())]), source).await
}

/// Deletes the remembered entry of a merchant.
///
/// # Errors
/// A merchant that is not known.
pub async fn forget_merchant(ledger: &Ledger, merchant: &str) -> Result<(), Error> {
    forget(ledger, "Merchant", Item::from([(name!("merchant"), merchant.into())]), merchant).await
}

async fn forget(ledger: &Ledger, entity: &str, key: Item, name: &str) -> Result<(), Error> {
    let unknown = || Error::not_found(LedgerCode::LearnedUnknown, message!(messages::LEARNED_UNKNOWN, name));
    if name.is_empty() || name.contains('#') {
        return Err(unknown());
    }
    match ledger.db.delete(entity, key, None).await {
        Err(error) if error.kind == ErrorKind::NotFound => Err(unknown()),
        done => done,
    }
}
