//! The visual difference of two texts.

use similar::{ChangeTag, DiffTag, TextDiff};

use hansang_core::names;

/// The maximum bytes of a changed passage that is compared by words.
const MAX_BY_WORDS: usize = 20_000;

names! {
    /// What happened to a piece of text.
    pub enum SpanKind {
        /// It is in both texts.
        Kept = "kept",
        /// It is in the new text alone.
        Added = "added",
        /// It is in the old text alone.
        Removed = "removed",
    }
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What happened to it.
    pub kind: SpanKind,
    /// The text, line breaks included.
    pub text: String,
}

/// The difference of two texts as pieces in order, neighbours of different kinds. Lines are compared first, and words in
/// the lines that changed. The old text is what is kept and removed, the new one what is kept and added.
#[must_use]
pub fn difference(old: &str, new: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    let lines = TextDiff::from_lines(old, new);
    for op in lines.ops() {
        let text = |slices: &dyn Fn(usize) -> Option<String>, range: std::ops::Range<usize>| -> String {
            range.filter_map(slices).collect()
        };
        let before = text(&|index| lines.old_slice(index).map(str::to_owned), op.old_range());
        let after = text(&|index| lines.new_slice(index).map(str::to_owned), op.new_range());
        match op.tag() {
            DiffTag::Equal => push(&mut spans, SpanKind::Kept, &before),
            DiffTag::Replace if before.len() + after.len() <= MAX_BY_WORDS => {
                words(&mut spans, &before, &after);
            }
            _ => {
                push(&mut spans, SpanKind::Removed, &before);
                push(&mut spans, SpanKind::Added, &after);
            }
        }
    }
    spans
}

fn words(spans: &mut Vec<Span>, old: &str, new: &str) {
    for change in TextDiff::from_words(old, new).iter_all_changes() {
        let kind = match change.tag() {
            ChangeTag::Equal => SpanKind::Kept,
            ChangeTag::Delete => SpanKind::Removed,
            ChangeTag::Insert => SpanKind::Added,
        };
        push(spans, kind, change.value());
    }
}

fn push(spans: &mut Vec<Span>, kind: SpanKind, text: &str) {
    match spans.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.kind == kind => last.text.push_str(text),
        _ => spans.push(Span { kind, text: text.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> String {
        let spans = difference(old, new);
        let of = |kinds: [SpanKind; 2]| -> String {
            spans.iter().filter(|span| kinds.contains(&span.kind)).map(|span| &*span.text).collect()
        };
        assert_eq!(of([SpanKind::Kept, SpanKind::Removed]), old);
        assert_eq!(of([SpanKind::Kept, SpanKind::Added]), new);
        let mark = |span: &Span| match span.kind {
            SpanKind::Kept => span.text.clone(),
            SpanKind::Added => format!("[+{}]", span.text),
            SpanKind::Removed => format!("[-{}]", span.text),
        };
        spans.iter().map(mark).collect()
    }

    #[test]
    fn words_are_compared_in_changed_lines() {
        assert_eq!(
            shown("오늘의 소식\n둘째 줄\n", "오늘의 새 소식\n둘째 줄\n"),
            "오늘의 [+새 ]소식\n둘째 줄\n"
        );
        assert_eq!(shown("a\nb\n", "b\nc\n"), "[-a\n]b\n[+c\n]");
        assert_eq!(shown("", "새 글"), "[+새 글]");
        assert_eq!(shown("같은 글", "같은 글"), "같은 글");
    }

    #[test]
    fn large_passages_are_compared_by_lines() {
        let (old, new) = ("가 ".repeat(20_000), "나 ".repeat(20_000));
        assert_eq!(difference(&old, &new).len(), 2);
    }
}
