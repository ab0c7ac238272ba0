//! The phrases of the HTTP layer in every language.

use hansang_core::phrases;

phrases! {
    // Callers.
    NOT_SIGNED_IN = "sign in, or send a token as `Authorization: Bearer …`",
        "로그인하거나 `Authorization: Bearer …` 헤더로 토큰을 보내세요";
    ROLE_MISSING = "this needs the role {0} of {1}: ask an administrator for it",
        "{1}에 대한 {0} 권한이 필요합니다. 관리자에게 요청하세요";
    FORGED = "this form is too old or not ours: open its page again (programs send the `csrf` of their session as `{0}`)",
        "양식이 오래되었거나 이 콘솔의 양식이 아닙니다. 페이지를 다시 여세요 (프로그램은 세션의 `csrf` 값을 `{0}` 헤더로 보냅니다)";
    SEVERAL_HOSTS = "send one `Host` header", "`Host` 헤더를 하나만 보내세요";
    OTHER_SITE = "this was sent by a page of another site: open the console and do it there",
        "다른 사이트의 페이지에서 보낸 요청입니다. 콘솔을 열고 거기서 하세요";

    // Load.
    OVERLOADED = "the server is at its capacity: try again in a moment",
        "지금 서버에 요청이 많습니다. 잠시 후 다시 시도하세요";
    TOOK_TOO_LONG = "the request took too long: ask for less, or try again in a moment; read before you repeat a write, it may have been done",
        "처리 시간이 너무 깁니다. 범위를 줄이거나 잠시 후 다시 시도하세요. 저장하던 중이었다면 이미 저장되었는지 먼저 확인하세요";
    ADDRESS_LIMITED = "too many requests come from this address: wait a moment, then ask less often",
        "이 주소에서 보낸 요청이 너무 많습니다. 잠시 후 천천히 다시 시도하세요";
    ADDRESS_BUSY = "too many requests of this address are open at once: wait for some of them to end",
        "이 주소에서 동시에 처리 중인 요청이 너무 많습니다. 먼저 보낸 요청이 끝난 뒤 다시 시도하세요";
    TOO_MANY_STREAMS = "too many streams of this account or address are open at once: close some of them",
        "이 계정이나 주소에서 동시에 열린 스트림이 너무 많습니다. 일부를 닫은 뒤 다시 시도하세요";
    BODY_TOO_SLOW = "the body came too slowly: send it again over a faster connection, or in smaller parts",
        "본문을 받는 속도가 너무 느립니다. 더 빠른 연결로 다시 보내거나 나누어 보내세요";
    ACCOUNT_LIMITED = "too many requests come from this account: wait a moment, then ask less often",
        "이 계정에서 보낸 요청이 너무 많습니다. 잠시 후 천천히 다시 시도하세요";
    BODY_OVER = "the body has more than {0} bytes: send less at once",
        "요청 본문이 {0}바이트를 넘습니다. 나누어 보내세요";
    BODY_TOO_LARGE = "the body is too large: send less at once", "요청 본문이 너무 큽니다. 나누어 보내세요";

    // Faults, and paths that do not exist.
    INTERNAL = "something went wrong inside the server: give the trace id to its operator",
        "서버에 문제가 생겼습니다. 서버 운영자에게 추적 ID를 알려 주세요";
    NO_SUCH_PATH = "there is nothing at this path: check it against the API's description",
        "없는 주소입니다. API 문서에서 주소를 확인하세요";
    WRONG_METHOD = "this path does not take this method: see the Allow header for those it takes",
        "이 주소에서 쓸 수 없는 메서드입니다. Allow 헤더에서 쓸 수 있는 메서드를 확인하세요";
    STOPPING = "the server is about to stop: send requests elsewhere",
        "서버가 곧 멈춥니다. 요청을 다른 서버로 보내세요";
    DEPENDENCY_FAILS = "a dependency of the server does not work: see its log",
        "서버에 필요한 서비스가 동작하지 않습니다. 서버 로그를 확인하세요";
    DEPENDENCY_SLOW = "a dependency of the server does not answer in time",
        "서버에 필요한 서비스가 제때 응답하지 않습니다";

    // Bodies.
    NOT_JSON_TYPE = "send the body as `Content-Type: application/json`",
        "본문을 `Content-Type: application/json`으로 보내세요";
    BODY_UNREADABLE = "the body did not arrive whole: send it again", "본문을 다 받지 못했습니다. 다시 보내세요";
    NOT_AN_OBJECT = "the body must be a JSON object", "본문은 JSON 객체여야 합니다";
    NOT_JSON = "the body is not JSON: correct it at line {0}, column {1}",
        "본문이 올바른 JSON이 아닙니다. {0}행 {1}열을 고치세요";
    NOT_AS_DOCUMENTED = "the body is not as documented: {0}", "본문이 API 문서와 다릅니다: {0}";
    OTHER_ENTITY = "the body is of `{0}`, the address of `{1}`", "본문은 `{0}`인데 주소는 `{1}`입니다";
    NOT_AN_ENTITY = "`$entity` must be the name of an entity", "`$entity`에는 엔티티 이름을 쓰세요";

    // Addresses and query strings.
    MALFORMED_PATH = "the address is not valid: encode it as UTF-8",
        "주소가 올바르지 않습니다. UTF-8로 인코딩하세요";
    MALFORMED_QUERY = "the query string is not valid: encode it as UTF-8",
        "쿼리 문자열이 올바르지 않습니다. UTF-8로 인코딩하세요";
    GIVEN_TWICE = "`{0}` is given twice: give it once", "`{0}` 값이 두 번 있습니다. 한 번만 보내세요";
    UNKNOWN_PARAMETER = "there is no parameter `{0}` here: leave it out",
        "여기에는 `{0}` 매개변수가 없습니다. 빼고 보내세요";
    UNKNOWN_PARAMETER_OF = "there is no parameter `{0}` here: the parameters are {1}",
        "여기에는 `{0}` 매개변수가 없습니다. 쓸 수 있는 매개변수: {1}";
    NOT_A_COUNT = "`{0}` must be a whole number from 1 on", "`{0}`에는 1 이상의 정수를 쓰세요";
    NOT_A_BOOLEAN = "`{0}` must be `true` or `false`", "`{0}`에는 `true` 또는 `false`를 쓰세요";
    NOT_AN_ORDER = "`order` must be `ascending` or `descending`",
        "`order`에는 `ascending` 또는 `descending`을 쓰세요";

    // Parameters in the description of the API.
    ONLY_THIS_VERSION = "Only this version: the `ETag` that was read",
        "이 버전일 때만: 읽을 때 받은 `ETag`";
    OTHER_PAGE = "`next` or `previous` of another page", "다른 페이지의 `next` 또는 `previous`";
    CONSISTENT = "Whether every acknowledged write is seen", "완료된 쓰기를 모두 반영해 읽을지";
    ONLY_THESE_FIELDS = "Only these fields, separated by commas", "쉼표로 구분한 항목만";

    // Versions.
    NO_VERSIONS = "`{0}` counts no versions: leave `If-Match` out",
        "`{0}`에는 버전이 없습니다. `If-Match`를 빼고 보내세요";
    BOTH_CONDITIONS = "`If-Match` and `If-None-Match` contradict each other: send only one of them",
        "`If-Match`와 `If-None-Match`는 함께 쓸 수 없습니다. 둘 중 하나만 보내세요";
    ONLY_ABSENT = "`If-None-Match` can only be `*`: the record must not exist yet",
        "`If-None-Match`에는 `*`만 쓸 수 있습니다. 아직 없을 때만 만든다는 뜻입니다";
    NOT_AN_ETAG = "`If-Match` must be the `ETag` of an earlier response, such as `\"3\"`",
        "`If-Match`에는 먼저 받은 응답의 `ETag`를 쓰세요 (예: `\"3\"`)";

    // Starting a server.
    LOGGING_TWICE = "logging was started already", "로그 기록이 이미 시작되었습니다";
    LOG_FILTER = "the log filter `{0}` cannot be understood: give a level such as `info`, or levels by target such as `info,hansang_server=debug`",
        "로그 필터 `{0}`을 해석할 수 없습니다. `info` 같은 수준이나 `info,hansang_server=debug`처럼 대상별 수준을 쓰세요";
    NOT_A_COLLECTOR = "`{0}` is not the address of a collector: give one that takes OTLP over HTTP, such as `http://localhost:4318`",
        "`{0}`은 수집기 주소가 아닙니다. `http://localhost:4318`처럼 OTLP over HTTP를 받는 주소를 쓰세요";
    NO_TLS_VERSIONS = "TLS has no versions", "쓸 수 있는 TLS 버전이 없습니다";
    WRONG_KEY = "the private key in {0} does not belong to the certificate in {1}: give the key that the certificate was made with",
        "{0}의 개인 키가 {1}의 인증서와 맞지 않습니다. 인증서를 만들 때 쓴 키를 지정하세요";
    WRONG_CHAIN = "the certificate in {1} cannot be used with the key in {0}: the server's own certificate comes first in the file, then those that vouch for it",
        "{1}의 인증서를 {0}의 키와 함께 쓸 수 없습니다. 파일에 서버 인증서를 먼저, 상위 인증서를 그 뒤에 두세요";
    CERTIFICATE = "certificate", "인증서";
    PRIVATE_KEY = "private key", "개인 키";
    NO_FILE = "there is no file {0}: give the path of the {1} in PEM form",
        "{0} 파일이 없습니다. PEM 형식의 {1} 경로를 지정하세요";
    MAY_NOT_BE_READ = "the {1} in {0} may not be read: let the user who runs this read the file",
        "{0}의 {1}: 읽을 권한이 없습니다. 실행하는 사용자에게 읽기 권한을 주세요";
    CANNOT_BE_READ = "the {1} in {0} cannot be read: check the path", "{0}의 {1}: 읽을 수 없습니다. 경로를 확인하세요";
    NO_CERTIFICATE = "{0} has no certificate inside: it needs a block that starts with `-----BEGIN CERTIFICATE-----`",
        "{0}에 인증서가 없습니다. `-----BEGIN CERTIFICATE-----`로 시작하는 블록이 필요합니다";
    NO_PRIVATE_KEY = "{0} has no private key inside: it needs a block that starts with `-----BEGIN PRIVATE KEY-----`, without a passphrase",
        "{0}에 개인 키가 없습니다. `-----BEGIN PRIVATE KEY-----`로 시작하고 암호가 없는 블록이 필요합니다";
    DAMAGED = "{0} is damaged: write the {1} in PEM form anew",
        "{0} 파일이 손상되었습니다. {1} 파일을 PEM 형식으로 다시 만드세요";
}

#[cfg(test)]
mod tests {
    use hansang_core::message::check;

    use super::ALL;

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(check(ALL), [] as [String; 0]);
    }
}
