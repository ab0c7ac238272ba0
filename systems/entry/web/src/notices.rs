//! The notices of these pages.

use hansang_ui::notice::Notice;

pub(crate) const ENTERED_BEFORE: Notice = Notice {
    code: "entered-before",
    english: "You had entered already. This is your entry.",
    korean: "이미 응모했습니다. 기존 응모를 보여 드립니다.",
};
pub(crate) const PAUSED: Notice =
    Notice { code: "paused", english: "The event is paused.", korean: "이벤트를 멈췄습니다." };
pub(crate) const RESUMED: Notice =
    Notice { code: "resumed", english: "The event goes on.", korean: "이벤트를 다시 진행합니다." };
pub(crate) const CLOSED: Notice =
    Notice { code: "closed", english: "The event is closed.", korean: "이벤트를 마감했습니다." };
pub(crate) const ANNOUNCED: Notice =
    Notice { code: "announced", english: "The result is public.", korean: "결과를 발표했습니다." };
pub(crate) const DRAWN: Notice = Notice { code: "drawn", english: "Drawn.", korean: "추첨했습니다." };
pub(crate) const SENT_AGAIN: Notice = Notice {
    code: "sent-again",
    english: "Form again. It will be decided anew.",
    korean: "다시 보냈습니다. 새로 처리됩니다.",
};

/// All notices.
pub(crate) const ALL: &[Notice] = &[ENTERED_BEFORE, PAUSED, RESUMED, CLOSED, ANNOUNCED, DRAWN, SENT_AGAIN];
