//! The language, the keywords and a summary of a document, from its own sentences. The same text has the same result.

mod language;
mod stop;

use std::collections::{HashMap, HashSet};

pub use language::language;

use crate::words::{Part, fold, parts};

/// The different words that are counted. Rare ones are dropped when there are more.
const MAX_WORDS: usize = 100_000;
/// The sentences that a summary is chosen from.
const MAX_SENTENCES: usize = 3000;
/// The sentences of one segment that it is chosen from.
const MAX_OF_SEGMENT: usize = 12;
/// The letters of a keyword in scripts that may be written without spaces. A longer run is a sentence.
const MAX_RUN: usize = 40;
/// The bytes of the text from which the language is found.
const MAX_SAMPLE: usize = 20_000;

/// What is known of a document's text, collected segment by segment.
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    counts: HashMap<String, u32>,
    sentences: Vec<String>,
    sample: String,
}

impl Analysis {
    /// Adds the text of the next segment.
    pub fn add(&mut self, text: &str) {
        for word in words(text) {
            *self.counts.entry(word).or_default() += 1;
        }
        let mut least = 1;
        while self.counts.len() > MAX_WORDS {
            self.counts.retain(|_, count| *count > least);
            least += 1;
        }
        if self.sample.len() < MAX_SAMPLE {
            self.sample.push_str(&text[..text.floor_char_boundary(MAX_SAMPLE)]);
            self.sample.push('\n');
        }
        let room = MAX_SENTENCES.saturating_sub(self.sentences.len()).min(MAX_OF_SEGMENT);
        self.sentences.extend(sentences(text).take(room));
    }

    /// The language, as a tag such as `ko`.
    #[must_use]
    pub fn language(&self) -> Option<String> {
        language(&self.sample)
    }

    /// The words that say most about the text, the best first.
    #[must_use]
    pub fn keywords(&self, count: usize) -> Vec<String> {
        let mut words: Vec<(&String, u32)> = self.counts.iter().map(|(word, count)| (word, *count)).collect();
        words.sort_by(|one, other| (other.1, one.0).cmp(&(one.1, other.0)));
        words.into_iter().take(count).map(|(word, _)| word.clone()).collect()
    }

    /// The sentences that say most, in the order of the text.
    #[must_use]
    pub fn summary(&self, count: usize) -> String {
        let sets: Vec<HashSet<String>> =
            self.sentences.iter().map(|sentence| words(sentence).collect()).collect();
        let mut ranked: Vec<(f64, usize)> =
            sets.iter().enumerate().map(|(at, set)| (self.score(at, set), at)).collect();
        ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let mut chosen: Vec<usize> = Vec::new();
        for (score, at) in ranked {
            if chosen.len() == count || score <= 0.0 {
                break;
            }
            // A sentence that says again what another one says is left out.
            if chosen.iter().all(|other| overlap(&sets[*other], &sets[at]) < 0.5) {
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        chosen.into_iter().map(|at| self.sentences[at].as_str()).collect::<Vec<_>>().join(" ")
    }

    /// How much a sentence says: its words by how often the text has them, and a little more at the beginning.
    fn score(&self, at: usize, words: &HashSet<String>) -> f64 {
        if words.len() < 3 {
            return 0.0;
        }
        let mut weights: Vec<f64> = words
            .iter()
            .filter_map(|word| self.counts.get(word))
            .map(|count| f64::from(*count).ln_1p())
            .collect();
        // The sum of numbers depends on their order, and that of a set is by chance.
        weights.sort_by(f64::total_cmp);
        let sum: f64 = weights.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (length, position) = (words.len() as f64, at as f64);
        sum / length.max(6.0).sqrt() * (1.0 + 0.4 / (1.0 + position / 3.0))
    }
}

/// The keywords of one text.
#[must_use]
pub fn keywords(text: &str, count: usize) -> Vec<String> {
    let mut analysis = Analysis::default();
    analysis.add(text);
    analysis.keywords(count)
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn overlap(one: &HashSet<String>, other: &HashSet<String>) -> f64 {
    let both = one.intersection(other).count();
    both as f64 / one.len().min(other.len()).max(1) as f64
}

/// The words of a text that mean something, without endings.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split_whitespace().flat_map(|word| {
        parts(word).into_iter().filter_map(|part| match part {
            Part::Word(word) => {
                let letters = word.chars().any(char::is_alphabetic);
                (letters && word.chars().count() > 2 && !stop::is_english(&word)).then_some(word)
            }
            Part::Run(run) if run.len() > MAX_RUN => None,
            Part::Run(run) => stop::stem(&run.into_iter().collect::<String>()),
        })
    })
}

/// The sentences of a text. Lines of a page are parts of a sentence, unless one ends far from the edge.
fn sentences(text: &str) -> impl Iterator<Item = String> {
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    let mut joined = String::with_capacity(text.len());
    for line in text.lines() {
        joined.push_str(line.trim());
        joined.push(if line.chars().count() * 10 < longest * 7 { '\n' } else { ' ' });
    }
    let mut sentences = Vec::new();
    for paragraph in joined.lines() {
        let mut start = 0;
        let ends = paragraph.char_indices().filter(|(at, one)| {
            let after = paragraph[at + one.len_utf8()..].chars().next();
            matches!(one, '.' | '!' | '?') && after.is_none_or(char::is_whitespace)
                || matches!(one, '。' | '？' | '！')
        });
        for end in ends.map(|(at, one)| at + one.len_utf8()).chain([paragraph.len()]) {
            sentences.push(paragraph[start..end].split_whitespace().collect::<Vec<_>>().join(" "));
            start = end;
        }
    }
    sentences
        .into_iter()
        .filter(|sentence| (12..=400).contains(&sentence.chars().count()) && !is_table(sentence))
}

/// Whether a line is numbers more than words.
fn is_table(sentence: &str) -> bool {
    let letters = fold(sentence).chars().filter(|one| one.is_alphabetic()).count();
    letters * 2 < sentence.chars().filter(|one| !one.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KOREAN: &str = "한국은행은 기준금리를 동결했습니다. 기준금리는 여섯 달째 그대로입니다.\n\
        물가가 안정되면 기준금리를 내릴 수 있다고 한국은행이 밝혔습니다. 날씨는 맑았습니다.\n\
        시장은 금리 인하를 기다리고 있습니다. 1 2 3 4 5 6 7 8 9 10 11";

    #[test]
    fn korean_keywords_have_no_particles() {
        let mut analysis = Analysis::default();
        analysis.add(KOREAN);
        let keywords = analysis.keywords(3);
        assert_eq!(keywords, ["기준금리", "한국은행", "금리"]);
        assert_eq!(analysis.language().as_deref(), Some("ko"));
    }

    #[test]
    fn english_keywords_have_no_common_words() {
        let text = "The river flooded the town. Residents of the town watched the river and the bridge.";
        assert_eq!(keywords(text, 2), ["river", "town"]);
        assert_eq!(language(text).as_deref(), Some("en"));
    }

    #[test]
    fn a_summary_is_of_sentences_in_their_order_and_the_same_each_time() {
        let mut analysis = Analysis::default();
        analysis.add(KOREAN);
        let summary = analysis.summary(2);
        assert!(summary.contains("기준금리"), "{summary}");
        assert!(!summary.contains("날씨") && !summary.contains("1 2 3"), "{summary}");
        let places: Vec<usize> =
            summary.split(". ").map(|part| KOREAN.find(part.trim_end_matches('.')).unwrap()).collect();
        assert!(places.is_sorted(), "{places:?}");
        for _ in 0..10 {
            let mut again = Analysis::default();
            again.add(KOREAN);
            assert_eq!(again.summary(2), summary);
        }
        assert_eq!(Analysis::default().summary(3), "");
    }

    #[test]
    fn lines_of_a_page_are_joined_to_sentences() {
        let page = "A short heading\nThis sentence begins on the first line of the page and it\ngoes on over the second line of the page. Another sentence.";
        let found: Vec<String> = sentences(page).collect();
        assert_eq!(
            found,
            [
                "A short heading",
                "This sentence begins on the first line of the page and it goes on over the second line of the page.",
                "Another sentence."
            ]
        );
    }
}
