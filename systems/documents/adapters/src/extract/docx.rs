//! Text documents of Word, in chapters by their headings.

use std::collections::HashSet;
use std::path::Path;

use super::Sink;
use super::lines::{Chapter, squeeze};
use super::package::Package;
use super::xml::{Node, attribute, walk};
use crate::event::{Facts, SegmentKind};
use crate::limits::Options;
use crate::trouble::{Format, Trouble};

pub(super) fn read(file: &Path, options: &Options, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut package = Package::open(file, Format::Docx, &options.limits)?;
    sink.facts(properties(&mut package, Format::Docx, None)?)?;
    let headings = headings(&mut package)?;
    let mut chapter = Chapter::new(SegmentKind::Chapter);
    for part in ["word/document.xml", "word/footnotes.xml", "word/endnotes.xml"] {
        if package.has(part) {
            package.member(part, |xml| body(xml, &headings, &mut chapter, sink))?;
        }
    }
    chapter.end(sink)
}

/// The title and the language that a package of Office states.
pub(super) fn properties(
    package: &mut Package,
    format: Format,
    pages: Option<u32>,
) -> Result<Facts, Trouble> {
    let mut facts = Facts { format, pages, title: None, language: None };
    if !package.has("docProps/core.xml") {
        return Ok(facts);
    }
    let mut element = String::new();
    package.member("docProps/core.xml", |xml| {
        walk(xml, format, &mut |node| {
            match node {
                Node::Start(name, _) => name.clone_into(&mut element),
                Node::End(_) => element.clear(),
                Node::Text(text) => {
                    let slot = match element.as_str() {
                        "title" => &mut facts.title,
                        "language" => &mut facts.language,
                        _ => return Ok(()),
                    };
                    let value = slot.get_or_insert_default();
                    if value.len() < 1000 {
                        value.push_str(text);
                    }
                }
            }
            Ok(())
        })
    })?;
    facts.title = facts.title.map(|title| squeeze(&title)).filter(|title| !title.is_empty());
    facts.language = facts.language.filter(|language| !language.trim().is_empty());
    Ok(facts)
}

/// The ids of the styles of the first three levels of headings. They are localised, their names are not.
fn headings(package: &mut Package) -> Result<HashSet<String>, Trouble> {
    let mut headings = HashSet::new();
    if !package.has("word/styles.xml") {
        return Ok(headings);
    }
    let mut id = None;
    package.member("word/styles.xml", |xml| {
        walk(xml, Format::Docx, &mut |node| {
            if let Node::Start(name, tag) = node {
                let value = || attribute(tag, "val").unwrap_or_default().to_lowercase();
                match name {
                    "style" => id = attribute(tag, "styleId"),
                    "name"
                        if ["heading 1", "heading 2", "heading 3", "title"].contains(&value().as_str()) =>
                    {
                        headings.extend(id.clone());
                    }
                    "outlineLvl" if ["0", "1", "2"].contains(&value().as_str()) => {
                        headings.extend(id.clone())
                    }
                    _ => {}
                }
            }
            Ok(())
        })
    })?;
    Ok(headings)
}

/// What is known at a position of the body.
#[derive(Default)]
struct Position {
    text: String,
    heading: bool,
    in_text: bool,
    /// How many tables the position is inside of.
    tables: u32,
    /// Inside of what older programs show instead: a copy of the text before it.
    fallback: u32,
}

fn body(
    xml: &mut dyn std::io::Read,
    headings: &HashSet<String>,
    chapter: &mut Chapter,
    sink: &mut Sink<'_>,
) -> Result<(), Trouble> {
    let mut at = Position::default();
    walk(xml, Format::Docx, &mut |node| {
        match node {
            Node::Start("Fallback", _) => at.fallback += 1,
            Node::End("Fallback") => at.fallback = at.fallback.saturating_sub(1),
            _ if at.fallback > 0 => {}
            Node::Start("t", _) => at.in_text = true,
            Node::End("t") => at.in_text = false,
            Node::Text(text) if at.in_text => at.text.push_str(text),
            Node::Start("tab", _) => at.text.push(' '),
            Node::Start("br" | "cr", _) => at.text.push('\n'),
            Node::Start("noBreakHyphen", _) => at.text.push('-'),
            Node::Start("pStyle", tag) => {
                at.heading |= attribute(tag, "val").is_some_and(|style| headings.contains(&style));
            }
            Node::Start("outlineLvl", tag) => {
                at.heading |= attribute(tag, "val").is_some_and(|level| ["0", "1", "2"].contains(&&*level));
            }
            Node::Start("tbl", _) => at.tables += 1,
            Node::End("tbl") => at.tables = at.tables.saturating_sub(1),
            Node::End("tc") => at.text.push('\t'),
            Node::End("tr") => chapter.add(&std::mem::take(&mut at.text), sink)?,
            Node::End("p") => {
                let heading = std::mem::take(&mut at.heading);
                // A row of a table is one paragraph.
                if at.tables > 0 {
                    at.text.push(' ');
                    return Ok(());
                }
                let text = std::mem::take(&mut at.text);
                if heading && !text.trim().is_empty() {
                    chapter.begin(squeeze(&text), sink)?;
                }
                chapter.add(&text, sink)?;
            }
            _ => {}
        }
        Ok(())
    })?;
    chapter.add(&at.text, sink)
}
