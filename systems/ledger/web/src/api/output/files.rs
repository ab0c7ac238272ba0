//! Previews and imports as JSON.

use hansang_ledger::import::{Ignored, ImportView, Learned, Mapping, Merchant, Preview, Row, RowStatus};
use schemars::JsonSchema;
use serde::Serialize;

use super::ShownSubject;

/// The rows of a file before anything is written.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownPreview {
    /// The known source of files with this header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) profile: Option<String>,
    pub(crate) mapping: Mapping,
    pub(crate) counts: ShownCounts,
    pub(crate) rows: Vec<ShownRow>,
}

/// The number of rows by their effect.
#[derive(Default, Serialize, JsonSchema)]
pub(crate) struct ShownCounts {
    new: usize,
    duplicate: usize,
    changed: usize,
    /// Rows that a person or a rule entered already.
    entered: usize,
    ignored: usize,
    refused: usize,
}

/// A row of a file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownRow {
    /// The number of its line in the file.
    line: usize,
    #[schemars(extend("enum" = ["new", "duplicate", "changed", "entered", "ignored", "refused"]))]
    status: &'static str,
    /// Why it is ignored or refused, or as which line it was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    text: String,
    amount: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<ShownSubject>,
    /// The amount of the line that changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<i64>,
    /// Its status without the decision to import it anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["duplicate", "changed", "entered", "ignored"]))]
    usual: Option<&'static str>,
}

impl ShownPreview {
    pub(crate) fn of(profile: Option<String>, mapping: Mapping, preview: Preview) -> Self {
        let mut counts = ShownCounts::default();
        for row in &preview.rows {
            *match row.status {
                RowStatus::New => &mut counts.new,
                RowStatus::Duplicate => &mut counts.duplicate,
                RowStatus::Changed(_) => &mut counts.changed,
                RowStatus::Entered(_) => &mut counts.entered,
                RowStatus::Ignored(_) => &mut counts.ignored,
                RowStatus::Refused(_) => &mut counts.refused,
            } += 1;
        }
        Self { profile, mapping, counts, rows: preview.rows.into_iter().map(ShownRow::from).collect() }
    }
}

impl From<Row> for ShownRow {
    fn from(row: Row) -> Self {
        let (status, reason, was) = match row.status {
            RowStatus::New => ("new", None, None),
            RowStatus::Duplicate => ("duplicate", None, None),
            RowStatus::Changed(line) => ("changed", None, Some(line.amount)),
            RowStatus::Entered(line) => {
                let why = match &*line.text {
                    "" => format!("as {} of {}", line.subject, line.date),
                    text => format!("as {} of {}: {text}", line.subject, line.date),
                };
                ("entered", Some(why), None)
            }
            RowStatus::Ignored(why) => ("ignored", Some(ignored(why).to_owned()), None),
            RowStatus::Refused(why) => ("refused", Some(why.to_string()), None),
        };
        let usual = row.usual.map(|usual| match *usual {
            RowStatus::Duplicate => "duplicate",
            RowStatus::Changed(_) => "changed",
            RowStatus::Entered(_) => "entered",
            _ => "ignored",
        });
        Self {
            line: row.number,
            usual,
            status,
            reason,
            date: row.date.map(|date| date.to_string()),
            text: row.text,
            amount: row.amount,
            entry: row.subject.map(ShownSubject::from),
            was,
        }
    }
}

fn ignored(why: Ignored) -> &'static str {
    match why {
        Ignored::Excluded => "excluded",
        Ignored::NoDate => "no_date",
        Ignored::Cancelled => "cancelled",
        Ignored::Transfer => "transfer",
        Ignored::CardBill => "card_bill",
        Ignored::Never => "never",
        Ignored::Zero => "zero",
    }
}

/// An import and how far it is.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownImport {
    import_id: String,
    file: String,
    profile: String,
    by: String,
    /// Who undid it.
    #[serde(skip_serializing_if = "Option::is_none")]
    undone_by: Option<String>,
    status: String,
    rows: i64,
    applied: i64,
    added: i64,
}

impl From<ImportView> for ShownImport {
    fn from(view: ImportView) -> Self {
        let ImportView { import_id, file, profile, by, undone_by, status, rows, applied, added, .. } = view;
        Self { import_id, file, profile, by, undone_by, status, rows, applied, added }
    }
}

/// What imports have learned.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ShownLearned {
    /// The sources whose columns are known.
    sources: Vec<String>,
    merchants: Vec<ShownMerchant>,
}

/// A merchant and where its amounts belong.
#[derive(Serialize, JsonSchema)]
struct ShownMerchant {
    merchant: String,
    /// The entry; absent if it is never imported.
    #[serde(skip_serializing_if = "Option::is_none")]
    entry: Option<ShownSubject>,
}

impl From<Learned> for ShownLearned {
    fn from(learned: Learned) -> Self {
        let one = |Merchant { merchant, subject }: Merchant| ShownMerchant {
            merchant,
            entry: subject.map(ShownSubject::from),
        };
        Self { sources: learned.sources, merchants: learned.merchants.into_iter().map(one).collect() }
    }
}
