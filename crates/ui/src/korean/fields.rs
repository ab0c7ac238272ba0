//! What is wrong with a field. English ends a sentence that begins with the field's name; the Korean
//! stands alone under the field.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // Whether there is a value.
    ("is required", "필수 항목입니다"),
    ("is missing", "값이 없습니다"),
    ("is required and cannot be removed", "필수 항목이라 지울 수 없습니다"),
    ("must not be empty", "값을 입력하세요"),
    ("is taken", "이미 사용 중입니다"),
    // How much of it.
    ("must be at least {}", "{0} 이상이어야 합니다"),
    ("must be at most {}", "{0} 이하여야 합니다"),
    ("must have exactly {} {}", "정확히 {0}{1:ko}로 입력하세요"),
    ("must have at least {} {}", "{0}{1:ko} 이상 입력하세요"),
    ("must have at least {} characters", "{0}자 이상 입력하세요"),
    ("must have at most {} {}", "{0}{1:ko} 이하로 입력하세요"),
    ("must have at most {} bytes", "{0}바이트 이하로 입력하세요"),
    ("must have at most {} characters", "{0}자 이하로 입력하세요"),
    ("must have at most {} elements", "{0}개 이하로 입력하세요"),
    ("must keep at least {} elements", "{0}개 이상 남겨 두세요"),
    ("must match the pattern {}", "형식에 맞게 입력하세요: {0}"),
    // What it is. The first is for types that have no sentence of their own below.
    ("must be {}", "{0:ko} 형식으로 입력하세요"),
    ("must be text", "텍스트를 입력하세요"),
    ("must be Markdown text", "마크다운 텍스트를 입력하세요"),
    ("must be an e-mail address such as {}", "이메일 주소를 입력하세요 (예: {0})"),
    (
        "must be an address that starts with https://, http:// or s3://",
        "https://, http:// 또는 s3://로 시작하는 주소를 입력하세요",
    ),
    ("must be a number", "숫자를 입력하세요"),
    ("must be a whole number", "정수를 입력하세요"),
    ("must be a whole number from 0 to {}", "0부터 {0}까지의 정수를 입력하세요"),
    ("must be true or false", "true 또는 false로 입력하세요"),
    ("must be a time such as {}", "날짜와 시각을 입력하세요 (예: {0})"),
    ("must be a month such as {}", "연월을 입력하세요 (예: {0})"),
    ("must be a ULID such as {}", "ULID를 입력하세요 (예: {0})"),
    ("must be a UUID such as {}", "UUID를 입력하세요 (예: {0})"),
    ("must be a version such as {}", "버전을 입력하세요 (예: {0})"),
    ("must be one of {}", "다음 중 하나를 선택하세요: {0}"),
    ("must be a list, each element {}", "목록으로 입력하세요 (각 요소: {0:ko})"),
    ("must be a map, each value {}", "맵으로 입력하세요 (각 값: {0:ko})"),
    ("must be a set of texts that is not empty", "텍스트를 하나 이상 입력하세요"),
    ("must be a set of numbers that is not empty", "숫자를 하나 이상 입력하세요"),
    ("must be a set of binaries that is not empty", "바이너리를 하나 이상 입력하세요"),
    ("must be binary in base64", "base64로 인코딩한 바이너리를 입력하세요"),
    ("must be written as JSON", "JSON으로 입력하세요"),
    ("is not a list", "목록이 아닙니다"),
    ("is not a set", "집합이 아닙니다"),
    ("is not a decimal number", "숫자가 아닙니다"),
    ("has more than 38 significant digits", "유효 숫자는 38자리까지 쓸 수 있습니다"),
    ("is outside the range 1E-130 to 9.99E+125", "쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어났습니다"),
    ("{} is not a decimal number", "{0}: 숫자가 아닙니다"),
    ("{} has more than 38 significant digits", "{0}: 유효 숫자는 38자리까지 쓸 수 있습니다"),
    (
        "{} is outside the range 1E-130 to 9.99E+125",
        "{0}: 쓸 수 있는 숫자의 범위(1E-130~9.99E+125)를 벗어났습니다",
    ),
    // Where inside of it.
    ("element {} {}", "요소 [{0}]: {1:ko}"),
    ("member `{}` {}", "`{0}`: {1:ko}"),
    ("at `{}` {}", "`{0}`: {1:ko}"),
    // What stands in a key.
    ("is part of a key and must not be empty", "키에 쓰이는 값이라 비워 둘 수 없습니다"),
    ("is part of a key and must not contain `{}`", "키에 쓰이는 값이라 `{0}` 문자를 넣을 수 없습니다"),
    (
        "is part of a key and must not contain control characters",
        "키에 쓰이는 값이라 제어 문자를 넣을 수 없습니다",
    ),
    ("is part of the key: move the item instead", "키에 쓰이는 값입니다. 바꾸려면 아이템을 옮기세요"),
    (
        "is part of an index key or constraint: set it to a value instead",
        "인덱스 키나 고유 제약에 쓰이므로 값을 직접 지정하세요",
    ),
    ("is not part of the key of {}", "{0}의 키에 없는 속성입니다"),
    // What does not exist.
    ("is not an attribute of {}", "{0}에 없는 속성입니다"),
    ("is not an attribute of `{}`", "`{0}`에 없는 속성입니다"),
    ("is not an attribute that `{}` returns", "`{0}` 조회 결과에 없는 속성입니다"),
    ("is not an argument of `{}`", "`{0}` 조회에 없는 조건입니다"),
    // What may change, and how.
    ("is written by Hansang and cannot be given", "자동으로 기록되는 값이라 입력할 수 없습니다"),
    ("can never change", "한 번 정하면 바꿀 수 없습니다"),
    ("must start as {}", "처음에는 다음 상태만 가능합니다: {0:names}"),
    ("can never become {} again: nothing moves there", "{0} 상태로는 되돌릴 수 없습니다"),
    ("is changed twice", "한 번에 두 번 바꿀 수 없습니다"),
    ("must be {}: this change does not fit it", "{0:ko} 형식이라 이렇게 바꿀 수 없습니다"),
    (
        "may have only so many elements: change it as a whole",
        "개수가 정해져 있어 일부만 바꿀 수 없습니다. 전체를 바꾸세요",
    ),
    ("is a map: its parts have names", "맵이므로 이름으로 지정하세요"),
    ("is a list: its parts have numbers", "목록이므로 번호로 지정하세요"),
    ("has no parts: change it as a whole", "일부만 바꿀 수 없습니다. 전체를 바꾸세요"),
    ("can only `$add` a number", "`$add`에는 숫자만 쓸 수 있습니다"),
    ("needs a list after `{}`", "`{0}`에는 목록이 필요합니다"),
    (
        "has no change `{}`: there are $add, $append, $members, $without and $default",
        "`{0}` 변경은 없습니다. $add, $append, $members, $without, $default 중에서 쓰세요",
    ),
    // Accounts and tokens.
    ("must not be the login", "아이디와 다른 비밀번호를 입력하세요"),
    (
        "must name systems by lower-case letters, digits and hyphens, or all by `*`",
        "시스템 이름은 영문 소문자, 숫자, 하이픈(-)으로 쓰고 전체는 `*`로 쓰세요",
    ),
    ("must lie ahead", "지금보다 나중 시각을 입력하세요"),
    ("must be at most 366 days ahead", "지금부터 366일 이내로 입력하세요"),
    // Items that were not written by this model.
    ("should be `{}`", "올바른 값은 `{0}`입니다"),
    ("should not be there", "있으면 안 되는 속성입니다"),
    ("does not follow from the fields", "다른 속성의 값과 맞지 않습니다"),
    ("does not belong to a pointer", "포인터에 있을 수 없는 속성입니다"),
    ("and `{}` are not the key of an item of {}", "`{0}` 값과 합쳐도 {1} 아이템의 키가 아닙니다"),
    (
        "and `{}` (`{}` / `{}`) belong to no entity",
        "`{0}` 값과 합친 키(`{1}` / `{2}`)에 맞는 엔티티가 없습니다",
    ),
];
