//! One inquiry: the message, its mails, a reply, its status.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{
    Inquiry, InquiryMail, InquiryStatus, MailKind, MailState, fill_template, find_inquiry, mails_of,
    reply_templates,
};
use hansang_core::Error;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};
use hansang_ui::time::Moment;

use super::words::{Badge, mail_state, marks, status};
use super::{Pages, START, done};
use crate::actions::{ERASE, MANAGER, RELEASE, REPLY, RESEND, SET_STATUS};
use crate::notices;

#[derive(Template)]
#[template(path = "content/inquiry.html")]
struct Shown {
    frame: Frame,
    /// Whether the visitor may erase inquiries.
    may_erase: bool,
    inquiry: Inquiry,
    subject: String,
    badges: Vec<Badge>,
    received: Moment,
    purged: Option<Moment>,
    mails: Vec<MailRow>,
    /// The statuses that it can move to: name and label of the button.
    moves: Vec<(&'static str, &'static str)>,
    /// Texts to start a reply with: title and text.
    templates: Vec<(String, String)>,
    reply: Field,
    problems: Problems,
}

/// A mail of the thread.
struct MailRow {
    id: String,
    title: &'static str,
    to: String,
    sent: Option<Moment>,
    state: Badge,
    error: Option<String>,
    /// The text of a reply.
    body: Option<String>,
    by: Option<String>,
    can_resend: bool,
}

#[derive(Template)]
#[template(path = "content/erase.html")]
struct Erase {
    frame: Frame,
    id: String,
    subject: String,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, StatusCode::OK, &key.text("id"), &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    let (asks, erases) = (pages.clone(), pages.clone());
    let erase = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let id = key.text("id");
        let inquiry = asks.read("inquiry", find_inquiry(asks.content(), &id)).await?;
        let title = view.say("Delete inquiry", "문의 삭제").to_owned();
        let frame = asks.frame(view, &title);
        Ok::<_, Problem>(page(StatusCode::OK, &Erase { id, subject: inquiry.subject, frame }))
    })
    .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        erases.act(&ERASE, &caller, key.text("id")).await?;
        Ok::<_, Problem>(done(notice::DELETED, &format!("{START}/inquiries")))
    });
    vec![
        Route::page(&format!("{START}/inquiries/{{id}}"), pages.needs(Role::Editor), one),
        Route::page(&format!("{START}/inquiries/{{id}}/delete"), pages.needs(MANAGER), erase),
    ]
}

async fn show(
    pages: &Pages,
    view: View,
    http: StatusCode,
    id: &str,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let content = pages.content();
    let read = async {
        let inquiry = find_inquiry(content, id).await?;
        Ok((inquiry, mails_of(content, id).await?, reply_templates(content).await?))
    };
    let (inquiry, mails, templates) = pages.read("inquiry", read.boxed()).await?;
    let people = pages.console.people(mails.iter().filter_map(|mail| mail.by.as_deref())).await;
    let subject = match &*inquiry.subject {
        "" => view.say("No subject", "제목 없음").to_owned(),
        subject => subject.to_owned(),
    };
    let frame = pages.frame(view, &subject);
    let view = &frame.view;
    let mut badges = vec![status(view, inquiry.status)];
    badges.extend(marks(view, &inquiry));
    let row = |mail: &InquiryMail| MailRow {
        id: mail.id.clone(),
        title: match mail.kind {
            MailKind::Notification => view.say("Notification", "알림"),
            MailKind::Reply => view.say("Reply", "답변"),
        },
        to: mail.to.clone().unwrap_or_default(),
        sent: mail.sent_at.map(|at| view.time(at)),
        state: mail_state(view, mail.state),
        error: mail.error.clone().filter(|_| mail.state != MailState::Sent),
        body: (mail.kind == MailKind::Reply).then(|| mail.body.clone()),
        by: mail.by.as_deref().map(|by| people.name(by)),
        can_resend: mail.state == MailState::Failed,
    };
    let hint = match inquiry.status {
        InquiryStatus::Done => view.say(
            "Replying reopens the inquiry until the mail is sent.",
            "답변하면 메일을 보낼 때까지 문의가 다시 처리 중이 됩니다.",
        ),
        _ => view.say(
            "The inquiry is done when the mail server has accepted the reply.",
            "메일 서버가 답변을 받으면 문의가 완료됩니다.",
        ),
    };
    let reply = Field {
        input: Input::Area { rows: 8 },
        hint: hint.to_owned(),
        ..Field::text("message", view.say("Reply", "답변"))
    };
    let shown = Shown {
        may_erase: pages.is_manager(view),
        badges,
        received: view.time(inquiry.created_at),
        purged: inquiry.purge_at.map(|at| view.reader.day(at)),
        mails: mails.iter().map(row).collect(),
        moves: moves(view, inquiry.status),
        templates: templates.iter().map(|one| (one.title.clone(), fill_template(one, &inquiry))).collect(),
        reply: reply.sent(sent, &problems),
        problems,
        subject,
        inquiry,
        frame,
    };
    Ok(page(http, &shown))
}

fn moves(view: &View, status: InquiryStatus) -> Vec<(&'static str, &'static str)> {
    let begin = (InquiryStatus::InProgress.name(), "Start", "처리 시작");
    let end = (InquiryStatus::Done.name(), "Mark as done", "완료로 표시");
    let again = (InquiryStatus::InProgress.name(), "Reopen", "다시 열기");
    let moves = match status {
        InquiryStatus::New => vec![begin, end],
        InquiryStatus::InProgress => vec![end],
        InquiryStatus::Done => vec![again],
    };
    moves.into_iter().map(|(name, english, korean)| (name, view.say(english, korean))).collect()
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    match change(pages, caller, id, sent).await {
        Ok(notice) => Ok(done(notice, &format!("{START}/inquiries/{id}"))),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["message"], view.language);
            show(pages, view, problem.status, id, sent, problems).await
        }
    }
}

async fn change(pages: &Pages, caller: &Caller, id: &str, sent: &Form) -> Result<Notice, Error> {
    let id = id.to_owned();
    match sent.text("do") {
        "reply" => {
            let text = sent.text("message").replace("\r\n", "\n");
            pages.act(&REPLY, caller, (id, text)).await?;
            Ok(notices::REPLY_WAITS)
        }
        "release" => {
            pages.act(&RELEASE, caller, id).await?;
            Ok(notices::RELEASED)
        }
        "resend" => {
            pages.act(&RESEND, caller, (id, sent.text("mail").to_owned())).await?;
            Ok(notices::MAIL_WAITS)
        }
        other => {
            if let Some(status) = InquiryStatus::named(other) {
                pages.act(&SET_STATUS, caller, (id, status, None)).await?;
            }
            Ok(notice::SAVED)
        }
    }
}
