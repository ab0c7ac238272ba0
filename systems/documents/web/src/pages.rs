//! The pages.

use std::sync::Arc;

use hansang_http::route::Route;
use hansang_server::Console;
use hansang_ui::frame::{Tab, View};

use crate::state::State;

/// All pages.
pub(crate) fn routes(_: &Console, _: &Arc<State>) -> Vec<Route> {
    Vec::new()
}

/// The tabs above the pages.
pub(crate) fn tabs(_: &View) -> Vec<Tab> {
    Vec::new()
}
