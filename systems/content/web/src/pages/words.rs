//! The words of pages for states.

use hansang_content::{Inquiry, InquiryStatus, MailState, Standing, VersionEvent};
use hansang_ui::frame::View;

/// A badge: text and class.
pub(super) type Badge = (String, &'static str);

pub(super) fn standing_name(view: &View, standing: Standing) -> &str {
    match standing {
        Standing::Draft => view.say("Draft", "초안"),
        Standing::Scheduled => view.say("Scheduled", "예약됨"),
        Standing::Visible => view.say("Published", "게시 중"),
        Standing::Expired => view.say("Expired", "기간 만료"),
    }
}

/// The badges of a post: its state, and whether it has edits that are not published.
pub(super) fn badges(view: &View, standing: Standing, has_draft: bool) -> Vec<Badge> {
    let class = match standing {
        Standing::Draft => "",
        Standing::Scheduled => "info",
        Standing::Visible => "good",
        Standing::Expired => "warn",
    };
    let mut badges = vec![(standing_name(view, standing).to_owned(), class)];
    if has_draft {
        badges.push((view.say("Unpublished changes", "게시 전 수정 있음").to_owned(), "warn"));
    }
    badges
}

pub(super) fn event_name(view: &View, event: VersionEvent) -> &str {
    match event {
        VersionEvent::Saved => view.say("Saved", "저장"),
        VersionEvent::Published => view.say("Published", "게시"),
        VersionEvent::Unpublished => view.say("Unpublished", "게시 취소"),
        VersionEvent::Restored => view.say("Restored", "복원"),
    }
}

pub(super) fn status(view: &View, status: InquiryStatus) -> Badge {
    let (name, class) = match status {
        InquiryStatus::New => (view.say("New", "접수"), "info"),
        InquiryStatus::InProgress => (view.say("In progress", "처리 중"), "warn"),
        InquiryStatus::Done => (view.say("Done", "완료"), "good"),
    };
    (name.to_owned(), class)
}

/// What managers have to know of an inquiry beside its status.
pub(super) fn marks(view: &View, inquiry: &Inquiry) -> Vec<Badge> {
    let mut badges = Vec::new();
    if inquiry.failed_mails > 0 {
        badges.push((view.say("Mail not sent", "메일 발송 실패").to_owned(), "bad"));
    }
    if inquiry.spam {
        badges.push((view.say("Suspected spam", "스팸 의심").to_owned(), "warn"));
    }
    badges
}

pub(super) fn mail_state(view: &View, state: MailState) -> Badge {
    let (name, class) = match state {
        MailState::Pending => (view.say("Waiting", "발송 대기"), "info"),
        MailState::Sent => (view.say("Sent", "발송됨"), "good"),
        MailState::Failed => (view.say("Not sent", "발송 실패"), "bad"),
    };
    (name.to_owned(), class)
}
