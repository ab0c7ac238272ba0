//! Lines: the amounts that an entry is the sum of.

use hansang_core::db::Ask;
use hansang_core::value::{from_item, to_item};
use hansang_core::{Db, Error, Item, Name, Value, message, name};
use serde::{Deserialize, Serialize};

use crate::kind::Subject;
use crate::{LedgerCode, Month, messages};

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Typed by a person.
    Typed,
    /// The difference to a total that a person typed.
    Adjustment,
    /// Copied from another month.
    Copy,
    /// Entered by a rule.
    Recurring,
    /// Imported from a file.
    Import,
    /// An entry that another program wrote without lines.
    Adopted,
    /// Restored from an export.
    Restore,
}

/// One amount of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// The month.
    pub month: Month,
    /// The entry in the month.
    #[serde(flatten)]
    pub subject: Subject,
    /// The id.
    pub line_id: String,
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// The purpose; left out of the item if it is empty, because not every endpoint stores empty texts.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The amount, negative for a refund.
    pub amount: i64,
    /// Who entered it.
    pub by: String,
    /// Where it comes from.
    pub source: Source,
    /// The import it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub import_id: Option<String>,
    /// The hash of the imported row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// The last change of the line.
    #[serde(default)]
    pub seq: i64,
}

/// The name of the entity.
pub(crate) const LINE: &str = "Line";

impl Line {
    /// The fields of the item.
    pub(crate) fn fields(&self) -> Result<Item, Error> {
        to_item(self).map_err(|_| damaged())
    }

    /// A line of stored fields.
    pub(crate) fn of(fields: &Item) -> Result<Self, Error> {
        from_item(fields).map_err(|_| damaged())
    }
}

/// The error for a line that cannot be read.
fn damaged() -> Error {
    Error::corrupt(LedgerCode::LineDamaged, message!(messages::LINE_DAMAGED))
}

/// The lines of a month, in the order of their entries.
pub(crate) async fn of_month(db: &Db, month: Month) -> Result<Vec<Line>, Error> {
    all(db, "lines", Item::from([(name!("month"), Value::from(month.to_string()))])).await
}

/// The lines of an entry.
pub(crate) async fn of_entry(db: &Db, month: Month, subject: &Subject) -> Result<Vec<Line>, Error> {
    all(db, "linesOfEntry", subject.line_arguments(month)).await
}

/// Whether an entry has a line other than these.
pub(crate) async fn has_others(
    db: &Db,
    month: Month,
    subject: &Subject,
    ids: &[&str],
) -> Result<bool, Error> {
    let limit = u32::try_from(ids.len()).unwrap_or(u32::MAX).saturating_add(1).min(1000);
    let ask = Ask { limit: Some(limit), fields: Some(vec!["lineId".to_owned()]), ..Ask::default() };
    let page = db.query("linesOfEntry", subject.line_arguments(month), ask).await?;
    Ok(page.records.iter().any(|record| record.text("lineId").is_none_or(|id| !ids.contains(&id))))
}

async fn all(db: &Db, pattern: &str, arguments: Item) -> Result<Vec<Line>, Error> {
    let records = every(db, pattern, arguments).await?;
    records.iter().map(|record| Line::of(&record.fields)).collect()
}

/// All records of a pattern.
pub(crate) async fn every(
    db: &Db,
    pattern: &str,
    arguments: Item,
) -> Result<Vec<hansang_core::Record>, Error> {
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let page = db.query(pattern, arguments.clone(), Ask { cursor, ..Ask::default() }).await?;
        records.extend(page.records);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(records),
        }
    }
}

/// The key fields of a line.
pub(crate) fn key(fields: &Item) -> Item {
    let named =
        |name: &'static str| fields.get_key_value(name).map(|(name, value)| (name.clone(), value.clone()));
    ["month", "kind", "name", "detail", "lineId"]
        .into_iter()
        .filter_map(named)
        .collect::<Vec<(Name, Value)>>()
        .into()
}
