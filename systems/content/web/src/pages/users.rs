//! Authors, as visitors see them. Accounts and their passwords are in the settings of the server.

use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_content::{User, UserRole, UserText, find_user, users};
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;
use hansang_ui::notice::{self, Notice};
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Table};

use super::form::{self, Edited, Filled, Sent, optional, optional_field, revision};
use super::list::{self, List};
use super::{Pages, START};
use crate::actions::MANAGER;
use crate::actions::managed::{CHANGE_USER, CREATE_USER, DELETE_USER};

/// The form of an author.
struct AuthorForm;

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let list = on(MethodFilter::GET, async move |view: View| show_all(&shows, view).await);
    let list = Route::page(&format!("{START}/authors"), pages.needs(MANAGER), list);
    std::iter::once(list).chain(form::routes::<AuthorForm>(pages, MANAGER)).collect()
}

fn role_name(view: &View, role: UserRole) -> String {
    let name = match role {
        UserRole::Admin => view.say("Administrator", "관리자"),
        UserRole::Editor => view.say("Editor", "편집자"),
        UserRole::Viewer => view.say("Viewer", "조회자"),
    };
    name.to_owned()
}

async fn show_all(pages: &Pages, view: View) -> Result<Response, Problem> {
    let users = pages.read("users", users(pages.content())).await?;
    let row = |user: &User| Row {
        key: user.id.clone(),
        link: Some(format!("{START}/authors/{}", user.id)),
        cells: vec![
            Cell::Text(user.text.display_name.clone()),
            Cell::tag(&role_name(&view, user.text.role), ""),
            Cell::text(user.text.desc.as_deref().unwrap_or_default()),
            Cell::Time(view.time(user.created_at)),
        ],
    };
    let new = (view.say("New author", "새 작성자").to_owned(), format!("{START}/authors/new"));
    let table = Table {
        name: "content/authors".to_owned(),
        label: view.say("Authors", "작성자").to_owned(),
        columns: vec![
            Column::new("name", view.say("Name", "이름"), Kind::Text),
            Column::new("role", view.say("Role", "역할"), Kind::Tag),
            Column::new("about", view.say("About", "소개"), Kind::Text),
            Column::new("created", view.say("Created", "생성 일시"), Kind::Time),
        ],
        rows: users.iter().map(row).collect(),
        empty: Empty {
            icon: "users",
            title: view.say("No authors yet", "아직 작성자가 없습니다").to_owned(),
            text: view
                .say(
                    "Posts show the name of their author once there is one.",
                    "작성자를 만들면 글에 이름이 나옵니다.",
                )
                .to_owned(),
            action: Some(new.clone()),
        },
        ..Table::default()
    };
    let list = List {
        title: table.label.clone(),
        tab: "authors",
        new,
        about: view
            .say(
                "Names that visitors see with posts. Accounts that sign in are in the settings of the server.",
                "방문자에게 글과 함께 보이는 이름입니다. 로그인 계정은 서버 설정에서 관리합니다.",
            )
            .to_owned(),
        table,
    };
    Ok(list::show(pages, view, list))
}

fn typed(sent: &Form) -> UserText {
    UserText {
        display_name: sent.text("displayName").trim().to_owned(),
        role: UserRole::named(sent.text("role")).unwrap_or_default(),
        desc: optional(sent, "desc"),
        img_uri: optional(sent, "imgUri"),
    }
}

impl Edited for AuthorForm {
    type One = User;
    const PATH: &'static str = "authors";
    const FIELDS: &'static [&'static str] = &["displayName", "role", "desc", "imgUri"];

    async fn find(pages: &Pages, id: &str) -> Result<Self::One, Error> {
        find_user(pages.content(), id).await
    }

    fn show(pages: &Pages, view: View, user: Option<&Self::One>, sent: &Sent) -> Response {
        let text = user.map(|user| user.text.clone()).unwrap_or_default();
        let roles = UserRole::ALL.map(|role| (role.name().to_owned(), role_name(&view, role)));
        let fields = vec![
            Field { value: text.display_name, ..Field::text("displayName", view.say("Name", "이름")) },
            Field {
                value: text.role.name().to_owned(),
                input: Input::Choice(roles.into()),
                ..Field::text("role", view.say("Role", "역할"))
            },
            optional_field(Field {
                value: text.img_uri.unwrap_or_default(),
                ..Field::text("imgUri", view.say("Picture", "사진"))
            }),
            optional_field(Field {
                value: text.desc.unwrap_or_default(),
                input: Input::Area { rows: 3 },
                ..Field::text("desc", view.say("About", "소개"))
            }),
        ];
        let id = user.map_or("new", |user| &user.id);
        let new = || view.say("New author", "새 작성자").to_owned();
        let deletes = view.say(
            "Posts of the author stay, without a name. This can't be undone.",
            "작성자의 글은 이름 없이 남습니다. 되돌릴 수 없습니다.",
        );
        let filled = Filled {
            title: user.map_or_else(new, |user| user.text.display_name.clone()),
            list: (view.say("Authors", "작성자").to_owned(), format!("{START}/authors")),
            here: format!("{START}/authors/{id}"),
            fields,
            revision: user.map(|user| user.revision),
            deletes: user.map(|_| deletes.to_owned()),
            about: String::new(),
        };
        form::show(pages, view, filled, sent)
    }

    async fn create(pages: &Pages, caller: &Caller, _: &View, sent: &Form) -> Result<(), Error> {
        pages.act(&CREATE_USER, caller, (None, typed(sent))).await.map(drop)
    }

    async fn save(pages: &Pages, caller: &Caller, _: &View, id: &str, sent: &Form) -> Result<Notice, Error> {
        let (id, revision) = (id.to_owned(), revision(sent));
        if sent.text("do") == "delete" {
            pages.act(&DELETE_USER, caller, (id, revision)).await?;
            return Ok(notice::DELETED);
        }
        pages.act(&CHANGE_USER, caller, (id, typed(sent), revision)).await?;
        Ok(notice::SAVED)
    }
}
