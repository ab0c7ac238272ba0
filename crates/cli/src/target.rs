//! The target of a command: a model and the store of its table.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use hansang_aws::{DynamoDb, Settings};
use hansang_core::cursor::CursorKey;
use hansang_core::db::{Clock, Db};
use hansang_core::write::Moment;
use hansang_core::{Model, Store, StoreError, Table};
use hansang_embedded::{Embedded, Options};
use jiff::Timestamp;

use hansang_command::{Failure, Purpose, StoreArguments, StoreKind};

/// A model's table in a store.
pub(crate) struct Target {
    /// The model, joined with the store.
    pub(crate) db: Db,
    /// The store itself, for operations that the port does not have.
    pub(crate) store: Opened,
}

/// The store of a target.
pub(crate) enum Opened {
    Embedded(Embedded),
    DynamoDb(DynamoDb),
}

impl Target {
    /// Opens the store.
    pub(crate) async fn open(
        model: Model,
        arguments: &StoreArguments,
        purpose: Purpose,
    ) -> Result<Self, Failure> {
        let (store, port): (_, Arc<dyn Store>) = match arguments.store {
            StoreKind::Embedded => {
                if purpose != Purpose::Fill && !arguments.data.exists() {
                    let text = format!(
                        "there is no data directory {}: make the table with `hansang table create`, or name the \
                         directory with --data",
                        arguments.data.display()
                    );
                    return Err(Failure::Message { text, code: 3 });
                }
                // A command is short-lived; the server sweeps.
                let options = Options { sweep_every: None, ..Options::new(Arc::new(now)) };
                let store =
                    Embedded::open(&arguments.data, options).map_err(|error| not_opened(error, purpose))?;
                (Opened::Embedded(store.clone()), Arc::new(store))
            }
            StoreKind::Dynamodb => {
                let settings = Settings {
                    region: arguments.region.clone(),
                    profile: arguments.profile.clone(),
                    endpoint_url: arguments.endpoint_url.clone(),
                    ..Settings::default()
                };
                let store = DynamoDb::connect(settings).await?;
                (Opened::DynamoDb(store.clone()), Arc::new(store))
            }
        };
        let key = cursor_key(&model, arguments);
        let db = Db::new(Arc::new(model), arguments.env.as_deref(), port, clock(), key);
        Ok(Self { db, store })
    }

    pub(crate) fn table(&self) -> &Table {
        self.db.table()
    }
}

/// Opens the table of a model for the command of a system.
pub(crate) fn open_table(
    model: Model,
    arguments: StoreArguments,
    purpose: Purpose,
) -> BoxFuture<'static, Result<Db, Failure>> {
    Box::pin(async move { Ok(Target::open(model, &arguments, purpose).await?.db) })
}

fn not_opened(error: StoreError, purpose: Purpose) -> Failure {
    let has_owner = hansang_embedded::is_in_use(&error);
    match Failure::from(error) {
        Failure::Message { text, code } if has_owner && purpose == Purpose::Items => {
            let text = format!("{text}, or use --server if that is a running `hansang serve`");
            Failure::Message { text, code }
        }
        failure => failure,
    }
}

/// The key for signing cursors, the same for every command, so that the next one accepts the cursor that this one
/// prints. It is not secret: a user of the command line can read the whole table. It separates the cursors of different
/// tables. A server needs a key of its own.
fn cursor_key(model: &Model, arguments: &StoreArguments) -> CursorKey {
    let name = model.table.name_in(arguments.env.as_deref());
    CursorKey::new(format!("the command line of Hansang, on the table {name}").as_bytes())
}

#[allow(clippy::disallowed_methods, reason = "the command line is where time comes from")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The system time, and random numbers from a generator that the system seeds, because every write reads the clock.
pub(crate) fn clock() -> Clock {
    Clock::new(|| Moment { now: now(), random: rand::random() })
}
