//! HTML that a template writes as it is.

use std::fmt;

use askama::filters::HtmlSafe;

use crate::escape::escape;

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

/// A text as HTML: what stands between backticks becomes code.
#[must_use]
pub fn prose(text: impl AsRef<str>) -> Html {
    let parts: Vec<&str> = text.as_ref().split('`').collect();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = escape(part);
        match index % 2 {
            0 => out.push_str(&part),
            _ if index + 1 == parts.len() => out.push_str(&format!("`{part}")),
            _ => out.push_str(&format!("<code>{part}</code>")),
        }
    }
    Html(out)
}

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl HtmlSafe for Html {}

#[cfg(test)]
mod tests {
    use super::prose;

    #[test]
    fn backticks_become_code() {
        assert_eq!(prose("`a<b` is taken").as_str(), "<code>a&lt;b</code> is taken");
        assert_eq!(prose("use `x` or `y`").as_str(), "use <code>x</code> or <code>y</code>");
        assert_eq!(prose("a ` alone").as_str(), "a ` alone");
    }
}
