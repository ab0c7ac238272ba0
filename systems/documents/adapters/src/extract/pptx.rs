//! Presentations of PowerPoint: a segment for each slide, in their order, with its notes.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use quick_xml::XmlVersion;

use super::Sink;
use super::docx::properties;
use super::lines::{segment, squeeze};
use super::package::Package;
use super::xml::{Node, attribute, walk};
use crate::event::{Block, SegmentKind};
use crate::limits::Options;
use crate::trouble::{Format, Trouble};

const PRESENTATION: &str = "ppt/presentation.xml";

pub(super) fn read(file: &Path, options: &Options, sink: &mut Sink<'_>) -> Result<(), Trouble> {
    let mut package = Package::open(file, Format::Pptx, &options.limits)?;
    let slides = slides(&mut package)?;
    let count = u32::try_from(slides.len()).unwrap_or(u32::MAX);
    if count > options.limits.pages {
        return Err(Trouble::TooManyPages(options.limits.pages));
    }
    sink.facts(properties(&mut package, Format::Pptx, Some(count))?)?;
    for (index, slide) in (0..).zip(slides) {
        if !options.wants(index) {
            continue;
        }
        let mut text = package.member(&slide, texts)?;
        let related = relations(&mut package, &slide)?;
        let notes = related.into_values().find(|target| target.contains("notesSlides/"));
        if let Some(notes) = notes.filter(|notes| package.has(notes)) {
            text.blocks.extend(package.member(&notes, texts)?.blocks);
        }
        let mut segment = segment(SegmentKind::Page, text.title, text.blocks);
        segment.index = index;
        sink.page(segment)?;
    }
    Ok(())
}

/// The members of the slides in the order of the presentation.
fn slides(package: &mut Package) -> Result<Vec<String>, Trouble> {
    let related = relations(package, PRESENTATION)?;
    let mut slides = Vec::new();
    package.member(PRESENTATION, |xml| {
        walk(xml, Format::Pptx, &mut |node| {
            if let Node::Start("sldId", tag) = node {
                // Both `id` and `r:id` have the local name `id`.
                let ids = tag.attributes().flatten().filter(|one| one.key.local_name().as_ref() == "id");
                let targets =
                    ids.filter_map(|one| related.get(&*one.normalized_value(XmlVersion::Implicit1_0).ok()?));
                slides.extend(targets.cloned());
            }
            Ok(())
        })
    })?;
    slides.retain(|slide| package.has(slide));
    Ok(slides)
}

/// The targets of a member's relations by their ids, as names of members.
fn relations(package: &mut Package, member: &str) -> Result<HashMap<String, String>, Trouble> {
    let (folder, name) = member.rsplit_once('/').unwrap_or(("", member));
    let relations = format!("{folder}/_rels/{name}.rels");
    let mut targets = HashMap::new();
    if !package.has(&relations) {
        return Ok(targets);
    }
    package.member(&relations, |xml| {
        walk(xml, Format::Pptx, &mut |node| {
            if let Node::Start("Relationship", tag) = node
                && let (Some(id), Some(target)) = (attribute(tag, "Id"), attribute(tag, "Target"))
            {
                targets.insert(id, resolve(folder, &target));
            }
            Ok(())
        })
    })?;
    Ok(targets)
}

/// A relative target as the name of a member.
fn resolve(folder: &str, target: &str) -> String {
    if let Some(whole) = target.strip_prefix('/') {
        return whole.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[derive(Default)]
struct Texts {
    title: Option<String>,
    blocks: Vec<Block>,
}

/// The paragraphs of a slide, and the text of its title.
fn texts(xml: &mut dyn Read) -> Result<Texts, Trouble> {
    let mut texts = Texts::default();
    let (mut text, mut in_text, mut in_title) = (String::new(), false, false);
    walk(xml, Format::Pptx, &mut |node| {
        match node {
            Node::Start("sp", _) => in_title = false,
            Node::Start("ph", tag) => {
                in_title = attribute(tag, "type").is_some_and(|kind| kind == "title" || kind == "ctrTitle");
            }
            Node::Start("t", _) => in_text = true,
            Node::End("t") => in_text = false,
            Node::Text(part) if in_text => text.push_str(part),
            Node::Start("br" | "tab", _) => text.push(' '),
            Node::End("p") => {
                let paragraph = squeeze(&std::mem::take(&mut text));
                if !paragraph.is_empty() {
                    if in_title && texts.title.is_none() {
                        texts.title = Some(paragraph.clone());
                    }
                    texts.blocks.push(Block::of(paragraph));
                }
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_names_of_members() {
        assert_eq!(resolve("ppt", "slides/slide1.xml"), "ppt/slides/slide1.xml");
        assert_eq!(resolve("ppt/slides", "../notesSlides/n1.xml"), "ppt/notesSlides/n1.xml");
        assert_eq!(resolve("ppt", "/ppt/slides/a.xml"), "ppt/slides/a.xml");
        assert_eq!(resolve("", "../../../a"), "a");
    }
}
