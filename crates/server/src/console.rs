//! The console: pages for people to view and change the data of any model.
//!
//! Pages are rendered on the server. Each is a [`Route`] with the same guard as the operations of the API, and calls
//! the same functions. `hansang_ui::people` turns a problem into a page.

use std::sync::Arc;

use hansang_core::{Db, Language, Model};
use hansang_http::route::Route;
use hansang_ui::assets;
use hansang_ui::frame::{Frame, Section, SystemLink, View};
use serde_json::Value as Json;

use crate::Service;
use crate::app::{App, Calls};

mod design;
mod docs;
mod explore;
mod handbook;
mod home;
mod live;
mod model;
mod names;
mod search;
mod sessions;
mod settings;

pub use docs::Document;
pub use explore::csv;
pub use names::People;
pub use search::Hit;

/// The style sheets of these pages.
pub(crate) const STYLES: [&str; 2] =
    [include_str!("console/model.css"), include_str!("console/settings.css")];

/// The state that every page of the console can use.
#[derive(Clone)]
pub struct Console {
    /// The server.
    pub app: App,
    services: Arc<[Arc<dyn Service>]>,
    library: docs::Library,
}

impl Console {
    /// The frame of a page. The name of a system as its title becomes the title of the system.
    #[must_use]
    pub fn frame(&self, view: View, title: &str, section: Section) -> Frame {
        let frame = Frame { title: String::new(), section, systems: links(&self.services, &view), view };
        Frame { title: frame.system_title(title).to_owned(), ..frame }
    }

    /// The services that have pages for a visitor.
    fn seen(&self, view: &View) -> impl Iterator<Item = &Arc<dyn Service>> {
        seen(&self.services, view)
    }

    fn models(&self) -> impl Iterator<Item = &Arc<Model>> {
        self.services.iter().map(|service| service.db().model())
    }

    /// The operations of one system.
    #[must_use]
    pub fn calls(&self, db: &Db) -> Calls {
        self.app.calls(db)
    }
}

fn seen<'s>(services: &'s [Arc<dyn Service>], view: &View) -> impl Iterator<Item = &'s Arc<dyn Service>> {
    let has_role = |service: &Arc<dyn Service>| view.role_in(&service.db().model().name).is_some();
    services.iter().filter(move |service| has_role(service) || service.is_for_everyone())
}

/// The navigation of a visitor.
pub(crate) fn links(services: &[Arc<dyn Service>], view: &View) -> Vec<SystemLink> {
    let link = |service: &Arc<dyn Service>| {
        let model = service.db().model();
        let name = model.name.to_string();
        SystemLink {
            title: model.title_in(view.language).into_owned(),
            icon: service.icon(),
            tabs: service.tabs(view),
            generic_writes: service.has_generic_writes(),
            name,
        }
    };
    seen(services, view).map(link).collect()
}

/// All pages. The documents describe the API in every language.
pub(crate) fn routes(app: &App, services: &[Arc<dyn Service>], documents: &[(Language, Json)]) -> Vec<Route> {
    let library = docs::Library::new(services);
    let console = Console { app: app.clone(), services: services.into(), library };
    let mut routes = assets::routes(&app.shell());
    routes.extend(sessions::routes(&console));
    routes.push(home::route(&console));
    routes.push(live::route(&console));
    routes.push(search::route(&console));
    routes.extend(docs::routes(&console));
    routes.extend(handbook::routes(&console, documents));
    routes.push(design::route(&console));
    routes.extend(settings::routes(&console));
    for service in services {
        let db = service.db();
        routes.extend(explore::routes(&console, &**service));
        routes.extend(model::routes(&console, db));
        routes.extend(service.pages(&console));
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
    use crate::{Records, Settings};
    use hansang_access::{ACCESS_MODEL, Access, AccessSettings};
    use hansang_http::metrics::Metrics;
    use hansang_http::route::Needs;

    /// A new page without access control has to be added to this list.
    #[tokio::test]
    async fn only_these_pages_are_public() {
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
            time_zone: None,
        };
        let app = App::new(access, Metrics::new(now), settings, Arc::new(|| Box::pin(async { Ok(()) })));
        let pages = routes(&app, &[Arc::new(Records::new(db)) as Arc<dyn Service>], &[]);
        let open = pages.iter().filter(|page| page.needs == Needs::Nothing).map(|page| &*page.path);
        assert_eq!(
            open.collect::<Vec<_>>(),
            [
                "/assets/console.css",
                "/assets/console.js",
                "/assets/icon.svg",
                "/assets/icons.svg",
                "/console/sign-in",
                "/set-up",
                "/console/language",
                "/console/theme",
                "/console/columns",
                "/assets/handbook.js",
                "/api/docs",
                "/api/docs/{part}",
            ]
        );
        assert!(pages.len() > 40, "{}", pages.len());
    }
}
