//! A file that was made for the visitor: preview, download, delete.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use futures_util::TryStreamExt as _;
use hansang_access::Role;
use hansang_core::files::unavailable;
use hansang_core::{Error, ErrorKind, message};
use hansang_documents::{Artifact, DocumentsCode, find_artifact, find_document, find_project};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::Problems;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;
use hansang_ui::time::Moment;

use super::artifacts::{about, file_address};
use super::form::{self, Question};
use super::{Pages, START, done, project};
use crate::actions::by;
use crate::actions::own::DELETE_ARTIFACT;
use crate::messages;
use crate::types::is_picture;

/// The bytes of a text that are shown.
const SHOWN: u64 = 64 * 1024;

#[derive(Template)]
#[template(path = "documents/artifact.html")]
struct One {
    frame: Frame,
    here: String,
    file: String,
    about: String,
    created: Moment,
    /// The project and the document: names and addresses.
    sources: Vec<(String, String)>,
    preview: Preview,
}

/// What can be shown of a file.
enum Preview {
    Picture,
    Text {
        text: String,
        /// Whether there is more.
        more: bool,
    },
    None,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let shows = pages.clone();
    let one = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        show(&shows, &caller, view, &key.text("artifact")).await
    });
    let (asks, deletes) = (pages.clone(), pages.clone());
    let delete = on(MethodFilter::GET, async move |caller: Caller, view: View, key: PathKey| {
        let artifact = own(&asks, &caller, &key.text("artifact")).await?;
        Ok::<_, Problem>(ask(&asks, view, &artifact))
    })
    .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        deletes.act(&DELETE_ARTIFACT, &caller, key.text("artifact")).await?;
        Ok::<_, Problem>(done(notice::DELETED, &format!("{START}/artifacts")))
    });
    let needs = || pages.needs(Role::Viewer);
    let path = format!("{START}/artifacts/{{artifact}}");
    vec![Route::page(&path, needs(), one), Route::page(&format!("{path}/delete"), needs(), delete)]
}

/// An artifact of the caller.
async fn own(pages: &Pages, caller: &Caller, id: &str) -> Result<Artifact, Problem> {
    let artifact = pages.read("artifact", find_artifact(pages.documents(), id).boxed()).await?;
    if artifact.user_id != by(caller)? {
        let foreign = Error::forbidden(DocumentsCode::NotOwner, message!(messages::ARTIFACT_FOREIGN));
        return Err(foreign.into());
    }
    Ok(artifact)
}

async fn show(pages: &Pages, caller: &Caller, view: View, id: &str) -> Result<Response, Problem> {
    let artifact = own(pages, caller, id).await?;
    let read = async { Ok((sources(pages, &artifact).await?, preview(pages, &artifact).await?)) };
    let (sources, preview) = pages.read("artifact", read.boxed()).await?;
    let shown = One {
        here: format!("{START}/artifacts/{id}"),
        file: file_address(id),
        about: about(&artifact),
        created: view.time(artifact.created_at),
        frame: pages.frame(view, &artifact.filename),
        sources,
        preview,
    };
    Ok(page(StatusCode::OK, &shown))
}

/// What was found, or nothing if it is gone.
fn known<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

/// The project and the document that a file was made from, as far as they are there.
async fn sources(pages: &Pages, artifact: &Artifact) -> Result<Vec<(String, String)>, Error> {
    let address = project::address(&artifact.project_id);
    let project = known(find_project(pages.documents(), &artifact.project_id).await)?;
    let mut sources: Vec<(String, String)> =
        project.map(|project| (project.text.name, address.clone())).into_iter().collect();
    if let Some(id) = &artifact.document_id {
        let document = known(find_document(pages.documents(), &artifact.project_id, id).await)?;
        sources.extend(document.map(|document| (document.name, format!("{address}/documents/{id}"))));
    }
    Ok(sources)
}

async fn preview(pages: &Pages, artifact: &Artifact) -> Result<Preview, Error> {
    let media = artifact.content_type.split(';').next().unwrap_or_default().trim();
    if is_picture(media) {
        return Ok(Preview::Picture);
    }
    if !media.starts_with("text/") && media != "application/json" {
        return Ok(Preview::None);
    }
    let Some(body) = pages.documents().files.get(&artifact.s3_key, Some(0..SHOWN)).await? else {
        return Ok(Preview::None);
    };
    let bytes = body.chunks.try_fold(Vec::new(), async |mut all, chunk| {
        all.extend_from_slice(&chunk);
        Ok(all)
    });
    let bytes = bytes.await.map_err(unavailable)?;
    let more = artifact.file_size > i64::try_from(bytes.len()).unwrap_or_default();
    Ok(Preview::Text { text: String::from_utf8_lossy(&bytes).into_owned(), more })
}

fn ask(pages: &Pages, view: View, artifact: &Artifact) -> Response {
    let here = format!("{START}/artifacts/{}", artifact.artifact_id);
    let question = Question {
        title: view.say("Delete file", "파일 삭제").to_owned(),
        trail: vec![(view.say("Results", "결과 파일").to_owned(), format!("{START}/artifacts"))],
        here: format!("{here}/delete"),
        back: here,
        subjects: vec![artifact.filename.clone()],
        consequence: view
            .say("The file is deleted. This can't be undone.", "파일을 삭제합니다. 되돌릴 수 없습니다.")
            .to_owned(),
        values: Vec::new(),
        button: view.say("Delete", "삭제").to_owned(),
        problems: Problems::default(),
        status: StatusCode::OK,
    };
    form::ask(pages, view, question)
}
