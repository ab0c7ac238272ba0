//! Where the words of a query are on the image of a page.

use serde::{Deserialize, Serialize};

use crate::event::Bounds;
use crate::words::{find, is_run, query_words};

/// A mark on the image of a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The box.
    pub bounds: Bounds,
    /// The text in it.
    pub text: String,
}

/// The boxes of a query's words in lines with their boxes. A word's place in its line is that of its letters, by their usual
/// widths.
#[must_use]
pub fn marks<'a>(blocks: impl IntoIterator<Item = (&'a str, Bounds)>, query: &str) -> Vec<Mark> {
    let words = query_words(query);
    let mut marks = Vec::new();
    if words.is_empty() {
        return marks;
    }
    for (text, bounds) in blocks {
        let whole = width(text);
        if whole <= 0.0 || bounds.width == 0 {
            continue;
        }
        for (range, _) in find(text, &words) {
            let along = |part: f64| f64::from(bounds.width) * part / whole;
            let (start, length) = (along(width(&text[..range.start])), along(width(&text[range.clone()])));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside of the box")]
            let place = |length: f64| length.round() as u16;
            let bounds = Bounds {
                left: bounds.left.saturating_add(place(start)),
                width: place(length).max(1),
                ..bounds
            };
            marks.push(Mark { bounds, text: text[range].to_owned() });
        }
    }
    marks
}

/// The width of a text in halves of its height, by the usual widths of letters.
fn width(text: &str) -> f64 {
    let one = |one: char| match one {
        one if is_run(one) => 2.0,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'f' | 't' | '(' | ')' => {
            0.56
        }
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 1.65,
        one if one.is_uppercase() => 1.35,
        _ => 1.1,
    };
    text.chars().map(one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_on_their_words() {
        let line = Bounds { left: 1000, top: 500, width: 4000, height: 200 };
        let found = marks([("가나다라 마바사아", line)], "다라 없음");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "다라");
        // Two of eight characters and a space, after two.
        let bounds = found[0].bounds;
        assert!((1900..2000).contains(&bounds.left) && (900..1000).contains(&bounds.width), "{bounds:?}");
        assert_eq!((bounds.top, bounds.height), (500, 200));
        assert!(marks([("가나다라", line)], " .,").is_empty());
        assert!(marks([("", line)], "가").is_empty());
    }
}
