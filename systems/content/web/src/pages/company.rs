//! The company profile.

use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_content::{CorpInfo, corp_info};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::notice;

use super::form::{self, Filled, Sent, optional, optional_field, revision};
use super::{Pages, START, done};
use crate::actions::MANAGER;
use crate::actions::managed::SAVE_COMPANY;

const FIELDS: [&str; 7] = ["name", "ceo", "corpNum", "address", "email", "fax", "hp"];

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, &Sent::default()).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            save(&saves, &caller, view, sent).await
        });
    Route::page(&format!("{START}/company"), pages.needs(MANAGER), handler)
}

async fn show(pages: &Pages, view: View, sent: &Sent) -> Result<Response, Problem> {
    let info = pages.read("company", corp_info(pages.content())).await?;
    let field = |name: &str, english, korean, value: Option<String>| {
        let field = Field::text(name, view.say(english, korean));
        optional_field(Field { value: value.unwrap_or_default(), ..field })
    };
    let fields = vec![
        field("name", "Name", "회사 이름", info.name),
        field("ceo", "Representative", "대표", info.ceo),
        field("corpNum", "Registration number", "사업자등록번호", info.corp_num),
        field("address", "Address", "주소", info.address),
        Field {
            input: Input::Email,
            required: true,
            hint: view.say("Inquiries are sent to this address.", "문의 알림을 받는 주소입니다.").to_owned(),
            ..field("email", "Email", "이메일", info.email)
        },
        field("fax", "Fax", "팩스", info.fax),
        field("hp", "Home page", "홈페이지", info.hp),
    ];
    let filled = Filled {
        title: view.say("Company profile", "회사 정보").to_owned(),
        list: (view.say("Overview", "한눈에").to_owned(), START.to_owned()),
        here: format!("{START}/company"),
        fields,
        revision: Some(info.revision),
        deletes: None,
        about: view
            .say(
                "Visitors see it on the site and in its footer.",
                "방문자가 사이트의 회사 소개와 하단에서 보는 정보입니다.",
            )
            .to_owned(),
    };
    Ok(form::show(pages, view, filled, sent))
}

async fn save(pages: &Pages, caller: &Caller, view: View, sent: Form) -> Result<Response, Problem> {
    let info = CorpInfo {
        name: optional(&sent, "name"),
        address: optional(&sent, "address"),
        email: optional(&sent, "email"),
        fax: optional(&sent, "fax"),
        corp_num: optional(&sent, "corpNum"),
        ceo: optional(&sent, "ceo"),
        hp: optional(&sent, "hp"),
        revision: revision(&sent),
        updated_at: None,
    };
    match pages.act(&SAVE_COMPANY, caller, info).await {
        Ok(_) => Ok(done(notice::SAVED, &format!("{START}/company"))),
        Err(error) => {
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            show(pages, view, &sent).await
        }
    }
}
