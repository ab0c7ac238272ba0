//! Patterns, pages, cursors and conditions.

use crate::phrases;

phrases! {
    CLOSED_ENTITY = "{1} is written by the operations of `{0}` alone: see its API", "{1} 데이터는 `{0}` 시스템의 작업으로만 변경할 수 있습니다. API 문서를 확인하세요";
    UNKNOWN_ENTITY = "the model `{0}` has no entity `{1}`", "`{0}` 모델에 `{1}` 엔티티가 없습니다";
    UNKNOWN_ENTITY_NEAR = "the model `{0}` has no entity `{1}`: did you mean `{2}`?",
        "`{0}` 모델에 `{1}` 엔티티가 없습니다. 혹시 `{2}`인가요?";
    UNKNOWN_PATTERN = "the model `{0}` has no pattern `{1}`", "`{0}` 모델에 `{1}` 접근 패턴이 없습니다";
    UNKNOWN_PATTERN_NEAR = "the model `{0}` has no pattern `{1}`: did you mean `{2}`?",
        "`{0}` 모델에 `{1}` 접근 패턴이 없습니다. 혹시 `{2}`인가요?";
    OTHER_ENTITY = "`{0}` also returns {1}: query it as records",
        "`{0}` 조회에는 {1}도 나옵니다. 레코드로 조회하세요";

    // Pages.
    PATTERN_NOT_STRONG =
        "`{0}` reads the index `{1}`, which has no strongly consistent reads: read without strong consistency",
        "`{0}` 조회가 읽는 `{1}` 인덱스는 강력한 일관성 읽기를 지원하지 않습니다. 이 옵션 없이 조회하세요";
    INDEX_NOT_STRONG =
        "the index `{0}` has no strongly consistent reads: read without strong consistency",
        "`{0}` 인덱스는 강력한 일관성 읽기를 지원하지 않습니다. 이 옵션 없이 조회하세요";
    PAGE_SIZE = "a page must have 1 to {0} items, not {1}", "한 페이지에 1~{0}개까지 볼 수 있습니다 (요청: {1}개)";
    PAGE_EMPTY = "a page must have at least one item", "한 페이지에 하나 이상 조회하세요";
    CURSOR_PAST_END = "this cursor is past the end: start again without a cursor",
        "목록의 끝을 지났습니다. 처음부터 다시 조회하세요";
    CURSOR_OF_OTHER = "this cursor does not belong to this query: start again without a cursor",
        "이 조회의 커서가 아닙니다. 처음부터 다시 조회하세요";
    START_INCOMPLETE = "the start of the page has no `{0}`", "페이지의 시작 위치에 `{0}` 값이 없습니다";

    // Arguments.
    ARGUMENT_MISSING = "an argument of `{0}` is missing", "`{0}` 조회에 필요한 조건이 없습니다";
    FROM_AFTER_TO = "`from` is after `to`: swap them", "시작(`from`)이 끝(`to`)보다 뒤입니다. 서로 바꾸세요";
    TOO_MANY_MONTHS = "`from` to `to` are {0} months: ask for at most {1}",
        "`from`부터 `to`까지 {0}개월입니다. {1}개월 이하로 조회하세요";

    // Conditions.
    PREFIX_OF_NUMBER = "`{0}` is a number and cannot begin with `{1}`",
        "`{0}` 값은 숫자라서 앞부분 `{1}`만으로 찾을 수 없습니다";
    FILTER_ON_KEY = "`{0}` is a key: put it into the query, not into the filter",
        "`{0}` 속성은 키입니다. 필터가 아니라 조회 조건에 쓰세요";
    PREFIX_TYPE = "a prefix must be text or bytes",
        "앞부분으로 찾는 조건은 텍스트와 바이너리에만 쓸 수 있습니다";
    CHOICE_COUNT = "a list of choices must have 1 to 100 values", "선택 목록에는 값을 1~100개 넣을 수 있습니다";
    NO_CONDITION = "`and` and `or` need at least one condition", "`and`와 `or`에는 조건이 하나 이상 필요합니다";
    IMPOSSIBLE_VALUE = "a condition compares with an empty set or a value that nests too deep",
        "빈 집합이거나 너무 깊게 중첩되어 있어 조건에 쓸 수 없는 값입니다";
    NOT_ORDERED = "only text, numbers and bytes can be greater or less",
        "크기 비교는 텍스트, 숫자, 바이너리에만 쓸 수 있습니다";
    RANGE_BACKWARDS = "the start of the range is after its end: swap them",
        "범위의 시작이 끝보다 뒤입니다. 서로 바꾸세요";
    RANGE_TYPES = "both ends of a range must be text, both numbers or both bytes",
        "범위의 시작과 끝은 둘 다 텍스트이거나 숫자이거나 바이너리여야 합니다";
}
