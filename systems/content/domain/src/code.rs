//! The error codes of content.

use hansang_core::codes;

codes! {
    /// The codes of content.
    pub enum ContentCode {
        BannerUnknown = "banner_unknown",
        Busy = "busy",
        CategoryHasPosts = "category_has_posts",
        CategoryUnknown = "category_unknown",
        Changed = "changed",
        InQuarantine = "in_quarantine",
        InquiryUnknown = "inquiry_unknown",
        MailTaken = "mail_taken",
        MediaInUse = "media_in_use",
        MediaRefused = "media_refused",
        MediaUnknown = "media_unknown",
        MigrationDamaged = "migration_damaged",
        MigrationTaken = "migration_taken",
        NoAddress = "no_address",
        NoDraft = "no_draft",
        NotInQuarantine = "not_in_quarantine",
        PostChanged = "post_changed",
        PostDamaged = "post_damaged",
        PostUnknown = "post_unknown",
        PreviewUnknown = "preview_unknown",
        PublicationInvalid = "publication_invalid",
        SourceUnavailable = "source_unavailable",
        SlugTaken = "slug_taken",
        TemplateUnknown = "template_unknown",
        TooManyWebhooks = "too_many_webhooks",
        UserUnknown = "user_unknown",
        VersionUnknown = "version_unknown",
        WebhookUnknown = "webhook_unknown",
    }
}
