//! The words of pages for states.

use hansang_content::{InquiryStatus, MailState, Post, VersionEvent, Working};
use hansang_ui::frame::View;
use jiff::Timestamp;

/// A badge: text and class.
pub(super) type Badge = (String, &'static str);

/// The state of a post for editors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Draft,
    Scheduled,
    Published,
    Expired,
}

impl Stage {
    pub(super) const ALL: [Self; 4] = [Self::Draft, Self::Scheduled, Self::Published, Self::Expired];

    pub(super) fn of(post: &Post, now: Timestamp) -> Self {
        if !post.is_published() {
            Self::Draft
        } else if post.published_at() > now {
            Self::Scheduled
        } else if post.is_visible(now) {
            Self::Published
        } else {
            Self::Expired
        }
    }

    /// The name in addresses.
    pub(super) fn slug(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Published => "published",
            Self::Expired => "expired",
        }
    }

    pub(super) fn name(self, view: &View) -> &str {
        match self {
            Self::Draft => view.say("Draft", "초안"),
            Self::Scheduled => view.say("Scheduled", "예약됨"),
            Self::Published => view.say("Published", "게시 중"),
            Self::Expired => view.say("Expired", "기간 만료"),
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Self::Draft => "",
            Self::Scheduled => "info",
            Self::Published => "good",
            Self::Expired => "warn",
        }
    }

    pub(super) fn badge(self, view: &View) -> Badge {
        (self.name(view).to_owned(), self.class())
    }
}

/// The badges of a post and its draft.
pub(super) fn badges(view: &View, working: &Working, now: Timestamp) -> Vec<Badge> {
    let mut badges = vec![Stage::of(&working.post, now).badge(view)];
    if working.draft.is_some() {
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

pub(super) fn mail_state(view: &View, state: MailState) -> Badge {
    let (name, class) = match state {
        MailState::Pending => (view.say("Waiting", "발송 대기"), "info"),
        MailState::Sent => (view.say("Sent", "발송됨"), "good"),
        MailState::Failed => (view.say("Not sent", "발송 실패"), "bad"),
    };
    (name.to_owned(), class)
}
