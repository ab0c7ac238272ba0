//! A server in this process that lends its store and queues over a socket.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_access::{ACCESS_MODEL, Access, AccessSettings, NewAccount, NewToken, PasswordSettings, Secret};
use hansang_access::{Grants, Origin, Role};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Db, Queue, Store as _, StoreError, Table, compile};
use hansang_embedded::{Embedded, Options};
use hansang_http::listen::{Listening, serve};
use hansang_http::metrics::Metrics;
use hansang_remote::Lender;
use hansang_server::{App, Lent, Settings};
use jiff::Timestamp;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use tempfile::TempDir;
use tokio::net::TcpListener;

/// A server that lends. Stops with the runtime of its test.
pub(crate) struct Lending {
    pub(crate) app: App,
    pub(crate) store: Embedded,
    /// Client with the token of an administrator of every system.
    pub(crate) lender: Lender,
    pub(crate) client: reqwest::Client,
    pub(crate) url: reqwest::Url,
    tables: Mutex<BTreeMap<String, Table>>,
    queues: Mutex<BTreeMap<String, Arc<dyn Queue>>>,
    clock: TestClock,
    _directory: TempDir,
}

/// A clock that tests move.
#[derive(Clone)]
pub(crate) struct TestClock(Arc<AtomicI64>);

impl TestClock {
    pub(crate) fn forward(&self, time: Duration) {
        self.0.fetch_add(i64::try_from(time.as_millis()).unwrap(), Ordering::SeqCst);
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.0.load(Ordering::SeqCst)).unwrap()
    }

    fn clock(&self) -> Clock {
        let (test_clock, count) = (self.clone(), AtomicU64::new(1));
        Clock::new(move || Moment {
            now: test_clock.now(),
            random: u128::from(count.fetch_add(1, Ordering::Relaxed)) << 64 | 7,
        })
    }
}

impl Lending {
    pub(crate) async fn start() -> Self {
        Self::with_max_requests(1000).await
    }

    /// Starts a server with a limit of concurrent requests.
    pub(crate) async fn with_max_requests(max_requests: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = TestClock(Arc::new(AtomicI64::new(1_800_000_000_000)));
        let test_clock = clock.clone();
        let options = Options { sweep_every: None, ..Options::new(Arc::new(move || test_clock.now())) };
        let store = Embedded::open(directory.path(), options).unwrap();
        let access = access(&store, &clock).await;
        let token = token(&access, &clock).await;
        let metrics = Metrics::new(clock.now());
        let app = App::new(access, metrics, settings(max_requests), Arc::new(|| Box::pin(async { Ok(()) })));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url: reqwest::Url = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
        tokio::spawn(serve(listener, None, app.router(), Listening::default(), std::future::pending()));
        let client = client(&token);
        let lender = Lender::new(client.clone(), url.clone());
        let (tables, queues) = Default::default();
        let lending = Self { app, store, lender, client, url, tables, queues, clock, _directory: directory };
        lending.lend();
        lending.app.load(Vec::new());
        lending
    }

    /// Clock of the store.
    pub(crate) fn test_clock(&self) -> TestClock {
        self.clock.clone()
    }

    /// Lends one more table and creates it. Restores the previous one on failure.
    pub(crate) async fn ensure(&self, table: &Table) -> Result<(), StoreError> {
        let before = self.tables.lock().unwrap().insert(table.name.clone(), table.clone());
        self.lend();
        let made = self.lender.store().ensure_table(table).await;
        if let (Err(_), Some(before)) = (&made, before) {
            self.tables.lock().unwrap().insert(before.name.clone(), before);
            self.lend();
        }
        made
    }

    /// Lends one more queue.
    pub(crate) fn add(&self, name: &str, queue: Arc<dyn Queue>) {
        self.queues.lock().unwrap().insert(name.to_owned(), queue);
        self.lend();
    }

    fn lend(&self) {
        self.app.lend(Lent {
            store: Arc::new(self.store.clone()),
            tables: self.tables.lock().unwrap().values().cloned().map(Arc::new).collect(),
            queues: self.queues.lock().unwrap().clone(),
        });
    }
}

/// A client with this token, independent of the environment.
pub(crate) fn client(token: &str) -> reqwest::Client {
    let bearer = HeaderMap::from_iter([(AUTHORIZATION, format!("Bearer {token}").parse().unwrap())]);
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]);
    client.redirect(reqwest::redirect::Policy::none()).default_headers(bearer).build().unwrap()
}

fn settings(max_requests: usize) -> Settings {
    Settings {
        time_zone: None,
        tls: false,
        behind_proxy: false,
        metrics_open: false,
        max_body: 1024 * 1024,
        max_requests,
        request_time: Duration::from_secs(30),
        rates: (1_000_000.try_into().unwrap(), 1_000_000.try_into().unwrap()),
    }
}

async fn access(store: &Embedded, clock: &TestClock) -> Access {
    let model = Arc::new(compile(ACCESS_MODEL.as_bytes()).unwrap());
    let db = Db::new(model, None, Arc::new(store.clone()), clock.clock(), CursorKey::new(&[7; 32]));
    db.ensure_table().await.unwrap();
    let password = PasswordSettings { memory_kib: 8, passes: 1, ..PasswordSettings::default() };
    Access::new(db, AccessSettings { password, ..AccessSettings::default() }).unwrap()
}

/// Token of an administrator of every system.
async fn token(access: &Access, clock: &TestClock) -> String {
    let origin = Origin { address: [127, 0, 0, 1].into(), trace: "test".to_owned() };
    let link = access.set_up_link().await.unwrap().unwrap();
    let admin = NewAccount {
        login: "admin".to_owned(),
        name: "admin".to_owned(),
        password: Secret::new("correct horse"),
        grants: Grants::default(),
    };
    access.set_up(link.expose(), admin).await.unwrap();
    let signed_in = access.sign_in("admin", "correct horse", &origin).await.unwrap();
    let expires = clock.now() + Duration::from_secs(300 * 24 * 3600);
    let new = NewToken { name: "worker".to_owned(), grants: Grants::everywhere(Role::Admin), expires };
    access.create_token(&signed_in.identity, new).await.unwrap().secret.expose().to_owned()
}
