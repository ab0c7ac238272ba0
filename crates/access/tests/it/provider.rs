//! A local identity provider: keys over real HTTP, and tokens of every kind.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hansang_access::{AccessSettings, OidcSettings};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519};
use serde_json::{Value as Json, json};

use super::settings;

pub(crate) const ISSUER: &str = "https://id.example.com/";
pub(crate) const AUDIENCE: &str = "hansang";

/// A key that signs tokens.
pub(crate) struct Signer {
    pub(crate) kid: String,
    algorithm: Algorithm,
    private: EncodingKey,
    pub(crate) public: Vec<u8>,
}

impl Signer {
    pub(crate) fn new(kid: &str, algorithm: Algorithm) -> Self {
        let pair = match algorithm {
            Algorithm::ES256 => KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).unwrap(),
            _ => KeyPair::generate_for(&PKCS_ED25519).unwrap(),
        };
        let der = pair.serialize_der();
        let private = match algorithm {
            Algorithm::ES256 => EncodingKey::from_ec_der(&der),
            _ => EncodingKey::from_ed_der(&der),
        };
        Self { kid: kid.to_owned(), algorithm, private, public: pair.public_key_raw().to_vec() }
    }

    /// The public half as a provider publishes it.
    pub(crate) fn jwk(&self) -> Json {
        let text = |bytes: &[u8]| BASE64.encode(bytes);
        match self.algorithm {
            Algorithm::ES256 => json!({
                "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid,
                "x": text(&self.public[1..33]), "y": text(&self.public[33..]),
            }),
            _ => json!({"kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": text(&self.public)}),
        }
    }

    pub(crate) fn sign(&self, claims: &Json) -> String {
        self.sign_as(&self.kid, claims)
    }

    pub(crate) fn sign_as(&self, kid: &str, claims: &Json) -> String {
        let header = Header { kid: Some(kid.to_owned()), ..Header::new(self.algorithm) };
        self.sign_with(&header, claims)
    }

    pub(crate) fn sign_with(&self, header: &Header, claims: &Json) -> String {
        jsonwebtoken::encode(header, claims, &self.private).unwrap()
    }
}

/// A server with the keys. Its response can be changed, and its requests are counted.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) address: SocketAddr,
    answer: Arc<Mutex<(StatusCode, String)>>,
    asked: Arc<AtomicUsize>,
}

impl Provider {
    pub(crate) async fn start(keys: &[Json]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self {
            address: listener.local_addr().unwrap(),
            answer: Arc::new(Mutex::new((StatusCode::OK, String::new()))),
            asked: Arc::default(),
        };
        provider.publish(keys);
        let (answer, asked) = (provider.answer.clone(), provider.asked.clone());
        let keys = move || {
            asked.fetch_add(1, Ordering::SeqCst);
            let (status, body) = answer.lock().unwrap().clone();
            async move { (status, [("location", "/elsewhere")], body) }
        };
        let router = axum::Router::new().route("/keys", axum::routing::get(keys));
        tokio::spawn(async move { axum::serve(listener, router).await });
        provider
    }

    pub(crate) fn publish(&self, keys: &[Json]) {
        self.answer(StatusCode::OK, &json!({"keys": keys}).to_string());
    }

    pub(crate) fn answer(&self, status: StatusCode, body: &str) {
        *self.answer.lock().unwrap() = (status, body.to_owned());
    }

    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    pub(crate) fn settings(&self) -> AccessSettings {
        trusting(format!("http://{}/keys", self.address))
    }
}

pub(crate) fn trusting(jwks_url: String) -> AccessSettings {
    let oidc = OidcSettings {
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
        jwks_url,
        role_claim: "roles".to_owned(),
    };
    AccessSettings { oidc: Some(oidc), ..settings() }
}

/// The text of a token without a valid signature.
pub(crate) fn unsigned(header: &Json, claims: &Json, signature: &[u8]) -> String {
    let [header, claims] = [header, claims].map(|part| BASE64.encode(part.to_string()));
    format!("{header}.{claims}.{}", BASE64.encode(signature))
}
