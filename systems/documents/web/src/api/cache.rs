//! The cache: statistics, and dropping a list.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::message;
use hansang_http::route::Route;
use serde_json::json;

use super::sent::SentKey;
use super::{Api, output};
use crate::actions;
use crate::messages as api;

impl Api {
    pub(super) fn cache_routes(&self) -> Vec<Route> {
        let kinds = json!({ "enum": ["none", "memory", "valkey"] });
        let counts = ["hits", "misses", "stale", "shared", "fills", "errors", "invalidations"];
        let mut members = vec![("kind", kinds)];
        members.extend(counts.map(|name| (name, output::count())));
        vec![
            self.read(
                "cache",
                "cache.get",
                (message!(api::GET_CACHE), message!(api::THE_CACHE)),
                Role::Admin,
                (Vec::new(), output::object(&members)),
                async move |state, _| {
                    let counts = state.documents.cached.statistics();
                    Ok(json!({
                        "kind": state.settings.cache.name(),
                        "hits": counts.hits,
                        "misses": counts.misses,
                        "stale": counts.stale,
                        "shared": counts.shared,
                        "fills": counts.fills,
                        "errors": counts.errors,
                        "invalidations": counts.invalidations,
                    }))
                },
            ),
            self.change::<SentKey, _, _>(
                (Method::POST, "cache/invalidate"),
                actions::INVALIDATE,
                (StatusCode::OK, Role::Admin),
                output::object(&[("invalidated", json!({ "const": true }))]),
                |asked| Ok(asked.body.key),
                |()| json!({ "invalidated": true }),
            ),
        ]
    }
}
