//! Display names of the accounts that systems know by id.

use std::collections::{BTreeMap, BTreeSet};

use super::Console;

/// Names by ids.
#[derive(Default)]
pub struct People(BTreeMap<String, String>);

impl People {
    /// The name of an account. For an id that is not an account of this server, the name that the system has.
    pub fn name(&self, id: &str) -> String {
        self.0.get(id).map_or(id, |name| name).to_owned()
    }
}

impl Console {
    /// The names of these accounts.
    pub async fn people(&self, ids: impl Iterator<Item = &str>) -> People {
        let ids: BTreeSet<&str> = ids.collect();
        let mut people = People::default();
        for id in ids {
            if let Ok(account) = self.app.access().account(id).await {
                people.0.insert(id.to_owned(), account.name);
            }
        }
        people
    }
}
