//! The model of a system: its entities, their keys, and the cost of each access pattern.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hansang_core::diagnostic::Code;
use hansang_core::message::Language;
use hansang_core::{Db, Model, describe};

use super::Console;
use hansang_access::Role;
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::{self, Frame, View, page};

mod entities;
mod exports;
mod keys;
mod patterns;
mod settings;
mod words;

use exports::Download;
use keys::{Palette, Stretch};
use patterns::Row;
use settings::{IndexRow, Setting};

#[derive(Template)]
#[template(path = "console/model/overview.html")]
struct Overview {
    frame: Frame,
    system: String,
    doc: String,
    version: String,
    /// The number of diagnostics that the compiler knows.
    checks: usize,
    /// The table, then each index: the columns of the chart of keys.
    locations: Vec<Location>,
    entities: Vec<Entity>,
    patterns: Vec<Row>,
    indexes: Vec<IndexRow>,
    settings: Vec<Setting>,
    downloads: Vec<Download>,
}

/// The table or an index, and its key attributes.
struct Location {
    /// The name of the index.
    index: Option<String>,
    keys: String,
}

/// An entity in the chart of keys.
struct Entity {
    name: String,
    title: String,
    doc: String,
    /// Its keys in the table and in each index; empty where it is not indexed.
    keys: Vec<Vec<Vec<Stretch>>>,
}

/// The pages about one system's model.
#[derive(Clone)]
struct Design {
    console: Console,
    db: Db,
}

/// All pages about the model of a system.
pub(super) fn routes(console: &Console, db: &Db) -> Vec<Route> {
    let design = Design { console: console.clone(), db: db.clone() };
    let mut routes = vec![design.route("", |design, view| design.overview(view))];
    for entity in &design.model().entities {
        let entity = entity.clone();
        let path = format!("/entities/{}", entity.name);
        routes.push(design.route(&path, move |design, view| entities::show(design, &entity, view)));
    }
    routes.extend(exports::routes(&design));
    routes
}

impl Design {
    fn model(&self) -> &Arc<Model> {
        self.db.model()
    }

    /// The address of a page about this model.
    fn at(&self, rest: &str) -> String {
        format!("/console/systems/{}/model{rest}", self.model().name)
    }

    fn needs(&self) -> Needs {
        Needs::Role(self.model().name.to_string(), Role::Viewer)
    }

    fn frame(&self, view: View, title: &str) -> Frame {
        self.console.frame(view, title, frame::Section::System(self.model().name.to_string()))
    }

    fn route(
        &self,
        rest: &str,
        show: impl Fn(&Self, View) -> Response + Clone + Send + Sync + 'static,
    ) -> Route {
        let design = self.clone();
        let handler = on(MethodFilter::GET, async move |view: View| show(&design, view));
        Route::page(&self.at(rest), self.needs(), handler)
    }

    fn overview(&self, view: View) -> Response {
        let model = self.model();
        let title = view.fill("Model of {0}", "{0} 모델").with(model.title_in(view.language)).to_string();
        let overview = Overview {
            system: model.name.to_string(),
            doc: model.doc.in_language(view.language).to_owned(),
            version: model.version.clone(),
            checks: Code::ALL.len(),
            locations: locations(model),
            entities: model.entities.iter().map(|entity| chart(model, entity, view.language)).collect(),
            patterns: patterns::rows(model, model.patterns.iter(), &Palette::default(), &view),
            indexes: settings::indexes(model, &view),
            settings: settings::settings(&self.db, &view),
            downloads: exports::downloads(self, &view),
            frame: self.frame(view, &title),
        };
        page(StatusCode::OK, &overview)
    }
}

fn locations(model: &Model) -> Vec<Location> {
    let table = &model.table;
    let of_table = Location { index: None, keys: format!("{}, {}", table.pk, table.sk) };
    let of_indexes = table.indexes.iter().map(|index| {
        let keys: Vec<&str> =
            [Some(&index.pk), index.sk.as_ref()].into_iter().flatten().map(|key| &**key).collect();
        Location { index: Some(index.name.to_string()), keys: keys.join(", ") }
    });
    [of_table].into_iter().chain(of_indexes).collect()
}

/// The keys of an entity, one entry per location.
fn chart(model: &Model, entity: &hansang_core::Entity, language: Language) -> Entity {
    let palette = Palette::default().with(model, entity);
    let all = describe::keys(model, entity);
    let keys_in = |index: Option<&hansang_core::Name>| {
        let here = all.iter().filter(|key| key.index.map(|one| &one.name) == index);
        here.map(|key| palette.paint(&key.pieces)).collect()
    };
    let of_indexes = model.table.indexes.iter().map(|index| Some(&index.name));
    let keys = [None].into_iter().chain(of_indexes).map(keys_in).collect();
    let title = entity.title_in(language).into_owned();
    Entity { name: entity.name.to_string(), title, doc: entity.doc.in_language(language).to_owned(), keys }
}
