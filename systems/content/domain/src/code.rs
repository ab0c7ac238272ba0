//! The error codes of content.

use hansang_core::codes;

codes! {
    /// The codes of content.
    pub enum ContentCode {
        Busy = "busy",
        CategoryHasPosts = "category_has_posts",
        CategoryUnknown = "category_unknown",
        InquiryUnknown = "inquiry_unknown",
        MailTaken = "mail_taken",
        MigrationDamaged = "migration_damaged",
        MigrationTaken = "migration_taken",
        NoAddress = "no_address",
        NoDraft = "no_draft",
        NotInQuarantine = "not_in_quarantine",
        PostChanged = "post_changed",
        PostDamaged = "post_damaged",
        PostUnknown = "post_unknown",
        PublicationInvalid = "publication_invalid",
        SourceUnavailable = "source_unavailable",
        SlugTaken = "slug_taken",
        VersionUnknown = "version_unknown",
    }
}
