//! Stored items, conflicts of writes, and items as JSON.

use crate::phrases;

phrases! {
    EXISTS = "this {0} already exists", "이미 있는 {0} 데이터입니다";
    NOT_FOUND = "there is no such {0}", "해당하는 {0} 데이터가 없습니다";
    CHANGED = "this {0} was changed in the meantime: read it again",
        "그사이 이 {0} 데이터가 바뀌었습니다. 다시 불러온 뒤 시도하세요";
    NOT_UNIQUE = "another {0} already has this {1}", "다른 {0} 데이터가 이미 쓰는 값입니다: {1}";
    NOT_UNIQUE_WITHIN = "another {0} already has this {1} within the same {2}",
        "같은 {2} 안에서 다른 {0} 데이터가 이미 쓰는 값입니다: {1}";
    WRONG_STATE = "`{0}` of this {1} can become {2} only from {3}",
        "이 {1} 데이터의 `{0}` 값은 다음 상태에서만 {2} 상태로 바꿀 수 있습니다: {3}";
    NO_STATE = "`{0}` of this {1} cannot become {2}", "이 {1} 데이터의 `{0}` 값은 {2} 상태로 바꿀 수 없습니다";
    NO_VERSION = "{0} has no version to compare with", "{0}에는 비교할 버전이 없습니다";
    IMPORTED_TWICE = "an earlier item has the same key: keep one of them",
        "같은 키의 아이템이 앞에 있습니다. 하나만 남기세요";
    TOO_LARGE = "the item would have {0} bytes, and the limit is {1}: store large values elsewhere",
        "아이템이 {0}바이트로 너무 큽니다. 최대 {1}바이트이니 큰 내용은 다른 곳에 저장하세요";
    TOO_DEEP = "`{0}` nests more than {1} levels deep", "`{0}` 값의 중첩이 {1}단계를 넘습니다";
    EMPTY_SET = "`{0}` contains an empty set: leave it out",
        "`{0}`에 빈 집합이 있습니다. 비었으면 빼 주세요";
    NOT_OF_MODEL = "a stored item does not match the model `{0}`: {1}",
        "저장된 아이템이 `{0}` 모델과 맞지 않습니다: {1}";
    NOT_OF_TYPE = "a stored {0} does not fit the type it is read as",
        "저장된 {0} 데이터가 읽으려는 형식과 맞지 않습니다";

    // JSON.
    NOT_AN_OBJECT = "an item must be a JSON object, not {0}", "아이템은 JSON 객체여야 합니다 (받은 값: {0})";
    NOT_TYPED = "a typed value must be an object with one member such as {{\"S\": …}}, not {0}",
        "값은 \"S\" 같은 형식 이름 하나가 붙은 객체여야 합니다 (받은 값: {0})";
    WRONG_CONTENT = "the content of \"{0}\" has the wrong type", "\"{0}\"의 내용이 형식에 맞지 않습니다";
    UNKNOWN_TYPE = "\"{0}\" is not a type: use S, N, B, BOOL, NULL, L, M, SS, NS or BS",
        "\"{0}\" 형식은 없습니다. S, N, B, BOOL, NULL, L, M, SS, NS, BS 중에서 쓰세요";
    BAD_BASE64 = "binary is not valid base64", "바이너리가 올바른 base64가 아닙니다";
    NUMBER = "{0} {1}", "{0}: {1}";
}
