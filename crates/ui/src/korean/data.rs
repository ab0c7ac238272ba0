//! What reading and writing data can be refused for: the sentences of `core` and of the stores.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // What is there, what is not, and what changed.
    ("there is no such {}", "해당하는 {0} 데이터가 없습니다"),
    // The store.
    (
        "the store is asked for more than it can take: try again later",
        "저장소에 요청이 몰리고 있습니다. 나중에 다시 시도하세요",
    ),
    (
        "the write was done, but what it made could not be read: read the item again",
        "저장했지만 결과를 읽지 못했습니다. 아이템을 다시 조회하세요",
    ),
    // Pages and patterns.
    (
        "the index `{}` has no strongly consistent reads: ask without",
        "`{0}` 인덱스는 강력한 일관성 읽기를 지원하지 않습니다. 이 옵션 없이 조회하세요",
    ),
    ("a page has at least one item", "한 페이지에 하나 이상 조회하세요"),
    (
        "this cursor does not belong to this query: start again without a cursor",
        "이 조회의 커서가 아닙니다. 처음부터 다시 조회하세요",
    ),
    ("the start of the page lacks `{}`", "페이지의 시작 위치에 `{0}` 값이 없습니다"),
    // Keys and indexes.
    ("the key attribute `{}` must be text", "키 속성 `{0}` 값은 텍스트여야 합니다"),
    ("the key attribute `{}` is missing", "키 속성 `{0}` 값이 없습니다"),
    ("the key attribute `{}` is empty", "키 속성 `{0}` 값이 비어 있습니다"),
    (
        "the key attribute `{}` has {} bytes; it may have {}",
        "키 속성 `{0}` 값이 {1}바이트로 너무 깁니다. {2}바이트 이하로 줄이세요",
    ),
    ("the key `{}` must be {}", "키 `{0}` 값은 {1:ko} 형식이어야 합니다"),
    ("the key here is `{}`, not `{}`", "여기의 키는 `{0}`입니다 (요청: `{1}`)"),
    (
        "`{}` is a key of the index `{}` and must be {}",
        "`{1}` 인덱스의 키 `{0}` 값은 {2:ko} 형식이어야 합니다",
    ),
    ("`{}` is part of the key and can never change", "`{0}` 값은 키에 쓰여서 바꿀 수 없습니다"),
    ("the item has another key than the write", "아이템의 키가 저장하려는 키와 다릅니다"),
    ("the table `{}` has no index `{}`: {}", "`{0}` 테이블에 `{1}` 인덱스가 없습니다. {2:ko}"),
    ("what is queried has no sort key `{}`", "조회하는 곳에 정렬 키 `{0}` 속성이 없습니다"),
    (
        "the index `{}` does not carry `{}`: read it from the table",
        "`{0}` 인덱스에는 `{1}` 속성이 없습니다. 테이블에서 조회하세요",
    ),
    // Conditions.
    (
        "`{}` is a number and cannot begin with `{}`",
        "`{0}` 값은 숫자라서 앞부분 `{1}`만으로 찾을 수 없습니다",
    ),
    (
        "`{}` is a key here: ask for it in the query, not in its filter",
        "`{0}` 속성은 키입니다. 필터가 아니라 조회 조건에 쓰세요",
    ),
    (
        "only text and bytes begin with something",
        "앞부분으로 찾는 조건은 텍스트와 바이너리에만 쓸 수 있습니다",
    ),
    ("a list of choices has 1 to 100 values", "선택 목록에는 값을 1~100개 넣을 수 있습니다"),
    ("`and` and `or` need at least one condition", "`and`와 `or`에는 조건이 하나 이상 필요합니다"),
    (
        "no item can have this value: an empty set, or too deep",
        "빈 집합이거나 너무 깊게 중첩되어 있어 조건에 쓸 수 없는 값입니다",
    ),
    (
        "only text, numbers and bytes are more or less than others",
        "크기 비교는 텍스트, 숫자, 바이너리에만 쓸 수 있습니다",
    ),
    ("the range runs backwards: swap its ends", "범위의 시작이 끝보다 뒤입니다. 서로 바꾸세요"),
    (
        "the ends of a range must both be text, numbers or bytes",
        "범위의 시작과 끝은 둘 다 텍스트이거나 숫자이거나 바이너리여야 합니다",
    ),
    // What is written.
    ("name at least one field to change", "바꿀 속성을 하나 이상 지정하세요"),
    (
        "`{}` is changed twice, or together with a part of it",
        "`{0}` 값을 두 번 바꾸거나 그 일부와 함께 바꿀 수 없습니다",
    ),
    (
        "`{}` and `{}` take the same value for a list and for a map",
        "`{0}`, `{1}` 중 하나는 같은 값을 목록으로, 다른 하나는 맵으로 봅니다",
    ),
    ("`{}`: members come as a set", "`{0}`에는 집합을 넣으세요"),
    ("`{}` nests more than {} levels deep", "`{0}` 값의 중첩이 {1}단계를 넘습니다"),
    ("`{}` has an empty set: leave it out instead", "`{0}`에 빈 집합이 있습니다. 비었으면 빼 주세요"),
    (
        "the item would have {} bytes; it may have {}: store what is large elsewhere",
        "아이템이 {0}바이트로 너무 큽니다. 최대 {1}바이트이니 큰 내용은 다른 곳에 저장하세요",
    ),
    (
        "this needs {} writes at once; a transaction has at most {}",
        "한 번에 {0}건을 써야 하는데 트랜잭션은 {1}건까지 가능합니다",
    ),
    (
        "a transaction writes an item once, but this writes `{}` / `{}` twice",
        "한 트랜잭션에서 같은 아이템(`{0}` / `{1}`)을 두 번 쓸 수 없습니다",
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
