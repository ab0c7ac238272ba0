//! Entries: the document's items, each the sum of its lines.

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use hansang_core::db::Operation;
use hansang_core::{Db, Error, Item, Name, name};

use crate::Month;
use crate::codes::Codes;
use crate::figures::{Delta, add, number_of};
use crate::head::{month_key, strong, update};
use crate::kind::Subject;
use crate::line::{every, has_others};

/// The effect of a change on the lines of one entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// The difference of the entry's amount.
    pub(crate) amount: i64,
    /// The ids of lines that were there before the change.
    pub(crate) before: Vec<String>,
    /// The ids of lines that are there after the change.
    pub(crate) after: Vec<String>,
}

/// The result of applying a change to an entry.
pub(crate) struct Applied {
    /// The write of the entry, if it changes.
    pub(crate) write: Option<Operation>,
    /// The amount of an entry without lines, which needs one.
    pub(crate) adopted: Option<i64>,
}

/// The amounts of a month's entries.
pub(crate) async fn of_month(db: &Db, month: Month) -> Result<BTreeMap<Subject, i64>, Error> {
    let records = every(db, "monthEntries", month_key(month)).await?;
    let amount = |record: &hansang_core::Record| {
        Subject::of_entry(record).map(|subject| (subject, number_of(&record.fields, "amount")))
    };
    Ok(records.iter().filter_map(amount).collect())
}

/// The sum of entries, as the totals and balances of their month.
pub(crate) fn sum<'e>(entries: impl IntoIterator<Item = (&'e Subject, &'e i64)>) -> Result<Delta, Error> {
    let mut delta = Delta::default();
    for (subject, amount) in entries {
        delta.add(subject, *amount)?;
    }
    Ok(delta)
}

/// Plans the writes of entries whose lines change.
pub(crate) async fn apply(
    db: &Db,
    codes: &Codes,
    touched: &BTreeMap<(Month, Subject), Touched>,
) -> Result<Vec<Applied>, Error> {
    try_join_all(touched.iter().map(|((month, subject), touched)| one(db, codes, *month, subject, touched)))
        .await
}

async fn one(
    db: &Db,
    codes: &Codes,
    month: Month,
    subject: &Subject,
    touched: &Touched,
) -> Result<Applied, Error> {
    let stored = load(db, month, subject).await?;
    let ids: Vec<&str> = touched.before.iter().chain(&touched.after).map(String::as_str).collect();
    let others = has_others(db, month, subject, &ids).await?;
    let adopted = stored.filter(|_| !others && touched.before.is_empty());
    let remains = others || adopted.is_some() || !touched.after.is_empty();
    let write = match stored {
        Some(_) if !remains => Some(Operation::Delete {
            entity: Name::from(subject.kind.entity()),
            key: subject.entry_key(month),
            expected_version: None,
            guards: Vec::new(),
        }),
        None if !remains => None,
        stored => set(codes, month, subject, stored, add(stored.unwrap_or_default(), touched.amount)?),
    };
    Ok(Applied { write, adopted })
}

/// The stored amount of an entry.
pub(crate) async fn load(db: &Db, month: Month, subject: &Subject) -> Result<Option<i64>, Error> {
    let record = db.get(subject.kind.entity(), &subject.entry_key(month), &strong()).await?;
    Ok(record.map(|record| number_of(&record.fields, "amount")))
}

/// The write that gives an entry an amount; none if it has it.
pub(crate) fn set(
    codes: &Codes,
    month: Month,
    subject: &Subject,
    stored: Option<i64>,
    amount: i64,
) -> Option<Operation> {
    let (entity, key) = (Name::from(subject.kind.entity()), subject.entry_key(month));
    match stored {
        Some(stored) if stored == amount => None,
        Some(_) => {
            let update = update(key, [(name!("amount"), amount.into())]);
            Some(Operation::Update { entity, update, guards: Vec::new() })
        }
        None => {
            let mut fields: Item = key;
            fields.insert(name!("amount"), amount.into());
            if subject.kind.has_account_type() {
                fields.insert(name!("accountType"), codes.group_for(subject).into());
            }
            Some(Operation::Create { entity, fields, guards: Vec::new() })
        }
    }
}
