//! Users with tokens of an identity provider, without accounts.

use std::net::TcpListener;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use rcgen::{KeyPair, PKCS_ED25519};
use reqwest::blocking::Client;
use serde_json::{Value as Json, json};

use super::processes::call;

pub(super) const ISSUER: &str = "https://id.example.com/";
pub(super) const AUDIENCE: &str = "hansang";

pub(super) struct People {
    tokens: Vec<String>,
    /// The address of the provider's keys.
    pub(super) keys: String,
}

impl People {
    pub(super) fn new(number: usize) -> Self {
        let pair = KeyPair::generate_for(&PKCS_ED25519).unwrap();
        let private = EncodingKey::from_ed_der(&pair.serialize_der());
        let x = BASE64.encode(pair.public_key_raw());
        let keys = json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "kid": "k", "x": x }] });
        let header = Header { kid: Some("k".to_owned()), ..Header::new(Algorithm::EdDSA) };
        let token = |person: usize| {
            let claims = json!({
                "iss": ISSUER, "aud": AUDIENCE, "sub": format!("person-{person}"), "exp": 4_000_000_000_u64,
            });
            jsonwebtoken::encode(&header, &claims, &private).unwrap()
        };
        Self { tokens: (0..number).map(token).collect(), keys: serve(keys) }
    }

    /// An open event with this number of seats.
    #[allow(clippy::disallowed_methods, reason = "the server uses the real time")]
    pub(super) fn event(&self, id: &str, seats: u64) -> Json {
        let hours = |number: i64| jiff::Timestamp::now() + jiff::SignedDuration::from_hours(number);
        let time = |at: jiff::Timestamp| format!("{at:.3}");
        json!({
            "eventId": id, "title": "A rush", "eventType": "FIRST_COME", "capacityTotal": seats,
            "opensAt": time(hours(-1)), "closesAt": time(hours(1)), "settleSeconds": 1,
        })
    }

    /// Enters, and retries until there is a response.
    pub(super) fn enter(&self, address: &str, person: usize, event: &str) -> String {
        let client = Client::builder().timeout(Duration::from_secs(10)).build().unwrap();
        let path = format!("/api/entry/events/{event}/entries");
        for _ in 0..100_000 {
            let answer = call(&client, address, &self.tokens[person], "POST", &path, None);
            match answer {
                Some((202, body)) => return body["requestId"].as_str().unwrap().to_owned(),
                Some((429 | 502 | 503 | 504, _)) | None => std::thread::yield_now(),
                Some((status, body)) => panic!("{status}: {body}"),
            }
        }
        panic!("nobody answers");
    }
}

/// Serves the keys until the process ends.
fn serve(keys: Json) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}/keys", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            let router = axum::Router::new()
                .route("/keys", axum::routing::get(move || async move { axum::Json(keys.clone()) }));
            axum::serve(listener, router).await.unwrap();
        });
    });
    url
}
