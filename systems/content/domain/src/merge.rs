//! Merging the texts of two editors who began with the same one.

use hansang_core::Error;
use similar::{MergeResolution, TextMerge as Lines};

use crate::{Content, Format, PostText, Working, working};

/// A passage that both editors changed in different ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The field of the post: `title`, `contents`, `thumbnailUrl` or `slug`.
    pub field: &'static str,
    /// The passage of the editor who saves.
    pub mine: String,
    /// The passage that is stored.
    pub theirs: String,
}

/// Two texts in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The text. A passage with a conflict is there twice, mine first, so that nothing is lost.
    pub text: String,
    /// The text with my passage at each conflict, and the changes of both everywhere else.
    pub mine: String,
    /// The conflicts, in the order of the text.
    pub conflicts: Vec<Conflict>,
}

/// The texts of two editors of a post in one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextMerge {
    /// The text. Fields other than the contents that conflict are mine.
    pub text: PostText,
    /// The same with my passage at each conflict, for an editor who sees the conflicts beside it.
    pub mine: PostText,
    /// The conflicts. Without any, the text can be saved as it is.
    pub conflicts: Vec<Conflict>,
}

/// The answer to a stale save.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reconciled {
    /// The post as it is stored: the other text, and the revision to save with.
    pub theirs: Working,
    /// Both texts in one.
    pub merge: TextMerge,
}

/// Merges a text that was refused as stale with the one that is stored. `base` is the text that the editor began with.
/// Nothing is written.
///
/// # Errors
/// `post_unknown`.
pub async fn reconcile(
    content: &Content,
    id: &str,
    base: &PostText,
    mine: &PostText,
) -> Result<Reconciled, Error> {
    let theirs = working(content, id).await?;
    let merge = merge_texts(base, mine, theirs.text());
    Ok(Reconciled { theirs, merge })
}

/// Merges the texts of a post. Contents are merged by lines; an editor's JSON document is one piece.
#[must_use]
pub fn merge_texts(base: &PostText, mine: &PostText, theirs: &PostText) -> TextMerge {
    let mut conflicts = Vec::new();
    let title = choose("title", &base.title, &mine.title, &theirs.title, &mut conflicts);
    let format = mine.format;
    let by_lines = format != Format::Json && [base, theirs].iter().all(|text| text.format == format);
    let mut contents_of_mine = None;
    let (contents, format) = if by_lines {
        let merged = merge(&base.contents, &mine.contents, &theirs.contents);
        conflicts.extend(merged.conflicts);
        contents_of_mine = Some(merged.mine);
        (merged.text, format)
    } else {
        let of = |text: &PostText| (text.contents.clone(), text.format);
        let (base, mine, theirs) = (of(base), of(mine), of(theirs));
        if mine != base && theirs != base && mine != theirs {
            let conflict = Conflict { field: "contents", mine: mine.0.clone(), theirs: theirs.0 };
            conflicts.push(conflict);
            mine
        } else if mine == base {
            theirs
        } else {
            mine
        }
    };
    let mut optional = |field, pick: fn(&PostText) -> &Option<String>| {
        choose(field, pick(base), pick(mine), pick(theirs), &mut conflicts)
    };
    let thumbnail_url = optional("thumbnailUrl", |text| &text.thumbnail_url);
    let slug = optional("slug", |text| &text.slug);
    let text = PostText { title, contents, format, thumbnail_url, slug };
    let mine = match contents_of_mine {
        Some(contents) => PostText { contents, ..text.clone() },
        None => text.clone(),
    };
    TextMerge { text, mine, conflicts }
}

/// Merges texts by lines.
#[must_use]
pub fn merge(base: &str, mine: &str, theirs: &str) -> Merged {
    // A last line without its end would differ from the same line with one.
    let whole = |text: &str| if text.ends_with('\n') { text.to_owned() } else { format!("{text}\n") };
    let (base, ours, others) = (whole(base), whole(mine), whole(theirs));
    let merged = Lines::from_lines(base.as_str(), ours.as_str(), others.as_str());
    let lines = |text: &str, range: std::ops::Range<usize>| -> String {
        text.split_inclusive('\n').skip(range.start).take(range.len()).collect()
    };
    let (mut text, mut kept, mut conflicts) = (String::new(), String::new(), Vec::new());
    for region in merged.regions() {
        let mine = lines(&ours, region.ours_range());
        let theirs = lines(&others, region.theirs_range());
        match region.resolution() {
            MergeResolution::Theirs => {
                text.push_str(&theirs);
                kept.push_str(&theirs);
            }
            MergeResolution::Conflict => {
                text.push_str(&mine);
                text.push_str(&theirs);
                kept.push_str(&mine);
                let (mine, theirs) = (mine.trim_end().to_owned(), theirs.trim_end().to_owned());
                conflicts.push(Conflict { field: "contents", mine, theirs });
            }
            _ => {
                text.push_str(&mine);
                kept.push_str(&mine);
            }
        }
    }
    if !mine.ends_with('\n') && !theirs.ends_with('\n') {
        for text in [&mut text, &mut kept] {
            text.truncate(text.strip_suffix('\n').unwrap_or(text).len());
        }
    }
    Merged { text, mine: kept, conflicts }
}

/// A value that one editor has changed, or mine and a conflict.
fn choose<T: Clone + PartialEq + Shown>(
    field: &'static str,
    base: &T,
    mine: &T,
    theirs: &T,
    conflicts: &mut Vec<Conflict>,
) -> T {
    if mine == base {
        return theirs.clone();
    }
    if theirs != base && theirs != mine {
        conflicts.push(Conflict { field, mine: mine.shown(), theirs: theirs.shown() });
    }
    mine.clone()
}

/// A value of a field as text.
trait Shown {
    fn shown(&self) -> String;
}

impl Shown for String {
    fn shown(&self) -> String {
        self.clone()
    }
}

impl Shown for Option<String> {
    fn shown(&self) -> String {
        self.clone().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_of_different_lines_are_merged() {
        let base = "하나\n\n둘\n\n셋\n\n넷";
        let merged = merge(base, "하나!\n\n둘\n\n셋\n\n넷", "하나\n\n둘\n\n셋\n\n넷\n\n다섯");
        assert_eq!(
            merged,
            Merged {
                text: "하나!\n\n둘\n\n셋\n\n넷\n\n다섯".to_owned(),
                mine: "하나!\n\n둘\n\n셋\n\n넷\n\n다섯".to_owned(),
                conflicts: Vec::new()
            }
        );
        assert_eq!(merge(base, base, "").text, "", "a deleted text");
        assert_eq!(
            merge("", "a", "a"),
            Merged { text: "a".to_owned(), mine: "a".to_owned(), conflicts: Vec::new() }
        );
    }

    #[test]
    fn edits_of_the_same_line_conflict_and_nothing_is_lost() {
        let merged = merge("하나\n둘\n셋\n\n넷", "하나\n둘 가\n셋\n\n넷", "하나\n둘 나\n셋\n\n넷!");
        assert_eq!(merged.text, "하나\n둘 가\n둘 나\n셋\n\n넷!");
        assert_eq!(merged.mine, "하나\n둘 가\n셋\n\n넷!", "their other changes are kept");
        let [conflict] = &merged.conflicts[..] else { panic!("{merged:?}") };
        assert_eq!((&*conflict.mine, &*conflict.theirs), ("둘 가", "둘 나"));
    }

    #[test]
    fn fields_of_posts_are_merged() {
        let base =
            PostText { title: "가".to_owned(), contents: "하나\n\n둘".to_owned(), ..PostText::default() };
        let mine = PostText { title: "나".to_owned(), ..base.clone() };
        let theirs =
            PostText { contents: "하나\n\n셋".to_owned(), slug: Some("s".to_owned()), ..base.clone() };
        let merged = merge_texts(&base, &mine, &theirs);
        let expected = PostText { title: "나".to_owned(), ..theirs.clone() };
        assert_eq!(merged, TextMerge { text: expected.clone(), mine: expected, conflicts: Vec::new() });
        let other = PostText { title: "다".to_owned(), ..base.clone() };
        let merged = merge_texts(&base, &mine, &other);
        assert_eq!((&*merged.text.title, merged.conflicts[0].field), ("나", "title"));
    }

    #[test]
    fn a_json_document_is_one_piece() {
        let json = |contents: &str| PostText {
            contents: contents.to_owned(),
            format: Format::Json,
            ..PostText::default()
        };
        let merged = merge_texts(&json("{\n}"), &json("{\n\"a\":1}"), &json("{\n}"));
        assert_eq!((&*merged.text.contents, merged.conflicts.len()), ("{\n\"a\":1}", 0));
        let merged = merge_texts(&json("{}"), &json("{\"a\":1}"), &json("{\"b\":1}"));
        assert_eq!((&*merged.text.contents, merged.conflicts.len()), ("{\"a\":1}", 1));
    }
}
