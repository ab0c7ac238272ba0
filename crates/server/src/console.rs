//! The console: pages on which people see any single table as what it means.
//!
//! Pages are written on the server. Each is a [`Route`] behind the same guard as the operations of the
//! API, and does what it does through the same verbs; a refusal becomes a page in [`people`].

use std::sync::Arc;

use hansang_core::{Db, Model};
use serde_json::Value as Json;

use crate::app::{App, Calls};
use crate::route::{Needs, Route};
use crate::{Role, System, Verbs};

mod assets;
mod contracts;
mod design;
mod entry;
mod explore;
mod form;
mod frame;
mod handbook;
mod home;
mod language;
mod live;
mod model;
mod names;
mod people;
mod sessions;
mod settings;

pub(crate) use form::Sent;
pub(crate) use people::for_people;

use frame::{Closed, Frame, Place, Tab, View};

/// What every page of the console can use.
#[derive(Clone)]
pub(crate) struct Console {
    pub(crate) app: App,
    systems: Arc<[System]>,
}

impl Console {
    /// The frame of a page.
    fn frame(&self, view: View, title: &str, place: Place) -> Frame {
        let systems = self.seen(&view).map(|system| system.name().to_owned()).collect();
        let closed = self.systems.iter().filter_map(|system| {
            Some(Closed { system: system.name().to_owned(), tabs: own_tabs(&system.verbs)? })
        });
        Frame { title: title.to_owned(), place, systems, closed: closed.collect(), view }
    }

    /// The systems that have pages for somebody: those in which they have a role, and events, which anybody may
    /// enter.
    fn seen(&self, view: &View) -> impl Iterator<Item = &System> {
        self.systems
            .iter()
            .filter(|system| view.role_in(system.name()).is_some() || matches!(system.verbs, Verbs::Entry(_)))
    }

    fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.systems.iter().map(|system| system.db.model())
    }

    /// The calls of one system.
    fn calls(&self, db: &Db) -> Calls {
        self.app.calls(db)
    }
}

/// What stands above the pages that a system has of its own, if it has some.
fn own_tabs(verbs: &Verbs) -> Option<fn(&Frame, &str) -> Vec<Tab>> {
    match verbs {
        Verbs::Records => None,
        Verbs::Contracts(_) => Some(contracts::tabs),
        Verbs::Entry(_) => Some(entry::tabs),
    }
}

/// Every page. The document describes the API.
pub(crate) fn routes(app: &App, systems: &[System], document: &Json) -> Vec<Route> {
    let console = Console { app: app.clone(), systems: systems.into() };
    let mut routes = assets::routes();
    routes.extend(sessions::routes(&console));
    routes.push(home::route(&console));
    routes.push(live::route(&console));
    routes.push(handbook::route(&console, document));
    routes.push(design::route(&console));
    routes.extend(settings::routes(&console));
    for system in systems {
        let mut pages = explore::routes(&console, &system.db);
        if !system.is_open() {
            let writes = Needs::Role(system.name().to_owned(), Role::Editor);
            pages.retain(|page| page.needs != writes);
        }
        routes.extend(pages);
        routes.extend(model::routes(&console, &system.db));
        match &system.verbs {
            Verbs::Records => {}
            Verbs::Contracts(registry) => routes.extend(contracts::routes(&console, &system.db, registry)),
            Verbs::Entry(door) => routes.extend(entry::routes(&console, &system.db, door)),
        }
    }
    routes
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use hansang_core::cursor::CursorKey;
    use hansang_core::db::Clock;
    use hansang_core::write::Moment;
    use hansang_embedded::{Embedded, Options};
    use jiff::Timestamp;

    use super::*;
    use crate::Settings;
    use crate::access::{ACCESS_MODEL, Access, AccessSettings};
    use crate::metrics::Metrics;
    use crate::route::Needs;

    /// Whoever adds a page that anybody may open has to say so here too.
    #[tokio::test]
    async fn only_these_pages_are_open() {
        let directory = tempfile::tempdir().unwrap();
        let now = Timestamp::UNIX_EPOCH;
        let store = Embedded::open(directory.path(), Options::new(Arc::new(move || now))).unwrap();
        let clock = Clock::new(move || Moment { now, random: 0 });
        let model = Arc::new(hansang_core::compile(ACCESS_MODEL.as_bytes()).unwrap());
        let db = Db::new(model, None, Arc::new(store), clock, CursorKey::new(b"test"));
        let access = Access::new(db.clone(), AccessSettings::default()).unwrap();
        let settings = Settings {
            tls: false,
            behind_proxy: false,
            metrics_open: false,
            max_body: 1,
            max_requests: 1,
            request_time: Duration::from_secs(1),
            rates: (1.try_into().unwrap(), 1.try_into().unwrap()),
        };
        let app = App::new(access, Metrics::new(now), settings, Arc::new(|| Box::pin(async { Ok(()) })));
        let pages = routes(&app, &[db.into()], &Json::Null);
        let open = pages.iter().filter(|page| page.needs == Needs::Nothing).map(|page| &*page.path);
        assert_eq!(
            open.collect::<Vec<_>>(),
            [
                "/assets/console.css",
                "/assets/console.js",
                "/assets/icon.svg",
                "/console/sign-in",
                "/set-up",
                "/console/language",
                "/console/theme",
                "/api/docs",
            ]
        );
        assert!(pages.len() > 40, "{}", pages.len());
    }
}
