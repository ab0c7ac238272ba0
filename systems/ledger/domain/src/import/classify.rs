//! Where an imported amount belongs: learned merchants, the file's category, then words of the text.

use std::collections::BTreeMap;

use hansang_core::{Error, Item};

use crate::Ledger;
use crate::codes::{CodeType, Codes};
use crate::kind::{Kind, Subject};
use crate::line::every;

/// Words of categories and merchants, and the codes they stand for.
const WORDS: &[(&str, &[&str])] = &[
    (
        "식비",
        &[
            "식비",
            "식사",
            "외식",
            "음식",
            "카페",
            "커피",
            "간식",
            "마트",
            "편의점",
            "배달",
            "스타벅스",
            "이마트",
            "쿠팡이츠",
            "배달의민족",
            "베이커리",
        ],
    ),
    (
        "교통비",
        &["교통", "택시", "버스", "지하철", "주유", "주차", "자동차", "코레일", "하이패스", "카카오t"],
    ),
    ("의료비", &["의료", "병원", "의원", "약국", "건강", "치과"]),
    ("문화생활", &["문화", "여가", "영화", "cgv", "공연", "도서", "서점", "여행"]),
    ("주거", &["주거", "관리비", "월세", "전기", "가스", "수도"]),
    ("통신", &["통신", "휴대폰", "인터넷", "skt", "kt", "lgu"]),
    ("구독", &["구독", "넷플릭스", "유튜브", "멜론", "netflix", "youtube"]),
    ("대출", &["대출", "이자"]),
    ("곗돈", &["곗돈", "모임회비"]),
];
/// The category of everything else.
const OTHER: &str = "기타";

/// Learned merchants.
pub(super) type Merchants = BTreeMap<String, Subject>;

/// The learned merchants.
pub(super) async fn merchants(ledger: &Ledger) -> Result<Merchants, Error> {
    let records = every(&ledger.db, "merchants", Item::new()).await?;
    let one = |record: &hansang_core::Record| {
        let subject = Subject {
            kind: record.text("kind")?.parse().ok()?,
            name: record.text("name")?.to_owned(),
            detail: record.text("detail")?.to_owned(),
        };
        Some((record.text("merchant")?.to_owned(), subject))
    };
    Ok(records.iter().filter_map(one).collect())
}

/// The text by which a merchant is remembered: letters only, so that the number of a branch or receipt does not matter.
pub(super) fn merchant(text: &str) -> String {
    let plain: String = text.to_lowercase().chars().filter(|c| c.is_alphabetic()).take(80).collect();
    if plain.is_empty() { "-".to_owned() } else { plain }
}

/// The entry of a payment. `None` if the codes have no fitting one.
pub(super) fn spending(codes: &Codes, merchants: &Merchants, text: &str, category: &str) -> Option<Subject> {
    let usable = |subject: &&Subject| subject.kind != Kind::Income && codes.check(subject).is_ok();
    if let Some(known) = merchants.get(&merchant(text)).filter(usable) {
        return Some(known.clone());
    }
    let listed = |name: &str| {
        let kind = if codes.list(CodeType::LivingExpenseCategory).iter().any(|code| code == name) {
            Kind::LivingExpense
        } else if codes.list(CodeType::FixedExpenseType).iter().any(|code| code == name) {
            Kind::FixedExpense
        } else {
            return None;
        };
        Subject::new(kind, name, None).ok()
    };
    let by_words = |text: &str| {
        let text = text.to_lowercase();
        WORDS
            .iter()
            .filter(|(_, words)| words.iter().any(|word| text.contains(word)))
            .find_map(|(code, _)| listed(code))
    };
    listed(category.trim())
        .or_else(|| by_words(category).filter(|_| !category.trim().is_empty()))
        .or_else(|| by_words(text))
        .or_else(|| listed(OTHER))
}

/// The entry of income.
pub(super) fn income(
    codes: &Codes,
    merchants: &Merchants,
    person: Option<&str>,
    text: &str,
    category: &str,
) -> Option<Subject> {
    let usable = |subject: &&Subject| subject.kind == Kind::Income && codes.check(subject).is_ok();
    if let Some(known) = merchants.get(&merchant(text)).filter(usable) {
        return Some(known.clone());
    }
    let person = person.or_else(|| codes.list(CodeType::Name).first().map(String::as_str))?;
    let types = codes.list(CodeType::IncomeType);
    let both = format!("{category} {text}");
    let wanted = match () {
        () if both.contains("급여") || both.contains("월급") => "월급",
        () if both.contains("상여") => "상여",
        () => "기타수입",
    };
    let found = types.iter().find(|code| *code == wanted).or(types.last())?;
    Subject::new(Kind::Income, person, Some(found)).ok()
}
