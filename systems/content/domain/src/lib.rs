#![doc = include_str!("../README.md")]

pub mod messages;
pub mod migrate;
pub mod render;

mod banners;
mod categories;
mod code;
mod company;
mod difference;
mod edit;
mod hook;
mod inquiries;
mod inquiry;
mod jobs;
mod listing;
mod live;
mod mail;
mod media;
mod merge;
mod moves;
mod outbox;
mod post;
mod posts;
mod presence;
mod preview;
mod publish;
mod purge;
mod read;
mod search;
mod slug;
mod slugs;
mod spam;
mod templates;
mod users;
mod uses;
mod versions;
mod webhooks;

use std::sync::Arc;

use hansang_core::Db;
use hansang_core::kind::text::ulid;
use jiff::{Timestamp, TimestampRound, Unit};
use tokio::sync::Notify;

pub use banners::{
    Banner, BannerText, banners, change_banner, create_banner, delete_banner, find_banner, order_banners,
    visible_banners,
};
pub use categories::{
    Category, NewCategory, categories, category_by_slug, change_category, create_category, delete_category,
    find_category, order_categories,
};
pub use code::ContentCode;
pub use company::{CorpInfo, corp_info, save_corp_info};
pub use difference::{Span, SpanKind, difference};
pub use edit::{MAX_ORDERED, is_link, is_picture};
pub use hook::{Caller, DELIVERY_HEADER, EVENT_HEADER, HookAnswer, HookCall, SIGNATURE_HEADER, sign};
pub use inquiries::{NewInquiry, is_form_id, release, reply, set_status, submit};
pub use inquiry::{
    Inquiry, InquiryFilter, InquiryMail, InquiryPage, InquiryStatus, MailKind, MailState, find_inquiry,
    inquiries, mails_of,
};
pub use jobs::work;
pub use listing::{EditedPage, EditedPost, PostFilter, Relisted, posts, relist_all, relist_post, scheduled};
pub use mail::{Mail, Mailer, Sent};
pub use media::{
    Media, MediaPage, MediaState, MediaText, NewMedia, Variant, begin_media, change_media, delete_media,
    extension, file_key, find_media, find_media_of, finish_media, media, media_path, purge_media,
};
pub use merge::{Conflict, Merged, Reconciled, TextMerge, merge, merge_texts, reconcile};
pub use moves::{delete_post, move_post};
pub use outbox::{Delivered, Ports, SEND_TIMEOUT, deliver, next_due, redeliver, resend};
pub use post::{Draft, Format, Post, PostState, PostText, Standing, Working, find_post, working};
pub use posts::{MAX_CONTENTS, NewPost, Save, create_post, discard_draft, save_post};
pub use presence::{Editor, editors_of, left_editing, seen_editing};
pub use preview::{NewPreview, Previewed, create_preview, previewed_post, revoke_previews};
pub use publish::{Publication, publish_post, unpublish_post};
pub use purge::{Purged, erase, erase_person, inquiries_of, purge};
pub use read::{Addressed, PostPage, next_change, post_by_slug, published, visible_post};
pub use search::{FRESH, Hit, Hits, Piece, Search, WHOLE};
pub use slug::{MAX_SLUG, is_slug, numbered, slug};
pub use spam::{Filling, SpamSign, spam_signs};
pub use templates::{
    ReplyTemplate, change_template, create_template, delete_template, fill_template, find_template,
    reply_templates,
};
pub use users::{User, UserRole, UserText, change_user, create_user, delete_user, find_user, users};
pub use uses::{MediaUse, UseKind, media_of_link, media_uses};
pub use versions::{PostVersion, VersionEvent, VersionPage, restore_version, version, versions};
pub use webhooks::{
    DeliveryPage, Event, MAX_FAILURES, MAX_WEBHOOKS, Webhook, WebhookDelivery, WebhookText, change_webhook,
    create_webhook, delete_webhook, find_webhook, test_webhook, webhook_deliveries, webhooks,
};

/// The model of the table.
pub const MODEL: &str = include_str!("../../../../models/content.yaml");

/// The content of a site. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Content {
    /// The table, whose model is [`MODEL`].
    pub db: Db,
    /// Rings when this process has written something that is to be sent.
    pub(crate) staged: Arc<Notify>,
}

impl Content {
    /// The content in a table.
    #[must_use]
    pub fn new(db: Db) -> Self {
        Self { db, staged: Arc::default() }
    }

    /// The current time, in whole seconds as times are stored.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let now = self.db.clock().moment().now;
        let second = TimestampRound::new().smallest(Unit::Second).mode(jiff::RoundMode::Floor);
        now.round(second).unwrap_or(now)
    }

    /// The id of a form for an inquiry, so that sending it twice stores one.
    #[must_use]
    pub fn form_id(&self) -> String {
        self.new_id()
    }

    /// A new id.
    pub(crate) fn new_id(&self) -> String {
        let moment = self.db.clock().moment();
        ulid(u64::try_from(moment.now.as_millisecond()).unwrap_or_default(), moment.random)
    }
}
