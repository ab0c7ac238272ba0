//! A test server. Every response is validated against the API's own description.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use futures_util::future::BoxFuture;
use hansang_access::{
    ACCESS_MODEL, Access, AccessSettings, Grants, Monotonic, NewAccount, NewToken, Origin, PasswordSettings,
    Role, Secret,
};
use hansang_aws::{AccessKey, S3};
use hansang_command::{CachePlace, Config, Failure, FilesPlace, Given};
use hansang_core::cache::Cache;
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::files::Files;
use hansang_core::write::Moment;
use hansang_core::{Db, Queue, Store, compile};
use hansang_embedded::{Directory, MemoryCache, Options};
use hansang_http::metrics::{Metered, Metrics};
use hansang_server::{App, Opening, Records, Service, Settings, System};
use hansang_testkit::endpoints;
use hansang_testkit::memory::MemoryQueue;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use tower::ServiceExt as _;

use crate::Response;
use crate::Switch;
use crate::stores::{self, On};

/// A model with versions, unique values, a lifecycle, a number in a key, a singleton and an index.
pub const SHOP: &str = r##"
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
pub struct Server {
    pub app: App,
    pub access: Access,
    pub document: Json,
    pub admin: String,
    pub editor: String,
    pub viewer: String,
    pub store: Arc<dyn Store>,
    /// Below everything that reads and writes.
    pub switch: Arc<Switch>,
    /// The queue of a system that has one.
    pub queue: Arc<dyn Queue>,
    router: Router,
    clock: Clock,
    /// The milliseconds that were added to the clock.
    passed: Arc<AtomicU64>,
    _directory: Option<tempfile::TempDir>,
}

pub fn settings() -> Settings {
    Settings {
        tls: false,
        behind_proxy: false,
        metrics_open: false,
        max_body: 1024 * 1024,
        max_requests: 64,
        request_time: Duration::from_secs(30),
        rates: (100_000.try_into().unwrap(), 100_000.try_into().unwrap()),
        time_zone: None,
    }
}

/// A clock that advances by a millisecond at each read, and by the added time.
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
    pub async fn start(on: On) -> Self {
        Self::with(on, &[SHOP], settings()).await
    }

    pub async fn with(on: On, models: &[&str], settings: Settings) -> Self {
        let mut server = Self::open(on, models, settings).await;
        server.people("shop").await;
        server
    }

    /// A server with one system, opened with its default settings and a queue in memory.
    pub async fn of_system(on: On, system: Arc<dyn System>, settings: Settings) -> Self {
        let mut server = Self::open(on, &[], settings).await;
        server.app.dress([&system].into_iter());
        let own = server.db(system.model());
        own.ensure_table().await.unwrap();
        server.people(&own.model().name).await;
        server.serve(&system, own, &[], &[7; 32]).await;
        server
    }

    /// Serves a system on this table from now on, with these settings.
    pub async fn serve(
        &mut self,
        system: &Arc<dyn System>,
        own: Db,
        settings: &[(&'static str, &str)],
        secret: &[u8],
    ) {
        let values = settings.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let given = Given { file: None, values };
        let config = Config::resolve(system.settings().to_vec(), given, |_| None).unwrap();
        let public = Arc::new(own.model().public());
        let db = Db::new(public, None, own.store().clone(), own.clock().clone(), CursorKey::new(&[7; 32]));
        let queue = system.queue().map(|_| self.queue.clone());
        let opening = Opening {
            config: &config,
            db,
            own,
            queue,
            open_files,
            open_cache,
            secret,
            local: false,
            before: None,
        };
        let service = system.open(opening).await.unwrap();
        self.app.load(vec![service]);
        self.read_document().await;
    }

    /// Opens the table of a model, which may not exist.
    #[must_use]
    pub fn db(&self, model: &str) -> Db {
        unmade_db(model, &self.store, &self.clock)
    }

    /// An account without any role.
    pub async fn guest(&self, login: &str) {
        let new = NewAccount {
            login: login.to_owned(),
            name: login.to_owned(),
            password: Secret::new("correct horse"),
            grants: Grants::default(),
        };
        self.access.create_account(new).await.unwrap();
    }

    /// Advances the clock.
    pub fn later(&self, by: Duration) {
        self.passed.fetch_add(u64::try_from(by.as_millis()).unwrap(), Ordering::Relaxed);
    }

    /// A server without accounts.
    pub async fn empty(on: On) -> Self {
        Self::open(on, &[SHOP], settings()).await
    }

    async fn open(on: On, models: &[&str], settings: Settings) -> Self {
        let passed = Arc::<AtomicU64>::default();
        let clock = clock(passed.clone());
        let times = clock.clone();
        let options = Options::new(Arc::new(move || times.moment().now));
        let (store, directory) = stores::open(on, options).await;
        let metrics = Metrics::new(clock.moment().now);
        let switch = Arc::new(Switch::new(store));
        let store: Arc<dyn Store> = Arc::new(Metered { store: switch.clone(), metrics: metrics.clone() });
        let elapsed = passed.clone();
        let access = Access::new(
            db(ACCESS_MODEL, &store, &clock).await,
            AccessSettings {
                password: PasswordSettings { memory_kib: 8, passes: 1, ..PasswordSettings::default() },
                monotonic: Monotonic::new(move || Duration::from_millis(elapsed.load(Ordering::Relaxed))),
                ..AccessSettings::default()
            },
        )
        .unwrap();
        let app = App::new(access.clone(), metrics, settings, Arc::new(|| Box::pin(async { Ok(()) })));
        let times = clock.clone();
        let queue = Arc::new(MemoryQueue::new(Arc::new(move || times.moment().now), 20));
        let mut server = Self {
            router: app.router(),
            app,
            access,
            document: Json::Null,
            admin: String::new(),
            editor: String::new(),
            viewer: String::new(),
            queue,
            passed,
            store,
            switch,
            clock,
            _directory: directory,
        };
        server.load(models).await;
        server
    }

    /// Serves these models.
    pub async fn load(&mut self, models: &[&str]) {
        let mut systems = Vec::new();
        for model in models {
            let records = Records::new(db(model, &self.store, &self.clock).await);
            systems.push(Arc::new(records) as Arc<dyn Service>);
        }
        self.app.load(systems);
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
        self.access.set_up(link.expose(), new("admin", Grants::default())).await.unwrap();
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
        let signed_in = self.access.sign_in(login, "correct horse", origin).await.unwrap();
        let expires = self.clock.moment().now + Duration::from_secs(24 * 3600);
        let new = NewToken { name: "test".to_owned(), grants, expires };
        let created = self.access.create_token(&signed_in.identity, new).await.unwrap();
        created.secret.expose().to_owned()
    }

    /// A request with a token, and without a body.
    pub async fn get(&self, path: &str) -> Response {
        self.call(Method::GET, path, &self.viewer, None, &[]).await
    }

    /// A request of the editor.
    pub async fn send(&self, method: Method, path: &str, body: Json) -> Response {
        self.call(method, path, &self.editor, Some(body), &[]).await
    }

    pub async fn call(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Json>,
        headers: &[(&str, &str)],
    ) -> Response {
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

    pub async fn raw(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Response {
        let answer = self.page(method.clone(), path, headers, body).await;
        self.check(&method, path, &answer);
        answer
    }

    /// A request for a page, which is not part of the description.
    pub async fn page(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Body) -> Response {
        let mut request = Request::builder().method(method.clone()).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(body).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 4000))));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Response {
            status: parts.status.as_u16(),
            headers: parts.headers,
            // A download may be binary.
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Checks that a response is described, and matches its schema.
    fn check(&self, method: &Method, path: &str, answer: &Response) {
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

/// Whether a path matches a template.
pub fn fits(template: &str, path: &str) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (template.split('/').collect(), path.split('/').collect());
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| *a == b || (a.starts_with('{') && !b.is_empty()))
}

async fn db(model: &str, store: &Arc<dyn Store>, clock: &Clock) -> Db {
    let db = unmade_db(model, store, clock);
    db.ensure_table().await.unwrap();
    db
}

/// Opens a table without creating it.
fn unmade_db(model: &str, store: &Arc<dyn Store>, clock: &Clock) -> Db {
    let model = compile(model.as_bytes()).unwrap_or_else(|problems| panic!("{problems:?}"));
    Db::new(Arc::new(model), None, store.clone(), clock.clone(), CursorKey::new(&[7; 32]))
}

/// Opens a cache in memory.
pub fn open_cache(place: CachePlace) -> BoxFuture<'static, Result<Arc<dyn Cache>, Failure>> {
    Box::pin(async move {
        match place {
            CachePlace::Memory(max_bytes, clock) => {
                let now = Arc::new(move || clock.moment().now);
                Ok(Arc::new(MemoryCache::new(max_bytes, now)) as Arc<dyn Cache>)
            }
            CachePlace::Valkey(place) => panic!("no test server has {place:?}"),
        }
    })
}

/// Opens files in a directory, or in a bucket of an S3 server that the tests share.
pub fn open_files(_: &Config, place: FilesPlace) -> BoxFuture<'_, Result<Arc<dyn Files>, Failure>> {
    Box::pin(async move {
        let files: Arc<dyn Files> = match place {
            FilesPlace::Directory(directory) => Arc::new(Directory::new(&directory)),
            FilesPlace::Bucket(bucket) => {
                let settings = hansang_aws::Settings {
                    region: Some("eu-central-1".to_owned()),
                    endpoint_url: Some(endpoints::s3().to_owned()),
                    access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
                    ..hansang_aws::Settings::default()
                };
                let s3 = S3::connect(settings, &bucket).await?;
                // Another test may have created it.
                let _ = s3.client().create_bucket().bucket(&bucket).send().await;
                Arc::new(s3)
            }
        };
        Ok(files)
    })
}
