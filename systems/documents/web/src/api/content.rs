//! The files of uploads, in one request or in parts, and downloads of documents.

use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{
    DocumentsCode, FileVersion, Finished, NewFile, Received, VersionState, begin_upload, file_version,
    find_document, finish_upload,
};
use hansang_http::input::{Members, Parameters, PathKey};
use hansang_http::route::{Route, header_parameter, json_answer, json_body, query_parameter};
use hansang_server::Caller;
use serde_json::{Value as Json, json};

use super::download::{self, Download};
use super::sent::SentFinish;
use super::{Api, Asked, Responded, body_schema, output};
use crate::actions::by;
use crate::code::WebCode;
use crate::figures::Count;
use crate::messages as api;
use crate::state::State;
use crate::types::type_of;
use crate::uploads::{Arrived, Open, measure, offset_differs, store};

/// The path of one upload.
const VERSION: &str = "projects/{project_id}/documents/{document_id}/versions/{file_version}";
/// The header with the number of bytes of an upload that are there.
const OFFSET: &str = "upload-offset";

impl Api {
    pub(super) fn content_routes(&self) -> Vec<Route> {
        vec![
            self.send_file_route(),
            self.send_content_route(),
            self.content_route(),
            self.finish_route(),
            self.download_route(),
        ]
    }

    /// A whole document in one request.
    fn send_file_route(&self) -> Route {
        let api = self.clone();
        let operation = "document.send";
        let handler = on(
            MethodFilter::PUT,
            async move |caller: Caller,
                        key: PathKey,
                        mut parameters: Parameters,
                        headers: HeaderMap,
                        body: Body|
                        -> Responded {
                let source_url = parameters.take("source_url");
                parameters.finish()?;
                let (project_id, name) = (key.text("project_id"), key.text("name"));
                let file = NewFile {
                    name: name.clone(),
                    file_type: declared(&headers),
                    file_size: length(&headers).unwrap_or_default(),
                    source_url,
                };
                let by = by(&caller)?;
                let subject = format!("{project_id} {name}");
                let sent = send(&api.state, &by, &project_id, &file, body);
                let finished = api.calls.audited(&caller, operation, &subject, sent).await?;
                let shown = output::finished(finished);
                Ok((StatusCode::CREATED, axum::Json(shown)).into_response())
            },
        );
        let address = json!({ "type": "string", "maxLength": 2048 });
        let mut route = Route {
            body: Some(any_body()),
            answers: vec![(201, json_answer(message!(api::FINISHED), output::finished_schema(self.model())))],
            refusals: &[409],
            streams: true,
            handler,
            ..self.route(
                Method::PUT,
                "projects/{project_id}/files/{name}",
                operation,
                message!(api::SEND_FILE),
                Role::Editor,
            )
        };
        route.parameters.push(query_parameter("source_url", false, address, message!(api::SOURCE_URL)));
        route
    }

    /// The file of an upload, or a part of it.
    fn send_content_route(&self) -> Route {
        let api = self.clone();
        let operation = "version.send";
        let handler = on(
            MethodFilter::PUT,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap,
                        body: Body|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let received = api.calls.measured(operation, append(&api.state, &asked, body)).await?;
                Ok(received.respond())
            },
        );
        let mut route = Route {
            body: Some(any_body()),
            answers: vec![(200, json_answer(message!(api::THE_CONTENT), received_schema()))],
            refusals: &[409],
            streams: true,
            handler,
            ..self.route(
                Method::PUT,
                &format!("{VERSION}/content"),
                operation,
                message!(api::SEND_CONTENT),
                Role::Editor,
            )
        };
        let range = json!({ "type": "string", "pattern": "^bytes [0-9]+-[0-9]+/([0-9]+|\\*)$" });
        route.parameters.push(header_parameter("Content-Range", range, message!(api::CONTENT_RANGE)));
        route
    }

    /// How much of an upload is there.
    fn content_route(&self) -> Route {
        let api = self.clone();
        let operation = "version.content";
        let handler = on(
            MethodFilter::GET,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body: () };
                let received = api.calls.measured(operation, received(&api.state, &asked)).await?;
                Ok(received.respond())
            },
        );
        Route {
            answers: vec![(200, json_answer(message!(api::THE_CONTENT), received_schema()))],
            handler,
            ..self.route(
                Method::GET,
                &format!("{VERSION}/content"),
                operation,
                message!(api::GET_CONTENT),
                Role::Editor,
            )
        }
    }

    fn finish_route(&self) -> Route {
        let api = self.clone();
        let operation = "version.finish";
        let handler = on(
            MethodFilter::POST,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap,
                        Members(members): Members|
                        -> Responded {
                let body: SentFinish = hansang_http::json::parse(members)?;
                let asked = Asked { by: by(&caller)?, key, parameters, headers, body };
                let subject = format!("{} {}", asked.text("document_id"), asked.text("file_version"));
                let done = finish(&api.state, &asked);
                let finished = api.calls.audited(&caller, operation, &subject, done).await?;
                Ok(axum::Json(output::finished(finished)).into_response())
            },
        );
        Route {
            body: Some(json_body(body_schema::<SentFinish>())),
            answers: vec![(200, json_answer(message!(api::FINISHED), output::finished_schema(self.model())))],
            refusals: &[409, 413, 415],
            handler,
            ..self.route(
                Method::POST,
                &format!("{VERSION}/finish"),
                operation,
                message!(api::FINISH_UPLOAD),
                Role::Editor,
            )
        }
    }

    fn download_route(&self) -> Route {
        let api = self.clone();
        let operation = "document.file";
        let handler = on(
            MethodFilter::GET,
            async move |caller: Caller,
                        key: PathKey,
                        parameters: Parameters,
                        headers: HeaderMap|
                        -> Responded {
                let asked = Asked { by: by(&caller)?, key, parameters, headers: headers.clone(), body: () };
                let found = api.calls.measured(operation, file_of(api.state.clone(), asked)).await?;
                download::respond(&api.state, &found, &headers).await
            },
        );
        let version = json!({ "type": "integer", "minimum": 1, "maximum": 999_999 });
        let range = json!({ "type": "string" });
        let mut route = Route {
            answers: download::answers(download::any_file()),
            refusals: &[416],
            streams: true,
            handler,
            ..self.route(
                Method::GET,
                "projects/{project_id}/documents/{document_id}/file",
                operation,
                message!(api::GET_FILE),
                Role::Viewer,
            )
        };
        route.parameters.push(query_parameter("version", false, version, message!(api::VERSION_OF_FILE)));
        route.parameters.push(header_parameter("Range", range, message!(api::RANGE)));
        route
    }
}

/// A body of any type.
pub(super) fn any_body() -> Json {
    json!({ "required": true, "content": { "*/*": { "schema": { "type": "string", "format": "binary" } } } })
}

/// The type that a request declares for its body.
pub(super) fn declared(headers: &HeaderMap) -> String {
    let given = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let given = given.map(|kind| kind.split(';').next().unwrap_or_default().trim());
    given
        .filter(|kind| !kind.is_empty() && kind.len() <= 127)
        .unwrap_or("application/octet-stream")
        .to_owned()
}

fn length(headers: &HeaderMap) -> Option<i64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// How much of an upload is there.
struct Progress {
    received: u64,
    announced: i64,
}

impl Progress {
    fn respond(&self) -> Response {
        let body = json!({ "received": self.received, "file_size": self.announced });
        let mut response = axum::Json(body).into_response();
        response.headers_mut().insert(OFFSET, HeaderValue::from(self.received));
        response
    }
}

fn received_schema() -> Json {
    output::object(&[("received", output::count()), ("file_size", output::count())])
}

/// The upload of a path, which has not ended.
async fn upload_of<B>(state: &State, asked: &Asked<B>) -> Result<FileVersion, Error> {
    let (project_id, document_id) = asked.document();
    let unknown = || {
        let message = message!(hansang_documents::messages::UPLOAD_UNKNOWN);
        Error::not_found(DocumentsCode::UploadUnknown, message)
    };
    let version = file_version(&state.documents, &document_id, asked.file_version()?).await?;
    let open = version.state == VersionState::Uploading && version.project_id == project_id;
    if open { Ok(version) } else { Err(unknown()) }
}

async fn received(state: &State, asked: &Asked<()>) -> Result<Progress, Error> {
    let version = upload_of(state, asked).await?;
    let received = state.uploads.received(&version.s3_key).await?;
    Ok(Progress { received, announced: version.file_size })
}

async fn append(state: &State, asked: &Asked<()>, body: Body) -> Result<Progress, Error> {
    let version = upload_of(state, asked).await?;
    let max = u64::try_from(version.file_size).unwrap_or_default();
    let (offset, end) = match asked.headers.get(header::CONTENT_RANGE) {
        None => (0, max),
        Some(range) => part(range, max)?,
    };
    let open = state.uploads.open(&version.s3_key).await?;
    let there = state.uploads.received(&version.s3_key).await?;
    if offset > 0 && there != offset {
        return Err(offset_differs(there));
    }
    let received = open.append(offset, end, body.into_data_stream()).await?;
    Ok(Progress { received, announced: version.file_size })
}

/// The first byte of a part and the one behind its last, from `Content-Range`.
fn part(range: &HeaderValue, size: u64) -> Result<(u64, u64), Error> {
    let parse = || {
        let (part, whole) = range.to_str().ok()?.strip_prefix("bytes ")?.split_once('/')?;
        let (first, last) = part.split_once('-')?;
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        let fits = whole == "*" || whole.parse() == Ok(size);
        (fits && first <= last && last < size).then_some((first, last + 1))
    };
    parse().ok_or_else(|| Error::invalid(WebCode::RangeInvalid, message!(api::RANGE_INVALID)))
}

async fn finish(state: &State, asked: &Asked<SentFinish>) -> Result<Finished, Error> {
    let (project_id, document_id) = asked.document();
    let number = asked.file_version()?;
    let version = file_version(&state.documents, &document_id, number).await?;
    if version.state == VersionState::Ready && version.project_id == project_id {
        // A repetition: the document says what became of it.
        let received = Received {
            sha256: version.sha256.unwrap_or_default(),
            file_size: version.file_size,
            file_type: version.file_type,
            s3_key: None,
        };
        return finish_upload(&state.documents, &asked.by, &project_id, &document_id, number, &received)
            .await;
    }
    let version = upload_of(state, asked).await?;
    let open = state.uploads.open(&version.s3_key).await?;
    let mut arrived = measure(open.path()).await?;
    let announced = u64::try_from(version.file_size).unwrap_or_default();
    if arrived.size == 0 && announced > 0 {
        arrived = fetch_sent(state, &version, &open).await?.unwrap_or(arrived);
    }
    if arrived.size != announced {
        let message = message!(api::SIZE_DIFFERS, arrived.size, announced);
        return Err(Error::conflict(WebCode::SizeDiffers, message));
    }
    if asked.body.sha256.as_ref().is_some_and(|sha256| *sha256 != arrived.sha256) {
        state.uploads.forget(&version.s3_key).await;
        state.documents.files.delete(&version.sent_key()).await?;
        let message = message!(api::CHECKSUM_DIFFERS, arrived.sha256);
        return Err(Error::conflict(WebCode::ChecksumDiffers, message));
    }
    let finished = keep(state, &asked.by, &version, open.path(), arrived).await?;
    state.uploads.forget(&version.s3_key).await;
    if let Err(error) = state.documents.files.delete(&version.sent_key()).await {
        tracing::warn!(%error, key = version.sent_key(), "a sent file is left until its document is deleted");
    }
    Ok(finished)
}

/// Gets the file that a client sent to the file store itself. Its checksum and type are not known before it was read here.
async fn fetch_sent(state: &State, version: &FileVersion, open: &Open) -> Result<Option<Arrived>, Error> {
    let Some(body) = state.documents.files.get(&version.sent_key(), None).await? else { return Ok(None) };
    let max = u64::try_from(version.file_size).unwrap_or_default();
    let fetched = store(open.path(), max, body.chunks).await;
    if fetched.is_err() {
        state.uploads.forget(&version.s3_key).await;
    }
    fetched.map(Some)
}

/// Stores a file that has arrived under the key of its version, and ends the upload.
async fn keep(
    state: &State,
    by: &str,
    version: &FileVersion,
    file: &Path,
    arrived: Arrived,
) -> Result<Finished, Error> {
    // Empty files have no file here.
    if arrived.size == 0 {
        tokio::fs::write(file, b"").await.map_err(hansang_core::files::unavailable)?;
    }
    let file_type = type_of(file, &version.file_type, &version.name).await?;
    state.documents.files.put(&version.s3_key, &file_type, file).await?;
    let file_size = i64::try_from(arrived.size).unwrap_or(i64::MAX);
    let s3_key = Some(version.s3_key.clone());
    let received = Received { sha256: arrived.sha256, file_size, file_type, s3_key };
    let (project_id, document_id) = (&version.project_id, &version.document_id);
    let finished =
        finish_upload(&state.documents, by, project_id, document_id, version.file_version, &received).await?;
    state.figures.add(Count::Upload(arrived.size));
    Ok(finished)
}

/// Uploads a document in one go. What did not arrive as a whole is given up.
async fn send(
    state: &Arc<State>,
    by: &str,
    project_id: &str,
    file: &NewFile,
    body: Body,
) -> Result<Finished, Error> {
    state.check_size(file.file_size)?;
    let upload = begin_upload(&state.documents, by, project_id, file).await?;
    let version = upload.version;
    let max = u64::try_from(state.settings.max_file).unwrap_or_default();
    let too_large = |error| state.too_large(error);
    let sent = async {
        let temporary = state.uploads.temporary().await?;
        let arrived = store(&temporary, max, body.into_data_stream()).await.map_err(too_large)?;
        keep(state, by, &version, &temporary, arrived).await
    };
    let sent = sent.await;
    if sent.is_err() {
        let FileVersion { document_id, file_version, .. } = &version;
        let aborted =
            hansang_documents::abort_upload(&state.documents, project_id, document_id, *file_version).await;
        if let Err(error) = aborted {
            tracing::debug!(%error, "an upload is left to be given up by the worker");
        }
    }
    sent
}

async fn file_of(state: Arc<State>, mut asked: Asked<()>) -> Result<Download, Error> {
    let (project_id, document_id) = asked.document();
    let wanted = asked.parameters.number("version")?;
    let document = find_document(&state.documents, &project_id, &document_id).await?;
    let Some(number) = wanted.map(i64::from).or(document.file_version) else {
        let not_uploaded = message!(hansang_documents::messages::NOT_UPLOADED);
        let key = document.s3_key.ok_or_else(|| Error::conflict(DocumentsCode::NotUploaded, not_uploaded))?;
        return Ok(Download {
            key,
            content_type: document.file_type,
            name: Some(document.name),
            on_pages: false,
            tag: document.sha256,
        });
    };
    let version = file_version(&state.documents, &document_id, number).await?;
    if version.state != VersionState::Ready {
        let not_uploaded = message!(hansang_documents::messages::NOT_UPLOADED);
        return Err(Error::conflict(DocumentsCode::NotUploaded, not_uploaded));
    }
    let FileVersion { s3_key: key, file_type: content_type, name, sha256: tag, .. } = version;
    Ok(Download { key, content_type, name: Some(name), on_pages: false, tag })
}
