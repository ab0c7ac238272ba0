//! Which column of a file is what.

use serde::{Deserialize, Serialize};

use super::table::Table;
use super::{parse_amount, parse_date};

/// The number of rows among which the header is looked for.
const MAX_TITLES: usize = 60;

/// The columns of a file, by their positions from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Columns {
    /// The date.
    pub date: usize,
    /// The amount of a file with one column of amounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<usize>,
    /// The amount paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paid: Option<usize>,
    /// The amount received.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received: Option<usize>,
    /// The merchant or the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<usize>,
    /// The category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<usize>,
    /// Income, spending or transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "type")]
    pub kind: Option<usize>,
    /// Whether the transaction was cancelled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cancelled: Option<usize>,
    /// The currency of the amount.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<usize>,
}

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Mapping {
    /// The number of the header's row.
    pub header: usize,
    /// The columns.
    pub columns: Columns,
    /// Whether spending has negative amounts, as in Banksalad's export.
    #[serde(default)]
    pub spending_is_negative: bool,
    /// The person whose income the file has; the first one if it is not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
}

const DATE: &[&str] = &[
    "날짜",
    "거래일",
    "거래일자",
    "거래일시",
    "이용일",
    "이용일자",
    "이용일시",
    "승인일",
    "승인일자",
    "승인일시",
    "매출일",
    "매출일자",
    "일자",
    "date",
];
const AMOUNT: &[&str] = &[
    "금액",
    "거래금액",
    "이용금액",
    "승인금액",
    "결제금액",
    "매출금액",
    "이용금액(원)",
    "금액(원)",
    "amount",
];
const PAID: &[&str] = &["출금", "출금액", "출금금액", "출금(원)", "찾으신금액", "지급금액", "지출"];
const RECEIVED: &[&str] = &["입금", "입금액", "입금금액", "입금(원)", "맡기신금액", "수입"];
const TEXT: &[&str] = &[
    "내용",
    "가맹점",
    "가맹점명",
    "이용가맹점",
    "이용하신곳",
    "이용처",
    "적요",
    "거래처",
    "기재내용",
    "거래내용",
    "받는분",
    "description",
    "payee",
];
const CATEGORY: &[&str] = &["대분류", "카테고리", "분류", "업종", "category"];
const KIND: &[&str] = &["타입", "거래구분", "구분", "거래유형", "type"];
const CURRENCY: &[&str] = &["화폐", "통화", "currency"];
const CANCELLED: &[&str] = &["취소여부", "취소", "승인취소", "상태", "승인구분", "매출구분"];

/// Guesses the mapping of a file. `None` if no row looks like a header.
#[must_use]
pub fn guess(table: &Table) -> Option<Mapping> {
    let (number, columns) = table.rows.iter().take(MAX_TITLES).find_map(|(number, cells)| {
        let has_amount = [AMOUNT, PAID, RECEIVED].iter().any(|words| position(cells, words).is_some());
        let date = position(cells, DATE).filter(|_| has_amount)?;
        let paid = position(cells, PAID);
        let received = position(cells, RECEIVED);
        let columns = Columns {
            date,
            amount: if paid.is_some() || received.is_some() { None } else { position(cells, AMOUNT) },
            paid,
            received,
            text: position(cells, TEXT),
            category: position(cells, CATEGORY),
            kind: position(cells, KIND),
            cancelled: position(cells, CANCELLED),
            currency: position(cells, CURRENCY),
        };
        Some((*number, columns))
    })?;
    let mut mapping = Mapping { header: number, columns, ..Mapping::default() };
    mapping.spending_is_negative = has_negative_spending(table, &mapping);
    Some(mapping)
}

/// The column whose title is the first of these words that occurs.
fn position(cells: &[String], words: &[&str]) -> Option<usize> {
    let title = |cell: &String| cell.split_whitespace().collect::<String>().to_lowercase();
    words.iter().find_map(|word| cells.iter().position(|cell| title(cell) == *word))
}

/// Whether most rows that are called spending have negative amounts.
fn has_negative_spending(table: &Table, mapping: &Mapping) -> bool {
    let Columns { date, amount: Some(amount), kind: Some(kind), .. } = mapping.columns else { return false };
    let rows = table.rows.iter().filter(|(number, _)| *number > mapping.header).map(|(_, cells)| cells);
    let spent = rows.filter(|cells| {
        cells.get(kind).is_some_and(|kind| kind.contains("지출"))
            && cells.get(date).is_some_and(|date| parse_date(date).is_some())
    });
    let amounts: Vec<i64> = spent.filter_map(|cells| parse_amount(cells.get(amount)?)).collect();
    amounts.iter().filter(|amount| **amount < 0).count() * 2 > amounts.len()
}
