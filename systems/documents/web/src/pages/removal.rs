//! Documents are deleted and reanalysed: one of them, or several that were selected.

use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind};
use hansang_documents::{Document, Reprocess, find_document};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::View;
use hansang_ui::notice::{self, Notice};

use super::form::{self, Question};
use super::project::{self, Head};
use super::{Pages, START, done, workspace};
use crate::actions::{CANCEL, DELETE_DOCUMENT, REPROCESS};
use crate::notices;

/// The number of documents that are changed at once.
const MAX_SELECTED: usize = 100;

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let acts = pages.clone();
    let selected =
        on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
            act(&acts, &caller, view, &key.text("project"), &sent).await
        });
    let (asks, deletes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let head = project::head(&asks, &view, &key.text("project")).await?;
        let id = key.text("document");
        let document = asks.read("document", find_document(asks.documents(), &head.id, &id).boxed()).await?;
        Ok::<_, Problem>(ask(&asks, view, &head, &[document]))
    })
    .on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        let (project, document) = (key.text("project"), key.text("document"));
        deletes.act(&DELETE_DOCUMENT, &caller, (project.clone(), document)).await?;
        Ok::<_, Problem>(done(notice::DELETED, &project::address(&project)))
    });
    let cancels = pages.clone();
    let cancel = on(MethodFilter::POST, async move |caller: Caller, key: PathKey| {
        let (project, document) = (key.text("project"), key.text("document"));
        cancels.act(&CANCEL, &caller, (project.clone(), document.clone())).await?;
        let address = format!("{}/documents/{document}", project::address(&project));
        Ok::<_, Problem>(done(notices::CANCELLED, &address))
    });
    let needs = || pages.needs(Role::Editor);
    let of_project = format!("{START}/projects/{{project}}");
    vec![
        Route::page(&format!("{of_project}/selected"), needs(), selected),
        Route::page(&format!("{of_project}/documents/{{document}}/delete"), needs(), one),
        Route::page(&format!("{of_project}/documents/{{document}}/cancel"), needs(), cancel),
    ]
}

async fn act(
    pages: &Pages,
    caller: &Caller,
    view: View,
    project_id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let here = project::address(project_id);
    let ids: Vec<&str> =
        sent.pairs().filter(|(name, _)| *name == "row").map(|(_, id)| id).take(MAX_SELECTED).collect();
    if ids.is_empty() {
        return Ok(done(notices::NOTHING_SELECTED, &here));
    }
    if sent.text("do") == "delete" && sent.text("sure").is_empty() {
        let head = project::head(pages, &view, project_id).await?;
        let mut documents = Vec::new();
        for id in ids {
            match find_document(pages.documents(), project_id, id).await {
                Err(error) if error.kind == ErrorKind::NotFound => {}
                found => documents.push(found?),
            }
        }
        return Ok(ask(pages, view, &head, &documents));
    }
    match change(pages, caller, project_id, &ids, sent.text("do")).await {
        Ok(notice) => Ok(done(notice, &here)),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &[], view.language);
            workspace::show(pages, view, project_id, problems, problem.status).await
        }
    }
}

/// Deletes or reanalyses each document. One that is gone is left out; the first other refusal is told after the rest was done.
async fn change(
    pages: &Pages,
    caller: &Caller,
    project_id: &str,
    ids: &[&str],
    what: &str,
) -> Result<Notice, Error> {
    let mut refused = None;
    for id in ids {
        let input = (project_id.to_owned(), (*id).to_owned());
        let changed = match what {
            "delete" => pages.act(&DELETE_DOCUMENT, caller, input).await.map(drop),
            _ => pages.act(&REPROCESS, caller, (input.0, input.1, Reprocess::default())).await.map(drop),
        };
        match changed {
            Err(error) if error.kind == ErrorKind::NotFound => {}
            Err(error) => refused = refused.or(Some(error)),
            Ok(()) => {}
        }
    }
    let notice = if what == "delete" { notices::DOCUMENTS_DELETED } else { notices::REANALYSING };
    refused.map_or(Ok(notice), Err)
}

fn ask(pages: &Pages, view: View, head: &Head, documents: &[Document]) -> Response {
    let consequence = view.plural(
        documents.len(),
        "The document is deleted with all its versions, pages and results. This can't be undone.",
        "{0} documents are deleted with all their versions, pages and results. This can't be undone.",
        "문서 {0}개를 모든 버전, 쪽, 결과 파일과 함께 삭제합니다. 되돌릴 수 없습니다.",
    );
    let (here, back) = match documents {
        [one] => {
            let address = format!("{}/documents/{}", head.address, one.document_id);
            (format!("{address}/delete"), address)
        }
        _ => (format!("{}/selected", head.address), head.address.clone()),
    };
    let mut values = vec![("do".to_owned(), "delete".to_owned()), ("sure".to_owned(), "1".to_owned())];
    values.extend(documents.iter().map(|document| ("row".to_owned(), document.document_id.clone())));
    let title = view.plural(documents.len(), "Delete document", "Delete documents", "문서 삭제").to_string();
    let question = Question {
        trail: head.trail(&view, &[]),
        here,
        back,
        subjects: documents.iter().map(|document| document.name.clone()).collect(),
        consequence: consequence.to_string(),
        values,
        button: view.say("Delete", "삭제").to_owned(),
        problems: Problems::default(),
        status: StatusCode::OK,
        title,
    };
    form::ask(pages, view, question)
}
