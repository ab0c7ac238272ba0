//! Texts of a model by language: titles, descriptions and labels.
//!
//! A model file writes one text for all readers, or one per language code: `{ en: Post, ko: 글 }`. A further language
//! needs further texts in the file and no code.

use std::fmt;

use crate::message::Language;

/// A text in one or more languages.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Words(Vec<(String, String)>);

/// The code of a text that is the same for all readers.
const ANY: &str = "";

impl Words {
    /// A text that is the same for all readers.
    pub fn plain(text: impl Into<String>) -> Self {
        Self(vec![(ANY.to_owned(), text.into())])
    }

    /// Texts by their language codes.
    pub fn by_code(texts: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(texts.into_iter().collect())
    }

    /// The text in the language of a code, otherwise in English, otherwise the first.
    #[must_use]
    pub fn in_code(&self, code: &str) -> &str {
        let of = |wanted: &str| self.0.iter().find(|(code, _)| code == wanted);
        of(code)
            .or_else(|| of(Language::English.code()))
            .or_else(|| self.0.first())
            .map_or("", |(_, text)| text)
    }

    /// The text in a language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> &str {
        self.in_code(language.code())
    }

    /// The text in English, for the API, the command line and exports.
    #[must_use]
    pub fn english(&self) -> &str {
        self.in_language(Language::English)
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|(_, text)| text.is_empty())
    }

    /// Whether there is a text for the readers of a language code.
    #[must_use]
    pub fn has(&self, code: &str) -> bool {
        self.0.iter().any(|(known, _)| known == code || known == ANY)
    }

    /// Every language code and its text; the code is empty for a text for all readers.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(code, text)| (&**code, &**text))
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Whether a text is a language tag such as `ko` or `pt-BR`.
#[must_use]
pub fn is_language_code(code: &str) -> bool {
    let mut parts = code.split('-');
    let is_language =
        |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase());
    let is_subtag =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    parts.next().is_some_and(is_language) && parts.all(is_subtag)
}

/// A name of a model file as words: `displayName` and `display_name` are "Display name".
#[must_use]
pub fn spaced(name: &str) -> String {
    let mut words = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let after = letters.get(at + 1);
        // A capital starts a word, except inside of an abbreviation.
        let starts = letter.is_uppercase()
            && before.is_some_and(|before| {
                !before.is_uppercase() || after.is_some_and(|after| after.is_lowercase())
            });
        if matches!(letter, '_' | '-') {
            words.push(' ');
            continue;
        }
        if starts && !words.ends_with(' ') {
            words.push(' ');
        }
        let in_abbreviation = letter.is_uppercase() && after.is_none_or(|after| after.is_uppercase());
        if words.is_empty() {
            words.extend(letter.to_uppercase());
        } else if starts && !in_abbreviation {
            words.extend(letter.to_lowercase());
        } else {
            words.push(*letter);
        }
    }
    words.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_fall_back_to_english_and_then_to_the_first() {
        let words = |texts: &[(&str, &str)]| {
            Words::by_code(texts.iter().map(|(code, text)| ((*code).to_owned(), (*text).to_owned())))
        };
        let both = words(&[("ko", "글"), ("en", "Post")]);
        assert_eq!((both.in_code("ko"), both.in_code("en"), both.in_code("de")), ("글", "Post", "Post"));
        assert_eq!(words(&[("de", "Beitrag"), ("fr", "Article")]).in_code("ko"), "Beitrag");
        assert_eq!(Words::plain("Post").in_language(Language::Korean), "Post");
        assert_eq!(Words::default().english(), "");
        assert!(both.has("ko") && !both.has("de") && Words::plain("x").has("de"));
    }

    #[test]
    fn names_become_words() {
        for (name, words) in [
            ("displayName", "Display name"),
            ("created_at", "Created at"),
            ("kind-status", "Kind status"),
            ("FixedExpense", "Fixed expense"),
            ("thumbnailURL", "Thumbnail URL"),
            ("HTMLPage", "HTML page"),
            ("s3_key", "S3 key"),
            ("btn1Text", "Btn1 text"),
            ("이름", "이름"),
            ("id", "Id"),
        ] {
            assert_eq!(spaced(name), words);
        }
    }

    #[test]
    fn language_codes_are_tags() {
        for code in ["en", "ko", "pt-BR", "zh-Hant-TW", "fil"] {
            assert!(is_language_code(code), "{code}");
        }
        for code in ["", "EN", "english", "e", "en_US", "en-", "ko-kr!"] {
            assert!(!is_language_code(code), "{code}");
        }
    }
}
