//! Languages of texts. English and Korean stand side by side in the code; every other language is a [`Catalog`] that
//! the program reads from a file at its start.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use serde_json::Value as Json;

use crate::words::is_language_code;

/// A language that messages are worded in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, the language of the API, the command line and the logs.
    English,
    /// Korean.
    Korean,
    /// A language of an installed catalog.
    Other(&'static Catalog),
}

/// The catalogs of this process.
static INSTALLED: OnceLock<Vec<Catalog>> = OnceLock::new();

impl Language {
    /// Adds languages to those of this process. This can be done once, before the first text is shown.
    ///
    /// # Errors
    ///
    /// Languages were installed before.
    pub fn install(catalogs: Vec<Catalog>) -> Result<(), String> {
        INSTALLED.set(catalogs).map_err(|_| "languages were installed before".to_owned())
    }

    /// Every language: English, Korean and those of installed catalogs.
    pub fn all() -> impl Iterator<Item = Self> {
        let installed = INSTALLED.get().map(Vec::as_slice).unwrap_or_default();
        [Self::English, Self::Korean].into_iter().chain(installed.iter().map(Self::Other))
    }

    /// The language with a code of ISO 639, such as `ko` or `pt-BR`.
    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        Self::all().find(|language| language.code().eq_ignore_ascii_case(code))
    }

    /// The code of ISO 639, as HTML has it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Korean => "ko",
            Self::Other(catalog) => &catalog.code,
        }
    }

    /// The name of the language in itself, for a menu of languages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "English",
            Self::Korean => "한국어",
            Self::Other(catalog) => &catalog.name,
        }
    }

    /// A text in this language. Other languages than Korean have English where their catalog has no text.
    #[must_use]
    pub fn say<'t>(self, english: &'t str, korean: &'t str) -> &'t str {
        match self {
            Self::English => english,
            Self::Korean => korean,
            Self::Other(catalog) => catalog.text(english).unwrap_or(english),
        }
    }

    /// A text with numbered holes in this language, to be filled [`with`](Filled::with) values.
    #[must_use]
    pub fn fill<'t>(self, english: &'t str, korean: &'t str) -> Filled<'t> {
        Filled { text: self.say(english, korean), values: Vec::new() }
    }

    /// A text about a number of things, whose first hole is the number. English differs for one thing.
    #[must_use]
    pub fn plural<'t>(
        self,
        count: impl fmt::Display,
        one: &'t str,
        many: &'t str,
        korean: &'t str,
    ) -> Filled<'t> {
        let count = count.to_string();
        self.fill(if count == "1" { one } else { many }, korean).with(count)
    }
}

/// A text with values for its holes. `Display` shows it.
#[derive(Clone, Debug)]
pub struct Filled<'t> {
    text: &'t str,
    values: Vec<String>,
}

impl Filled<'_> {
    /// The same text with a value for its next hole.
    #[must_use]
    pub fn with(mut self, value: impl fmt::Display) -> Self {
        self.values.push(value.to_string());
        self
    }
}

impl fmt::Display for Filled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in parts(self.text) {
            match part {
                Part::Text(text) => f.write_str(text)?,
                Part::Hole(number) => match self.values.get(number) {
                    Some(value) => f.write_str(value)?,
                    None => write!(f, "{{{number}}}")?,
                },
            }
        }
        Ok(())
    }
}

impl From<Filled<'_>> for String {
    fn from(filled: Filled<'_>) -> Self {
        filled.to_string()
    }
}

/// The texts of a language from a file. Catalogs are equal if their codes are.
#[derive(Debug)]
pub struct Catalog {
    code: String,
    name: String,
    texts: HashMap<String, String>,
}

impl Catalog {
    /// Reads a catalog: `{ "name": "Français", "texts": { "Save": "Enregistrer" } }`. An empty translation is a
    /// missing one.
    ///
    /// # Errors
    ///
    /// The code is not a language code or is built in, the file has another form, or the holes of a translation differ
    /// from those of the English text.
    pub fn read(code: &str, file: &str) -> Result<Self, String> {
        if !is_language_code(code) {
            return Err(format!("`{code}` is not a language code such as fr or pt-BR"));
        }
        if matches!(code, "en" | "ko") {
            return Err(format!("`{code}` is built in and cannot be replaced"));
        }
        let file: Json = serde_json::from_str(file).map_err(|error| format!("it is not JSON: {error}"))?;
        let members = file.as_object().ok_or("it must be an object with `name` and `texts`")?;
        if let Some(other) = members.keys().find(|key| !matches!(key.as_str(), "name" | "texts")) {
            return Err(format!("`{other}` is not known: it has `name` and `texts`"));
        }
        let name = members.get("name").and_then(Json::as_str).unwrap_or_default().trim();
        if name.is_empty() {
            return Err("`name` must be the name of the language in itself, such as Français".to_owned());
        }
        let given = members.get("texts").and_then(Json::as_object);
        let given = given.ok_or("`texts` must be an object from English texts to translations")?;
        let mut texts = HashMap::new();
        for (english, translation) in given {
            let text =
                translation.as_str().ok_or_else(|| format!("the translation of {english:?} is no text"))?;
            if text.is_empty() {
                continue;
            }
            if holes(english) != holes(text) {
                return Err(format!("the holes of {text:?} differ from those of {english:?}"));
            }
            texts.insert(english.clone(), text.to_owned());
        }
        Ok(Self { code: code.to_owned(), name: name.to_owned(), texts })
    }

    /// The code of ISO 639.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The translation of an English text, with its holes open.
    #[must_use]
    pub fn text(&self, english: &str) -> Option<&str> {
        self.texts.get(english).map(String::as_str)
    }

    /// The file of a catalog without translations, for translators.
    #[must_use]
    pub fn template<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
        let texts: BTreeMap<&str, &str> = texts.into_iter().map(|text| (text, "")).collect();
        format!("{:#}\n", serde_json::json!({ "name": "", "texts": texts }))
    }
}

impl PartialEq for Catalog {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Catalog {}

impl Hash for Catalog {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.code.hash(state);
    }
}

/// A piece of a text with holes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    Text(&'t str),
    Hole(usize),
}

/// Splits a text at its holes. A brace that opens no hole is text.
pub(crate) fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (part, behind) = next_part(rest);
        rest = behind;
        Some(part)
    })
}

fn next_part(text: &str) -> (Part<'_>, &str) {
    if text.starts_with("{{") || text.starts_with("}}") {
        return (Part::Text(&text[..1]), &text[2..]);
    }
    let hole = text.strip_prefix('{').and_then(|inside| inside.split_once('}'));
    if let Some((number, behind)) = hole
        && let Ok(number) = number.parse()
    {
        return (Part::Hole(number), behind);
    }
    // At least one character is taken, so that the next call makes progress.
    let end =
        text.char_indices().skip(1).find(|(_, c)| matches!(c, '{' | '}')).map_or(text.len(), |(at, _)| at);
    (Part::Text(&text[..end]), &text[end..])
}

/// The numbers of the holes of a text.
pub(crate) fn holes(text: &str) -> BTreeSet<usize> {
    parts(text).filter_map(|part| if let Part::Hole(number) = part { Some(number) } else { None }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{message, phrases, words::Words};

    phrases! {
        STOCKED = "{0} of {1} left", "{1} 중 {0} 남음";
        UNTRANSLATED = "no text for this", "번역 없음";
    }

    fn french() -> Language {
        let file = r#"{ "name": "Français", "texts": { "Save": "Enregistrer", "{0} of {1} left": "reste {0} sur {1}",
            " and ": " et ", "{0} day ago": "il y a {0} jour", "{0} days ago": "il y a {0} jours", "Home": "" } }"#;
        Language::Other(Box::leak(Box::new(Catalog::read("fr", file).unwrap())))
    }

    #[test]
    fn the_phrases_are_well_formed() {
        assert_eq!(message::check(ALL), [] as [String; 0]);
    }

    #[test]
    fn a_catalog_gives_texts_and_english_where_it_has_none() {
        let french = french();
        assert_eq!((french.code(), french.name()), ("fr", "Français"));
        assert_eq!(french.say("Save", "저장"), "Enregistrer");
        assert_eq!((french.say("Home", "홈"), french.say("Search", "검색")), ("Home", "Search"));
        assert_eq!(message!(STOCKED, 2, 3).in_language(french), "reste 2 sur 3");
        assert_eq!(message!(UNTRANSLATED).in_language(french), "no text for this");
        let list = message::Argument::and(["a", "b"]);
        assert_eq!(message!(STOCKED, list, 3).in_language(french), "reste a et b sur 3");
        let days = |count: u64| french.plural(count, "{0} day ago", "{0} days ago", "{0}일 전").to_string();
        assert_eq!((days(1), days(2)), ("il y a 1 jour".to_owned(), "il y a 2 jours".to_owned()));
        let words =
            Words::by_code([("en", "Post"), ("fr", "Article")].map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(words.in_language(french), "Article");
    }

    #[test]
    fn languages_are_equal_by_their_codes() {
        assert_eq!(french(), french());
        assert_ne!(french(), Language::English);
        let german = Catalog::read("de", r#"{ "name": "Deutsch", "texts": {} }"#).unwrap();
        assert_ne!(french(), Language::Other(Box::leak(Box::new(german))));
    }

    /// Nothing is installed in this process.
    #[test]
    fn without_catalogs_there_are_two_languages() {
        assert_eq!(Language::all().map(Language::code).collect::<Vec<_>>(), ["en", "ko"]);
        assert_eq!((Language::named("KO"), Language::named("fr")), (Some(Language::Korean), None));
    }

    #[test]
    fn values_fill_holes_and_are_no_holes() {
        let filled = Language::Korean.fill("{0} of {1}", "{1} 중 {0}").with("{1}").with(7);
        assert_eq!(filled.to_string(), "7 중 {1}");
        assert_eq!(Language::English.fill("{0} {1} {{2}}", "").with("a").to_string(), "a {1} {2}");
    }

    #[test]
    fn wrong_catalogs_are_refused() {
        let texts = |texts: &str| format!(r#"{{ "name": "Français", "texts": {texts} }}"#);
        for (code, file, problem) in [
            ("FR", texts("{}"), "`FR` is not a language code"),
            ("ko", texts("{}"), "`ko` is built in"),
            ("fr", "{".to_owned(), "it is not JSON"),
            ("fr", "[]".to_owned(), "it must be an object"),
            ("fr", r#"{ "texts": {} }"#.to_owned(), "`name` must be"),
            ("fr", r#"{ "name": "Français" }"#.to_owned(), "`texts` must be"),
            ("fr", r#"{ "name": "F", "texts": {}, "text": {} }"#.to_owned(), "`text` is not known"),
            ("fr", texts(r#"{ "Save": 1 }"#), "the translation of \"Save\" is no text"),
            (
                "fr",
                texts(r#"{ "{0} left": "reste" }"#),
                "the holes of \"reste\" differ from those of \"{0} left\"",
            ),
            ("fr", texts(r#"{ "{0} left": "reste {1}" }"#), "the holes of"),
        ] {
            let refused = Catalog::read(code, &file).unwrap_err();
            assert!(refused.starts_with(problem), "{file}: {refused}");
        }
    }

    #[test]
    fn the_template_is_a_catalog_without_a_name() {
        let template = Catalog::template(["Save", "{0} left", "Save"]);
        assert!(Catalog::read("fr", &template).unwrap_err().starts_with("`name`"));
        let named = template.replacen("\"name\": \"\"", "\"name\": \"Français\"", 1);
        assert_eq!(Catalog::read("fr", &named).unwrap().text("Save"), None);
    }
}
