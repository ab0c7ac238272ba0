//! The notices of these pages.

use hansang_ui::notice::Notice;

const fn notice(code: &'static str, english: &'static str, korean: &'static str) -> Notice {
    Notice { code, english, korean }
}

pub(crate) const PUBLISHED: Notice = notice("published", "Published.", "게시했습니다.");
pub(crate) const SCHEDULED: Notice = notice("scheduled", "Scheduled.", "게시를 예약했습니다.");
pub(crate) const UNPUBLISHED: Notice = notice("unpublished", "Unpublished.", "게시를 취소했습니다.");
pub(crate) const DRAFT_DISCARDED: Notice =
    notice("draft-discarded", "Draft discarded.", "초안을 버렸습니다.");
pub(crate) const VERSION_RESTORED: Notice = notice(
    "version-restored",
    "Version restored. Publish it to show it to visitors.",
    "버전을 복원했습니다. 게시하면 방문자에게 보입니다.",
);
pub(crate) const POSTS_CHANGED: Notice = notice("posts-changed", "Posts changed.", "글을 변경했습니다.");
pub(crate) const NOTHING_SELECTED: Notice =
    notice("nothing-selected", "Select posts first.", "먼저 글을 선택하세요.");
pub(crate) const REPLY_WAITS: Notice =
    notice("reply-waits", "The reply is being sent.", "답변을 보내고 있습니다.");
pub(crate) const RELEASED: Notice = notice("released", "Moved to the inbox.", "받은 문의로 옮겼습니다.");
pub(crate) const MAIL_WAITS: Notice =
    notice("mail-waits", "The mail is being sent again.", "메일을 다시 보내고 있습니다.");
pub(crate) const TEST_WAITS: Notice = notice("test-waits", "The test is being sent.", "시험 발송 중입니다.");

pub(crate) const PERSON_ERASED: Notice =
    notice("person-erased", "The person's data is erased.", "개인정보를 삭제했습니다.");

pub(crate) const ALL: &[Notice] = &[
    PERSON_ERASED,
    PUBLISHED,
    SCHEDULED,
    UNPUBLISHED,
    DRAFT_DISCARDED,
    VERSION_RESTORED,
    POSTS_CHANGED,
    NOTHING_SELECTED,
    REPLY_WAITS,
    RELEASED,
    MAIL_WAITS,
    TEST_WAITS,
];
