//! Search over published posts, for everybody.

use hansang_content::{Hit, Piece, next_change};
use hansang_core::message;
use hansang_http::input::Parameters;
use hansang_http::route::{Route, query_parameter};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::output::ListedPost;
use super::{Api, Public};
use crate::messages as api;

/// The maximum number of results of a page.
const MAX_PAGE: u32 = 50;

/// A page of results, the best first.
#[derive(Serialize, JsonSchema)]
struct Results {
    items: Vec<Found>,
    /// Whether more follow.
    more: bool,
}

/// A post that was found.
#[derive(Serialize, JsonSchema)]
struct Found {
    post: ListedPost,
    /// A part of its text around the first words that were looked for.
    snippet: Vec<Shown>,
}

/// A piece of a text.
#[derive(Serialize, JsonSchema)]
struct Shown {
    text: String,
    /// Whether it is a word that was looked for.
    marked: bool,
}

impl Api {
    pub(super) fn search_route(&self) -> Route {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 20 });
        let skip = json!({ "type": "integer", "minimum": 0, "maximum": 500, "default": 0 });
        let parameters = vec![
            query_parameter("q", true, json!({ "type": "string", "maxLength": 100 }), message!(api::WORDS)),
            query_parameter("limit", false, limit, message!(api::LIMIT)),
            query_parameter("skip", false, skip, message!(api::SKIP)),
        ];
        let texts = (message!(api::SEARCH), message!(api::THE_RESULTS));
        self.public(
            "search",
            "posts.search",
            texts,
            parameters,
            async move |desk, _, mut asked: Parameters| {
                let query = asked.take("q").unwrap_or_default();
                let limit = asked.number("limit")?.unwrap_or(20).clamp(1, MAX_PAGE) as usize;
                let skip = asked.number("skip")?.unwrap_or(0) as usize;
                asked.finish()?;
                let until = next_change(&desk.content).await?;
                let found = desk.search.find(&desk.content, &query, skip, limit).await?;
                let shown = |piece: Piece| Shown { text: piece.text, marked: piece.marked };
                let items = found.hits.into_iter().map(|Hit { post, snippet, .. }| Found {
                    post: ListedPost::of(&post),
                    snippet: snippet.into_iter().map(shown).collect(),
                });
                Ok(Public { body: Results { items: items.collect(), more: found.more }, until })
            },
        )
    }
}
