//! Categories, in the order of the menu.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{Category, NewCategory, categories, find_category};
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};

use super::form::{self, Edited, Filled, Sent, optional, optional_field, revision};
use super::ordered::{self, Ordered};
use super::{Pages, START};
use crate::actions::managed::{CHANGE_CATEGORY, ORDER_CATEGORIES};
use crate::actions::{CREATE_CATEGORY, DELETE_CATEGORY};

/// The form of a category.
struct CategoryForm;

#[derive(Template)]
#[template(path = "content/categories.html")]
struct Categories {
    frame: Frame,
    rows: Vec<Ordered>,
    refused: Option<String>,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, orders) = (pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |view: View| list(&shows, view, StatusCode::OK, None).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            order(&orders, &caller, view, &sent).await
        });
    let list = Route::page(&format!("{START}/categories"), pages.needs(Role::Viewer), list);
    std::iter::once(list).chain(form::routes::<CategoryForm>(pages, Role::Editor)).collect()
}

async fn list(
    pages: &Pages,
    view: View,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let categories = pages.read("categories", categories(pages.content())).await?;
    let title = view.say("Categories", "카테고리").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let row = |category: &Category| Ordered {
        link: format!("{START}/categories/{}", category.id),
        text: category.slug.clone().unwrap_or_default(),
        badges: vec![(
            view.plural(category.posts.unsigned_abs(), "{0} post", "{0} posts", "글 {0}개").to_string(),
            "",
        )],
        picture: None,
        title: category.title.clone(),
        id: category.id.clone(),
    };
    let rows = categories.iter().map(row).collect();
    Ok(page(status, &Categories { rows, refused, frame }))
}

async fn order(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let ids = categories(pages.content()).await?.into_iter().map(|category| category.id).collect();
    let here = format!("{START}/categories");
    let Some(ids) = ordered::asked(sent, ids) else { return Ok(Redirect::to(&here).into_response()) };
    match pages.act(&ORDER_CATEGORIES, caller, ids).await {
        Ok(()) => Ok(Redirect::to(&here).into_response()),
        Err(error) => {
            let refused = view.sentence(&error.message);
            list(pages, view, Problem::from(error).status, Some(refused)).await
        }
    }
}

impl Edited for CategoryForm {
    type One = Category;
    const PATH: &'static str = "categories";
    const FIELDS: &'static [&'static str] = &["title", "desc", "slug"];

    async fn find(pages: &Pages, id: &str) -> Result<Self::One, Error> {
        find_category(pages.content(), id).await
    }

    fn show(pages: &Pages, view: View, category: Option<&Self::One>, sent: &Sent) -> Response {
        let fields = [
            Field::text("title", view.say("Title", "제목")),
            Field {
                locked: category.is_some_and(|category| category.slug.is_some()),
                hint: view
                    .say(
                        "The name in addresses. Made of the title if empty, and fixed from then on.",
                        "주소에 쓰는 이름입니다. 비워 두면 제목으로 만들며 이후에는 바꿀 수 없습니다.",
                    )
                    .to_owned(),
                ..optional_field(Field::text("slug", view.say("Address", "주소 이름")))
            },
            Field {
                input: Input::Area { rows: 3 },
                ..optional_field(Field::text("desc", view.say("Description", "설명")))
            },
        ];
        let with_value = |field: Field| {
            let value = category.map(|category| match &*field.name {
                "title" => category.title.clone(),
                "slug" => category.slug.clone().unwrap_or_default(),
                _ => category.desc.clone().unwrap_or_default(),
            });
            Field { value: value.unwrap_or_default(), ..field }
        };
        let deletes = view.say(
            "A category with posts cannot be deleted. This can't be undone.",
            "글이 있는 카테고리는 삭제할 수 없습니다. 삭제하면 되돌릴 수 없습니다.",
        );
        let id = category.map_or("new", |category| &category.id);
        let new = || view.say("New category", "새 카테고리").to_owned();
        let filled = Filled {
            title: category.map_or_else(new, |category| category.title.clone()),
            list: (view.say("Categories", "카테고리").to_owned(), format!("{START}/categories")),
            here: format!("{START}/categories/{id}"),
            fields: fields.map(with_value).into(),
            revision: category.map(|category| category.revision),
            deletes: category.map(|_| deletes.to_owned()),
            about: String::new(),
        };
        form::show(pages, view, filled, sent)
    }

    async fn create(pages: &Pages, caller: &Caller, _: &View, sent: &Form) -> Result<(), Error> {
        let new = NewCategory {
            id: None,
            title: sent.text("title").trim().to_owned(),
            desc: optional(sent, "desc"),
            slug: optional(sent, "slug"),
            order: None,
        };
        pages.act(&CREATE_CATEGORY, caller, new).await.map(drop)
    }

    async fn save(pages: &Pages, caller: &Caller, _: &View, id: &str, sent: &Form) -> Result<Notice, Error> {
        if sent.text("do") == "delete" {
            pages.act(&DELETE_CATEGORY, caller, id.to_owned()).await?;
            return Ok(notice::DELETED);
        }
        let (title, desc) = (sent.text("title").trim().to_owned(), optional(sent, "desc"));
        pages.act(&CHANGE_CATEGORY, caller, (id.to_owned(), title, desc, revision(sent))).await?;
        Ok(notice::SAVED)
    }
}
