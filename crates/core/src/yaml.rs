//! YAML text to a tree that remembers where everything stood.
//!
//! The tree is read by hand rather than through serde, because serde stops at the first problem
//! and a model file should be told about all of them at once. What could make a small file large
//! or endless (anchors, aliases, deep nesting) is refused here, so nothing later has to care.

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as Marks};

use crate::diagnostic::{Code, Diagnostic, Span};

const MAX_BYTES: usize = 1024 * 1024;
const MAX_DEPTH: usize = 24;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A scalar; `quoted` when it was not plain, so that `"5"` stays text.
    Scalar {
        text: String,
        quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// The key of a map and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Reads the one document of a file. Problems that leave a usable tree (a key that stands twice,
/// an anchor) are added to `problems`; the others end the reading.
pub(crate) fn read(bytes: &[u8], problems: &mut Vec<Diagnostic>) -> Option<Node> {
    match read_document(bytes, problems) {
        Ok(node) => Some(node),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

type Fatal = Box<Diagnostic>;

fn fatal(code: Code, span: Span, message: impl Into<String>, help: &str) -> Fatal {
    Box::new(Diagnostic { code, span, message: message.into(), help: help.to_owned() })
}

const START: Span = Span { line: 1, column: 1, length: 1 };

fn read_document(bytes: &[u8], problems: &mut Vec<Diagnostic>) -> Result<Node, Fatal> {
    if bytes.len() > MAX_BYTES {
        let message = format!("this file has {} bytes; a model may have {MAX_BYTES}", bytes.len());
        return Err(fatal(Code::TooLarge, START, message, "split it: one model file describes one table"));
    }
    let source = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let column = 1 + String::from_utf8_lossy(&before[start..]).chars().count();
        let span = Span { line, column, length: 1 };
        fatal(Code::NotUtf8, span, "this byte is not UTF-8 text", "save the file with the encoding UTF-8")
    })?;
    let mut reader = Reader { parser: Parser::new_from_str(source), problems };
    reader.document()
}

struct Reader<'a, P> {
    parser: P,
    problems: &'a mut Vec<Diagnostic>,
}

impl<'input, P: Iterator<Item = Result<(Event<'input>, Marks), ScanError>>> Reader<'_, P> {
    fn document(&mut self) -> Result<Node, Fatal> {
        let empty = || {
            let help = "start with `model: name`, `table:` and `entities:`; see docs/model.md";
            fatal(Code::Empty, START, "this file holds no model", help)
        };
        loop {
            match self.next()? {
                Some((Event::DocumentStart(..), _)) => break,
                Some((Event::StreamEnd, _)) | None => return Err(empty()),
                Some(_) => {}
            }
        }
        let first = self.next()?.ok_or_else(empty)?;
        let root = self.node(first, 0)?;
        if matches!(&root.content, Content::Scalar { text, quoted: false } if text.is_empty() || text == "~")
        {
            return Err(empty());
        }
        while let Some((event, marks)) = self.next()? {
            if let Event::DocumentStart(..) = event {
                let help = "keep one model in a file: remove the `---` and what follows it";
                return Err(fatal(Code::Empty, span(marks), "a second document starts here", help));
            }
        }
        Ok(root)
    }

    fn next(&mut self) -> Result<Option<(Event<'input>, Marks)>, Fatal> {
        self.parser.next().transpose().map_err(|error| {
            let at = error.marker();
            let span = Span { line: at.line().max(1), column: at.col() + 1, length: 1 };
            if *error.kind() == ErrorKind::RecursionLimitExceeded {
                return too_deep(span);
            }
            let help = "check indentation, quotes and brackets just before this place";
            fatal(Code::NotYaml, span, format!("this is not valid YAML: {}", error.info()), help)
        })
    }

    fn node(&mut self, (event, marks): (Event<'input>, Marks), depth: usize) -> Result<Node, Fatal> {
        let mut at = span(marks);
        if depth > MAX_DEPTH {
            return Err(too_deep(at));
        }
        let content = match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.refuse_anchor(at, anchor != 0 || tag.is_some());
                let quoted = style != ScalarStyle::Plain;
                Content::Scalar { text: text.into_owned(), quoted }
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.refuse_anchor(at, anchor != 0 || tag.is_some());
                at.length = 1;
                Content::List(self.list(depth)?)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.refuse_anchor(at, anchor != 0 || tag.is_some());
                at.length = 1;
                Content::Map(self.map(depth)?)
            }
            // An alias stands for nothing, so that what it would have brought is not checked.
            _ => {
                self.refuse_anchor(at, true);
                Content::Scalar { text: String::new(), quoted: false }
            }
        };
        Ok(Node { span: at, content })
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Fatal> {
        let mut nodes = Vec::new();
        while let Some(next) = self.next()? {
            if next.0 == Event::SequenceEnd {
                break;
            }
            nodes.push(self.node(next, depth + 1)?);
        }
        Ok(nodes)
    }

    fn map(&mut self, depth: usize) -> Result<Vec<(Key, Node)>, Fatal> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut seen = std::collections::HashMap::new();
        while let Some(next) = self.next()? {
            if next.0 == Event::MappingEnd {
                break;
            }
            let key = self.node(next, depth + 1)?;
            let Some(value) = self.next()? else { break };
            let value = self.node(value, depth + 1)?;
            let Content::Scalar { text, .. } = key.content else {
                self.report(
                    Code::WrongShape,
                    key.span,
                    "a key must be a plain name".into(),
                    "write `name: value`",
                );
                continue;
            };
            if let Some(line) = seen.insert(text.clone(), key.span.line) {
                let message = format!("`{text}` stands twice here, first in line {line}");
                self.report(Code::DuplicateKey, key.span, message, "keep one of the two, or rename one");
                continue;
            }
            entries.push((Key { text, span: key.span }, value));
        }
        Ok(entries)
    }

    fn refuse_anchor(&mut self, span: Span, present: bool) {
        if present {
            let message = "anchors (`&x`), aliases (`*x`) and tags (`!x`) are not part of the model language";
            self.report(Code::Anchor, span, message.to_owned(), "write the value out here");
        }
    }

    fn report(&mut self, code: Code, span: Span, message: String, help: &str) {
        self.problems.push(Diagnostic { code, span, message, help: help.to_owned() });
    }
}

fn too_deep(span: Span) -> Fatal {
    let message = format!("this is nested more than {MAX_DEPTH} levels deep");
    fatal(Code::TooDeep, span, message, "a model needs at most eight levels; remove the brackets around this")
}

fn span(marks: Marks) -> Span {
    let (start, end) = (marks.start, marks.end);
    let one_line = start.line() == end.line();
    let length = if one_line { end.col().saturating_sub(start.col()).max(1) } else { 1 };
    Span { line: start.line().max(1), column: start.col() + 1, length }
}
