#![doc = include_str!("../README.md")]

pub mod messages;
pub mod migrate;
pub mod render;

mod categories;
mod code;
mod inquiries;
mod inquiry;
mod live;
mod mail;
mod moves;
mod outbox;
mod post;
mod posts;
mod publish;
mod read;
mod slug;
mod slugs;
mod versions;

use hansang_core::Db;
use hansang_core::kind::text::ulid;
use jiff::{Timestamp, TimestampRound, Unit};

pub use categories::{Category, NewCategory, create_category, delete_category, find_category};
pub use code::ContentCode;
pub use inquiries::{NewInquiry, erase, release, reply, set_status, submit};
pub use inquiry::{Inquiry, InquiryMail, InquiryStatus, MailKind, MailState, find_inquiry, mails_of};
pub use mail::{Mail, Mailer, Sent};
pub use moves::{delete_post, move_post};
pub use outbox::{Delivered, deliver, resend};
pub use post::{Draft, Format, Post, PostState, PostText, Working, find_post, working};
pub use posts::{NewPost, Save, create_post, discard_draft, save_post};
pub use publish::{Publication, publish_post, unpublish_post};
pub use read::{Addressed, PostPage, next_publication, post_by_slug, published, visible_post};
pub use slug::{MAX_SLUG, is_slug, numbered, slug};
pub use versions::{PostVersion, VersionEvent, VersionPage, restore_version, version, versions};

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/content.yaml");

/// The content of a site. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Content {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
}

impl Content {
    /// The content in a table.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db }
    }

    /// The current time, in whole seconds as times are stored.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let now = self.db.clock().moment().now;
        let second = TimestampRound::new().smallest(Unit::Second).mode(jiff::RoundMode::Floor);
        now.round(second).unwrap_or(now)
    }

    /// A new id.
    pub(crate) fn new_id(&self) -> String {
        let moment = self.db.clock().moment();
        ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random)
    }
}
