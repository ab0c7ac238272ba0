//! The first administrator, who is made with a link that whoever runs the server gets to see.

use hansang_core::db::Operation;
use hansang_core::plan::{Condition, Guard, Path, Reason};
use hansang_core::{Error, message};
use serde::Deserialize;
use serde_json::json;

use crate::accounts::{Account, NewAccount};
use crate::identity::{Grants, Origin, Role};
use crate::secret::{Secret, digest, same};
use crate::{Access, AccessCode, messages, password, records, seconds_after};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredLink {
    secret_hash: String,
}

impl Access {
    /// The secret of a new link, as long as there is no account; earlier links no longer work then.
    ///
    /// # Errors
    /// When the store fails.
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

    /// Makes the first account, an administrator of every system whatever grants are asked for. The
    /// link works once, and of two who use it at the same time one succeeds.
    ///
    /// # Errors
    /// When the link is not the last one made, was used or has expired, or the account breaks a rule.
    pub async fn set_up(&self, secret: &str, new: NewAccount, origin: &Origin) -> Result<Account, Error> {
        let link: Option<StoredLink> = records::one(self.db(), "setUp", json!({})).await?;
        let hash = digest(secret);
        if !link.is_some_and(|link| same(&link.secret_hash, &hash)) {
            tracing::warn!(address = %origin.address, trace = %origin.trace, "a set-up link was refused");
            return Err(refused());
        }
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
            // Another request was faster.
            Err(refusal) if matches!(refusal.operation, Some(0 | 1)) => Err(refused()),
            Err(refusal) => Err(refusal.error),
        }
    }
}

fn refused() -> Error {
    Error::unauthenticated(AccessCode::InvalidSetUpLink, message!(messages::INVALID_LINK))
}
