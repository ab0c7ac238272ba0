//! Documents, the versions of their files, their runs.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{
    documents_of_project, duplicates, find_document, find_project, find_workflow, versions, workflows,
};
use hansang_http::route::{Route, query_parameter};
use serde_json::json;

use super::sent::{SentFile, SentReprocess, SentText};
use super::{Api, output, page_parameters};
use crate::actions;
use crate::messages as api;
use crate::state::State;

impl Api {
    pub(super) fn file_routes(&self) -> Vec<Route> {
        let mut routes = self.document_reads();
        routes.extend(self.document_changes());
        routes
    }

    fn document_reads(&self) -> Vec<Route> {
        let model = self.model();
        let sha256 = json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" });
        let sha256 = query_parameter("sha256", true, sha256, message!(api::BY_SHA256));
        vec![
            self.read(
                "projects/{project_id}/documents",
                "document.list",
                (message!(api::LIST_DOCUMENTS), message!(api::THE_DOCUMENTS)),
                Role::Viewer,
                (page_parameters(), output::page_of(model, "Document")),
                async move |state, asked| {
                    let project_id = asked.text("project_id");
                    find_project(&state.documents, &project_id).await?;
                    Ok(output::page(
                        &documents_of_project(&state.documents, &project_id, asked.page()?).await?,
                    ))
                },
            ),
            self.read(
                "projects/{project_id}/duplicates",
                "document.duplicates",
                (message!(api::LIST_DUPLICATES), message!(api::THE_DUPLICATES)),
                Role::Viewer,
                (vec![sha256], output::all_of(output::text())),
                async move |state, mut asked| {
                    let sha256 = asked.parameters.take("sha256").unwrap_or_default();
                    let same = duplicates(&state.documents, &asked.text("project_id"), &sha256).await?;
                    Ok(output::all(&same))
                },
            ),
            self.read(
                "projects/{project_id}/documents/{document_id}",
                "document.get",
                (message!(api::GET_DOCUMENT), message!(api::THE_DOCUMENT)),
                Role::Viewer,
                (Vec::new(), output::of(model, "Document")),
                async move |state, asked| {
                    let (project_id, id) = asked.document();
                    Ok(output::record(&find_document(&state.documents, &project_id, &id).await?))
                },
            ),
            self.read(
                "projects/{project_id}/documents/{document_id}/versions",
                "version.list",
                (message!(api::LIST_VERSIONS), message!(api::THE_VERSIONS)),
                Role::Viewer,
                (page_parameters(), output::page_of(model, "FileVersion")),
                async move |state, asked| {
                    let id = known(&state, &asked.document()).await?;
                    Ok(output::page(&versions(&state.documents, &id, asked.page()?).await?))
                },
            ),
            self.read(
                "projects/{project_id}/documents/{document_id}/workflows",
                "workflow.list",
                (message!(api::LIST_WORKFLOWS), message!(api::THE_WORKFLOWS)),
                Role::Viewer,
                (page_parameters(), output::page_of(model, "Workflow")),
                async move |state, asked| {
                    let id = known(&state, &asked.document()).await?;
                    Ok(output::page(&workflows(&state.documents, &id, asked.page()?).await?))
                },
            ),
            self.read(
                "projects/{project_id}/documents/{document_id}/workflows/{workflow_id}",
                "workflow.get",
                (message!(api::GET_WORKFLOW), message!(api::THE_WORKFLOW)),
                Role::Viewer,
                (Vec::new(), output::of(model, "Workflow")),
                async move |state, asked| {
                    let id = known(&state, &asked.document()).await?;
                    let found = find_workflow(&state.documents, &id, &asked.text("workflow_id")).await?;
                    Ok(output::record(&found))
                },
            ),
        ]
    }

    fn document_changes(&self) -> Vec<Route> {
        let model = self.model();
        let workflow = || output::of(model, "Workflow");
        vec![
            self.change::<SentFile, _, _>(
                (Method::POST, "projects/{project_id}/documents"),
                actions::BEGIN_UPLOAD,
                (StatusCode::CREATED, Role::Editor),
                output::upload_schema(model),
                |asked| Ok((asked.text("project_id"), asked.body.file())),
                output::upload,
            ),
            self.change::<SentFile, _, _>(
                (Method::POST, "projects/{project_id}/documents/{document_id}/versions"),
                actions::BEGIN_VERSION,
                (StatusCode::CREATED, Role::Editor),
                output::upload_schema(model),
                |asked| {
                    let (project_id, id) = asked.document();
                    Ok((project_id, id, asked.body.file()))
                },
                output::upload,
            ),
            self.order(
                (Method::DELETE, "projects/{project_id}/documents/{document_id}/versions/{file_version}"),
                actions::ABORT_UPLOAD,
                Role::Editor,
                |asked| {
                    let (project_id, id) = asked.document();
                    Ok((project_id, id, asked.file_version()?))
                },
                None,
            ),
            self.order(
                (Method::DELETE, "projects/{project_id}/documents/{document_id}"),
                actions::DELETE_DOCUMENT,
                Role::Editor,
                |asked| Ok(asked.document()),
                None,
            ),
            self.change::<SentReprocess, _, _>(
                (Method::POST, "projects/{project_id}/documents/{document_id}/reprocess"),
                actions::REPROCESS,
                (StatusCode::OK, Role::Editor),
                workflow(),
                |asked| {
                    let (project_id, id) = asked.document();
                    Ok((project_id, id, asked.body.reprocess()))
                },
                |workflow| output::record(&workflow),
            ),
            self.order(
                (Method::POST, "projects/{project_id}/documents/{document_id}/cancel"),
                actions::CANCEL,
                Role::Editor,
                |asked| Ok(asked.document()),
                Some((workflow(), |workflow| output::record(&workflow))),
            ),
            self.change::<SentText, _, _>(
                (Method::PUT, "projects/{project_id}/documents/{document_id}/segments/{segment_index}/text"),
                actions::CHANGE_TEXT,
                (StatusCode::OK, Role::Editor),
                output::of(model, "Segment"),
                |asked| {
                    let ((project_id, id), index) = (asked.document(), asked.index()?);
                    Ok((project_id, id, index, asked.body.content))
                },
                |segment| output::record(&segment),
            ),
        ]
    }
}

/// The id of a document that the project has.
async fn known(state: &State, (project_id, document_id): &(String, String)) -> Result<String, Error> {
    Ok(find_document(&state.documents, project_id, document_id).await?.document_id)
}
