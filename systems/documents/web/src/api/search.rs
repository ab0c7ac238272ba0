//! Search over the segments of a project, and questions that are answered from them.

use std::sync::Arc;

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{find_project, segment};
use hansang_documents_adapters::{Bounds, marks};
use hansang_http::route::{Route, query_parameter};
use serde_json::{Value as Json, json};

use super::sent::SentAsk;
use super::{Api, Asked, output};
use crate::actions::asking;
use crate::messages as api;
use crate::search::{Found, search};
use crate::state::State;

impl Api {
    pub(super) fn search_routes(&self) -> Vec<Route> {
        let words =
            || query_parameter("q", true, json!({ "type": "string", "minLength": 1 }), message!(api::WORDS));
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        let offset = json!({ "type": "integer", "minimum": 0, "maximum": 10_000 });
        let message = || output::of(self.model(), "Message");
        vec![
            self.read(
                "projects/{project_id}/search",
                "search",
                (message!(api::SEARCH), message!(api::THE_HITS)),
                Role::Viewer,
                (
                    vec![
                        words(),
                        query_parameter("limit", false, limit, message!(api::LIMIT)),
                        query_parameter("offset", false, offset, message!(api::SKIP_HITS)),
                    ],
                    hits_schema(),
                ),
                async move |state, asked| search_project(state, asked).await,
            ),
            self.read(
                "workflows/{workflow_id}/segments/{segment_index}/marks",
                "segment.marks",
                (message!(api::GET_MARKS), message!(api::THE_MARKS)),
                Role::Viewer,
                (vec![words()], output::all_of(mark_schema())),
                async move |state, mut asked| {
                    let words = asked.parameters.take("q").unwrap_or_default();
                    let found = segment(&state.documents, &asked.text("workflow_id"), asked.index()?).await?;
                    Ok(marks_of(&found, &words))
                },
            ),
            self.change::<SentAsk, _, _>(
                (Method::POST, "projects/{project_id}/sessions/{session_id}/ask"),
                asking::ASK,
                (StatusCode::OK, Role::Viewer),
                output::object(&[("question", message()), ("answer", message())]),
                |asked| Ok((asked.text("project_id"), asked.text("session_id"), asked.body.question)),
                |(question, answer)| {
                    json!({ "question": output::record(&question), "answer": output::record(&answer) })
                },
            ),
        ]
    }
}

async fn search_project(state: Arc<State>, mut asked: Asked<()>) -> Result<Json, Error> {
    let project_id = asked.text("project_id");
    let words = asked.parameters.take("q").unwrap_or_default();
    let limit = asked.parameters.number("limit")?.unwrap_or(20).clamp(1, 100);
    let offset = asked.parameters.number("offset")?.unwrap_or_default();
    find_project(&state.documents, &project_id).await?;
    let found = search(&state, &project_id, &words, (limit as usize, offset as usize)).await?;
    let shown = |found: &Found| {
        let (hit, name) = (&found.hit, &found.document_name);
        let highlights: Vec<[usize; 2]> =
            hit.highlights.iter().map(|range| characters(&hit.snippet, range)).collect();
        json!({
            "document_id": hit.document_id,
            "document_name": name,
            "workflow_id": hit.workflow_id,
            "segment_index": hit.segment_index,
            "score": hit.score,
            "snippet": hit.snippet,
            "highlights": highlights,
        })
    };
    let items: Vec<Json> = found.items.iter().map(shown).collect();
    Ok(json!({ "items": items, "total": found.total }))
}

/// A range of bytes as one of characters, which every language counts alike.
fn characters(text: &str, range: &std::ops::Range<usize>) -> [usize; 2] {
    let count = |end: usize| text.get(..end).map_or(0, |text| text.chars().count());
    [count(range.start), count(range.end)]
}

/// Where words are on the image of a segment.
fn marks_of(segment: &hansang_documents::Segment, words: &str) -> Json {
    let short = |number: i64| u16::try_from(number.clamp(0, 10_000)).unwrap_or_default();
    let blocks = segment.text.blocks.iter().map(|block| {
        let bounds = Bounds {
            left: short(block.left),
            top: short(block.top),
            width: short(block.width),
            height: short(block.height),
        };
        (&*block.text, bounds)
    });
    let items: Vec<Json> = marks(blocks, words)
        .into_iter()
        .map(|mark| {
            let Bounds { left, top, width, height } = mark.bounds;
            json!({ "text": mark.text, "left": left, "top": top, "width": width, "height": height })
        })
        .collect();
    json!({ "items": items })
}

fn mark_schema() -> Json {
    let place = || json!({ "type": "integer", "description": "In ten-thousandths of the page." });
    output::object(&[
        ("text", output::text()),
        ("left", place()),
        ("top", place()),
        ("width", place()),
        ("height", place()),
    ])
}

fn hits_schema() -> Json {
    let highlight = json!({
        "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2,
        "description": "The first character of a word in the snippet, and the one behind its last.",
    });
    let hit = output::object(&[
        ("document_id", output::text()),
        ("document_name", output::text()),
        ("workflow_id", output::text()),
        ("segment_index", output::count()),
        ("score", json!({ "type": "number" })),
        ("snippet", output::text()),
        ("highlights", output::list(highlight)),
    ]);
    output::object(&[("items", output::list(hit)), ("total", output::count())])
}
