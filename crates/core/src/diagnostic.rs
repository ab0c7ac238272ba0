//! What the compiler says about a model file: a stable code, the place, and what to write instead.

use std::fmt::{self, Write as _};

use serde_json::{Value as Json, json};

/// A range in the model file. Lines and columns count from one, columns in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The line.
    pub line: usize,
    /// The column of the first character.
    pub column: usize,
    /// How many characters to underline, at least one.
    pub length: usize,
}

/// One problem in a model file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which problem it is; see `docs/model.md`.
    pub code: Code,
    /// Where it is.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

macro_rules! codes {
    ($($number:literal $name:ident $title:literal,)*) => {
        /// The stable code of a problem. A number is never given to another problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = $title] $name = $number,)*
        }

        impl Code {
            /// Every code there is, in order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// What the code stands for, in a few words.
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
    7 DuplicateKey "a key stands twice",
    8 UnknownField "a field is not part of the language",
    9 MissingField "a field is missing",
    10 WrongShape "a value has the wrong shape",
    11 BadName "a name cannot be used",
    12 BadChoice "a value is not one of the choices",
    13 TooManyIndexes "the table has too many indexes",
    14 SameAttribute "one attribute has two jobs in the table",
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
    38 MixedPrecision "timestamps of different widths share a sort key",
    39 PaddingTooNarrow "a number does not fit its padding",
    40 KeyCollision "two entities can have the same key",
    41 UnknownIndex "an index does not exist",
    42 HalfIndex "only half of an index key is given",
    43 MixedKeyType "an index key is text for one entity and a number for another",
    44 BadUnique "a unique constraint cannot work",
    50 UnknownEntity "a pattern names an entity that does not exist",
    51 NotInIndex "an entity is not in the pattern's index",
    52 NeedsScan "a pattern would need a Scan",
    53 UnusedGiven "a pattern cannot use what it is given",
    54 BadRange "a pattern's range does not follow the sort key",
    55 Unbounded "a pattern's fan-out has no bound",
    56 StrongOnIndex "a strong read on an index does not exist",
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
    let lines: Vec<&str> = source.lines().collect();
    let mut out = String::new();
    for diagnostic in diagnostics {
        render_one(&mut out, file, &lines, diagnostic);
    }
    out
}

fn render_one(out: &mut String, file: &str, lines: &[&str], diagnostic: &Diagnostic) {
    let Diagnostic { code, span, message, help } = diagnostic;
    let _ = writeln!(out, "error[{code}]: {message}");
    let _ = writeln!(out, "  --> {file}:{}:{}", span.line, span.column);
    if let Some(line) = span.line.checked_sub(1).and_then(|index| lines.get(index)) {
        let (shown, before) = crop(line, span.column.saturating_sub(1));
        let gutter = span.line.to_string();
        let blank = " ".repeat(gutter.len());
        let room = width(shown.chars().skip(before.chars().count())).max(1);
        let marked = width(shown.chars().skip(before.chars().count()).take(span.length)).clamp(1, room);
        let _ = writeln!(out, " {blank} |");
        let _ = writeln!(out, " {gutter} | {shown}");
        let _ = writeln!(out, " {blank} | {}{}", " ".repeat(width(before.chars())), "^".repeat(marked));
        let _ = writeln!(out, " {blank} = help: {help}");
    } else {
        let _ = writeln!(out, "   = help: {help}");
    }
    out.push('\n');
}

/// At most 120 characters around the place, and the part of them before it.
fn crop(line: &str, at: usize) -> (String, String) {
    let skip = if line.chars().count() > 120 { at.saturating_sub(40) } else { 0 };
    let shown: String =
        line.chars().skip(skip).take(120).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before = shown.chars().take(at - skip.min(at)).collect();
    (shown, before)
}

/// Columns on a terminal: Hangul, Han and full-width forms take two.
fn width(text: impl Iterator<Item = char>) -> usize {
    text.map(|c| match c {
        '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}' => 2,
        '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{1f300}'..='\u{1faff}' => 2,
        _ => 1,
    })
    .sum()
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
