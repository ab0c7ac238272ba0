//! Passages of texts with marked words.

use unicode_normalization::UnicodeNormalization as _;

use super::words::{Query, lower};

/// The number of characters before the first marked word.
const BEFORE: usize = 40;
/// The number of characters of a snippet.
const LENGTH: usize = 160;

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The text, to be escaped.
    pub text: String,
    /// Whether it is a word of the query.
    pub marked: bool,
}

/// A whole text with marked words.
pub(super) fn marked(text: &str, query: &Query) -> Vec<Piece> {
    let characters: Vec<char> = text.nfc().collect();
    let marks = marks(&characters, query);
    pieces(&characters, &marks)
}

/// The part of a text around the first marked word.
pub(super) fn snippet(text: &str, query: &Query) -> Vec<Piece> {
    let characters: Vec<char> = text.nfc().collect();
    let marks = marks(&characters, query);
    let first = marks.iter().position(|marked| *marked).unwrap_or_default();
    let start = match first.saturating_sub(BEFORE) {
        0 => 0,
        // Behind a space, if there is one.
        early => (early..first).find(|at| characters[*at] == ' ').map_or(early, |at| at + 1),
    };
    let end = (start + LENGTH).min(characters.len());
    let mut pieces = pieces(&characters[start..end], &marks[start..end]);
    let dots = || Piece { text: "…".to_owned(), marked: false };
    if start > 0 {
        pieces.insert(0, dots());
    }
    if end < characters.len() {
        pieces.push(dots());
    }
    pieces
}

/// Whether each character belongs to a word of the query.
fn marks(characters: &[char], query: &Query) -> Vec<bool> {
    // A character may become several in lower case.
    let mut lowered = Vec::with_capacity(characters.len());
    for (at, c) in characters.iter().enumerate() {
        lowered.extend(lower(c.encode_utf8(&mut [0; 4])).into_iter().map(|c| (c, at)));
    }
    let mut marks = vec![false; characters.len()];
    for word in query.words() {
        for window in lowered.windows(word.len()) {
            if window.iter().map(|(c, _)| c).eq(word) {
                window.iter().for_each(|(_, at)| marks[*at] = true);
            }
        }
    }
    marks
}

fn pieces(characters: &[char], marks: &[bool]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (c, marked) in characters.iter().zip(marks) {
        match pieces.last_mut() {
            Some(piece) if piece.marked == *marked => piece.text.push(*c),
            _ => pieces.push(Piece { text: c.to_string(), marked: *marked }),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let show = |piece: &Piece| if piece.marked { format!("[{}]", piece.text) } else { piece.text.clone() };
        pieces.iter().map(show).collect()
    }

    #[test]
    fn words_are_marked_as_they_are_written() {
        let query = Query::new("office 서울");
        assert_eq!(shown(&marked("새 OFFICE는 서울에", &query)), "새 [OFFICE]는 [서울]에");
        let long = format!("{}서울 사무소 {}", "앞 ".repeat(100), "뒤 ".repeat(200));
        let shown = shown(&snippet(&long, &query));
        assert!(shown.starts_with("…앞 앞") && shown.contains("[서울] 사무소 뒤") && shown.ends_with("…"), "{shown}");
        assert_eq!(snippet("", &query), []);
    }
}
