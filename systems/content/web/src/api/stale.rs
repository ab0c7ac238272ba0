//! The response to a change of an older revision: what is stored now stands beside what was sent, so that no text is lost.

use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse as _;
use hansang_content::{ContentCode, working};
use hansang_core::Error;
use hansang_http::HttpCode;
use hansang_http::problem::Problem;
use serde_json::{Map, Value as Json};

use super::Responded;
use super::output::EditedPost;
use crate::code::WebCode;
use crate::desk::Desk;

/// Refuses a change of a post. Errors other than a stale revision are refused as they are.
pub(super) async fn refuse(
    desk: &Desk,
    id: &str,
    error: Error,
    sent: Option<Map<String, Json>>,
) -> Responded {
    if error.code != ContentCode::PostChanged {
        return Err(error.into());
    }
    let now = EditedPost::of(&working(&desk.content, id).await?, desk.content.now());
    let current = serde_json::to_value(now).map_err(|_| Problem::internal(WebCode::NotJson))?;
    let response = Problem::from(error).into_response();
    let (mut parts, body) = response.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await;
    let problem = whole.ok().and_then(|bytes| serde_json::from_slice::<Map<String, Json>>(&bytes).ok());
    let mut problem = problem.ok_or_else(|| Problem::internal(HttpCode::MalformedJson))?;
    problem.insert("current".to_owned(), current);
    problem.extend(sent.map(|sent| ("sent".to_owned(), Json::Object(sent))));
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    Ok((parts, Json::Object(problem).to_string()).into_response())
}
