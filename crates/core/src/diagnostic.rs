//! Diagnostics of the compiler: a stable code, a location, and a fix.

use std::fmt::{self, Write as _};

use serde_json::{Value as Json, json};

/// A range in the model file. Lines and columns count from one, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The line.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// The number of characters to underline, at least one.
    pub length: usize,
}

/// One problem in a model file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The code; see `docs/model.md`.
    pub code: Code,
    /// The location.
    pub span: Span,
    /// The problem.
    pub message: String,
    /// The fix.
    pub help: String,
}

/// The maximum number of problems that are reported for one file.
pub const MAX_PROBLEMS: usize = 1000;

macro_rules! codes {
    ($($number:literal $name:ident $title:literal,)*) => {
        /// The stable code of a problem. Numbers are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = $title] $name = $number,)*
        }

        impl Code {
            /// Every code there is, in order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The meaning of the code in a few words.
            #[must_use]
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$name => $title,)*
                }
            }
        }
    };
}

codes! {
    1 NotUtf8 "the file is not UTF-8 text",
    2 TooLarge "the file is too large",
    3 NotYaml "the file is not valid YAML",
    4 Empty "the file holds no model, or more than one",
    5 Anchor "anchors, aliases and tags are not part of the language",
    6 TooDeep "the file is nested too deeply",
    7 DuplicateKey "a key is repeated",
    8 UnknownField "a field is not part of the language",
    9 MissingField "a field is missing",
    10 WrongShape "a value has the wrong shape",
    11 BadName "a name cannot be used",
    12 BadChoice "a value is not one of the choices",
    13 TooManyIndexes "the table has too many indexes",
    14 SameAttribute "one attribute has two roles in the table",
    15 TooMany "there are more parts than a model may have",
    16 BadLanguage "a text has no valid language code",
    20 UnknownType "an attribute type does not exist",
    21 BadRule "a rule does not fit the attribute",
    22 BadDefault "a default breaks the attribute's own rules",
    23 ReservedName "an attribute's name is taken by the table",
    24 BadLifecycle "a lifecycle cannot work",
    25 BadGenerated "a generated value does not fit its type",
    26 NotRecoverable "an attribute is stored nowhere",
    27 BadTtl "the TTL attribute does not fit",
    28 BadVersion "the version attribute does not fit",
    30 BadTemplate "a key template cannot be read",
    31 UnknownAttribute "a template or rule names an attribute that does not exist",
    32 NoDelimiter "a field of a template is not closed by the delimiter",
    33 NotAKeyType "a type cannot be part of a key",
    34 Unpadded "a number in a key is not padded",
    35 OptionalInKey "an optional attribute is part of the table's key",
    36 SemverOrder "versions in a sort key do not sort as versions",
    37 DelimiterInValue "values of a type contain the delimiter",
    38 MixedWidth "values of different widths share a sort key",
    39 PaddingTooNarrow "a number does not fit its padding",
    40 KeyCollision "two entities can have the same key",
    41 UnknownIndex "an index does not exist",
    42 HalfIndex "only half of an index key is given",
    43 MixedKeyType "an index key is text for one entity and a number for another",
    44 BadUnique "a unique constraint cannot work",
    45 ChangesInKey "an attribute that changes is part of the table's key",
    46 BadReference "a reference cannot be followed",
    47 BadLabel "a label cannot be read",
    50 UnknownEntity "a pattern names an entity that does not exist",
    51 NotInIndex "an entity is not in the pattern's index",
    52 NeedsScan "a pattern would need a Scan",
    53 UnusedGiven "a pattern has an argument that it cannot use",
    54 BadRange "a pattern's range does not follow the sort key",
    55 Unbounded "a pattern's fan-out has no limit",
    56 StrongOnIndex "an index has no strong reads",
    57 UnknownUnique "a pattern names a unique constraint that does not exist",
    58 MixedArgument "an argument has different types in the pattern's entities",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HS{:04}", *self as u16)
    }
}

/// The problems of one file, rendered for a person: the line is shown and underlined.
#[must_use]
pub fn render(file: &str, source: &str, diagnostics: &[Diagnostic]) -> String {
    let lines = lines(source);
    let mut out = String::new();
    // Many problems in one very long line must not walk through the line once each.
    let mut current: (usize, Vec<char>) = (0, Vec::new());
    for diagnostic in diagnostics {
        let number = diagnostic.span.line;
        if number != current.0 {
            let text = number.checked_sub(1).and_then(|index| lines.get(index)).copied();
            current = (number, text.unwrap_or_default().chars().map(printable).collect());
        }
        render_one(&mut out, file, &current.1, diagnostic);
    }
    out
}

/// The beginning of a text, to identify it in a message.
pub(crate) fn short(text: &str) -> String {
    const MAX_SHOWN: usize = 60;
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", text[..end].chars().map(plain).collect::<String>()),
        None => text.chars().map(plain).collect(),
    }
}

/// The lines as YAML counts them: `\n`, `\r\n` and a lone `\r` end one, and a byte order mark is not
/// part of the first.
pub(crate) fn lines(source: &str) -> Vec<&str> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let bytes = source.as_bytes();
    let mut lines = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if at > 0 && bytes[at - 1] == b'\r' => start = at + 1,
            b'\n' | b'\r' => {
                lines.push(&source[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    lines.push(&source[start..]);
    lines
}

fn render_one(out: &mut String, file: &str, line: &[char], diagnostic: &Diagnostic) {
    let Diagnostic { code, span, message, help } = diagnostic;
    let at = span.column.saturating_sub(1).min(line.len());
    let window = window(line.len(), at);
    let (before, rest) = (&line[window.start..at], &line[at..window.end]);
    let marked = &rest[..span.length.min(rest.len())];
    let gutter = span.line.to_string();
    let blank = " ".repeat(gutter.len());
    let [message, help] = [message, help].map(|text| text.chars().map(printable).collect::<String>());
    let _ = writeln!(out, "error[{code}]: {message}");
    let _ = writeln!(out, " {blank}--> {file}:{}:{}", span.line, span.column);
    let _ = writeln!(out, " {blank} |");
    let mut shown: Vec<char> = before.iter().chain(rest).copied().collect();
    if let (Some(first), true) = (shown.first_mut(), window.start > 0) {
        *first = '…';
    }
    if let (Some(last), true) = (shown.last_mut(), window.end < line.len()) {
        *last = '…';
    }
    let indent = width(&shown[..before.len()]);
    let shown = format!(" {gutter} | {}", shown.into_iter().collect::<String>());
    let _ = writeln!(out, "{}", shown.trim_end());
    let _ = writeln!(out, " {blank} | {}{}", " ".repeat(indent), "^".repeat(width(marked).max(1)));
    let _ = writeln!(out, " {blank} = help: {help}");
    out.push('\n');
}

/// The part of a line that is shown: all of it, or 120 characters around the location.
fn window(length: usize, at: usize) -> std::ops::Range<usize> {
    const MAX_WIDTH: usize = 120;
    let start = if length > MAX_WIDTH { at.saturating_sub(MAX_WIDTH / 3) } else { 0 };
    start..length.min(start + MAX_WIDTH)
}

/// Replaces control characters and direction marks, which would move the text after them.
fn printable(c: char) -> char {
    match c {
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => ' ',
        _ if c.is_control() => ' ',
        _ => c,
    }
}

/// Columns on a terminal: Hangul, Han and full-width forms take two, combining marks zero.
fn width(text: &[char]) -> usize {
    let columns = |c: &char| match c {
        '\u{300}'..='\u{36f}' | '\u{1160}'..='\u{11ff}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' => 2,
        '\u{ffe0}'..='\u{ffe6}' | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    };
    text.iter().map(columns).sum()
}

impl Diagnostic {
    /// The problem as JSON, for editors and other programs.
    #[must_use]
    pub fn to_json(&self, file: &str) -> Json {
        json!({
            "code": self.code.to_string(),
            "file": file,
            "line": self.span.line,
            "column": self.span.column,
            "length": self.span.length,
            "message": self.message,
            "help": self.help,
        })
    }
}
