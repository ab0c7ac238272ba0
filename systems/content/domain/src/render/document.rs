//! The JSON document of an editor (ProseMirror, TipTap) as HTML.

use std::fmt::Write as _;

use serde_json::Value as Json;

use super::escape;

/// The HTML of a document; `None` if the text is no document, or nested deeper than the parser of JSON allows. Unknown nodes
/// are replaced by their contents.
pub(super) fn html(text: &str) -> Option<String> {
    let document = parse(text)?;
    let mut html = String::with_capacity(text.len());
    children(&document, &mut html);
    Some(html)
}

/// The document that a text is.
pub(super) fn parse(text: &str) -> Option<Json> {
    let document: Json = serde_json::from_str(text).ok()?;
    let is_document = document["type"] == "doc" && document["content"].is_array();
    is_document.then_some(document)
}

fn children(node: &Json, html: &mut String) {
    for child in node["content"].as_array().into_iter().flatten() {
        element(child, html);
    }
}

fn element(node: &Json, html: &mut String) {
    let attributes = &node["attrs"];
    let text = |name: &str| attributes[name].as_str().map(escape).unwrap_or_default();
    let mut wrap = |open: &str, close: &str| {
        html.push_str(open);
        children(node, html);
        html.push_str(close);
    };
    // Editors write `bulletList`, schemas of ProseMirror `bullet_list`.
    match node["type"].as_str().unwrap_or_default().replace('_', "").to_lowercase().as_str() {
        "text" => inline(node, html),
        "paragraph" => wrap("<p>", "</p>"),
        "heading" => {
            let level = attributes["level"].as_u64().unwrap_or(1).clamp(1, 6);
            wrap(&format!("<h{level}>"), &format!("</h{level}>"));
        }
        "bulletlist" => wrap("<ul>", "</ul>"),
        "orderedlist" => {
            let start = attributes["start"].as_u64().or_else(|| attributes["order"].as_u64()).unwrap_or(1);
            wrap(&format!("<ol start=\"{start}\">"), "</ol>");
        }
        "listitem" => wrap("<li>", "</li>"),
        "tasklist" => wrap("<ul class=\"task-list\">", "</ul>"),
        "taskitem" => {
            let checked = if attributes["checked"] == true { " checked" } else { "" };
            wrap(&format!("<li><input type=\"checkbox\" disabled{checked}>"), "</li>");
        }
        "blockquote" => wrap("<blockquote>", "</blockquote>"),
        "codeblock" => {
            let language = text("language");
            let class =
                if language.is_empty() { String::new() } else { format!(" class=\"language-{language}\"") };
            wrap(&format!("<pre><code{class}>"), "</code></pre>");
        }
        "horizontalrule" => html.push_str("<hr>"),
        "hardbreak" => html.push_str("<br>"),
        "image" => {
            let _ = write!(
                html,
                "<img src=\"{}\" alt=\"{}\" title=\"{}\">",
                text("src"),
                text("alt"),
                text("title")
            );
        }
        "table" => wrap("<table><tbody>", "</tbody></table>"),
        "tablerow" => wrap("<tr>", "</tr>"),
        "tableheader" => wrap("<th>", "</th>"),
        "tablecell" => wrap("<td>", "</td>"),
        _ => children(node, html),
    }
}

/// A text with its marks.
fn inline(node: &Json, html: &mut String) {
    let mut close = Vec::new();
    for mark in node["marks"].as_array().into_iter().flatten() {
        let tag = match mark["type"].as_str().unwrap_or_default() {
            "bold" | "strong" => "strong",
            "italic" | "em" => "em",
            "strike" | "strikethrough" => "s",
            "underline" => "u",
            "code" => "code",
            "highlight" => "mark",
            "subscript" => "sub",
            "superscript" => "sup",
            "link" => {
                let href = mark["attrs"]["href"].as_str().map(escape).unwrap_or_default();
                let _ = write!(html, "<a href=\"{href}\">");
                close.push("a");
                continue;
            }
            _ => continue,
        };
        let _ = write!(html, "<{tag}>");
        close.push(tag);
    }
    html.push_str(&escape(node["text"].as_str().unwrap_or_default()));
    for tag in close.into_iter().rev() {
        let _ = write!(html, "</{tag}>");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::html;
    use super::*;
    use crate::Format;

    fn shown(content: Json) -> String {
        html(&json!({ "type": "doc", "content": content }).to_string(), Format::Json)
    }

    #[test]
    fn a_document_becomes_html() {
        let document = json!([
            { "type": "heading", "attrs": { "level": 2 }, "content": [{ "type": "text", "text": "제목" }] },
            { "type": "paragraph", "content": [
                { "type": "text", "text": "굵은", "marks": [{ "type": "bold" }, { "type": "italic" }] },
                { "type": "hardBreak" },
                { "type": "text", "text": "링크", "marks": [{ "type": "link", "attrs": { "href": "https://example.com/?a=1&b=2" } }] },
            ] },
            { "type": "bullet_list", "content": [{ "type": "list_item", "content": [{ "type": "paragraph", "content": [{ "type": "text", "text": "하나" }] }] }] },
            { "type": "orderedList", "attrs": { "start": 3 }, "content": [{ "type": "listItem" }] },
            { "type": "taskList", "content": [{ "type": "taskItem", "attrs": { "checked": true }, "content": [{ "type": "text", "text": "한 일" }] }] },
            { "type": "codeBlock", "attrs": { "language": "rust" }, "content": [{ "type": "text", "text": "a < b" }] },
            { "type": "image", "attrs": { "src": "/media/a.jpg", "alt": "그림 \"하나\"" } },
            { "type": "horizontalRule" },
            { "type": "somethingNew", "content": [{ "type": "text", "text": "남는다" }] },
        ]);
        let shown = shown(document);
        for part in [
            "<h2>제목</h2>",
            "<strong><em>굵은</em></strong><br>",
            "<a href=\"https://example.com/?a=1&amp;b=2\" rel=\"noopener noreferrer\">링크</a>",
            "<ul><li><p>하나</p></li></ul>",
            "<ol start=\"3\"><li></li></ol>",
            "<ul class=\"task-list\"><li><input type=\"checkbox\" disabled=\"\" checked=\"\">한 일</li></ul>",
            "<pre><code class=\"language-rust\">a &lt; b</code></pre>",
            "src=\"/media/a.jpg\"",
            "alt=\"그림 &quot;하나&quot;\"",
            "<hr>",
            "남는다",
        ] {
            assert!(shown.contains(part), "{part} is missing in {shown}");
        }
    }

    #[test]
    fn nothing_in_a_document_can_run() {
        let attacks = json!([
            { "type": "text", "text": "<script>alert(1)</script>" },
            { "type": "text", "text": "x", "marks": [{ "type": "link", "attrs": { "href": "javascript:alert(1)" } }] },
            { "type": "text", "text": "x", "marks": [{ "type": "link", "attrs": { "href": "\"><script>alert(1)</script>" } }] },
            { "type": "image", "attrs": { "src": "x\" onerror=\"alert(1)" } },
            { "type": "image", "attrs": { "src": "data:image/svg+xml,<svg onload=alert(1)>" } },
            { "type": "codeBlock", "attrs": { "language": "\"><script>" }, "content": [] },
        ]);
        let shown = shown(attacks);
        for danger in ["<script", "javascript:", "onerror=\"", "src=\"data:", "onload=\""] {
            assert!(!shown.contains(danger), "{danger} in {shown}");
        }
    }

    #[test]
    fn odd_documents_are_shown_as_far_as_they_go() {
        assert_eq!(html("{\"type\":\"doc\"", Format::Json), "<p>{\"type\":\"doc\"</p>");
        assert_eq!(html("{\"a\": 1}", Format::Json), "<p>{\"a\": 1}</p>");
        assert_eq!(
            shown(json!([{ "content": 7 }, 5, null, { "type": "heading", "attrs": { "level": 99 } }])),
            "<h6></h6>"
        );
        let mut deep = json!({ "type": "text", "text": "deep" });
        for _ in 0..100 {
            deep = json!({ "type": "blockquote", "content": [deep] });
        }
        let document = json!({ "type": "doc", "content": [deep] }).to_string();
        assert!(html(&document, Format::Json).starts_with("<p>{"));
    }
}
