//! The registry of contracts as it is served: in the store, or in files, as configured.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hansang_contracts::{CacheSettings, Cached, ContractRegistry, StoreRegistry, YamlRegistry};
use hansang_core::Db;
use hansang_server::{System, Verbs};

use crate::config::Config;
use crate::failure::Failure;
use crate::target::clock;

/// Which registry is served. It may be another one after a reload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The directory of files; the store, if there is none.
    from: Option<PathBuf>,
    cache: CacheSettings,
}

/// The registry that is served at the moment.
#[derive(Clone)]
pub(super) struct Served {
    choice: Choice,
    registry: Arc<Cached>,
}

impl Choice {
    pub(super) fn new(config: &Config, env: Option<&str>) -> Result<Self, Failure> {
        let usual = CacheSettings::of_env(env);
        let seconds = config.get::<NonZeroU32>("contracts-cache-seconds", "a whole number from 1 on")?;
        let ttl = seconds.map_or(usual.ttl, |seconds| Duration::from_secs(u64::from(seconds.get())));
        let entries = config.need("contracts-cache-entries", "a whole number")?;
        Ok(Self { from: config.get("contracts-from", "a directory")?, cache: CacheSettings { entries, ttl } })
    }

    /// The files, if they are chosen.
    pub(super) fn files(&self) -> Result<Option<YamlRegistry>, Failure> {
        let open = |directory: &PathBuf| YamlRegistry::open(directory.clone(), clock());
        self.from.as_ref().map(open).transpose().map_err(Failure::from)
    }

    fn open(self, db: &Db) -> Result<Served, Failure> {
        let registry: Arc<dyn ContractRegistry> = match self.files()? {
            Some(files) => Arc::new(files),
            None => Arc::new(StoreRegistry::new(db.clone())),
        };
        let registry = Arc::new(Cached::new(registry, self.cache));
        Ok(Served { choice: self, registry })
    }
}

impl Served {
    /// The registry of a choice. One that is served already stays, with its numbers, and forgets what it
    /// remembers: whoever reloads a server wants to see what is there now.
    pub(super) fn of(choice: Choice, before: Option<&Self>, db: &Db) -> Result<Self, Failure> {
        match before {
            Some(before) if before.choice == choice => {
                before.registry.invalidate_all();
                Ok(before.clone())
            }
            _ => choice.open(db),
        }
    }

    /// The system that serves it, on the data of its model.
    pub(super) fn system(&self, db: Db) -> System {
        System { db, verbs: Verbs::Contracts(self.registry.clone()) }
    }
}
