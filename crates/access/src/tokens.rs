//! Tokens: secrets for programs, which never may more than their owner.

use hansang_core::db::TypedListing;
use hansang_core::{Error, ErrorKind, message};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::identity::{Grants, Identity, Via};
use crate::own_password::session_needed;
use crate::records::{self, StoredToken};
use crate::secret::Secret;
use crate::sessions::{CLEANED_PAGES, log_leftovers};
use crate::{Access, AccessCode, Paging, grants, messages};

/// How every token starts, so that it can be told from those of identity providers, and found by
/// whoever searches for secrets that got out.
pub(super) const PREFIX: &str = "hst_";

/// The longest that a token works.
const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is called by everything but its use.
    pub id: String,
    /// The account of its owner.
    pub account: String,
    /// What its owner calls it.
    pub name: String,
    /// What it may do at the most. It never may more than its owner.
    pub grants: Grants,
    /// When it was made.
    pub created: Timestamp,
    /// From when on it no longer works.
    pub expires: Timestamp,
    /// The last day on which it was used, as `2027-01-15`.
    pub last_used_on: Option<String>,
}

/// A token to be made.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// What its owner calls it.
    pub name: String,
    /// What it may do at the most.
    pub grants: Grants,
    /// From when on it no longer works: at most 366 days ahead.
    pub expires: Timestamp,
}

/// A token that was just made.
#[derive(Clone, Debug)]
pub struct CreatedToken {
    /// Its secret, which nobody can show again.
    pub secret: Secret,
    /// The token.
    pub token: Token,
}

impl Access {
    /// Makes a token for somebody who signed in with a session. A token cannot make tokens: one that
    /// was stolen would never have to expire.
    ///
    /// # Errors
    /// Every field that breaks a rule, grants that its owner does not have, or no session.
    pub async fn create_token(&self, identity: &Identity, new: NewToken) -> Result<CreatedToken, Error> {
        let Via::Session { .. } = identity.via else { return Err(session_needed()) };
        grants::check(&new.grants)?;
        check_expiry(new.expires, self.now())?;
        let own = |(system, role): (&String, _)| identity.grants.role_in(system) >= Some(role);
        if !new.grants.0.iter().map(|(system, role)| (system, *role)).all(own) {
            return Err(beyond_own());
        }
        let secret = Secret::random(PREFIX)?;
        let fields = json!({
            "secretHash": secret.digest(),
            "accountId": identity.id,
            "name": new.name,
            "grants": grants::to_json(&new.grants),
            "ttl": new.expires.as_second(),
        });
        let stored = self.db().create("Token", records::item(&fields)?).await?.typed()?;
        Ok(CreatedToken { secret, token: token(stored)? })
    }

    /// Somebody's own tokens, the newest first.
    ///
    /// # Errors
    /// A cursor of another list, a page that is too large, or somebody without an account.
    pub async fn own_tokens(
        &self,
        identity: &Identity,
        paging: Paging,
    ) -> Result<TypedListing<Token>, Error> {
        if identity.via == Via::Oidc {
            return Err(session_needed());
        }
        let given = json!({"accountId": identity.id});
        records::map_page(records::page(self.db(), "tokensOfAccount", given, paging).await?, token)
    }

    /// One of somebody's own tokens.
    ///
    /// # Errors
    /// That they have no such token, though others may.
    pub async fn own_token(&self, identity: &Identity, id: &str) -> Result<Token, Error> {
        token(self.own_stored_token(identity, id).await?)
    }

    /// Ends one of somebody's own tokens.
    ///
    /// # Errors
    /// That they have no such token, though others may.
    pub async fn revoke_own_token(&self, identity: &Identity, id: &str) -> Result<(), Error> {
        self.remove_token(&self.own_stored_token(identity, id).await?).await
    }

    /// Ends anybody's token, for administrators.
    ///
    /// # Errors
    /// That there is no such token.
    pub async fn revoke_token(&self, id: &str) -> Result<(), Error> {
        let stored = self.stored_token(id).await?.ok_or_else(not_found)?;
        self.remove_token(&stored).await
    }

    async fn own_stored_token(&self, identity: &Identity, id: &str) -> Result<StoredToken, Error> {
        let stored = self.stored_token(id).await?.filter(|token| token.account_id == identity.id);
        stored.ok_or_else(not_found)
    }

    async fn stored_token(&self, id: &str) -> Result<Option<StoredToken>, Error> {
        match records::one(self.db(), "tokenById", json!({"tokenId": id})).await {
            Err(error) if error.kind == ErrorKind::Invalid => Ok(None),
            result => result,
        }
    }

    async fn remove_token(&self, token: &StoredToken) -> Result<(), Error> {
        let key = records::item(&json!({"secretHash": token.secret_hash}))?;
        self.db().delete("Token", key, None).await.map_err(|error| match error.kind {
            ErrorKind::NotFound => not_found(),
            _ => error,
        })
    }

    /// Removes the tokens of an account that is gone. They no longer work anyway.
    pub(super) async fn forget_tokens(&self, account: &str) {
        let mut paging = Paging { limit: Some(100), cursor: None };
        for _ in 0..CLEANED_PAGES {
            let given = json!({"accountId": account});
            let page = records::page::<StoredToken>(self.db(), "tokensOfAccount", given, paging).await;
            let Ok(page) = page else { return log_leftovers(account) };
            for token in &page.items {
                if let Err(error) = self.remove_token(token).await
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

fn token(stored: StoredToken) -> Result<Token, Error> {
    Ok(Token {
        grants: grants::from_stored(&stored.grants)?,
        created: records::time(&stored.created_at)?,
        expires: records::second(stored.ttl)?,
        id: stored.token_id,
        account: stored.account_id,
        name: stored.name,
        last_used_on: stored.last_used_on,
    })
}

fn check_expiry(expires: Timestamp, now: Timestamp) -> Result<(), Error> {
    let ahead = expires.duration_since(now);
    let problem = if ahead < SignedDuration::from_secs(1) {
        message!(messages::NOT_AHEAD)
    } else if ahead > LONGEST {
        message!(messages::TOO_FAR_AHEAD)
    } else {
        return Ok(());
    };
    Err(records::wrong("expires", problem))
}

fn beyond_own() -> Error {
    Error::forbidden(AccessCode::BeyondOwnGrants, message!(messages::BEYOND_OWN_GRANTS))
}

fn not_found() -> Error {
    Error::not_found(AccessCode::TokenNotFound, message!(messages::TOKEN_NOT_FOUND))
}
