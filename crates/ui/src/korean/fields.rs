//! What is wrong with a field. English ends a sentence that begins with the field's name; the Korean
//! stands alone under the field.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // Whether there is a value.
    ("is required", "필수 항목입니다"),
    ("is taken", "이미 사용 중입니다"),
    // How much of it.
    ("must be at least {}", "{0} 이상이어야 합니다"),
    ("must be at most {}", "{0} 이하여야 합니다"),
    ("must have at least {} characters", "{0}자 이상 입력하세요"),
    ("must have at most {} bytes", "{0}바이트 이하로 입력하세요"),
    ("must have at most {} characters", "{0}자 이하로 입력하세요"),
    // What it is.
    ("must be text", "텍스트를 입력하세요"),
    ("must be a whole number", "정수를 입력하세요"),
    ("must be true or false", "true 또는 false로 입력하세요"),
    // What stands in a key.
    ("is not part of the key of {}", "{0}의 키에 없는 속성입니다"),
    // What may change, and how.
    ("can only `$add` a number", "`$add`에는 숫자만 쓸 수 있습니다"),
    ("needs a list after `{}`", "`{0}`에는 목록이 필요합니다"),
    (
        "has no change `{}`: there are $add, $append, $members, $without and $default",
        "`{0}` 변경은 없습니다. $add, $append, $members, $without, $default 중에서 쓰세요",
    ),
    // Accounts and tokens.
    ("must not be the login", "아이디와 다른 비밀번호를 입력하세요"),
    (
        "must name systems by lower-case letters, digits and hyphens, or all by `*`",
        "시스템 이름은 영문 소문자, 숫자, 하이픈(-)으로 쓰고 전체는 `*`로 쓰세요",
    ),
    ("must lie ahead", "지금보다 나중 시각을 입력하세요"),
    ("must be at most 366 days ahead", "지금부터 366일 이내로 입력하세요"),
];
