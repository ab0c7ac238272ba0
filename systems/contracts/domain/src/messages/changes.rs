//! Changes from one spec to another. The English text ends a sentence that begins with the path; the Korean one stands
//! behind it.

use hansang_core::phrases;

phrases! {
    /// The whole spec.
    REWRITTEN = "the spec is written differently and means the same", "쓴 방식만 다르고 뜻은 같습니다";

    ADDED = "was added", "추가되었습니다";
    ADDED_REQUIRED = "was added and is required", "필수 항목으로 추가되었습니다";
    REMOVED = "was removed", "삭제되었습니다";
    CHANGED = "was changed", "바뀌었습니다";
    OTHER_TYPE = "is {0} instead of {1}", "{1}에서 {0}(으)로 바뀌었습니다";
    NOW_REQUIRED = "was optional and is required now", "선택이었지만 이제 필수입니다";
    NOW_OPTIONAL = "was required and is optional now", "필수였지만 이제 선택입니다";
    REORDERED = "is in a different order", "순서가 바뀌었습니다";

    // References.
    OTHER_CONTRACT = "refers to {0} instead of {1}", "참조가 {1}에서 {0}(으)로 바뀌었습니다";
    OTHER_VERSION = "refers to version {0} instead of {1}", "참조하는 버전이 {1}에서 {0}(으)로 바뀌었습니다";

    // Lists.
    ALSO_LISTS = "also lists `{0}`", "`{0}` 항목이 추가되었습니다";
    LISTS_REQUIRED = "lists `{0}`, which was not required before",
        "전에는 필수가 아니던 `{0}` 항목이 추가되었습니다";
    NO_LONGER_LISTS = "no longer lists `{0}`", "`{0}` 항목이 빠졌습니다";
    OPTIONAL_SLICE = "no longer lists `{0}`, which is optional now", "`{0}` 항목이 빠졌습니다. 이제 선택입니다";
    REMOVED_SLICE = "no longer lists `{0}`, which is no longer in the view",
        "`{0}` 항목이 빠졌습니다. 이제 뷰에 없습니다";

    // Limits and switches.
    LOWERED = "was lowered from {0} to {1}", "{0}에서 {1}(으)로 낮아졌습니다";
    RAISED = "was raised from {0} to {1}", "{0}에서 {1}(으)로 높아졌습니다";
    NOW_LIMITED = "was not limited and is limited to {0} now", "제한이 없었지만 이제 {0}(으)로 제한됩니다";
    UNLIMITED = "is no longer limited", "더 이상 제한되지 않습니다";
    SWITCHED_OFF = "was switched off", "꺼졌습니다";
    SWITCHED_ON = "was switched on", "켜졌습니다";
}
