//! Tokens of an identity provider.

use axum::http::StatusCode;
use hansang_access::Access;
use hansang_access::{Identity, Role, Via};
use hansang_core::ErrorKind;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value as Json, json};

use super::provider::{AUDIENCE, ISSUER, Provider, Signer, trusting, unsigned};
use super::{BEGIN, HOUR, MINUTE, World, code, grants, settings};
use hansang_testserver::On;

/// Valid claims, with some of them changed; those set to null are removed.
fn claims(changes: Json) -> Json {
    let mut claims = json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "auth0|kim", "name": "Kim Minji",
        "exp": BEGIN + HOUR, "roles": ["ledger:editor", "viewer", "offline_access"],
    });
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            claims.as_object_mut().unwrap().remove(name);
        } else {
            claims[name] = value.clone();
        }
    }
    claims
}

async fn world() -> (World, Provider, Signer) {
    let signer = Signer::new("k1", Algorithm::ES256);
    let provider = Provider::start(&[signer.jwk()]).await;
    (World::with(On::Embedded, provider.settings()).await, provider, signer)
}

#[tokio::test]
async fn a_token_of_the_provider_identifies_its_subject() {
    let (world, provider, signer) = world().await;
    let identity = world.by_bearer(&signer.sign(&claims(json!({})))).await.unwrap();
    let expected = Identity {
        id: "oidc:auth0|kim".to_owned(),
        name: "Kim Minji".to_owned(),
        grants: grants(&[("*", Role::Viewer), ("ledger", Role::Editor)]),
        zone: None,
        via: Via::Oidc,
    };
    assert_eq!(identity, expected);
    for changes in [json!({"roles": "admin"}), json!({"aud": ["other", AUDIENCE]}), json!({"nbf": BEGIN})] {
        world.by_bearer(&signer.sign(&claims(changes))).await.unwrap();
    }
    let none = world.by_bearer(&signer.sign(&claims(json!({"roles": null})))).await.unwrap();
    assert_eq!(none.grants, grants(&[]));
    // The keys were fetched once.
    assert_eq!(provider.asked(), 1);
}

#[tokio::test]
async fn every_algorithm_has_its_key() {
    let (ec, ed) = (Signer::new("ec", Algorithm::ES256), Signer::new("ed", Algorithm::EdDSA));
    let provider = Provider::start(&[ec.jwk(), ed.jwk()]).await;
    let world = World::with(On::Embedded, provider.settings()).await;
    world.by_bearer(&ec.sign(&claims(json!({})))).await.unwrap();
    world.by_bearer(&ed.sign(&claims(json!({})))).await.unwrap();
    // The key of one algorithm is rejected for the other.
    assert_eq!(code(world.by_bearer(&ec.sign_as("ed", &claims(json!({})))).await), "unauthenticated");
    assert_eq!(code(world.by_bearer(&ed.sign_as("ec", &claims(json!({})))).await), "unauthenticated");
}

#[tokio::test]
async fn claims_for_others_are_rejected() {
    let (world, _, signer) = world().await;
    for wrong in [
        json!({"iss": "https://evil.example.com/"}),
        json!({"iss": null}),
        json!({"iss": 7}),
        json!({"aud": "other"}),
        json!({"aud": ["other"]}),
        json!({"aud": []}),
        json!({"aud": null}),
        json!({"exp": BEGIN - HOUR}),
        json!({"exp": null}),
        json!({"exp": "never"}),
        json!({"nbf": BEGIN + HOUR}),
        json!({"nbf": "later"}),
        json!({"sub": null}),
        json!({"sub": ""}),
        json!({"sub": "x".repeat(300)}),
    ] {
        let refused = world.by_bearer(&signer.sign(&claims(wrong.clone()))).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.code.as_str()),
            (ErrorKind::Unauthenticated, "unauthenticated"),
            "{wrong}"
        );
    }
    world.by_bearer(&signer.sign(&claims(json!({})))).await.unwrap();
}

/// The server's clock decides, not that of the system.
#[tokio::test]
async fn an_expired_token_is_rejected() {
    let (world, _, signer) = world().await;
    let token = signer.sign(&claims(json!({"exp": BEGIN + 10 * MINUTE})));
    world.by_bearer(&token).await.unwrap();
    world.pass(10 * MINUTE + 29);
    world.by_bearer(&token).await.unwrap();
    world.pass(1);
    assert_eq!(code(world.by_bearer(&token).await), "unauthenticated");
}

#[tokio::test]
async fn wrong_signatures_are_rejected() {
    let (world, _, signer) = world().await;
    let good = signer.sign(&claims(json!({})));
    world.by_bearer(&good).await.unwrap();
    let stranger = Signer::new("k1", Algorithm::ES256);
    let header = |alg: &str| json!({"alg": alg, "typ": "JWT", "kid": "k1"});
    let body = claims(json!({"roles": "admin"}));
    // The public key, used as a shared secret.
    let secret = EncodingKey::from_secret(&signer.public);
    let shared = Header { kid: Some("k1".to_owned()), ..Header::new(Algorithm::HS256) };
    let critical = Header {
        kid: Some("k1".to_owned()),
        crit: Some(vec!["b64".to_owned()]),
        ..Header::new(Algorithm::ES256)
    };
    let parts: Vec<&str> = good.split('.').collect();
    let swapped = unsigned(&header("ES256"), &body, &[]);
    let swapped: Vec<&str> = swapped.split('.').collect();
    let wrong = [
        stranger.sign(&body),
        unsigned(&header("none"), &body, &[]),
        unsigned(&header("None"), &body, b"x"),
        unsigned(&header("ES256"), &body, &[]),
        unsigned(&header("ES256"), &body, &[0; 64]),
        jsonwebtoken::encode(&shared, &body, &secret).unwrap(),
        signer.sign_with(&Header::new(Algorithm::ES256), &body),
        signer.sign_with(&critical, &body),
        format!("{}.{}.{}", parts[0], swapped[1], parts[2]),
        format!("{}.{}", parts[0], parts[1]),
        format!("{good}.{good}"),
        format!("{good}{}", "x".repeat(20_000)),
    ];
    for (number, token) in wrong.iter().enumerate() {
        assert_eq!(code(world.by_bearer(token).await), "unauthenticated", "{number}");
    }
    world.by_bearer(&good).await.unwrap();
}

/// Keys that are not for signatures, or are symmetric, are ignored even if the provider publishes them.
#[tokio::test]
async fn only_public_keys_for_signatures_count() {
    let signer = Signer::new("enc", Algorithm::ES256);
    let mut for_encryption = signer.jwk();
    for_encryption["use"] = json!("enc");
    let shared = json!({"kty": "oct", "kid": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"});
    let strange = json!({"kty": "strange", "kid": "strange"});
    let provider = Provider::start(&[for_encryption, shared, strange]).await;
    let world = World::with(On::Embedded, provider.settings()).await;
    assert_eq!(code(world.by_bearer(&signer.sign(&claims(json!({})))).await), "unauthenticated");
    let secret = EncodingKey::from_secret(b"secret-secret-secret-secret-secret");
    let header = Header { kid: Some("oct".to_owned()), ..Header::new(Algorithm::HS256) };
    let token = jsonwebtoken::encode(&header, &claims(json!({})), &secret).unwrap();
    assert_eq!(code(world.by_bearer(&token).await), "unauthenticated");
    assert_eq!(
        code(world.by_bearer(&signer.sign_as("strange", &claims(json!({})))).await),
        "unauthenticated"
    );
}

#[tokio::test]
async fn new_keys_are_fetched_at_a_limited_rate() {
    let (world, provider, old) = world().await;
    world.by_bearer(&old.sign(&claims(json!({})))).await.unwrap();
    let new = Signer::new("k2", Algorithm::ES256);
    let token = new.sign(&claims(json!({})));
    for _ in 0..5 {
        assert_eq!(code(world.by_bearer(&token).await), "unauthenticated");
    }
    assert_eq!(provider.asked(), 1);
    provider.publish(&[new.jwk()]);
    world.pass(MINUTE);
    world.by_bearer(&token).await.unwrap();
    assert_eq!(provider.asked(), 2);
    // A key that is no longer published is no longer accepted.
    assert_eq!(code(world.by_bearer(&old.sign(&claims(json!({})))).await), "unauthenticated");
}

#[tokio::test]
async fn a_withdrawn_key_is_rejected_within_an_hour() {
    let (world, provider, signer) = world().await;
    let token = signer.sign(&claims(json!({"exp": BEGIN + 10 * HOUR})));
    world.by_bearer(&token).await.unwrap();
    provider.publish(&[]);
    world.pass(HOUR - 1);
    world.by_bearer(&token).await.unwrap();
    world.pass(1);
    assert_eq!(code(world.by_bearer(&token).await), "unauthenticated");
}

#[tokio::test]
async fn a_failing_provider_authenticates_no_token() {
    let (world, provider, signer) = world().await;
    let token = signer.sign(&claims(json!({"exp": BEGIN + 10 * HOUR})));
    for (status, body) in [
        (StatusCode::INTERNAL_SERVER_ERROR, "{\"keys\":[]}"),
        (StatusCode::OK, "not json"),
        (StatusCode::OK, "{}"),
        (StatusCode::FOUND, ""),
    ] {
        provider.answer(status, body);
        let asked = provider.asked();
        for _ in 0..3 {
            let failed = world.by_bearer(&token).await.unwrap_err();
            let expected = (ErrorKind::Unavailable, "identity_provider_unavailable");
            assert_eq!((failed.kind, failed.code.as_str()), expected, "{status}");
        }
        // The provider is asked again after a pause.
        assert_eq!(provider.asked(), asked + 1);
        world.pass(5);
    }
    provider.answer(StatusCode::OK, &"x".repeat(2 * 1024 * 1024));
    assert_eq!(code(world.by_bearer(&token).await), "identity_provider_unavailable");
    world.pass(5);
    provider.publish(&[signer.jwk()]);
    world.by_bearer(&token).await.unwrap();
    // Keys past their maximum age are not used without a new fetch.
    provider.answer(StatusCode::SERVICE_UNAVAILABLE, "");
    world.pass(HOUR);
    assert_eq!(code(world.by_bearer(&token).await), "identity_provider_unavailable");
}

#[tokio::test]
async fn an_unreachable_provider_authenticates_no_token() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let world = World::with(On::Embedded, trusting(format!("http://{address}/keys"))).await;
    let token = Signer::new("k1", Algorithm::ES256).sign(&claims(json!({})));
    assert_eq!(code(world.by_bearer(&token).await), "identity_provider_unavailable");
    // Text that is not a token causes no fetch.
    assert_eq!(code(world.by_bearer("nonsense").await), "unauthenticated");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_requests_fetch_the_keys_once() {
    let (world, provider, signer) = world().await;
    let token = signer.sign(&claims(json!({})));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..32 {
        let (access, token) = (world.access.clone(), token.clone());
        tasks.spawn(async move { access.identify(hansang_access::Credentials::Bearer(&token)).await });
    }
    tasks.join_all().await.into_iter().for_each(|result| drop(result.unwrap()));
    assert_eq!(provider.asked(), 1);
}

#[tokio::test]
async fn without_a_provider_its_tokens_are_rejected() {
    let world = World::new(On::Embedded).await;
    let token = Signer::new("k1", Algorithm::ES256).sign(&claims(json!({})));
    assert_eq!(code(world.by_bearer(&token).await), "unauthenticated");
    let wrong = Access::new(world.db.clone(), trusting("not an address".to_owned()));
    assert_eq!(code(wrong), "invalid_settings");
    assert!(settings().oidc.is_none());
}

/// A token of this server is never sent to the provider's check.
#[tokio::test]
async fn our_tokens_are_recognised_by_their_prefix() {
    let (world, provider, _) = world().await;
    assert_eq!(code(world.by_bearer("hst_a.b.c").await), "unauthenticated");
    assert_eq!(provider.asked(), 0);
}
