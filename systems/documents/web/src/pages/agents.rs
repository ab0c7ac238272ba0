//! Agents: the user's own instructions for answers in a project.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_documents::{Agent, AgentText, ListAsk, agents, find_agent};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::form::{self, Filled, Question, Sent, revision, text};
use super::project::{self, Head};
use super::{Pages, START, done};
use crate::actions::by;
use crate::actions::own::{CHANGE_AGENT, CREATE_AGENT, DELETE_AGENT};

/// The fields that a problem can be shown at.
const FIELDS: [&str; 2] = ["name", "content"];

#[derive(Template)]
#[template(path = "documents/agents.html")]
struct AgentsPage {
    frame: Frame,
    head: Head,
    cards: Vec<Card>,
    pages: Pager,
}

/// An agent in the list.
struct Card {
    name: String,
    content: String,
    address: String,
    changed: Moment,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let list = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show_all(&shows, &caller, view, &key.text("project")).await
    });
    let (asks, creates) = (pages.clone(), pages.clone());
    let new = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let head = project::head(&asks, &view, &key.text("project")).await?;
        Ok::<_, Problem>(show(&asks, view, &head, None, &Sent::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        create(&creates, &caller, view, &key.text("project"), sent).await
    });
    let (reads, changes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        let (head, agent) = load(&reads, &caller, &view, &key).await?;
        Ok::<_, Problem>(show(&reads, view, &head, Some(&agent), &Sent::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &key, sent).await
    });
    let (sures, deletes) = (pages.clone(), pages.clone());
    let delete = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        let (head, agent) = load(&sures, &caller, &view, &key).await?;
        Ok::<_, Problem>(ask(&sures, view, &head, &agent))
    })
    .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        let project = key.text("project");
        deletes.act(&DELETE_AGENT, &caller, (project.clone(), key.text("agent"))).await?;
        Ok::<_, Problem>(done(notice::DELETED, &format!("{}/agents", project::address(&project))))
    });
    let needs = || pages.needs(Role::Viewer);
    let path = format!("{START}/projects/{{project}}/agents");
    vec![
        Route::page(&path, needs(), list),
        Route::page(&format!("{path}/new"), needs(), new),
        Route::page(&format!("{path}/{{agent}}"), needs(), one),
        Route::page(&format!("{path}/{{agent}}/delete"), needs(), delete),
    ]
}

async fn load(pages: &Pages, caller: &Caller, view: &View, key: &PathKey) -> Result<(Head, Agent), Problem> {
    let head = project::head(pages, view, &key.text("project")).await?;
    let (by, id) = (by(caller)?, key.text("agent"));
    let agent = pages.read("agent", find_agent(pages.documents(), &by, &head.id, &id).boxed()).await?;
    Ok((head, agent))
}

async fn show_all(pages: &Pages, caller: &Caller, view: View, project_id: &str) -> Result<Response, Problem> {
    let head = project::head(pages, &view, project_id).await?;
    let ask = ListAsk { cursor: view.asked().get("cursor").map(str::to_owned), ..ListAsk::default() };
    let by = by(caller)?;
    let found = pages.read("agents", agents(pages.documents(), &by, project_id, &ask).boxed()).await?;
    let here = format!("{}/agents", head.address);
    let card = |agent: &Agent| Card {
        name: agent.name.clone(),
        content: agent.content.chars().take(400).collect(),
        address: format!("{here}/{}", agent.agent_id),
        changed: view.time(agent.updated_at),
    };
    let title = view.say("Agents", "에이전트").to_owned();
    let shown = AgentsPage {
        cards: found.items.iter().map(card).collect(),
        pages: Pager::at(&here, None, found.next.as_deref()),
        frame: pages.frame(view, &title),
        head,
    };
    Ok(page(StatusCode::OK, &shown))
}

fn show(pages: &Pages, view: View, head: &Head, agent: Option<&Agent>, sent: &Sent) -> Response {
    let (name, content) = agent.map(|agent| (agent.name.clone(), agent.content.clone())).unwrap_or_default();
    let fields = vec![
        Field { value: name.clone(), ..Field::text("name", view.say("Name", "이름")) },
        Field {
            value: content,
            input: Input::Area { rows: 10 },
            hint: view
                .say(
                    "How should answers be written? For example: answer briefly, in polite Korean, and name the clause.",
                    "어떻게 답할까요? 예: 존댓말로 짧게 답하고 해당 조항을 함께 적어 주세요.",
                )
                .to_owned(),
            ..Field::text("content", view.say("Instructions", "지침"))
        },
    ];
    let list = format!("{}/agents", head.address);
    let trail = head.trail(&view, &[(view.say("Agents", "에이전트"), &list)]);
    let filled = Filled {
        title: if agent.is_some() { name } else { view.say("New agent", "새 에이전트").to_owned() },
        trail,
        here: format!("{list}/{}", agent.map_or("new", |agent| &agent.agent_id)),
        back: list,
        about: view
            .say(
                "An agent is yours alone. Choose it for a conversation, and its answers follow these instructions.",
                "에이전트는 나만 쓸 수 있습니다. 대화에서 고르면 이 지침에 따라 답합니다.",
            )
            .to_owned(),
        fields,
        revision: agent.map(|agent| agent.revision),
        button: view.say("Save", "저장").to_owned(),
    };
    form::show(pages, view, filled, sent)
}

fn typed(sent: &Form) -> AgentText {
    AgentText { name: text(sent, "name"), content: text(sent, "content") }
}

async fn create(
    pages: &Pages,
    caller: &Caller,
    view: View,
    project_id: &str,
    sent: Form,
) -> Result<Response, Problem> {
    match pages.act(&CREATE_AGENT, caller, (project_id.to_owned(), typed(&sent))).await {
        Ok(_) => Ok(done(notice::CREATED, &format!("{}/agents", project::address(project_id)))),
        Err(error) => {
            let head = project::head(pages, &view, project_id).await?;
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            Ok(show(pages, view, &head, None, &sent))
        }
    }
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    key: &PathKey,
    sent: Form,
) -> Result<Response, Problem> {
    let project = key.text("project");
    let input = (project.clone(), key.text("agent"), typed(&sent), revision(&sent));
    match pages.act(&CHANGE_AGENT, caller, input).await {
        Ok(_) => Ok(done(notice::SAVED, &format!("{}/agents", project::address(&project)))),
        Err(error) => {
            let (head, agent) = load(pages, caller, &view, key).await?;
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            Ok(show(pages, view, &head, Some(&agent), &sent))
        }
    }
}

fn ask(pages: &Pages, view: View, head: &Head, agent: &Agent) -> Response {
    let list = format!("{}/agents", head.address);
    let here = format!("{list}/{}", agent.agent_id);
    let question = Question {
        title: view.say("Delete agent", "에이전트 삭제").to_owned(),
        trail: head.trail(&view, &[(view.say("Agents", "에이전트"), &list)]),
        here: format!("{here}/delete"),
        back: list,
        subjects: vec![agent.name.clone()],
        consequence: view
            .say(
                "Conversations stay, and go on without its instructions. This can't be undone.",
                "대화는 남아 있으며 이 지침 없이 이어집니다. 되돌릴 수 없습니다.",
            )
            .to_owned(),
        values: Vec::new(),
        button: view.say("Delete", "삭제").to_owned(),
        problems: Problems::default(),
        status: StatusCode::OK,
    };
    form::ask(pages, view, question)
}
