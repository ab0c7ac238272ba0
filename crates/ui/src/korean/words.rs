//! Words that stand inside other sentences: units, types and roles.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // What is counted.
    ("characters", "자"),
    ("elements", "개"),
    ("bytes", "바이트"),
    ("second", "초"),
    ("seconds", "초"),
    // The types of attributes, and what JSON knows beside them.
    ("text", "텍스트"),
    ("Markdown text", "마크다운 텍스트"),
    ("an e-mail address such as name@example.com", "이메일 주소(예: name@example.com)"),
    (
        "an address that starts with https://, http:// or s3://",
        "https://, http:// 또는 s3://로 시작하는 주소",
    ),
    ("a number", "숫자"),
    ("a whole number", "정수"),
    ("true or false", "true 또는 false"),
    ("a time such as {}", "날짜와 시각(예: {0})"),
    ("a month such as 2025{}01", "연월(예: 2025{0}01)"),
    ("a ULID such as 01JD3Q0V8B5X9K2M4N6P7R8S9T", "ULID(예: 01JD3Q0V8B5X9K2M4N6P7R8S9T)"),
    ("a UUID such as 3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b", "UUID(예: 3f2b8c1e-5a4d-4e6f-9b7a-0c1d2e3f4a5b)"),
    ("a version such as 1.4.0", "버전(예: 1.4.0)"),
    ("one of {}", "선택({0})"),
    ("a list, each element {}", "목록(각 요소: {0:ko})"),
    ("a map, each value {}", "맵(각 값: {0:ko})"),
    ("a set of texts that is not empty", "비어 있지 않은 텍스트 집합"),
    ("a set of numbers that is not empty", "비어 있지 않은 숫자 집합"),
    ("a set of binaries that is not empty", "비어 있지 않은 바이너리 집합"),
    ("binary", "바이너리"),
    ("any value", "모든 값"),
    ("a list", "목록"),
    ("an object", "객체"),
    // Roles and systems.
    ("viewer", "뷰어"),
    ("editor", "편집자"),
    ("admin", "관리자"),
    ("*", "모든 시스템"),
    // Keys, and what a model or table has or lacks.
    ("partition", "파티션"),
    ("sort", "정렬"),
    ("no entity `{}`", "`{0}` 엔티티가"),
    ("no pattern `{}`", "`{0}` 접근 패턴이"),
    ("it has none", "인덱스가 하나도 없는 테이블입니다"),
    ("it has {}", "있는 인덱스: {0}"),
];
