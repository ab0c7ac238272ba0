//! The types of attributes: as nouns, and as the demand for a value of the type.

use crate::phrases;

phrases! {
    TEXT = "text", "텍스트";
    MARKDOWN = "Markdown text", "마크다운 텍스트";
    EMAIL = "an e-mail address such as {0}", "이메일 주소(예: {0})";
    URL = "an address that starts with https://, http:// or s3://",
        "https://, http:// 또는 s3://로 시작하는 주소";
    NUMBER = "a number", "숫자";
    INTEGER = "a whole number", "정수";
    BOOL = "true or false", "true 또는 false";
    TIME = "a time such as {0}", "날짜와 시각(예: {0})";
    MONTH = "a month such as {0}", "연월(예: {0})";
    ULID = "a ULID such as {0}", "ULID(예: {0})";
    UUID = "a UUID such as {0}", "UUID(예: {0})";
    VERSION = "a version such as {0}", "버전(예: {0})";
    CHOICE = "one of {0}", "선택({0})";
    LIST_OF = "a list, each element {0}", "목록(각 요소: {0})";
    MAP_OF = "a map, each value {0}", "맵(각 값: {0})";
    TEXT_SET = "a set of texts that is not empty", "비어 있지 않은 텍스트 집합";
    NUMBER_SET = "a set of numbers that is not empty", "비어 있지 않은 숫자 집합";
    BINARY_SET = "a set of binaries that is not empty", "비어 있지 않은 바이너리 집합";
    BINARY = "binary", "바이너리";
    ANY = "any value", "모든 값";

    // JSON has three more.
    NULL = "null", "null";
    LIST = "a list", "목록";
    OBJECT = "an object", "객체";

    MUST_BE = "must be {0}", "{0} 형식으로 입력하세요";
    MUST_BE_TEXT = "must be text", "텍스트를 입력하세요";
    MUST_BE_MARKDOWN = "must be Markdown text", "마크다운 텍스트를 입력하세요";
    MUST_BE_EMAIL = "must be an e-mail address such as {0}", "이메일 주소를 입력하세요 (예: {0})";
    MUST_BE_URL = "must be an address that starts with https://, http:// or s3://",
        "https://, http:// 또는 s3://로 시작하는 주소를 입력하세요";
    MUST_BE_NUMBER = "must be a number", "숫자를 입력하세요";
    MUST_BE_INTEGER = "must be a whole number", "정수를 입력하세요";
    MUST_BE_BOOL = "must be true or false", "true 또는 false로 입력하세요";
    MUST_BE_TIME = "must be a time such as {0}", "날짜와 시각을 입력하세요 (예: {0})";
    MUST_BE_MONTH = "must be a month such as {0}", "연월을 입력하세요 (예: {0})";
    MUST_BE_ULID = "must be a ULID such as {0}", "ULID를 입력하세요 (예: {0})";
    MUST_BE_UUID = "must be a UUID such as {0}", "UUID를 입력하세요 (예: {0})";
    MUST_BE_VERSION = "must be a version such as {0}", "버전을 입력하세요 (예: {0})";
    MUST_BE_CHOICE = "must be one of {0}", "다음 중 하나를 선택하세요: {0}";
    MUST_BE_LIST_OF = "must be a list, each element {0}", "목록으로 입력하세요 (각 요소: {0})";
    MUST_BE_MAP_OF = "must be a map, each value {0}", "맵으로 입력하세요 (각 값: {0})";
    MUST_BE_TEXT_SET = "must be a set of texts that is not empty", "텍스트를 하나 이상 입력하세요";
    MUST_BE_NUMBER_SET = "must be a set of numbers that is not empty", "숫자를 하나 이상 입력하세요";
    MUST_BE_BINARY_SET = "must be a set of binaries that is not empty", "바이너리를 하나 이상 입력하세요";
}
