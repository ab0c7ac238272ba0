//! A page with one table: authors, reply templates, webhooks.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::table::Table;

use super::Pages;

/// The parts of the page.
pub(super) struct List {
    pub(super) title: String,
    /// The tab that the page belongs to.
    pub(super) tab: &'static str,
    /// The page of a new one: label and address.
    pub(super) new: (String, String),
    pub(super) about: String,
    pub(super) table: Table,
}

#[derive(Template)]
#[template(path = "content/list.html")]
struct ListPage {
    frame: Frame,
    tab: &'static str,
    new: (String, String),
    about: String,
    table: Html,
}

pub(super) fn show(pages: &Pages, view: View, list: List) -> Response {
    let frame = pages.frame(view, &list.title);
    let table = list.table.html(&frame);
    page(StatusCode::OK, &ListPage { tab: list.tab, new: list.new, about: list.about, table, frame })
}
