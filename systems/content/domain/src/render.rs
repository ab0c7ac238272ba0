//! Contents of posts as safe HTML, and as plain text.
//!
//! Contents are Markdown or an editor's JSON document. Both become HTML that passes the same sanitiser, so that nothing a
//! post contains can run as a script in the browser of a reader.

use std::collections::HashSet;
use std::sync::LazyLock;

use ammonia::{Builder, UrlRelative};
use pulldown_cmark::{Options, Parser, html};

use crate::Format;

mod document;

/// Renders contents to safe HTML. Contents that claim to be JSON but are not are shown as text.
#[must_use]
pub fn html(contents: &str, format: Format) -> String {
    let rendered = match format {
        Format::Markdown => markdown(contents),
        Format::Json => document::html(contents).unwrap_or_else(|| format!("<p>{}</p>", escape(contents))),
        Format::Text => plain(contents),
    };
    SANITISER.clean(&rendered).to_string()
}

/// Whether contents are the JSON document of an editor.
#[must_use]
pub fn is_document(contents: &str) -> bool {
    document::parse(contents).is_some()
}

/// The words of contents without markup, for search and previews.
#[must_use]
pub fn text(contents: &str, format: Format) -> String {
    let mut words = String::new();
    let mut skipped = false;
    // The sanitised HTML has no `<` or `>` outside of tags.
    for part in html(contents, format).split_inclusive(['<', '>']) {
        if let Some(before) = part.strip_suffix('<') {
            words.push_str(before);
            skipped = true;
        } else if skipped {
            skipped = false;
            words.push(' ');
        } else {
            words.push_str(part);
        }
    }
    let words =
        words.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&nbsp;", " ");
    words.replace("&amp;", "&").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The first characters of a text, cut at a word.
#[must_use]
pub fn excerpt(text: &str, characters: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text.to_owned() };
    let cut = &text[..end];
    let ends_a_word = text[end..].starts_with(' ');
    let whole = cut.rsplit_once(' ').filter(|_| !ends_a_word).map_or(cut, |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', '.', ' ']))
}

/// Paragraphs between empty lines, and a line for each line.
fn plain(contents: &str) -> String {
    let contents = contents.replace("\r\n", "\n");
    let paragraphs =
        contents.split("\n\n").map(|part| part.trim_matches('\n')).filter(|part| !part.is_empty());
    paragraphs.map(|part| format!("<p>{}</p>\n", escape(part).replace('\n', "<br>"))).collect()
}

fn markdown(contents: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let mut rendered = String::with_capacity(contents.len() * 3 / 2);
    html::push_html(&mut rendered, Parser::new_ext(contents, options));
    rendered
}

/// Escapes text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The elements, attributes and addresses that contents may have.
static SANITISER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::default();
    builder
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .url_relative(UrlRelative::PassThrough)
        .link_rel(Some("noopener noreferrer"))
        .add_tags(["input", "section", "u", "mark"])
        .add_tag_attributes("input", ["type", "checked", "disabled"])
        .add_tag_attributes("ol", ["start"])
        .add_tag_attributes("th", ["colspan", "rowspan"])
        .add_tag_attributes("td", ["colspan", "rowspan"])
        .add_allowed_classes("code", LANGUAGES)
        .add_allowed_classes("ul", ["task-list"])
        .add_allowed_classes("sup", ["footnote-reference"])
        .add_allowed_classes("div", ["footnote-definition"])
        .attribute_filter(|element, attribute, value| match (element, attribute) {
            // An input is the box of a task, never a field to fill in.
            ("input", "type") => (value == "checkbox").then(|| value.into()),
            _ => Some(value.into()),
        });
    builder
});

/// The languages of code that style sheets know.
const LANGUAGES: [&str; 18] = [
    "language-bash",
    "language-c",
    "language-cpp",
    "language-css",
    "language-go",
    "language-html",
    "language-java",
    "language-javascript",
    "language-json",
    "language-kotlin",
    "language-python",
    "language-ruby",
    "language-rust",
    "language-sh",
    "language-sql",
    "language-toml",
    "language-typescript",
    "language-yaml",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let shown = html(
            "# 소식\n\n**굵게** ~~취소~~ [링크](https://example.com)\n\n- [x] 한 일\n\n| a | b |\n|---|---|\n| 1 | 2 |",
            Format::Markdown,
        );
        for part in [
            "<h1>소식</h1>",
            "<strong>굵게</strong>",
            "<del>취소</del>",
            "<a href=\"https://example.com\" rel=\"noopener noreferrer\">링크</a>",
            "type=\"checkbox\"",
            "<td>1</td>",
        ] {
            assert!(shown.contains(part), "{part} is missing in {shown}");
        }
    }

    #[test]
    fn plain_text_keeps_its_lines() {
        let shown = html("첫 줄\r\n# 둘째 <b>줄</b>\n\n\n*다음* 문단\n", Format::Text);
        assert_eq!(shown, "<p>첫 줄<br># 둘째 &lt;b&gt;줄&lt;/b&gt;</p>\n<p>*다음* 문단</p>\n");
        assert_eq!(text("1 < 2\n*셋*", Format::Text), "1 < 2 *셋*");
    }

    #[test]
    fn nothing_in_markdown_can_run() {
        for attack in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "[x](JaVaScRiPt:alert(1))",
            "![x](data:text/html;base64,PHNjcmlwdD4=)",
            "<a href=\"vbscript:x\">x</a>",
            "<iframe src=\"https://evil.example\"></iframe>",
            "<style>*{display:none}</style>",
            "<form action=/console><input name=csrf></form>",
            "<input type=password name=x autofocus onfocus=alert(1)>",
            "<svg><script>alert(1)</script></svg>",
            "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
            "<p style=\"background:url(javascript:alert(1))\">x</p>",
        ] {
            let shown = html(attack, Format::Markdown).to_lowercase();
            for danger in [
                "<script",
                "onerror",
                "javascript:",
                "vbscript:",
                "data:",
                "<iframe",
                "<style",
                "<form",
                "onfocus",
                "password",
                "<svg",
                "style=",
                "name=",
            ] {
                assert!(!shown.contains(danger), "{attack} became {shown}");
            }
        }
    }

    #[test]
    fn text_has_no_markup() {
        let contents = "# 제목\n\n첫 *문단* & <b>굵게</b> `1 < 2`\n\n- 하나\n- 둘";
        assert_eq!(text(contents, Format::Markdown), "제목 첫 문단 & 굵게 1 < 2 하나 둘");
        assert_eq!(text("not json", Format::Json), "not json");
    }

    #[test]
    fn an_excerpt_ends_at_a_word() {
        assert_eq!(excerpt("짧은 글", 10), "짧은 글");
        assert_eq!(excerpt("한상에 차린 아홉 가지 반찬", 9), "한상에 차린 아홉…");
        assert_eq!(excerpt("한상에 차린 아홉 가지 반찬", 8), "한상에 차린…");
        assert_eq!(excerpt("한상에차린아홉가지반찬", 5), "한상에차린…");
    }
}
