//! The response to a change of an older revision: what is stored now stands beside what was sent, with both merged where the
//! text that was edited is a version of the history. No text is lost.

use axum::http::HeaderMap;
use axum::response::IntoResponse as _;
use hansang_content::{ContentCode, PostText, merge_texts, version, working};
use hansang_core::Error;
use hansang_http::HttpCode;
use hansang_http::input::{PathKey, version_of};
use hansang_http::problem::Problem;
use serde_json::{Map, Value as Json};

use super::Responded;
use super::output::{EditedPost, Merged};
use crate::code::WebCode;
use crate::desk::Desk;

/// What is needed to answer a stale change of a post.
pub(super) struct Stale {
    id: String,
    revision: Option<i64>,
    sent: Option<Map<String, Json>>,
}

impl Stale {
    pub(super) fn of(key: &PathKey, headers: &HeaderMap, sent: Option<Map<String, Json>>) -> Self {
        Self { id: key.text("id"), revision: version_of(headers).ok().flatten(), sent }
    }

    /// Refuses a change. Errors other than a stale revision of a post are refused as they are.
    pub(super) async fn refuse(self, desk: &Desk, error: Error) -> Responded {
        if error.code != ContentCode::PostChanged {
            return Err(error.into());
        }
        let now = working(&desk.content, &self.id).await?;
        let mut more = Map::new();
        if let Some(merged) = self.merged(desk, now.text()).await {
            more.insert("merged".to_owned(), json(&merged)?);
        }
        more.insert("current".to_owned(), json(&EditedPost::of(&now, desk.content.now()))?);
        more.extend(self.sent.map(|sent| ("sent".to_owned(), Json::Object(sent))));
        let (parts, body) = Problem::from(error).into_response().into_parts();
        let whole = axum::body::to_bytes(body, usize::MAX).await;
        let problem = whole.ok().and_then(|bytes| serde_json::from_slice::<Map<String, Json>>(&bytes).ok());
        let mut problem = problem.ok_or_else(|| Problem::internal(HttpCode::MalformedJson))?;
        problem.extend(more);
        Ok((parts, Json::Object(problem).to_string()).into_response())
    }

    /// Both texts in one, if the text that was edited is known.
    async fn merged(&self, desk: &Desk, theirs: &PostText) -> Option<Merged> {
        let mine: PostText = serde_json::from_value(Json::Object(self.sent.clone()?)).ok()?;
        let base = version(&desk.content, &self.id, self.revision?).await.ok()?;
        Some(Merged::of(merge_texts(&base.text, &mine, theirs)))
    }
}

fn json(body: &impl serde::Serialize) -> Result<Json, Problem> {
    serde_json::to_value(body).map_err(|_| Problem::internal(WebCode::NotJson))
}
