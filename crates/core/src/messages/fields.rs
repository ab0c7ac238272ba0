//! Problems of one field. The English text ends a sentence that begins with the name of the field; the
//! Korean one is a sentence of its own, shown below the field.

use crate::phrases;

phrases! {
    /// A field and its problem.
    FIELD = "`{0}` {1}", "`{0}`: {1}";

    // Presence.
    REQUIRED = "is required", "필수 항목입니다";
    MISSING = "is missing", "값이 없습니다";
    NOT_REMOVABLE = "is required and cannot be removed", "필수 항목이라 지울 수 없습니다";
    EMPTY = "must not be empty", "값을 입력하세요";
    TAKEN = "is taken", "이미 사용 중입니다";

    // Size.
    AT_LEAST = "must be at least {0}", "{0} 이상이어야 합니다";
    AT_MOST = "must be at most {0}", "{0} 이하여야 합니다";
    EXACT_CHARACTERS = "must have exactly {0} characters", "정확히 {0}자로 입력하세요";
    EXACT_ELEMENTS = "must have exactly {0} elements", "정확히 {0}개로 입력하세요";
    EXACT_BYTES = "must have exactly {0} bytes", "정확히 {0}바이트로 입력하세요";
    MIN_CHARACTERS = "must have at least {0} characters", "{0}자 이상 입력하세요";
    MIN_ELEMENTS = "must have at least {0} elements", "{0}개 이상 입력하세요";
    MIN_BYTES = "must have at least {0} bytes", "{0}바이트 이상 입력하세요";
    MAX_CHARACTERS = "must have at most {0} characters", "{0}자 이하로 입력하세요";
    MAX_ELEMENTS = "must have at most {0} elements", "{0}개 이하로 입력하세요";
    MAX_BYTES = "must have at most {0} bytes", "{0}바이트 이하로 입력하세요";
    KEEP_ELEMENTS = "must keep at least {0} elements", "{0}개 이상 남겨 두세요";
    PATTERN = "must match the pattern {0}", "형식에 맞게 입력하세요: {0}";

    // Form.
    NOT_JSON = "must be valid JSON", "JSON으로 입력하세요";
    NOT_BASE64 = "must be base64-encoded binary", "base64로 인코딩한 바이너리를 입력하세요";
    NOT_A_LIST = "is not a list", "목록이 아닙니다";
    NOT_A_SET = "is not a set", "집합이 아닙니다";
    NOT_A_NUMBER = "is not a decimal number", "숫자가 아닙니다";
    TOO_PRECISE = "has more than 38 significant digits", "유효 숫자는 38자리까지 쓸 수 있습니다";
    OUT_OF_RANGE = "is outside the range 1E-130 to 9.99E+125",
        "쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어났습니다";

    // Parts.
    ELEMENT = "element {0} {1}", "요소 [{0}]: {1}";
    MEMBER = "member `{0}` {1}", "`{0}`: {1}";
    AT_PATH = "at `{0}` {1}", "`{0}`: {1}";

    // Keys.
    KEY_EMPTY = "is part of a key and must not be empty", "키에 쓰이는 값이라 비워 둘 수 없습니다";
    KEY_DELIMITER = "is part of a key and must not contain `{0}`",
        "키에 쓰이는 값이라 `{0}` 문자를 넣을 수 없습니다";
    KEY_CONTROL = "is part of a key and must not contain control characters",
        "키에 쓰이는 값이라 제어 문자를 넣을 수 없습니다";
    KEY_NUMBER = "must be a whole number from 0 to {0}", "0부터 {0}까지의 정수를 입력하세요";
    IN_KEY = "is part of the key and cannot be changed: move the item instead",
        "키에 쓰이는 값입니다. 바꾸려면 아이템을 옮기세요";
    IN_INDEX = "is part of an index key or constraint: set it to a value instead",
        "인덱스 키나 고유 제약에 쓰이므로 값을 직접 지정하세요";

    // Names.
    UNKNOWN_ATTRIBUTE = "is not an attribute of {0}", "{0}에 없는 속성입니다";
    UNKNOWN_RESULT = "is not an attribute that `{0}` returns", "`{0}` 조회 결과에 없는 속성입니다";
    UNKNOWN_ARGUMENT = "is not an argument of `{0}`", "`{0}` 조회에 없는 조건입니다";

    // Changes.
    AUTOMATIC = "is written by Hansang and cannot be given", "자동으로 기록되는 값이라 입력할 수 없습니다";
    IMMUTABLE = "cannot be changed once it is set", "한 번 정하면 바꿀 수 없습니다";
    INITIAL_STATE = "must start as {0}", "처음에는 다음 상태만 가능합니다: {0}";
    NO_WAY_BACK = "cannot become {0} again: no state leads to it", "{0} 상태로는 되돌릴 수 없습니다";
    CHANGED_TWICE = "is changed twice: change it once", "한 번에 두 번 바꿀 수 없습니다";
    UNFIT_CHANGE = "is {0} and cannot be changed this way", "{0} 형식이라 이렇게 바꿀 수 없습니다";
    LIMITED_LENGTH = "has a maximum length: replace the whole value",
        "개수가 정해져 있어 일부만 바꿀 수 없습니다. 전체를 바꾸세요";
    IS_A_MAP = "is a map: name its members", "맵이므로 이름으로 지정하세요";
    IS_A_LIST = "is a list: number its elements", "목록이므로 번호로 지정하세요";
    NO_PARTS = "has no parts: replace the whole value", "일부만 바꿀 수 없습니다. 전체를 바꾸세요";

    // Items that the model did not write.
    SHOULD_BE = "should be `{0}`", "올바른 값은 `{0}`입니다";
    SHOULD_BE_ABSENT = "should be absent", "있으면 안 되는 속성입니다";
    NOT_DERIVED = "does not match the fields it is made of", "다른 속성의 값과 맞지 않습니다";
    NOT_OF_POINTER = "is not an attribute of a pointer", "포인터에 있을 수 없는 속성입니다";
    NOT_A_KEY = "and `{0}` are not the key of {1}", "`{0}` 값과 합쳐도 {1} 아이템의 키가 아닙니다";
    NO_ENTITY = "and `{0}` (`{1}` / `{2}`) match no entity",
        "`{0}` 값과 합친 키(`{1}` / `{2}`)에 맞는 엔티티가 없습니다";
}
