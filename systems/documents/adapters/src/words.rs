//! Words of texts: how they are compared, cut into terms and found again.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::decompose_compatible;

/// A word longer than this is no word.
const MAX_WORD: usize = 100;

/// A part of a word, for an index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Letters and digits of a script that is written with spaces.
    Word(String),
    /// A run of Hangul, Chinese characters or kana.
    Run(Vec<char>),
}

/// A text for comparison: letters of one case, in their usual width.
pub(crate) fn fold(text: &str) -> String {
    text.nfkc().flat_map(char::to_lowercase).collect()
}

/// The parts of a text, folded.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut joined = false;
    for one in fold(text).chars() {
        if !one.is_alphanumeric() {
            joined = false;
            continue;
        }
        match (parts.last_mut().filter(|_| joined), is_run(one)) {
            (Some(Part::Word(word)), false) => word.push(one),
            (Some(Part::Run(run)), true) => run.push(one),
            (_, true) => parts.push(Part::Run(vec![one])),
            (_, false) => parts.push(Part::Word(one.to_string())),
        }
        joined = true;
    }
    parts.retain(|part| !matches!(part, Part::Word(word) if word.len() > MAX_WORD));
    parts
}

/// Whether a character is part of a script whose words are not separated, or carry endings.
pub(crate) fn is_run(one: char) -> bool {
    matches!(one,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The words of a query, folded, each as often as it stands in it once: what is marked in a text.
pub(crate) fn query_words(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for part in parts(query) {
        let word = match part {
            Part::Word(word) => word,
            Part::Run(run) => run.into_iter().collect(),
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

/// Where words stand in a text, in order and without overlaps. The words are folded. Words of scripts with spaces are found
/// at the beginning of a word, others anywhere.
#[must_use]
pub(crate) fn find(text: &str, words: &[String]) -> Vec<(Range<usize>, usize)> {
    let (folded, places) = fold_with_places(text);
    let mut found: Vec<(Range<usize>, usize)> = Vec::new();
    for (number, word) in words.iter().enumerate() {
        let inside = word.chars().next().is_some_and(is_run);
        for (at, _) in folded.match_indices(word.as_str()) {
            let before = folded[..at].chars().next_back();
            if inside || before.is_none_or(|before| !before.is_alphanumeric() || is_run(before)) {
                found.push((places[at]..end(text, places[at + word.len() - 1]), number));
            }
        }
    }
    found.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
    let mut last = 0;
    found.retain(|(range, _)| {
        let keeps = range.start >= last;
        if keeps {
            last = range.end;
        }
        keeps
    });
    found
}

/// The end of the character that begins at a place.
fn end(text: &str, start: usize) -> usize {
    start + text[start..].chars().next().map_or(0, char::len_utf8)
}

/// A folded text, and for each of its bytes the place of the character that it comes from. Characters are folded one by
/// one, so a text whose letters stand alone is not put together.
fn fold_with_places(text: &str) -> (String, Vec<usize>) {
    let (mut folded, mut places) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, one) in text.char_indices() {
        let mut push = |one: char| {
            folded.push(one);
            places.resize(folded.len(), at);
        };
        if is_run(one) || one.is_ascii() {
            push(one.to_ascii_lowercase());
        } else {
            decompose_compatible(one, |part| part.to_lowercase().for_each(&mut push));
        }
    }
    (folded, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_scripts_change() {
        let word = |text: &str| Part::Word(text.to_owned());
        let run = |text: &str| Part::Run(text.chars().collect());
        assert_eq!(
            parts("2024년 ＡＢＣ-def 예산안(案)"),
            [word("2024"), run("년"), word("abc"), word("def"), run("예산안"), run("案")]
        );
        // Letters that stand alone are put together.
        let apart: String = "한글".nfd().collect();
        assert_eq!(parts(&apart), [run("한글")]);
        assert_eq!(query_words("예산 예산 Budget"), ["예산", "budget"]);
        assert!(parts(&"a".repeat(101)).is_empty());
    }

    #[test]
    fn words_are_found_in_the_text_as_it_is_written() {
        let text = "Ｂudget 예산안과 예산; rebudget BUDGETS";
        let words = query_words("budget 예산");
        let found: Vec<&str> = find(text, &words).into_iter().map(|(range, _)| &text[range]).collect();
        assert_eq!(found, ["Ｂudget", "예산", "예산", "BUDGET"]);
        assert!(find("", &words).is_empty());
    }
}
