//! The notices of these pages.

use hansang_ui::notice::Notice;

pub(crate) const REGISTERED: Notice =
    Notice { code: "registered", english: "Registered.", korean: "등록했습니다." };
pub(crate) const SAME_AGAIN: Notice = Notice {
    code: "same-again",
    english: "Already registered with the same content.",
    korean: "같은 내용으로 이미 등록되어 있습니다.",
};
pub(crate) const PROMOTED: Notice = Notice {
    code: "promoted",
    english: "Promoted. The version is now served.",
    korean: "승격했습니다. 이제 제공됩니다.",
};
pub(crate) const DEPRECATED: Notice = Notice {
    code: "deprecated",
    english: "Deprecated. The version is served with a warning.",
    korean: "사용을 중단했습니다. 경고와 함께 제공됩니다.",
};
pub(crate) const RESTORED: Notice =
    Notice { code: "restored", english: "Restored.", korean: "다시 활성화했습니다." };
pub(crate) const FORGOTTEN: Notice =
    Notice {
        code: "forgotten", english: "Refreshed from store.", korean: "저장소에서 다시 읽었습니다."
    };

/// All notices.
pub(crate) const ALL: &[Notice] = &[REGISTERED, SAME_AGAIN, PROMOTED, DEPRECATED, RESTORED, FORGOTTEN];
