//! Choosing one's own time zone.

use hansang_core::plan::{Change, Path};
use hansang_core::{Error, Name};
use serde_json::json;

use crate::identity::Identity;
use crate::{Access, records};

impl Access {
    /// Sets the time zone in which a caller reads times, by its IANA name; `None` removes it.
    ///
    /// # Errors
    /// Fails if the caller has no account here, or if the name is too long.
    pub async fn choose_zone(&self, identity: &Identity, zone: Option<&str>) -> Result<(), Error> {
        let mut update = records::update(&json!({"accountId": identity.id}), &json!({}), &[])?;
        let change = zone.map_or(Change::Remove, |zone| Change::Set(zone.into()));
        update.changes.push((Path::from(&Name::from("timeZone")), change));
        let _clear = self.0.known.clear_after();
        self.db().update("Account", update).await.map(drop)
    }
}
