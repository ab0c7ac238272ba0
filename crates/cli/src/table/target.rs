//! Which table a command is about: a model, and the store that keeps it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use hansang_aws::{DynamoDb, Settings};
use hansang_core::cursor::CursorKey;
use hansang_core::db::{Clock, Db};
use hansang_core::write::Moment;
use hansang_core::{Model, Store, Table};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;

use crate::failure::Failure;

/// Where the table is.
#[derive(Args)]
pub(crate) struct Where {
    /// What keeps the items
    #[arg(long, value_enum, default_value_t)]
    store: Kind,
    /// The data directory of the embedded store
    #[arg(long, value_name = "DIR", default_value = "hansang-data")]
    data: PathBuf,
    /// The environment, which is part of the table's name
    #[arg(long)]
    env: Option<String>,
    /// An endpoint that speaks DynamoDB, if not Amazon's
    #[arg(long, value_name = "URL")]
    endpoint_url: Option<String>,
    /// The AWS region
    #[arg(long)]
    region: Option<String>,
    /// The AWS profile
    #[arg(long)]
    profile: Option<String>,
}

/// What keeps the items.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// A directory of this machine
    #[default]
    Embedded,
    /// Amazon DynamoDB, or an endpoint that speaks its language
    Dynamodb,
}

/// A model's table in a store.
pub(crate) struct Target {
    /// The model, joined with the store.
    pub(crate) db: Db,
    /// The store itself, for what the port does not have.
    pub(crate) store: Opened,
}

/// The store of a target.
pub(crate) enum Opened {
    Embedded(Embedded),
    DynamoDb(DynamoDb),
}

impl Target {
    /// Opens the store. A data directory is made only if `fills`.
    pub(super) async fn open(model: Model, place: &Where, fills: bool) -> Result<Self, Failure> {
        let (store, port): (_, Arc<dyn Store>) = match place.store {
            Kind::Embedded => {
                if !fills && !place.data.exists() {
                    let text = format!(
                        "there is no data directory {}: make the table with `hansang table create`, or name the \
                         directory with --data",
                        place.data.display()
                    );
                    return Err(Failure::Message { text, code: 3 });
                }
                // A command is short; the server sweeps.
                let options = Options { sweep_every: None, ..Options::new(Arc::new(now)) };
                let store = Embedded::open(&place.data, options)?;
                (Opened::Embedded(store.clone()), Arc::new(store))
            }
            Kind::Dynamodb => {
                let settings = Settings {
                    region: place.region.clone(),
                    profile: place.profile.clone(),
                    endpoint_url: place.endpoint_url.clone(),
                    ..Settings::default()
                };
                let store = DynamoDb::connect(settings).await?;
                (Opened::DynamoDb(store.clone()), Arc::new(store))
            }
        };
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|error| no_chance(&error))?;
        let db = Db::new(Arc::new(model), place.env.as_deref(), port, clock(), CursorKey::new(&key));
        Ok(Self { db, store })
    }

    pub(crate) fn table(&self) -> &Table {
        self.db.table()
    }
}

fn no_chance(error: &getrandom::Error) -> Failure {
    Failure::Message { text: format!("this system gives no random numbers: {error}"), code: 1 }
}

#[allow(clippy::disallowed_methods, reason = "the command line is where time comes from")]
fn now() -> Timestamp {
    Timestamp::now()
}

/// The real time, and real chance.
fn clock() -> Clock {
    Clock::new(|| {
        let mut random = [0; 16];
        // Without chance an identifier may repeat, and a write that repeats one is refused.
        let _ = getrandom::fill(&mut random);
        Moment { now: now(), random: u128::from_ne_bytes(random) }
    })
}
