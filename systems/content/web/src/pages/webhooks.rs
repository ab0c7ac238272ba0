//! Webhooks: addresses that are told of publications and inquiries.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_content::{
    Event, Webhook, WebhookDelivery, WebhookText, find_webhook, webhook_deliveries, webhooks,
};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Table};
use hansang_ui::time::Moment;

use super::form::{revision, started_from, stored_beside};
use super::list::{self, List};
use super::words::{Badge, mail_state};
use super::{Pages, START, done};
use crate::actions::MANAGER;
use crate::actions::managed::{CHANGE_WEBHOOK, CREATE_WEBHOOK, DELETE_WEBHOOK, TEST_WEBHOOK};
use crate::notices;

const FIELDS: [&str; 3] = ["url", "secret", "events"];
/// The number of deliveries shown.
const DELIVERIES: u32 = 30;

#[derive(Template)]
#[template(path = "content/webhook.html")]
struct Shown {
    frame: Frame,
    here: String,
    url: Field,
    secret: Field,
    active: Field,
    /// Name, label, and whether it is chosen.
    events: Vec<(&'static str, String, bool)>,
    events_problem: Option<String>,
    problems: Problems,
    /// The revision of a webhook that exists.
    revision: Option<i64>,
    /// What someone else has saved meanwhile.
    stored: Vec<(String, String)>,
    failing: Option<String>,
    deliveries: Vec<Delivery>,
}

struct Delivery {
    event: String,
    at: Moment,
    state: Badge,
    attempts: i64,
    answer: String,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let list = on(MethodFilter::GET, async move |view: View| show_all(&shows, view).await);
    let (asks, creates) = (pages.clone(), pages.clone());
    let new = on(MethodFilter::GET, async move |view: View| {
        show(&asks, view, StatusCode::OK, None, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        create(&creates, &caller, view, &sent).await
    });
    let (reads, changes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let id = key.text("id");
        show(&reads, view, StatusCode::OK, Some(&id), &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &key.text("id"), &sent).await
    });
    let needs = || pages.needs(MANAGER);
    vec![
        Route::page(&format!("{START}/webhooks"), needs(), list),
        Route::page(&format!("{START}/webhooks/new"), needs(), new),
        Route::page(&format!("{START}/webhooks/{{id}}"), needs(), one),
    ]
}

fn event_name(view: &View, event: Event) -> String {
    let name = match event {
        Event::PostPublished => view.say("Post published", "글 게시"),
        Event::PostUnpublished => view.say("Post unpublished", "글 게시 취소"),
        Event::InquiryCreated => view.say("Inquiry received", "문의 접수"),
        Event::Test => view.say("Test", "시험 발송"),
    };
    name.to_owned()
}

/// The events that a webhook can be told of.
fn events() -> impl Iterator<Item = Event> {
    Event::ALL.into_iter().filter(|event| *event != Event::Test)
}

async fn show_all(pages: &Pages, view: View) -> Result<Response, Problem> {
    let webhooks = pages.read("webhooks", webhooks(pages.content())).await?;
    let row = |webhook: &Webhook| {
        let state = match (webhook.active, webhook.failures) {
            (false, _) => (view.say("Off", "꺼짐"), ""),
            (true, 0) => (view.say("Active", "사용 중"), "good"),
            (true, _) => (view.say("Failing", "발송 실패 중"), "bad"),
        };
        let names: Vec<String> = webhook.events.iter().map(|event| event_name(&view, *event)).collect();
        Row {
            key: webhook.id.clone(),
            link: Some(format!("{START}/webhooks/{}", webhook.id)),
            cells: vec![
                Cell::Text(webhook.url.clone()),
                Cell::tag(state.0, state.1),
                Cell::Text(names.join(", ")),
            ],
        }
    };
    let new = (view.say("New webhook", "새 웹훅").to_owned(), format!("{START}/webhooks/new"));
    let about = view.say(
        "Addresses of other programs that are told when a post is published or an inquiry arrives.",
        "글이 게시되거나 문의가 들어오면 알려 줄 다른 프로그램의 주소입니다.",
    );
    let table = Table {
        name: "content/webhooks".to_owned(),
        label: view.say("Webhooks", "웹훅").to_owned(),
        columns: vec![
            Column::new("url", view.say("Address", "주소"), Kind::Text),
            Column::new("state", view.say("State", "상태"), Kind::Tag),
            Column::new("events", view.say("Events", "이벤트"), Kind::Text),
        ],
        rows: webhooks.iter().map(row).collect(),
        empty: Empty {
            icon: "bolt",
            title: view.say("No webhooks yet", "아직 웹훅이 없습니다").to_owned(),
            text: about.to_owned(),
            action: Some(new.clone()),
        },
        ..Table::default()
    };
    let list = List { title: table.label.clone(), tab: "webhooks", new, about: about.to_owned(), table };
    Ok(list::show(pages, view, list))
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    id: Option<&str>,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let content = pages.content();
    let read = async {
        let Some(id) = id else { return Ok((None, Vec::new())) };
        let ask = Ask { limit: Some(DELIVERIES), ..Ask::default() };
        let webhook = find_webhook(content, id).await?;
        Ok((Some(webhook), webhook_deliveries(content, id, ask).await?.deliveries))
    };
    let (webhook, deliveries) = pages.read("webhook", read.boxed()).await?;
    let kept = view.draft.clone();
    let sent = if kept.pairs().next().is_some() { &kept } else { sent };
    let was_sent = sent.pairs().next().is_some();
    let chosen = |event: Event| match (&webhook, was_sent) {
        (_, true) => sent.get(&format!("event.{}", event.name())).is_some(),
        (Some(webhook), false) => webhook.events.contains(&event),
        (None, false) => true,
    };
    let title = match &webhook {
        Some(_) => view.say("Webhook", "웹훅").to_owned(),
        None => view.say("New webhook", "새 웹훅").to_owned(),
    };
    let hint = match &webhook {
        Some(_) => view.say("Leave it empty to keep the current one.", "비워 두면 지금 값을 유지합니다."),
        None => view
            .say("Signs every delivery. At least 16 characters.", "발송할 때마다 서명에 씁니다. 16자 이상."),
    };
    let url = Field {
        input: Input::Url,
        value: webhook.as_ref().map(|webhook| webhook.url.clone()).unwrap_or_default(),
        ..Field::text("url", view.say("Address", "주소"))
    };
    let secret = Field {
        input: Input::Password,
        hint: hint.to_owned(),
        required: webhook.is_none(),
        autocomplete: "new-password",
        ..Field::text("secret", view.say("Secret", "비밀 값"))
    };
    let is_active =
        if was_sent { sent.text("active") == "true" } else { webhook.as_ref().is_none_or(|one| one.active) };
    let active = Field {
        input: Input::Check,
        required: false,
        value: is_active.to_string(),
        ..Field::text("active", view.say("Active", "사용"))
    };
    let row = |delivery: &WebhookDelivery| Delivery {
        event: event_name(&view, delivery.event),
        at: view.time(delivery.created_at),
        state: mail_state(&view, delivery.state),
        attempts: delivery.attempts,
        answer: match (delivery.status, &delivery.error) {
            (Some(status), None) => status.to_string(),
            (_, Some(error)) => error.clone(),
            (None, None) => String::new(),
        },
    };
    let mut stored = stored_beside(status, sent, std::slice::from_ref(&url));
    if let (StatusCode::PRECONDITION_FAILED, Some(webhook), true) =
        (status, &webhook, sent.get("url").is_some())
    {
        if events().any(|event| chosen(event) != webhook.events.contains(&event)) {
            let names: Vec<String> = webhook.events.iter().map(|event| event_name(&view, *event)).collect();
            stored.push((view.say("Events", "이벤트").to_owned(), names.join(", ")));
        }
        if is_active != webhook.active {
            let state = if webhook.active { view.say("Yes", "예") } else { view.say("No", "아니요") };
            stored.push((active.label.clone(), state.to_owned()));
        }
    }
    let shown = Shown {
        stored,
        here: format!("{START}/webhooks/{}", id.unwrap_or("new")),
        url: url.sent(sent, &problems),
        secret: Field { problem: problems.of("secret"), ..secret },
        active,
        events: events().map(|event| (event.name(), event_name(&view, event), chosen(event))).collect(),
        events_problem: problems.of("events"),
        problems,
        revision: webhook.as_ref().map(|one| started_from(&view, status, sent, one.revision)),
        failing: webhook.as_ref().and_then(|webhook| webhook.error.clone()),
        deliveries: deliveries.iter().map(row).collect(),
        frame: pages.frame(view, &title),
    };
    Ok(page(status, &shown))
}

fn typed(sent: &Form) -> WebhookText {
    WebhookText {
        url: sent.text("url").trim().to_owned(),
        secret: sent.text("secret").to_owned(),
        events: events().filter(|event| sent.get(&format!("event.{}", event.name())).is_some()).collect(),
        active: sent.text("active") == "true",
    }
}

async fn create(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    match pages.act(&CREATE_WEBHOOK, caller, typed(sent)).await {
        Ok(webhook) => Ok(done(notice::CREATED, &format!("{START}/webhooks/{}", webhook.id))),
        Err(error) => refuse(pages, view, None, sent, error).await,
    }
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    match save(pages, caller, id, sent).await {
        Ok((notice, address)) => Ok(done(notice, &address)),
        Err(error) => refuse(pages, view, Some(id), sent, error).await,
    }
}

async fn refuse(
    pages: &Pages,
    view: View,
    id: Option<&str>,
    sent: &Form,
    error: Error,
) -> Result<Response, Problem> {
    let problem = Problem::from(error);
    let problems = Problems::of_error(&problem, &FIELDS, view.language);
    show(pages, view, problem.status, id, sent, problems).await
}

async fn save(pages: &Pages, caller: &Caller, id: &str, sent: &Form) -> Result<(Notice, String), Error> {
    let here = format!("{START}/webhooks/{id}");
    let (id, revision) = (id.to_owned(), revision(sent));
    match sent.text("do") {
        "delete" => {
            pages.act(&DELETE_WEBHOOK, caller, (id, revision)).await?;
            Ok((notice::DELETED, format!("{START}/webhooks")))
        }
        "test" => {
            pages.act(&TEST_WEBHOOK, caller, id).await?;
            Ok((notices::TEST_WAITS, here))
        }
        _ => {
            pages.act(&CHANGE_WEBHOOK, caller, (id, typed(sent), revision)).await?;
            Ok((notice::SAVED, here))
        }
    }
}
