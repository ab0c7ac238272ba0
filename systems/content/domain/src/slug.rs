//! Slugs: names in addresses, of letters and digits of any script.

use unicode_normalization::UnicodeNormalization as _;

/// The maximum number of characters of a slug.
pub const MAX_SLUG: usize = 80;

/// Makes a slug of a title: `회사 소식!` becomes `회사-소식`. `None` if the title has no letters or digits.
#[must_use]
pub fn slug(title: &str) -> Option<String> {
    let mut slug = String::new();
    for c in title.nfc().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug: String = slug.chars().take(MAX_SLUG).collect();
    let slug = slug.trim_end_matches('-');
    (!slug.is_empty()).then(|| slug.to_owned())
}

/// Whether a text is a slug as [`slug`] makes them.
#[must_use]
pub fn is_slug(text: &str) -> bool {
    slug(text).as_deref() == Some(text)
}

/// The slug with a number behind it, for a title that another one has taken.
#[must_use]
pub fn numbered(slug: &str, number: usize) -> String {
    let end = format!("-{number}");
    let start: String = slug.chars().take(MAX_SLUG - end.len()).collect();
    format!("{}{end}", start.trim_end_matches('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_slugs() {
        for (title, expected) in [
            ("회사 소식", "회사-소식"),
            ("  Hello,   World! ", "hello-world"),
            ("2025년 3월 — 사업보고서", "2025년-3월-사업보고서"),
            ("Ünïcode", "ünïcode"),
            ("a/../b?c#d", "a-b-c-d"),
        ] {
            assert_eq!(slug(title).as_deref(), Some(expected));
            assert!(is_slug(expected));
        }
        assert_eq!(slug("!?—"), None);
        // A decomposed syllable is the same slug as the composed one.
        assert_eq!(slug("\u{1112}\u{1161}\u{11ab}"), slug("한"));
    }

    #[test]
    fn other_texts_are_no_slugs() {
        for text in ["", "-", "a-", "-a", "a--b", "A", "a b", "a#b", "a/b", "\u{1112}\u{1161}\u{11ab}"] {
            assert!(!is_slug(text), "{text:?}");
        }
        assert!(!is_slug(&"가".repeat(81)));
    }

    #[test]
    fn a_numbered_slug_is_not_too_long() {
        assert_eq!(numbered("회사-소식", 2), "회사-소식-2");
        let long = numbered(&"가".repeat(80), 12);
        assert!(is_slug(&long) && long.chars().count() == MAX_SLUG, "{long}");
    }
}
