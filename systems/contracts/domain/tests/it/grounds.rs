//! Fixtures: the registries of the suite, and ways to corrupt stored contracts.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hansang_aws::{AccessKey, DynamoDb};
use hansang_contracts::{
    Allowed, ContractRef, ContractRegistry, MODEL, NewContract, Status, StoreRegistry, YamlRegistry,
};
use hansang_core::cursor::CursorKey;
use hansang_core::db::Clock;
use hansang_core::plan::{Action, Get, Guards, Key, Write};
use hansang_core::value::json::item_from_plain;
use hansang_core::write::Moment;
use hansang_core::{Db, Item, Store, Value};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use tempfile::TempDir;

/// The backend of a registry.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    Embedded,
    DynamoDb,
    Yaml,
}

/// A registry and its backend.
pub(crate) struct Ground {
    pub(crate) registry: Arc<dyn ContractRegistry>,
    beneath: Beneath,
    directory: TempDir,
}

enum Beneath {
    Table(Db),
    Files,
}

/// Ways to corrupt a stored contract.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Spoil {
    /// Changes a value of the spec, which must contain `marker: original`.
    Spec,
    /// Makes a member undecodable and adapts the checksum.
    Meaning,
    /// Makes a member undecodable and keeps the checksum.
    MeaningAndChecksum,
    /// Removes the spec.
    NoSpec,
    /// Sets an invalid status.
    Status,
}

/// Runs a test body on each registry.
macro_rules! on_each_registry {
    ($($(#[$cited:meta])* $name:ident),* $(,)?) => {
        on_each_registry!(@ embedded Embedded $($name)*);
        on_each_registry!(@ dynamodb DynamoDb $($name)*);
        on_each_registry!(@ yaml Yaml $($name)*);
    };
    (@ $module:ident $on:ident $($name:ident)*) => {
        mod $module {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                super::$name(crate::grounds::Ground::new(crate::grounds::On::$on).await).await;
            })*
        }
    };
}
pub(crate) use on_each_registry;

impl Ground {
    pub(crate) async fn new(on: On) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (registry, beneath): (Arc<dyn ContractRegistry>, _) = match on {
            On::Yaml => {
                let registry = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
                (Arc::new(registry), Beneath::Files)
            }
            On::Embedded => {
                let db = db(embedded(&directory)).await;
                (Arc::new(StoreRegistry::new(db.clone())), Beneath::Table(db))
            }
            On::DynamoDb => {
                let db = db(Arc::new(dynamodb().await)).await;
                (Arc::new(StoreRegistry::new(db.clone())), Beneath::Table(db))
            }
        };
        Self { registry, beneath, directory }
    }

    /// Corrupts a stored contract.
    pub(crate) async fn spoil(&self, reference: &ContractRef, spoil: Spoil) {
        match &self.beneath {
            Beneath::Table(db) => spoil_item(db, reference, spoil).await,
            Beneath::Files => self.spoil_file(reference, spoil).await,
        }
    }

    /// The table.
    pub(crate) fn db(&self) -> Db {
        match &self.beneath {
            Beneath::Table(db) => db.clone(),
            Beneath::Files => panic!("files have no table"),
        }
    }

    /// Changes a stored item.
    pub(crate) async fn change(&self, pk: &str, sk: &str, change: impl FnOnce(&mut Item)) {
        let db = self.db();
        let key = Key { pk: pk.to_owned(), sk: sk.to_owned() };
        let get = Get { key, consistent: true, fields: None };
        let mut item = db.store().get(db.table(), &get).await.unwrap().unwrap();
        change(&mut item);
        db.store().batch_put(db.table(), vec![item]).await.unwrap();
    }

    /// Moves a stored version to another spelling of its kind, which is listed as a kind.
    pub(crate) async fn respell(&self, pk: &str, sk: &str, spelling: &str) {
        let db = self.db();
        let (kind, id) = pk.split_once('#').unwrap();
        self.change(pk, sk, |item| {
            item.insert("PK".into(), format!("{spelling}#{id}").into());
            item.insert("kind".into(), spelling.into());
        })
        .await;
        self.change("KINDS", kind, |item| {
            item.insert("SK".into(), spelling.into());
            item.insert("name".into(), spelling.into());
        })
        .await;
        for (pk, sk) in [(pk, sk), ("KINDS", kind)] {
            let key = Key { pk: pk.to_owned(), sk: sk.to_owned() };
            let write = Write { key, action: Action::Delete, guards: Guards::default() };
            db.store().write(db.table(), write).await.unwrap();
        }
    }

    async fn spoil_file(&self, reference: &ContractRef, spoil: Spoil) {
        let path = self.file_of(reference).await;
        let text = std::fs::read_to_string(&path).unwrap();
        let contract = self.registry.fetch(reference).await.unwrap();
        let changed = match spoil {
            Spoil::Spec => text.replace("original", "changed"),
            Spoil::Meaning => {
                let fitting = hansang_contracts::checksum::checksum(&meaningless()).unwrap();
                let head = text.split("\nspec:").next().unwrap();
                head.replace(&contract.header.checksum, &fitting) + MEANINGLESS
            }
            Spoil::MeaningAndChecksum => text.split("\nspec:").next().unwrap().to_owned() + MEANINGLESS,
            Spoil::NoSpec => text.split("\nspec:").next().unwrap().to_owned() + "\nspec: 7\n",
            Spoil::Status => text.replace("status: ACTIVE", "status: SOMETIMES"),
        };
        assert_ne!(text, changed, "nothing was spoiled in\n{text}");
        // A change of the same length within the same clock tick does not change the stamp.
        let old = std::fs::metadata(&path).unwrap().modified().unwrap();
        std::fs::write(&path, changed).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(old + Duration::from_secs(1)).unwrap();
    }

    async fn file_of(&self, reference: &ContractRef) -> PathBuf {
        let found = self.registry.walk(None).await.unwrap().found.into_iter().find(|found| {
            found.contract.as_ref().is_ok_and(|contract| contract.header.reference == *reference)
        });
        let path = PathBuf::from(found.unwrap().location);
        if path.is_absolute() { path } else { self.directory.path().join(path) }
    }
}

pub(crate) async fn spoil_item(db: &Db, reference: &ContractRef, spoil: Spoil) {
    let key = Key { pk: format!("{}#{}", reference.kind, reference.id), sk: reference.version.to_string() };
    let get = Get { key, consistent: true, fields: None };
    let mut item = db.store().get(db.table(), &get).await.unwrap().unwrap();
    match spoil {
        Spoil::Spec => {
            let Some(Value::M(spec)) = item.get_mut("spec") else { panic!("no spec") };
            spec.insert("marker".into(), "changed".into());
        }
        Spoil::Meaning => {
            let fitting = hansang_contracts::checksum::checksum(&meaningless()).unwrap();
            item.insert("spec".into(), Value::M(meaningless()));
            item.insert("checksum".into(), fitting.into());
        }
        Spoil::MeaningAndChecksum => drop(item.insert("spec".into(), Value::M(meaningless()))),
        Spoil::NoSpec => drop(item.insert("spec".into(), 7.into())),
        Spoil::Status => drop(item.insert("status".into(), "SOMETIMES".into())),
    }
    db.store().batch_put(db.table(), vec![item]).await.unwrap();
}

/// The same as [`meaningless`], at the end of a file.
const MEANINGLESS: &str = "\nspec:\n  identity: 7\n  marker: original\n";

/// A spec that does not decode.
fn meaningless() -> Item {
    item(json!({ "identity": 7, "marker": "original" }))
}

pub(crate) fn item(json: Json) -> Item {
    item_from_plain(&json).unwrap()
}

pub(crate) fn reference(text: &str) -> ContractRef {
    text.parse().unwrap()
}

pub(crate) fn new(name: &str, status: Status, spec: Json) -> NewContract {
    let created_by = "kim".to_owned();
    NewContract {
        reference: reference(name),
        status,
        spec: item(spec),
        created_by,
        allowed: Allowed::default(),
    }
}

/// A valid change set with a value to corrupt.
pub(crate) fn change_set() -> Json {
    json!({
        "identity": { "entityKeyFormat": "{entityType}#{entityId}" },
        "payload": { "externalizationPolicy": { "thresholdBytes": 102_400 } },
        "fanout": { "enabled": true },
        "marker": "original",
    })
}

/// A clock that advances by a second on each call, because stored times have seconds.
pub(crate) fn clock() -> Clock {
    let count = AtomicU64::new(0);
    let start: Timestamp = "2026-11-16T00:00:00Z".parse().unwrap();
    Clock::new(move || {
        let count = count.fetch_add(1, Ordering::Relaxed);
        Moment { now: start + Duration::from_secs(count), random: u128::from(count) << 64 | 7 }
    })
}

pub(crate) fn embedded(directory: &TempDir) -> Arc<dyn Store> {
    let now = clock();
    let options = Options { sweep_every: None, ..Options::new(Arc::new(move || now.moment().now)) };
    Arc::new(Embedded::open(directory.path(), options).unwrap())
}

/// The table of the registry in a store.
pub(crate) async fn db(store: Arc<dyn Store>) -> Db {
    let model = Arc::new(hansang_core::compile(MODEL.as_bytes()).unwrap());
    let db = Db::new(model, None, store, clock(), CursorKey::new(&[7; 32]));
    db.ensure_table().await.unwrap();
    db
}

/// An endpoint that ends with the runtime of its test.
async fn dynamodb() -> DynamoDb {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()));
    let settings = hansang_aws::Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        backoff: Some(Duration::from_millis(1)),
        ..hansang_aws::Settings::default()
    };
    DynamoDb::connect(settings).await.unwrap()
}
