//! What is wrong with a field. English ends a sentence that begins with the field's name; the Korean
//! stands alone under the field.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // Whether there is a value.
    ("is required", "필수 항목입니다"),
    ("must not be empty", "값을 입력하세요"),
    // How much of it.
    ("must be at least 0", "0 이상이어야 합니다"),
    ("must have at most {} characters", "{0}자 이하로 입력하세요"),
    // What it is.
    ("must be text", "텍스트를 입력하세요"),
    ("must be a whole number", "정수를 입력하세요"),
    ("must be true or false", "true 또는 false로 입력하세요"),
];
