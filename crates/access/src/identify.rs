//! Identifies callers by their credentials.

use std::fmt;

use hansang_core::{Error, ErrorKind, message};
use jiff::Timestamp;
use serde_json::json;

use crate::identity::{Identity, Via};
use crate::records::{self, StoredAccount, StoredSession, StoredToken};
use crate::secret::digest;
use crate::sessions::identity_of;
use crate::tokens::PREFIX;
use crate::{Access, AccessCode, grants, messages, seconds_after};

/// The maximum length of our own secrets. Longer ones are rejected without hashing.
const MAX_BYTES: usize = 128;

/// The credentials of a request.
#[derive(Clone, Copy)]
pub enum Credentials<'a> {
    /// The secret of a session.
    Session(&'a str),
    /// A token of this server, or of the identity provider.
    Bearer(&'a str),
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Session(_) => "Session(…)",
            Self::Bearer(_) => "Bearer(…)",
        })
    }
}

impl Access {
    /// Identifies a caller, with their current permissions.
    ///
    /// # Errors
    /// Fails for invalid credentials, always with the same error; or if the identity provider or the store cannot be
    /// reached.
    pub async fn identify(&self, credentials: Credentials<'_>) -> Result<Identity, Error> {
        let now = self.now();
        match credentials {
            Credentials::Session(secret) => self.by_session(secret, now).await,
            Credentials::Bearer(secret) if secret.starts_with(PREFIX) => self.by_token(secret, now).await,
            Credentials::Bearer(jwt) => match &self.0.oidc {
                Some(oidc) => oidc.identify(jwt, now).await,
                None => Err(unauthenticated()),
            },
        }
    }

    /// Identifies a caller who only reads. While the store is unavailable, a caller who was identified within the last minutes
    /// is still known, unless this process has revoked something since.
    ///
    /// # Errors
    /// As [`Access::identify`].
    pub async fn identify_reader(&self, credentials: Credentials<'_>) -> Result<Identity, Error> {
        match self.identify(credentials).await {
            Err(error) if error.kind == ErrorKind::Unavailable => {
                let (Credentials::Session(secret) | Credentials::Bearer(secret)) = credentials;
                let known =
                    hash_of(secret).ok().and_then(|hash| self.0.known.get_in_outage(&hash, self.now()));
                known.ok_or(error)
            }
            result => result,
        }
    }

    async fn by_session(&self, secret: &str, now: Timestamp) -> Result<Identity, Error> {
        let hash = hash_of(secret)?;
        if let Some(identity) = self.0.known.get(&hash, now) {
            return Ok(identity);
        }
        let epoch = self.0.known.epoch();
        let session: Option<StoredSession> =
            records::one(self.db(), "session", json!({"secretHash": hash})).await?;
        let session = session.ok_or_else(unauthenticated)?;
        let account = self.owner(&session.account_id).await?;
        let end = records::time(&session.ends_at)?;
        if account.generation != session.generation || end <= now {
            return Err(unauthenticated());
        }
        self.extend(&session, end, now).await;
        let identity = identity_of(&account, &session)?;
        self.0.known.insert(hash, &identity, epoch, now, end.min(records::second(session.ttl)?));
        Ok(identity)
    }

    async fn by_token(&self, secret: &str, now: Timestamp) -> Result<Identity, Error> {
        let hash = hash_of(secret)?;
        if let Some(identity) = self.0.known.get(&hash, now) {
            return Ok(identity);
        }
        let epoch = self.0.known.epoch();
        let token: Option<StoredToken> =
            records::one(self.db(), "token", json!({"secretHash": hash})).await?;
        let token = token.ok_or_else(unauthenticated)?;
        let account = self.owner(&token.account_id).await?;
        if account.token_generation != token.generation {
            return Err(unauthenticated());
        }
        self.mark_used(&token, now).await;
        let scope = grants::from_stored(&token.grants)?;
        let identity = Identity {
            grants: grants::from_stored(&account.grants)?.within(&scope),
            id: account.account_id,
            name: account.name,
            zone: account.time_zone,
            via: Via::Token { id: token.token_id, scope },
        };
        self.0.known.insert(hash, &identity, epoch, now, records::second(token.ttl)?);
        Ok(identity)
    }

    /// The account of a session or token. It must exist and be enabled.
    async fn owner(&self, id: &str) -> Result<StoredAccount, Error> {
        let account = self.stored_account(id).await?;
        account.filter(|account| !account.disabled).ok_or_else(unauthenticated)
    }

    /// Extends a session that is used, once a twentieth of its time has passed: a write for each request would cost too
    /// much. If this fails, the session only ends earlier.
    async fn extend(&self, session: &StoredSession, end: Timestamp, now: Timestamp) {
        let idle = self.0.settings.session_idle;
        let ttl = seconds_after(now, idle).min(end.as_second());
        let step = i64::try_from(idle.as_secs() / 20).unwrap_or(i64::MAX);
        if ttl.saturating_sub(session.ttl) <= step {
            return;
        }
        let key = json!({"secretHash": session.secret_hash});
        let extended = async {
            let update = records::update(&key, &json!({"ttl": ttl}), &[])?;
            self.db().update("Session", update).await
        };
        if let Err(error) = extended.await {
            tracing::warn!(session = %session.session_id, code = error.code.as_str(), "a session was not extended");
        }
    }

    /// Records the day on which a token was last used: one write a day.
    async fn mark_used(&self, token: &StoredToken, now: Timestamp) {
        let today = records::day(now);
        if token.last_used_on.as_deref() == Some(&today) {
            return;
        }
        let key = json!({"secretHash": token.secret_hash});
        let marked = async {
            let update = records::update(&key, &json!({"lastUsedOn": today}), &[])?;
            self.db().update("Token", update).await
        };
        if let Err(error) = marked.await {
            tracing::warn!(token = %token.token_id, code = error.code.as_str(), "the use of a token was not noted");
        }
    }
}

fn hash_of(secret: &str) -> Result<String, Error> {
    if secret.len() > MAX_BYTES {
        return Err(unauthenticated());
    }
    Ok(digest(secret))
}

/// The one error for missing or invalid credentials: a reason would help to guess.
pub(super) fn unauthenticated() -> Error {
    Error::unauthenticated(AccessCode::Unauthenticated, message!(messages::UNAUTHENTICATED))
}
