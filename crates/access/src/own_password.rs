//! Changing one's own password.

use hansang_core::db::Operation;
use hansang_core::plan::Reason;
use hansang_core::{Error, Record, message};
use serde_json::json;

use crate::identify::unauthenticated;
use crate::identity::{Identity, Origin, Via};
use crate::password::{self, Verified};
use crate::records::{self, StoredAccount, StoredSession};
use crate::secret::Secret;
use crate::throttle::Key;
use crate::{Access, AccessCode, Paging, messages};

impl Access {
    /// Changes the password of a caller who knows the old one. Ends all their other sessions in the same transaction.
    ///
    /// # Errors
    /// Fails if the old password is wrong, the new one breaks a rule, too many attempts failed, or the caller has no
    /// session.
    pub async fn change_password(
        &self,
        identity: &Identity,
        old: &Secret,
        new: &Secret,
        origin: &Origin,
    ) -> Result<(), Error> {
        let Via::Session { id, .. } = &identity.via else { return Err(session_needed()) };
        let account = self.stored_account(&identity.id).await?.ok_or_else(unauthenticated)?;
        password::check(new.expose(), &account.login)?;
        self.verify_own(&account, old, origin).await?;
        let session = self.session_of(&account.account_id, id).await?.ok_or_else(unauthenticated)?;
        let hash = self.0.hashing.hash(new.expose()).await?;
        self.write_password(&account, &session, &hash).await?;
        self.forget_sessions(&account.account_id, Some(account.generation + 1)).await;
        Ok(())
    }

    /// Checks the old password. Failures count as at sign-in, so that a stolen session does not help to guess.
    async fn verify_own(&self, account: &StoredAccount, old: &Secret, origin: &Origin) -> Result<(), Error> {
        let attempt = self.0.throttle.begin(Key::of(Some(&account.login), origin.address), self.elapsed())?;
        match self.0.hashing.verify(old.expose(), Some(&account.password_hash)).await {
            Ok(Verified::No) => Err(wrong_password()),
            Ok(_) => {
                self.0.throttle.succeeded(attempt);
                Ok(())
            }
            Err(error) => {
                self.0.throttle.never_happened(attempt);
                Err(error)
            }
        }
    }

    /// Stores the new hash and the next generation, and moves only this session into it.
    async fn write_password(
        &self,
        account: &StoredAccount,
        session: &StoredSession,
        hash: &str,
    ) -> Result<Vec<Option<Record>>, Error> {
        let key = json!({"accountId": account.account_id});
        let mut change = records::update(&key, &json!({"passwordHash": hash}), &[("generation", 1)])?;
        change.expected_version = Some(account.version);
        let key = json!({"secretHash": session.secret_hash});
        let keep = records::update(&key, &json!({"generation": account.generation + 1}), &[])?;
        let changed = Reason::Changed { entity: "Session".into() }.error();
        let operations = vec![
            Operation::Update { entity: "Account".into(), update: change, guards: Vec::new() },
            Operation::Update {
                entity: "Session".into(),
                update: keep,
                guards: vec![records::still("generation", account.generation, changed)],
            },
        ];
        let _clear = self.0.known.clear_after();
        self.db().transact(operations).await.map_err(|refusal| match refusal.operation {
            Some(1) => unauthenticated(),
            _ => refusal.error,
        })
    }

    /// Returns a session by its id. The index is eventually consistent and may miss a new session; the request then
    /// fails and can be retried.
    async fn session_of(&self, account: &str, id: &str) -> Result<Option<StoredSession>, Error> {
        let mut paging = Paging { limit: Some(100), cursor: None };
        loop {
            let given = json!({"accountId": account});
            let page = records::page::<StoredSession>(self.db(), "sessionsOfAccount", given, paging).await?;
            let found = page.items.into_iter().find(|session| session.session_id == id);
            if found.is_some() || page.next.is_none() {
                return Ok(found);
            }
            paging = Paging { limit: Some(100), cursor: page.next };
        }
    }
}

/// The error of a caller who did not sign in with a password.
pub fn session_needed() -> Error {
    Error::forbidden(AccessCode::SessionNeeded, message!(messages::SESSION_NEEDED))
}

fn wrong_password() -> Error {
    Error::forbidden(AccessCode::WrongPassword, message!(messages::WRONG_PASSWORD))
}
