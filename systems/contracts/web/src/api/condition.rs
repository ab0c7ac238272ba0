//! Conditional requests: `If-None-Match` of RFC 9110.

use axum::http::{HeaderMap, header};

/// Whether one of the caller's tags matches. `*` matches any tag, weak tags match strong ones, and invalid lists are
/// ignored.
pub(super) fn has_already(headers: &HeaderMap, tag: &str) -> bool {
    let lines = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    lines.into_iter().any(|line| line.trim() == "*" || tags(line).any(|known| known == tag))
}

/// The tags of a list, with their quotes, up to the first invalid one.
fn tags(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        let tag = rest.strip_prefix("W/").unwrap_or(rest);
        let end = tag.strip_prefix('"')?.find('"')? + 2;
        let (tag, behind) = tag.split_at(end);
        rest = behind;
        Some(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(lines: &[&str]) -> bool {
        let headers = lines.iter().map(|line| (header::IF_NONE_MATCH, line.parse().unwrap()));
        has_already(&headers.collect(), "\"sha256:ab\"")
    }

    #[test]
    fn any_tag_of_any_list_will_do() {
        for lines in [
            &["\"sha256:ab\""][..],
            &["W/\"sha256:ab\""],
            &["\"x\", \"sha256:ab\""],
            &["\"x,y\" ,,\tW/\"z\",\"sha256:ab\""],
            &["\"x\"", "\"sha256:ab\""],
            &["*"],
            &[" * "],
        ] {
            assert!(has(lines), "{lines:?}");
        }
    }

    #[test]
    fn what_is_no_list_of_tags_says_nothing() {
        for lines in [
            &[][..],
            &[""],
            &["\"x\""],
            &["sha256:ab"],
            &["\"sha256:ab"],
            &["w/\"sha256:ab\""],
            &["x \"sha256:ab\""],
            &["\"*\""],
            &["\"x\", *"],
            &["\"SHA256:AB\""],
        ] {
            assert!(!has(lines), "{lines:?}");
        }
    }
}
