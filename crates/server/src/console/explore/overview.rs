//! The entities of a system that the visitor reads, and the views over several of them.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::future::join_all;
use hansang_core::Item;
use hansang_core::db::Ask;

use super::System;
use super::pickers::lists_all;
use hansang_access::Role;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};

/// The number up to which records are counted: more would cost too much for an overview.
const MAX_COUNT: u32 = 50;

#[derive(Template)]
#[template(path = "console/explore/overview.html")]
struct Overview {
    frame: Frame,
    system: String,
    title: String,
    doc: String,
    table: String,
    entities: Vec<Entity>,
    /// Whether any entity has a count.
    counts: bool,
    /// The patterns that return several entities.
    views: Vec<Shared>,
}

struct Entity {
    name: String,
    title: String,
    plural: String,
    doc: String,
    /// The number of records, counted to a bound; empty if no list has them all.
    count: String,
    may_edit: bool,
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
    Route::page(&path, needs, on(MethodFilter::GET, async move |view: View| show(&system, view).await))
}

async fn show(system: &System, view: View) -> Response {
    let (model, language) = (system.model(), view.language);
    let seen = |name: &str| system.may_read(&view, name);
    let seen: Vec<_> = model.entities.iter().filter(|entity| seen(&entity.name)).collect();
    let role = view.role_in(system.name());
    let counts = join_all(seen.iter().map(|entity| counted(system, entity))).await;
    let frame = system.frame(view, system.name());
    let entities = seen.into_iter().zip(counts).map(|(entity, count)| Entity {
        count,
        may_edit: system.may_edit(&frame, &entity.name),
        name: entity.name.to_string(),
        title: entity.title_in(language).into_owned(),
        plural: entity.plural_in(language).into_owned(),
        doc: entity.doc.in_language(language).to_owned(),
    });
    let entities: Vec<Entity> = entities.collect();
    let shared = model.patterns.iter().filter(|pattern| pattern.entities.len() > 1);
    let shared = shared.filter(|pattern| system.calls.reserved.may_query(role, pattern));
    let views = shared.map(|pattern| Shared {
        name: pattern.name.to_string(),
        title: pattern.title_in(language).into_owned(),
        doc: pattern.doc.in_language(language).to_owned(),
        returns: pattern.entities.iter().map(|entity| entity.plural_in(language).into_owned()).collect(),
    });
    let overview = Overview {
        system: system.name().to_owned(),
        title: model.title_in(language).into_owned(),
        doc: model.doc.in_language(language).to_owned(),
        table: system.db().table().name.clone(),
        counts: entities.iter().any(|entity| !entity.count.is_empty()),
        entities,
        views: views.collect(),
        frame,
    };
    page(StatusCode::OK, &overview)
}

/// The number of records of an entity, such as `12` or `50+`, where a pattern lists them without arguments.
async fn counted(system: &System, entity: &hansang_core::Entity) -> String {
    let Some(pattern) = system.model().patterns.iter().find(|one| lists_all(one, entity)) else {
        return String::new();
    };
    let ask = Ask { limit: Some(MAX_COUNT), ..Ask::default() };
    match system.db().query(&pattern.name, Item::new(), ask).await {
        Ok(page) if page.next.is_some() => format!("{MAX_COUNT}+"),
        Ok(page) => page.records.len().to_string(),
        Err(error) => {
            tracing::warn!(%error, pattern = %pattern.name, "records cannot be counted");
            String::new()
        }
    }
}
