//! The language of a page: what the visitor chose, or what their browser asks for.

use axum::http::{HeaderMap, header};
use hansang_core::Message;

use crate::korean::korean;
use hansang_http::guard::cookie;

/// The cookie with the chosen language.
pub const LANGUAGE_COOKIE: &str = "hansang_language";

/// A language that pages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Korean.
    Korean,
}

impl Language {
    /// The language of whoever sends these headers.
    pub fn of(headers: &HeaderMap) -> Self {
        let chosen = cookie(headers, LANGUAGE_COOKIE).and_then(Self::named);
        chosen.unwrap_or_else(|| {
            let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
            Self::preferred(accepted.unwrap_or_default())
        })
    }

    /// The language with this code.
    pub fn named(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::English),
            "ko" => Some(Self::Korean),
            _ => None,
        }
    }

    /// The code, as HTML has it.
    pub fn code(self) -> &'static str {
        self.say("en", "ko")
    }

    /// The one of two texts that is in this language.
    pub fn say<'t>(self, english: &'t str, korean: &'t str) -> &'t str {
        match self {
            Self::English => english,
            Self::Korean => korean,
        }
    }

    /// A message in this language; the English one gets a capital.
    pub fn sentence(self, message: impl Into<Message>) -> String {
        let message = message.into();
        if self == Self::Korean {
            return message.in_korean(&|english| korean(english).into_owned());
        }
        let english = message.to_string();
        let mut letters = english.chars();
        let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}", letters.as_str())
    }

    /// The most wanted of ours in an `Accept-Language`; English if none is.
    fn preferred(accepted: &str) -> Self {
        let mut best = (0.0, Self::English);
        for part in accepted.split(',') {
            let mut words = part.split(';').map(str::trim);
            let tag = words.next().unwrap_or_default().split('-').next().unwrap_or_default();
            let Some(language) = Self::named(&tag.to_ascii_lowercase()) else { continue };
            let weight = words.find_map(|word| word.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
            // The first of equals is wanted most.
            if let Ok(weight) = weight
                && weight > best.0
            {
                best = (weight, language);
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_get_what_they_prefer() {
        for (accepted, language) in [
            ("", Language::English),
            ("ko", Language::Korean),
            ("ko-KR,ko;q=0.9,en-US;q=0.8,en;q=0.7", Language::Korean),
            ("en-GB,en;q=0.9,ko;q=0.8", Language::English),
            ("fr,de;q=0.9", Language::English),
            ("fr, ko;q=0.1", Language::Korean),
            ("ko;q=0, en;q=0.1", Language::English),
            ("ko;q=nonsense, *", Language::English),
        ] {
            assert_eq!(Language::preferred(accepted), language, "{accepted}");
        }
    }

    #[test]
    fn a_choice_counts_more_than_the_browser() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, "ko".parse().unwrap());
        headers.insert(header::COOKIE, "a=b; hansang_language=en".parse().unwrap());
        assert_eq!(Language::of(&headers), Language::English);
        headers.insert(header::COOKIE, "hansang_language=xx".parse().unwrap());
        assert_eq!(Language::of(&headers), Language::Korean);
    }
}
