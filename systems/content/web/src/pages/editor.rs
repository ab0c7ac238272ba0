//! The editor of a post: its text with a preview, and its publication.

use std::sync::LazyLock;

use askama::Template;
use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html as HtmlBody, IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::render::html;
use hansang_content::{
    Category, ContentCode, Format, MAX_CONTENTS, PostText, Save, Standing, Working, categories, reconcile,
    working,
};
use hansang_core::Error;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route};
use hansang_server::Caller;
use hansang_ui::assets::Asset;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::notice;
use hansang_ui::time::Moment;
use serde_json::json;

use super::conflict::Conflict;
use super::publication::publication;
use super::words::{Badge, badges};
use super::{Pages, START, done};
use crate::actions::{DISCARD_DRAFT, MOVE_POST, PUBLISH_POST, SAVE_POST, UNPUBLISH_POST};
use crate::notices;

static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("content-editor.js", "text/javascript; charset=utf-8", include_str!("editor.js").into())
});

/// The maximum size of the form: the longest contents twice, as they were and as they are, with three characters for each of
/// their bytes, as forms encode Korean, and the other fields.
const MAX_FORM: u64 = 2 * 3 * MAX_CONTENTS as u64 + 64 * 1024;

/// The fields that a problem can be shown at.
const FIELDS: [&str; 7] =
    ["title", "contents", "slug", "thumbnailUrl", "categoryId", "publishAt", "expiresAt"];

#[derive(Template)]
#[template(path = "content/editor.html")]
struct Editor {
    frame: Frame,
    script: &'static str,
    id: String,
    revision: i64,
    /// The text in the form.
    text: PostText,
    /// The text that the form started from.
    base: PostText,
    preview: Html,
    /// The category in the form, and the stored one.
    category: String,
    base_category: String,
    categories: Vec<Category>,
    badges: Vec<Badge>,
    updated: Moment,
    is_published: bool,
    has_draft: bool,
    publish_at: String,
    expires_at: String,
    zone: String,
    /// The address on the public site, if visitors see it.
    public: Option<String>,
    problems: Problems,
    conflict: Option<Conflict>,
}

/// The state that a form started from. Saving is refused if the post has another revision by then.
struct Start {
    revision: i64,
    text: PostText,
    category: String,
}

impl Start {
    /// The stored post.
    fn of(now: &Working) -> Self {
        let (text, category) = (now.text().clone(), now.post.category_id.clone());
        Self { revision: now.post.revision, text, category }
    }

    /// The state that a form says it started from.
    fn sent(sent: &Form) -> Self {
        let category = sent.text("base.categoryId").to_owned();
        Self { revision: revision(sent), text: base_of(sent), category }
    }
}

/// What the form shows instead of the stored post.
#[derive(Default)]
struct Shown {
    start: Option<Start>,
    text: Option<PostText>,
    category: Option<String>,
    sent: Form,
    problems: Problems,
    conflict: Option<Conflict>,
}

impl Shown {
    /// The values of a form, which keeps what it started from: the post may have changed since.
    fn typed(start: Start, sent: Form, problems: Problems) -> Self {
        let category = sent.get("categoryId").map(str::to_owned);
        Self { start: Some(start), text: Some(text_of(&sent)), category, sent, problems, conflict: None }
    }

    /// The values that were typed before signing in again or changing the language.
    fn kept(view: &View) -> Self {
        let draft = view.draft.clone();
        if draft.pairs().next().is_none() {
            return Self::default();
        }
        Self::typed(Start::sent(&draft), draft, Problems::default())
    }
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let editor = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let shown = Shown::kept(&view);
        show(&shows, view, StatusCode::OK, &key.text("id"), shown).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), sent).await
    });
    let saves = pages.clone();
    let save = on(MethodFilter::POST, async move |caller: Caller, key: PathKey, sent: Form| {
        autosave(&saves, &caller, &key.text("id"), &sent).await
    });
    let preview = on(MethodFilter::POST, async |sent: Form| {
        let text = text_of(&sent);
        HtmlBody(html(&text.contents, text.format))
    });
    let script = on(MethodFilter::GET, async |headers: HeaderMap| SCRIPT.response(&headers));
    let editors = || pages.needs(Role::Editor);
    let page = |path: &str, needs, handler| Route {
        max_body: Some(MAX_FORM),
        ..Route::page(&format!("{START}{path}"), needs, handler)
    };
    vec![
        page("/posts/{id}", pages.needs(Role::Viewer), editor),
        page("/posts/{id}/autosave", editors(), save),
        page("/preview", editors(), preview),
        Route::page("/assets/content-editor.js", Needs::Nothing, script),
    ]
}

/// The address of the editor of a post.
pub(super) fn at(id: &str) -> String {
    format!("{START}/posts/{id}")
}

/// The text in a form.
fn text_of(sent: &Form) -> PostText {
    let optional = |name: &str| Some(sent.text(name).trim().to_owned()).filter(|text| !text.is_empty());
    PostText {
        title: sent.text("title").trim().to_owned(),
        contents: sent.text("contents").replace("\r\n", "\n"),
        format: Format::named(sent.text("format")).unwrap_or_default(),
        thumbnail_url: optional("thumbnailUrl"),
        slug: optional("slug"),
    }
}

/// The text that a form started from.
fn base_of(sent: &Form) -> PostText {
    let names = ["title", "contents", "format", "thumbnailUrl", "slug"];
    let value = |name: &str| (name.to_owned(), sent.text(&format!("base.{name}")).to_owned());
    text_of(&Form::of(names.into_iter().map(value).collect()))
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    shown: Shown,
) -> Result<Response, Problem> {
    let content = pages.content();
    let read = async { Ok((working(content, id).await?, categories(content).await?)) };
    let (now, categories) = pages.read("post", read.boxed()).await?;
    let stored = &now.text().title;
    let title = if stored.is_empty() { view.say("Post", "글").to_owned() } else { stored.clone() };
    let start = shown.start.unwrap_or_else(|| Start::of(&now));
    let text = shown.text.unwrap_or_else(|| start.text.clone());
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let standing = now.post.standing(content.now());
    let field = |name: &str, stored: String| shown.sent.get(name).map_or(stored, str::to_owned);
    let time = |at: Option<jiff::Timestamp>| at.map(|at| view.reader.field(at)).unwrap_or_default();
    let ends = now.post.expires_at.and_then(|second| jiff::Timestamp::from_second(second).ok());
    let starts = now.post.is_published().then(|| now.post.published_at());
    let editor = Editor {
        script: SCRIPT.address(),
        id: id.to_owned(),
        revision: start.revision,
        preview: Html::new(html(&text.contents, text.format)),
        category: shown.category.unwrap_or_else(|| start.category.clone()),
        base_category: start.category,
        categories,
        badges: badges(view, standing, now.draft.is_some()),
        updated: view.time(now.post.updated_at),
        is_published: now.post.is_published(),
        has_draft: now.draft.is_some(),
        publish_at: field("publishAt", time(starts)),
        expires_at: field("expiresAt", time(ends)),
        zone: view.reader.zone.iana_name().unwrap_or("UTC").to_owned(),
        public: (standing == Standing::Visible).then(|| pages.site(&format!("/posts/{id}"))),
        problems: shown.problems,
        conflict: shown.conflict,
        base: start.text,
        text,
        frame,
    };
    Ok(page(status, &editor))
}

async fn take(pages: &Pages, caller: &Caller, view: View, id: &str, sent: Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    let mut start = Start::sent(&sent);
    let result = match sent.text("do") {
        "discard" => {
            let discarded = pages.act(&DISCARD_DRAFT, caller, (id.to_owned(), revision(&sent))).await;
            discarded.map(|_| notices::DRAFT_DISCARDED)
        }
        "unpublish" => unpublish(pages, caller, id, &sent, &mut start).await,
        what => save(pages, caller, &view, id, &sent, &mut start, what == "publish").await,
    };
    let error = match result {
        Ok(notice) => return Ok(done(notice, &at(id))),
        Err(error) => error,
    };
    if error.code == ContentCode::PostChanged {
        let both = reconcile(pages.content(), id, &start.text, &text_of(&sent)).await?;
        // The post may change again before it is shown: the form starts from what it was merged with.
        let stored = Start::of(&both.theirs);
        let (text, conflict) = Conflict::of(both);
        // A category that was not chosen here is that of the stored post.
        let category = sent.get("categoryId").filter(|chosen| *chosen != start.category).map(str::to_owned);
        let (text, conflict) = (Some(text), Some(conflict));
        let shown =
            Shown { start: Some(stored), text, category, sent, problems: Problems::default(), conflict };
        return show(pages, view, StatusCode::PRECONDITION_FAILED, id, shown).await;
    }
    let problem = Problem::from(error);
    let problems = Problems::of_error(&problem, &FIELDS, view.language);
    show(pages, view, problem.status, id, Shown::typed(start, sent, problems)).await
}

fn revision(sent: &Form) -> i64 {
    sent.text("revision").parse().unwrap_or(-1)
}

/// Saves the text and the category of a form, and publishes it if that was asked for. `start` becomes what was saved, so
/// that a form whose later step is refused does not stop its own changes as stale.
async fn save(
    pages: &Pages,
    caller: &Caller,
    view: &View,
    id: &str,
    sent: &Form,
    start: &mut Start,
    publishes: bool,
) -> Result<notice::Notice, Error> {
    // Invalid times are found before anything is written.
    let publication = publication(view, sent)?;
    if text_of(sent) != start.text || !publishes {
        save_typed(pages, caller, id, sent, start).await?;
    }
    let category = sent.text("categoryId");
    if !category.is_empty() && category != start.category {
        let moved = pages.act(&MOVE_POST, caller, (id.to_owned(), category.to_owned())).await?;
        category.clone_into(&mut start.category);
        // Someone may have saved another text in between: then publishing is refused.
        if moved.revision == start.revision + 1 {
            start.revision = moved.revision;
        }
    }
    if !publishes {
        return Ok(notice::SAVED);
    }
    let post = pages.act(&PUBLISH_POST, caller, (id.to_owned(), publication, start.revision)).await?;
    let is_scheduled = post.standing(pages.content().now()) == Standing::Scheduled;
    Ok(if is_scheduled { notices::SCHEDULED } else { notices::PUBLISHED })
}

/// Takes a post back. What was typed is saved first.
async fn unpublish(
    pages: &Pages,
    caller: &Caller,
    id: &str,
    sent: &Form,
    start: &mut Start,
) -> Result<notice::Notice, Error> {
    if text_of(sent) != start.text {
        save_typed(pages, caller, id, sent, start).await?;
    }
    pages.act(&UNPUBLISH_POST, caller, (id.to_owned(), start.revision)).await?;
    Ok(notices::UNPUBLISHED)
}

/// Saves the text of a form as a version.
async fn save_typed(
    pages: &Pages,
    caller: &Caller,
    id: &str,
    sent: &Form,
    start: &mut Start,
) -> Result<(), Error> {
    let save = Save { text: text_of(sent), revision: start.revision, keep: true };
    start.revision = save_text(pages, caller, id, save).await?;
    start.text = text_of(sent);
    Ok(())
}

/// Saves a text and returns the next revision. An older revision is no conflict if the stored text is this one: the answer
/// to an automatic save may have been lost or still under way.
async fn save_text(pages: &Pages, caller: &Caller, id: &str, save: Save) -> Result<i64, Error> {
    let input = (id.to_owned(), save.clone());
    let stale = match pages.act(&SAVE_POST, caller, input).await {
        Ok(saved) => return Ok(saved.post.revision),
        Err(error) if error.code == ContentCode::PostChanged => error,
        Err(error) => return Err(error),
    };
    let now = working(pages.content(), id).await?;
    if *now.text() != save.text {
        return Err(stale);
    }
    if !save.keep {
        return Ok(now.post.revision);
    }
    let again = Save { revision: now.post.revision, ..save };
    Ok(pages.act(&SAVE_POST, caller, (id.to_owned(), again)).await?.post.revision)
}

/// Saves what is being typed, without a version of the history.
async fn autosave(pages: &Pages, caller: &Caller, id: &str, sent: &Form) -> Result<Response, Problem> {
    let save = Save { text: text_of(sent), revision: revision(sent), keep: false };
    let revision = save_text(pages, caller, id, save).await?;
    Ok(Json(json!({ "revision": revision })).into_response())
}
