//! The description of the API of contracts, in every language.

use hansang_core::phrases;

phrases! {
    // Versions.
    LIST_KINDS = "List kinds of contracts", "계약의 종류";
    KINDS = "The kinds, by name.", "이름 순서의 종류.";
    LIST = "List the versions of a kind", "한 종류의 버전";
    A_PAGE = "A page.", "한 페이지.";
    LIST_VERSIONS = "List the versions of a contract", "계약의 버전";
    VERSIONS = "The versions, lowest first.", "낮은 순서의 버전.";
    LATEST = "Get the highest active version", "가장 높은 활성 버전 조회";
    LOAD = "Get a version", "버전 조회";
    LOAD_SPEC = "Get the spec of a version, which never changes", "바뀌지 않는 버전의 스펙 조회";
    THE_SPEC = "The spec.", "스펙.";
    HISTORY = "List the status changes of a version", "버전의 상태 변경 기록";
    CHANGES = "The changes, the first one first.", "처음부터의 변경.";
    THE_CONTRACT = "The contract.", "계약.";
    NOT_MODIFIED = "It has one of these tags.", "그 태그 중 하나와 같음.";
    WALK = "List all stored versions, including unreadable ones", "읽을 수 없는 버전을 포함한 전체 목록";

    // Changes.
    REGISTER = "Register a version", "버전 등록";
    REGISTERED = "Registered.", "등록됨.";
    REGISTERED_BEFORE = "It was already registered, with the same spec.", "같은 스펙으로 이미 등록되어 있음.";
    PROMOTE = "Promote a draft to active", "초안을 활성 버전으로 승격";
    DEPRECATE = "Deprecate a version: it is served with a warning", "버전 사용 중단 (경고와 함께 제공)";
    RESTORE = "Restore a deprecated version", "사용 중단한 버전 다시 활성화";
    CHANGED = "Changed.", "변경됨.";
    CHECK = "Check a spec without registering it", "등록하지 않고 스펙 검사";
    CHECKED = "The problems and warnings that a registration would have.", "등록할 때 나올 문제와 경고.";

    RULE = "Get the compatibility rule of a kind", "종류의 호환성 규칙 조회";
    SET_RULE = "Set the compatibility rule of a kind", "종류의 호환성 규칙 설정";
    REMOVE_RULE = "Remove the compatibility rule of a kind: the global one counts again",
        "종류의 호환성 규칙 삭제 (전체 규칙을 다시 적용)";
    GLOBAL_RULE = "Get the global compatibility rule", "전체 호환성 규칙 조회";
    SET_GLOBAL_RULE = "Set the global compatibility rule", "전체 호환성 규칙 설정";
    REMOVE_GLOBAL_RULE = "Remove the global compatibility rule", "전체 호환성 규칙 삭제";
    CONTRACT_RULE = "Get the compatibility rule of a contract", "계약의 호환성 규칙 조회";
    SET_CONTRACT_RULE = "Set the compatibility rule of a contract", "계약의 호환성 규칙 설정";
    REMOVE_CONTRACT_RULE = "Remove the compatibility rule of a contract: that of its kind counts again",
        "계약의 호환성 규칙 삭제 (종류의 규칙을 다시 적용)";
    THE_RULE = "The rule that versions must follow to become active, and where it is set.",
        "활성 버전이 되려면 따라야 하는 규칙과 설정된 곳.";

    // Comparing.
    DIFF = "Compare two versions", "두 버전의 차이";
    DIFFERENCES = "Each with its JSON pointer.", "각각 JSON 포인터와 함께.";
    COMPATIBILITY = "Get the version bump that the changes between two versions require", "두 버전 사이의 변경에 필요한 버전 단계 조회";
    STEP = "The changes and the required bump.", "변경과 필요한 버전 단계.";

    // References.
    LIST_REFERENCES = "List the contracts that a version references", "한 버전이 참조하는 계약";
    REFERENCES = "The contracts, and where they are referenced.", "계약과 참조 위치.";
    LIST_REFERRERS = "List the versions that reference a contract", "한 계약을 참조하는 버전";
    REFERRERS = "The versions that reference it.", "그 계약을 참조하는 버전.";

    // The cache.
    CACHE = "Get the cache statistics of this server", "이 서버의 캐시 통계 조회";
    LOADS = "The statistics since the server started.", "서버 시작 이후의 통계.";
    INVALIDATE = "Clear the cache: everything, a kind, or one version",
        "모든 계약, 한 종류, 또는 한 버전을 캐시에서 지우기";
    EVICTED = "The number of versions that were removed.", "캐시에서 지운 버전의 수.";

    // Parameters.
    KIND = "The kind, in any of its spellings", "종류 (어떤 표기든)";
    ID = "The id of the contract", "계약의 ID";
    VERSION = "The version", "버전";
    FROM = "The version before", "이전 버전";
    TO = "The version after", "이후 버전";
    STATUS = "Only versions with this status", "이 상태의 버전만";
    PAGE_SIZE = "The maximum number of entries in a page", "한 페이지의 최대 개수";
    RANGE = "Only these versions, such as `^1.2`", "이 범위의 버전만 (예: `^1.2`)";
    PRE_RELEASES = "Whether pre-releases such as `1.2.0-rc.1` count too", "`1.2.0-rc.1` 같은 사전 릴리스도 포함할지";
    ALLOW_MISSING = "Whether references may lead nowhere: each is a warning then. Only for administrators",
        "없는 계약을 참조해도 되는지. 참조마다 경고합니다. 관리자만";
    OVERRIDE = "The reason for which the compatibility rule does not hold; it is kept in the history. Only for administrators",
        "호환성 규칙을 적용하지 않는 사유. 기록에 남습니다. 관리자만";
    DRAFT = "Whether drafts are allowed", "초안도 받을지";
    IF_NONE_MATCH = "Only if it has none of these tags: each an `ETag`", "이 태그(`ETag`) 중 어느 것도 아닐 때만";
    DRY_RUN = "Whether only to check, without a change", "바꾸지 않고 확인만 할지";
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
