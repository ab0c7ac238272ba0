//! What reading and writing data can be refused for: the sentences of `core` and of the stores.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // What is there, what is not, and what changed.
    ("there is no such {}", "해당하는 {0} 데이터가 없습니다"),
    // Pages and patterns.
    (
        "this cursor does not belong to this query: start again without a cursor",
        "이 조회의 커서가 아닙니다. 처음부터 다시 조회하세요",
    ),
    // What only DynamoDB finds out.
    (
        "a path leads nowhere in the stored item: set what holds it first",
        "저장된 아이템에 그 경로가 없습니다. 상위 값을 먼저 저장하세요",
    ),
    (
        "what is stored has another type, which the change does not fit",
        "저장된 값의 형식이 달라 이렇게 바꿀 수 없습니다",
    ),
    (
        "the item would have more than 409600 bytes: store what is large elsewhere",
        "아이템이 409600바이트를 넘습니다. 큰 내용은 다른 곳에 저장하세요",
    ),
    (
        "a number would be outside the range 1E-130 to 9.99E+125",
        "쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어납니다",
    ),
    ("a number would have more than 38 significant digits", "유효 숫자가 38자리를 넘습니다"),
    (
        "a key of an index would have another type than the index needs",
        "인덱스 키의 형식이 인덱스와 맞지 않습니다",
    ),
    ("a key of an index would be empty: leave it out instead", "인덱스 키가 비었습니다. 비었으면 빼 주세요"),
    ("a key of an index would be too long", "인덱스 키가 너무 깁니다"),
    ("the item would nest more than 32 levels deep", "아이템의 중첩이 32단계를 넘습니다"),
    (
        "the table lacks an index of the model: run `hansang table create`, which adds it",
        "모델에 있는 인덱스가 테이블에 없습니다. `hansang table create`를 실행해 추가하세요",
    ),
    (
        "the table or index is not there ({}): run `hansang table create`",
        "테이블이나 인덱스가 없습니다({0}). `hansang table create`를 실행하세요",
    ),
    ("DynamoDB refuses the request: {}", "DynamoDB가 요청을 거부했습니다: {0}"),
    (
        "there is no table `{}` here: make it with `hansang table create`",
        "`{0}` 테이블이 없습니다. `hansang table create`로 만드세요",
    ),
    // Changes on a page, and files.
    (
        "somebody else changed this in the meantime: look at it as it is now, and decide anew",
        "그사이 다른 사람이 바꿨습니다. 지금 상태를 보고 다시 정하세요",
    ),
    (
        "there is nothing to import: paste lines or choose a file",
        "가져올 내용이 없습니다. 붙여 넣거나 파일을 고르세요",
    ),
    (
        "the quotation mark of line {} is never closed: close it",
        "{0}번째 줄의 따옴표가 닫히지 않았습니다. 닫아 주세요",
    ),
    (
        "the first line must name the fields, with `$entity` among them",
        "첫 줄에 항목 이름을 쓰고 `$entity`도 넣으세요",
    ),
    ("`format` must be `csv` or `json`", "`format`은 `csv` 또는 `json`이어야 합니다"),
];
