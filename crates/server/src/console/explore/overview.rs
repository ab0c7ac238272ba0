//! The patterns and entities of a system.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::read::parameters;

use super::System;
use hansang_access::Role;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};

#[derive(Template)]
#[template(path = "console/explore/overview.html")]
struct Overview {
    frame: Frame,
    system: String,
    doc: String,
    table: String,
    patterns: Vec<Pattern>,
    entities: Vec<(String, String)>,
    may_edit: bool,
}

struct Pattern {
    name: String,
    doc: String,
    returns: Vec<String>,
    arguments: Vec<(String, bool)>,
    index: Option<String>,
}

pub(super) fn route(system: &System) -> Route {
    let (path, needs) = (system.at(""), system.needs(Role::Viewer));
    let system = system.clone();
    Route::page(&path, needs, on(MethodFilter::GET, async move |view: View| show(&system, view)))
}

fn show(system: &System, view: View) -> Response {
    let (model, language) = (system.model(), view.language);
    let patterns = model.patterns.iter().map(|pattern| Pattern {
        name: pattern.name.to_string(),
        doc: pattern.doc.in_language(language).to_owned(),
        returns: pattern.entities.iter().map(|entity| entity.name.to_string()).collect(),
        arguments: parameters(pattern).iter().map(|one| (one.name.to_owned(), one.required)).collect(),
        index: pattern.index.map(|index| model.table.indexes[index].name.to_string()),
    });
    let frame = system.frame(view, system.name());
    let overview = Overview {
        system: system.name().to_owned(),
        doc: model.doc.in_language(language).to_owned(),
        table: system.db().table().name.clone(),
        patterns: patterns.collect(),
        entities: model
            .entities
            .iter()
            .map(|one| (one.name.to_string(), one.doc.in_language(language).to_owned()))
            .collect(),
        may_edit: frame.may_edit(system.name()),
        frame,
    };
    page(StatusCode::OK, &overview)
}
