//! Questions to the documents of a project.

use hansang_core::db::Ask;
use hansang_core::message::Language;
use hansang_core::{Error, ErrorKind, message};
use hansang_documents::{
    Citation, Message, NewMessage, Role, Session, add_message, find_agent, find_session, messages_of_session,
};
use hansang_documents_adapters::{Answer, Asked, MAX_EARLIER, Matching, Passage, Turn, ask};
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
    let session = find_session(&state.documents, by, project_id, session_id).await?;
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
    let answer = answer(state, &session, question, &passages).await?;
    let cited = answer.cited.iter().filter_map(|place| found.items.get(*place));
    let citations: Vec<Citation> = cited
        .map(|found| Citation {
            document_id: found.hit.document_id.clone(),
            workflow_id: found.hit.workflow_id.clone(),
            segment_index: found.hit.segment_index,
            quote: found.hit.snippet.clone(),
        })
        .collect();
    let content = match (answer.text, answer.problem.is_some(), citations.is_empty()) {
        (Some(text), ..) => text,
        (None, true, _) => in_language_of(question, message!(messages::MODEL_FAILED)),
        (None, false, true) => in_language_of(question, message!(messages::NOTHING_FITS)),
        (None, false, false) => in_language_of(question, message!(messages::PASSAGES)),
    };
    let asked = NewMessage { role: Role::User, content: question.to_owned(), citations: Vec::new() };
    let asked = add_message(&state.documents, by, project_id, session_id, &asked).await?;
    let answered = NewMessage { role: Role::Assistant, content, citations };
    let answered = add_message(&state.documents, by, project_id, session_id, &answered).await?;
    Ok((asked, answered))
}

/// The answer of the model, which knows the conversation and the instructions of its agent; the best passages without one.
async fn answer(
    state: &State,
    session: &Session,
    question: &str,
    passages: &[Passage],
) -> Result<Answer, Error> {
    let Some(model) = &state.settings.model else {
        return Ok(ask(None, &Asked { question, ..Asked::default() }, passages).await);
    };
    let Session { user_id, project_id, session_id, .. } = session;
    let agent = match &session.agent_id {
        // An agent that was deleted has no instructions any more.
        Some(agent_id) => match find_agent(&state.documents, user_id, project_id, agent_id).await {
            Err(error) if error.kind == ErrorKind::NotFound => None,
            found => Some(found?),
        },
        None => None,
    };
    let newest = Ask { limit: Some(MAX_EARLIER), descending: Some(true), ..Ask::default() };
    let earlier = messages_of_session(&state.documents, user_id, project_id, session_id, newest).await?.items;
    let turn = |said: &Message| Turn { of_model: said.role == Role::Assistant, text: said.content.clone() };
    let earlier: Vec<Turn> = earlier.iter().rev().map(turn).collect();
    let instructions = agent.as_ref().map(|agent| &*agent.content);
    let answer = ask(Some(model), &Asked { question, instructions, earlier: &earlier }, passages).await;
    if let Some(problem) = &answer.problem {
        tracing::warn!(error = %problem, cause = ?problem.source, "the language model wrote no answer: passages are shown");
    }
    Ok(answer)
}

/// The text above passages where no model writes one, in the language of the question.
fn in_language_of(question: &str, message: hansang_core::Message) -> String {
    let is_korean = question.chars().any(|one| ('가'..='힣').contains(&one));
    message.in_language(if is_korean { Language::Korean } else { Language::English }).to_string()
}
