//! Words that stand inside other sentences: units, types and roles.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // What is counted.
    ("second", "초"),
    ("seconds", "초"),
    // The types of attributes, and what JSON knows beside them.
    ("text", "텍스트"),
    ("a number", "숫자"),
    // Roles and systems.
    ("viewer", "뷰어"),
    ("editor", "편집자"),
    ("admin", "관리자"),
    ("*", "모든 시스템"),
    // Keys, and what a model or table has or lacks.
    ("it has none", "인덱스가 하나도 없는 테이블입니다"),
    ("it has {}", "있는 인덱스: {0}"),
];
