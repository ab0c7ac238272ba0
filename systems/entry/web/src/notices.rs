//! The notices of these pages.

use hansang_ui::notice::Notice;

pub(crate) const ENTERED_BEFORE: Notice = Notice {
    code: "entered-before",
    english: "You have already entered. Here is your entry.",
    korean: "이미 응모했습니다. 기존 응모 내역입니다.",
};
pub(crate) const PAUSED: Notice =
    Notice { code: "paused", english: "Event paused.", korean: "이벤트를 일시 중지했습니다." };
pub(crate) const RESUMED: Notice =
    Notice { code: "resumed", english: "Event resumed.", korean: "이벤트를 재개했습니다." };
pub(crate) const CLOSED: Notice =
    Notice { code: "closed", english: "Event closed.", korean: "이벤트를 마감했습니다." };
pub(crate) const ANNOUNCED: Notice =
    Notice { code: "announced", english: "Results announced.", korean: "결과를 발표했습니다." };
pub(crate) const DRAWN: Notice =
    Notice { code: "drawn", english: "Winners drawn.", korean: "추첨을 완료했습니다." };
pub(crate) const SENT_AGAIN: Notice = Notice {
    code: "sent-again",
    english: "Sent again. It will be processed shortly.",
    korean: "다시 보냈습니다. 곧 처리됩니다.",
};

/// All notices.
pub(crate) const ALL: &[Notice] = &[ENTERED_BEFORE, PAUSED, RESUMED, CLOSED, ANNOUNCED, DRAWN, SENT_AGAIN];
