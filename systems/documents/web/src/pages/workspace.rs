//! The documents of a project, with their live status.

use futures_util::FutureExt as _;
use std::collections::BTreeMap;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_documents::{
    Document, DocumentProgress, DocumentStatus, ProjectProgress, documents_of_project, progress,
};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::Upload as SentFile;
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::form::Problems;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;

use super::project::{self, Head};
use super::{Pages, START, sent, words};

/// The number of documents of a page.
const ROWS: usize = 50;
/// The number of documents that are filtered and sorted: the newest ones.
const MAX_FILTERED: u32 = 1000;
/// The maximum size of a file that is sent by a plain form, which is held in memory.
pub(super) const MAX_PLAIN: u64 = 64 << 20;
/// The bytes of a form besides its file.
const FORM: u64 = 64 * 1024;

#[derive(Template)]
#[template(path = "documents/workspace.html")]
struct Workspace {
    frame: Frame,
    head: Head,
    rows: Vec<Row>,
    whole: Whole,
    asked: Asked,
    is_partial: bool,
    pages: Pager,
    problems: Problems,
    /// The maximum sizes of files in megabytes: of uploads with and without scripts.
    max: (i64, u64),
}

/// A document in the list.
struct Row {
    id: String,
    name: String,
    address: String,
    icon: &'static str,
    format: String,
    size: String,
    status: (&'static str, &'static str),
    /// The percentage and the step of a run that has not ended.
    doing: Option<(i64, String)>,
    failed: bool,
    created: Moment,
    by: String,
}

/// The progress of the whole project.
struct Whole {
    documents: usize,
    percent: i64,
    active: usize,
    failed: usize,
    done: usize,
}

/// The filter and the order in the address.
#[derive(Default)]
struct Asked {
    text: String,
    status: &'static str,
    sort: &'static str,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let list = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("project"), Problems::default(), StatusCode::OK).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, file: SentFile| {
        let id = key.text("project");
        takes.check_editor(&view)?;
        match sent::take(&takes, &caller, &id, None, file).await {
            Ok(response) => Ok(response),
            Err(error) => {
                let problem = Problem::from(error);
                let problems = Problems::of_error(&problem, &["file"], view.language);
                show(&takes, view, &id, problems, problem.status).await
            }
        }
    });
    let max_body = Some(MAX_PLAIN + FORM);
    vec![Route {
        max_body,
        ..Route::page(&format!("{START}/projects/{{project}}"), pages.needs(Role::Viewer), list)
    }]
}

impl Asked {
    fn of(view: &View) -> Self {
        let asked = view.asked();
        let known = |name: &str, values: &[&'static str]| {
            values.iter().find(|value| **value == asked.text(name)).copied().unwrap_or_default()
        };
        Self {
            text: asked.text("q").trim().to_owned(),
            status: known("status", &["active", "done", "failed", "uploading"]),
            sort: known("sort", &["oldest", "name", "size"]),
        }
    }

    /// Whether the stored order of all documents is asked for.
    fn is_plain(&self) -> bool {
        self.text.is_empty() && self.status.is_empty() && matches!(self.sort, "" | "oldest")
    }

    fn is_filtered(&self) -> bool {
        !self.text.is_empty() || !self.status.is_empty()
    }

    fn fits(&self, document: &Document) -> bool {
        let of_status = match self.status {
            "active" => document.status.is_active(),
            "done" => document.status == DocumentStatus::Completed,
            "failed" => document.status == DocumentStatus::Failed,
            "uploading" => document.status == DocumentStatus::Uploading,
            _ => true,
        };
        of_status && document.name.to_lowercase().contains(&self.text.to_lowercase())
    }

    fn sort(&self, documents: &mut [Document]) {
        match self.sort {
            "oldest" => documents.reverse(),
            "name" => documents.sort_by_key(|document| document.name.to_lowercase()),
            "size" => documents.sort_by_key(|document| std::cmp::Reverse(document.file_size)),
            _ => {}
        }
    }
}

/// A page of documents.
struct Listed {
    documents: Vec<Document>,
    pages: Pager,
    /// Whether only the newest documents were filtered and sorted.
    is_partial: bool,
}

async fn list(pages: &Pages, view: &View, id: &str, asked: &Asked) -> Result<Listed, Error> {
    let parameters = view.asked();
    if asked.is_plain() {
        let cursor = parameters.get("cursor").map(str::to_owned);
        let limit = u32::try_from(ROWS).ok();
        let ask = Ask { limit, cursor, descending: Some(asked.sort != "oldest"), ..Ask::default() };
        let found = documents_of_project(pages.documents(), id, ask).await?;
        let here = address::with(&view.here, &[]);
        return Ok(Listed { pages: Pager::of(&found, &here), documents: found.items, is_partial: false });
    }
    let ask = Ask { limit: Some(MAX_FILTERED), ..Ask::default() };
    let found = documents_of_project(pages.documents(), id, ask).await?;
    let mut documents: Vec<Document> =
        found.items.into_iter().filter(|document| asked.fits(document)).collect();
    asked.sort(&mut documents);
    let last = documents.len().div_ceil(ROWS).max(1);
    let number = parameters.text("page").parse::<usize>().unwrap_or(1).clamp(1, last);
    let at = |number: usize| address::with(&view.here, &[("page", &number.to_string())]);
    let pages = Pager {
        previous: (number > 1).then(|| at(number - 1)),
        next: (number < last).then(|| at(number + 1)),
    };
    let documents = documents.into_iter().skip((number - 1) * ROWS).take(ROWS).collect();
    Ok(Listed { documents, pages, is_partial: found.next.is_some() })
}

pub(super) async fn show(
    pages: &Pages,
    view: View,
    id: &str,
    problems: Problems,
    status: StatusCode,
) -> Result<Response, Problem> {
    let head = project::head(pages, &view, id).await?;
    let asked = Asked::of(&view);
    let listed = pages.read("documents", list(pages, &view, id, &asked).boxed()).await?;
    let progress = pages.read("progress", progress(pages.documents(), id).boxed()).await?;
    let running: BTreeMap<&str, &DocumentProgress> =
        progress.active.iter().map(|one| (&*one.document_id, one)).collect();
    let people =
        pages.console.people(listed.documents.iter().filter_map(|one| one.created_by.as_deref())).await;
    let row = |document: &Document| Row {
        address: format!("{}/documents/{}", head.address, document.document_id),
        icon: words::icon(&document.file_type),
        format: words::format(&document.file_type, &document.name),
        size: words::size(document.file_size),
        status: words::status(&view, document.status),
        doing: running.get(&*document.document_id).map(|one| (one.percent, words::doing(&view, one))),
        failed: document.status == DocumentStatus::Failed,
        created: view.time(document.created_at),
        by: document.created_by.as_deref().map(|by| people.name(by)).unwrap_or_default(),
        name: document.name.clone(),
        id: document.document_id.clone(),
    };
    let shown = Workspace {
        rows: listed.documents.iter().map(row).collect(),
        whole: Whole::of(&progress),
        is_partial: listed.is_partial,
        pages: listed.pages,
        asked,
        problems,
        max: (pages.state.settings.max_file >> 20, MAX_PLAIN >> 20),
        frame: pages.frame(view, &head.name),
        head,
    };
    Ok(page(status, &shown))
}

impl Workspace {
    /// The statuses to filter by.
    fn statuses(&self) -> [(&'static str, &'static str); 4] {
        let say = |english, korean| self.frame.say(english, korean);
        [
            ("active", say("In progress", "처리 중")),
            ("done", say("Done", "완료")),
            ("failed", say("Failed", "실패")),
            ("uploading", say("Not uploaded yet", "올리지 않음")),
        ]
    }

    /// The orders of the list.
    fn orders(&self) -> [(&'static str, &'static str); 4] {
        let say = |english, korean| self.frame.say(english, korean);
        [
            ("", say("Newest first", "최신순")),
            ("oldest", say("Oldest first", "오래된 순")),
            ("name", say("By name", "이름순")),
            ("size", say("Largest first", "큰 파일 순")),
        ]
    }
}

impl Whole {
    fn of(progress: &ProjectProgress) -> Self {
        let count = |status: DocumentStatus| progress.by_status.get(&status).copied().unwrap_or_default();
        let (done, failed) = (count(DocumentStatus::Completed), count(DocumentStatus::Failed));
        let running: i64 = progress.active.iter().map(|one| one.percent).sum();
        let all = i64::try_from(done + failed + progress.active.len()).unwrap_or(1).max(1);
        let ended = i64::try_from(done + failed).unwrap_or_default();
        Self {
            documents: progress.documents,
            percent: (ended * 100 + running) / all,
            active: progress.active.len(),
            failed,
            done,
        }
    }
}
