//! Tokens: secrets for programs, with at most the permissions of their owner.

use hansang_core::db::TypedListing;
use hansang_core::{Error, ErrorKind, message};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use crate::identify::unauthenticated;
use crate::identity::{Grants, Identity, Via};
use crate::own_password::session_needed;
use crate::records::{self, StoredToken};
use crate::secret::Secret;
use crate::sessions::{CLEANED_PAGES, log_leftovers};
use crate::{Access, AccessCode, Paging, grants, messages, must_administer};

/// The prefix of every token, which tells it from tokens of identity providers and lets scanners find leaked ones.
pub(super) const PREFIX: &str = "hst_";

/// The maximum lifetime of a token.
const LONGEST: SignedDuration = SignedDuration::from_hours(366 * 24);

/// A token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The id.
    pub id: String,
    /// The account of its owner.
    pub account: String,
    /// The name that its owner gave it.
    pub name: String,
    /// The maximum permissions, further limited by those of its owner.
    pub grants: Grants,
    /// The time of creation.
    pub created: Timestamp,
    /// The time of expiry.
    pub expires: Timestamp,
    /// The day of its last use, as `2027-01-15`.
    pub last_used_on: Option<String>,
}

/// A new token.
#[derive(Clone, Debug)]
pub struct NewToken {
    /// The name.
    pub name: String,
    /// The maximum permissions.
    pub grants: Grants,
    /// The time of expiry, at most 366 days ahead.
    pub expires: Timestamp,
}

/// A token that was just created.
#[derive(Clone, Debug)]
pub struct CreatedToken {
    /// The secret, which is not stored and cannot be shown again.
    pub secret: Secret,
    /// The token.
    pub token: Token,
}

impl Access {
    /// Creates a token for a caller with a session. A token cannot create tokens, because a stolen one could renew
    /// itself for ever.
    ///
    /// # Errors
    /// Fails for every field that breaks a rule, for grants that the owner does not have, or without a session.
    pub async fn create_token(&self, identity: &Identity, new: NewToken) -> Result<CreatedToken, Error> {
        let Via::Session { .. } = identity.via else { return Err(session_needed()) };
        grants::check(&new.grants)?;
        check_expiry(new.expires, self.now())?;
        let own = |(system, role): (&String, _)| identity.grants.role_in(system) >= Some(role);
        if !new.grants.0.iter().map(|(system, role)| (system, *role)).all(own) {
            return Err(beyond_own());
        }
        let owner = self.stored_account(&identity.id).await?.ok_or_else(unauthenticated)?;
        let secret = Secret::random(PREFIX)?;
        let fields = json!({
            "secretHash": secret.digest(),
            "accountId": identity.id,
            "generation": owner.token_generation,
            "name": new.name,
            "grants": grants::to_json(&new.grants),
            "ttl": new.expires.as_second(),
        });
        let stored = self.db().create("Token", records::item(&fields)?).await?.typed()?;
        Ok(CreatedToken { secret, token: token(stored)? })
    }

    /// Lists the caller's own tokens, newest first.
    ///
    /// # Errors
    /// Fails for a cursor of another list, a page that is too large, or a caller who may not manage tokens.
    pub async fn own_tokens(
        &self,
        identity: &Identity,
        paging: Paging,
    ) -> Result<TypedListing<Token>, Error> {
        may_manage(identity)?;
        let given = json!({"accountId": identity.id});
        Ok(records::map_page(records::page(self.db(), "tokensOfAccount", given, paging).await?, token))
    }

    /// Reads one of the caller's own tokens.
    ///
    /// # Errors
    /// Fails if the caller may not manage tokens, or has no such token, even if another account has.
    pub async fn own_token(&self, identity: &Identity, id: &str) -> Result<Token, Error> {
        may_manage(identity)?;
        token(self.own_stored_token(identity, id).await?)
    }

    /// Revokes one of the caller's own tokens.
    ///
    /// # Errors
    /// Fails if the caller may not manage tokens, or has no such token, even if another account has.
    pub async fn revoke_own_token(&self, identity: &Identity, id: &str) -> Result<(), Error> {
        may_manage(identity)?;
        self.remove_token(&self.own_stored_token(identity, id).await?).await
    }

    /// Revokes a token of any account, for administrators.
    ///
    /// # Errors
    /// Fails if the token does not exist.
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
        let _clear = self.0.known.clear_after();
        self.db().delete("Token", key, None).await.map_err(|error| match error.kind {
            ErrorKind::NotFound => not_found(),
            _ => error,
        })
    }

    /// Removes the tokens of an account that is deleted or has a new password. They are invalid already.
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

/// Tokens are managed with a session, or with a token of an administrator of every system.
fn may_manage(identity: &Identity) -> Result<(), Error> {
    match &identity.via {
        Via::Session { .. } => Ok(()),
        Via::Token { .. } if must_administer(identity).is_ok() => Ok(()),
        Via::Token { .. } | Via::Oidc => Err(session_needed()),
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
