//! Passages with the words that were searched for marked.

/// Parts of a text, each with whether it is marked.
pub(super) type Parts = Vec<(String, bool)>;

/// The characters before and after a hit in a passage.
const AROUND: usize = 70;

/// The words of a question that are marked: in lower case, without repetitions, the longest first.
pub(super) fn words(asked: &str) -> Vec<String> {
    let mut words: Vec<String> = asked
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(lower)
        .collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.dedup();
    words
}

/// The text as it is compared: letters in lower case, as many as before, so that positions stay.
fn lower(text: &str) -> String {
    let one = |letter: char| {
        let mut lower = letter.to_lowercase();
        lower.next().filter(|_| lower.next().is_none()).unwrap_or(letter)
    };
    text.chars().map(one).collect()
}

/// The ranges of words in a text, in characters, in order and without overlaps.
fn hits(text: &str, words: &[String]) -> Vec<(usize, usize)> {
    let letters: Vec<char> = lower(text).chars().collect();
    let words: Vec<Vec<char>> = words.iter().map(|word| word.chars().collect()).collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        match words.iter().find(|word| !word.is_empty() && letters[at..].starts_with(word)) {
            Some(word) => {
                found.push((at, at + word.len()));
                at += word.len();
            }
            None => at += 1,
        }
    }
    found
}

/// Whether a text has one of the words.
pub(super) fn has(text: &str, words: &[String]) -> bool {
    let text = lower(text);
    words.iter().any(|word| text.contains(word.as_str()))
}

/// Whether a text has a word, or the beginning of a Korean one, whose end is a particle.
pub(super) fn has_stem(text: &str, word: &str) -> bool {
    let text = lower(text);
    let letters: Vec<char> = word.chars().collect();
    let is_hangul = letters.iter().all(|letter| ('가'..='힣').contains(letter));
    let shortest = if is_hangul { letters.len().min(2) } else { letters.len() };
    (shortest..=letters.len()).any(|end| text.contains(&letters[..end].iter().collect::<String>()))
}

/// The number of hits in a text.
pub(super) fn count(text: &str, words: &[String]) -> usize {
    hits(text, words).len()
}

/// A whole text with its words marked.
pub(super) fn marked(text: &str, words: &[String]) -> Parts {
    let letters: Vec<char> = text.chars().collect();
    cut(&letters, &hits(text, words), 0, letters.len())
}

/// A passage around the first hit, with its words marked: the beginning if there is none.
pub(super) fn snippet(text: &str, words: &[String]) -> Parts {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters: Vec<char> = text.chars().collect();
    let hits = hits(&text, words);
    let first = hits.first().map_or(0, |(from, _)| *from);
    let mut from = first.saturating_sub(AROUND);
    if from > 0 {
        // Starts with a whole word.
        let space = letters[from..first].iter().position(|letter| *letter == ' ');
        from += space.map_or(0, |space| space + 1);
    }
    let to = letters.len().min(first + 2 * AROUND);
    let mut parts = cut(&letters, &hits, from, to);
    if from > 0 {
        parts.insert(0, ("… ".to_owned(), false));
    }
    if to < letters.len() {
        parts.push((" …".to_owned(), false));
    }
    parts
}

fn cut(letters: &[char], hits: &[(usize, usize)], from: usize, to: usize) -> Parts {
    let text = |from: usize, to: usize| letters[from..to].iter().collect::<String>();
    let (mut parts, mut at) = (Vec::new(), from);
    for (start, end) in hits.iter().filter(|(start, end)| *start >= from && *end <= to) {
        if *start > at {
            parts.push((text(at, *start), false));
        }
        parts.push((text(*start, *end), true));
        at = *end;
    }
    if at < to {
        parts.push((text(at, to), false));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &Parts) -> String {
        parts.iter().map(|(text, marked)| if *marked { format!("[{text}]") } else { text.clone() }).collect()
    }

    #[test]
    fn words_are_marked_whatever_their_case() {
        let words = words("Lease, LEASE 임대차!");
        assert_eq!(words, ["lease", "임대차"]);
        assert_eq!(
            shown(&marked("The leaseholder — 임대차계약, İ Lease", &words)),
            "The [lease]holder — [임대차]계약, İ [Lease]"
        );
        assert!(has("LEASE", &words) && !has("rent", &words));
        assert_eq!(count("lease lease", &words), 2);
    }

    #[test]
    fn a_passage_surrounds_the_first_hit() {
        let text = format!("{} needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let found = shown(&snippet(&text, &words("needle")));
        assert!(found.starts_with("… hay") && found.ends_with(" …") && found.contains("[needle]"), "{found}");
        assert!(found.chars().count() < 250, "{found}");
        assert_eq!(shown(&snippet("short\ntext", &words("z"))), "short text");
        assert!(snippet("", &words("x")).is_empty());
    }
}
