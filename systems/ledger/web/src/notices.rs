//! The notices of these pages.

use hansang_ui::notice::Notice;

pub(crate) const UNDONE: Notice =
    Notice { code: "undone", english: "Undone.", korean: "되돌렸습니다." };
pub(crate) const COPIED: Notice =
    Notice {
        code: "copied", english: "Copied from last month.", korean: "지난달 항목을 복사했습니다."
    };
pub(crate) const COPIED_WITHOUT_RECURRING: Notice = Notice {
    code: "copied-without-recurring",
    english: "Copied from last month, without what recurring entries add by themselves.",
    korean: "지난달 항목을 복사했습니다. 반복 항목은 자동으로 입력되므로 제외했습니다.",
};
pub(crate) const NOTHING_COPIED: Notice = Notice {
    code: "nothing-copied",
    english: "This month already has every entry of last month, or gets it from a recurring entry.",
    korean: "지난달 항목이 이미 모두 있거나 반복 항목으로 입력됩니다.",
};

pub(crate) const IMPORT_UNDONE: Notice =
    Notice {
        code: "import-undone", english: "Import undone.", korean: "가져오기를 되돌렸습니다."
    };
pub(crate) const DISCARDED: Notice =
    Notice { code: "discarded", english: "File discarded.", korean: "파일을 버렸습니다." };
pub(crate) const DECIDED: Notice =
    Notice { code: "decided", english: "Choices saved.", korean: "선택을 저장했습니다." };

pub(crate) const RESTORED: Notice =
    Notice { code: "restored", english: "Ledger restored.", korean: "가계부를 복원했습니다." };

pub(crate) const MOVED: Notice =
    Notice { code: "entry-moved", english: "Entry moved.", korean: "항목을 옮겼습니다." };

pub(crate) const ALL: &[Notice] = &[
    UNDONE,
    COPIED,
    COPIED_WITHOUT_RECURRING,
    NOTHING_COPIED,
    IMPORT_UNDONE,
    DISCARDED,
    DECIDED,
    RESTORED,
    MOVED,
];
