//! Tokens of an identity provider: JSON Web Tokens, checked with its public keys.

use hansang_core::Error;
use jiff::Timestamp;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde_json::{Map, Value as Json};

use crate::identify::unauthenticated;
use crate::identity::Identity;
use crate::settings::OidcSettings;

mod claims;
mod keys;

use keys::Keys;

/// The accepted signature algorithms, all asymmetric: with a shared secret, or a public key mistaken for one, every
/// verifier could also sign.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::EdDSA,
];

/// The maximum length of a token.
const MAX_BYTES: usize = 16 * 1024;

pub(super) struct Oidc {
    settings: OidcSettings,
    keys: Keys,
}

impl Oidc {
    pub(super) fn new(settings: OidcSettings) -> Result<Self, Error> {
        let keys = Keys::new(&settings.jwks_url)?;
        Ok(Self { settings, keys })
    }

    /// Returns the identity in a token that the provider signed for this server and that is valid now.
    pub(super) async fn identify(&self, jwt: &str, now: Timestamp) -> Result<Identity, Error> {
        if jwt.len() > MAX_BYTES {
            return Err(unauthenticated());
        }
        let header = decode_header(jwt).map_err(|_| unauthenticated())?;
        let kid = header.kid.filter(|_| ALGORITHMS.contains(&header.alg) && header.crit.is_none());
        let key = self.keys.find(&kid.ok_or_else(unauthenticated)?, header.alg, now).await?;
        let validation = self.validation(header.alg);
        let token = decode::<Map<String, Json>>(jwt, &key, &validation).map_err(|_| unauthenticated())?;
        if !claims::is_time(&token.claims, now) {
            return Err(unauthenticated());
        }
        claims::identity(&token.claims, &self.settings.role_claim).ok_or_else(unauthenticated)
    }

    /// The library checks signature, issuer and audience. It does not check times, because it would use the system
    /// clock and not that of this server.
    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.set_issuer(&[&self.settings.issuer]);
        validation.set_audience(&[&self.settings.audience]);
        validation.set_required_spec_claims(&["iss", "aud", "sub"]);
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation
    }
}
