//! XML of documents, read as a stream. Namespaces are ignored: the formats use their own prefixes everywhere.

use std::io::{BufReader, Read};

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::trouble::{Format, Trouble};

/// A part of an XML text. An empty element is a start and an end.
pub(super) enum Node<'a> {
    /// The start of an element, with its local name.
    Start(&'a str, &'a BytesStart<'a>),
    /// The end of an element.
    End(&'a str),
    /// Text between tags.
    Text(&'a str),
}

/// Gives the parts of an XML text to `out`, in order.
pub(super) fn walk(
    xml: &mut dyn Read,
    format: Format,
    out: &mut dyn FnMut(Node<'_>) -> Result<(), Trouble>,
) -> Result<(), Trouble> {
    let mut reader = Reader::from_reader(BufReader::new(xml));
    reader.config_mut().check_end_names = false;
    let mut buffer = Vec::new();
    loop {
        let event = reader.read_event_into(&mut buffer).map_err(|_| Trouble::Damaged(format))?;
        match event {
            Event::Start(tag) => out(Node::Start(tag.local_name().as_ref(), &tag))?,
            Event::Empty(tag) => {
                out(Node::Start(tag.local_name().as_ref(), &tag))?;
                out(Node::End(tag.local_name().as_ref()))?;
            }
            Event::End(tag) => out(Node::End(tag.local_name().as_ref()))?,
            Event::Text(text) => out(Node::Text(&text.xml10_content()))?,
            Event::CData(text) => out(Node::Text(&text.xml10_content()))?,
            Event::GeneralRef(name) => {
                let mut bytes = [0; 4];
                if let Some(one) = resolve(&name) {
                    out(Node::Text(one.encode_utf8(&mut bytes)))?;
                }
            }
            Event::Eof => return Ok(()),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
        buffer.clear();
    }
}

/// A character of a reference. Entities that a document defines are not resolved: they could make a small file large.
fn resolve(name: &BytesRef<'_>) -> Option<char> {
    match &*name.xml10_content() {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => name.resolve_char_ref().ok().flatten(),
    }
}

/// The value of an attribute by its local name.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|one| one.key.local_name().as_ref() == name)?;
    found.normalized_value(XmlVersion::Implicit1_0).ok().map(std::borrow::Cow::into_owned)
}
