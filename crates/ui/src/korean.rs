//! The Korean of what is said in English: the English sentence is the key, as with gettext.
//!
//! `core` and the server say every sentence once, in English, where it is found out. Whoever shows one
//! to somebody who reads Korean looks it up here, so that nothing below has to know of languages. A
//! test reads the sources and fails when a sentence has no Korean.

use std::borrow::Cow;

mod data;
mod fields;
mod handbook;
mod requests;
mod words;

#[cfg(test)]
mod coverage;

/// An English text with `{}` where something varies, and the Korean one.
///
/// In the Korean text `{0}` is what stands at the first `{}`, `{0:ko}` the Korean of it, and `{0:names}`
/// the names that English joins by "and" or "or". Only what is marked is translated: a field may be
/// called `text`, and keeps its name.
type Phrase = (&'static str, &'static str);

/// What follows the name of a field.
const FIELDS: [&[Phrase]; 1] = [fields::PHRASES];

const PHRASES: [&[Phrase]; 4] = [fields::PHRASES, data::PHRASES, requests::PHRASES, handbook::PHRASES];

/// Stands between the violations of one message, each of which begins with the name of its field.
const NEXT: &str = "; `";

/// How deep a sentence can hold others. Ours hold two; the text of a caller, which some of them quote,
/// may look like one that holds thousands.
const DEEPEST: u8 = 8;

/// The Korean of an English sentence of ours, or the sentence itself if nobody has translated it.
pub(crate) fn korean(english: &str) -> Cow<'_, str> {
    translated(english, DEEPEST).map_or(Cow::Borrowed(english), Cow::Owned)
}

fn translated(english: &str, deep: u8) -> Option<String> {
    let deep = deep.checked_sub(1)?;
    if !english.starts_with('`') || !english.contains(NEXT) {
        return sentence(english, deep);
    }
    let mut all = String::new();
    for (place, part) in english.split(NEXT).enumerate() {
        // What was split at begins with the mark of the name that follows.
        let part = if place == 0 { part.to_owned() } else { format!("`{part}") };
        all.push_str(if place == 0 { "" } else { "; " });
        all.push_str(&sentence(&part, deep).unwrap_or(part));
    }
    Some(all)
}

/// One sentence: known as a whole, or the name of a field and what is wrong with it.
fn sentence(english: &str, deep: u8) -> Option<String> {
    phrased(PHRASES.into_iter().flatten(), english, deep).or_else(|| {
        let (name, problem) = english.strip_prefix('`')?.split_once("` ")?;
        Some(format!("`{name}`: {}", phrased(FIELDS.into_iter().flatten(), problem, deep)?))
    })
}

/// The Korean of a text by the phrase that fits it and leaves the least of it open.
fn phrased(phrases: impl IntoIterator<Item = &'static Phrase>, english: &str, deep: u8) -> Option<String> {
    let fitting = phrases.into_iter().filter_map(|(key, korean)| Some((key, korean, open(key, english)?)));
    let (_, korean, fillers) = fitting.max_by_key(|(key, ..)| literal(key))?;
    Some(fill(korean, &fillers, deep))
}

/// How much of a text its phrase says itself.
fn literal(key: &str) -> usize {
    key.split("{}").map(str::len).sum()
}

/// What stands at each `{}`, if the phrase fits: the least that does, and never nothing, except for a
/// name between backticks, which ends where they do.
fn open<'t>(key: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = key.split("{}").peekable();
    let mut before = parts.next()?;
    let mut rest = text.strip_prefix(before)?;
    let mut fillers = Vec::new();
    while let Some(part) = parts.next() {
        let name = before.ends_with('`') && part.starts_with('`');
        let least = if name { 0 } else { rest.chars().next()?.len_utf8() };
        let end = match parts.peek() {
            Some(_) => least + rest[least..].find(part)?,
            None => rest.strip_suffix(part).map(str::len).filter(|end| *end >= least)?,
        };
        let filler = &rest[..end];
        if name && filler.contains('`') {
            return None;
        }
        fillers.push(filler);
        rest = &rest[end + part.len()..];
        before = part;
    }
    rest.is_empty().then_some(fillers)
}

/// The Korean text with what its placeholders stand for.
fn fill(korean: &str, fillers: &[&str], deep: u8) -> String {
    let mut text = String::new();
    let mut rest = korean;
    while let Some((before, behind)) = rest.split_once('{') {
        let (hole, behind) = behind.split_once('}').unwrap_or((behind, ""));
        let (number, how) = hole.split_once(':').unwrap_or((hole, ""));
        let filler = number.parse().ok().and_then(|number: usize| fillers.get(number).copied());
        text.push_str(before);
        text.push_str(&filler.map_or(Cow::Borrowed(hole), |filler| shown(filler, how, deep)));
        rest = behind;
    }
    text.push_str(rest);
    text
}

fn shown<'f>(filler: &'f str, how: &str, deep: u8) -> Cow<'f, str> {
    match how {
        "ko" => {
            let word = deep.checked_sub(1).and_then(|deep| phrased(words::PHRASES, filler, deep));
            word.or_else(|| translated(filler, deep)).map_or(Cow::Borrowed(filler), Cow::Owned)
        }
        "names" => Cow::Owned(filler.replace(" and ", ", ").replace(" or ", ", ")),
        _ => Cow::Borrowed(filler),
    }
}

#[cfg(test)]
mod tests {
    use hansang_core::Error;
    use hansang_core::validate::violation;

    use super::*;

    fn all() -> impl Iterator<Item = &'static Phrase> {
        PHRASES.into_iter().chain([words::PHRASES]).flatten()
    }

    #[test]
    fn a_problem_at_a_field_is_a_sentence_of_its_own() {
        for (english, expected) in [
            ("is required", "필수 항목입니다"),
            ("must have at most 80 characters", "80자 이하로 입력하세요"),
            ("must be at least -1.5", "-1.5 이상이어야 합니다"),
        ] {
            assert_eq!(korean(english), expected, "{english}");
        }
    }

    #[test]
    fn what_varies_may_stand_in_another_order() {
        assert_eq!(
            korean("this needs the role editor of *: ask an administrator for it"),
            "모든 시스템에 대한 편집자 권한이 필요합니다. 관리자에게 요청하세요"
        );
    }

    #[test]
    fn violations_are_translated_one_by_one() {
        let several = Error::fields(vec![
            violation("slug", "must have at most 80 characters"),
            violation("title", "is required"),
            violation("odd", "is what nobody has translated"),
        ]);
        let expected = "`slug`: 80자 이하로 입력하세요; `title`: 필수 항목입니다; \
                        `odd` is what nobody has translated";
        assert_eq!(korean(&several.message.to_string()), expected);
        let one = Error::fields(vec![violation("title", "is required")]);
        assert_eq!(korean(&one.message.to_string()), "`title`: 필수 항목입니다");
    }

    #[test]
    fn what_nobody_has_translated_stays() {
        for english in ["", "`", "is", "; `", "`a` is; `b", "this is news to everybody", "필수 항목입니다"]
        {
            assert_eq!(korean(english), english);
        }
        let deep = "it may be in x, which cannot be read: ".repeat(10_000);
        assert!(korean(&deep).contains("it may be in x"));
    }

    #[test]
    fn a_name_is_no_word() {
        assert_eq!(
            korean("`text` is given twice: give it once"),
            "`text` 값이 두 번 있습니다. 한 번만 보내세요"
        );
        // Nor does a phrase reach over the end of a name.
        assert_eq!(open("`{}` is `{}`", "`a` is `b` is `c`"), None);
        assert_eq!(open("`{}` is `{}`", "`` is `b`"), Some(vec!["", "b"]));
    }

    #[test]
    fn every_phrase_is_the_one_for_itself() {
        for (tables, which) in [(&PHRASES[..], "a phrase"), (&[words::PHRASES], "a word")] {
            for (key, korean) in tables.iter().copied().flatten() {
                let english = key.replace("{}", "7");
                let found = phrased(tables.iter().copied().flatten(), &english, 1);
                let fillers = vec!["7"; key.matches("{}").count()];
                assert_eq!(found, Some(fill(korean, &fillers, 1)), "{which} hides `{key}`");
            }
        }
    }

    #[test]
    fn no_phrase_is_there_twice() {
        let mut keys: Vec<&str> = all().map(|(key, _)| *key).collect();
        keys.sort_unstable();
        let twice: Vec<_> = keys.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn every_placeholder_has_something_to_show() {
        for (key, korean) in all() {
            let count = key.matches("{}").count();
            for hole in korean.split('{').skip(1) {
                let (hole, _) = hole.split_once('}').unwrap();
                let (number, how) = hole.split_once(':').unwrap_or((hole, ""));
                assert!(number.parse::<usize>().unwrap() < count, "{key}: {hole}");
                assert!(matches!(how, "" | "ko" | "names"), "{key}: {hole}");
            }
            let stops = (key.ends_with('.'), korean.ends_with('.'));
            assert_eq!(stops.0, stops.1, "what ends and what may go on does so in both: {korean}");
        }
    }
}
