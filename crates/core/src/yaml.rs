//! YAML text to a tree with locations.
//!
//! The tree is not read through serde, which stops at the first problem: all problems of a model file
//! are reported at once. Features that make a small file large or endless (anchors, aliases, deep
//! nesting) are rejected here.

use granit_parser::{ErrorKind, Event, Parser, ScalarStyle, ScanError, Span as Marks, StructureStyle};

use crate::diagnostic::{Code, Diagnostic, MAX_PROBLEMS, Span, short};

mod syntax;

const MAX_BYTES: usize = 1024 * 1024;
const MAX_DEPTH: usize = 24;
const MAX_NODES: usize = 100_000;

/// A value and its location. A block map or list, which has no bracket, has the location of its key.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Span,
    pub(crate) content: Content,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A scalar; `quoted` if it was not plain, so that `"5"` stays text.
    Scalar {
        text: String,
        quoted: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// The key of a map and its location.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// Reads the one document of a file. Problems that leave a usable tree (a duplicate key) are added to
/// `problems`; others end the reading.
pub(crate) fn read(bytes: &[u8], problems: &mut Vec<Diagnostic>) -> Option<Node> {
    match read_document(bytes, problems) {
        // The content of an alias is missing, so nothing after it can be checked.
        Ok(_) if problems.iter().any(|problem| problem.code == Code::Anchor) => None,
        Ok(node) => Some(node),
        Err(problem) => {
            problems.push(*problem);
            None
        }
    }
}

type Fatal = Box<Diagnostic>;
/// The elements of a collection, and the location of its end.
type Inside<T> = Result<(Vec<T>, Option<Marks>), Fatal>;

fn fatal(code: Code, span: Span, message: impl Into<String>, help: impl Into<String>) -> Fatal {
    Box::new(Diagnostic { code, span, message: message.into(), help: help.into() })
}

const START: Span = Span { line: 1, column: 1, length: 1 };

fn read_document(bytes: &[u8], problems: &mut Vec<Diagnostic>) -> Result<Node, Fatal> {
    if bytes.len() > MAX_BYTES {
        let message = format!("this file has {} bytes; a model may have {MAX_BYTES}", bytes.len());
        return Err(fatal(Code::TooLarge, START, message, "split it: one model file describes one table"));
    }
    let source = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let options = granit_parser::options! { emit_anchor_events: true, emit_unresolved_aliases: true };
    Reader { parser: Parser::new_from_str_with_options(source, options), problems, nodes: 0 }.document()
}

fn not_utf8(bytes: &[u8], at: usize) -> Fatal {
    let before = String::from_utf8_lossy(&bytes[..at]);
    // The last line has no end yet, so it is the line of the byte.
    let (mut line, mut column) = (1, 1);
    for (index, text) in crate::diagnostic::lines(&before).into_iter().enumerate() {
        (line, column) = (index + 1, text.chars().count() + 1);
    }
    let help = "save the file with the encoding UTF-8; Korean text may be in EUC-KR (CP949) now";
    let message = format!("the byte 0x{:02X} is not UTF-8 text", bytes[at]);
    fatal(Code::NotUtf8, Span { line, column, length: 1 }, message, help)
}

struct Reader<'a, P> {
    parser: P,
    problems: &'a mut Vec<Diagnostic>,
    nodes: usize,
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
        let root = self.node(first, START, 0)?;
        // An alias has a message already.
        if self.problems.is_empty()
            && matches!(&root.content, Content::Scalar { text, quoted: false } if text.is_empty())
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

    /// The next event that is part of the tree. An anchor is reported and skipped: aliases of it
    /// are the same mistake and are not reported again.
    fn next(&mut self) -> Result<Option<(Event<'input>, Marks)>, Fatal> {
        loop {
            let next = self.parser.next().transpose().map_err(|error| {
                let at = error.marker();
                let span = Span { line: at.line().max(1), column: at.col() + 1, length: 1 };
                if *error.kind() == ErrorKind::RecursionLimitExceeded {
                    return too_deep(span);
                }
                let (message, help) = syntax::explain(&error);
                fatal(Code::NotYaml, span, message, help)
            })?;
            let Some((Event::Anchor(_, name), marks)) = &next else { return Ok(next) };
            let message = format!("`&{}` is an anchor, and the model language has none", short(name));
            let help = format!(
                "write the value out wherever `*{}` is used; a text that starts with `&` needs quotes",
                short(name)
            );
            self.report(Code::Anchor, span(*marks), message, help);
        }
    }

    /// `owner` is the key of a block collection, and its location.
    fn node(
        &mut self,
        (event, marks): (Event<'input>, Marks),
        owner: Span,
        depth: usize,
    ) -> Result<Node, Fatal> {
        let mut at = span(marks);
        if depth > MAX_DEPTH {
            return Err(too_deep(at));
        }
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            let message = format!("this file has more than {MAX_NODES} names and values");
            return Err(fatal(Code::TooLarge, at, message, "split it: one model file describes one table"));
        }
        self.refuse_tag(&marks);
        let content = match event {
            // YAML's null, written or left out, at the location of its key.
            Event::Scalar(text, ScalarStyle::Plain, ..) if text == "~" || text.is_empty() => {
                at = owner;
                Content::Scalar { text: String::new(), quoted: false }
            }
            Event::Scalar(text, style, ..) => {
                Content::Scalar { text: text.into_owned(), quoted: style != ScalarStyle::Plain }
            }
            Event::SequenceStart(style, ..) => {
                let (nodes, end) = self.list(depth)?;
                at = around(style, marks, end, owner);
                Content::List(nodes)
            }
            Event::MappingStart(style, ..) => {
                let (entries, end) = self.map(depth)?;
                at = around(style, marks, end, owner);
                Content::Map(entries)
            }
            Event::UnresolvedAlias(name) => {
                let message = format!("`*{}` is an alias, and the model language has none", short(&name));
                let help = "write the value out; a text that starts with `*` needs quotes";
                self.report(Code::Anchor, at, message, help);
                Content::Scalar { text: String::new(), quoted: false }
            }
            // An alias whose anchor was reported.
            _ => Content::Scalar { text: String::new(), quoted: false },
        };
        Ok(Node { span: at, content })
    }

    fn list(&mut self, depth: usize) -> Inside<Node> {
        let mut nodes = Vec::new();
        while let Some(next) = self.next()? {
            if next.0 == Event::SequenceEnd {
                return Ok((nodes, Some(next.1)));
            }
            let start = Span { length: 1, ..span(next.1) };
            nodes.push(self.node(next, start, depth + 1)?);
        }
        Ok((nodes, None))
    }

    fn map(&mut self, depth: usize) -> Inside<(Key, Node)> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut seen = std::collections::HashMap::new();
        while let Some(next) = self.next()? {
            if next.0 == Event::MappingEnd {
                return Ok((entries, Some(next.1)));
            }
            let start = Span { length: 1, ..span(next.1) };
            let key = self.node(next, start, depth + 1)?;
            let Some(value) = self.next()? else { break };
            let value = self.node(value, key.span, depth + 1)?;
            let text = match key.content {
                Content::Scalar { text, .. } if !text.is_empty() => text,
                _ => {
                    let help = "write `name: value`; text that starts with `{`, `[` or `?` needs quotes";
                    self.report(Code::WrongShape, key.span, "a key must be a name".to_owned(), help);
                    continue;
                }
            };
            if let Some(line) = seen.insert(text.clone(), key.span.line) {
                let message = format!("`{}` is repeated here, first in line {line}", short(&text));
                self.report(Code::DuplicateKey, key.span, message, "keep one of the two, or rename one");
                continue;
            }
            entries.push((Key { text, span: key.span }, value));
        }
        Ok((entries, None))
    }

    fn refuse_tag(&mut self, marks: &Marks) {
        let Some(tag) = marks.tag_span() else { return };
        let message = "this is a tag, and the model language has none".to_owned();
        let help = "remove it; a text that starts with `!` needs quotes";
        self.report(Code::Anchor, span(tag), message, help);
    }

    fn report(&mut self, code: Code, span: Span, message: String, help: impl Into<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Diagnostic { code, span, message, help: help.into() });
        }
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

/// A flow collection from bracket to bracket; a block collection at its owner.
fn around(style: StructureStyle, start: Marks, end: Option<Marks>, owner: Span) -> Span {
    match (style, end) {
        (StructureStyle::Flow, Some(end)) => span(Marks::new(start.start, end.end)),
        (StructureStyle::Flow, None) => span(start),
        (StructureStyle::Block, _) => owner,
    }
}
