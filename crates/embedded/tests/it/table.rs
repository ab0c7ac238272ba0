//! Tables of the tests.

use hansang_core::model::{Index, Projection, Table, Ttl};
use hansang_core::plan::Key;

/// A table with an index by text, one by number, expiry and a change feed.
pub(crate) fn table() -> Table {
    let index = |name: &str, pk: &str, sk: &str, sk_numeric: bool| Index {
        name: name.into(),
        pk: pk.into(),
        pk_numeric: false,
        sk: Some(sk.into()),
        sk_numeric,
        projection: Projection::All,
    };
    Table {
        name: "Things".to_owned(),
        pk: "PK".into(),
        sk: "SK".into(),
        delimiter: '#',
        type_attribute: None,
        ttl: Some(Ttl { attribute: "ttl".into(), enabled: true }),
        streams: true,
        recovery: false,
        tags: Vec::new(),
        indexes: vec![index("GSI1", "GSI1PK", "GSI1SK", false), index("GSI2", "GSI1PK", "rank", true)],
    }
}

/// A second table, written together with the first.
pub(crate) fn log() -> Table {
    Table { name: "Log".to_owned(), indexes: Vec::new(), ..table() }
}

pub(crate) fn item_key(task: u64, step: u64) -> Key {
    Key { pk: format!("TASK#{task}"), sk: format!("STEP#{step:012}") }
}

pub(crate) fn half_key(task: u64, step: u64, half: &str) -> Key {
    Key { pk: format!("PAIR#{task}#{half}"), sk: format!("STEP#{step:012}") }
}

pub(crate) fn account(task: u64, number: u64) -> Key {
    Key { pk: format!("ACCOUNT#{task}"), sk: format!("{number}") }
}

pub(crate) fn counter() -> Key {
    Key { pk: "COUNTER".to_owned(), sk: "META".to_owned() }
}
