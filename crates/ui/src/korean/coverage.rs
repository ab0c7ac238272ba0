//! Reads the sources, and sees to it that whatever they say to people has a phrase.
//!
//! A sentence is known by its form: it has more than one word and begins with a small letter or a name,
//! as every message here does and no description in the API's documentation. So it is found however it
//! gets into an error: at once, by way of a variable, or from a function that makes several.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{PHRASES, literal, open, words};

/// What says something to people: each of these files and all that lie in the folder of its name.
const SPEAKING: [(&str, &[&str]); 5] = [
    ("../access", &["src"]),
    ("../http/src", &["form", "guard", "input", "json", "limits", "problem"]),
    ("../server/src", &["routes"]),
    ("../../systems/contracts/web/src", &["api"]),
    ("../../systems/entry/web/src", &["api"]),
];

/// Pages say most things in both languages where they stand, and only errors by way of a phrase. These
/// are what is before the text of one.
const PAGES: [(&str, &[&str]); 3] = [
    ("../server/src", &["console"]),
    ("../../systems/contracts/web/src", &["pages"]),
    ("../../systems/entry/web/src", &["pages"]),
];
const TELLING: [&str; 5] = ["Err(", "_err(", "Error::", "violation(", "let message = "];

/// Where else phrases are said. Much that stands there is for nobody to read in Korean.
const OTHERS: [(&str, &[&str]); 4] = [
    ("../aws/src", &["error"]),
    ("../embedded/src", &["catalog"]),
    ("../server/src", &["openapi"]),
    ("../http/src", &["route"]),
];

/// Texts that have the form of a sentence and need no phrase, by the reason.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    (
        "they are internal errors, and `Problem` says something else instead",
        &[
            "a stored time cannot be read: restore the table from a backup",
            "the password could not be checked",
            "the password could not be hashed: nothing was changed",
            "the system gives no random numbers: nothing that needs a secret works",
        ],
    ),
    (
        "they keep the server from starting, so that there is no page to show them",
        &[
            "no connection to an identity provider can be set up on this system",
            "the address of the identity provider's keys is not one: check it",
            "the settings for passwords cannot work: hashes need 8 KiB or more and one pass",
        ],
    ),
    (
        "they are put together with others, and the whole has phrases, which the tests of `korean` show",
        &["{} {}"],
    ),
    (
        "they are for programs: the audit log, a stream that breaks off, the reader of a body",
        &[
            "the download broke off",
            "the export broke off",
            "{} is not a whole number of 64 bits",
            "{} operations",
        ],
    ),
];

#[test]
fn every_sentence_has_its_korean() {
    let excepted: BTreeSet<&str> = EXCEPTIONS.iter().flat_map(|(_, texts)| *texts).copied().collect();
    let mut said = BTreeSet::new();
    let mut missing = String::new();
    for (file, _, text) in texts(&SPEAKING).into_iter().chain(texts(&PAGES).into_iter().filter(is_told)) {
        if is_sentence(&text) {
            if !excepted.contains(&*text) && !keys().any(|key| is_known(key, &text)) {
                missing.push_str(&format!("\n{}: {text}", file.display()));
            }
            said.insert(text);
        }
    }
    assert!(said.len() > 100, "only {} sentences were found: the search is broken", said.len());
    let advice = "no phrase in crates/server/src/korean says this: add one, or an exception with its reason";
    assert!(missing.is_empty(), "{advice}{missing}");
    let stale: Vec<&&str> = excepted.iter().filter(|text| !said.contains(**text)).collect();
    assert!(stale.is_empty(), "nobody says this any longer, so it is no exception: {stale:#?}");
}

#[test]
fn every_phrase_is_still_said() {
    let places = [&SPEAKING[..], &PAGES, &OTHERS];
    let said: BTreeSet<String> = places.into_iter().flat_map(texts).map(|(_, _, text)| text).collect();
    let is_said = |key: &str| said.contains(key) || said.iter().any(|text| is_part(text, key));
    let stale: Vec<&str> = keys().filter(|key| !is_said(key)).collect();
    assert!(stale.is_empty(), "nobody says this any longer: {stale:#?}");
}

/// A file, what stands before a text in its statement, and the text.
type Found = (PathBuf, String, String);

fn texts(places: &[(&str, &[&str])]) -> Vec<Found> {
    let mut all = Vec::new();
    for file in files(places) {
        let found = literals(&fs::read_to_string(&file).unwrap());
        all.extend(found.into_iter().map(|(before, text)| (file.clone(), before, text)));
    }
    all
}

fn is_told((_, before, _): &Found) -> bool {
    TELLING.iter().any(|mark| before.contains(mark))
}

/// A phrase that leaves more open than numbers is only for the text that leaves as much open: `must be {}`
/// fits too many others.
fn is_known(key: &str, text: &str) -> bool {
    let is_number = |filler: &&str| filler.parse::<u64>().is_ok();
    key == text || open(key, text).is_some_and(|fillers| fillers.iter().all(is_number))
}

fn keys() -> impl Iterator<Item = &'static str> {
    PHRASES.into_iter().chain([words::PHRASES]).flatten().map(|(key, _)| *key)
}

/// Whether a phrase says what a text does, which is enough to tell that both belong together.
fn is_part(text: &str, key: &str) -> bool {
    let mut rest = Some(key);
    for part in text.split("{}") {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, behind)| behind);
    }
    rest.is_some() && literal(text) >= "Make".len()
}

fn files(places: &[(&str, &[&str])]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for (root, names) in places {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        for name in *names {
            all.push(root.join(format!("{name}.rs")));
            files_in(&root.join(name), &mut all);
        }
    }
    all.retain(|file| file.exists());
    all
}

fn files_in(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        if is_test {
            continue;
        }
        if path.is_dir() {
            files_in(&path, all);
        } else {
            all.push(path);
        }
    }
}

/// Values of headers, too, have several words in small letters, and an equals sign, which no sentence has.
fn is_sentence(text: &str) -> bool {
    let first = text.chars().next().unwrap_or(' ');
    text.contains(' ') && !text.contains('=') && (first.is_ascii_lowercase() || "`{\"".contains(first))
}

/// The texts in a source, each with what stands before it in its statement, but for those of its tests,
/// of the log, of attributes and of panics.
fn literals(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut found = Vec::new();
    let (mut rest, mut statement) = (source, source);
    while let Some(first) = rest.chars().next() {
        let behind = &rest[first.len_utf8()..];
        let quoted = if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
            continue;
        } else if let Some(body) = rest.strip_prefix("r#\"") {
            body.split_once("\"#").map(|(text, behind)| (text.to_owned(), behind))
        } else if first == '"' {
            unquote(behind)
        } else {
            None
        };
        let Some((text, behind)) = quoted else {
            rest = if first == '\'' { behind_character(behind) } else { behind };
            statement = if matches!(first, ';' | '{' | '}') { rest } else { statement };
            continue;
        };
        let before = &statement[..statement.len() - rest.len()];
        if !["tracing::", "#[", "panic!(", ".expect("].iter().any(|mark| before.contains(mark)) {
            found.push((before.to_owned(), with_holes(&text)));
        }
        rest = behind;
    }
    found
}

/// What a literal says, from behind its first quote, and what follows its last one.
fn unquote(source: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut characters = source.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => return Some((text, &source[place + 1..])),
            '\\' => match characters.next()?.1 {
                '\n' => {
                    let rest = characters.as_str();
                    let indent = rest.len() - rest.trim_start().len();
                    characters.by_ref().take(rest[..indent].chars().count()).for_each(drop);
                }
                'n' => text.push('\n'),
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    None
}

/// What follows a character, from behind its first quote; or a lifetime, which has no second one.
fn behind_character(source: &str) -> &str {
    let mut characters = source.chars();
    if characters.next() == Some('\\') {
        let body = source.get(2..).unwrap_or_default();
        return body.split_once('\'').map_or("", |(_, behind)| behind);
    }
    characters.as_str().strip_prefix('\'').unwrap_or(source)
}

/// A format as the keys of phrases have it: `{name}` is `{}`, and `{{` is `{`.
fn with_holes(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(['{', '}']) {
        out.push_str(before);
        let opened = rest[before.len()..].starts_with('{');
        let mark = if opened { '{' } else { '}' };
        rest = match behind.strip_prefix(mark) {
            Some(behind) => {
                out.push(mark);
                behind
            }
            None if opened => {
                out.push_str("{}");
                behind.split_once('}').map_or("", |(_, behind)| behind)
            }
            None => behind,
        };
    }
    out.push_str(rest);
    out
}

#[test]
fn texts_are_found_as_they_are_written() {
    let source = r##"
        // "a comment" isn't said
        let mark = '"'; let quote = '\''; fn f<'a>(x: &'a str) {}
        Error::invalid("code", format!("a {name} and {{one}} of \"{}\" \
                        go on", other));
        tracing::warn!(code = 1, "for the log");
        let raw = r#"a "raw" one"#;
        #[cfg(test)]
mod tests { "of a test" }"##;
    let found: Vec<String> = literals(source).into_iter().map(|(_, text)| text).collect();
    assert_eq!(found, ["code", "a {} and {one} of \"{}\" go on", "a \"raw\" one"]);
}
