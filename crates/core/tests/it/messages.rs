//! Messages of core in both languages.

use hansang_core::plan::Reason;
use hansang_core::validate::violation;
use hansang_core::value::json::{from_plain, item_from_plain, item_from_typed};
use hansang_core::{Error, Language, Message, Name, message, messages};
use serde_json::json;

fn names(names: &[&str]) -> Vec<Name> {
    names.iter().map(|name| Name::from(*name)).collect()
}

fn assert_worded(message: &Message, english: &str, korean: &str) {
    assert_eq!(message.to_string(), english);
    assert_eq!(message.in_language(Language::Korean), korean);
}

#[test]
fn a_reason_is_worded_in_each_language() {
    let taken = |within: &[&str]| Reason::Taken {
        entity: "Post".into(),
        fields: names(&["slug", "language"]),
        within: names(within),
    };
    let state = |from: &[&str]| Reason::State {
        entity: "Post".into(),
        attribute: "status".into(),
        from: names(from),
        to: "LIVE".to_owned(),
    };
    let rule = Reason::Rule { attribute: "n".into(), problem: message!(messages::fields::AT_MOST, 9) };
    for (reason, english, korean) in [
        (
            taken(&[]),
            "another Post already has this slug and language",
            "다른 Post 데이터가 이미 쓰는 값입니다: slug, language",
        ),
        (
            taken(&["site", "year"]),
            "another Post already has this slug and language within the same site, year",
            "같은 site, year 안에서 다른 Post 데이터가 이미 쓰는 값입니다: slug, language",
        ),
        (
            state(&["DRAFT", "REVIEW"]),
            "`status` of this Post can become LIVE only from DRAFT or REVIEW",
            "이 Post 데이터의 `status` 값은 다음 상태에서만 LIVE 상태로 바꿀 수 있습니다: DRAFT, REVIEW",
        ),
        (
            state(&[]),
            "`status` of this Post cannot become LIVE",
            "이 Post 데이터의 `status` 값은 LIVE 상태로 바꿀 수 없습니다",
        ),
        (rule, "`n` must be at most 9", "`n`: 9 이하여야 합니다"),
    ] {
        assert_worded(&reason.error().message, english, korean);
    }
}

#[test]
fn violations_are_worded_one_after_the_other() {
    let error = Error::fields(vec![
        violation("slug", message!(messages::fields::MAX_CHARACTERS, 80)),
        violation("title", message!(messages::fields::REQUIRED)),
    ]);
    assert_worded(
        &error.message,
        "`slug` must have at most 80 characters; `title` is required",
        "`slug`: 80자 이하로 입력하세요; `title`: 필수 항목입니다",
    );
}

#[test]
fn json_that_is_no_item_is_worded_in_each_language() {
    let huge: serde_json::Value = serde_json::from_str("1E400").unwrap();
    assert_worded(
        &from_plain(&huge).unwrap_err(),
        "1e+400 is outside the range 1E-130 to 9.99E+125",
        "1e+400: 쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어났습니다",
    );
    assert_worded(
        &item_from_plain(&json!([])).unwrap_err(),
        "an item must be a JSON object, not a list",
        "아이템은 JSON 객체여야 합니다 (받은 값: 목록)",
    );
    assert_worded(
        &item_from_typed(&json!({ "a": 1 })).unwrap_err(),
        "a typed value must be an object with one member such as {\"S\": …}, not a number",
        "값은 \"S\" 같은 형식 이름 하나가 붙은 객체여야 합니다 (받은 값: 숫자)",
    );
}
