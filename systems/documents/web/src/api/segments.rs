//! Segments, with their images and questions; the steps of a run.

use std::sync::Arc;

use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{segment, segments, steps};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, query_parameter};
use hansang_server::Caller;
use serde_json::json;

use super::download::{self, Download};
use super::sent::SentQuestion;
use super::{Api, Asked, Responded, nothing_else, number, output, page_parameters};
use crate::actions::{self, by};
use crate::code::WebCode;
use crate::messages as api;
use crate::state::State;

impl Api {
    pub(super) fn segment_routes(&self) -> Vec<Route> {
        let model = self.model();
        let from = json!({ "type": "integer", "minimum": 0, "maximum": 999_999 });
        let mut listed = page_parameters();
        listed.push(query_parameter("from", false, from, message!(api::FROM)));
        vec![
            self.read(
                "workflows/{workflow_id}/segments",
                "segment.list",
                (message!(api::LIST_SEGMENTS), message!(api::THE_SEGMENTS)),
                Role::Viewer,
                (listed, output::page_of(model, "Segment")),
                async move |state, asked| {
                    let id = asked.text("workflow_id");
                    let (mut rest, ask) = asked.parameters.question()?;
                    let from = rest.remove("from");
                    nothing_else(&rest)?;
                    let from =
                        from.map(|from| number("from", from.as_str().unwrap_or_default())).transpose()?;
                    Ok(output::page(&segments(&state.documents, &id, from, ask).await?))
                },
            ),
            self.read(
                "workflows/{workflow_id}/segments/{segment_index}",
                "segment.get",
                (message!(api::GET_SEGMENT), message!(api::THE_SEGMENT)),
                Role::Viewer,
                (Vec::new(), output::of(model, "Segment")),
                async move |state, asked| {
                    let found = segment(&state.documents, &asked.text("workflow_id"), asked.index()?).await?;
                    Ok(output::record(&found))
                },
            ),
            self.image_route(),
            self.change::<SentQuestion, _, _>(
                (Method::POST, "workflows/{workflow_id}/segments/{segment_index}/questions"),
                actions::ADD_QUESTION,
                (StatusCode::CREATED, Role::Editor),
                output::of(model, "Segment"),
                |asked| {
                    let (id, index) = (asked.text("workflow_id"), asked.index()?);
                    Ok((id, index, asked.body.question, asked.body.answer))
                },
                |segment| output::record(&segment),
            ),
            self.read(
                "workflows/{workflow_id}/steps",
                "step.list",
                (message!(api::LIST_STEPS), message!(api::THE_STEPS)),
                Role::Viewer,
                (Vec::new(), output::all_of(output::of(model, "Step"))),
                async move |state, asked| {
                    let id = asked.text("workflow_id");
                    hansang_documents::check_id("workflow_id", &id)?;
                    Ok(output::all(&steps(&state.documents, &id).await?))
                },
            ),
        ]
    }

    fn image_route(&self) -> Route {
        let api = self.clone();
        let operation = "segment.image";
        let image =
            json!({ "content": { "image/*": { "schema": { "type": "string", "format": "binary" } } } });
        let handler = on(
            MethodFilter::GET,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let download = api.calls.measured(operation, image_of(api.state.clone(), &asked)).await?;
                download::respond(&api.state, &download, &asked.headers).await
            },
        );
        let summary = message!(api::GET_IMAGE);
        let path = "workflows/{workflow_id}/segments/{segment_index}/image";
        Route {
            answers: download::answers(Described::new(message!(api::AN_IMAGE), image)),
            refusals: &[416],
            handler,
            ..self.route(Method::GET, path, operation, summary, Role::Viewer)
        }
    }
}

async fn image_of(state: Arc<State>, asked: &Asked<()>) -> Result<Download, Error> {
    let segment = segment(&state.documents, &asked.text("workflow_id"), asked.index()?).await?;
    let none = || Error::not_found(WebCode::FileMissing, message!(api::NO_IMAGE));
    let key = segment.image_key.ok_or_else(none)?;
    let kind = match key.rsplit_once('.').map(|(_, ending)| ending) {
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        _ => return Err(none()),
    };
    Ok(Download { key, content_type: kind.to_owned(), name: None, on_pages: true, tag: None })
}
