//! Messages as data: a phrase in every language, and the arguments that fill its holes.
//!
//! A crate lists its phrases with [`phrases!`](crate::phrases) in one file and builds messages with
//! [`message!`](crate::message!). English and Korean are side by side, other languages are in catalogs by the
//! English text, and a message is worded only when it is shown:
//!
//! ```
//! use hansang_core::message::{Argument, Language};
//! use hansang_core::{message, phrases};
//!
//! phrases! {
//!     TAKEN = "another {0} has this {1} already", "다른 {0} 데이터가 이미 쓰는 값입니다: {1}";
//! }
//!
//! let message = message!(TAKEN, "Post", Argument::and(["slug", "language"]));
//! assert_eq!(message.to_string(), "another Post has this slug and language already");
//! assert_eq!(
//!     message.in_language(Language::Korean),
//!     "다른 Post 데이터가 이미 쓰는 값입니다: slug, language"
//! );
//! ```

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

pub use crate::language::Language;
use crate::language::{Part, holes, parts};
use crate::number::Number;
use crate::value::{Name, Text};
use crate::words::Words;

/// A text in every language, with numbered holes: `{0}`, `{1}`, in any order. `{{` and `}}` are braces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// The English text.
    pub english: &'static str,
    /// The Korean text.
    pub korean: &'static str,
}

impl Phrase {
    /// The text in a language, with its holes open.
    #[must_use]
    pub fn text(&self, language: Language) -> &'static str {
        language.say(self.english, self.korean)
    }

    /// The number of arguments that the English text needs.
    #[must_use]
    pub const fn arity(&self) -> usize {
        let text = self.english.as_bytes();
        let (mut at, mut arity) = (0, 0);
        while at + 1 < text.len() {
            if text[at] != b'{' {
                at += 1;
            } else if text[at + 1] == b'{' {
                at += 2;
            } else {
                at += 1;
                let mut number = 0;
                while at < text.len() && text[at].is_ascii_digit() {
                    number = number * 10 + (text[at] - b'0') as usize;
                    at += 1;
                }
                if number + 1 > arity {
                    arity = number + 1;
                }
            }
        }
        arity
    }
}

/// A phrase with the arguments for its holes. `Display` shows it in English.
#[derive(Clone, PartialEq, Eq)]
pub struct Message {
    phrase: &'static Phrase,
    arguments: Vec<Argument>,
}

/// A value for a hole of a [`Phrase`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A name, a value or a number, the same in every language.
    Text(Cow<'static, str>),
    /// A text that was worded in each language elsewhere.
    Words(Words),
    /// A message inside of another.
    Message(Message),
    /// Several arguments, joined.
    List(Join, Vec<Argument>),
}

/// The way in which the elements of a list are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// `a, b, c`
    Comma,
    /// `a; b; c`
    Semicolon,
    /// `a, b and c`; Korean joins by commas.
    And,
    /// `a, b or c`; Korean joins by commas.
    Or,
}

/// The phrase of [`Message::raw`] and [`Message::worded`].
static ONLY_ARGUMENT: Phrase = Phrase { english: "{0}", korean: "{0}" };

impl Message {
    /// A message of a phrase and its arguments; [`message!`](crate::message!) also checks their number.
    #[must_use]
    pub fn new(phrase: &'static Phrase, arguments: Vec<Argument>) -> Self {
        Self { phrase, arguments }
    }

    /// A text without a phrase, the same in every language.
    pub fn raw(text: impl Into<Cow<'static, str>>) -> Self {
        Self::new(&ONLY_ARGUMENT, vec![Argument::Text(text.into())])
    }

    /// A text that was worded in each language elsewhere: by another process, for example.
    pub fn worded(english: impl Into<String>, korean: impl Into<String>) -> Self {
        let texts = [(Language::English, english.into()), (Language::Korean, korean.into())];
        Self::words(Words::by_code(texts.map(|(language, text)| (language.code().to_owned(), text))))
    }

    /// A text of a model.
    #[must_use]
    pub fn words(words: Words) -> Self {
        Self::new(&ONLY_ARGUMENT, vec![Argument::Words(words)])
    }

    /// Messages after each other, joined.
    pub fn join(join: Join, messages: impl IntoIterator<Item = Self>) -> Self {
        let list = messages.into_iter().map(Argument::Message).collect();
        Self::new(&ONLY_ARGUMENT, vec![Argument::List(join, list)])
    }

    /// The message in a language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(language, &mut text);
        text
    }

    fn write(&self, language: Language, out: &mut dyn fmt::Write) -> fmt::Result {
        for part in parts(self.phrase.text(language)) {
            match part {
                Part::Text(text) => out.write_str(text)?,
                Part::Hole(number) => match self.arguments.get(number) {
                    Some(argument) => argument.write(language, out)?,
                    None => write!(out, "{{{number}}}")?,
                },
            }
        }
        Ok(())
    }
}

impl Argument {
    /// A list such as `a, b, c`.
    pub fn list<A: Into<Self>>(elements: impl IntoIterator<Item = A>) -> Self {
        Self::joined(Join::Comma, elements)
    }

    /// A list such as `a, b and c`.
    pub fn and<A: Into<Self>>(elements: impl IntoIterator<Item = A>) -> Self {
        Self::joined(Join::And, elements)
    }

    /// A list such as `a, b or c`.
    pub fn or<A: Into<Self>>(elements: impl IntoIterator<Item = A>) -> Self {
        Self::joined(Join::Or, elements)
    }

    fn joined<A: Into<Self>>(join: Join, elements: impl IntoIterator<Item = A>) -> Self {
        Self::List(join, elements.into_iter().map(Into::into).collect())
    }

    fn write(&self, language: Language, out: &mut dyn fmt::Write) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Words(words) => out.write_str(words.in_language(language)),
            Self::Message(message) => message.write(language, out),
            Self::List(join, elements) => {
                for (index, element) in elements.iter().enumerate() {
                    let is_last = index + 1 == elements.len();
                    out.write_str(if index == 0 { "" } else { join.between(language, is_last) })?;
                    element.write(language, out)?;
                }
                Ok(())
            }
        }
    }
}

impl Join {
    fn between(self, language: Language, is_last: bool) -> &'static str {
        match self {
            Self::Semicolon => "; ",
            Self::And if is_last => language.say(" and ", ", "),
            Self::Or if is_last => language.say(" or ", ", "),
            _ => ", ",
        }
    }
}

/// The English text.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(Language::English, f)
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.in_language(Language::English), f)
    }
}

/// Compares the English text.
impl PartialEq<str> for Message {
    fn eq(&self, other: &str) -> bool {
        self.in_language(Language::English) == other
    }
}

/// Compares the English text.
impl PartialEq<&str> for Message {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl std::error::Error for Message {}

impl From<&Self> for Message {
    fn from(message: &Self) -> Self {
        message.clone()
    }
}

impl From<Message> for Argument {
    fn from(message: Message) -> Self {
        Self::Message(message)
    }
}

impl From<&Message> for Argument {
    fn from(message: &Message) -> Self {
        Self::Message(message.clone())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

macro_rules! texts {
    ($($type:ty),* $(,)?) => {$(
        impl From<$type> for Argument {
            fn from(value: $type) -> Self {
                Self::Text(value.to_string().into())
            }
        }
    )*};
}

texts!(&str, &String, Name, &Name, Text, &Text, Number, &Number, char);
texts!(u8, u16, u32, u64, usize, i16, i32, i64);

/// Defines phrases: `NAME = "English {0}", "Korean {0}";`, one after the other. In tests `ALL` lists
/// them, for [`check`].
#[macro_export]
macro_rules! phrases {
    ($($(#[$attribute:meta])* $name:ident = $english:literal, $korean:literal;)*) => {
        $(
            $(#[$attribute])*
            #[doc = concat!("```text\n", $english, "\n```")]
            #[allow(unreachable_pub, reason = "the module of the phrases may be private")]
            pub static $name: $crate::message::Phrase =
                $crate::message::Phrase { english: $english, korean: $korean };
        )*

        #[cfg(test)]
        pub(crate) static ALL: &[&$crate::message::Phrase] = &[$(&$name),*];
    };
}

/// Makes a [`Message`] of a phrase and one argument for each of its holes. A wrong number of arguments
/// does not compile.
#[macro_export]
macro_rules! message {
    ($phrase:path $(, $argument:expr)* $(,)?) => {{
        const { assert!($phrase.arity() == $crate::message!(@count $($argument),*), "one argument for each hole") };
        $crate::message::Message::new(&$phrase, vec![$($crate::message::Argument::from($argument)),*])
    }};
    (@count) => { 0 };
    (@count $first:expr $(, $rest:expr)*) => { 1 + $crate::message!(@count $($rest),*) };
}

/// Finds problems of phrases, for a test of every crate that has some: holes that differ between the
/// languages, a full stop in only one of them, a repeated English text.
#[must_use]
pub fn check(phrases: &[&Phrase]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut known = BTreeSet::new();
    for phrase in phrases {
        let Phrase { english, korean } = phrase;
        let mut problem = |what: &str| problems.push(format!("{what}: {english:?}, {korean:?}"));
        let (holes, korean_holes) = (holes(english), holes(korean));
        if holes != korean_holes {
            problem("the holes differ");
        }
        if holes.iter().copied().ne(0..phrase.arity()) {
            problem("a hole is left out");
        }
        if english.ends_with('.') != korean.ends_with('.') {
            problem("only one ends with a full stop");
        }
        if english.is_empty() || korean.is_empty() {
            problem("a text is empty");
        }
        if !known.insert(*english) {
            problem("the English text stands twice");
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    phrases! {
        PLAIN = "nothing varies", "변하는 것이 없습니다";
        SWAPPED = "{0} before {1}", "{1} 앞에 {0}";
        BRACES = "an object such as {{\"S\": {0}}}", "{{\"S\": {0}}} 같은 객체";
        NESTED = "operation {0}: {1}", "작업 [{0}]: {1}";
        TWELVE = "{0}{1}{2}{3}{4}{5}{6}{7}{8}{9}{10}{11}", "{11}{10}{9}{8}{7}{6}{5}{4}{3}{2}{1}{0}";
    }

    #[test]
    fn messages_are_worded_in_each_language() {
        let swapped = message!(SWAPPED, "a", 7);
        for (message, english, korean) in [
            (message!(PLAIN), "nothing varies", "변하는 것이 없습니다"),
            (swapped.clone(), "a before 7", "7 앞에 a"),
            (message!(BRACES, "…"), "an object such as {\"S\": …}", "{\"S\": …} 같은 객체"),
            (message!(NESTED, 2, swapped), "operation 2: a before 7", "작업 [2]: 7 앞에 a"),
            (message!(TWELVE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), "01234567891011", "11109876543210"),
            (Message::worded("yes", "예"), "yes", "예"),
            (message!(NESTED, 1, Message::worded("yes", "예")), "operation 1: yes", "작업 [1]: 예"),
        ] {
            assert_eq!(message.to_string(), english);
            assert_eq!(message.in_language(Language::Korean), korean);
        }
    }

    #[test]
    fn lists_are_joined_as_each_language_does() {
        let names = |count: usize| ["a", "b", "c"].into_iter().take(count);
        for (list, english, korean) in [
            (Argument::list(names(3)), "a, b, c", "a, b, c"),
            (Argument::and(names(3)), "a, b and c", "a, b, c"),
            (Argument::and(names(2)), "a and b", "a, b"),
            (Argument::or(names(1)), "a", "a"),
            (Argument::or(names(3)), "a, b or c", "a, b, c"),
            (Argument::list(names(0)), "", ""),
        ] {
            let message = message!(NESTED, 0, list);
            assert_eq!(message.to_string(), format!("operation 0: {english}"));
            assert_eq!(message.in_language(Language::Korean), format!("작업 [0]: {korean}"));
        }
        let joined = Message::join(Join::Semicolon, [message!(PLAIN), message!(SWAPPED, 1, 2)]);
        assert_eq!(joined.to_string(), "nothing varies; 1 before 2");
        assert_eq!(joined.in_language(Language::Korean), "변하는 것이 없습니다; 2 앞에 1");
    }

    /// Arguments come from outside: braces in them are no holes.
    #[test]
    fn an_argument_is_no_phrase() {
        let message = message!(NESTED, "{1}", "{{0}}");
        assert_eq!(message.to_string(), "operation {1}: {{0}}");
    }

    #[test]
    fn a_brace_that_opens_no_hole_is_text() {
        for text in ["{", "}", "{x}", "{0", "a{b", "{-1}", "{}"] {
            let shown: Vec<_> = parts(text).collect();
            assert!(shown.iter().all(|part| matches!(part, Part::Text(_))), "{text}: {shown:?}");
        }
        assert_eq!(Phrase { english: "{{0}} {", korean: "" }.arity(), 0);
    }

    #[test]
    fn bad_phrases_are_found() {
        assert_eq!(check(ALL), [] as [String; 0]);
        let bad = [
            ("the holes differ", Phrase { english: "{0}", korean: "{1}" }),
            ("the holes differ", Phrase { english: "{0} of {1}", korean: "{0}" }),
            ("a hole is left out", Phrase { english: "{1}", korean: "{1}" }),
            ("only one ends with a full stop", Phrase { english: "a.", korean: "b" }),
            ("a text is empty", Phrase { english: "a", korean: "" }),
        ];
        for (problem, phrase) in &bad {
            let found = check(&[phrase]);
            assert!(found.iter().any(|found| found.starts_with(problem)), "{problem}: {found:?}");
        }
        assert!(check(&[&PLAIN, &SWAPPED, &PLAIN])[0].starts_with("the English text stands twice"));
    }
}
