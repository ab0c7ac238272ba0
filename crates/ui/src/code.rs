//! The stable codes of pages that cannot be shown.

use hansang_core::codes;

codes! {
    /// The codes of pages.
    pub enum UiCode {
        NoShell = "no_shell",
        PageUnwritable = "page_unwritable",
    }
}
