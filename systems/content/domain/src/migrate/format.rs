//! The format of old contents: an editor's document, Markdown, or plain text.

use serde_json::Value as Json;

use crate::Format;

/// The format of contents whose table did not say.
pub(super) fn detect(contents: &str) -> Format {
    if is_document(contents) {
        Format::Json
    } else if is_markdown(contents) {
        Format::Markdown
    } else {
        Format::Text
    }
}

fn is_document(contents: &str) -> bool {
    contents.trim_start().starts_with('{')
        && serde_json::from_str::<Json>(contents)
            .is_ok_and(|document| document["type"] == "doc" && document["content"].is_array())
}

/// Whether a text has marks of Markdown, or HTML, which Markdown may contain.
fn is_markdown(contents: &str) -> bool {
    const INLINE: [&str; 6] = ["**", "](", "```", "~~", "__", "`"];
    let has_tag = contents.match_indices('<').any(|(at, _)| {
        let rest = contents[at + 1..].trim_start_matches('/');
        rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest.contains('>')
    });
    has_tag || INLINE.iter().any(|mark| contents.contains(mark)) || contents.lines().any(is_block)
}

/// Whether a line starts a heading, a list, a quotation or a table.
fn is_block(line: &str) -> bool {
    let line = line.trim_start();
    let after = line.trim_start_matches('#');
    let heading = (1..=6).contains(&(line.len() - after.len())) && after.starts_with(' ');
    let item = ["- ", "* ", "+ ", "> ", "|"].iter().any(|mark| line.starts_with(mark));
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "));
    heading || item || numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_detected() {
        for (contents, format) in [
            ("", Format::Text),
            ("첫 줄\n둘째 줄", Format::Text),
            ("5 < 7 이고 #해시태그 는 제목이 아니다", Format::Text),
            ("2025. 3. 1. 공지", Format::Markdown),
            ("# 제목\n본문", Format::Markdown),
            ("- 하나\n- 둘", Format::Markdown),
            ("**굵게**", Format::Markdown),
            ("[링크](https://example.com)", Format::Markdown),
            ("<p>안녕</p>", Format::Markdown),
            (r#" {"type":"doc","content":[]}"#, Format::Json),
            (r#"{"type":"doc"}"#, Format::Text),
            (r#"{"a":1}"#, Format::Text),
        ] {
            assert_eq!(detect(contents), format, "{contents}");
        }
    }
}
