//! The terms of texts and queries: words of letters, and one and two characters of scripts without spaces between words.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use unicode_normalization::UnicodeNormalization as _;

/// A term, as a number. Two terms with the same number only propose a post that is then checked.
pub(super) type Term = u64;

/// The words of a query.
#[derive(Clone, Debug)]
pub(super) struct Query {
    /// Its words in lower case.
    words: Vec<Vec<char>>,
    /// The terms that a post must have.
    pub(super) terms: Vec<Term>,
}

impl Query {
    pub(super) fn new(text: &str) -> Self {
        let mut terms = Vec::new();
        let mut words = Vec::new();
        for run in runs(&lower(text)) {
            match run.len() {
                1 => terms.push(term(&run)),
                _ if is_dense(run[0]) => terms.extend(run.windows(2).map(term)),
                _ => terms.push(term(&run)),
            }
            words.push(run);
        }
        terms.sort_unstable();
        terms.dedup();
        Self { words, terms }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn words(&self) -> &[Vec<char>] {
        &self.words
    }

    /// Whether each word is in the title or in the text.
    pub(super) fn is_in(&self, title: &str, text: &str) -> bool {
        let (title, text) = (lower(title), lower(text));
        let has = |text: &[char], word: &[char]| text.windows(word.len()).any(|window| window == word);
        self.words.iter().all(|word| has(&title, word) || has(&text, word))
    }
}

/// The terms of a text in order, with repetitions.
pub(super) fn terms(text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    for run in runs(&lower(text)) {
        if is_dense(run[0]) {
            terms.extend(run.iter().map(|c| term(&[*c])));
            terms.extend(run.windows(2).map(term));
        } else {
            terms.push(term(&run));
        }
    }
    terms
}

/// The characters of a text, composed and in lower case.
pub(super) fn lower(text: &str) -> Vec<char> {
    text.nfc().flat_map(char::to_lowercase).collect()
}

/// Letters and digits in a row, all of a dense script or none.
fn runs(text: &[char]) -> Vec<Vec<char>> {
    let mut runs: Vec<Vec<char>> = Vec::new();
    let mut before: Option<bool> = None;
    for c in text {
        let kind = c.is_alphanumeric().then(|| is_dense(*c));
        match (kind, runs.last_mut()) {
            (Some(_), Some(run)) if kind == before => run.push(*c),
            (Some(_), _) => runs.push(vec![*c]),
            (None, _) => {}
        }
        before = kind;
    }
    runs
}

/// Whether a character is of a script whose words are found by pairs: Hangul, Han and Kana.
fn is_dense(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}')
}

fn term(characters: &[char]) -> Term {
    let mut hasher = DefaultHasher::new();
    characters.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_find_parts_of_korean_words_and_whole_latin_ones() {
        let found = |query: &str, text: &str| {
            let (query, terms) = (Query::new(query), terms(text));
            query.terms.iter().all(|term| terms.contains(term)) && query.is_in("", text)
        };
        for (query, text) in [
            ("사업보고서", "2025년 사업보고서를 공개합니다"),
            ("보고", "사업보고서"),
            ("글", "새 글"),
            ("DynamoDB", "dynamodb를 쓰는 법"),
            ("서울 office", "새 Office가 서울에 있습니다"),
            ("\u{1112}\u{1161}\u{11ab}상", "한상"),
        ] {
            assert!(found(query, text), "{query} in {text}");
        }
        assert!(!found("보고서를 공개", "공개 보고"));
        // Both pairs are there, but not in a row.
        assert!(!found("가나다", "가나 나다"));
        assert!(Query::new("!? …").is_empty());
    }
}
