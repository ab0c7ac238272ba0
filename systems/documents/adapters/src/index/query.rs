//! Searches.

use std::collections::HashSet;
use std::ops::Range;

use hansang_core::{Error, message};
use serde::{Deserialize, Serialize};
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{BooleanQuery, BoostQuery, FuzzyTermQuery, Occur, PhraseQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{TantivyDocument, Term};

use super::terms::pairs;
use super::{TextIndex, number, text, unavailable};
use crate::messages;
use crate::trouble::ProcessingCode;
use crate::words::{Part, find, parts, query_words};

/// The words of a query that are searched for.
const MAX_PARTS: usize = 32;
/// The hits that can be reached by an offset.
const MAX_REACHED: usize = 10_000;

/// Which segments a search finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Those with all words. A part of a Korean word is found, and the beginning of an English one.
    All,
    /// Those with any part of a word, the best first: for questions.
    Any,
}

/// The hits of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hits {
    /// How many segments were found.
    pub total: usize,
    /// Those that were asked for, the best first.
    pub hits: Vec<Hit>,
}

/// A segment that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hit {
    /// The document.
    pub document_id: String,
    /// The run.
    pub workflow_id: String,
    /// The state of the text.
    pub revision: i64,
    /// The number of the segment.
    pub segment_index: i64,
    /// How well it fits.
    pub score: f32,
    /// The part of the text with the most words.
    pub snippet: String,
    /// The words in the snippet, as ranges of its bytes.
    pub highlights: Vec<Range<usize>>,
    /// The words of the query that the segment has.
    pub terms: Vec<String>,
}

impl TextIndex {
    /// Searches a project. A snippet has about `length` characters.
    ///
    /// # Errors
    /// `query_empty` or `index_unavailable`.
    pub fn search(
        &self,
        project_id: &str,
        query: &str,
        matching: Matching,
        (limit, offset): (usize, usize),
        length: usize,
    ) -> Result<Hits, Error> {
        let words = self.words(query, matching)?;
        let project = Term::from_field_text(self.fields.project, project_id);
        let project: Box<dyn Query> = Box::new(TermQuery::new(project, IndexRecordOption::Basic));
        // The project only selects: its weight would be the same for all.
        let project: Box<dyn Query> = Box::new(BoostQuery::new(project, 0.0));
        let all = BooleanQuery::new(vec![(Occur::Must, project), (Occur::Must, words)]);
        let searcher = self.reader.searcher();
        let best = TopDocs::with_limit(limit.clamp(1, 1000)).and_offset(offset.min(MAX_REACHED));
        let (found, total) = searcher.search(&all, &(best.order_by_score(), Count)).map_err(unavailable)?;
        let marked = query_words(query);
        let hits = found.into_iter().map(|(score, at)| {
            let document: TantivyDocument = searcher.doc(at).map_err(unavailable)?;
            Ok(self.hit(score, &document, &marked, length))
        });
        Ok(Hits { total, hits: hits.collect::<Result<_, Error>>()? })
    }

    /// The query for the words.
    fn words(&self, query: &str, matching: Matching) -> Result<Box<dyn Query>, Error> {
        let mut parts = parts(query);
        parts.truncate(MAX_PARTS);
        if parts.is_empty() {
            return Err(Error::invalid(ProcessingCode::QueryEmpty, message!(messages::QUERY_EMPTY)));
        }
        let clauses = match matching {
            Matching::All => parts.iter().map(|part| (Occur::Must, self.part(part))).collect(),
            Matching::Any => parts.iter().flat_map(|part| self.pieces(part)).collect(),
        };
        Ok(Box::new(BooleanQuery::new(clauses)))
    }

    /// The query for a part of a word: a run as it is, or the beginning of a word.
    fn part(&self, part: &Part) -> Box<dyn Query> {
        match part {
            Part::Run(run) => match pairs(run).map(|pair| self.term(&pair)).collect::<Vec<_>>().as_slice() {
                [] => self.starting_with(&run.iter().collect::<String>()),
                [one] => Box::new(TermQuery::new(one.clone(), IndexRecordOption::WithFreqs)),
                many => Box::new(PhraseQuery::new(many.to_vec())),
            },
            Part::Word(word) => {
                let whole = TermQuery::new(self.term(word), IndexRecordOption::WithFreqs);
                if word.chars().count() < 2 {
                    return Box::new(whole);
                }
                let whole: Box<dyn Query> = Box::new(BoostQuery::new(Box::new(whole), 2.0));
                let begins: Box<dyn Query> = Box::new(BoostQuery::new(self.starting_with(word), 0.2));
                Box::new(BooleanQuery::new(vec![(Occur::Should, whole), (Occur::Should, begins)]))
            }
        }
    }

    /// The clauses for anything of a part of a word. Endings of a Korean word are pairs like others.
    fn pieces(&self, part: &Part) -> Vec<(Occur, Box<dyn Query>)> {
        match part {
            Part::Run(run) if run.len() > 2 => {
                let term = |pair: String| -> Box<dyn Query> {
                    Box::new(TermQuery::new(self.term(&pair), IndexRecordOption::WithFreqs))
                };
                pairs(run).map(|pair| (Occur::Should, term(pair))).collect()
            }
            part => vec![(Occur::Should, self.part(part))],
        }
    }

    fn starting_with(&self, start: &str) -> Box<dyn Query> {
        Box::new(FuzzyTermQuery::new_prefix(self.term(start), 0, true))
    }

    fn term(&self, text: &str) -> Term {
        Term::from_field_text(self.fields.text, text)
    }

    fn hit(&self, score: f32, document: &TantivyDocument, words: &[String], length: usize) -> Hit {
        let whole = text(document, self.fields.text);
        let found = find(&whole, words);
        let seen: HashSet<usize> = found.iter().map(|(_, word)| *word).collect();
        let (snippet, highlights) = snippet(&whole, &found, length);
        Hit {
            document_id: text(document, self.fields.document_id),
            workflow_id: text(document, self.fields.workflow_id),
            revision: number(document, self.fields.revision),
            segment_index: number(document, self.fields.segment),
            score,
            snippet,
            highlights,
            terms: words
                .iter()
                .enumerate()
                .filter(|(at, _)| seen.contains(at))
                .map(|(_, word)| word.clone())
                .collect(),
        }
    }
}

/// The part of a text with the most different words, cut at spaces, and where the words are in it.
fn snippet(text: &str, found: &[(Range<usize>, usize)], length: usize) -> (String, Vec<Range<usize>>) {
    // Most texts have up to three bytes a character.
    let room = length * if text.is_ascii() { 1 } else { 2 };
    let best = found.iter().enumerate().max_by_key(|(at, (first, _))| {
        let inside = found[*at..].iter().take_while(|(range, _)| range.end <= first.start + room);
        let words: Vec<usize> = inside.map(|(_, word)| *word).collect();
        let different: HashSet<&usize> = words.iter().collect();
        (different.len(), words.len(), std::cmp::Reverse(*at))
    });
    let first = best.map_or(0, |(_, (range, _))| range.start);
    let mut start = text.floor_char_boundary(first.saturating_sub(room / 4));
    if start > 0 {
        // Begins with a whole word, if one begins soon.
        start = text[start..first].find(char::is_whitespace).map_or(start, |space| start + space + 1);
        start = text.ceil_char_boundary(start);
    }
    let mut end = text.floor_char_boundary((start + room).min(text.len()));
    if end < text.len() {
        end = text[start..end].rfind(char::is_whitespace).map_or(end, |space| start + space);
    }
    let last = best.map_or(start, |(_, (range, _))| range.end);
    let end = end.max(last).max(start);
    let inside = found.iter().filter(|(range, _)| range.start >= start && range.end <= end);
    let highlights = inside.map(|(range, _)| range.start - start..range.end - start).collect();
    (text[start..end].to_owned(), highlights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_have_the_most_words_and_begin_with_one() {
        let text = format!(
            "예산 {} 예산안과 결산을 함께 보고합니다. {}",
            "가나다 ".repeat(100),
            "라마바 ".repeat(100)
        );
        let words = query_words("예산 결산");
        let (part, marks) = snippet(&text, &find(&text, &words), 60);
        let marked: Vec<&str> = marks.into_iter().map(|range| &part[range]).collect();
        assert_eq!(marked, ["예산", "결산"]);
        assert!(part.starts_with("가나다") && !part.ends_with(' '), "{part}");
        assert_eq!(snippet("", &[], 60), (String::new(), Vec::new()));
        assert_eq!(snippet("short text", &[], 60).0, "short text");
    }
}
