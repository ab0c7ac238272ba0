//! Texts that replies start with.

use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{ReplyTemplate, find_template, reply_templates};
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::notice::{self, Notice};
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Table};

use super::form::{self, Edited, Filled, Sent, revision};
use super::list::{self, List};
use super::{Pages, START};
use crate::actions::managed::{CHANGE_TEMPLATE, CREATE_TEMPLATE, DELETE_TEMPLATE};

/// The form of a template.
struct TemplateForm;

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let list = on(MethodFilter::GET, async move |view: View| show_all(&shows, view).await);
    let list = Route::page(&format!("{START}/templates"), pages.needs(Role::Editor), list);
    std::iter::once(list).chain(form::routes::<TemplateForm>(pages, Role::Editor)).collect()
}

async fn show_all(pages: &Pages, view: View) -> Result<Response, Problem> {
    let templates = pages.read("templates", reply_templates(pages.content())).await?;
    let row = |template: &ReplyTemplate| Row {
        key: template.id.clone(),
        link: Some(format!("{START}/templates/{}", template.id)),
        cells: vec![Cell::Text(template.title.clone()), Cell::Text(template.body.clone())],
    };
    let new = (view.say("New template", "새 서식").to_owned(), format!("{START}/templates/new"));
    let about = view.say(
        "Replies to inquiries can start with one of these texts.",
        "문의에 답변할 때 골라서 시작할 수 있는 글입니다.",
    );
    let table = Table {
        name: "content/templates".to_owned(),
        label: view.say("Reply templates", "답변 서식").to_owned(),
        columns: vec![
            Column::new("title", view.say("Title", "제목"), Kind::Text),
            Column::new("body", view.say("Text", "내용"), Kind::Text),
        ],
        rows: templates.iter().map(row).collect(),
        empty: Empty {
            icon: "mail",
            title: view.say("No templates yet", "아직 서식이 없습니다").to_owned(),
            text: about.to_owned(),
            action: Some(new.clone()),
        },
        ..Table::default()
    };
    let list = List { title: table.label.clone(), tab: "inquiries", new, about: about.to_owned(), table };
    Ok(list::show(pages, view, list))
}

fn typed(sent: &Form) -> (String, String) {
    (sent.text("title").trim().to_owned(), sent.text("body").replace("\r\n", "\n"))
}

impl Edited for TemplateForm {
    type One = ReplyTemplate;
    const PATH: &'static str = "templates";
    const FIELDS: &'static [&'static str] = &["title", "body"];

    async fn find(pages: &Pages, id: &str) -> Result<Self::One, Error> {
        find_template(pages.content(), id).await
    }

    fn show(pages: &Pages, view: View, template: Option<&Self::One>, sent: &Sent) -> Response {
        let (title, body) = template.map(|one| (one.title.clone(), one.body.clone())).unwrap_or_default();
        let hint = view.say(
            "`{name}`, `{company}` and `{subject}` are filled in from the inquiry.",
            "`{name}`, `{company}`, `{subject}`는 문의 내용으로 채웁니다.",
        );
        let fields = vec![
            Field { value: title.clone(), ..Field::text("title", view.say("Title", "제목")) },
            Field {
                value: body,
                input: Input::Area { rows: 10 },
                hint: hint.to_owned(),
                ..Field::text("body", view.say("Text", "내용"))
            },
        ];
        let id = template.map_or("new", |template| &template.id);
        let filled = Filled {
            title: if template.is_some() { title } else { view.say("New template", "새 서식").to_owned() },
            list: (view.say("Reply templates", "답변 서식").to_owned(), format!("{START}/templates")),
            here: format!("{START}/templates/{id}"),
            fields,
            revision: template.map(|template| template.revision),
            deletes: template.map(|_| view.say("This can't be undone.", "되돌릴 수 없습니다.").to_owned()),
            about: String::new(),
        };
        form::show(pages, view, filled, sent)
    }

    async fn create(pages: &Pages, caller: &Caller, _: &View, sent: &Form) -> Result<(), Error> {
        pages.act(&CREATE_TEMPLATE, caller, typed(sent)).await.map(drop)
    }

    async fn save(pages: &Pages, caller: &Caller, _: &View, id: &str, sent: &Form) -> Result<Notice, Error> {
        let (id, revision) = (id.to_owned(), revision(sent));
        if sent.text("do") == "delete" {
            pages.act(&DELETE_TEMPLATE, caller, (id, revision)).await?;
            return Ok(notice::DELETED);
        }
        let (title, body) = typed(sent);
        pages.act(&CHANGE_TEMPLATE, caller, (id, title, body, revision)).await?;
        Ok(notice::SAVED)
    }
}
