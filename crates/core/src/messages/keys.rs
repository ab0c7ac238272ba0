//! Keys and indexes.

use crate::phrases;

phrases! {
    SAME_KEY = "the key of the item would stay the same: change a field of it",
        "키가 그대로라 옮길 수 없습니다. 키에 쓰이는 값을 바꾸세요";
    FIELD_MISSING = "a field of the key of {0} is missing", "{0}의 키에 필요한 값이 없습니다";
    CONSTRAINT_FIELD_MISSING = "a field of the constraint is missing", "고유 제약에 필요한 값이 없습니다";
    NO_KEY = "the stored item has no key", "저장된 아이템에 키가 없습니다";
    PARTITION_TOO_LONG = "the partition key would have {0} bytes, and the limit is {1}",
        "파티션 키가 {0}바이트로 너무 깁니다. {1}바이트 이하로 줄이세요";
    SORT_TOO_LONG = "the sort key would have {0} bytes, and the limit is {1}",
        "정렬 키가 {0}바이트로 너무 깁니다. {1}바이트 이하로 줄이세요";
    UNIQUE_TOO_LONG = "a unique value is too long: its key would have {0} bytes, and the limit is {1}",
        "고유해야 하는 값이 너무 길어 키가 {0}바이트가 됩니다. {1}바이트 이하로 줄이세요";
    NOT_TEXT = "the key attribute `{0}` must be text", "키 속성 `{0}` 값은 텍스트여야 합니다";
    MISSING = "the key attribute `{0}` is missing", "키 속성 `{0}` 값이 없습니다";
    EMPTY = "the key attribute `{0}` is empty", "키 속성 `{0}` 값이 비어 있습니다";
    TOO_LONG = "the key attribute `{0}` has {1} bytes, and the limit is {2}",
        "키 속성 `{0}` 값이 {1}바이트로 너무 깁니다. {2}바이트 이하로 줄이세요";
    WRONG_TYPE = "the key `{0}` must be {1}", "키 `{0}` 값은 {1} 형식이어야 합니다";
    WRONG_KEY = "the key here is `{0}`, not `{1}`", "여기의 키는 `{0}`입니다 (요청: `{1}`)";
    WRONG_INDEX_TYPE = "`{0}` is a key of the index `{1}` and must be {2}",
        "`{1}` 인덱스의 키 `{0}` 값은 {2} 형식이어야 합니다";
    FIXED = "`{0}` is part of the key and cannot be changed", "`{0}` 값은 키에 쓰여서 바꿀 수 없습니다";
    OTHER_KEY = "the key of the item is not the key of the write",
        "아이템의 키가 저장하려는 키와 다릅니다";
    UNKNOWN_INDEX = "the table `{0}` has no index `{1}`: its indexes are {2}",
        "`{0}` 테이블에 `{1}` 인덱스가 없습니다. 있는 인덱스: {2}";
    NO_INDEXES = "the table `{0}` has no index `{1}`: it has no indexes",
        "`{0}` 테이블에 `{1}` 인덱스가 없습니다. 인덱스가 하나도 없는 테이블입니다";
    NO_SORT_KEY = "there is no sort key `{0}` here", "조회하는 곳에 정렬 키 `{0}` 속성이 없습니다";
    NOT_IN_INDEX = "the index `{0}` does not contain `{1}`: read it from the table",
        "`{0}` 인덱스에는 `{1}` 속성이 없습니다. 테이블에서 조회하세요";
}
