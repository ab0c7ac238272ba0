//! The entities of a system, and the views over several of them.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::System;
use hansang_access::Role;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};

#[derive(Template)]
#[template(path = "console/explore/overview.html")]
struct Overview {
    frame: Frame,
    system: String,
    title: String,
    doc: String,
    table: String,
    entities: Vec<Entity>,
    /// The patterns that return several entities.
    views: Vec<Shared>,
    may_edit: bool,
}

struct Entity {
    name: String,
    title: String,
    plural: String,
    doc: String,
}

/// A view over several entities.
struct Shared {
    name: String,
    title: String,
    doc: String,
    returns: Vec<String>,
}

pub(super) fn route(system: &System) -> Route {
    let (path, needs) = (system.at(""), system.needs(Role::Viewer));
    let system = system.clone();
    Route::page(&path, needs, on(MethodFilter::GET, async move |view: View| show(&system, view)))
}

fn show(system: &System, view: View) -> Response {
    let (model, language) = (system.model(), view.language);
    let entities = model.entities.iter().map(|entity| Entity {
        name: entity.name.to_string(),
        title: entity.title_in(language).into_owned(),
        plural: entity.plural_in(language).into_owned(),
        doc: entity.doc.in_language(language).to_owned(),
    });
    let shared = model.patterns.iter().filter(|pattern| pattern.entities.len() > 1);
    let views = shared.map(|pattern| Shared {
        name: pattern.name.to_string(),
        title: pattern.title_in(language).into_owned(),
        doc: pattern.doc.in_language(language).to_owned(),
        returns: pattern.entities.iter().map(|entity| entity.plural_in(language).into_owned()).collect(),
    });
    let frame = system.frame(view, system.name());
    let overview = Overview {
        system: system.name().to_owned(),
        title: model.title_in(language).into_owned(),
        doc: model.doc.in_language(language).to_owned(),
        table: system.db().table().name.clone(),
        entities: entities.collect(),
        views: views.collect(),
        may_edit: frame.may_edit(system.name()),
        frame,
    };
    page(StatusCode::OK, &overview)
}
