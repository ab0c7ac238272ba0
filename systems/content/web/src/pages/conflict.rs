//! Both texts of a post that two people edited at once.

use hansang_content::{Conflict as Collision, PostText, Reconciled, SpanKind, difference};
use hansang_ui::escape::escape;
use hansang_ui::frame::Frame;
use hansang_ui::html::Html;

/// A stale save: the other text, and what the form shows instead.
pub(super) struct Conflict {
    /// The passages that both changed. Without any, all changes of both are in the form.
    pub(super) collisions: Vec<Collision>,
    pub(super) theirs: PostText,
    /// The difference from the stored contents to those in the form.
    pub(super) difference: Html,
}

impl Conflict {
    /// The label of the field of a passage; none for the contents.
    pub(super) fn label<'f>(&self, frame: &'f Frame, passage: &Collision) -> Option<&'f str> {
        match passage.field {
            "title" => Some(frame.say("Title", "제목")),
            "slug" => Some(frame.say("Address", "주소 이름")),
            "thumbnailUrl" => Some(frame.say("Thumbnail", "썸네일")),
            _ => None,
        }
    }

    /// The text for the form, and what is said about it. It has the changes of both; where they collide, those of the text
    /// that was being saved.
    pub(super) fn of(both: Reconciled) -> (PostText, Self) {
        let theirs = both.theirs.text().clone();
        let text = both.merge.mine;
        let difference = marked(&theirs.contents, &text.contents);
        (text, Self { collisions: both.merge.conflicts, theirs, difference })
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
