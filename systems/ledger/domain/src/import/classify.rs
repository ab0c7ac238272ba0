//! Where an imported amount belongs: learned merchants, the file's category, then words of the text.

use std::collections::BTreeMap;

use hansang_core::{Error, Item, Value, name};

use super::learned::Merchant;
use crate::Ledger;
use crate::codes::{CodeType, Codes};
use crate::kind::{Kind, Subject};
use crate::line::every;

/// Words of categories and merchants, and the codes they stand for. A word counts where no longer one does: `이자카야`
/// is a restaurant and no interest.
const WORDS: &[(&str, &[&str])] = &[
    (
        "식비",
        &[
            "식비",
            "식사",
            "외식",
            "음식",
            "식당",
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
            "이자카야",
        ],
    ),
    (
        "교통비",
        &[
            "교통",
            "택시",
            "버스",
            "지하철",
            "주유",
            "주차",
            "자동차",
            "코레일",
            "하이패스",
            "카카오t",
            "ktx",
            "srt",
        ],
    ),
    ("의료비", &["의료", "병원", "의원", "약국", "건강", "치과"]),
    ("문화생활", &["문화", "여가", "영화", "cgv", "공연", "도서", "서점", "여행", "버스킹"]),
    ("주거", &["주거", "관리비", "월세", "전기", "가스", "수도"]),
    ("통신", &["통신", "휴대폰", "인터넷", "skt", "kt", "lgu"]),
    ("구독", &["구독", "넷플릭스", "유튜브", "멜론", "netflix", "youtube"]),
    ("대출", &["대출", "이자"]),
    ("곗돈", &["곗돈", "모임회비"]),
    // Words that contain others and say nothing.
    (
        "",
        &["스마트", "스마트폰", "인터넷쇼핑", "전기차", "가스트로", "수도권", "구의원", "시의원", "국회의원"],
    ),
];
/// The category of everything else.
const OTHER: &str = "기타";

/// What was learned about merchants: their entry, or that they are never imported.
#[derive(Default)]
pub(super) struct Merchants(BTreeMap<String, Option<Subject>>);

impl Merchants {
    /// The learned entry, if the codes still have it and the money goes in its direction.
    pub(super) fn usable(&self, codes: &Codes, text: &str, is_earned: bool) -> Option<Subject> {
        let subject = self.0.get(&merchant(text)?)?.as_ref()?;
        let fits = (subject.kind == Kind::Income) == is_earned && codes.check(subject).is_ok();
        fits.then(|| subject.clone())
    }

    /// Whether rows of a merchant are never imported.
    pub(super) fn is_never(&self, text: &str) -> bool {
        merchant(text).is_some_and(|merchant| self.0.get(&merchant) == Some(&None))
    }
}

/// The learned merchants.
pub(super) async fn merchants(ledger: &Ledger) -> Result<Merchants, Error> {
    let records = every(&ledger.db, "merchants", Item::new()).await?;
    let one = |merchant: Merchant| (merchant.merchant, merchant.subject);
    Ok(Merchants(records.iter().filter_map(Merchant::of).map(one).collect()))
}

/// Remembers the entry of a merchant, or that it is never imported.
pub(super) async fn learn(ledger: &Ledger, text: &str, subject: Option<&Subject>) -> Result<(), Error> {
    let Some(merchant) = merchant(text) else { return Ok(()) };
    let mut fields = Item::from([(name!("merchant"), merchant.into())]);
    match subject {
        Some(subject) => fields.extend([
            (name!("kind"), subject.kind.name().into()),
            (name!("name"), subject.name.as_str().into()),
            (name!("detail"), subject.detail.as_str().into()),
        ]),
        None => fields.extend([(name!("never"), Value::Bool(true))]),
    }
    ledger.db.put("Merchant", fields, None).await.map(drop)
}

/// The text by which a merchant is remembered: letters only, so that the number of a branch or receipt does not matter.
/// A text without letters stands for itself, and an empty one for no merchant.
fn merchant(text: &str) -> Option<String> {
    let plain: String = text.to_lowercase().chars().filter(|c| c.is_alphabetic()).take(80).collect();
    let whole = || text.chars().filter(|c| !c.is_whitespace() && *c != '#').take(80).collect();
    Some(if plain.is_empty() { whole() } else { plain }).filter(|merchant: &String| !merchant.is_empty())
}

/// The entry of a payment. `None` if the codes have no fitting one.
pub(super) fn spending(codes: &Codes, text: &str, category: &str) -> Option<Subject> {
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
    let by_words = |text: &str| codes_in(text).into_iter().find_map(listed);
    listed(category.trim())
        .or_else(|| by_words(category).filter(|_| !category.trim().is_empty()))
        .or_else(|| by_words(text))
        .or_else(|| listed(OTHER))
}

/// The codes that words of a text stand for, the longest word first.
fn codes_in(text: &str) -> Vec<&'static str> {
    let mut text = text.to_lowercase();
    let mut words: Vec<(&str, &str)> =
        WORDS.iter().flat_map(|(code, words)| words.iter().map(move |word| (*word, *code))).collect();
    words.sort_by_key(|(word, _)| std::cmp::Reverse(word.chars().count()));
    let mut found = Vec::new();
    for (word, code) in words {
        let Some(place) = place_of(&text, word) else { continue };
        // What is inside of a longer word does not count.
        text.replace_range(place..place + word.len(), &" ".repeat(word.len()));
        found.push(code);
    }
    found
}

/// Where a word stands in a text. One in Latin letters stands by itself.
fn place_of(text: &str, word: &str) -> Option<usize> {
    let is_latin = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    text.match_indices(word).map(|(place, _)| place).find(|place| {
        let (before, after) = (text[..*place].chars().next_back(), text[place + word.len()..].chars().next());
        !(is_latin(word.chars().next()) && is_latin(before))
            && !(is_latin(word.chars().next_back()) && is_latin(after))
    })
}

/// The entry of income.
pub(super) fn income(codes: &Codes, person: Option<&str>, text: &str, category: &str) -> Option<Subject> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_where_no_longer_one_does() {
        for (text, code) in [
            ("KTX 서울역", "교통비"),
            ("KT 통신요금", "통신"),
            ("이자카야 강남", "식비"),
            ("대출 이자", "대출"),
            ("이마트 성수", "식비"),
            ("KT&G", "통신"),
        ] {
            assert_eq!(codes_in(text).first(), Some(&code), "{text}");
        }
        assert_eq!(codes_in("스마트폰 수리"), [""]);
        assert_eq!(codes_in("skateboard"), Vec::<&str>::new());
    }

    #[test]
    fn a_text_without_letters_stands_for_itself() {
        assert_eq!(merchant("스타벅스 12호점").as_deref(), Some("스타벅스호점"));
        assert_eq!(merchant("1588-1234").as_deref(), Some("1588-1234"));
        assert_ne!(merchant("1588-1234"), merchant("02-123-4567"));
        assert_eq!(merchant(" # "), None);
    }
}
