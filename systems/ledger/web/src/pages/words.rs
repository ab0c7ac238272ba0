//! Names of kinds, subjects and months for people.

use hansang_core::message::Language;
use hansang_ledger::{Kind, Month, PAID_IN, Source, Subject, TAKEN_OUT};
use hansang_server::People;
use hansang_ui::frame::View;
use hansang_ui::number;

/// An amount, with a minus sign if it is negative.
pub(super) fn won(view: &View, amount: i64) -> String {
    number::won(amount, view.language)
}

/// An amount for narrow places: `116만`, `1.2M`.
pub(super) fn short(view: &View, amount: i64) -> String {
    let (sign, amount) = (if amount < 0 { "−" } else { "" }, u128::from(amount.unsigned_abs()));
    let units: &[(u128, &str)] = match view.language {
        Language::Korean => &[(100_000_000, "억"), (10_000, "만")],
        _ => &[(1_000_000_000, "B"), (1_000_000, "M"), (1000, "K")],
    };
    let Some((unit, name)) = units.iter().find(|(unit, _)| amount >= *unit) else {
        return format!("{sign}{}", number::grouped(&amount.to_string()));
    };
    // One digit behind the point, except where it would not be read.
    let tenths = (amount * 10 + unit / 2) / unit;
    match tenths {
        ..1000 if !tenths.is_multiple_of(10) => format!("{sign}{}.{}{name}", tenths / 10, tenths % 10),
        _ => format!("{sign}{}{name}", number::grouped(&((tenths + 5) / 10).to_string())),
    }
}

/// The name of the person or the job that did something.
pub(super) fn person(view: &View, people: &People, id: &str) -> String {
    match id {
        "month-end" => view.say("Automatic", "자동 처리").to_owned(),
        "-" => view.say("Another program", "다른 프로그램").to_owned(),
        id => people.name(id),
    }
}

/// Tenths of a percent: `32.5%`.
pub(super) fn percent(tenths: i64) -> String {
    let (sign, tenths) = (if tenths < 0 { "−" } else { "" }, tenths.unsigned_abs());
    format!("{sign}{}.{}%", tenths / 10, tenths % 10)
}

/// A part of a whole in percent, 0 if it is negative, and at most `max`.
pub(super) fn share(part: i64, whole: i64, max: u16) -> u16 {
    let share = i128::from(part.max(0)) * 100 / i128::from(whole.max(1));
    u16::try_from(share).unwrap_or(u16::MAX).min(max)
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
    const NAMES: [[&str; 2]; 12] = [
        ["Jan {0}", "{0}년 1월"],
        ["Feb {0}", "{0}년 2월"],
        ["Mar {0}", "{0}년 3월"],
        ["Apr {0}", "{0}년 4월"],
        ["May {0}", "{0}년 5월"],
        ["Jun {0}", "{0}년 6월"],
        ["Jul {0}", "{0}년 7월"],
        ["Aug {0}", "{0}년 8월"],
        ["Sep {0}", "{0}년 9월"],
        ["Oct {0}", "{0}년 10월"],
        ["Nov {0}", "{0}년 11월"],
        ["Dec {0}", "{0}년 12월"],
    ];
    let [english, korean] = NAMES[(month.number() as usize - 1) % 12];
    view.fill(english, korean).with(month.year()).to_string()
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
    fn a_share_of_extreme_amounts_is_a_percentage() {
        assert_eq!(share(i64::MAX, 1, 999), 999);
        assert_eq!(share(i64::MAX, i64::MAX, 999), 100);
        assert_eq!((share(-5, 10, 100), share(5, 10, 100), share(5, 0, 100)), (0, 50, 100));
    }

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
