//! Access control: who can sign in, what they may do, and what they did.
//!
//! Everything here is a verb over the data of `models/access.yaml`. Nothing knows HTTP, and nothing
//! decides whether a caller may call: whoever serves a request asks [`must_administer`] or looks at
//! the grants of the [`Identity`] first. Where a verb concerns somebody's own things, it takes their
//! identity and sees to it that they stay within them.

use std::fmt;
use std::sync::Arc;

use hansang_core::db::Ask;
use hansang_core::{Db, Error, Table, message};
use jiff::Timestamp;

mod accounts;
mod audit;
mod code;
mod cursors;
mod grants;
mod identify;
mod identity;
pub mod messages;
mod oidc;
mod own_password;
mod password;
mod records;
mod secret;
mod sessions;
mod set_up;
mod settings;
mod throttle;
mod tokens;

pub use accounts::{Account, AccountChange, NewAccount};
pub use audit::{AuditEntry, AuditOutcome, AuditVia, Audited};
pub use code::AccessCode;
pub use cursors::cursor_secret;
pub use identify::Credentials;
pub use identity::{EVERYWHERE, Grants, Identity, Origin, Role, Via, system_message};
pub use own_password::session_needed;
pub use secret::Secret;
pub use sessions::SignedIn;
pub use settings::{AccessSettings, OidcSettings, PasswordSettings, ThrottleSettings};
pub use tokens::{CreatedToken, NewToken, Token};

use oidc::Oidc;
use password::Hashing;
use throttle::Throttle;

/// The model of the data behind [`Access`].
pub const ACCESS_MODEL: &str = include_str!("../../../models/access.yaml");

/// Access control over one database. Cheap to clone; all clones count failed attempts together.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    db: Db,
    settings: AccessSettings,
    throttle: Throttle,
    hashing: Hashing,
    oidc: Option<Oidc>,
}

/// Which part of a list to read.
#[derive(Clone, Debug, Default)]
pub struct Paging {
    /// The most entries of the page, if not as many as the model says.
    pub limit: Option<u32>,
    /// `next` or `previous` of another page of the same list, if not the first page.
    pub cursor: Option<String>,
}

impl Access {
    /// Access control over a database of [`ACCESS_MODEL`] whose table exists.
    ///
    /// # Errors
    /// When the settings cannot work.
    pub fn new(db: Db, settings: AccessSettings) -> Result<Self, Error> {
        let throttle = Throttle::new(settings.throttle.clone());
        let hashing = Hashing::new(&settings.password)?;
        let oidc = settings.oidc.clone().map(Oidc::new).transpose()?;
        Ok(Self(Arc::new(Inner { db, settings, throttle, hashing, oidc })))
    }

    /// Whether the table of accounts answers: without it nobody gets in.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn probe(&self) -> Result<(), Error> {
        self.db().query("administration", hansang_core::Item::new(), Ask::default()).await.map(drop)
    }

    fn db(&self) -> &Db {
        &self.0.db
    }

    /// Where accounts are kept.
    pub fn table(&self) -> &Table {
        self.0.db.table()
    }

    /// The time that everything here goes by.
    pub fn now(&self) -> Timestamp {
        self.0.db.clock().moment().now
    }
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Access").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}

/// Whether somebody may do what concerns everybody: accounts, tokens of others, the audit log.
///
/// # Errors
/// When they are not an administrator of every system.
pub fn must_administer(identity: &Identity) -> Result<(), Error> {
    if identity.grants.role_in(EVERYWHERE) == Some(Role::Admin) {
        return Ok(());
    }
    Err(Error::forbidden(AccessCode::NotAdministrator, message!(messages::NOT_ADMINISTRATOR)))
}

/// The second that lies this far ahead, for attributes that expire.
fn seconds_after(now: Timestamp, wait: std::time::Duration) -> i64 {
    now.as_second().saturating_add(i64::try_from(wait.as_secs()).unwrap_or(i64::MAX))
}
