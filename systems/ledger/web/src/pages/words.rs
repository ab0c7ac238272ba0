//! Names of kinds, subjects and months for people.

use hansang_core::message::Language;
use hansang_ledger::{Kind, Month, PAID_IN, Source, Subject, TAKEN_OUT};
use hansang_ui::frame::View;
use hansang_ui::number;

/// An amount, with a minus sign if it is negative.
pub(super) fn won(view: &View, amount: i64) -> String {
    number::won(amount, view.language)
}

/// An amount of a page.
pub(super) struct Money {
    pub(super) text: String,
    pub(super) negative: bool,
}

impl Money {
    pub(super) fn of(view: &View, amount: i64) -> Self {
        Self { text: won(view, amount), negative: amount < 0 }
    }
}

/// The month of a page, with links to others.
pub(super) struct MonthLinks {
    pub(super) address: String,
    pub(super) name: String,
    /// The month as a field of months writes it.
    pub(super) value: String,
    pub(super) previous: String,
    pub(super) next: String,
    pub(super) today: String,
    pub(super) is_current: bool,
}

impl MonthLinks {
    pub(super) fn new(view: &View, address: &str, month: Month, today: Month) -> Self {
        Self {
            address: address.to_owned(),
            name: month_name(view, month),
            value: month.to_string().replace('.', "-"),
            previous: month.plus(-1).to_string(),
            next: month.plus(1).to_string(),
            today: today.to_string(),
            is_current: month == today,
        }
    }
}

/// The name of a kind.
pub(super) fn kind_name(view: &View, kind: Kind) -> &'static str {
    match kind {
        Kind::Income => view.say("Income", "수입"),
        Kind::FixedExpense => view.say("Fixed expenses", "고정지출"),
        Kind::LivingExpense => view.say("Living expenses", "생활비"),
        Kind::Savings => view.say("Savings", "저축"),
        Kind::Investment => view.say("Investments", "투자"),
        Kind::ShortSavings => view.say("Short-term savings", "단기저축"),
    }
}

/// The kind in addresses.
pub(super) fn kind_slug(kind: Kind) -> &'static str {
    match kind {
        Kind::Income => "income",
        Kind::FixedExpense => "fixed",
        Kind::LivingExpense => "living",
        Kind::Savings => "savings",
        Kind::Investment => "investment",
        Kind::ShortSavings => "short",
    }
}

/// The kind of a part of an address.
pub(super) fn kind_of(slug: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind_slug(*kind) == slug)
}

/// The name of an entry inside of its kind.
pub(super) fn subject_name(view: &View, subject: &Subject) -> String {
    match subject.detail() {
        Some(PAID_IN) if subject.kind == Kind::ShortSavings => {
            format!("{} · {}", subject.name, view.say("paid in", "적립"))
        }
        Some(TAKEN_OUT) if subject.kind == Kind::ShortSavings => {
            format!("{} · {}", subject.name, view.say("taken out", "지출"))
        }
        Some(detail) => format!("{} · {detail}", subject.name),
        None => subject.name.clone(),
    }
}

/// A subject as a value of a form.
pub(super) fn subject_key(subject: &Subject) -> String {
    format!("{}#{}#{}", kind_slug(subject.kind), subject.name, subject.detail().unwrap_or_default())
}

/// The subject of a value of a form.
pub(super) fn subject_of(key: &str) -> Option<Subject> {
    let mut parts = key.splitn(3, '#');
    let kind = kind_of(parts.next()?)?;
    let name = parts.next()?;
    let detail = parts.next().filter(|detail| !detail.is_empty());
    Subject::new(kind, name, detail).ok()
}

/// A month: `2026년 11월`.
pub(super) fn month_name(view: &View, month: Month) -> String {
    const NAMES: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    match view.language {
        Language::Korean => format!("{}년 {}월", month.year(), month.number()),
        Language::English => format!("{} {}", NAMES[(month.number() as usize - 1) % 12], month.year()),
    }
}

/// The origin of a line; empty if a person typed it.
pub(super) fn source_name(view: &View, source: Source) -> &'static str {
    match source {
        Source::Typed => "",
        Source::Adjustment => view.say("Adjustment", "조정"),
        Source::Copy => view.say("Copied", "복사"),
        Source::Recurring => view.say("Recurring", "반복"),
        Source::Import => view.say("Imported", "가져옴"),
        Source::Adopted => view.say("Without details", "상세 없음"),
        Source::Restore => view.say("Restored", "복원"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_survives_a_form() {
        for (kind, name, detail) in [
            (Kind::Income, "배우자1", Some("월급")),
            (Kind::LivingExpense, "식비", None),
            (Kind::ShortSavings, "여행", Some(PAID_IN)),
        ] {
            let subject = Subject::new(kind, name, detail).unwrap();
            assert_eq!(subject_of(&subject_key(&subject)), Some(subject));
        }
        for wrong in ["", "living", "living#", "other#식비#", "income#배우자1#", "short#여행#이체"] {
            assert!(subject_of(wrong).is_none(), "{wrong}");
        }
    }
}
