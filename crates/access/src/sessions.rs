//! Signing in and out.

use std::fmt;

use hansang_core::{Error, ErrorKind, message};
use jiff::Timestamp;
use serde_json::json;

use crate::accounts::login;
use crate::identity::{Identity, Origin, Via};
use crate::password::Verified;
use crate::records::{self, StoredAccount, StoredSession};
use crate::secret::{Secret, digest};
use crate::throttle::Key;
use crate::{Access, AccessCode, Paging, grants, messages, seconds_after};

/// The number of pages of sessions or tokens that are removed at once; the rest expires.
pub(super) const CLEANED_PAGES: usize = 20;

/// A new session.
#[derive(Clone)]
pub struct SignedIn {
    /// The secret of the session, for a cookie.
    pub secret: Secret,
    /// The secret that a page sends along with a write.
    pub csrf: Secret,
    /// The latest end of the session. It ends earlier if it is not used.
    pub expires: Timestamp,
    /// The mark of the device, for a cookie that outlives the session.
    pub device: Secret,
    /// The identity of the caller.
    pub identity: Identity,
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = (&self.identity.id, &self.expires);
        f.debug_struct("SignedIn").field("id", shown.0).field("expires", shown.1).finish_non_exhaustive()
    }
}

impl Access {
    /// Signs a user in. Neither the response nor its time tells whether the login is unknown, the password wrong or the
    /// account disabled.
    ///
    /// # Errors
    /// Fails if the login or the password is wrong, or if too many attempts failed.
    pub async fn sign_in(&self, name: &str, password: &str, origin: &Origin) -> Result<SignedIn, Error> {
        self.sign_in_on(None, name, password, origin).await
    }

    /// Signs a user in on a device with the mark of an earlier sign-in, which failures elsewhere do not throttle.
    ///
    /// # Errors
    /// As [`Access::sign_in`].
    pub async fn sign_in_on(
        &self,
        device: Option<&str>,
        name: &str,
        password: &str,
        origin: &Origin,
    ) -> Result<SignedIn, Error> {
        let name = login(name);
        // A text that is too long for a login is counted by address only, to save memory.
        let counted = Some(&*name).filter(|name| name.len() <= 128);
        let keys = match self.known_device(device, &name).await? {
            Some(account) => vec![Key::Device(account)],
            None => Key::of(counted, origin.address),
        };
        let attempt = self.0.throttle.begin(keys, self.elapsed())?;
        let account = match self.verified(&name, password).await {
            Ok(account) => account,
            Err(error) => {
                self.0.throttle.never_happened(attempt);
                return Err(error);
            }
        };
        let Some(account) = account else {
            tracing::warn!(address = %origin.address, trace = %origin.trace, "a sign-in was refused");
            return Err(wrong_credentials());
        };
        self.0.throttle.succeeded(attempt);
        self.start_session(&account).await
    }

    /// Returns the account of this login, if the mark of the device belongs to it and to its generation.
    async fn known_device(&self, device: Option<&str>, name: &str) -> Result<Option<String>, Error> {
        let Some((id, generation)) = device.and_then(|mark| self.0.devices.read(mark)) else {
            return Ok(None);
        };
        let account = self.stored_account(id).await?;
        let own = account.filter(|account| account.login == name && account.generation == generation);
        Ok(own.map(|account| account.account_id))
    }

    /// Ends a session. Succeeds if it has ended already.
    ///
    /// # Errors
    /// Fails if the store does.
    pub async fn sign_out(&self, secret: &str) -> Result<(), Error> {
        let key = records::item(&json!({"secretHash": digest(secret)}))?;
        let _clear = self.0.known.clear_after();
        match self.db().delete("Session", key, None).await {
            Err(error) if error.kind != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Ends all sessions of an account.
    ///
    /// # Errors
    /// Fails if the account does not exist.
    pub async fn sign_out_everywhere(&self, account: &str) -> Result<(), Error> {
        self.account(account).await?;
        let update = records::update(&json!({"accountId": account}), &json!({}), &[("generation", 1)])?;
        let _clear = self.0.known.clear_after();
        self.db().update("Account", update).await?;
        self.forget_sessions(account, None).await;
        Ok(())
    }

    /// Returns the enabled account with this login and password.
    async fn verified(&self, name: &str, password: &str) -> Result<Option<StoredAccount>, Error> {
        let account = self.stored_by_login(name).await?;
        let hash = account.as_ref().map(|account| &*account.password_hash);
        let verified = self.0.hashing.verify(password, hash).await?;
        let account = account.filter(|account| verified != Verified::No && !account.disabled);
        if let (Some(account), Verified::Outdated) = (&account, verified) {
            self.renew_hash(account, password).await;
        }
        Ok(account)
    }

    /// Hashes a password again with the current settings. If that fails, the old hash stays.
    async fn renew_hash(&self, account: &StoredAccount, password: &str) {
        let renewed = async {
            let hash = self.0.hashing.hash(password).await?;
            let key = json!({"accountId": account.account_id});
            let mut update = records::update(&key, &json!({"passwordHash": hash}), &[])?;
            update.expected_version = Some(account.version);
            self.db().update("Account", update).await
        };
        if let Err(error) = renewed.await {
            tracing::warn!(account = %account.account_id, code = error.code.as_str(), "a password hash was not renewed");
        }
    }

    async fn start_session(&self, account: &StoredAccount) -> Result<SignedIn, Error> {
        let (secret, csrf) = (Secret::random("")?, Secret::random("")?);
        let now = self.now();
        let end = seconds_after(now, self.0.settings.session_longest);
        let ttl = seconds_after(now, self.0.settings.session_idle).min(end);
        let expires = records::second(end)?;
        let fields = json!({
            "secretHash": secret.digest(),
            "accountId": account.account_id,
            "generation": account.generation,
            "csrf": csrf.expose(),
            "endsAt": expires.to_string(),
            "ttl": ttl,
        });
        let stored: StoredSession = self.db().create("Session", records::item(&fields)?).await?.typed()?;
        let identity = identity_of(account, &stored)?;
        Ok(SignedIn { secret, csrf, expires, device: self.0.devices.mark(account), identity })
    }

    /// Removes the sessions of an account that a new generation has ended, except those of the generation to keep. They
    /// are invalid already, so a failure is only logged.
    pub(super) async fn forget_sessions(&self, account: &str, keep: Option<i64>) {
        let mut paging = Paging { limit: Some(100), cursor: None };
        for _ in 0..CLEANED_PAGES {
            let given = json!({"accountId": account});
            let page = records::page::<StoredSession>(self.db(), "sessionsOfAccount", given, paging).await;
            let Ok(page) = page else { return log_leftovers(account) };
            for session in page.items.iter().filter(|session| keep != Some(session.generation)) {
                let key = records::item(&json!({"secretHash": session.secret_hash}));
                let Ok(key) = key else { return log_leftovers(account) };
                if let Err(error) = self.db().delete("Session", key, None).await
                    && error.kind != ErrorKind::NotFound
                {
                    return log_leftovers(account);
                }
            }
            if page.next.is_none() {
                return;
            }
            paging = Paging { limit: Some(100), cursor: page.next };
        }
    }
}

/// The identity of a session's owner.
pub(super) fn identity_of(account: &StoredAccount, session: &StoredSession) -> Result<Identity, Error> {
    Ok(Identity {
        id: account.account_id.clone(),
        name: account.name.clone(),
        grants: grants::from_stored(&account.grants)?,
        zone: account.time_zone.clone(),
        via: Via::Session { id: session.session_id.clone(), csrf: session.csrf.clone() },
    })
}

pub(super) fn wrong_credentials() -> Error {
    Error::unauthenticated(AccessCode::InvalidCredentials, message!(messages::WRONG_CREDENTIALS))
}

pub(super) fn log_leftovers(account: &str) {
    tracing::warn!(%account, "some sessions or tokens that are over were not removed; they will expire");
}
