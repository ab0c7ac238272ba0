//! The visitor's own tokens. A secret is only in the response that creates its token.

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect};
use axum::routing::{MethodFilter, on};
use hansang_core::validate::violation;
use hansang_core::{Error, ErrorKind, Message, message};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::roles::{self, Mark};
use super::{Shown, TOKENS, Tab, paging, refusal, tabs};
use crate::app::Caller;
use crate::console::Console;
use crate::routes::access::{create_token, revoke_token};
use crate::{ServerCode, messages};
use hansang_access::{CreatedToken, NewToken, Paging, Token};
use hansang_access::{Grants, Identity};
use hansang_core::messages::{fields, kinds};
use hansang_http::guard::cookie;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::notice;
use hansang_ui::page::{Moment, Pager};
use hansang_ui::table::{self, Cell, Column, Empty, Kind, Sort, Table};

/// The cookie with the token that was just created.
const MADE_COOKIE: &str = "hansang_made";
/// The maximum lifetime of a token, in days.
const MAX_DAYS: i64 = 366;
/// The default lifetime.
const USUAL: &str = "90";
/// The remaining time from which a token is marked as expiring.
const SOON: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Template)]
#[template(path = "console/settings/tokens.html")]
struct Tokens {
    frame: Frame,
    tabs: Vec<Tab>,
    /// The name and the secret of the token that was just created.
    made: Option<(String, String)>,
    table: Table,
    fields: Vec<Field>,
    roles: Vec<Field>,
    problems: Problems,
}

#[derive(Template)]
#[template(path = "console/settings/revoke.html")]
struct Revoke {
    frame: Frame,
    tabs: Vec<Tab>,
    row: Row,
}

/// A token as the list shows it.
struct Row {
    id: String,
    name: String,
    roles: Vec<Mark>,
    created: Moment,
    expires: Moment,
    ends_soon: bool,
    last_used: Option<Moment>,
}

/// The state of the form, beside the list.
#[derive(Default)]
struct NewTokenForm {
    made: Option<(String, String)>,
    sent: Form,
    problems: Problems,
}

pub(super) fn routes(console: &Console) -> Vec<Route> {
    let (list, create, ask, revoke) = (console.clone(), console.clone(), console.clone(), console.clone());
    vec![
        Route::page(
            TOKENS,
            Needs::SignedIn,
            on(
                MethodFilter::GET,
                async move |caller: Caller, headers: HeaderMap, view: View, mut asked: Parameters| {
                    let cursor = asked.take("cursor");
                    let form = NewTokenForm { made: just_made(&headers), ..NewTokenForm::default() };
                    let shown = show(&list, &caller, view, StatusCode::OK, cursor, form).await?;
                    Ok::<_, Problem>(([(header::SET_COOKIE, made_cookie(&list, "", 0))], shown))
                },
            )
            .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
                make(&create, &caller, view, sent).await
            }),
        ),
        Route::page(
            "/console/settings/tokens/{id}/revoke",
            Needs::SignedIn,
            on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
                ask_first(&ask, &caller, view, &key.text("id")).await
            })
            .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
                end(&revoke, &caller, &key.text("id")).await
            }),
        ),
    ]
}

/// The tokens as a table.
fn table(view: &View, rows: Vec<table::Row>, pages: Pager) -> Table {
    let columns = vec![
        Column::new("name", view.say("Name", "이름"), Kind::Text).sortable(),
        Column::new("roles", view.say("Roles", "권한"), Kind::Tag).sortable(),
        Column::new("created", view.say("Created", "생성일"), Kind::Time).sortable(),
        Column::new("used", view.say("Last used", "마지막 사용"), Kind::Time).sortable(),
        Column::new("expires", view.say("Expires", "만료"), Kind::Time).sortable(),
        Column::new("state", view.say("State", "상태"), Kind::Tag).sortable(),
        Column::new("revoke", view.say("Revoke", "폐기"), Kind::Link),
    ];
    let mut table = Table {
        name: "settings/tokens".to_owned(),
        label: view.say("Your tokens", "내 토큰").to_owned(),
        rows,
        sort: Sort::asked(view, &columns),
        columns,
        partial: pages.any(),
        empty: Empty {
            icon: "key",
            title: view.say("No tokens yet", "아직 토큰이 없습니다").to_owned(),
            text: view
                .say(
                    "Create one below for a program that works for you.",
                    "프로그램이 쓸 토큰을 아래에서 만드세요.",
                )
                .to_owned(),
            action: None,
        },
        pages: Some(pages),
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn line(view: &View, row: &Row) -> table::Row {
    let state = match row.ends_soon {
        true => Cell::tag(view.say("Expires soon", "곧 만료"), "warn"),
        false => Cell::tag(view.say("Active", "사용 중"), "good"),
    };
    let revoke = format!("{}: {}", view.say("Revoke", "폐기"), row.name);
    table::Row {
        key: row.id.clone(),
        link: None,
        cells: vec![
            Cell::text(&row.name),
            roles::cell(view, &row.roles),
            Cell::Time(row.created.clone()),
            match &row.last_used {
                Some(day) => Cell::Time(day.clone()),
                None => Cell::text(view.say("Never", "없음")),
            },
            Cell::Time(row.expires.clone()),
            state,
            Cell::Link(revoke, format!("{TOKENS}/{}/revoke", row.id)),
        ],
    }
}

async fn show(
    console: &Console,
    caller: &Caller,
    view: View,
    status: StatusCode,
    cursor: Option<String>,
    form: NewTokenForm,
) -> Shown {
    let identity = caller.signed_in()?;
    let access = console.app.access();
    let tokens = access.own_tokens(identity, paging(cursor)).await?;
    let NewTokenForm { made, sent, problems } = form;
    let shown = |field: Field| field.sent(&sent, &problems);
    let title = view.say("Tokens", "토큰").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let view = &frame.view;
    let none = Grants::default();
    let own = |system: &str| identity.grants.role_in(system);
    let roles = roles::fields(console, view, &roles::systems(console, &none), &none, own);
    let template = Tokens {
        tabs: tabs(&frame, TOKENS),
        made,
        table: table(
            view,
            tokens.items.iter().map(|token| line(view, &row(console, view, token, access.now()))).collect(),
            Pager::of(&tokens, TOKENS),
        ),
        fields: fields(view).into_iter().map(shown).collect(),
        roles: roles.into_iter().map(shown).collect(),
        problems,
        frame,
    };
    Ok(page(status, &template))
}

fn row(console: &Console, view: &View, token: &Token, now: Timestamp) -> Row {
    Row {
        id: token.id.clone(),
        name: token.name.clone(),
        roles: roles::marks(console, view, &token.grants),
        created: view.reader.day(token.created),
        expires: view.reader.day(token.expires),
        ends_soon: token.expires.duration_since(now) < SOON,
        last_used: token.last_used_on.as_deref().and_then(|day| used(day, now, view)),
    }
}

/// The day of the last use. Days are stored in UTC: the text says how long ago, the full day is shown on hover.
fn used(day: &str, now: Timestamp, view: &View) -> Option<Moment> {
    let day: Date = day.parse().ok()?;
    let today = now.to_zoned(TimeZone::UTC).date();
    let text = match (today - day).get_days() {
        0 => view.say("Today", "오늘").to_owned(),
        days => view.plural(days, "{0} day ago", "{0} days ago", "{0}일 전").to_string(),
    };
    Some(Moment { text, exact: day.to_string(), title: format!("{day} UTC"), ago: String::new() })
}

fn fields(view: &View) -> [Field; 2] {
    let hint =
        view.say("What uses it, such as “nightly backup”", "쓰는 곳을 적으세요. 예: 야간 백업").to_owned();
    let name = Field { hint, ..Field::text("name", view.say("Name", "이름")) };
    let days = Field {
        value: USUAL.to_owned(),
        hint: view.say("From 1 to 366", "1~366일").to_owned(),
        input: Input::Number,
        ..Field::text("days", view.say("Expires in (days)", "유효 기간(일)"))
    };
    [name, days]
}

async fn make(console: &Console, caller: &Caller, view: View, sent: Form) -> Shown {
    let identity = caller.signed_in()?;
    let made = match wanted(console, identity, &sent).await {
        Ok(new) if new.grants.0.is_empty() => {
            let mut problems = Problems::default();
            let message = view.say(
                "A token without a role can do nothing: choose one for at least one system.",
                "권한이 없는 토큰으로는 아무것도 할 수 없습니다. 하나 이상의 시스템에 권한을 고르세요.",
            );
            problems.message = Some(message.to_owned());
            let form = NewTokenForm { made: None, sent, problems };
            return show(console, caller, view, StatusCode::BAD_REQUEST, None, form).await;
        }
        Ok(new) => create_token(&console.app, caller, new).await,
        Err(error) => Err(error),
    };
    match made {
        Ok(created) => {
            let cookie = made_cookie(console, &made_value(&created), 60);
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to(TOKENS)).into_response())
        }
        Err(error) => {
            let (status, problems) = refusal(&view, &Problem::from(error), &["name", "days"]);
            show(console, caller, view, status, None, NewTokenForm { made: None, sent, problems }).await
        }
    }
}

/// The cookie with the name and the secret of a new token, which the next page shows and removes: reloading that page
/// neither shows the secret again nor submits the form again.
fn made_cookie(console: &Console, value: &str, age: u32) -> String {
    let secure = if console.app.settings().tls { "; Secure" } else { "" };
    format!("{MADE_COOKIE}={value}; Path={TOKENS}; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
}

fn made_value(created: &CreatedToken) -> String {
    let name: String = form_urlencoded::byte_serialize(created.token.name.as_bytes()).collect();
    format!("{}:{name}", created.secret.expose())
}

fn just_made(headers: &HeaderMap) -> Option<(String, String)> {
    let (secret, name) = cookie(headers, MADE_COOKIE)?.split_once(':')?;
    let name = format!("name={name}");
    Some((Form::parse(name.as_bytes()).text("name").to_owned(), secret.to_owned()))
}

/// The token that a form describes. A duplicate name is rejected: nothing else would tell two tokens apart.
async fn wanted(console: &Console, identity: &Identity, sent: &Form) -> Result<NewToken, Error> {
    let days: i64 =
        sent.text("days").trim().parse().map_err(|_| wrong_days(message!(kinds::MUST_BE_INTEGER)))?;
    if days < 1 {
        return Err(wrong_days(message!(fields::AT_LEAST, 1)));
    }
    if days > MAX_DAYS {
        return Err(wrong_days(message!(fields::AT_MOST, MAX_DAYS)));
    }
    let name = sent.text("name").trim().to_owned();
    if is_taken(console, identity, &name).await? {
        let violations = vec![violation("name", message!(fields::TAKEN))];
        let taken = Error::conflict(ServerCode::NameTaken, message!(messages::TOKEN_NAME_TAKEN));
        return Err(Error { violations, ..taken });
    }
    let expires = console.app.access().now() + SignedDuration::from_hours(24 * days);
    Ok(NewToken { name, grants: roles::chosen(sent)?, expires })
}

fn wrong_days(problem: Message) -> Error {
    Error::fields(vec![violation("days", problem)])
}

async fn is_taken(console: &Console, identity: &Identity, name: &str) -> Result<bool, Error> {
    let mut paging = Paging { limit: Some(1000), cursor: None };
    loop {
        let tokens = console.app.access().own_tokens(identity, paging).await?;
        if tokens.items.iter().any(|token| token.name == name) {
            return Ok(true);
        }
        match tokens.next {
            None => return Ok(false),
            cursor => paging = Paging { limit: Some(1000), cursor },
        }
    }
}

async fn ask_first(console: &Console, caller: &Caller, view: View, id: &str) -> Shown {
    let access = console.app.access();
    let token = access.own_token(caller.signed_in()?, id).await?;
    let title = view.say("Revoke a token", "토큰 폐기").to_owned();
    let frame = console.frame(view, &title, Section::Settings);
    let (tabs, row) = (tabs(&frame, TOKENS), row(console, &frame.view, &token, access.now()));
    Ok(page(StatusCode::OK, &Revoke { frame, tabs, row }))
}

/// A repeated click shows the list without the token, as the first one does.
async fn end(console: &Console, caller: &Caller, id: &str) -> Shown {
    match revoke_token(&console.app, caller, id).await {
        Ok(()) => Ok(Redirect::to(&notice::REVOKED.at(TOKENS)).into_response()),
        Err(error) if error.kind == ErrorKind::NotFound => Ok(Redirect::to(TOKENS).into_response()),
        Err(error) => Err(error.into()),
    }
}
