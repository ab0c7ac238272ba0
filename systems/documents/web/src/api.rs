//! The API of documents, under `/api/documents`.

use std::sync::Arc;

use hansang_http::route::Route;
use hansang_server::App;

use crate::state::State;

/// The served operations.
pub(crate) struct Api;

impl Api {
    pub(crate) fn new(_: &App, _: &Arc<State>) -> Self {
        Self
    }

    /// All operations.
    pub(crate) fn routes(&self) -> Vec<Route> {
        Vec::new()
    }
}
