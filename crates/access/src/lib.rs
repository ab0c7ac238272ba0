//! Access control: accounts, permissions and the audit log.
//!
//! The methods of [`Access`] work on the data of `models/access.yaml`. They know nothing of HTTP and do not check
//! whether the caller may call them: the server calls [`must_administer`] or checks the grants of the [`Identity`]
//! first. A method on a caller's own data takes their identity and is limited to it.

use std::fmt;
use std::sync::Arc;

use hansang_core::db::Ask;
use hansang_core::{Db, Error, Table, message};
use jiff::Timestamp;

mod accounts;
mod audit;
mod code;
mod cursors;
mod device;
mod grants;
mod identify;
mod identity;
mod known;
pub mod messages;
mod oidc;
mod own_password;
mod own_zone;
mod password;
mod records;
mod secret;
mod sessions;
mod set_up;
mod settings;
mod throttle;
mod tokens;

pub use accounts::{Account, AccountChange, NewAccount};
pub use audit::{AuditEntry, AuditOutcome, AuditVia, Audited, Done, key_text};
pub use code::AccessCode;
pub use cursors::cursor_secret;
pub use identify::Credentials;
pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via, system_message};
pub use own_password::session_needed;
pub use secret::Secret;
pub use sessions::SignedIn;
pub use settings::{AccessSettings, Monotonic, OidcSettings, PasswordSettings, ThrottleSettings};
pub use tokens::{CreatedToken, NewToken, Token};

use device::Devices;
use known::Known;
use oidc::Oidc;
use password::Hashing;
use throttle::Throttle;

/// The model of the data behind [`Access`].
pub const ACCESS_MODEL: &str = include_str!("../../../models/access.yaml");

/// Access control over one database. Cheap to clone; all clones share the counts of failed attempts.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    db: Db,
    settings: AccessSettings,
    throttle: Throttle,
    devices: Devices,
    hashing: Hashing,
    oidc: Option<Oidc>,
    known: Known,
}

/// A page of a list.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// The maximum number of entries; defaults to that of the model.
    pub limit: Option<u32>,
    /// `next` or `previous` of another page of the same list; defaults to the first page.
    pub cursor: Option<String>,
}

impl Access {
    /// Opens access control over a database of [`ACCESS_MODEL`] whose table exists.
    ///
    /// # Errors
    /// Fails if a setting is invalid.
    pub fn new(db: Db, settings: AccessSettings) -> Result<Self, Error> {
        let throttle = Throttle::new(settings.throttle.clone());
        let devices = Devices::new(settings.device_secret.as_ref())?;
        let hashing = Hashing::new(&settings.password)?;
        let oidc = settings.oidc.clone().map(Oidc::new).transpose()?;
        let known = Known::new();
        Ok(Self(Arc::new(Inner { db, settings, throttle, devices, hashing, oidc, known })))
    }

    /// Reads from the table of accounts.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn probe(&self) -> Result<(), Error> {
        self.db().query("administration", hansang_core::Item::new(), Ask::default()).await.map(drop)
    }

    /// Reads from the table of accounts and writes to it, so that a store that can only be read is not ready.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn probe_write(&self) -> Result<(), Error> {
        self.probe().await?;
        let probe = records::item(&serde_json::json!({"at": format!("{:.3}", self.now())}))?;
        self.db().put("Probe", probe, None).await.map(drop)
    }

    /// Reads a page of all stored items, for a backup.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn scan(
        &self,
        scan: &hansang_core::plan::Scan,
    ) -> Result<hansang_core::Page, hansang_core::StoreError> {
        self.db().store().scan(self.table(), scan).await
    }

    /// Whether the first account exists.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn is_set_up(&self) -> Result<bool, Error> {
        let ask = Ask { consistent: Some(true), ..Ask::default() };
        let found = self.db().query("administration", hansang_core::Item::new(), ask).await?;
        Ok(!found.records.is_empty())
    }

    fn db(&self) -> &Db {
        &self.0.db
    }

    /// The table of accounts.
    pub fn table(&self) -> &Table {
        self.0.db.table()
    }

    /// The time since a fixed moment, by a monotonic clock.
    fn elapsed(&self) -> std::time::Duration {
        self.0.settings.monotonic.elapsed()
    }

    /// The time of day.
    pub fn now(&self) -> Timestamp {
        self.0.db.clock().moment().now
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

/// Checks that a caller may administer: accounts, tokens of others, the audit log.
///
/// # Errors
/// Fails unless the caller is an administrator of every system.
pub fn must_administer(identity: &Identity) -> Result<(), Error> {
    if identity.grants.role_in(EVERYWHERE) == Some(Role::Admin) {
        return Ok(());
    }
    Err(Error::forbidden(AccessCode::NotAdministrator, message!(messages::NOT_ADMINISTRATOR)))
}

/// The current second plus a duration, for attributes that expire.
fn seconds_after(now: Timestamp, wait: std::time::Duration) -> i64 {
    now.as_second().saturating_add(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX))
}
