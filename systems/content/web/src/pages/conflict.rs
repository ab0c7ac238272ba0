//! Both texts of a post that two people edited at once.

use hansang_content::{PostText, Reconciled, SpanKind, difference};
use hansang_ui::escape::escape;
use hansang_ui::html::Html;

/// A stale save: the other text, and what the form shows instead.
pub(super) struct Conflict {
    /// Whether all changes of both are in the form.
    pub(super) is_merged: bool,
    pub(super) theirs: PostText,
    /// The difference from the stored contents to those in the form.
    pub(super) difference: Html,
}

impl Conflict {
    /// The text for the form, and what is said about it. Without a conflict it has the changes of both; otherwise it is the
    /// text that was being saved.
    pub(super) fn of(mine: &PostText, both: Reconciled) -> (PostText, Self) {
        let theirs = both.theirs.text().clone();
        let is_merged = both.merge.conflicts.is_empty();
        let text = if is_merged { both.merge.text } else { mine.clone() };
        let difference = marked(&theirs.contents, &text.contents);
        (text, Self { is_merged, theirs, difference })
    }
}

/// The difference of two texts, with what was removed and added marked.
pub(super) fn marked(old: &str, new: &str) -> Html {
    let mut html = String::new();
    for span in difference(old, new) {
        let text = escape(&span.text);
        match span.kind {
            SpanKind::Kept => html.push_str(&text),
            SpanKind::Added => html.push_str(&format!("<ins>{text}</ins>")),
            SpanKind::Removed => html.push_str(&format!("<del>{text}</del>")),
        }
    }
    Html::new(html)
}
