//! Errors of the YAML parser, worded for authors of models.

use granit_parser::{ErrorKind, ScanError};

/// The message and the help for a parser error.
pub(super) fn explain(error: &ScanError) -> (String, String) {
    use ErrorKind as E;
    let (what, help) = match error.kind() {
        E::TabNotAllowed
        | E::TabInBlockIndentation
        | E::TabInIndentation
        | E::TabInPlainScalar
        | E::TabAtBlockScalarStart => ("a tab cannot indent a line", "use spaces"),
        // The most likely slip of this language: a template without quotes inside `{ … }`.
        E::ExpectedFlowMappingSeparator => (
            "a `,` or `}` is missing before this",
            "put templates in quotes, as in `PK: \"USER#{id}\"`, and a `,` between fields",
        ),
        E::ExpectedFlowSequenceSeparator => (
            "a `,` or `]` is missing before this",
            "put a `,` between the elements, and text with `{` or `[` in quotes",
        ),
        E::UnknownQuotedScalarEscape => (
            "this text has a backslash that has no meaning in double quotes",
            "use single quotes, as in `pattern: '\\d+'`, or write the backslash twice",
        ),
        E::UnclosedQuotedScalar | E::InvalidQuotedScalarIndent | E::DocumentIndicatorInQuotedScalar => (
            "a quote that was opened before this is not closed",
            "close it, or write a quote inside quotes twice (`''`) or with a backslash (`\\\"`)",
        ),
        E::InvalidTrailingDoubleQuotedScalar | E::InvalidTrailingSingleQuotedScalar => (
            "a text in quotes has ended before this",
            "put all of the text inside the quotes, or close a quote that was opened further up",
        ),
        E::UnclosedFlowCollection { .. }
        | E::UnexpectedEofFlowMapping
        | E::UnexpectedEofFlowSequence
        | E::InvalidColonPlacement
        | E::InvalidFlowScalarIndent => (
            "a bracket that was opened before this is not closed",
            "close it with `}` or `]`, or write a `,` before the next field",
        ),
        E::MisplacedFlowCollectionEnd => ("this bracket closes nothing", "remove it, or open it before"),
        E::MismatchedFlowCollectionEnd { open, close } => {
            let end = if *open == '[' { ']' } else { '}' };
            return (format!("this `{open}` is closed by a `{close}`"), format!("close it with `{end}`"));
        }
        E::MappingValueNotAllowed => (
            "a `:` is not allowed here",
            "check that the line before ends with `:` or is complete, and put text with `: ` in quotes",
        ),
        E::InvalidIndentation | E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry => (
            "this is indented neither like the lines before it nor below them",
            "line it up with the field it belongs beside",
        ),
        E::BlockSequenceEntryNotAllowed => {
            ("a `-` is not allowed here", "start the list on the next line, or write `[one, two]`")
        }
        E::SimpleKeyExpected => ("a `:` is missing in this line or the one before", "write `name: value`"),
        E::UnexpectedCharacter { character } if !character.is_control() => {
            ("a text cannot start with this character", "put the text in quotes")
        }
        kind => {
            let message = format!("this is not valid YAML: {kind}");
            return (message, "check indentation, quotes and brackets just before this".to_owned());
        }
    };
    (what.to_owned(), help.to_owned())
}
