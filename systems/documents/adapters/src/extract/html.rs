//! Web pages: their text, in parts by their headings. No tree is built.

use std::cell::RefCell;
use std::fs::File;
use std::path::Path;

use encoding_rs::Encoding;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use super::Sink;
use super::decode::decode;
use super::lines::{Chapter, MAX_TEXT, squeeze};
use crate::event::{Facts, SegmentKind};
use crate::trouble::{Format, Trouble};

pub(super) fn read(file: &Path, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let tokenizer = Tokenizer::new(Page::default(), TokenizerOpts::default());
    let queue = BufferQueue::default();
    let mut chapter = Chapter::new(SegmentKind::Web);
    let mut told = false;
    decode(&mut File::open(file)?, declared, &mut |part| {
        queue.push_back(StrTendril::from_slice(part));
        // The sink stops at no script, so that one call reads all.
        let _ = tokenizer.feed(&queue);
        let state = &mut *tokenizer.sink.state.borrow_mut();
        if !told && state.in_body {
            told = true;
            sink.facts(facts(state))?;
        }
        if told { give(state, &mut chapter, sink) } else { Ok(()) }
    })?;
    tokenizer.end();
    let state = &mut *tokenizer.sink.state.borrow_mut();
    state.end_paragraph();
    if !told {
        sink.facts(facts(state))?;
    }
    give(state, &mut chapter, sink)?;
    chapter.end(sink)
}

fn facts(state: &State) -> Facts {
    let title = squeeze(&state.title);
    Facts {
        format: Format::Html,
        pages: None,
        title: (!title.is_empty()).then(|| title.chars().take(300).collect()),
        language: state.language.clone(),
    }
}

fn give(state: &mut State, chapter: &mut Chapter, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    for (heading, text) in state.paragraphs.drain(..) {
        if heading {
            chapter.begin(text.clone(), sink)?;
        }
        chapter.add(&text, sink)?;
    }
    Ok(())
}

/// The encoding that the first kilobyte declares.
fn declared(start: &[u8]) -> Option<&'static Encoding> {
    let start = String::from_utf8_lossy(&start[..start.len().min(1024)]).to_ascii_lowercase();
    let after = &start[start.find("charset=")? + 8..];
    let label: String = after
        .trim_start_matches(['"', '\'', ' '])
        .chars()
        .take_while(|one| one.is_ascii_alphanumeric() || "-_:".contains(*one))
        .collect();
    Encoding::for_label(label.as_bytes())
}

/// Collects the text of a page from its tokens.
#[derive(Default)]
struct Page {
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    /// Complete paragraphs, and whether each is a heading.
    paragraphs: Vec<(bool, String)>,
    text: String,
    title: String,
    language: Option<String>,
    in_body: bool,
    in_title: bool,
    /// The element whose text is no text of the page.
    hidden: Option<String>,
    heading: bool,
    verbatim: u32,
}

const HIDDEN: [&str; 8] = ["script", "style", "noscript", "template", "svg", "iframe", "select", "textarea"];
const BLOCKS: [&str; 30] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "dd",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "hr",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "thead",
    "tr",
    "ul",
    "caption",
];

impl State {
    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.text);
        let text = if self.verbatim > 0 { text.trim_end().to_owned() } else { squeeze_cells(&text) };
        if !text.trim().is_empty() {
            self.paragraphs.push((self.heading, text));
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let start = tag.kind == TagKind::StartTag;
        if let Some(hidden) = &self.hidden {
            if !start && hidden == name {
                self.hidden = None;
            }
            return TokenSinkResult::Continue;
        }
        if start && HIDDEN.contains(&name) && !tag.self_closing {
            self.hidden = Some(name.to_owned());
            return match name {
                "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                "style" | "noscript" | "iframe" => TokenSinkResult::RawData(RawKind::Rawtext),
                "textarea" => TokenSinkResult::RawData(RawKind::Rcdata),
                _ => TokenSinkResult::Continue,
            };
        }
        let is_heading = matches!(name, "h1" | "h2" | "h3");
        match name {
            "title" if !self.in_body => {
                self.in_title = start;
                if start {
                    return TokenSinkResult::RawData(RawKind::Rcdata);
                }
            }
            "html" if start => {
                let language = tag.attrs.iter().find(|attribute| &*attribute.name.local == "lang");
                self.language = language.map(|attribute| attribute.value.chars().take(35).collect());
            }
            "head" | "meta" | "link" | "base" => {}
            // The end of a cell may be left out.
            "td" | "th" => self.text.push('\t'),
            "pre" => {
                self.end_paragraph();
                self.verbatim = if start { self.verbatim + 1 } else { self.verbatim.saturating_sub(1) };
            }
            _ if is_heading || BLOCKS.contains(&name) || matches!(name, "h4" | "h5" | "h6") => {
                self.in_body = true;
                self.end_paragraph();
                self.heading = is_heading && start;
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }

    fn characters(&mut self, text: &str) {
        if self.hidden.is_some() {
            return;
        }
        if self.in_title {
            if self.title.len() < 2000 {
                self.title.push_str(text);
            }
            return;
        }
        self.in_body |= !text.trim().is_empty();
        self.text.push_str(text);
        if self.text.len() > MAX_TEXT {
            self.end_paragraph();
        }
    }
}

/// A paragraph with single spaces; the cells of a row keep their tabs.
fn squeeze_cells(text: &str) -> String {
    text.split('\t').map(squeeze).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("\t")
}

impl TokenSink for Page {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) => return state.tag(&tag),
            Token::CharacterTokens(text) => state.characters(&text),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}
