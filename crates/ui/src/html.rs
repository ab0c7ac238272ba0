//! HTML that a template writes as it is.

use std::fmt;

use askama::filters::HtmlSafe;

/// HTML in which every text is escaped already.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html(String);

impl Html {
    /// HTML from our own code. Texts in it must be escaped.
    #[must_use]
    pub fn new(escaped: String) -> Self {
        Self(escaped)
    }

    /// The HTML as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}
