//! Questions to the documents of a project.

use hansang_core::Error;
use hansang_core::message;
use hansang_core::message::Language;
use hansang_documents::{Citation, Message, NewMessage, Role, add_message, find_session};
use hansang_documents_adapters::{Matching, Passage, ask};
use hansang_server::Action;

use super::Change;
use crate::messages;
use crate::search::find;
use crate::state::State;

/// The passages that an answer is made of.
const PASSAGES: usize = 8;
/// The characters of a passage.
const LENGTH: usize = 800;

/// Asks a question in a conversation of a project, and keeps the question and the answer in it.
pub(crate) const ASK: Change<(String, String, String), (Message, Message)> = Action {
    name: "session.ask",
    summary: &messages::ASK,
    subject: |(_, (_, session_id, _))| session_id.clone(),
    run: |state, (by, (project_id, session_id, question))| {
        Box::pin(async move { ask_documents(state, &by, &project_id, &session_id, &question).await })
    },
};

async fn ask_documents(
    state: &State,
    by: &str,
    project_id: &str,
    session_id: &str,
    question: &str,
) -> Result<(Message, Message), Error> {
    find_session(&state.documents, by, project_id, session_id).await?;
    let found = find(state, project_id, question, Matching::Any, (PASSAGES, 0), LENGTH).await?;
    let passages: Vec<Passage> = found
        .items
        .iter()
        .map(|found| Passage {
            document_id: found.hit.document_id.clone(),
            document_name: found.document_name.clone(),
            segment_index: found.hit.segment_index,
            text: found.hit.snippet.clone(),
        })
        .collect();
    let answer = ask(state.settings.model.as_ref(), question, &passages).await?;
    let cited = answer.cited.iter().filter_map(|place| found.items.get(*place));
    let citations: Vec<Citation> = cited
        .map(|found| Citation {
            document_id: found.hit.document_id.clone(),
            workflow_id: found.hit.workflow_id.clone(),
            segment_index: found.hit.segment_index,
            quote: found.hit.snippet.clone(),
        })
        .collect();
    let content = answer.text.unwrap_or_else(|| without_model(question, citations.is_empty()));
    let asked = NewMessage { role: Role::User, content: question.to_owned(), citations: Vec::new() };
    let asked = add_message(&state.documents, by, project_id, session_id, &asked).await?;
    let answered = NewMessage { role: Role::Assistant, content, citations };
    let answered = add_message(&state.documents, by, project_id, session_id, &answered).await?;
    Ok((asked, answered))
}

/// The text above passages where no model writes one, in the language of the question.
fn without_model(question: &str, is_empty: bool) -> String {
    let message = if is_empty { message!(messages::NOTHING_FITS) } else { message!(messages::PASSAGES) };
    let is_korean = question.chars().any(|one| ('가'..='힣').contains(&one));
    message.in_language(if is_korean { Language::Korean } else { Language::English }).to_string()
}
