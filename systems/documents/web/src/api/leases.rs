//! What processors send under a lease: segments as lines, and images of pages.

use std::pin::Pin;

use axum::Json as JsonBody;
use axum::body::Body;
use axum::http::{HeaderMap, Method};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, Stream, StreamExt as _};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{
    DocumentsCode, Lease, NewSegment, Step, StepStatus, document_file_key, find_step, messages as domain,
    write_segments,
};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, json_answer, query_parameter};
use hansang_server::Caller;
use serde_json::{Value as Json, json};

use super::content::any_body;
use super::steps::lease;
use super::{Api, Asked, Responded, number, output};
use crate::actions::by;
use crate::code::WebCode;
use crate::figures::Count;
use crate::messages as api;
use crate::state::State;
use crate::types::type_of;
use crate::uploads::store;

/// The maximum length of a line: the text of a segment with its positions.
const MAX_LINE: usize = 64 * 1024 * 1024;
/// The maximum size of an image of a page.
const MAX_IMAGE: u64 = 50 * 1024 * 1024;

impl Api {
    pub(super) fn lease_routes(&self) -> Vec<Route> {
        vec![self.segments_route(), self.send_image_route()]
    }

    fn segments_route(&self) -> Route {
        let api = self.clone();
        let operation = "step.segments";
        let handler = on(
            MethodFilter::POST,
            async move |caller: Caller,
                        key: PathKey,
                        mut parameters: Parameters,
                        headers: HeaderMap,
                        body: Body|
                        -> Responded {
                let (processor, attempt) = lease_of(&mut parameters)?;
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let lease = lease(&asked, &processor, attempt)?;
                let written = write_segments(&api.state.documents, &lease, segments(body));
                let written = api.calls.measured(operation, written).await?;
                api.state.figures.add(Count::Segments(written.segments as u64));
                Ok(JsonBody(json!({ "segments": written.segments })).into_response())
            },
        );
        let lines = json!({ "application/x-ndjson": { "schema": { "type": "string" } } });
        let mut route = Route {
            body: Some(json!({ "required": true, "content": lines })),
            answers: vec![(
                200,
                json_answer(message!(api::WRITTEN), output::object(&[("segments", output::count())])),
            )],
            refusals: &[409],
            streams: true,
            handler,
            ..self.route(
                Method::POST,
                "steps/{workflow_id}/{name}/segments",
                operation,
                message!(api::WRITE_SEGMENTS),
                Role::Editor,
            )
        };
        route.parameters.extend(lease_parameters());
        route
    }

    fn send_image_route(&self) -> Route {
        let api = self.clone();
        let operation = "step.image";
        let handler = on(
            MethodFilter::PUT,
            async move |caller: Caller,
                        key: PathKey,
                        mut parameters: Parameters,
                        headers: HeaderMap,
                        body: Body|
                        -> Responded {
                let (processor, attempt) = lease_of(&mut parameters)?;
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let lease = lease(&asked, &processor, attempt)?;
                let stored = store_image(&api.state, &lease, asked.index()?, body);
                let image_key = api.calls.measured(operation, stored).await?;
                Ok(JsonBody(json!({ "image_key": image_key })).into_response())
            },
        );
        let mut route = Route {
            body: Some(any_body()),
            answers: vec![(
                200,
                json_answer(message!(api::THE_IMAGE), output::object(&[("image_key", output::text())])),
            )],
            refusals: &[409],
            streams: true,
            handler,
            ..self.route(
                Method::PUT,
                "steps/{workflow_id}/{name}/images/{segment_index}",
                operation,
                message!(api::SEND_IMAGE),
                Role::Editor,
            )
        };
        route.parameters.extend(lease_parameters());
        route
    }
}

/// The parameters that name a lease where the body is something else.
fn lease_parameters() -> [Described; 2] {
    let processor = json!({ "type": "string", "minLength": 1, "maxLength": 100 });
    [
        query_parameter("processor", true, processor, message!(api::PROCESSOR)),
        query_parameter("attempt", true, json!({ "type": "integer", "minimum": 0 }), message!(api::ATTEMPT)),
    ]
}

fn lease_of(parameters: &mut Parameters) -> Result<(String, i64), Error> {
    let processor = parameters.take("processor").unwrap_or_default();
    let attempt = number("attempt", &parameters.take("attempt").unwrap_or_default())?;
    Ok((processor, attempt))
}

/// The step of a lease that is held now.
pub(super) async fn held_step(state: &State, lease: &Lease) -> Result<Step, Error> {
    let step = find_step(&state.documents, &lease.workflow_id, lease.name).await?;
    let held = step.filter(|step| step.status == StepStatus::InProgress && lease.holds(step));
    held.ok_or_else(|| Error::conflict(DocumentsCode::LeaseLost, message!(domain::LEASE_LOST)))
}

/// Stores the image of a page under a key that is deleted with its document. A later one of the same page replaces it.
async fn store_image(state: &State, lease: &Lease, index: i64, body: Body) -> Result<String, Error> {
    let step = held_step(state, lease).await?;
    let temporary = state.uploads.temporary().await?;
    store(&temporary, MAX_IMAGE, body.into_data_stream()).await?;
    let ending = match &*type_of(&temporary, "", "").await? {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/webp" => "webp",
        _ => return Err(Error::invalid(WebCode::FileMissing, message!(api::NOT_AN_IMAGE))),
    };
    let name = format!("page-{index:06}-{}.{ending}", lease.workflow_id);
    let key = document_file_key(&step.project_id, &step.document_id, &name);
    let content_type = format!("image/{}", if ending == "jpg" { "jpeg" } else { ending });
    state.documents.files.put(&key, &content_type, &temporary).await?;
    // The document may have been deleted meanwhile: then nothing else leads to the file.
    if let Err(lost) = held_step(state, lease).await {
        let gone =
            hansang_documents::find_document(&state.documents, &step.project_id, &step.document_id).await;
        if gone.is_err() {
            state.documents.files.delete(&key).await?;
        }
        return Err(lost);
    }
    Ok(key)
}

type Lines = Pin<Box<dyn Stream<Item = Result<Bytes, axum::Error>> + Send>>;

/// A body that is read line by line.
struct Reading {
    body: Lines,
    kept: BytesMut,
    /// The bytes of `kept` that have no line's end.
    seen: usize,
    /// The number of lines that were read.
    count: u64,
    over: bool,
}

impl Reading {
    async fn line(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            if let Some(end) = self.kept[self.seen..].iter().position(|byte| *byte == b'\n') {
                let line = self.kept.split_to(self.seen + end + 1).freeze();
                self.seen = 0;
                self.count += 1;
                return Ok(Some(line));
            }
            self.seen = self.kept.len();
            if self.seen > MAX_LINE {
                let message = message!(api::LINE_TOO_LONG, self.count + 1, MAX_LINE);
                return Err(Error::invalid(WebCode::LineInvalid, message));
            }
            if self.over {
                let line = self.kept.split().freeze();
                self.seen = 0;
                self.count += 1;
                return Ok(Some(line).filter(|line| !line.is_empty()));
            }
            match self.body.next().await {
                Some(Ok(piece)) => self.kept.extend_from_slice(&piece),
                Some(Err(_)) => {
                    return Err(Error::invalid(WebCode::BodyInterrupted, message!(api::BODY_INTERRUPTED)));
                }
                None => self.over = true,
            }
        }
    }
}

/// The segments of a body, one per line. Empty lines are left out.
fn segments(body: Body) -> impl Stream<Item = Result<NewSegment, Error>> + Send {
    let body: Lines = Box::pin(body.into_data_stream());
    let begin = Reading { body, kept: BytesMut::new(), seen: 0, count: 0, over: false };
    let lines = stream::try_unfold(begin, async |mut reading| {
        Ok::<_, Error>(reading.line().await?.map(|line| ((reading.count, line), reading)))
    });
    lines.filter_map(async |line| match line {
        Ok((_, line)) if line.trim_ascii().is_empty() => None,
        Ok((count, line)) => Some(parse(count, &line)),
        Err(error) => Some(Err(error)),
    })
}

fn parse(count: u64, line: &[u8]) -> Result<NewSegment, Error> {
    let invalid =
        |problem: String| Error::invalid(WebCode::LineInvalid, message!(api::LINE_INVALID, count, problem));
    let mut json: Json = serde_json::from_slice(line).map_err(|error| invalid(error.to_string()))?;
    // A number may be written as a text, with leading zeros, as in keys.
    if let Some(text) = json.get("segment_index").and_then(Json::as_str) {
        let index = hansang_documents::parse_index(text)?;
        json["segment_index"] = index.into();
    }
    serde_json::from_value(json).map_err(|error| invalid(error.to_string()))
}
