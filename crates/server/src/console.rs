//! The console: pages on which people see any single table as what it means.
//!
//! Pages are written on the server. Each is a [`Route`] behind the same guard as the operations of the
//! API, and does what it does through the same verbs; a refusal becomes a page in [`people`].

use std::sync::Arc;

use hansang_core::{Db, Model};
use serde_json::Value as Json;

use crate::app::{App, Calls};
use crate::route::Route;

mod assets;
mod design;
mod explore;
mod form;
mod frame;
mod handbook;
mod home;
mod language;
mod live;
mod model;
mod people;
mod sessions;
mod settings;

pub(crate) use form::Sent;
pub(crate) use people::for_people;

use frame::{Frame, Place, View};

/// What every page of the console can use.
#[derive(Clone)]
pub(crate) struct Console {
    pub(crate) app: App,
    systems: Arc<[Db]>,
}

impl Console {
    /// The frame of a page.
    fn frame(&self, view: View, title: &str, place: Place) -> Frame {
        let seen = self.models().filter(|model| view.role_in(&model.name).is_some());
        let systems = seen.map(|model| model.name.to_string()).collect();
        Frame { view, title: title.to_owned(), place, systems }
    }

    fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.systems.iter().map(Db::model)
    }

    /// The calls of one system.
    fn calls(&self, db: &Db) -> Calls {
        self.app.calls(db)
    }
}

/// Every page. The document describes the API.
pub(crate) fn routes(app: &App, systems: &[Db], document: &Json) -> Vec<Route> {
    let console = Console { app: app.clone(), systems: systems.into() };
    let mut routes = assets::routes();
    routes.extend(sessions::routes(&console));
    routes.push(home::route(&console));
    routes.push(live::route(&console));
    routes.push(handbook::route(&console, document));
    routes.push(design::route(&console));
    routes.extend(settings::routes(&console));
    for db in systems {
        routes.extend(explore::routes(&console, db));
        routes.extend(model::routes(&console, db));
    }
    routes
}
