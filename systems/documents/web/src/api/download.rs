//! Downloads: streamed, in ranges, or by an address of the file store.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Redirect, Response};
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use hansang_http::route::{Described, empty_answer};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use crate::code::WebCode;
use crate::messages as api;
use crate::state::State;

/// The lifetime of an address of the file store.
const LIFETIME: Duration = Duration::from_secs(300);

/// A file that is downloaded.
#[derive(Clone, Debug)]
pub(super) struct Download {
    /// Its key.
    pub(super) key: String,
    /// Its media type.
    pub(super) content_type: String,
    /// The name under which it is saved. Without one it is shown, which is safe for images alone.
    pub(super) name: Option<String>,
    /// Whether pages show it: they load pictures from the server alone.
    pub(super) on_pages: bool,
    /// What tells its content apart, such as a checksum.
    pub(super) tag: Option<String>,
}

/// The responses of a download.
pub(super) fn answers(file: Described) -> Vec<(u16, Described)> {
    let part = Described::new(message!(api::A_PART), file.json.clone());
    vec![(200, file), (206, part), (303, empty_answer(message!(api::THE_FILE)))]
}

/// The description of a file of any type.
pub(super) fn any_file() -> Described {
    let content = json!({ "content": { "*/*": { "schema": { "type": "string", "format": "binary" } } } });
    Described::new(message!(api::THE_FILE), content)
}

/// The response with a file, or the part of it that the request asks for.
pub(super) async fn respond(
    state: &State,
    file: &Download,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let files = &state.documents.files;
    if !file.on_pages
        && let Some(address) = files.address(&file.key, file.name.as_deref(), LIFETIME).await?
    {
        return Ok(Redirect::to(&address).into_response());
    }
    let missing = || Error::not_found(WebCode::FileMissing, message!(api::FILE_MISSING));
    let tag = file.tag.as_deref().and_then(|tag| HeaderValue::try_from(format!("\"{tag}\"")).ok());
    let mut wanted = headers.get(header::RANGE).and_then(|range| range.to_str().ok());
    // A range of another content than the client has would not fit.
    if headers.get(header::IF_RANGE).is_some_and(|known| Some(known) != tag.as_ref()) {
        wanted = None;
    }
    let whole = files.get(&file.key, None).await?.ok_or_else(missing)?;
    let size = whole.size;
    let (status, body) = match wanted.and_then(|wanted| range(wanted, size)) {
        None => (StatusCode::OK, whole),
        Some(None) => return Ok(not_satisfiable(size)),
        Some(Some(range)) => {
            let part = files.get(&file.key, Some(range)).await?.ok_or_else(missing)?;
            (StatusCode::PARTIAL_CONTENT, part)
        }
    };
    let length = body.range.end - body.range.start;
    let mut response = (status, Body::from_stream(body.chunks)).into_response();
    let own = response.headers_mut();
    let content_type = HeaderValue::try_from(&file.content_type)
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    own.insert(header::CONTENT_TYPE, content_type);
    own.insert(header::CONTENT_LENGTH, length.into());
    own.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    own.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if let Some(tag) = tag {
        own.insert(header::ETAG, tag);
    }
    if let Some(disposition) = file.name.as_deref().and_then(disposition) {
        own.insert(header::CONTENT_DISPOSITION, disposition);
    }
    if status == StatusCode::PARTIAL_CONTENT {
        let range = format!("bytes {}-{}/{size}", body.range.start, body.range.end.saturating_sub(1));
        own.extend(HeaderValue::try_from(range).ok().map(|range| (header::CONTENT_RANGE, range)));
    }
    Ok(response)
}

/// Saves a file under its name: never shown, because the file of a stranger could be a page with a script.
fn disposition(name: &str) -> Option<HeaderValue> {
    let plain: String = name
        .chars()
        .map(|one| if one.is_ascii_alphanumeric() || "-_. ".contains(one) { one } else { '_' })
        .collect();
    let exact = utf8_percent_encode(name, NON_ALPHANUMERIC);
    HeaderValue::try_from(format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{exact}")).ok()
}

/// The single range of a header: `None` if the header is to be ignored, `Some(None)` if the file has none of it.
#[expect(clippy::option_option, reason = "ignored and not satisfiable are answered differently")]
fn range(header: &str, size: u64) -> Option<Option<std::ops::Range<u64>>> {
    let (first, last) = header.strip_prefix("bytes=")?.trim().split_once('-')?;
    let parse = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u64>().ok());
    let range = match (first, last) {
        ("", "") => return None,
        ("", last) => {
            let length = parse(last)??.min(size);
            size - length..size
        }
        (first, "") => parse(first)??..size,
        (first, last) => {
            let (first, last) = (parse(first)??, parse(last)??);
            if last < first {
                return None;
            }
            first..last.saturating_add(1).min(size)
        }
    };
    Some((range.start < range.end).then_some(range))
}

fn not_satisfiable(size: u64) -> Response {
    let message = message!(api::NOT_SATISFIABLE, size);
    let problem = Problem::new(StatusCode::RANGE_NOT_SATISFIABLE, WebCode::RangeInvalid, message);
    let mut response = problem.into_response();
    let range = HeaderValue::try_from(format!("bytes */{size}")).ok();
    response.headers_mut().extend(range.map(|range| (header::CONTENT_RANGE, range)));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        let cases = [
            ("bytes=0-3", Some(Some(0..4))),
            ("bytes=4-", Some(Some(4..10))),
            ("bytes=-3", Some(Some(7..10))),
            ("bytes=-30", Some(Some(0..10))),
            ("bytes=8-99", Some(Some(8..10))),
            ("bytes=10-", Some(None)),
            ("bytes=-0", Some(None)),
            ("bytes=5-3", None),
            ("bytes=0-1,3-4", None),
            ("bytes=-", None),
            ("items=0-3", None),
            ("bytes=+1-3", None),
            ("bytes=99999999999999999999-", None),
        ];
        for (header, expected) in cases {
            assert_eq!(range(header, 10), expected, "{header}");
        }
    }

    #[test]
    fn names_cannot_add_headers() {
        let shown = disposition("계약 \"x\"\r\nSet-Cookie: a.pdf").unwrap();
        assert!(
            shown.to_str().unwrap().starts_with(
                "attachment; filename=\"__ _x___Set-Cookie_ a.pdf\"; filename*=UTF-8''%EA%B3%84"
            )
        );
    }
}
