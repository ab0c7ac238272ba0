//! Banners of the front page, in order.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{Banner, BannerText, banners, find_banner};
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};
use jiff::Timestamp;

use super::form::{self, Edited, Filled, Sent, optional, optional_field, revision};
use super::ordered::{self, Ordered};
use super::words::Badge;
use super::{Pages, START};
use crate::actions::managed::{CHANGE_BANNER, CREATE_BANNER, DELETE_BANNER, ORDER_BANNERS};
use crate::messages;

/// The form of a banner.
struct BannerForm;

#[derive(Template)]
#[template(path = "content/banners.html")]
struct Banners {
    frame: Frame,
    rows: Vec<Ordered>,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, orders) = (pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |view: View| list(&shows, view).await)
        .on(MethodFilter::POST, async move |caller: Caller, sent: Form| order(&orders, &caller, &sent).await);
    let list = Route::page(&format!("{START}/banners"), pages.needs(Role::Editor), list);
    std::iter::once(list).chain(form::routes::<BannerForm>(pages, Role::Editor)).collect()
}

fn state(view: &View, banner: &Banner, now: Timestamp) -> Badge {
    let (name, class) = if banner.is_visible(now) {
        (view.say("Shown", "표시 중"), "good")
    } else if banner.text.publish_at.is_some_and(|at| at > now) {
        (view.say("Scheduled", "예약됨"), "info")
    } else {
        (view.say("Expired", "기간 만료"), "warn")
    };
    (name.to_owned(), class)
}

async fn list(pages: &Pages, view: View) -> Result<Response, Problem> {
    let banners = pages.read("banners", banners(pages.content())).await?;
    let title = view.say("Banners", "배너").to_owned();
    let frame = pages.frame(view, &title);
    let now = pages.content().now();
    let row = |banner: &Banner| Ordered {
        link: format!("{START}/banners/{}", banner.id),
        text: banner.text.desc.clone().unwrap_or_default(),
        badges: vec![state(&frame.view, banner, now)],
        picture: Some(banner.text.img_uri.clone()),
        title: banner.text.title.clone(),
        id: banner.id.clone(),
    };
    let rows = banners.iter().map(row).collect();
    Ok(page(StatusCode::OK, &Banners { rows, frame }))
}

async fn order(pages: &Pages, caller: &Caller, sent: &Form) -> Result<Response, Problem> {
    let ids = banners(pages.content()).await?.into_iter().map(|banner| banner.id).collect();
    if let Some(ids) = ordered::asked(sent, ids) {
        pages.act(&ORDER_BANNERS, caller, ids).await?;
    }
    Ok(Redirect::to(&format!("{START}/banners")).into_response())
}

/// The banner in a form, or the problems of its times. The other fields are checked by the verb.
fn typed(view: &View, sent: &Form) -> Result<BannerText, Error> {
    let mut wrong = Vec::new();
    let mut time = |name: &str| {
        let text = sent.text(name).trim();
        let time = view.reader.typed(text);
        if time.is_none() && !text.is_empty() {
            wrong.push(violation(name, message!(messages::NOT_A_TIME)));
        }
        time
    };
    let (publish_at, ends) = (time("publishAt"), time("expiresAt"));
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    Ok(BannerText {
        title: sent.text("title").trim().to_owned(),
        desc: optional(sent, "desc"),
        img_uri: sent.text("imgUri").trim().to_owned(),
        btn1_text: optional(sent, "btn1Text"),
        btn1_url: optional(sent, "btn1Url"),
        btn2_text: optional(sent, "btn2Text"),
        btn2_url: optional(sent, "btn2Url"),
        publish_at,
        expires_at: ends.map(Timestamp::as_second),
    })
}

impl Edited for BannerForm {
    type One = Banner;
    const PATH: &'static str = "banners";
    const FIELDS: &'static [&'static str] =
        &["title", "desc", "imgUri", "btn1Text", "btn1Url", "btn2Text", "btn2Url", "publishAt", "expiresAt"];

    async fn find(pages: &Pages, id: &str) -> Result<Self::One, Error> {
        find_banner(pages.content(), id).await
    }

    fn show(pages: &Pages, view: View, banner: Option<&Self::One>, sent: &Sent) -> Response {
        let text = banner.map(|banner| banner.text.clone()).unwrap_or_default();
        let time = |at: Option<Timestamp>| at.map(|at| view.reader.field(at)).unwrap_or_default();
        let optional = |name: &str, label: &str, value: Option<String>| {
            optional_field(Field { value: value.unwrap_or_default(), ..Field::text(name, label) })
        };
        let pictures = view.say(
            "Address of a picture, such as one of the media library",
            "미디어 라이브러리 등에 있는 그림의 주소",
        );
        let fields = vec![
            Field { value: text.title, ..Field::text("title", view.say("Title", "제목")) },
            Field {
                value: text.img_uri,
                hint: pictures.to_owned(),
                ..Field::text("imgUri", view.say("Picture", "그림"))
            },
            Field {
                input: Input::Area { rows: 2 },
                ..optional("desc", view.say("Description", "설명"), text.desc)
            },
            optional("btn1Text", view.say("First button", "첫째 버튼"), text.btn1_text),
            optional("btn1Url", view.say("Link of the first button", "첫째 버튼 링크"), text.btn1_url),
            optional("btn2Text", view.say("Second button", "둘째 버튼"), text.btn2_text),
            optional("btn2Url", view.say("Link of the second button", "둘째 버튼 링크"), text.btn2_url),
            Field {
                input: Input::Time,
                hint: view.say("At once if empty", "비워 두면 바로 표시").to_owned(),
                ..optional("publishAt", view.say("Show from", "표시 시작"), Some(time(text.publish_at)))
            },
            Field {
                input: Input::Time,
                hint: view.say("Always if empty", "비워 두면 계속 표시").to_owned(),
                ..optional(
                    "expiresAt",
                    view.say("Show until", "표시 종료"),
                    Some(time(text.expires_at.and_then(|second| Timestamp::from_second(second).ok()))),
                )
            },
        ];
        let id = banner.map_or("new", |banner| &banner.id);
        let new = || view.say("New banner", "새 배너").to_owned();
        let filled = Filled {
            title: banner.map_or_else(new, |banner| banner.text.title.clone()),
            list: (view.say("Banners", "배너").to_owned(), format!("{START}/banners")),
            here: format!("{START}/banners/{id}"),
            fields,
            revision: banner.map(|banner| banner.revision),
            deletes: banner.map(|_| view.say("This can't be undone.", "되돌릴 수 없습니다.").to_owned()),
            about: String::new(),
        };
        form::show(pages, view, filled, sent)
    }

    async fn create(pages: &Pages, caller: &Caller, view: &View, sent: &Form) -> Result<(), Error> {
        pages.act(&CREATE_BANNER, caller, typed(view, sent)?).await.map(drop)
    }

    async fn save(
        pages: &Pages,
        caller: &Caller,
        view: &View,
        id: &str,
        sent: &Form,
    ) -> Result<Notice, Error> {
        let (id, revision) = (id.to_owned(), revision(sent));
        if sent.text("do") == "delete" {
            pages.act(&DELETE_BANNER, caller, (id, revision)).await?;
            return Ok(notice::DELETED);
        }
        pages.act(&CHANGE_BANNER, caller, (id, typed(view, sent)?, revision)).await?;
        Ok(notice::SAVED)
    }
}
