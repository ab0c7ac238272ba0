//! The user's conversations in a project: begun with a question, renamed, deleted.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_documents::{Agent, ListAsk, Session, SessionText, agents, find_session, sessions};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::form::{self, Filled, Question, Sent, optional, optional_field, revision, text};
use super::project::{self, Head};
use super::{Pages, START, answers, done, messages};
use crate::actions::by;
use crate::actions::own::{CHANGE_SESSION, CREATE_SESSION, DELETE_SESSION};

/// The fields that a problem can be shown at.
const FIELDS: [&str; 2] = ["session_name", "agent_id"];
/// The number of characters of a question that name its conversation.
const NAME: usize = 60;
/// The agents to choose from.
const AGENTS: usize = 100;

#[derive(Template)]
#[template(path = "documents/conversations.html")]
struct Conversations {
    frame: Frame,
    head: Head,
    rows: Vec<Row>,
    question: Field,
    agent: Option<Field>,
    problems: Problems,
    pages: Pager,
}

/// A conversation in the list.
struct Row {
    name: String,
    address: String,
    agent: String,
    created: Moment,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, begins) = (pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show(&shows, &caller, view, &key.text("project"), &Sent::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        begin(&begins, &caller, view, &key.text("project"), sent).await
    });
    let (reads, changes) = (pages.clone(), pages.clone());
    let edit = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        edit(&reads, &caller, view, &key, &Sent::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &key, sent).await
    });
    let (asks, deletes) = (pages.clone(), pages.clone());
    let delete = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        let (head, session) = load(&asks, &caller, &view, &key).await?;
        Ok::<_, Problem>(ask(&asks, view, &head, &session))
    })
    .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        let project = key.text("project");
        deletes.act(&DELETE_SESSION, &caller, (project.clone(), key.text("session"))).await?;
        Ok::<_, Problem>(done(notice::DELETED, &format!("{}/conversations", project::address(&project))))
    });
    let needs = || pages.needs(Role::Viewer);
    let path = format!("{START}/projects/{{project}}/conversations");
    vec![
        Route::page(&path, needs(), list),
        Route::page(&format!("{path}/{{session}}/edit"), needs(), edit),
        Route::page(&format!("{path}/{{session}}/delete"), needs(), delete),
    ]
}

/// A conversation of the caller, with the head of its project.
pub(super) async fn load(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    key: &PathKey,
) -> Result<(Head, Session), Problem> {
    let head = project::head(pages, view, &key.text("project")).await?;
    let (by, id) = (by(caller)?, key.text("session"));
    let session = pages.read("session", find_session(pages.documents(), &by, &head.id, &id).boxed()).await?;
    Ok((head, session))
}

/// The agents of the caller in a project.
pub(super) async fn agents_of(
    pages: &Pages,
    caller: &Caller,
    project_id: &str,
) -> Result<Vec<Agent>, Problem> {
    let by = by(caller)?;
    let ask = ListAsk { limit: Some(AGENTS), ..ListAsk::default() };
    Ok(pages.read("agents", agents(pages.documents(), &by, project_id, &ask).boxed()).await?.items)
}

/// The choice of an agent; none if there are no agents.
fn agent_field(view: &View, agents: &[Agent], chosen: Option<&str>) -> Option<Field> {
    if agents.is_empty() {
        return None;
    }
    let mut choices = vec![(String::new(), view.say("No agent", "에이전트 없음").to_owned())];
    choices.extend(agents.iter().map(|agent| (agent.agent_id.clone(), agent.name.clone())));
    let known = chosen.filter(|id| agents.iter().any(|agent| agent.agent_id == *id));
    Some(optional_field(Field {
        value: known.unwrap_or_default().to_owned(),
        input: Input::Choice(choices),
        ..Field::text("agent_id", view.say("Agent", "에이전트"))
    }))
}

async fn show(
    pages: &Pages,
    caller: &Caller,
    view: View,
    project_id: &str,
    sent: &Sent,
) -> Result<Response, Problem> {
    let head = project::head(pages, &view, project_id).await?;
    let by = by(caller)?;
    let ask = ListAsk { cursor: view.asked().get("cursor").map(str::to_owned), ..ListAsk::default() };
    let found = pages.read("sessions", sessions(pages.documents(), &by, project_id, &ask).boxed()).await?;
    let agents = agents_of(pages, caller, project_id).await?;
    let here = format!("{}/conversations", head.address);
    let agent_name = |id: &Option<String>| {
        let agent = agents.iter().find(|agent| Some(&agent.agent_id) == id.as_ref());
        agent.map(|agent| agent.name.clone()).unwrap_or_default()
    };
    let row = |session: &Session| Row {
        name: session.session_name.clone(),
        address: format!("{here}/{}", session.session_id),
        agent: agent_name(&session.agent_id),
        created: view.time(session.created_at),
    };
    let question = Field {
        input: Input::Area { rows: 3 },
        ..Field::text("question", view.say("Ask about the documents", "문서에 대해 질문하기"))
    };
    let title = view.say("Conversations", "대화").to_owned();
    let shown = Conversations {
        rows: found.items.iter().map(row).collect(),
        question: question.sent(&sent.form, &sent.problems),
        agent: agent_field(&view, &agents, None).map(|field| field.sent(&sent.form, &sent.problems)),
        problems: sent.problems.clone(),
        pages: Pager::at(&here, None, found.next.as_deref()),
        frame: pages.frame(view, &title),
        head,
    };
    Ok(page(sent.status, &shown))
}

/// Begins a conversation with its first question, which names it.
async fn begin(
    pages: &Pages,
    caller: &Caller,
    view: View,
    project_id: &str,
    sent: Form,
) -> Result<Response, Problem> {
    match first(pages, caller, project_id, &sent).await {
        Ok(session) => {
            let address = format!("{}/conversations/{}", project::address(project_id), session.session_id);
            Ok(Redirect::to(&address).into_response())
        }
        Err(error) => {
            let sent = Sent::refused(&view, sent, &["question", "agent_id"], error);
            show(pages, caller, view, project_id, &sent).await
        }
    }
}

async fn first(pages: &Pages, caller: &Caller, project_id: &str, sent: &Form) -> Result<Session, Error> {
    let question = text(sent, "question");
    if question.is_empty() {
        return Err(Error::fields(vec![violation("question", message!(messages::TYPE_QUESTION))]));
    }
    let line = question.split_whitespace().collect::<Vec<_>>().join(" ");
    let session_name = match line.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    };
    let text =
        SessionText { session_name, session_type: "chat".to_owned(), agent_id: optional(sent, "agent_id") };
    let session = pages.act(&CREATE_SESSION, caller, (project_id.to_owned(), text)).await?;
    answers::in_conversation(pages, caller, &session, &question).await?;
    Ok(session)
}

async fn edit(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: &Sent,
) -> Result<Response, Problem> {
    let (head, session) = load(pages, caller, &view, key).await?;
    let agents = agents_of(pages, caller, &head.id).await?;
    let mut fields = vec![Field {
        value: session.session_name.clone(),
        ..Field::text("session_name", view.say("Name", "이름"))
    }];
    fields.extend(agent_field(&view, &agents, session.agent_id.as_deref()));
    let list = format!("{}/conversations", head.address);
    let here = format!("{list}/{}", session.session_id);
    let filled = Filled {
        title: view.say("Rename conversation", "대화 이름 바꾸기").to_owned(),
        trail: head
            .trail(&view, &[(view.say("Conversations", "대화"), &list), (&session.session_name, &here)]),
        here: format!("{here}/edit"),
        back: here,
        about: String::new(),
        fields,
        revision: Some(session.revision),
        button: view.say("Save", "저장").to_owned(),
    };
    Ok(form::show(pages, view, filled, sent))
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: Form,
) -> Result<Response, Problem> {
    let (head, session) = load(pages, caller, &view, key).await?;
    let text = SessionText {
        session_name: text(&sent, "session_name"),
        session_type: session.session_type.clone(),
        agent_id: optional(&sent, "agent_id"),
    };
    let input = (head.id.clone(), session.session_id.clone(), text, revision(&sent));
    match pages.act(&CHANGE_SESSION, caller, input).await {
        Ok(_) => {
            let address = format!("{}/conversations/{}", head.address, session.session_id);
            Ok(done(notice::SAVED, &address))
        }
        Err(error) => {
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            edit(pages, caller, view, key, &sent).await
        }
    }
}

fn ask(pages: &Pages, view: View, head: &Head, session: &Session) -> Response {
    let list = format!("{}/conversations", head.address);
    let here = format!("{list}/{}", session.session_id);
    let question = Question {
        title: view.say("Delete conversation", "대화 삭제").to_owned(),
        trail: head.trail(&view, &[(view.say("Conversations", "대화"), &list)]),
        here: format!("{here}/delete"),
        back: here,
        subjects: vec![session.session_name.clone()],
        consequence: view
            .say(
                "The conversation is deleted with all its messages. This can't be undone.",
                "대화와 모든 메시지를 삭제합니다. 되돌릴 수 없습니다.",
            )
            .to_owned(),
        values: Vec::new(),
        button: view.say("Delete", "삭제").to_owned(),
        problems: Problems::default(),
        status: StatusCode::OK,
    };
    form::ask(pages, view, question)
}
