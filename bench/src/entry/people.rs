//! Users with tokens of an identity provider, without accounts.
//!
//! RS256 with 2048 bits, because it is the cheapest to verify of the algorithms that the server accepts: the benchmark
//! measures entries, not cryptography. Signing is expensive, but happens before the measurement.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{KeyPair, KeySize};
use aws_lc_rs::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use serde_json::{Value as Json, json};

pub(crate) const ISSUER: &str = "https://id.example.com/";
pub(crate) const AUDIENCE: &str = "hansang";
/// The name of the provider's one key.
const KEY: &str = "bench";

/// The users who enter.
pub(crate) struct People {
    /// One token per user.
    pub(crate) tokens: Arc<[String]>,
    /// The provider's public keys.
    pub(crate) keys: Json,
}

impl People {
    pub(crate) fn new(users: usize) -> Result<Self, String> {
        let pair = KeyPair::generate(KeySize::Rsa2048).map_err(|error| error.to_string())?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let numbers: Vec<usize> = (0..users).collect();
        let (pair, ends) = (&pair, ends());
        let signed: Vec<Result<Vec<String>, String>> = std::thread::scope(|scope| {
            let parts = numbers.chunks(users.div_ceil(cores).max(1));
            let sign = |part: &[usize]| part.iter().map(|number| token(pair, *number, ends)).collect();
            let threads: Vec<_> = parts.map(|part| scope.spawn(move || sign(part))).collect();
            let failed = |_| Err("a thread that signs tokens broke down".to_owned());
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
        });
        let tokens = signed.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        Ok(Self { tokens: tokens.into(), keys: published(pair) })
    }

    /// Writes the provider's keys to a file, for servers that read them there.
    pub(crate) fn save(&self, directory: &Path) -> Result<PathBuf, String> {
        let file = directory.join("keys.json");
        std::fs::write(&file, self.keys.to_string()).map_err(|error| error.to_string())?;
        Ok(file)
    }

    /// Serves the provider's keys until the runtime ends, and returns their URL.
    pub(crate) async fn publish(&self) -> Result<String, String> {
        let listener =
            tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let keys = self.keys.clone();
        let answer = move || async move { axum::Json(keys) };
        let router = axum::Router::new().route("/keys", axum::routing::get(answer));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(format!("http://{address}/keys"))
    }
}

/// The expiry of tokens: long after the benchmark.
#[allow(clippy::disallowed_methods, reason = "servers use the real time")]
fn ends() -> i64 {
    jiff::Timestamp::now().as_second() + 6 * 3600
}

/// Signs a token. Built by hand, because the library would parse the private key for each token.
fn token(pair: &KeyPair, number: usize, ends: i64) -> Result<String, String> {
    let header = json!({ "alg": "RS256", "typ": "JWT", "kid": KEY });
    let claims = json!({ "iss": ISSUER, "aud": AUDIENCE, "sub": format!("person-{number:06}"), "exp": ends });
    let [header, claims] = [header, claims].map(|part| BASE64.encode(part.to_string()));
    let text = format!("{header}.{claims}");
    let mut signature = vec![0; pair.public_modulus_len()];
    let signed = pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text.as_bytes(), &mut signature);
    signed.map_err(|error| format!("a token cannot be signed: {error}"))?;
    Ok(format!("{text}.{}", BASE64.encode(signature)))
}

fn published(pair: &KeyPair) -> Json {
    let public = pair.public_key();
    let text = |bytes: &[u8]| BASE64.encode(bytes);
    let modulus = text(public.modulus().big_endian_without_leading_zero());
    let exponent = text(public.exponent().big_endian_without_leading_zero());
    json!({ "keys": [{
        "kty": "RSA", "use": "sig", "alg": "RS256", "kid": KEY, "n": modulus, "e": exponent,
    }] })
}
