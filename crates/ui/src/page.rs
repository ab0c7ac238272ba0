//! Small components of most pages: times, and links between the pages of a list.

use hansang_core::db::TypedListing;
use jiff::Timestamp;

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

/// A time as text for people, and in full for programs.
pub struct Moment {
    /// The text for people.
    pub text: String,
    /// The full time for programs.
    pub exact: String,
}

impl Moment {
    /// A time to the second.
    pub fn of(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d %H:%M:%S").to_string(), exact: time.to_string() }
    }

    /// A time to the millisecond, where the order within a second matters.
    pub fn exactly(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d %H:%M:%S%.3f").to_string(), exact: time.to_string() }
    }

    /// A time to the day.
    pub fn day_of(time: Timestamp) -> Self {
        Self { text: time.strftime("%Y-%m-%d").to_string(), exact: time.to_string() }
    }
}
