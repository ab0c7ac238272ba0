//! The description of the API of contracts, in every language.

use hansang_core::phrases;

phrases! {
    // Versions.
    LIST_KINDS = "The kinds of contracts", "계약의 종류";
    KINDS = "The kinds by their names.", "이름 순서의 종류.";
    LIST = "The versions of a kind", "한 종류의 버전";
    A_PAGE = "A page.", "한 페이지.";
    LIST_VERSIONS = "The versions of a contract", "계약의 버전";
    VERSIONS = "The versions, the lowest first.", "낮은 순서의 버전.";
    LATEST = "The highest active version", "가장 높은 활성 버전";
    LOAD = "One version", "버전 하나";
    THE_CONTRACT = "The contract.", "계약.";
    NOT_MODIFIED = "It has one of these tags.", "그 태그 중 하나와 같음.";
    WALK = "Everything, including what cannot be read", "읽을 수 없는 것까지 전체";

    // Changes.
    REGISTER = "Register a version", "버전 등록";
    REGISTERED = "Registered.", "등록됨.";
    REGISTERED_BEFORE = "It was there already, with the same spec.", "같은 스펙으로 이미 등록되어 있음.";
    PROMOTE = "Serve a draft from now on", "초안을 지금부터 제공";
    DEPRECATE = "Serve a version with a warning from now on", "버전을 지금부터 경고와 함께 제공";
    RESTORE = "Serve a deprecated version without a warning again", "사용이 중단된 버전을 다시 경고 없이 제공";
    CHANGED = "Changed.", "변경됨.";
    CHECK = "Check a spec without registering it", "등록하지 않고 스펙 확인";
    CHECKED = "The problems and warnings that registering would give.", "등록할 때 나올 문제와 경고.";

    // Comparing.
    DIFF = "The differences between two versions", "두 버전의 차이";
    DIFFERENCES = "Each with its JSON pointer.", "각각 JSON 포인터와 함께.";
    COMPATIBILITY = "The step that the changes between two versions need", "두 버전 사이의 변경에 필요한 버전 단계";
    STEP = "The changes and the step they need.", "변경과 필요한 버전 단계.";

    // References.
    LIST_REFERENCES = "The contracts that a version names", "한 버전이 참조하는 계약";
    REFERENCES = "The contracts, and where they are named.", "계약과 참조 위치.";
    LIST_REFERRERS = "The versions that name a contract", "한 계약을 참조하는 버전";
    REFERRERS = "The versions that name it.", "그 계약을 참조하는 버전.";

    // The cache.
    CACHE = "The cache of contracts of this server", "이 서버의 계약 캐시";
    LOADS = "The results of the loads so far.", "지금까지의 조회 결과.";
    INVALIDATE = "Evict all contracts, those of a kind, or one version, from the cache",
        "모든 계약, 한 종류, 또는 한 버전을 캐시에서 지우기";
    EVICTED = "The number of versions that were evicted.", "캐시에서 지운 버전의 수.";

    // Parameters.
    KIND = "The kind, in any of its spellings", "종류 (어떤 표기든)";
    ID = "The id of the contract", "계약의 ID";
    VERSION = "The version", "버전";
    FROM = "The version before", "이전 버전";
    TO = "The version after", "이후 버전";
    STATUS = "Only versions with this status", "이 상태의 버전만";
    PAGE_SIZE = "The maximum number of entries in a page", "한 페이지의 최대 개수";
    RANGE = "Only these versions, such as `^1.2`", "이 범위의 버전만 (예: `^1.2`)";
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
