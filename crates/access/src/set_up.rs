//! The first administrator, created with a link that the server prints at its start.

use hansang_core::db::Operation;
use hansang_core::plan::{Condition, Guard, Path, Reason};
use hansang_core::{Error, message};
use serde::Deserialize;
use serde_json::json;

use crate::accounts::{Account, NewAccount};
use crate::identity::{Grants, Origin, Role};
use crate::secret::{Secret, digest, same};
use crate::throttle::Key;
use crate::{Access, AccessCode, messages, password, records, seconds_after};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredLink {
    secret_hash: String,
}

impl Access {
    /// Returns the secret of a new link, as long as there is no account. Invalidates earlier links.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn set_up_link(&self) -> Result<Option<Secret>, Error> {
        let secret = Secret::random("")?;
        let ttl = seconds_after(self.now(), self.0.settings.set_up_link);
        let link = json!({"secretHash": secret.digest(), "ttl": ttl});
        let unused = self.db().table().pk.clone();
        let done = Error::conflict(AccessCode::AlreadySetUp, message!(messages::ALREADY_SET_UP));
        let none_yet =
            Guard { condition: Condition::Absent(Path::from(&unused)), otherwise: Reason::Other(done) };
        let operations = vec![
            Operation::Put {
                entity: "SetUp".into(),
                fields: records::item(&link)?,
                expected_version: None,
                guards: Vec::new(),
            },
            Operation::Check {
                entity: "Administration".into(),
                key: records::item(&json!({}))?,
                guards: vec![none_yet],
            },
        ];
        match self.db().transact(operations).await {
            Ok(_) => Ok(Some(secret)),
            Err(refusal) if refusal.error.code == AccessCode::AlreadySetUp => Ok(None),
            Err(refusal) => Err(refusal.error),
        }
    }

    /// Checks the secret of a link before anything is written. Wrong ones count as failed attempts of their address.
    ///
    /// # Errors
    /// Fails if the link is not the latest, was used or has expired, or if too many attempts failed.
    pub async fn check_set_up_link(&self, secret: &str, origin: &Origin) -> Result<(), Error> {
        let attempt = self.0.throttle.begin(Key::of(None, origin.address), self.elapsed())?;
        match self.is_set_up_link(secret).await {
            Ok(true) => self.0.throttle.succeeded(attempt),
            Ok(false) => {
                tracing::warn!(address = %origin.address, trace = %origin.trace, "a set-up link was refused");
                return Err(refused());
            }
            Err(error) => {
                self.0.throttle.never_happened(attempt);
                return Err(error);
            }
        }
        Ok(())
    }

    async fn is_set_up_link(&self, secret: &str) -> Result<bool, Error> {
        let link: Option<StoredLink> = records::one(self.db(), "setUp", json!({})).await?;
        Ok(link.is_some_and(|link| same(&link.secret_hash, &digest(secret))))
    }

    /// Creates the first account, an administrator of every system whatever grants are requested. The link works once;
    /// of concurrent uses one wins.
    ///
    /// # Errors
    /// Fails if the link is not the latest, was used or has expired, or if the account breaks a rule.
    pub async fn set_up(&self, secret: &str, new: NewAccount) -> Result<Account, Error> {
        if !self.is_set_up_link(secret).await? {
            return Err(refused());
        }
        let hash = digest(secret);
        let new = NewAccount { grants: Grants::everywhere(Role::Admin), ..new };
        password::check(new.password.expose(), &new.login)?;
        let use_up = Operation::Delete {
            entity: "SetUp".into(),
            key: records::item(&json!({}))?,
            expected_version: None,
            guards: vec![records::still("secretHash", hash, refused())],
        };
        let first = records::create("Administration", &json!({"administrators": 1}))?;
        let account = self.account_to_create(&new).await?;
        match self.db().transact(vec![use_up, first, account]).await {
            Ok(written) => Account::written(written, 2),
            // Another request won.
            Err(refusal) if matches!(refusal.operation, Some(0 | 1)) => Err(refused()),
            Err(refusal) => Err(refusal.error),
        }
    }
}

fn refused() -> Error {
    Error::unauthenticated(AccessCode::InvalidSetUpLink, message!(messages::INVALID_LINK))
}
