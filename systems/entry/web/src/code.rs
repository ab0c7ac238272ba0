//! The stable codes of the pages of events.

use hansang_core::codes;

codes! {
    /// The codes of the pages of events.
    pub(crate) enum EntryWebCode {
        NoneChosen = "none_chosen",
    }
}
