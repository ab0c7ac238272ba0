//! Links between the pages of a list.

use hansang_core::db::TypedListing;

pub use crate::time::Moment;

/// The links to the previous and the next page of a list.
pub struct Pager {
    /// The address of the previous page.
    pub previous: Option<String>,
    /// The address of the next page.
    pub next: Option<String>,
}

impl Pager {
    /// The links of a typed list.
    pub fn of<T>(listing: &TypedListing<T>, address: &str) -> Self {
        Self::at(address, listing.previous.as_deref(), listing.next.as_deref())
    }

    /// The links to the pages of these cursors, in the list at this address.
    pub fn at(address: &str, previous: Option<&str>, next: Option<&str>) -> Self {
        let sign = if address.contains('?') { '&' } else { '?' };
        let at = |cursor: &str| format!("{address}{sign}cursor={cursor}");
        Self { previous: previous.map(at), next: next.map(at) }
    }

    /// No links.
    pub fn none() -> Self {
        Self { previous: None, next: None }
    }

    /// Whether there is a link.
    pub fn any(&self) -> bool {
        self.previous.is_some() || self.next.is_some()
    }
}
