//! What to call those whom systems know by the ids of their accounts.

use std::collections::{BTreeMap, BTreeSet};

use super::Console;

/// Names by ids.
#[derive(Default)]
pub struct People(BTreeMap<String, String>);

impl People {
    /// The name of an account. Whoever is no account of this server is called what the system calls them.
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
