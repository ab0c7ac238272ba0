//! Search over the posts that visitors see.

use hansang_content::{Hit, Piece, categories, next_change};
use hansang_core::Error;
use hansang_http::route::Route;
use serde::Serialize;

use super::lists::{Card, cards};
use super::pictures::Pictures;
use super::visit::{Head, part};
use super::{Page, Site};

/// The number of results of a page.
const RESULTS: usize = 12;
/// The maximum number of characters that are looked for.
const MAX_QUERY: usize = 100;

#[derive(Serialize)]
struct Results {
    query: String,
    posts: Vec<Found>,
    /// The address of more results.
    more: Option<String>,
}

/// A post with the words that were found in it.
#[derive(Serialize)]
struct Found {
    card: Card,
    snippet: Vec<Shown>,
}

#[derive(Serialize)]
struct Shown {
    text: String,
    marked: bool,
}

impl Site {
    pub(super) fn search(&self) -> Route {
        self.page("/search", async move |desk, visit, _| {
            let query: String = visit.asked.text("q").trim().chars().take(MAX_QUERY).collect();
            let skip: usize = visit.asked.text("skip").parse().unwrap_or_default();
            let until = next_change(&desk.content).await?;
            let hits = desk.search.find(&desk.content, &query, skip, RESULTS).await?;
            let all = categories(&desk.content).await?;
            let found = hits.hits.into_iter().flat_map(|Hit { post, snippet, .. }| {
                let card = cards(&visit, &all, std::slice::from_ref(&post), &Pictures::default()).pop()?;
                let shown = |piece: Piece| Shown { text: piece.text, marked: piece.marked };
                Some(Found { card, snippet: snippet.into_iter().map(shown).collect() })
            });
            let next = format!("{}?q={}&skip={}", visit.url("/search"), part(&query), skip + RESULTS);
            let head = Head {
                title: visit.say("Search", "검색").to_owned(),
                kind: "website",
                section: "search".to_owned(),
                ..Head::default()
            };
            let context = Results { posts: found.collect(), more: hits.more.then_some(next), query };
            Ok::<_, Error>(Page { template: "search.html", head, context, until })
        })
    }
}
