//! Who asks, by what they carry.

use std::fmt;

use hansang_core::{Error, message};
use jiff::Timestamp;
use serde_json::json;

use crate::identity::{Identity, Via};
use crate::records::{self, StoredAccount, StoredSession, StoredToken};
use crate::secret::digest;
use crate::sessions::identity_of;
use crate::tokens::PREFIX;
use crate::{Access, AccessCode, grants, messages, seconds_after};

/// The most bytes of a secret of ours. Longer ones are none, and need not be hashed.
const MOST_BYTES: usize = 128;

/// What somebody carries to be recognised by.
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
    /// Recognises somebody, with what they may do at this moment.
    ///
    /// # Errors
    /// That nobody is recognised, whatever the reason; or that the identity provider or the store
    /// cannot be reached.
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

    async fn by_session(&self, secret: &str, now: Timestamp) -> Result<Identity, Error> {
        let hash = hash_of(secret)?;
        let session: Option<StoredSession> =
            records::one(self.db(), "session", json!({"secretHash": hash})).await?;
        let session = session.ok_or_else(unauthenticated)?;
        let account = self.owner(&session.account_id).await?;
        let end = records::time(&session.ends_at)?;
        if account.generation != session.generation || end <= now {
            return Err(unauthenticated());
        }
        self.extend(&session, end, now).await;
        identity_of(&account, &session)
    }

    async fn by_token(&self, secret: &str, now: Timestamp) -> Result<Identity, Error> {
        let hash = hash_of(secret)?;
        let token: Option<StoredToken> =
            records::one(self.db(), "token", json!({"secretHash": hash})).await?;
        let token = token.ok_or_else(unauthenticated)?;
        let account = self.owner(&token.account_id).await?;
        self.mark_used(&token, now).await;
        Ok(Identity {
            grants: grants::from_stored(&account.grants)?.within(&grants::from_stored(&token.grants)?),
            id: account.account_id,
            name: account.name,
            via: Via::Token { id: token.token_id },
        })
    }

    /// The account behind a session or token, which must still be there and open.
    async fn owner(&self, id: &str) -> Result<StoredAccount, Error> {
        let account = self.stored_account(id).await?;
        account.filter(|account| !account.disabled).ok_or_else(unauthenticated)
    }

    /// Moves the end of a session that is used. Not at each request, because that would be a write for
    /// each: when a twentieth of its time is gone. If it fails, the session ends earlier, no more.
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

    /// Remembers the day on which a token was last used: one write a day.
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
    if secret.len() > MOST_BYTES {
        return Err(unauthenticated());
    }
    Ok(digest(secret))
}

/// The one error for every caller who is not recognised: the reason would help to guess.
pub(super) fn unauthenticated() -> Error {
    Error::unauthenticated(AccessCode::Unauthenticated, message!(messages::UNAUTHENTICATED))
}
