//! The state of the served system: shared by the API, the public site and the pages of editors.

use hansang_command::Failure;
use hansang_content::{Content, Search};
use hansang_core::Db;
use hansang_http::limits::{Limiter, Rate};
use hansang_server::{Opening, Reserved};

use crate::fresh::Fresh;
use crate::outside::Outside;
use crate::settings::Settings;
use crate::site::Theme;

/// The entities that only the verbs write: a post stands in its lists, a slug is reserved, an inquiry has its mails, the
/// company is that of administrators. Those that a model file adds are written as records too.
const CLOSED: [&str; 22] = [
    "Banner",
    "Category",
    "ContactInquiry",
    "CorpInfo",
    "Draft",
    "InquiryMail",
    "InquiryPurge",
    "LivePost",
    "Media",
    "MediaUse",
    "MigratedItem",
    "Migration",
    "MigrationFindings",
    "Outbox",
    "Post",
    "PostChange",
    "PostEditor",
    "PostEnd",
    "PostSlug",
    "PostVersion",
    "ReplyTemplate",
    "User",
];

/// The open content of a site.
pub(crate) struct Desk {
    /// The table, with the served model.
    pub(crate) db: Db,
    /// The verbs, on the whole model.
    pub(crate) content: Content,
    /// The settings.
    pub(crate) settings: Settings,
    /// The look of the public site.
    pub(crate) theme: Theme,
    /// The index of this process.
    pub(crate) search: Search,
    /// Public responses.
    pub(crate) fresh: Fresh,
    /// The mail server, webhooks and files.
    pub(crate) outside: Outside,
    /// The rate of inquiries by address.
    pub(crate) inquiries: Limiter,
}

/// The entities with personal data of visitors, which viewers do not read: not as records either.
pub(crate) const RESERVED: Reserved = Reserved(&[
    "ContactInquiry",
    "InquiryMail",
    "InquiryPurge",
    "MigratedItem",
    "MigrationFindings",
    "Outbox",
    "ReplyTemplate",
]);

impl Desk {
    /// Opens the system.
    ///
    /// # Errors
    /// Invalid settings.
    pub(crate) async fn open(opening: Opening<'_>) -> Result<Self, Failure> {
        let settings = Settings::of(opening.config)?;
        let theme = Theme::open(settings.theme.as_deref(), &settings.site)?;
        let outside = Outside::open(opening.config, opening.open_files).await?;
        let fresh = Fresh::new(opening.own.clock().clone(), settings.cache);
        let inquiries = Limiter::new(Rate { per_minute: settings.inquiries, burst: settings.inquiries });
        Ok(Self {
            db: opening.db.closing(CLOSED),
            content: Content::new(opening.own),
            settings,
            theme,
            search: Search::new(),
            fresh,
            outside,
            inquiries,
        })
    }
}
