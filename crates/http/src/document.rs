//! Documents that are built once and sent often: precompressed, with an entity tag.

use std::fmt::Write as _;
use std::io::Write as _;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::body::Body as _;
use sha2::{Digest as _, Sha256};

/// A text with its compressed form.
#[derive(Debug)]
pub struct Document {
    media: &'static str,
    plain: Bytes,
    /// Absent if compression failed, which only costs bandwidth.
    gzip: Option<Bytes>,
    hash: String,
}

/// The minimum size of a response that is compressed.
const MIN_COMPRESSED: u64 = 1024;
/// The size above which compression runs on a blocking thread.
const MAX_INLINE: usize = 256 * 1024;

impl Document {
    /// Compresses a text.
    #[must_use]
    pub fn new(media: &'static str, text: String) -> Self {
        let mut hash = String::new();
        for byte in &Sha256::digest(text.as_bytes())[..12] {
            let _ = write!(hash, "{byte:02x}");
        }
        let gzip = gzip(text.as_bytes(), Compression::best());
        Self { media, plain: text.into(), gzip, hash }
    }

    /// The entity tag: a hash of the text.
    #[must_use]
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The response to a request with these headers: the text in an encoding that the client accepts, or 304.
    pub fn respond(&self, headers: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| accepts_gzip(headers));
        // Each encoding has a tag of its own, because a strong tag identifies exact bytes.
        let tags = [format!("\"{}\"", self.hash), format!("\"{}-gzip\"", self.hash)];
        let tag = tags[usize::from(gzip.is_some())].parse().unwrap_or(HeaderValue::from_static(""));
        let mut response = if has_tag(headers, &tags) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            gzip.unwrap_or(&self.plain).clone().into_response()
        };
        let changed = response.status() != StatusCode::NOT_MODIFIED;
        let mut set = |name: HeaderName, value: HeaderValue| drop(response.headers_mut().insert(name, value));
        set(header::ETAG, tag);
        set(header::VARY, HeaderValue::from_static("accept-encoding"));
        if changed {
            set(header::CONTENT_TYPE, HeaderValue::from_static(self.media));
            if gzip.is_some() {
                set(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            }
        }
        response
    }
}

/// Whether `If-None-Match` has one of these tags.
fn has_tag(headers: &HeaderMap, tags: &[String]) -> bool {
    let given = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut given = given.flat_map(|list| list.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
    given.any(|tag| tag == "*" || tags.iter().any(|known| known == tag))
}

/// Whether a client accepts gzip.
#[must_use]
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = lists.flat_map(|list| list.split(',')).map(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let weight =
            parameters.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
        (name.trim().to_ascii_lowercase(), weight.unwrap_or(1.0))
    });
    codings.any(|(name, weight)| matches!(&*name, "gzip" | "x-gzip" | "*") && weight > 0.0)
}

/// Compresses a JSON response of sufficient and known size; streams are not compressed.
///
/// Pages are not compressed: they contain the CSRF secret next to text that a link can choose, and the compressed size
/// would reveal the secret (BREACH). Responses with an entity tag are not compressed either, because the tag is a
/// version that clients send back.
pub async fn compress(response: Response) -> Response {
    let headers = response.headers();
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|media| media == "application/json");
    let is_small = response.body().size_hint().exact().is_none_or(|size| size < MIN_COMPRESSED);
    let is_fixed = [header::ETAG, header::CONTENT_ENCODING].iter().any(|name| headers.contains_key(name));
    if !is_json || is_small || is_fixed {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let compressed = if plain.len() <= MAX_INLINE {
        gzip(&plain, Compression::fast())
    } else {
        let plain = plain.clone();
        tokio::task::spawn_blocking(move || gzip(&plain, Compression::fast())).await.ok().flatten()
    };
    let Some(compressed) = compressed else { return (parts, plain).into_response() };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    (parts, compressed).into_response()
}

fn gzip(bytes: &[u8], level: Compression) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), level);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_with_their_weight() {
        for (given, accepted) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("*", true),
            ("deflate, br", false),
            ("gzip;q=0", false),
            ("GZIP; q=1.0", true),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, given.parse().unwrap())]);
            assert_eq!(accepts_gzip(&headers), accepted, "{given}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
