//! A server for a test. Every answer is checked against the API's own description.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use hansang_contracts::{CacheSettings, Cached, StoreRegistry};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Store, compile};
use hansang_embedded::Options;
use hansang_entry::Entry;
use hansang_server::access::{ACCESS_MODEL, Access, AccessSettings, NewAccount, PasswordSettings, Secret};
use hansang_server::metrics::{Metered, Metrics};
use hansang_server::{App, EntryDoor, Grants, Origin, Role, Settings, System, Verbs};
use hansang_testkit::memory::MemoryQueue;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use tower::ServiceExt as _;

use crate::answer::Answer;
use crate::stores::{self, On};

/// Enough of everything: versions, uniqueness, a lifecycle, a number in a key, a singleton, an index.
pub(crate) const SHOP: &str = r##"
model: shop
doc: A shop for tests.
table:
  name: Shop
  key: { pk: PK, sk: SK }
  created: createdAt
  updated: updatedAt
  ttl: ttl
  indexes:
    GSI1: { pk: GSI1PK, sk: GSI1SK }
entities:
  Item:
    doc: Something that is sold.
    key: { PK: "SHELF#{shelf}", SK: "ITEM#{number:04}" }
    version: version
    index:
      GSI1: { GSI1PK: "COLOR#{color}", GSI1SK: "{name}" }
    attributes:
      shelf:  { type: string, length: [1, 40] }
      number: { type: integer, min: 0, max: 9999 }
      name:   { type: string, length: [1, 80] }
      color:  string?
      price:  { type: number, min: 0, default: 0 }
      stock:  { type: integer, min: 0, default: 10 }
      tags:   { set: string, optional: true }
      notes:  { list: string, optional: true }
      state:  { lifecycle: { draft: [live], live: [sold] }, default: draft }
      code:   { type: string?, length: [1, 20] }
      ttl:    { type: integer?, min: 0 }
    unique:
      code: [code]
  Opening:
    doc: When the shop is open. There is one.
    key: { PK: SHOP, SK: OPENING }
    attributes: { hours: string }
patterns:
  itemsOfShelf: { entity: Item, given: [shelf], range: number }
  itemsByColor: { entity: Item, index: GSI1, given: [color] }
  itemByCode:   { entity: Item, unique: code }
  opening:      { entity: Opening }
"##;

/// A server with its data.
pub(crate) struct Server {
    pub(crate) app: App,
    pub(crate) access: Access,
    pub(crate) document: Json,
    pub(crate) admin: String,
    pub(crate) editor: String,
    pub(crate) viewer: String,
    pub(crate) store: Arc<dyn Store>,
    /// The events of a server that has some.
    pub(crate) entry: Option<Entry>,
    router: Router,
    clock: Clock,
    /// By how many milliseconds time was made to pass.
    passed: Arc<AtomicU64>,
    _directory: Option<tempfile::TempDir>,
}

pub(crate) fn settings() -> Settings {
    Settings {
        tls: false,
        behind_proxy: false,
        metrics_open: false,
        max_body: 1024 * 1024,
        max_requests: 64,
        request_time: Duration::from_secs(30),
        rates: (100_000.try_into().unwrap(), 100_000.try_into().unwrap()),
    }
}

/// A clock that moves on by a millisecond at each look, and by as many as somebody adds.
fn clock(passed: Arc<AtomicU64>) -> Clock {
    let count = AtomicU64::new(0);
    let start: Timestamp = "2026-11-16T00:00:00Z".parse().unwrap();
    Clock::new(move || {
        let count = count.fetch_add(1, Ordering::Relaxed);
        let now = start + Duration::from_millis(count + passed.load(Ordering::Relaxed));
        Moment { now, random: u128::from(count) << 64 | 7 }
    })
}

impl Server {
    pub(crate) async fn start(on: On) -> Self {
        Self::with(on, &[SHOP], settings()).await
    }

    pub(crate) async fn with(on: On, models: &[&str], settings: Settings) -> Self {
        let mut server = Self::open(on, models, settings).await;
        server.people("shop").await;
        server
    }

    /// A server with a registry of contracts.
    pub(crate) async fn contracts(on: On) -> Self {
        let mut server = Self::open(on, &[], settings()).await;
        server.contracts_db().ensure_table().await.unwrap();
        server.people("contracts").await;
        server.serve_contracts(&server.contracts_db()).await;
        server
    }

    /// Serves the registry of contracts in this database, with nothing in its cache.
    pub(crate) async fn serve_contracts(&mut self, db: &Db) {
        let settings = CacheSettings { entries: 100, ttl: Duration::from_secs(300) };
        let registry = Arc::new(Cached::new(Arc::new(StoreRegistry::new(db.clone())), settings));
        self.app.load(&[System { db: db.clone(), verbs: Verbs::Contracts(registry) }]);
        self.read_document().await;
    }

    /// Where the contracts are.
    pub(crate) fn contracts_db(&self) -> Db {
        unmade_db(hansang_contracts::MODEL, &self.store, &self.clock)
    }

    /// A server with events, and a queue in memory. What waits is decided when a test says so.
    pub(crate) async fn entry(on: On) -> Self {
        Self::entry_with(on, settings()).await
    }

    pub(crate) async fn entry_with(on: On, settings: Settings) -> Self {
        let mut server = Self::open(on, &[], settings).await;
        let whole = db(hansang_entry::MODEL, &server.store, &server.clock).await;
        let public = Arc::new(whole.model().public());
        let clock = server.clock.clone();
        let queue = MemoryQueue::new(Arc::new(move || clock.moment().now), 20);
        let shown =
            Db::new(public, None, server.store.clone(), server.clock.clone(), CursorKey::new(&[7; 32]));
        let entry = Entry { db: whole, queue: Arc::new(queue), settings: hansang_entry::Settings::default() };
        server.people("entry").await;
        let door = EntryDoor::new(entry.clone(), None, 1000.try_into().unwrap());
        server.entry = Some(entry);
        server.app.load(&[System { db: shown, verbs: Verbs::Entry(Arc::new(door)) }]);
        server.read_document().await;
        server
    }

    /// An account without any role.
    pub(crate) async fn guest(&self, login: &str) {
        let new = NewAccount {
            login: login.to_owned(),
            name: login.to_owned(),
            password: Secret::new("correct horse"),
            grants: Grants::default(),
        };
        self.access.create_account(new).await.unwrap();
    }

    /// Time passes.
    pub(crate) fn later(&self, by: Duration) {
        self.passed.fetch_add(u64::try_from(by.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// A server on which nobody has an account yet.
    pub(crate) async fn empty(on: On) -> Self {
        Self::open(on, &[SHOP], settings()).await
    }

    async fn open(on: On, models: &[&str], settings: Settings) -> Self {
        let passed = Arc::<AtomicU64>::default();
        let clock = clock(passed.clone());
        let times = clock.clone();
        let options = Options::new(Arc::new(move || times.moment().now));
        let (store, directory) = stores::open(on, options).await;
        let metrics = Metrics::new(clock.moment().now);
        let store: Arc<dyn Store> = Arc::new(Metered { store, metrics: metrics.clone() });
        let access = Access::new(
            db(ACCESS_MODEL, &store, &clock).await,
            AccessSettings {
                password: PasswordSettings { memory_kib: 8, passes: 1, ..PasswordSettings::default() },
                ..AccessSettings::default()
            },
        )
        .unwrap();
        let app = App::new(access.clone(), metrics, settings, Arc::new(|| Box::pin(async { Ok(()) })));
        let mut server = Self {
            router: app.router(),
            app,
            access,
            document: Json::Null,
            admin: String::new(),
            editor: String::new(),
            viewer: String::new(),
            entry: None,
            passed,
            store,
            clock,
            _directory: directory,
        };
        server.load(models).await;
        server
    }

    /// Serves these models.
    pub(crate) async fn load(&mut self, models: &[&str]) {
        let mut systems = Vec::new();
        for model in models {
            systems.push(db(model, &self.store, &self.clock).await.into());
        }
        self.app.load(&systems);
        self.read_document().await;
    }

    async fn read_document(&mut self) {
        self.document = self.raw(Method::GET, "/api/openapi.json", &[], Body::empty()).await.json();
    }

    /// An administrator, an editor and a viewer of a system, each with a token.
    async fn people(&mut self, system: &str) {
        let origin = Origin { address: [127, 0, 0, 1].into(), trace: "test".to_owned() };
        let link = self.access.set_up_link().await.unwrap().unwrap();
        let new = |login: &str, grants: Grants| NewAccount {
            login: login.to_owned(),
            name: login.to_owned(),
            password: Secret::new("correct horse"),
            grants,
        };
        self.access.set_up(link.expose(), new("admin", Grants::default()), &origin).await.unwrap();
        self.admin = self.token("admin", Grants::everywhere(Role::Admin), &origin).await;
        for role in [Role::Editor, Role::Viewer] {
            let grants = Grants([(system.to_owned(), role)].into());
            self.access.create_account(new(role.name(), grants.clone())).await.unwrap();
            let token = self.token(role.name(), grants, &origin).await;
            if role == Role::Editor {
                self.editor = token;
            } else {
                self.viewer = token;
            }
        }
    }

    async fn token(&self, login: &str, grants: Grants, origin: &Origin) -> String {
        use hansang_server::access::NewToken;
        let signed_in = self.access.sign_in(login, "correct horse", origin).await.unwrap();
        let expires = self.clock.moment().now + Duration::from_secs(24 * 3600);
        let new = NewToken { name: "test".to_owned(), grants, expires };
        let created = self.access.create_token(&signed_in.identity, new).await.unwrap();
        created.secret.expose().to_owned()
    }

    /// A request with a token, and without a body.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, &self.viewer, None, &[]).await
    }

    /// A request of the editor.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Json) -> Answer {
        self.call(method, path, &self.editor, Some(body), &[]).await
    }

    pub(crate) async fn call(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Json>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let bearer = format!("Bearer {token}");
        let mut all = headers.to_vec();
        if !token.is_empty() {
            all.push(("authorization", &bearer));
        }
        let body = match body {
            Some(json) => {
                all.push(("content-type", "application/json"));
                Body::from(json.to_string())
            }
            None => Body::empty(),
        };
        self.raw(method, path, &all, body).await
    }

    pub(crate) async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Answer {
        let answer = self.page(method.clone(), path, headers, body).await;
        self.check(&method, path, &answer);
        answer
    }

    /// The same for pages, which are not part of the description.
    pub(crate) async fn page(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Answer {
        let mut request = Request::builder().method(method.clone()).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(body).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 4000))));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Answer {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    /// An answer is one of those that the description has, and looks as it says.
    fn check(&self, method: &Method, path: &str, answer: &Answer) {
        if answer.status >= 400 {
            assert_eq!(answer.header("content-type"), "application/problem+json", "{answer:?}");
            self.check_schema(&json!({ "$ref": "#/components/schemas/Problem" }), &answer.json());
        }
        assert!(answer.status != 500, "{answer:?}");
        let path = path.split('?').next().unwrap();
        let Some(paths) = self.document["paths"].as_object() else { return };
        let Some((_, operations)) = paths.iter().find(|(template, _)| fits(template, path)) else { return };
        let operation = &operations[method.as_str().to_lowercase()];
        if operation.is_null() {
            assert!([404, 405].contains(&answer.status), "{method} {path}: {answer:?}");
            return;
        }
        let documented = &operation["responses"][answer.status.to_string()];
        assert!(!documented.is_null(), "{method} {path}: {} is not documented", answer.status);
        let schema = &documented["content"]["application/json"]["schema"];
        if !schema.is_null() {
            self.check_schema(schema, &answer.json());
        }
    }

    fn check_schema(&self, schema: &Json, json: &Json) {
        if self.document.is_null() {
            return;
        }
        let mut root = schema.clone();
        root["components"] = self.document["components"].clone();
        let validator = jsonschema::validator_for(&root).unwrap();
        if let Err(error) = validator.validate(json) {
            panic!("{error} at {}: {json:#}", error.instance_path());
        }
    }
}

/// Whether a path is one of a template.
pub(crate) fn fits(template: &str, path: &str) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| *a == b || (a.starts_with('{') && !b.is_empty()))
}

async fn db(model: &str, store: &Arc<dyn Store>, clock: &Clock) -> Db {
    let db = unmade_db(model, store, clock);
    db.ensure_table().await.unwrap();
    db
}

/// Without its table, if there is none.
fn unmade_db(model: &str, store: &Arc<dyn Store>, clock: &Clock) -> Db {
    let model = compile(model.as_bytes()).unwrap_or_else(|problems| panic!("{problems:?}"));
    Db::new(Arc::new(model), None, store.clone(), clock.clone(), CursorKey::new(&[7; 32]))
}
