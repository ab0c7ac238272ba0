//! The list of an entity's records: its access patterns are saved views of it.

use std::sync::Arc;

use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Pattern;
use hansang_core::model::{Entity, Leg};
use hansang_core::read::parameters;

use super::System;
use super::query::{Address, returns, show};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::View;

/// The list, and one page for each view of it.
pub(super) fn routes(system: &System, entity: &Arc<Entity>) -> Vec<Route> {
    let list = system.at(&format!("/entities/{}", entity.name));
    let patterns = || system.model().patterns.iter().filter(|one| returns(one, entity));
    let mut routes = Vec::new();
    let first = patterns().min_by_key(|pattern| rank(pattern));
    match first {
        Some(pattern) => routes.push(view(system, entity, pattern, list.clone())),
        None => routes.push(to_model(system, entity, &list)),
    }
    routes.extend(
        patterns().map(|pattern| view(system, entity, pattern, format!("{list}/views/{}", pattern.name))),
    );
    routes
}

/// The view that a list opens with: many records of this entity alone, without a form to fill in.
pub(super) fn rank(pattern: &Pattern) -> (bool, bool, bool) {
    let asks = parameters(pattern).iter().any(|one| one.required);
    let is_one = !pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }));
    (asks, is_one, pattern.entities.len() > 1)
}

fn view(system: &System, entity: &Arc<Entity>, pattern: &Pattern, path: String) -> Route {
    let needs = system.needs_readers(pattern);
    let (system, entity, name, here) = (system.clone(), entity.clone(), pattern.name.clone(), path.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&system, &name, Address { here: here.clone(), entity: Some(entity.clone()) }, view).await
    });
    Route::page(&path, needs, handler)
}

/// An entity that no pattern returns has its description instead of a list.
fn to_model(system: &System, entity: &Entity, path: &str) -> Route {
    let model = system.at(&format!("/model/entities/{}", entity.name));
    let handler = on(MethodFilter::GET, async move || {
        let model: Response = Redirect::to(&model).into_response();
        Ok::<_, Problem>(model)
    });
    Route::page(path, system.needs(Role::Viewer), handler)
}
