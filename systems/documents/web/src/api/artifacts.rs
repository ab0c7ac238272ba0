//! Artifacts: one's own, by project and document; those of all users for administrators.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{
    Artifact, DocumentsCode, Lease, NewArtifact, artifact_key, artifacts_of_document, artifacts_of_project,
    artifacts_of_user, artifacts_of_user_in_project, create_artifact, find_artifact, find_document,
    find_project, find_workflow, messages as domain,
};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, json_answer, query_parameter};
use hansang_server::Caller;
use serde_json::json;

use super::content::{any_body, declared};
use super::download::{self, Download};
use super::leases::held_step;
use super::steps::{owner, step_name};
use super::{Api, Asked, Responded, number, output, page_parameters};
use crate::actions::{by, own};
use crate::code::WebCode;
use crate::messages as api;
use crate::state::State;
use crate::types::{is_picture, type_of};
use crate::uploads::store;

impl Api {
    pub(super) fn artifact_routes(&self) -> Vec<Route> {
        let model = self.model();
        let page = || (page_parameters(), output::page_of(model, "Artifact"));
        vec![
            self.read(
                "artifacts",
                "artifact.list",
                (message!(api::LIST_ARTIFACTS), message!(api::THE_ARTIFACTS)),
                Role::Viewer,
                page(),
                async move |state, asked| {
                    let by = asked.by.clone();
                    Ok(output::page(&artifacts_of_user(&state.documents, &by, asked.page()?).await?))
                },
            ),
            self.read(
                "projects/{project_id}/artifacts",
                "artifact.of_project",
                (message!(api::LIST_ARTIFACTS), message!(api::THE_ARTIFACTS)),
                Role::Viewer,
                page(),
                async move |state, asked| {
                    let (by, project_id) = (asked.by.clone(), asked.text("project_id"));
                    find_project(&state.documents, &project_id).await?;
                    let ask = asked.page()?;
                    Ok(output::page(
                        &artifacts_of_user_in_project(&state.documents, &by, &project_id, ask).await?,
                    ))
                },
            ),
            self.read(
                "projects/{project_id}/artifacts/all",
                "artifact.of_all",
                (message!(api::LIST_ALL_ARTIFACTS), message!(api::THE_ARTIFACTS)),
                Role::Admin,
                page(),
                async move |state, asked| {
                    let project_id = asked.text("project_id");
                    find_project(&state.documents, &project_id).await?;
                    let ask = asked.page()?;
                    Ok(output::page(&artifacts_of_project(&state.documents, &project_id, ask).await?))
                },
            ),
            self.read(
                "projects/{project_id}/documents/{document_id}/artifacts",
                "artifact.of_document",
                (message!(api::LIST_OF_DOCUMENT), message!(api::THE_ARTIFACTS)),
                Role::Viewer,
                page(),
                async move |state, asked| {
                    let (by, (project_id, id)) = (asked.by.clone(), asked.document());
                    find_document(&state.documents, &project_id, &id).await?;
                    let mut found = artifacts_of_document(&state.documents, &id, asked.page()?).await?;
                    found.items.retain(|artifact| artifact.user_id == by);
                    Ok(output::page(&found))
                },
            ),
            self.read(
                "artifacts/{artifact_id}",
                "artifact.get",
                (message!(api::GET_ARTIFACT), message!(api::THE_ARTIFACT)),
                Role::Viewer,
                (Vec::new(), output::of(model, "Artifact")),
                async move |state, asked| Ok(output::record(&own_artifact(&state, &asked).await?)),
            ),
            self.artifact_file_route(),
            self.create_artifact_route(),
            self.order(
                (Method::DELETE, "artifacts/{artifact_id}"),
                own::DELETE_ARTIFACT,
                Role::Viewer,
                |asked| Ok(asked.text("artifact_id")),
                None,
            ),
        ]
    }

    fn artifact_file_route(&self) -> Route {
        let api = self.clone();
        let operation = "artifact.file";
        let handler = on(
            MethodFilter::GET,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let found = api.calls.measured(operation, own_artifact(&api.state, &asked)).await?;
                let Artifact { s3_key: key, content_type, filename, artifact_id, .. } = found;
                let on_pages = is_picture(&content_type);
                let (name, tag) = (Some(filename), Some(artifact_id));
                let file = Download { key, content_type, name, on_pages, tag };
                download::respond(&api.state, &file, &asked.headers).await
            },
        );
        Route {
            answers: download::answers(download::any_file()),
            refusals: &[416],
            streams: true,
            handler,
            ..self.route(
                Method::GET,
                "artifacts/{artifact_id}/file",
                operation,
                message!(api::GET_ARTIFACT_FILE),
                Role::Viewer,
            )
        }
    }

    fn create_artifact_route(&self) -> Route {
        let api = self.clone();
        let operation = "artifact.create";
        let handler = on(
            MethodFilter::POST,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap,
                        body: Body|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let sent = Sent::of(asked)?;
                let subject = format!("{} {}", sent.project_id, sent.filename);
                let created =
                    api.calls.audited(&caller, operation, &subject, create(&api.state, sent, body)).await?;
                Ok((StatusCode::CREATED, axum::Json(output::record(&created))).into_response())
            },
        );
        let mut route = Route {
            body: Some(any_body()),
            answers: vec![(
                201,
                json_answer(message!(api::THE_ARTIFACT), output::of(self.model(), "Artifact")),
            )],
            refusals: &[409],
            streams: true,
            handler,
            ..self.route(
                Method::POST,
                "projects/{project_id}/artifacts",
                operation,
                message!(api::CREATE_ARTIFACT),
                Role::Editor,
            )
        };
        route.parameters.extend(sent_parameters());
        route
    }
}

fn sent_parameters() -> Vec<Described> {
    let text = |max: u32| json!({ "type": "string", "minLength": 1, "maxLength": max });
    let steps = json!({ "enum": hansang_documents::StepName::ALL.map(hansang_documents::StepName::name) });
    let attempt = json!({ "type": "integer", "minimum": 0 });
    vec![
        query_parameter("filename", true, text(255), message!(api::FILE_NAME)),
        query_parameter("document_id", false, text(64), message!(api::OF_DOCUMENT)),
        query_parameter("workflow_id", false, text(64), message!(api::OF_WORKFLOW)),
        query_parameter("step", false, steps, message!(api::OF_STEP)),
        query_parameter("processor", false, text(100), message!(api::PROCESSOR)),
        query_parameter("attempt", false, attempt, message!(api::ATTEMPT)),
    ]
}

/// An artifact that is sent, by a user or by a processor under its lease.
struct Sent {
    by: String,
    project_id: String,
    filename: String,
    content_type: String,
    document_id: Option<String>,
    lease: Option<Lease>,
}

impl Sent {
    fn of(mut asked: Asked<()>) -> Result<Self, Error> {
        let mut take = |name: &str| asked.parameters.take(name);
        let (filename, document_id) = (take("filename").unwrap_or_default(), take("document_id"));
        let lease = match (take("workflow_id"), take("step"), take("processor"), take("attempt")) {
            (None, None, None, None) => None,
            (Some(workflow_id), Some(step), Some(processor), Some(attempt)) => Some(Lease {
                workflow_id,
                name: step_name(&step)?,
                owner: owner(&asked.by, &processor)?,
                attempt: number("attempt", &attempt)?,
            }),
            _ => {
                let problem = message!(api::LEASE_INCOMPLETE);
                return Err(Error::fields(vec![hansang_core::validate::violation("workflow_id", problem)]));
            }
        };
        Ok(Self {
            project_id: asked.text("project_id"),
            content_type: declared(&asked.headers),
            by: asked.by,
            filename,
            document_id,
            lease,
        })
    }
}

/// Stores an artifact. One of a processor belongs to the user who started the run.
async fn create(state: &Arc<State>, sent: Sent, body: Body) -> Result<Artifact, Error> {
    let documents = &state.documents;
    find_project(documents, &sent.project_id).await?;
    let (mut user_id, mut document_id) = (sent.by, sent.document_id);
    if let Some(lease) = &sent.lease {
        let step = held_step(state, lease).await?;
        if step.project_id != sent.project_id
            || document_id.as_ref().is_some_and(|id| *id != step.document_id)
        {
            return Err(Error::conflict(DocumentsCode::LeaseLost, message!(domain::LEASE_LOST)));
        }
        let workflow = find_workflow(documents, &step.document_id, &lease.workflow_id).await?;
        user_id = workflow.started_by.unwrap_or(user_id);
        document_id = Some(step.document_id);
    }
    let temporary = state.uploads.temporary().await?;
    let max = u64::try_from(state.settings.max_file).unwrap_or_default();
    let stored = store(&temporary, max, body.into_data_stream()).await;
    let arrived = stored.map_err(|error| state.too_large(error))?;
    let content_type = type_of(&temporary, &sent.content_type, &sent.filename).await?;
    let artifact_id = documents.new_id();
    let new = NewArtifact {
        artifact_id: artifact_id.clone(),
        user_id,
        project_id: sent.project_id,
        filename: sent.filename,
        content_type,
        file_size: i64::try_from(arrived.size).unwrap_or(i64::MAX),
        document_id,
        workflow_id: sent.lease.as_ref().map(|lease| lease.workflow_id.clone()),
    };
    let key = artifact_key(&new.project_id, &artifact_id);
    documents.files.put(&key, &new.content_type, &temporary).await?;
    let created = create_artifact(documents, sent.lease.as_ref(), &new).await;
    if created.as_ref().is_err_and(|error| error.code != hansang_core::CoreCode::OutcomeUnknown) {
        documents.files.delete(&key).await?;
    }
    created
}

/// The artifact of a path, if it is the caller's.
async fn own_artifact(state: &State, asked: &Asked<()>) -> Result<Artifact, Error> {
    let found = find_artifact(&state.documents, &asked.text("artifact_id")).await?;
    if found.user_id == asked.by {
        return Ok(found);
    }
    Err(Error::forbidden(WebCode::ArtifactForeign, message!(api::ARTIFACT_FOREIGN)))
}
