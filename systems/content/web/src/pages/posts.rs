//! The list of posts, with a search, filters, and actions on several posts.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{
    Category, EditedPost, Post, PostFilter, Publication, Standing, categories, find_post, posts,
};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::Form;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::page::Pager;
use hansang_ui::table::{Bulk, BulkChoice, Cell, Column, Empty, Kind, Row, Sort, Table};
use jiff::Timestamp;

use super::words::{badges, standing_name};
use super::{Pages, START, done};
use crate::actions::{DELETE_POST, MOVE_POST, PUBLISH_POST, UNPUBLISH_POST};
use crate::notices;

/// The number of rows of a page.
const ROWS: usize = 50;
/// The number of posts that are read for a page at most: a filter may drop most of them.
const MAX_READ: usize = 500;

#[derive(Template)]
#[template(path = "content/posts.html")]
struct Posts {
    frame: Frame,
    text: String,
    stage: String,
    stages: Vec<(&'static str, String)>,
    category: String,
    categories: Vec<Category>,
    is_filtered: bool,
    /// What was not done of the last action.
    problems: Vec<String>,
    table: Html,
}

/// The filters of the list.
struct Filter {
    text: String,
    stage: String,
    category: String,
}

/// The posts that pass the filters, and the cursor behind them.
struct Found {
    posts: Vec<EditedPost>,
    next: Option<String>,
}

impl Filter {
    fn of(asked: &Form) -> Self {
        let text = |name: &str| asked.text(name).trim().to_owned();
        Self { text: text("q"), stage: text("state"), category: text("category") }
    }

    fn is_empty(&self) -> bool {
        [&self.text, &self.stage, &self.category].iter().all(|text| text.is_empty())
    }

    fn matches(&self, post: &Post) -> bool {
        let wanted = self.text.to_lowercase();
        let slug = post.text.slug.as_deref().unwrap_or_default();
        let texts = [&*post.text.title, &*post.text.contents, slug];
        wanted.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(&wanted))
    }

    fn posts(&self) -> PostFilter {
        let category_id = Some(self.category.clone()).filter(|id| !id.is_empty());
        PostFilter { category_id, standing: Standing::named(&self.stage) }
    }

    /// The address of the list with these filters.
    fn address(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in [("q", &self.text), ("state", &self.stage), ("category", &self.category)] {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        let query = query.finish();
        if query.is_empty() { format!("{START}/posts") } else { format!("{START}/posts?{query}") }
    }
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view, Vec::new()).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            take(&takes, &caller, view, &sent).await
        });
    Route::page(&format!("{START}/posts"), pages.needs(Role::Viewer), handler)
}

async fn find(pages: &Pages, filter: &Filter, mut cursor: Option<String>) -> Result<Found, Error> {
    let content = pages.content();
    let (mut found, mut read) = (Vec::new(), 0);
    loop {
        // A page of the store never holds more than is missing, so the cursor is behind the last row.
        let limit = u32::try_from(ROWS - found.len()).ok();
        let listed = posts(content, &filter.posts(), Ask { cursor, limit, ..Ask::default() }).await?;
        read += listed.posts.len().max(1);
        found.extend(listed.posts.into_iter().filter(|one| filter.matches(&one.post)));
        cursor = listed.next;
        if cursor.is_none() || found.len() >= ROWS || read >= MAX_READ {
            return Ok(Found { posts: found, next: cursor });
        }
    }
}

async fn show(pages: &Pages, view: View, problems: Vec<String>) -> Result<Response, Problem> {
    let asked = view.asked();
    let filter = Filter::of(&asked);
    let cursor = asked.get("cursor").map(str::to_owned);
    let (found, categories) = pages
        .read(
            "posts",
            async { Ok((find(pages, &filter, cursor).await?, categories(pages.content()).await?)) }.boxed(),
        )
        .await?;
    let title = view.say("Posts", "글").to_owned();
    let frame = pages.frame(view, &title);
    let table = table(pages, &frame, &filter, &found, &categories);
    let shown = Posts {
        stages: Standing::ALL.map(|one| (one.name(), standing_name(&frame.view, one).to_owned())).into(),
        is_filtered: !filter.is_empty(),
        table: table.html(&frame),
        text: filter.text,
        stage: filter.stage,
        category: filter.category,
        categories,
        problems,
        frame,
    };
    let status = if shown.problems.is_empty() { StatusCode::OK } else { StatusCode::CONFLICT };
    Ok(page(status, &shown))
}

fn table(pages: &Pages, frame: &Frame, filter: &Filter, found: &Found, categories: &[Category]) -> Table {
    let view = &frame.view;
    let category = |id: &str| {
        let known = categories.iter().find(|category| category.id == id);
        known.map_or_else(|| id.to_owned(), |category| category.title.clone())
    };
    let row = |one: &EditedPost| {
        let post = &one.post;
        Row {
            key: post.id.clone(),
            link: Some(format!("{START}/posts/{}", post.id)),
            cells: vec![
                Cell::Text(post.text.title.clone()),
                Cell::Tags(badges(view, one.standing, one.has_draft)),
                Cell::Text(category(&post.category_id)),
                Cell::time(post.is_published().then(|| view.time(post.published_at()))),
                Cell::Time(view.time(post.updated_at)),
                Cell::text(post.text.slug.as_deref().unwrap_or_default()),
            ],
        }
    };
    let column = |key, label, kind| Column::new(key, label, kind).sortable();
    let actions = || {
        vec![
            ("publish", view.say("Publish", "게시").to_owned(), "check", false),
            ("unpublish", view.say("Unpublish", "게시 취소").to_owned(), "undo", false),
            ("delete", view.say("Delete", "삭제").to_owned(), "trash", true),
        ]
    };
    let is_new = filter.is_empty();
    let mut table = Table {
        name: "content/posts".to_owned(),
        label: frame.title.clone(),
        columns: vec![
            column("title", view.say("Title", "제목"), Kind::Text),
            column("state", view.say("State", "상태"), Kind::Tag),
            column("category", view.say("Category", "카테고리"), Kind::Text),
            column("published", view.say("Published at", "게시 일시"), Kind::Time),
            column("updated", view.say("Updated", "수정 일시"), Kind::Time),
            column("slug", view.say("Address", "주소 이름"), Kind::Text).hidden(),
        ],
        rows: found.posts.iter().map(row).collect(),
        partial: found.next.is_some() || view.asked().get("cursor").is_some(),
        bulk: pages.is_editor(view).then(|| Bulk {
            address: filter.address(),
            actions: actions(),
            choice: Some(move_to(view, categories)).filter(|choice| choice.options.len() > 1),
        }),
        empty: Empty {
            icon: "document",
            title: match is_new {
                true => view.say("No posts yet", "아직 글이 없습니다").to_owned(),
                false => view.say("No posts found", "글을 찾지 못했습니다").to_owned(),
            },
            text: match is_new {
                true => view.say("Write the first one.", "첫 글을 작성해 보세요.").to_owned(),
                false => {
                    view.say("Change or clear the filters.", "검색 조건을 바꾸거나 지우세요.").to_owned()
                }
            },
            action: (is_new && pages.is_editor(view))
                .then(|| (view.say("New post", "새 글").to_owned(), format!("{START}/posts/new"))),
        },
        pages: Some(Pager::at(&filter.address(), None, found.next.as_deref())),
        ..Table::default()
    };
    table.sort = Sort::asked(view, &table.columns);
    table.sort_rows();
    table
}

/// The category that selected posts move to.
fn move_to(view: &View, categories: &[Category]) -> BulkChoice {
    let options = categories.iter().map(|category| (category.id.clone(), category.title.clone()));
    BulkChoice {
        name: "to",
        label: view.say("Category to move to", "옮길 카테고리").to_owned(),
        options: options.collect(),
        action: ("move", view.say("Move", "옮기기").to_owned(), "folder"),
    }
}

/// An action on the selected posts. Each is changed by itself: a problem with one does not stop the others.
async fn take(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let ids: Vec<&str> =
        sent.pairs().filter(|(name, _)| *name == "row").map(|(_, id)| id).take(ROWS).collect();
    let mut problems = Vec::new();
    for id in &ids {
        if let Err((title, error)) = one(pages, caller, sent, id).await {
            problems.push(format!("{title}: {}", view.sentence(&error.message)));
        }
    }
    if !problems.is_empty() {
        return show(pages, view, problems).await;
    }
    let address = Filter::of(&view.asked()).address();
    Ok(done(if ids.is_empty() { notices::NOTHING_SELECTED } else { notices::POSTS_CHANGED }, &address))
}

/// Changes one post; the error comes with its title.
async fn one(pages: &Pages, caller: &Caller, sent: &Form, id: &str) -> Result<(), (String, Error)> {
    let post = find_post(pages.content(), id).await.map_err(|error| (id.to_owned(), error))?;
    let (title, revision) = (post.text.title.clone(), post.revision);
    let id = id.to_owned();
    let changed = match sent.text("do") {
        "publish" => {
            // A published post keeps its time, and every post its end unless that has passed.
            let end = post.expires_at.and_then(|second| Timestamp::from_second(second).ok());
            let expires_at = end.filter(|end| *end > pages.content().now());
            let publication = Publication { publish_at: None, expires_at };
            pages.act(&PUBLISH_POST, caller, (id, publication, revision)).await.map(drop)
        }
        "unpublish" if !post.is_published() => Ok(()),
        "unpublish" => pages.act(&UNPUBLISH_POST, caller, (id, revision)).await.map(drop),
        "move" => pages.act(&MOVE_POST, caller, (id, sent.text("to").to_owned())).await.map(drop),
        "delete" => pages.act(&DELETE_POST, caller, (id, revision)).await,
        _ => Ok(()),
    };
    changed.map_err(|error| (title, error))
}
