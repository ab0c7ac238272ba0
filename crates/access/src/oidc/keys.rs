//! The public keys of an identity provider, fetched on demand and rate-limited.

use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwapOption;
use hansang_core::error::Source;
use hansang_core::{Error, Message, message};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::jwk::{Jwk, JwkSet, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey};
use tokio::sync::Mutex;

use crate::identify::unauthenticated;
use crate::{AccessCode, messages};

/// The age at which cached keys are fetched again.
const FRESH: SignedDuration = SignedDuration::from_hours(1);
/// The minimum interval between two fetches, so that tokens with invented key names cause none.
const AFTER_SUCCESS: SignedDuration = SignedDuration::from_secs(60);
/// The pause after a failed fetch.
const AFTER_FAILURE: SignedDuration = SignedDuration::from_secs(5);
/// The timeout of a fetch.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The size limit of the response.
const MAX_BYTES: usize = 1024 * 1024;

pub(super) struct Keys {
    url: reqwest::Url,
    client: reqwest::Client,
    known: ArcSwapOption<Known>,
    /// The time from which they may be fetched again. The task that holds the lock fetches for all.
    gate: Mutex<Option<Timestamp>>,
}

struct Known {
    set: JwkSet,
    fetched: Timestamp,
}

impl Keys {
    pub(super) fn new(url: &str) -> Result<Self, Error> {
        let settings = |message: Message| Error::invalid(AccessCode::InvalidSettings, message);
        let url = reqwest::Url::parse(url).map_err(|_| settings(message!(messages::KEYS_ADDRESS)))?;
        // Redirects are not followed: a key from another host could sign any identity.
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|_| settings(message!(messages::NO_CLIENT)))?;
        Ok(Self { url, client, known: ArcSwapOption::empty(), gate: Mutex::new(None) })
    }

    /// Returns the key of this name, if it fits the algorithm.
    pub(super) async fn find(
        &self,
        kid: &str,
        algorithm: Algorithm,
        now: Timestamp,
    ) -> Result<DecodingKey, Error> {
        if let Some(known) = self.fresh(now)
            && let Some(key) = known.set.find(kid)
        {
            return usable(key, algorithm);
        }
        let mut gate = self.gate.lock().await;
        // Another task may have fetched them in the meantime.
        let known = self.fresh(now);
        if let Some(key) = known.as_ref().and_then(|known| known.set.find(kid)) {
            return usable(key, algorithm);
        }
        if gate.is_some_and(|next| now < next) {
            return Err(if known.is_some() { unauthenticated() } else { unreachable() });
        }
        match self.fetch().await {
            Ok(set) => {
                *gate = Some(now + AFTER_SUCCESS);
                let known = Arc::new(Known { set, fetched: now });
                self.known.store(Some(known.clone()));
                known.set.find(kid).ok_or_else(unauthenticated).and_then(|key| usable(key, algorithm))
            }
            Err(error) => {
                *gate = Some(now + AFTER_FAILURE);
                Err(error)
            }
        }
    }

    fn fresh(&self, now: Timestamp) -> Option<Arc<Known>> {
        self.known.load_full().filter(|known| now.duration_since(known.fetched) < FRESH)
    }

    async fn fetch(&self) -> Result<JwkSet, Error> {
        let failed = |error: reqwest::Error| {
            tracing::warn!(error = %error.without_url(), "the keys of the identity provider were not fetched");
            unreachable()
        };
        let response = self.client.get(self.url.clone()).send().await.map_err(failed)?;
        let mut response = response.error_for_status().map_err(failed)?;
        if !response.status().is_success() {
            return Err(unreachable());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(unreachable());
            }
            body.extend_from_slice(&chunk);
        }
        serde_json::from_slice(&body)
            .map_err(|error| Error { source: Some(Source(Arc::new(error))), ..unreachable() })
    }
}

/// Returns the key if it is for signatures and of the algorithm's type.
fn usable(key: &Jwk, algorithm: Algorithm) -> Result<DecodingKey, Error> {
    let common = &key.common;
    let signs = matches!(common.public_key_use, None | Some(PublicKeyUse::Signature));
    let fits = common.key_algorithm.is_none_or(|own| own == KeyAlgorithm::from(algorithm));
    let decoding = DecodingKey::from_jwk(key).map_err(|_| unauthenticated())?;
    let family = decoding.family();
    if signs && fits && family == algorithm.family() && family != AlgorithmFamily::Hmac {
        return Ok(decoding);
    }
    Err(unauthenticated())
}

fn unreachable() -> Error {
    Error::unavailable(AccessCode::IdentityProviderUnavailable, message!(messages::PROVIDER_UNAVAILABLE))
}
