//! The phrases of access control in every language.

use hansang_core::phrases;

phrases! {
    // Roles.
    VIEWER = "viewer", "뷰어";
    EDITOR = "editor", "편집자";
    ADMIN = "admin", "관리자";
    EVERY_SYSTEM = "*", "모든 시스템";
    UNKNOWN_ROLE = "`{0}` is not a role: it is viewer, editor or admin",
        "`{0}` 역할은 없습니다. viewer, editor, admin 중에서 쓰세요";
    NOT_ADMINISTRATOR = "only administrators of every system may do this: ask one of them",
        "전체 관리자만 할 수 있습니다. 관리자에게 요청하세요";

    // Signing in.
    UNAUTHENTICATED = "you are not signed in, or no longer: sign in again or use another token",
        "로그인하지 않았거나 로그인이 끝났습니다. 다시 로그인하거나 다른 토큰을 쓰세요";
    WRONG_CREDENTIALS = "incorrect login or password",
        "아이디 또는 비밀번호가 올바르지 않습니다";
    WAIT_ONE_SECOND = "too many attempts failed: wait 1 second, then try again",
        "여러 번 실패했습니다. 1초 후에 다시 시도하세요";
    WAIT_SECONDS = "too many attempts failed: wait {0} seconds, then try again",
        "여러 번 실패했습니다. {0}초 후에 다시 시도하세요";
    BUSY = "too many people are signing in at the moment: try again in a few seconds",
        "지금 로그인하는 사람이 많습니다. 몇 초 후 다시 시도하세요";
    SESSION_NEEDED = "this needs a session: sign in with your login and password, then try again",
        "로그인이 필요합니다. 아이디와 비밀번호로 로그인한 뒤 다시 시도하세요";
    WRONG_PASSWORD = "this is not your password: type the one you signed in with",
        "현재 비밀번호가 맞지 않습니다. 로그인할 때 쓴 비밀번호를 입력하세요";
    PROVIDER_UNAVAILABLE = "the identity provider cannot be reached at the moment: try again in a minute",
        "지금은 인증 서버에 연결할 수 없습니다. 1분 후 다시 시도하세요";

    // Setting up.
    ALREADY_SET_UP = "there is an administrator already: sign in", "이미 관리자가 있습니다. 로그인하세요";
    INVALID_LINK = "this link was used already or has expired: sign in, or ask an operator of this server for a new one",
        "이미 사용했거나 만료된 링크입니다. 로그인하거나 서버 운영자에게 새 링크를 요청하세요";
    NOT_SET_UP = "there is no administrator yet: use the set-up link of this server first",
        "아직 관리자가 없습니다. 먼저 서버의 설정 링크로 관리자를 만드세요";

    // Accounts and tokens.
    ACCOUNT_NOT_FOUND = "there is no such account: list the accounts to see their ids",
        "없는 계정입니다. 계정 목록에서 ID를 확인하세요";
    LOGIN_TAKEN = "another account has this login: choose another one",
        "이미 사용 중인 아이디입니다. 다른 아이디를 쓰세요";
    LAST_ADMINISTRATOR = "this is the last administrator who can sign in: make another account one first",
        "로그인할 수 있는 마지막 관리자입니다. 먼저 다른 사람을 관리자로 지정하세요";
    ACCOUNT_CONTENDED = "others keep changing this account: try again in a moment",
        "다른 사람이 이 계정을 바꾸고 있습니다. 잠시 후 다시 시도하세요";
    ACCOUNT_WRITTEN_UNREAD = "the account was written, but could not be read: read it again",
        "계정을 저장했지만 결과를 읽지 못했습니다. 다시 조회하세요";
    TOKEN_NOT_FOUND = "there is no such token: list the tokens to see their ids",
        "없는 토큰입니다. 토큰 목록에서 ID를 확인하세요";
    BEYOND_OWN_GRANTS = "a token cannot do more than you: choose grants that you have yourself",
        "본인에게 없는 권한은 토큰에 줄 수 없습니다. 가진 권한 중에서 고르세요";

    // Fields.
    LOGIN_LETTERS = "must start with a letter or digit and have at most 128 letters, digits and . _ @ + -",
        "영문자나 숫자로 시작하고 영문자, 숫자와 . _ @ + - 만 써서 128자 이내로 입력하세요";
    REPEATED_CHARACTER = "must not be one character again and again", "같은 글자만 반복하지 않은 비밀번호를 입력하세요";
    NOT_THE_LOGIN = "must not be the login", "아이디와 다른 비밀번호를 입력하세요";
    NOT_SYSTEMS = "must name systems by lower-case letters, digits and hyphens, or all by `*`",
        "시스템 이름은 영문 소문자, 숫자, 하이픈(-)으로 쓰고 전체는 `*`로 쓰세요";
    NOT_AHEAD = "must be in the future", "지금보다 나중 시각을 입력하세요";
    TOO_FAR_AHEAD = "must be at most 366 days ahead", "지금부터 366일 이내로 입력하세요";

    // Settings and faults of the server.
    PASSWORD_SETTINGS = "these settings for passwords cannot work: hashes need at least 8 KiB and one pass",
        "비밀번호 설정이 올바르지 않습니다. 해시에는 8KiB 이상의 메모리와 1회 이상의 패스가 필요합니다";
    KEYS_ADDRESS = "the address of the identity provider's keys is not a URL: check it",
        "인증 서버의 키 주소가 URL이 아닙니다. 주소를 확인하세요";
    NO_CLIENT = "no connection to an identity provider can be set up on this system",
        "이 시스템에서는 인증 서버에 연결할 수 없습니다";
    HASHING_FAILED = "the password could not be hashed: nothing was changed",
        "비밀번호 해시를 만들지 못했습니다. 바뀐 것은 없습니다";
    CHECK_FAILED = "the password could not be checked", "비밀번호를 확인하지 못했습니다";
    NO_RANDOMNESS = "the system gives no random numbers: nothing that needs a secret works",
        "시스템에서 난수를 얻을 수 없어 비밀값이 필요한 기능을 쓸 수 없습니다";
    UNREADABLE_TIME = "a stored time cannot be read: restore the table from a backup",
        "저장된 시각을 읽을 수 없습니다. 백업에서 테이블을 복구하세요";
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
