//! The phrases of the server, in every language.

use hansang_core::phrases;

pub(crate) mod api;

phrases! {
    // Sessions, tokens and the audit log.
    NO_SESSION = "a token has no session to end: revoke it instead",
        "토큰은 로그아웃할 수 없습니다. 토큰을 폐기하세요";
    NOT_A_TIME = "`expires` must be a time such as `2027-01-31T00:00:00Z`",
        "`expires`에는 `2027-01-31T00:00:00Z` 같은 시각을 쓰세요";
    TOKEN_NAME_TAKEN = "another of your tokens has this name: choose another one",
        "같은 이름의 토큰이 이미 있습니다. 다른 이름을 쓰세요";
    NOT_A_DAY = "`day` must be a day such as `2026-11-16`", "`day`에는 `2026-11-16` 같은 날짜를 쓰세요";
    ONE_AUDIT_FILTER = "give one of `day`, `actor` and `system`: the log is read by one of them",
        "`day`, `actor`, `system` 중 하나만 지정해 조회하세요";

    // Records and their changes.
    NOTHING_TO_CHANGE = "the body names nothing to change", "바꿀 내용이 없습니다";
    KEY_MISMATCH = "`{0}` is another in the body than in the address: make them the same",
        "`{0}` 값이 본문과 주소에서 다릅니다. 같게 맞추세요";
    ONLY_WITH_PUT = "`If-None-Match: *` only goes with `PUT`: use `If-Match` here",
        "`If-None-Match: *`는 `PUT`에만 쓸 수 있습니다. 여기서는 `If-Match`를 쓰세요";
    CHANGED_SINCE_SHOWN = "this record was changed elsewhere. Review, then save again",
        "다른 곳에서 변경된 항목입니다. 확인한 뒤 다시 저장하세요";
    CHANGED_BEFORE_DELETE = "this record was changed elsewhere. Review, then delete again",
        "다른 곳에서 변경된 항목입니다. 확인한 뒤 다시 삭제하세요";
    NO_SUCH_RECORD = "is neither the key nor the title of a record of {0}: choose one from the list",
        "{0}에 없는 키 또는 제목입니다. 목록에서 고르세요";
    SEVERAL_WITH_TITLE = "is the title of several records of {0}: choose one from the list by its key",
        "{0}에 제목이 같은 데이터가 여러 개 있습니다. 목록에서 키로 고르세요";
    ADD_NEEDS_NUMBER = "can only `$add` a number", "`$add`에는 숫자만 쓸 수 있습니다";
    NEEDS_LIST = "needs a list after `{0}`", "`{0}`에는 목록이 필요합니다";
    UNKNOWN_CHANGE = "has no change `{0}`: there are $add, $append, $members, $without and $default",
        "`{0}` 변경은 없습니다. $add, $append, $members, $without, $default 중에서 쓰세요";

    // Several records at once.
    TOO_MANY_KEYS = "at most {0} keys can be read at once", "한 번에 키를 {0}개까지 조회할 수 있습니다";
    TOO_MANY_BYTES = "these records have more than {0} MB: read fewer of them, or fewer fields",
        "레코드가 {0}MB를 넘습니다. 더 적은 레코드나 속성을 조회하세요";
    NOT_IN_KEY = "is not part of the key of {0}", "{0}의 키에 없는 속성입니다";
    WRONG_OPERATION_COUNT = "a transaction has from 1 to {0} operations, and this one {1}",
        "트랜잭션에는 작업을 1~{0}개 넣을 수 있습니다 (요청: {1}개)";
    OPERATION_FAILED = "operation {0} (counted from 0) failed, so nothing was written: {1}",
        "작업 [{0}](0부터 셈)을 할 수 없어 모두 취소했습니다: {1}";
    NO_VERSION_YET = "a new record has no version yet: leave it out",
        "새로 만드는 데이터에는 아직 버전이 없습니다. 빼고 보내세요";
    CHECK_HAS_NO_VERSION = "`check` takes no version: it only asks whether there is such a record",
        "`check`에는 버전을 쓸 수 없습니다. 데이터가 있는지만 확인합니다";
    CHANGES_NEEDED = "`update` and `relocate` need `changes`: say what changes",
        "`update`와 `relocate`에는 `changes`가 필요합니다. 바꿀 내용을 쓰세요";
    CHANGES_NOT_TAKEN = "only `update` and `relocate` take `changes`",
        "`changes`는 `update`와 `relocate`에만 쓸 수 있습니다";

    // Export and import.
    NOT_AN_EXPORT_FORMAT = "`format` must be `items` or `records`", "`format`에는 `items` 또는 `records`를 쓰세요";
    NOT_A_DOWNLOAD_FORMAT = "`format` must be `csv` or `json`", "`format`은 `csv` 또는 `json`이어야 합니다";
    LINE_NOT_JSON = "the line is not JSON", "올바른 JSON이 아닌 줄입니다";
    LINE_NOT_OBJECT = "the line must be a JSON object", "줄마다 JSON 객체 하나를 쓰세요";
    LINE_WITHOUT_ENTITY = "the line must name its entity as `$entity`", "줄마다 `$entity`에 엔티티 이름을 쓰세요";
    LINE_TOO_LONG = "line {0} is too long to be an item: correct it",
        "{0}번째 줄이 아이템 하나로는 너무 깁니다. 줄을 고치세요";
    NOTHING_TO_IMPORT = "there is nothing to import: paste lines or choose a file",
        "가져올 내용이 없습니다. 붙여 넣거나 파일을 고르세요";
    FILE_TOO_LARGE = "the file has more than {0} MB: split it, or send it through the API",
        "파일이 {0}MB를 넘습니다. 나누어 올리거나 API로 보내세요";
    FILE_NOT_UTF8 = "the file is not UTF-8 text: save it as CSV in UTF-8, or as JSON",
        "UTF-8 텍스트 파일이 아닙니다. UTF-8 CSV나 JSON으로 저장해 올리세요";
    OPEN_QUOTE = "the quotation mark of line {0} is never closed: close it",
        "{0}번째 줄의 따옴표가 닫히지 않았습니다. 닫아 주세요";
    NO_HEADER = "the first line must name the fields, with `$entity` among them",
        "첫 줄에 항목 이름을 쓰고 `$entity`도 넣으세요";

    // Ports.
    MALFORMED_CALL = "this call cannot be read: {0}; use one version of Hansang on both sides",
        "호출을 읽을 수 없습니다: {0}. 양쪽에서 같은 버전의 Hansang을 쓰세요";
    TABLE_NOT_LENT = "the server lends no table `{0}`, but {1}: use the models and the environment that it uses",
        "이 서버는 `{0}` 테이블을 제공하지 않습니다. 제공하는 것: {1}. 서버와 같은 모델과 환경을 쓰세요";
    QUEUE_NOT_LENT = "the server lends no queue `{0}`, but {1}: use the models and the environment that it uses",
        "이 서버는 `{0}` 큐를 제공하지 않습니다. 제공하는 것: {1}. 서버와 같은 모델과 환경을 쓰세요";
    NOTHING_LENT = "the server lends nothing: start it with `lend-ports`",
        "이 서버는 포트를 제공하지 않습니다. `lend-ports` 설정을 켜고 시작하세요";
}

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    use super::{ALL, api};

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(&[ALL, api::ALL].concat()), [] as [String; 0]);
    }
}
