//! Words that stand inside other sentences: units, types and roles.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // What is counted.
    ("second", "초"),
    ("seconds", "초"),
    // Roles and systems.
    ("viewer", "뷰어"),
    ("editor", "편집자"),
    ("admin", "관리자"),
    ("*", "모든 시스템"),
];
