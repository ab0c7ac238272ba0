//! Which table a command is about: a model, and the store that keeps it.

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
    /// The store itself, for what the port does not have.
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
        place: &StoreArguments,
        purpose: Purpose,
    ) -> Result<Self, Failure> {
        let (store, port): (_, Arc<dyn Store>) = match place.store {
            StoreKind::Embedded => {
                if purpose != Purpose::Fill && !place.data.exists() {
                    let text = format!(
                        "there is no data directory {}: make the table with `hansang table create`, or name the \
                         directory with --data",
                        place.data.display()
                    );
                    return Err(Failure::Message { text, code: 3 });
                }
                // A command is short; the server sweeps.
                let options = Options { sweep_every: None, ..Options::new(Arc::new(now)) };
                let store =
                    Embedded::open(&place.data, options).map_err(|error| not_opened(error, purpose))?;
                (Opened::Embedded(store.clone()), Arc::new(store))
            }
            StoreKind::Dynamodb => {
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
        let key = cursor_key(&model, place);
        let db = Db::new(Arc::new(model), place.env.as_deref(), port, clock(), key);
        Ok(Self { db, store })
    }

    pub(crate) fn table(&self) -> &Table {
        self.db.table()
    }
}

/// Opens the table of a model for the command of a system.
pub(crate) fn open_table(
    model: Model,
    place: StoreArguments,
    purpose: Purpose,
) -> BoxFuture<'static, Result<Db, Failure>> {
    Box::pin(async move { Ok(Target::open(model, &place, purpose).await?.db) })
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

/// The next command must be able to read the cursor that this one prints, so the key is the same
/// every time. It is no secret, and need not be: whoever can run a command can read the whole table.
/// It keeps the cursors of different tables apart. A server needs a key of its own.
fn cursor_key(model: &Model, place: &StoreArguments) -> CursorKey {
    let name = model.table.name_in(place.env.as_deref());
    CursorKey::new(format!("the command line of Hansang, on the table {name}").as_bytes())
}

#[allow(clippy::disallowed_methods, reason = "the command line is where time comes from")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// The real time, and real chance: from a generator that the system seeds, because time is asked for with every write.
pub(crate) fn clock() -> Clock {
    Clock::new(|| Moment { now: now(), random: rand::random() })
}
