//! The description of the API: operations, their parameters and their responses.

use hansang_core::phrases;

phrases! {
    // Tags.
    SERVER = "The server itself", "서버";
    ACCESS = "Accounts, sessions, tokens and the audit log", "계정, 세션, 토큰, 감사 로그";

    // Requirements on the caller.
    NEEDS_NOTHING = "nothing", "없음";
    NEEDS_SIGNED_IN = "signed in", "로그인";
    NEEDS_ROLE = "{0} of {1}", "{1}의 {0} 권한";
    NEEDS_METRICS = "viewer of *, unless the server gives its metrics to everyone",
        "전체 조회 권한 (서버가 지표를 모두에게 공개하지 않은 경우)";

    // Records.
    MAKE = "Create {0}", "{0} 만들기";
    READ = "Read {0}", "{0} 읽기";
    STORE = "Replace {0}", "{0} 전체 저장";
    CHANGE = "Update {0}", "{0} 일부 변경";
    DELETE = "Delete {0}", "{0} 삭제";
    THE_RECORD = "The record.", "레코드.";
    MADE = "Created.", "생성됨.";
    MADE_WITH_GENERATED = "Created, with its generated fields.", "자동 생성 값과 함께 생성됨.";
    STORED = "Stored.", "저장됨.";
    CHANGED = "Changed.", "변경됨.";
    GONE = "Deleted.", "삭제됨.";
    ONLY_IF_ABSENT = "`*`: only if there is none yet", "`*`: 아직 없을 때만";
    ARGUMENT = "`{0}` of the pattern", "패턴의 `{0}`";
    PAGE_OF_RECORDS = "The maximum number of records in a page", "한 페이지의 최대 레코드 수";
    PAGE_SIZE = "The maximum number of entries in a page", "한 페이지의 최대 개수";
    FROM_LIST = "The list that the record was opened from", "이 항목을 연 목록";
    ORDER = "Reverse order", "역순";
    A_PAGE = "A page.", "한 페이지.";

    // Several records at once.
    BATCH_GET = "Read many records of one entity by their keys", "한 엔티티의 여러 레코드를 키로 읽기";
    IN_KEY_ORDER = "In the order of the keys; null for a record that does not exist.",
        "키 순서대로. 없는 것은 null.";
    TRANSACT = "Write many records together or not at all", "여러 레코드를 함께 쓰거나 아예 쓰지 않기";
    RECORDS_AFTERWARDS = "The records afterwards; null where none is left.",
        "쓴 뒤의 레코드. 남지 않은 것은 null.";
    EXPORT = "Export all data, one item per line", "전체 데이터 내보내기(한 줄에 하나씩)";
    BACKUP = "Export all data as stored, including private data, for a backup", "비공개 데이터를 포함한 전체 백업";
    LINES = "One item per line.", "한 줄에 하나씩.";
    IMPORT = "Import an export, replacing existing data", "내보낸 내용을 기존 내용 대신 저장";
    IMPORTED = "The result; only the first problems are listed.", "결과. 문제는 처음 몇 개만 알려 줌.";
    FORMAT = "`items`: DynamoDB's JSON, keys included; `records`: plain JSON",
        "`items`: 키를 포함한 DynamoDB JSON, `records`: 일반 JSON";

    // Metrics.
    METRICS = "The metrics, as Prometheus reads them", "Prometheus 형식의 지표";
    THE_METRICS = "The metrics.", "지표.";

    // Sessions.
    SET_UP = "Create the first administrator", "첫 관리자 만들기";
    MADE_AND_SIGNED_IN = "Created and signed in.", "생성하고 로그인됨.";
    SIGN_IN = "Sign in", "로그인";
    SIGNED_IN = "Signed in; the cookie is set.", "로그인됨. 쿠키가 설정됨.";
    WHO_AM_I = "The caller, and what they may do", "요청한 사람과 권한";
    THE_CALLER = "The caller.", "요청한 사람.";
    SIGN_OUT = "Sign out", "로그아웃";
    SIGNED_OUT = "Signed out.", "로그아웃됨.";
    CHANGE_PASSWORD = "Change your password", "내 비밀번호 변경";
    PASSWORD_CHANGED = "Changed; all other sessions have ended.", "변경됨. 다른 세션은 모두 끝남.";

    // Tokens.
    LIST_TOKENS = "List your tokens", "내 토큰";
    TOKENS = "Your tokens, newest first.", "내 토큰, 최신순.";
    CREATE_TOKEN = "Create a token", "토큰 만들기";
    TOKEN_MADE = "Created, with its secret.", "비밀 값과 함께 생성됨.";
    REVOKE_TOKEN = "Revoke your token; administrators may revoke any token",
        "내 토큰 폐기 (관리자는 누구의 토큰이든)";
    TOKEN_REVOKED = "It no longer works.", "더 이상 쓸 수 없음.";
    TOKEN_ID = "The id of the token", "토큰 번호";

    // Accounts.
    LIST_ACCOUNTS = "All accounts", "모든 계정";
    ACCOUNTS = "The accounts by their logins.", "아이디 순서의 계정.";
    GET_ACCOUNT = "One account", "계정 하나";
    THE_ACCOUNT = "The account.", "계정.";
    CREATE_ACCOUNT = "Create an account", "계정 만들기";
    CHANGE_ACCOUNT = "Change an account", "계정 변경";
    DELETE_ACCOUNT = "Delete an account", "계정 삭제";
    ACCOUNT_GONE = "Deleted, with its sessions and tokens.", "세션, 토큰과 함께 삭제됨.";
    SET_PASSWORD = "Reset the password of an account", "계정 비밀번호 재설정";
    PASSWORD_SET = "Set; the account is signed out everywhere.", "설정됨. 계정은 모든 곳에서 로그아웃됨.";
    SIGN_OUT_EVERYWHERE = "End all sessions of an account", "계정의 모든 세션 끝내기";
    SIGNED_OUT_EVERYWHERE = "Signed out everywhere.", "모든 곳에서 로그아웃됨.";
    ACCOUNT_ID = "The id of the account", "계정 번호";

    // The audit log.
    AUDIT = "The audit log: the operations, their callers and their addresses", "감사 로그: 누가 어디에서 무엇을 했는지";
    NEWEST_FIRST = "The newest first.", "최신순.";
    OF_DAY = "Only entries of this day, in UTC", "이 날짜(UTC)의 기록";
    OF_ACTOR = "Only entries of this account", "이 계정의 기록";
    OF_SYSTEM = "Only entries of this system", "이 시스템의 기록";
}
