//! The stable codes of the API and the site.

use hansang_core::codes;

codes! {
    /// The codes of the API and the site.
    pub(crate) enum WebCode {
        NotJson = "not_json",
        RevisionRequired = "revision_required",
        Template = "template_failed",
    }
}
