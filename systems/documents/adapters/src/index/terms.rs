//! The terms of a text: words, and pairs of neighbours in scripts without spaces or with endings.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::words::{Part, parts};

/// Cuts texts into terms.
#[derive(Clone, Default)]
pub(super) struct Terms {
    tokens: Vec<Token>,
}

/// The terms of one text, one after the other.
pub(super) struct TermStream<'a> {
    tokens: &'a mut Vec<Token>,
    next: usize,
}

impl Tokenizer for Terms {
    type TokenStream<'a> = TermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TermStream<'a> {
        self.tokens =
            terms(text).into_iter().enumerate().map(|(position, text)| token(position, text)).collect();
        TermStream { tokens: &mut self.tokens, next: 0 }
    }
}

fn token(position: usize, text: String) -> Token {
    // Texts are searched for words again to mark them: the index needs no places.
    Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 }
}

impl TokenStream for TermStream<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.next - 1]
    }
}

/// The terms of a text in their order. The last character of a run is a term of its own, so that each is the first of one.
fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    for part in parts(text) {
        match part {
            Part::Word(word) => terms.push(word),
            Part::Run(run) => {
                terms.extend(pairs(&run));
                terms.extend(run.last().map(|last| last.to_string()));
            }
        }
    }
    terms
}

/// The pairs of neighbours in a run.
pub(super) fn pairs(run: &[char]) -> impl Iterator<Item = String> {
    run.windows(2).map(|pair| pair.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_becomes_pairs_and_words_stay_whole() {
        assert_eq!(terms("예산안 2024 Budget"), ["예산", "산안", "안", "2024", "budget"]);
        assert_eq!(terms("案 b"), ["案", "b"]);
        assert!(terms(" .,").is_empty());
    }
}
