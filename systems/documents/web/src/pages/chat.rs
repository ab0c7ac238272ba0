//! A conversation: its messages, with the passages that answers rest on.

use futures_util::FutureExt as _;
use std::collections::BTreeMap;

use askama::Template;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_core::db::Ask;
use hansang_documents::{Citation, Message, Role as Speaker, find_document, messages_of_session};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::conversations::{agents_of, load};
use super::form::{Sent, text};
use super::project::Head;
use super::{Pages, START, answers};
use crate::actions::by;

/// The number of messages of a page: the last ones first.
const ROWS: u32 = 60;

#[derive(Template)]
#[template(path = "documents/chat.html")]
struct Chat {
    frame: Frame,
    head: Head,
    name: String,
    here: String,
    agent: String,
    messages: Vec<Said>,
    earlier: Pager,
    question: Field,
    problems: Problems,
}

/// A message.
struct Said {
    id: String,
    is_question: bool,
    paragraphs: Vec<String>,
    citations: Vec<Cited>,
    at: Moment,
}

/// A passage that an answer rests on.
struct Cited {
    document: String,
    /// The page as people count.
    number: i64,
    quote: String,
    /// The address of its page; none if the document was deleted.
    address: Option<String>,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, asks) = (pages.clone(), pages.clone());
    let chat = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show(&shows, &caller, view, &key, &Sent::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        ask(&asks, &caller, view, &key, sent).await
    });
    let path = format!("{START}/projects/{{project}}/conversations/{{session}}");
    vec![Route::page(&path, pages.needs(Role::Viewer), chat)]
}

async fn show(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: &Sent,
) -> Result<Response, Problem> {
    let (head, session) = load(pages, caller, &view, key).await?;
    let cursor = view.asked().get("cursor").map(str::to_owned);
    let ask = Ask { limit: Some(ROWS), descending: Some(true), cursor, ..Ask::default() };
    let by = by(caller)?;
    let read = messages_of_session(pages.documents(), &by, &head.id, &session.session_id, ask);
    let found = pages.read("messages", read.boxed()).await?;
    let names = names(pages, &head.id, &found.items).await?;
    let agents = agents_of(pages, caller, &head.id).await?;
    let agent = agents.iter().find(|agent| Some(&agent.agent_id) == session.agent_id.as_ref());
    let here = format!("{}/conversations/{}", head.address, session.session_id);
    let cited = |citation: &Citation| Cited {
        document: names
            .get(&citation.document_id)
            .cloned()
            .flatten()
            .unwrap_or_else(|| view.say("A document that was deleted", "삭제된 문서").to_owned()),
        number: citation.segment_index + 1,
        quote: citation.quote.clone(),
        address: names.get(&citation.document_id).cloned().flatten().map(|_| {
            format!(
                "{}/documents/{}/pages/{}",
                head.address,
                citation.document_id,
                citation.segment_index + 1
            )
        }),
    };
    let said = |message: &Message| Said {
        id: message.message_id.clone(),
        is_question: message.role == Speaker::User,
        paragraphs: message.content.split("\n\n").map(str::to_owned).collect(),
        citations: message.citations.iter().map(cited).collect(),
        at: view.time(message.created_at),
    };
    let question = Field {
        input: Input::Area { rows: 2 },
        ..Field::text("question", view.say("Your question", "질문"))
    };
    let chat = Chat {
        messages: found.items.iter().rev().map(said).collect(),
        earlier: Pager::of(&found, &here),
        agent: agent.map(|agent| agent.name.clone()).unwrap_or_default(),
        question: question.sent(&sent.form, &sent.problems),
        problems: sent.problems.clone(),
        name: session.session_name.clone(),
        frame: pages.frame(view, &session.session_name),
        head,
        here,
    };
    Ok(page(sent.status, &chat))
}

/// The names of the cited documents; none for those that were deleted.
async fn names(
    pages: &Pages,
    project_id: &str,
    messages: &[Message],
) -> Result<BTreeMap<String, Option<String>>, Problem> {
    let mut names = BTreeMap::new();
    for citation in messages.iter().flat_map(|message| &message.citations) {
        if names.contains_key(&citation.document_id) {
            continue;
        }
        let name = match find_document(pages.documents(), project_id, &citation.document_id).await {
            Ok(document) => Some(document.name),
            Err(error) if error.kind == ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        names.insert(citation.document_id.clone(), name);
    }
    Ok(names)
}

async fn ask(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: Form,
) -> Result<Response, Problem> {
    let (head, session) = load(pages, caller, &view, key).await?;
    match answers::in_conversation(pages, caller, &session, &text(&sent, "question")).await {
        Ok(()) => {
            let address = format!("{}/conversations/{}#latest", head.address, session.session_id);
            Ok(Redirect::to(&address).into_response())
        }
        Err(error) => {
            let sent = Sent::refused(&view, sent, &["question"], error);
            show(pages, caller, view, key, &sent).await
        }
    }
}
