//! Responses of a server, and their form in snapshots.

use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use serde_json::Value as Json;

/// A response.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl Response {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_default().to_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The status, the version and the whole body, with `…` for values that differ in each run.
    pub fn shown(&self) -> String {
        let mut shown = self.status.to_string();
        if !self.header("etag").is_empty() {
            shown = format!("{shown} etag {}", self.header("etag"));
        }
        for line in self.text.lines() {
            let mut json: Json = serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {self:?}"));
            hide("", &mut json);
            shown = format!("{shown}\n{json:#}");
        }
        shown
    }
}

/// Replaces secrets, cursors, generated ids and times by `…`.
fn hide(name: &str, json: &mut Json) {
    match json {
        Json::String(text) => {
            let secret = ["traceId", "trace", "next", "previous", "secret", "csrf"].contains(&name);
            let time = text.parse::<Timestamp>().is_ok();
            let ulid = text.len() == 26 && text.starts_with("01");
            if secret || time || ulid {
                *text = "…".to_owned();
            }
        }
        Json::Array(values) => values.iter_mut().for_each(|value| hide(name, value)),
        Json::Object(members) => members.iter_mut().for_each(|(name, value)| hide(name, value)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// The status and the code of a rejection.
pub fn refusal(answer: &Response) -> (u16, String) {
    (answer.status, answer.code())
}

pub fn ok(answer: Response) -> Json {
    assert!(StatusCode::from_u16(answer.status).unwrap().is_success(), "{answer:?}");
    answer.json()
}
