//! A document: its run with steps, versions, summary, keywords, pages and results.

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
    Artifact, Document, FileVersion, Segment, Step, VersionState, Workflow, artifacts_of_document,
    find_document, find_workflow, segments, steps, versions,
};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::Upload as SentFile;
use hansang_server::Caller;
use hansang_ui::form::Problems;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::time::Moment;

use super::pictures::{self, document_api};
use super::project::{self, Head};
use super::run::{Run, cancelled_by, run};
use super::workspace::MAX_PLAIN;
use super::{Pages, START, sent, words};

/// The number of pages that are shown.
const SHOWN: usize = 24;
/// The number of pages whose keywords are counted.
const KEYWORDS_OF: u32 = 100;
/// The number of keywords.
const KEYWORDS: usize = 30;
/// The number of versions and results that are shown.
const LISTED: u32 = 50;
/// The bytes of a form besides its file.
const FORM: u64 = 64 * 1024;

#[derive(Template)]
#[template(path = "documents/document.html")]
struct DocumentPage {
    frame: Frame,
    head: Head,
    /// The address of the page.
    here: String,
    id: String,
    api: String,
    name: String,
    about: Vec<String>,
    status: (&'static str, &'static str),
    created: Moment,
    by: String,
    run: Option<Run>,
    summary: String,
    keywords: Vec<Keyword>,
    /// Whether only the first pages were counted.
    is_first_pages: bool,
    sections: Vec<Part>,
    total: i64,
    versions: Vec<Version>,
    artifacts: Vec<(String, String, String)>,
    can_start: bool,
    is_active: bool,
    is_uploading: bool,
    is_reanalysing: bool,
    problems: Problems,
    /// The maximum sizes of files in megabytes: of uploads with and without scripts.
    max: (i64, u64),
}

/// A keyword with its size, from 1 to 5.
struct Keyword {
    word: String,
    size: usize,
    address: String,
}

/// A page in the overview.
struct Part {
    name: String,
    address: String,
    picture: Option<pictures::Picture>,
    beginning: String,
}

/// A version of the file.
struct Version {
    number: i64,
    name: String,
    size: String,
    created: Moment,
    by: String,
    is_ready: bool,
    is_current: bool,
}

/// What is stored of a document.
struct Stored {
    document: Document,
    workflow: Option<Workflow>,
    steps: Vec<Step>,
    segments: Vec<Segment>,
    versions: Vec<FileVersion>,
    artifacts: Vec<Artifact>,
}

impl DocumentPage {
    /// Whether there are more pages than are shown.
    fn has_more_sections(&self) -> bool {
        i64::try_from(self.sections.len()).is_ok_and(|shown| shown < self.total)
    }
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("project"), &key.text("document"), Problems::default(), StatusCode::OK)
            .await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, file: SentFile| {
        let (project, document) = (key.text("project"), key.text("document"));
        takes.check_editor(&view)?;
        match sent::take(&takes, &caller, &project, Some(&document), file).await {
            Ok(response) => Ok(response),
            Err(error) => {
                let problem = Problem::from(error);
                let problems = Problems::of_error(&problem, &["file"], view.language);
                show(&takes, view, &project, &document, problems, problem.status).await
            }
        }
    });
    let path = format!("{START}/projects/{{project}}/documents/{{document}}");
    vec![Route { max_body: Some(MAX_PLAIN + FORM), ..Route::page(&path, pages.needs(Role::Viewer), one) }]
}

async fn load(pages: &Pages, project_id: &str, document_id: &str) -> Result<Stored, Error> {
    let documents = pages.documents();
    let document = find_document(documents, project_id, document_id).await?;
    let listed = || Ask { limit: Some(LISTED), ..Ask::default() };
    let (mut workflow, mut run_steps, mut first) = (None, Vec::new(), Vec::new());
    if let Some(id) = &document.workflow_id {
        workflow = Some(find_workflow(documents, document_id, id).await?);
        run_steps = steps(documents, id).await?;
    }
    // While a new run has no text yet, that of the last one is shown.
    let text = document.text_workflow_id.as_ref().or(document.workflow_id.as_ref());
    if let Some(id) = text {
        let ask = Ask { limit: Some(KEYWORDS_OF), ..Ask::default() };
        first = segments(documents, id, None, ask).await?.items;
    }
    let versions = versions(documents, document_id, listed()).await?.items;
    let artifacts = artifacts_of_document(documents, document_id, listed()).await?.items;
    Ok(Stored { document, workflow, steps: run_steps, segments: first, versions, artifacts })
}

async fn show(
    pages: &Pages,
    view: View,
    project_id: &str,
    document_id: &str,
    problems: Problems,
    status: StatusCode,
) -> Result<Response, Problem> {
    let head = project::head(pages, &view, project_id).await?;
    let stored = pages.read("document", load(pages, project_id, document_id).boxed()).await?;
    let Stored { document, workflow, steps, segments, versions, artifacts } = &stored;
    let ids = versions.iter().filter_map(|version| version.created_by.as_deref());
    let cancelled = workflow.as_ref().and_then(cancelled_by);
    let people = pages.console.people(ids.chain(document.created_by.as_deref()).chain(cancelled)).await;
    let by = |id: &Option<String>| id.as_deref().map(|by| people.name(by)).unwrap_or_default();
    let here = format!("{}/documents/{document_id}", head.address);
    let part = |segment: &Segment| Part {
        name: segment
            .title
            .clone()
            .unwrap_or_else(|| words::part(&view, segment.segment_type, segment.segment_index)),
        address: format!("{here}/pages/{}", segment.segment_index + 1),
        picture: pictures::picture(segment),
        beginning: segment.text.content.as_deref().unwrap_or_default().chars().take(160).collect(),
    };
    let version = |version: &FileVersion| Version {
        number: version.file_version,
        name: version.name.clone(),
        size: words::size(version.file_size),
        created: view.time(version.created_at),
        by: by(&version.created_by),
        is_ready: version.state == VersionState::Ready,
        is_current: document.file_version == Some(version.file_version),
    };
    let own = view.identity.as_ref().map(|identity| identity.id.clone()).unwrap_or_default();
    let artifact = |one: &Artifact| {
        (one.filename.clone(), format!("{START}/artifacts/{}", one.artifact_id), words::size(one.file_size))
    };
    let total = workflow.as_ref().and_then(|workflow| workflow.total_segments);
    let shown = DocumentPage {
        about: about(&view, document, workflow.as_ref()),
        status: words::status(&view, document.status),
        created: view.time(document.created_at),
        by: by(&document.created_by),
        run: workflow
            .as_ref()
            .map(|workflow| run(&view, document, workflow, steps, cancelled.map(|by| people.name(by)))),
        summary: workflow.as_ref().and_then(|workflow| workflow.summary.clone()).unwrap_or_default(),
        keywords: keywords(&here, segments),
        is_first_pages: segments.len() >= usize::try_from(KEYWORDS_OF).unwrap_or_default(),
        sections: segments.iter().take(SHOWN).map(part).collect(),
        total: total.unwrap_or_default().max(i64::try_from(segments.len()).unwrap_or_default()),
        versions: versions.iter().map(version).collect(),
        artifacts: artifacts.iter().filter(|one| one.user_id == own).map(artifact).collect(),
        can_start: head.takes_documents() && document.status.has_ended(),
        is_active: document.status.is_active(),
        is_uploading: document.status == hansang_documents::DocumentStatus::Uploading,
        is_reanalysing: document.status.is_active() && !segments.is_empty(),
        max: (pages.state.settings.max_file >> 20, MAX_PLAIN >> 20),
        api: document_api(project_id, document_id),
        id: document_id.to_owned(),
        name: document.name.clone(),
        frame: pages.frame(view, &document.name),
        head,
        here,
        problems,
    };
    Ok(page(status, &shown))
}

/// A few words about the file.
fn about(view: &View, document: &Document, workflow: Option<&Workflow>) -> Vec<String> {
    let mut about = vec![words::format(&document.file_type, &document.name), words::size(document.file_size)];
    about.retain(|one| !one.is_empty());
    if let Some(total) = workflow.and_then(|workflow| workflow.total_segments) {
        about.push(view.plural(total, "{0} page", "{0} pages", "{0}쪽").to_string());
    }
    if let Some(language) = workflow.and_then(|workflow| workflow.language.as_deref()) {
        about.push(language_name(view, language));
    }
    about
}

fn language_name(view: &View, tag: &str) -> String {
    match tag.split('-').next().unwrap_or_default() {
        "ko" | "kor" => view.say("Korean", "한국어").to_owned(),
        "en" | "eng" => view.say("English", "영어").to_owned(),
        "ja" | "jpn" => view.say("Japanese", "일본어").to_owned(),
        "zh" | "zho" | "cmn" => view.say("Chinese", "중국어").to_owned(),
        _ => tag.to_owned(),
    }
}

/// The most frequent keywords in the order of letters, each larger the more pages have it.
fn keywords(here: &str, segments: &[Segment]) -> Vec<Keyword> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for segment in segments {
        // The first keywords of a page matter most.
        for (index, word) in segment.keywords.iter().enumerate() {
            *counts.entry(word).or_default() += 1 + usize::from(index < 3);
        }
    }
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.truncate(KEYWORDS);
    let most = counts.first().map_or(1, |(_, count)| *count);
    counts.sort_unstable();
    let keyword = |(word, count): (&str, usize)| Keyword {
        word: word.to_owned(),
        size: (count * 5).div_ceil(most).clamp(1, 5),
        address: hansang_ui::address::with(&format!("{here}/pages/1"), &[("q", word)]),
    };
    counts.into_iter().map(keyword).collect()
}
