//! Descriptions of attributes, for pages.

use hansang_core::describe::{Bounds, Note, Rule, Unit, text};
use hansang_core::kind::{Kind, Members};
use hansang_core::model::Generated;
use hansang_core::value::json::to_plain;
use hansang_core::{Name, Value};

use hansang_ui::frame::View;

/// A short text, some of which is code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) code: bool,
}

/// Plain text.
pub(super) fn said(text: impl Into<String>) -> Word {
    Word { text: text.into(), code: false }
}

/// Code.
pub(super) fn code(text: impl Into<String>) -> Word {
    Word { text: text.into(), code: true }
}

/// A text in which code stands between backticks.
pub(super) fn coded(text: &str) -> Vec<Word> {
    let words =
        text.split('`').enumerate().map(|(at, part)| Word { text: part.to_owned(), code: at % 2 == 1 });
    words.filter(|word| !word.text.is_empty()).collect()
}

/// The description of a type.
pub(super) fn kind(kind: &Kind, view: &View) -> Vec<Word> {
    let plain = |english: &str, korean: &str| vec![said(view.say(english, korean))];
    let such_as =
        |english: &str, korean: &str, example: String| vec![said(view.say(english, korean)), code(example)];
    let behind = |english: &str, korean: &str, element: &Kind| {
        let mut words = plain(english, korean);
        words.extend(self::kind(element, view));
        words
    };
    match kind {
        Kind::String => plain("text", "텍스트"),
        Kind::Markdown => plain("Markdown", "마크다운"),
        Kind::Email => plain("e-mail address", "이메일 주소"),
        Kind::Url => plain("address (https, http or s3)", "주소 (https, http, s3)"),
        Kind::Number => plain("number", "숫자"),
        Kind::Integer => plain("whole number", "정수"),
        Kind::Bool => plain("true or false", "참 또는 거짓"),
        Kind::Timestamp(precision) => such_as("time, as ", "시각, 예: ", precision.example().to_owned()),
        Kind::Month { separator } => such_as("month, as ", "월, 예: ", format!("2025{separator}01")),
        Kind::Ulid => plain("ULID", "ULID"),
        Kind::Uuid => plain("UUID", "UUID"),
        Kind::Semver => plain("semantic version", "유의적 버전(SemVer)"),
        Kind::Enum(choices) => listed(view.say("one of ", "다음 중 하나: "), choices),
        Kind::Lifecycle(life) => listed(view.say("state: ", "상태: "), &life.states),
        Kind::List(element) => behind("list of: ", "목록, 요소: ", element),
        Kind::Map(element) => behind("map from text to: ", "맵, 값: ", element),
        Kind::Set(Members::Texts) => plain("set of texts", "텍스트 집합"),
        Kind::Set(Members::Numbers) => plain("set of numbers", "숫자 집합"),
        Kind::Set(Members::Binaries) => plain("set of binaries", "바이너리 집합"),
        Kind::Binary => plain("binary", "바이너리"),
        Kind::Any => plain("anything", "모든 값"),
    }
}

/// The short description of a type: without examples and choices.
pub(super) fn short_kind(kind: &Kind, view: &View) -> Vec<Word> {
    let plain = |english: &str, korean: &str| vec![said(view.say(english, korean))];
    match kind {
        Kind::Timestamp(_) => plain("time", "시각"),
        Kind::Month { .. } => plain("month", "월"),
        Kind::Enum(_) => plain("choice", "선택지"),
        Kind::Lifecycle(_) => plain("state", "상태"),
        Kind::Url => plain("address", "주소"),
        other => self::kind(other, view),
    }
}

/// A rule about values.
pub(super) fn rule(rule: &Rule<'_>, view: &View) -> Vec<Word> {
    match rule {
        Rule::Number(bounds) => vec![said(self::bounds(bounds, "", view))],
        Rule::Length(bounds, unit) => {
            let unit = match unit {
                Unit::Characters => view.say(" characters", "자"),
                Unit::Elements => view.say(" elements", "개"),
                Unit::Bytes => view.say(" bytes", "바이트"),
            };
            vec![said(self::bounds(bounds, unit, view))]
        }
        Rule::Matches(pattern) => vec![said(view.say("matches ", "형식 ")), code(*pattern)],
    }
}

fn bounds<T: std::fmt::Display>(bounds: &Bounds<T>, unit: &str, view: &View) -> String {
    let text = match bounds {
        Bounds::Exactly(value) => view.fill("exactly {0}{1}", "정확히 {0}{1}").with(value),
        Bounds::Between(least, most) => view.fill("{0} to {1}{2}", "{0}~{1}{2}").with(least).with(most),
        Bounds::AtLeast(least) => view.fill("at least {0}{1}", "{0}{1} 이상").with(least),
        Bounds::AtMost(most) => view.fill("at most {0}{1}", "{0}{1} 이하").with(most),
    };
    text.with(unit).to_string()
}

/// A note on an attribute, such as its origin or the changes that it allows.
pub(super) fn note(note: &Note<'_>, view: &View) -> Vec<Word> {
    let plain = |english: &str, korean: &str| vec![said(view.say(english, korean))];
    let with = |english: &str, korean: &str, text: String| vec![said(view.say(english, korean)), code(text)];
    match note {
        Note::Required => plain("required", "필수"),
        Note::Optional => plain("optional", "선택"),
        Note::Always(name) => with("always ", "항상 ", name.to_string()),
        Note::Created => plain("time of creation", "만든 시각"),
        Note::Updated => plain("time of the last write", "마지막으로 쓴 시각"),
        Note::Version => plain("counts the writes", "쓴 횟수"),
        Note::MadeFrom(pieces) => with("made from ", "자동 조합: ", text(pieces)),
        Note::Default(default) => with("default ", "기본값 ", value(default)),
        Note::Generated(Generated::Ulid) => plain("generated: ULID", "자동 생성: ULID"),
        Note::Generated(Generated::Uuid) => plain("generated: UUID", "자동 생성: UUID"),
        Note::Generated(Generated::Now) => plain("generated: time of writing", "자동 생성: 쓰는 시각"),
        Note::Immutable => plain("immutable", "변경 불가"),
        Note::OnlyInKey => plain("only in the key", "키에만 있음"),
        Note::Unique => plain("unique", "고유"),
        Note::PartOfUnique(name) => with("part of the unique ", "고유 제약 일부: ", name.to_string()),
    }
}

/// Code, separated by commas.
pub(super) fn listed(before: &str, names: &[Name]) -> Vec<Word> {
    let mut words = vec![said(before)];
    for (position, name) in names.iter().enumerate() {
        if position > 0 {
            words.push(said(", "));
        }
        words.push(code(&**name));
    }
    words
}

/// Text as it is, other values as JSON.
fn value(value: &Value) -> String {
    match value.as_str() {
        Some("") => "\"\"".to_owned(),
        Some(text) => text.to_owned(),
        None => to_plain(value).to_string(),
    }
}
