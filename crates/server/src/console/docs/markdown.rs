//! Markdown as HTML: headings with anchors, links between documents, no images and no raw HTML.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use hansang_ui::escape::escape;
use hansang_ui::html::Html;

/// A heading of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading {
    pub(super) level: u8,
    pub(super) text: String,
    /// The anchor, as GitHub makes it.
    pub(super) id: String,
}

/// The HTML of a document, and its headings. `names` are the documents that it can link to.
pub(super) fn render(text: &str, names: &[&str]) -> (Html, Vec<Heading>) {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let headings = headings(&events);
    let mut ids = headings.iter();
    let (mut out, mut in_image, mut links) = (Vec::new(), 0, Vec::new());
    for event in events {
        let raw = |html: String| Event::Html(CowStr::from(html));
        let event = match event {
            Event::Start(Tag::Image { .. }) => {
                in_image += 1;
                continue;
            }
            Event::End(TagEnd::Image) => {
                in_image -= 1;
                continue;
            }
            // The description of an image that is not shown.
            _ if in_image > 0 => continue,
            Event::Start(Tag::Heading { level, .. }) => {
                let id = ids.next().map(|heading| escape(&heading.id)).unwrap_or_default();
                raw(format!("<{level} id=\"{id}\">"))
            }
            Event::End(TagEnd::Heading(level)) => raw(format!("</{level}>\n")),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let address = address(&dest_url, names);
                links.push(address.is_some());
                match address {
                    Some(address) => raw(format!("<a href=\"{}\">", escape(&address))),
                    None => continue,
                }
            }
            Event::End(TagEnd::Link) => match links.pop() {
                Some(true) => raw("</a>".to_owned()),
                _ => continue,
            },
            Event::Start(Tag::CodeBlock(_)) => raw("<pre tabindex=\"0\"><code>".to_owned()),
            Event::End(TagEnd::CodeBlock) => raw("</code></pre>\n".to_owned()),
            Event::Html(html) | Event::InlineHtml(html) if is_comment(&html) => continue,
            Event::Html(html) | Event::InlineHtml(html) => Event::Text(html),
            other => other,
        };
        out.push(event);
    }
    let mut body = String::new();
    html::push_html(&mut body, tables(out).into_iter());
    (Html::new(body), headings)
}

fn is_comment(html: &str) -> bool {
    html.trim().starts_with("<!--") && html.trim().ends_with("-->")
}

/// Tables as HTML whose cells know their columns, because a phone shows rows as cards.
fn tables(events: Vec<Event<'_>>) -> Vec<Event<'_>> {
    let (mut columns, mut column, mut in_head): (Vec<String>, usize, bool) = (Vec::new(), 0, false);
    let mut out = Vec::with_capacity(events.len());
    let mut events = events.into_iter().peekable();
    while let Some(event) = events.next() {
        let html = match event {
            Event::Start(Tag::Table(_)) => {
                columns.clear();
                "<div class=\"wide stacks\" tabindex=\"0\"><table role=\"table\">".to_owned()
            }
            Event::End(TagEnd::Table) => "</tbody></table></div>\n".to_owned(),
            Event::Start(Tag::TableHead) => {
                in_head = true;
                "<thead role=\"rowgroup\"><tr role=\"row\">".to_owned()
            }
            Event::End(TagEnd::TableHead) => {
                in_head = false;
                "</tr></thead><tbody role=\"rowgroup\">".to_owned()
            }
            Event::Start(Tag::TableRow) => {
                column = 0;
                "<tr role=\"row\">".to_owned()
            }
            Event::End(TagEnd::TableRow) => "</tr>\n".to_owned(),
            Event::Start(Tag::TableCell) if in_head => {
                columns.push(String::new());
                "<th role=\"columnheader\" scope=\"col\">".to_owned()
            }
            Event::End(TagEnd::TableCell) if in_head => "</th>".to_owned(),
            Event::Start(Tag::TableCell) => {
                let label = columns.get(column).map(|label| escape(label)).unwrap_or_default();
                column += 1;
                let class = match events.peek() {
                    Some(Event::End(TagEnd::TableCell)) => " class=\"none\"",
                    _ => "",
                };
                format!("<td role=\"cell\"{class} data-label=\"{label}\">")
            }
            Event::End(TagEnd::TableCell) => "</td>".to_owned(),
            other => {
                if let (true, Event::Text(text) | Event::Code(text), Some(label)) =
                    (in_head, &other, columns.last_mut())
                {
                    label.push_str(text);
                }
                out.push(other);
                continue;
            }
        };
        out.push(Event::Html(CowStr::from(html)));
    }
    out
}

fn headings(events: &[Event<'_>]) -> Vec<Heading> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut open = false;
    for event in events {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                headings.push(Heading { level: *level as u8, text: String::new(), id: String::new() });
                open = true;
            }
            Event::End(TagEnd::Heading(_)) => {
                open = false;
                if let Some(heading) = headings.last_mut() {
                    let id = slug(&heading.text);
                    let count = seen.entry(id.clone()).or_default();
                    heading.id = if *count == 0 { id } else { format!("{id}-{count}") };
                    *count += 1;
                }
            }
            Event::Text(text) | Event::Code(text) if open => {
                if let Some(heading) = headings.last_mut() {
                    heading.text.push_str(text);
                }
            }
            _ => {}
        }
    }
    headings
}

/// The anchor of a heading, as GitHub makes it.
fn slug(text: &str) -> String {
    let kept = |letter: &char| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter);
    text.to_lowercase().chars().filter(kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The address of a link in the console; `None` if its target is not served.
fn address(link: &str, names: &[&str]) -> Option<String> {
    if link.starts_with('#') || link.starts_with("https://") {
        return Some(link.to_owned());
    }
    let (file, anchor) = link.split_once('#').map_or((link, ""), |(file, anchor)| (file, anchor));
    let name = file.trim_start_matches("../docs/").strip_suffix(".md")?;
    let anchor = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    names.contains(&name).then(|| format!("/console/docs/{name}{anchor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_become_pages() {
        let text = "# One `two`\n\n![A picture](a.png)\n\n<b>raw</b> [there](serve.md#x) [gone](../README.md)\n\n## Again\n\n## Again\n\n<!-- note -->\n\n| a `b` | c |\n|---|---|\n| *d* | |\n\n```sh\na < b\n```\n";
        let (html, headings) = render(text, &["serve"]);
        let ids: Vec<&str> = headings.iter().map(|heading| &*heading.id).collect();
        assert_eq!(ids, ["one-two", "again", "again-1"]);
        assert_eq!((headings[0].level, &*headings[0].text), (1, "One two"));
        let html = html.as_str();
        for part in [
            "<h1 id=\"one-two\">One <code>two</code></h1>",
            "<a href=\"/console/docs/serve#x\">there</a>",
            "&lt;b&gt;raw",
            "<pre tabindex=\"0\"><code>a &lt; b",
            "<div class=\"wide stacks\" tabindex=\"0\"><table role=\"table\">",
            "<th role=\"columnheader\" scope=\"col\">a <code>b</code></th>",
            // On a phone, a cell shows the name of its column; an empty one is left out.
            "<td role=\"cell\" data-label=\"a b\"><em>d</em></td><td role=\"cell\" class=\"none\" data-label=\"c\"></td>",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(!html.contains("note"), "{html}");
        assert!(!html.contains("picture") && !html.contains("README") && html.contains("gone"), "{html}");
    }
}
