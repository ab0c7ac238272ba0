//! Fresh tables: every behaviour has its own, so that all can run at once on one store.

use std::sync::atomic::{AtomicU32, Ordering};

use hansang_core::model::{Index, Projection, Table};
use hansang_core::{Name, Store};

/// Index with a text sort key: `tpk` and `tsk`, all attributes.
pub const BY_TEXT: &str = "ByText";
/// Index with a numeric sort key: `npk` and `nsk`, all attributes.
pub const BY_NUMBER: &str = "ByNumber";

static TABLES: AtomicU32 = AtomicU32::new(0);

/// Creates a table with [`BY_TEXT`] and [`BY_NUMBER`] and a unique name.
pub async fn fresh(store: &dyn Store) -> Table {
    made(store, described()).await
}

/// Creates the table in the store.
pub async fn made(store: &dyn Store, table: Table) -> Table {
    store.ensure_table(&table).await.unwrap();
    table
}

/// Definition of the table of [`fresh`].
#[must_use]
pub fn described() -> Table {
    with_indexes(vec![
        index(BY_TEXT, "tpk", Some("tsk"), Projection::All),
        Index { sk_numeric: true, ..index(BY_NUMBER, "npk", Some("nsk"), Projection::All) },
    ])
}

/// Definition of a table with these indexes and a unique name.
#[must_use]
pub fn with_indexes(indexes: Vec<Index>) -> Table {
    let number = TABLES.fetch_add(1, Ordering::Relaxed);
    Table {
        name: format!("testkit-{}-{number}", std::process::id()),
        pk: "PK".into(),
        sk: "SK".into(),
        delimiter: '#',
        type_attribute: None,
        ttl: None,
        streams: false,
        recovery: false,
        tags: Vec::new(),
        indexes,
    }
}

/// An index with text keys.
#[must_use]
pub fn index(name: &str, pk: &str, sk: Option<&str>, projection: Projection) -> Index {
    Index {
        name: name.into(),
        pk: pk.into(),
        pk_numeric: false,
        sk: sk.map(Name::from),
        sk_numeric: false,
        projection,
    }
}
