//! What a request can be refused for before any data is touched: the sentences of the server.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // Who asks, and what they may.
    (
        "sign in, or send a token as `Authorization: Bearer …`",
        "로그인하거나 `Authorization: Bearer …` 헤더로 토큰을 보내세요",
    ),
    (
        "you are not signed in, or no longer: sign in again or use another token",
        "로그인하지 않았거나 로그인이 끝났습니다. 다시 로그인하거나 다른 토큰을 쓰세요",
    ),
    (
        "this needs the role {} of {}: ask an administrator for it",
        "{1:ko}에 대한 {0:ko} 권한이 필요합니다. 관리자에게 요청하세요",
    ),
    (
        "only administrators of every system may do this: ask one of them",
        "전체 관리자만 할 수 있습니다. 관리자에게 요청하세요",
    ),
    (
        "`{}` is not a role: it is viewer, editor or admin",
        "`{0}` 역할은 없습니다. viewer, editor, admin 중에서 쓰세요",
    ),
    (
        "this form is too old or not ours: open its page again (programs send the `csrf` of their session as `{}`)",
        "양식이 오래되었거나 이 콘솔의 양식이 아닙니다. 페이지를 다시 여세요 (프로그램은 세션의 `csrf` 값을 `{0}` 헤더로 보냅니다)",
    ),
    (
        "this was sent by a page of another site: open the console and do it there",
        "다른 사이트의 페이지에서 보낸 요청입니다. 콘솔을 열고 거기서 하세요",
    ),
    // Signing in.
    (
        "this login and password do not belong together: check both and try again",
        "아이디 또는 비밀번호가 맞지 않습니다. 확인하고 다시 시도하세요",
    ),
    (
        "too many attempts failed: wait {} {}, then try again",
        "여러 번 실패했습니다. {0}{1:ko} 후에 다시 시도하세요",
    ),
    (
        "too many people are signing in at the moment: try again in a few seconds",
        "지금 로그인하는 사람이 많습니다. 몇 초 후 다시 시도하세요",
    ),
    (
        "this needs a session: sign in with your login and password, then try again",
        "로그인이 필요합니다. 아이디와 비밀번호로 로그인한 뒤 다시 시도하세요",
    ),
    (
        "this is not your password: type the one you signed in with",
        "현재 비밀번호가 맞지 않습니다. 로그인할 때 쓴 비밀번호를 입력하세요",
    ),
    (
        "the identity provider cannot be reached at the moment: try again in a minute",
        "지금은 인증 서버에 연결할 수 없습니다. 1분 후 다시 시도하세요",
    ),
    ("a token has no session to end: revoke it instead", "토큰은 로그아웃할 수 없습니다. 토큰을 폐기하세요"),
    // Setting up.
    ("there is an administrator already: sign in", "이미 관리자가 있습니다. 로그인하세요"),
    (
        "this link does not work, or no longer: ask whoever runs this server for a new one",
        "쓸 수 없거나 만료된 링크입니다. 서버 운영자에게 새 링크를 요청하세요",
    ),
    (
        "there is no administrator yet: use the set-up link of this server first",
        "아직 관리자가 없습니다. 먼저 서버의 설정 링크로 관리자를 만드세요",
    ),
    // Accounts and tokens.
    (
        "there is no such account: list the accounts to see their ids",
        "없는 계정입니다. 계정 목록에서 ID를 확인하세요",
    ),
    (
        "another account has this login: choose another one",
        "이미 사용 중인 아이디입니다. 다른 아이디를 쓰세요",
    ),
    (
        "this is the last administrator who can sign in: make somebody else one first",
        "로그인할 수 있는 마지막 관리자입니다. 먼저 다른 사람을 관리자로 지정하세요",
    ),
    (
        "others keep changing this account: try again in a moment",
        "다른 사람이 이 계정을 바꾸고 있습니다. 잠시 후 다시 시도하세요",
    ),
    (
        "the account was written, but could not be read: read it again",
        "계정을 저장했지만 결과를 읽지 못했습니다. 다시 조회하세요",
    ),
    (
        "there is no such token: list the tokens to see their ids",
        "없는 토큰입니다. 토큰 목록에서 ID를 확인하세요",
    ),
    (
        "another of your tokens has this name: choose another one",
        "같은 이름의 토큰이 이미 있습니다. 다른 이름을 쓰세요",
    ),
    (
        "a token cannot do more than you: choose grants that you have yourself",
        "본인에게 없는 권한은 토큰에 줄 수 없습니다. 가진 권한 중에서 고르세요",
    ),
    (
        "`expires` must be a time such as `2027-01-31T00:00:00Z`",
        "`expires`에는 `2027-01-31T00:00:00Z` 같은 시각을 쓰세요",
    ),
    ("`day` must be a day such as `2026-11-16`", "`day`에는 `2026-11-16` 같은 날짜를 쓰세요"),
    (
        "give one of `day`, `actor` and `system`: the log is read by one of them",
        "`day`, `actor`, `system` 중 하나만 지정해 조회하세요",
    ),
    // Too much.
    (
        "the server has as much to do as it can take: try again in a moment",
        "지금 서버에 요청이 많습니다. 잠시 후 다시 시도하세요",
    ),
    (
        "the request took too long: ask for less, or try again in a moment; \
         read before you repeat a write, it may have been done",
        "처리 시간이 너무 깁니다. 범위를 줄이거나 잠시 후 다시 시도하세요. \
         저장하던 중이었다면 이미 저장되었는지 먼저 확인하세요",
    ),
    (
        "too many requests come from this address: wait a moment, then ask less often",
        "이 주소에서 보낸 요청이 너무 많습니다. 잠시 후 천천히 다시 시도하세요",
    ),
    (
        "too many requests come from this account: wait a moment, then ask less often",
        "이 계정에서 보낸 요청이 너무 많습니다. 잠시 후 천천히 다시 시도하세요",
    ),
    (
        "the body has more than {} bytes: send less at once",
        "요청 본문이 {0}바이트를 넘습니다. 나누어 보내세요",
    ),
    ("the body is too large: send less at once", "요청 본문이 너무 큽니다. 나누어 보내세요"),
    ("at most {} keys can be read at once", "한 번에 키를 {0}개까지 조회할 수 있습니다"),
    (
        "a transaction has from 1 to {} operations, and this one {}",
        "트랜잭션에는 작업을 1~{0}개 넣을 수 있습니다 (요청: {1}개)",
    ),
    // What went wrong in the server, and what it does not have.
    (
        "something went wrong inside the server: give the trace id to whoever runs it",
        "서버에 문제가 생겼습니다. 서버 운영자에게 추적 번호를 알려 주세요",
    ),
    (
        "there is nothing at this path: check it against the API's description",
        "없는 주소입니다. API 문서에서 주소를 확인하세요",
    ),
    (
        "this path does not take this method: see the Allow header for those it takes",
        "이 주소에서 쓸 수 없는 메서드입니다. Allow 헤더에서 쓸 수 있는 메서드를 확인하세요",
    ),
    // The form of a request.
    (
        "send the body as `Content-Type: application/json`",
        "본문을 `Content-Type: application/json`으로 보내세요",
    ),
    ("the body did not arrive whole: send it again", "본문을 다 받지 못했습니다. 다시 보내세요"),
    ("the body must be a JSON object", "본문은 JSON 객체여야 합니다"),
    (
        "the body is not JSON: line {}, column {}: mend it there",
        "본문이 올바른 JSON이 아닙니다. {0}행 {1}열을 고치세요",
    ),
    ("the body is not as documented: {}", "본문이 API 문서와 다릅니다: {0}"),
    ("the body names nothing to change", "바꿀 내용이 없습니다"),
    ("the body is of `{}`, the address of `{}`", "본문은 `{0}`인데 주소는 `{1}`입니다"),
    ("`$entity` must be the name of an entity", "`$entity`에는 엔티티 이름을 쓰세요"),
    (
        "`{}` is another in the body than in the address: make them the same",
        "`{0}` 값이 본문과 주소에서 다릅니다. 같게 맞추세요",
    ),
    ("the address is not valid: encode it as UTF-8", "주소가 올바르지 않습니다. UTF-8로 인코딩하세요"),
    (
        "the query string is not valid: encode it as UTF-8",
        "쿼리 문자열이 올바르지 않습니다. UTF-8로 인코딩하세요",
    ),
    ("`{}` is given twice: give it once", "`{0}` 값이 두 번 있습니다. 한 번만 보내세요"),
    ("there is no parameter `{}` here: leave it out", "여기에는 `{0}` 매개변수가 없습니다. 빼고 보내세요"),
    ("`{}` must be a whole number from 1 on", "`{0}`에는 1 이상의 정수를 쓰세요"),
    ("`{}` must be `true` or `false`", "`{0}`에는 `true` 또는 `false`를 쓰세요"),
    ("`order` must be `ascending` or `descending`", "`order`에는 `ascending` 또는 `descending`을 쓰세요"),
    ("`format` must be `items` or `records`", "`format`에는 `items` 또는 `records`를 쓰세요"),
    // Versions.
    (
        "`{}` counts no versions: leave `If-Match` out",
        "`{0}`에는 버전이 없습니다. `If-Match`를 빼고 보내세요",
    ),
    (
        "nothing can have this version and not be there: send `If-Match` or `If-None-Match`",
        "`If-Match`와 `If-None-Match`는 함께 쓸 수 없습니다. 둘 중 하나만 보내세요",
    ),
    (
        "`If-None-Match` can only be `*`: only if there is none yet",
        "`If-None-Match`에는 `*`만 쓸 수 있습니다. 아직 없을 때만 만든다는 뜻입니다",
    ),
    (
        "`If-Match` must be the `ETag` of an earlier answer, such as `\"3\"`",
        "`If-Match`에는 먼저 받은 응답의 `ETag`를 쓰세요 (예: `\"3\"`)",
    ),
    (
        "`If-None-Match: *` only goes with `PUT`: use `If-Match` here",
        "`If-None-Match: *`는 `PUT`에만 쓸 수 있습니다. 여기서는 `If-Match`를 쓰세요",
    ),
    // Many at once.
    (
        "what is created has no version yet: leave it out",
        "새로 만드는 데이터에는 아직 버전이 없습니다. 빼고 보내세요",
    ),
    (
        "`check` only asks whether there is such a record",
        "`check`에는 버전을 쓸 수 없습니다. 데이터가 있는지만 확인합니다",
    ),
    (
        "`update` and `relocate` need `changes`: say what changes",
        "`update`와 `relocate`에는 `changes`가 필요합니다. 바꿀 내용을 쓰세요",
    ),
    ("only `update` and `relocate` take `changes`", "`changes`는 `update`와 `relocate`에만 쓸 수 있습니다"),
    ("the line is not JSON", "올바른 JSON이 아닌 줄입니다"),
    ("the line must be a JSON object", "줄마다 JSON 객체 하나를 쓰세요"),
    ("the line must name its entity as `$entity`", "줄마다 `$entity`에 엔티티 이름을 쓰세요"),
    ("line {} is too long to be an item: mend it", "{0}번째 줄이 아이템 하나로는 너무 깁니다. 줄을 고치세요"),
    // What is lent to workers.
    (
        "this call cannot be read: {}; use one version of Hansang on both sides",
        "호출을 읽을 수 없습니다: {0}. 양쪽에서 같은 버전의 Hansang을 쓰세요",
    ),
    (
        "the server lends no {} `{}`, but {}: use the models and the environment that it uses",
        "이 서버는 `{1}`에 대한 접근을 제공하지 않습니다. 제공하는 것: {2}. 서버와 같은 모델과 환경을 쓰세요",
    ),
    (
        "the server lends nothing: start it with `lend-ports`",
        "이 서버는 포트를 제공하지 않습니다. `lend-ports` 설정을 켜고 시작하세요",
    ),
    (
        "the {} of the server did not answer in time: look into the server's log",
        "서버의 저장소 또는 큐가 제때 응답하지 않았습니다. 서버 로그를 확인하세요",
    ),
];
