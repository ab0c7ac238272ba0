//! The pages of editors.

use std::sync::Arc;

use hansang_http::route::Route;
use hansang_server::Console;
use hansang_ui::frame::{Tab, View};

use crate::desk::Desk;

/// All pages of editors.
pub(crate) fn routes(_console: &Console, _desk: &Arc<Desk>) -> Vec<Route> {
    Vec::new()
}

/// The tabs above the pages.
pub(crate) fn tabs(_view: &View) -> Vec<Tab> {
    Vec::new()
}
