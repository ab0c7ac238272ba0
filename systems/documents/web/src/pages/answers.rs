//! Search over the texts of a project, and answers to questions with the passages that they rest on.

use futures_util::FutureExt as _;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_documents::{Session, find_document, segment};
use hansang_documents_adapters::{Asked, Hit, Passage, ask};
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::frame::View;

use super::marks::{self, Parts};
use super::{Pages, messages, project, words};
use crate::actions::ADD_QUESTION;
use crate::actions::asking::ASK;

/// The characters of a passage that answers a question.
const PASSAGE: usize = 600;
/// The passages that an answer is made of.
const PASSAGES: usize = 8;
/// The characters of an answer that a page keeps.
const KEPT: usize = 2000;

/// A part of a document that was found.
pub(super) struct Found {
    pub(super) document: String,
    pub(super) part: String,
    pub(super) address: String,
    pub(super) snippet: Parts,
}

/// Searches all texts of a project. Returns the parts of this page, and how many there are.
pub(super) async fn search(
    pages: &Pages,
    view: &View,
    project_id: &str,
    text: &str,
    page: (usize, usize),
) -> Result<(Vec<Found>, usize), Error> {
    let found =
        pages.calls.measured("search", crate::search::search(&pages.state, project_id, text, page).boxed());
    let found = found.await?;
    let base = project::address(project_id);
    let part = |one: &crate::search::Found| {
        let hit = &one.hit;
        let number = hit.segment_index + 1;
        let page = format!("{base}/documents/{}/pages/{number}", hit.document_id);
        Found {
            document: one.document_name.clone(),
            part: words::part(view, None, hit.segment_index),
            address: address::with(&page, &[("q", text)]),
            snippet: parts(&hit.snippet, hit),
        }
    };
    Ok((found.items.iter().map(part).collect(), found.total))
}

/// A snippet with its words marked.
fn parts(text: &str, hit: &Hit) -> Parts {
    let (mut parts, mut at) = (Parts::new(), 0);
    for range in &hit.highlights {
        if let (Some(before), Some(word)) = (text.get(at..range.start), text.get(range.clone())) {
            parts.push((before.to_owned(), false));
            parts.push((word.to_owned(), true));
            at = range.end;
        }
    }
    parts.push((text.get(at..).unwrap_or_default().to_owned(), false));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// Answers a question in a conversation.
pub(super) async fn in_conversation(
    pages: &Pages,
    caller: &Caller,
    session: &Session,
    question: &str,
) -> Result<(), Error> {
    check(question)?;
    let input = (session.project_id.clone(), session.session_id.clone(), question.to_owned());
    pages.act(&ASK, caller, input).await.map(drop)
}

/// Answers a question about a page, and keeps both with it.
pub(super) async fn about_page(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    (project_id, document_id, index): (&str, &str, i64),
    question: &str,
) -> Result<(), Error> {
    check(question)?;
    let document = find_document(pages.documents(), project_id, document_id).await?;
    let run = document.text_workflow_id.as_ref().or(document.workflow_id.as_ref());
    let workflow_id = run.cloned().unwrap_or_default();
    let segment = segment(pages.documents(), &workflow_id, index).await?;
    let text = segment.text.content.as_deref().unwrap_or_default();
    let passage = |text: String| Passage {
        document_id: document_id.to_owned(),
        document_name: document.name.clone(),
        segment_index: index,
        text,
    };
    let passages: Vec<Passage> = best(text, question).into_iter().map(passage).collect();
    let (model, asked) = (pages.state.settings.model.as_ref(), Asked { question, ..Asked::default() });
    let asking = async { Ok(ask(model, &asked, &passages).await) };
    let answer = pages.calls.measured("ask", asking.boxed()).await?;
    let answer = answer.text.unwrap_or_else(|| {
        let cited = answer.cited.iter().filter_map(|index| passages.get(*index));
        let mut quotes: Vec<String> = cited.map(|passage| passage.text.clone()).collect();
        if let Some(problem) = &answer.problem {
            tracing::warn!(error = %problem, cause = ?problem.source, "the language model wrote no answer: passages are shown");
            quotes.insert(0, view.sentence(message!(crate::messages::MODEL_FAILED)));
        }
        if quotes.is_empty() { nothing(view) } else { quotes.join("\n\n") }
    });
    let kept: String = answer.chars().take(KEPT).collect();
    pages.act(&ADD_QUESTION, caller, (workflow_id, index, question.to_owned(), kept)).await.map(drop)
}

/// The passages of a text with words of a question, those with the most first.
fn best(text: &str, question: &str) -> Vec<String> {
    let wanted = marks::words(question);
    let passages = text.split("\n\n").flat_map(|paragraph| pieces(paragraph.trim()));
    let mut scored: Vec<(usize, String)> = passages
        .map(|passage| {
            let score = wanted.iter().filter(|word| marks::has_stem(&passage, word)).count();
            (score, passage)
        })
        .filter(|(score, _)| *score > 0)
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, passage)| passage).take(PASSAGES).collect()
}

/// A paragraph in pieces of whole lines, none much longer than a passage.
fn pieces(paragraph: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for line in paragraph.lines() {
        match pieces.last_mut().filter(|piece| piece.chars().count() + line.chars().count() < PASSAGE) {
            Some(piece) => {
                piece.push('\n');
                piece.push_str(line);
            }
            None => pieces.push(line.to_owned()),
        }
    }
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// The answer if no passage fits the question.
fn nothing(view: &View) -> String {
    let text = view.say(
        "Nothing about this was found on the page. Try other words.",
        "이 쪽에서 관련된 내용을 찾지 못했습니다. 다른 말로 질문해 보세요.",
    );
    text.to_owned()
}

fn check(question: &str) -> Result<(), Error> {
    if marks::words(question).is_empty() {
        return Err(Error::fields(vec![violation("question", message!(messages::TYPE_QUESTION))]));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_passage_with_most_words_is_the_best() {
        let text = "임대 기간은 2년으로 한다.\n\n보증금은 천만 원이다.\n\n임대 보증금은 계약일에 낸다.";
        let found = best(text, "임대 보증금은 언제 내나요?");
        assert_eq!(found[0], "임대 보증금은 계약일에 낸다.");
        assert_eq!(found.len(), 3);
        assert!(best(text, "weather").is_empty());
    }

    #[test]
    fn long_paragraphs_are_cut_at_lines() {
        let pieces = pieces(&format!("{}\n{}", "a".repeat(500), "b".repeat(500)));
        assert_eq!(pieces.len(), 2);
    }
}
