//! The amount of a row, its direction, and whether it is spending at all.

use std::collections::HashSet;

use hansang_core::{Message, message};

use super::preview::Ignored;
use super::{Mapping, parse_amount};
use crate::messages;

/// The companies whose bills appear in the file of a bank account, as merchants are remembered.
const CARD_COMPANIES: &[&str] = &[
    "신한카드",
    "삼성카드",
    "현대카드",
    "롯데카드",
    "kb카드",
    "kb국민카드",
    "국민카드",
    "우리카드",
    "하나카드",
    "비씨카드",
    "bc카드",
    "농협카드",
    "nh농협카드",
    "씨티카드",
];

/// The texts and amounts of payments that are not marked as cancelled.
pub(super) type Paid = HashSet<(String, i64)>;

/// The money of a row.
pub(super) struct Money {
    /// The amount of its line, negative for a refund.
    pub(super) amount: i64,
    pub(super) is_earned: bool,
    /// Why it is no line, unless a person or a learned merchant says otherwise.
    pub(super) ignored: Option<Ignored>,
}

/// A cell without spaces at its ends; empty if the row or the mapping has none.
pub(super) fn cell(cells: &[String], column: Option<usize>) -> &str {
    column.and_then(|column| cells.get(column)).map_or("", |cell| cell.trim())
}

/// The text and the amount of a payment without a mark of cancellation.
pub(super) fn payment(cells: &[String], mapping: &Mapping) -> Option<(String, i64)> {
    let columns = &mapping.columns;
    let amount = parse_amount(cells.get(columns.amount?)?)?;
    (!is_cancelled(cells, mapping)).then(|| (cell(cells, columns.text).to_owned(), amount.abs()))
}

/// Reads the money of a row.
pub(super) fn money(cells: &[String], mapping: &Mapping, paid: &Paid) -> Result<Money, Message> {
    let currency = cell(cells, mapping.columns.currency);
    if !["", "-", "KRW", "krw", "원", "원화", "₩", "WON"].contains(&currency) {
        return Err(message!(messages::ROW_CURRENCY, currency));
    }
    let money = amount(cells, mapping, paid)?;
    let ignored = match money.ignored {
        None if is_card_bill(cells, mapping) => Some(Ignored::CardBill),
        None if is_own_transfer(cells, mapping) => Some(Ignored::Transfer),
        ignored => ignored,
    };
    Ok(Money { ignored, ..money })
}

fn amount(cells: &[String], mapping: &Mapping, paid: &Paid) -> Result<Money, Message> {
    let columns = &mapping.columns;
    let number = |column: Option<usize>| match cell(cells, column) {
        "" | "-" => Ok(0),
        text => parse_amount(text).ok_or_else(|| message!(messages::AMOUNT_INVALID, text)),
    };
    let spent = |amount: i64| Money { amount, is_earned: false, ignored: None };
    let earned = |amount: i64| Money { amount, is_earned: true, ignored: None };
    let left_out = |amount: i64, why: Ignored| Money { ignored: Some(why), ..spent(amount) };
    if columns.paid.is_some() || columns.received.is_some() {
        return Ok(match (number(columns.paid)?, number(columns.received)?) {
            (0, 0) => left_out(0, Ignored::Zero),
            // A payment by debit card that was taken back comes in as money received.
            (0, received) if is_cancelled(cells, mapping) || is_refund(cells, mapping) => spent(-received),
            (0, received) => earned(received),
            (paid, received) => spent(paid - received),
        });
    }
    if columns.amount.and_then(|column| cells.get(column)).is_none() {
        return Err(message!(messages::ROW_SHORT));
    }
    let amount = number(columns.amount)?;
    if amount == 0 {
        return Ok(left_out(0, Ignored::Zero));
    }
    let kind = cell(cells, columns.kind);
    if kind.contains("수입") || kind.contains("입금") {
        return Ok(earned(amount));
    }
    if is_cancelled(cells, mapping) && amount > 0 && !mapping.spending_is_negative {
        let was_paid = paid.contains(&(cell(cells, columns.text).to_owned(), amount));
        return Ok(if was_paid { spent(-amount) } else { left_out(amount, Ignored::Cancelled) });
    }
    Ok(spent(if mapping.spending_is_negative { -amount } else { amount }))
}

fn is_cancelled(cells: &[String], mapping: &Mapping) -> bool {
    let marks = [mapping.columns.cancelled, mapping.columns.kind];
    marks.into_iter().any(|column| {
        let text = cell(cells, column);
        text.contains("취소") && !text.contains("미취소")
            || text.eq_ignore_ascii_case("y") && column == mapping.columns.cancelled
    })
}

/// Whether the text says that a payment came back.
fn is_refund(cells: &[String], mapping: &Mapping) -> bool {
    let text = cell(cells, mapping.columns.text);
    ["취소", "환불"].iter().any(|word| text.contains(word))
}

/// Whether the file says that money moved between own accounts. Other transfers pay a rent or a friend.
fn is_own_transfer(cells: &[String], mapping: &Mapping) -> bool {
    let texts = [mapping.columns.kind, mapping.columns.category].map(|column| cell(cells, column));
    texts[0] == "이체"
        || texts.iter().any(|text| {
            ["내계좌", "내 계좌", "계좌간", "본인", "자기이체"].iter().any(|word| text.contains(word))
        })
}

/// Whether a row pays the bill of a card, whose own file has the purchases.
fn is_card_bill(cells: &[String], mapping: &Mapping) -> bool {
    let columns = &mapping.columns;
    let texts = [columns.kind, columns.category, columns.text].map(|column| cell(cells, column));
    let says_bill = |text: &&str| {
        ["카드대금", "카드결제대금", "카드이용대금", "카드값"].iter().any(|word| text.contains(word))
    };
    let is_account = columns.paid.is_some() || columns.received.is_some();
    let company = || {
        let letters: String =
            texts[2].replace("(주)", "").to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
        CARD_COMPANIES.contains(&&*letters)
    };
    texts.iter().any(says_bill) || is_account && company()
}
