//! The language of a page: the choice of the visitor, or the preference of their browser.

use axum::http::{HeaderMap, header};
use hansang_core::Message;
use hansang_core::message::Language;

use hansang_http::guard::cookie;

/// The cookie with the chosen language.
pub const LANGUAGE_COOKIE: &str = "hansang_language";

/// The language of the client that sends these headers.
#[must_use]
pub fn of(headers: &HeaderMap) -> Language {
    let chosen = cookie(headers, LANGUAGE_COOKIE).and_then(Language::named);
    chosen.unwrap_or_else(|| {
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        preferred(accepted.unwrap_or_default())
    })
}

/// A message as a sentence of its own: it starts with a capital letter, which Korean does not have.
pub fn sentence(language: Language, message: impl Into<Message>) -> String {
    let text = message.into().in_language(language);
    if language == Language::Korean {
        return text;
    }
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// The one of some languages that a browser prefers; the first if it accepts none of them.
#[must_use]
pub fn accepted(headers: &HeaderMap, among: &[Language]) -> Language {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let known = |code: &str| Language::named(code).filter(|language| among.contains(language));
    let first = among.first().copied().unwrap_or(Language::English);
    best(accepted.unwrap_or_default(), first, known)
}

/// The known language with the highest weight in an `Accept-Language`; defaults to English.
fn preferred(accepted: &str) -> Language {
    best(accepted, Language::English, Language::named)
}

fn best(accepted: &str, first: Language, named: impl Fn(&str) -> Option<Language>) -> Language {
    let mut best = (0.0, first);
    for part in accepted.split(',') {
        let mut words = part.split(';').map(str::trim);
        let tag = words.next().unwrap_or_default();
        let of_any_region = || named(tag.split('-').next().unwrap_or_default());
        let Some(language) = named(tag).or_else(of_any_region) else { continue };
        let weight = words.find_map(|word| word.strip_prefix("q=")).map_or(Ok(1.0), str::parse::<f32>);
        // The first of equal weights wins.
        if let Ok(weight) = weight
            && weight > best.0
        {
            best = (weight, language);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferred_language_of_the_browser_is_used() {
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
            assert_eq!(preferred(accepted), language, "{accepted}");
        }
    }

    #[test]
    fn only_some_languages_are_chosen_from() {
        let among = [Language::Korean, Language::English];
        for (accepted_languages, language) in
            [("", Language::Korean), ("fr", Language::Korean), ("fr, en;q=0.5", Language::English)]
        {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, accepted_languages.parse().unwrap())]);
            assert_eq!(accepted(&headers, &among), language, "{accepted_languages}");
        }
    }

    #[test]
    fn a_choice_overrides_the_browser() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, "ko".parse().unwrap());
        headers.insert(header::COOKIE, "a=b; hansang_language=en".parse().unwrap());
        assert_eq!(of(&headers), Language::English);
        headers.insert(header::COOKIE, "hansang_language=xx".parse().unwrap());
        assert_eq!(of(&headers), Language::Korean);
    }
}
