//! The claims of a token.

use std::fmt::Write as _;

use jiff::Timestamp;
use serde_json::{Map, Value as Json};

use super::super::grants;
use crate::identity::{Grants, Identity, Via};

/// The tolerated clock skew of the provider, in seconds.
const LEEWAY: f64 = 30.0;

/// The maximum length of a subject in OpenID Connect.
const MAX_BYTES: usize = 255;

/// Whether a token is valid now. A token without an expiry never is.
pub(super) fn is_time(claims: &Map<String, Json>, now: Timestamp) -> bool {
    let now = now.as_duration().as_secs_f64();
    let ends = claims.get("exp").and_then(Json::as_f64).is_some_and(|end| now < end + LEEWAY);
    let begun = match claims.get("nbf") {
        None => true,
        Some(begin) => begin.as_f64().is_some_and(|begin| begin <= now + LEEWAY),
    };
    ends && begun
}

/// The subject of the token and their grants.
pub(super) fn identity(claims: &Map<String, Json>, role_claim: &str) -> Option<Identity> {
    let text = |name: &str| claims.get(name).and_then(Json::as_str).filter(|text| !text.is_empty());
    let subject = text("sub").filter(|subject| subject.len() <= MAX_BYTES)?;
    let name = ["name", "preferred_username", "email"].into_iter().find_map(text).unwrap_or(subject);
    Some(Identity {
        id: id(subject),
        name: name.chars().take(80).collect(),
        grants: granted(claims, role_claim),
        zone: None,
        via: Via::Oidc,
    })
}

/// The subject in a form that is valid in a key and differs from every account id.
fn id(subject: &str) -> String {
    let mut id = "oidc:".to_owned();
    for character in subject.chars() {
        if character.is_control() || matches!(character, '#' | '%') {
            let mut bytes = [0; 4];
            for byte in character.encode_utf8(&mut bytes).bytes() {
                // Writing to a string cannot fail.
                let _ = write!(id, "%{byte:02X}");
            }
        } else {
            id.push(character);
        }
    }
    id
}

fn granted(claims: &Map<String, Json>, role_claim: &str) -> Grants {
    let mut grants = Grants::default();
    match claims.get(role_claim).or_else(|| inside(claims, role_claim)) {
        Some(Json::String(text)) => grants::add_claimed(&mut grants, text),
        Some(Json::Array(texts)) => {
            texts.iter().filter_map(Json::as_str).for_each(|text| grants::add_claimed(&mut grants, text));
        }
        _ => {}
    }
    grants
}

/// The claim at a path with dots.
fn inside<'c>(claims: &'c Map<String, Json>, path: &str) -> Option<&'c Json> {
    let (first, rest) = path.split_once('.')?;
    rest.split('.').try_fold(claims.get(first)?, |claim, name| claim.get(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::identity::Role;

    fn claims(json: Json) -> Map<String, Json> {
        json.as_object().unwrap().clone()
    }

    #[test]
    fn tokens_are_valid_between_their_times() {
        let at = |json: Json| is_time(&claims(json), Timestamp::from_second(1000).unwrap());
        assert!(at(json!({"exp": 1001})) && at(json!({"exp": 971})) && !at(json!({"exp": 970})));
        assert!(at(json!({"exp": 2000, "nbf": 1030})) && !at(json!({"exp": 2000, "nbf": 1031})));
        assert!(at(json!({"exp": 1000.5})));
        for wrong in
            [json!({}), json!({"exp": "2000"}), json!({"exp": null}), json!({"exp": 2000, "nbf": "0"})]
        {
            assert!(!at(wrong.clone()), "{wrong}");
        }
    }

    #[test]
    fn roles_are_found_where_providers_put_them() {
        let json = json!({
            "role": "editor",
            "https://example.com/roles": ["ledger:admin"],
            "realm_access": {"roles": ["offline_access", "viewer"]},
        });
        let of = |claim: &str| granted(&claims(json.clone()), claim);
        assert_eq!(of("role"), Grants::everywhere(Role::Editor));
        assert_eq!(of("https://example.com/roles").role_in("ledger"), Some(Role::Admin));
        assert_eq!(of("realm_access.roles"), Grants::everywhere(Role::Viewer));
        for none in ["groups", "realm_access", "role.x", ""] {
            assert_eq!(of(none), Grants::default(), "{none}");
        }
    }

    #[test]
    fn any_subject_is_valid_in_a_key() {
        assert_eq!(id("auth0|42"), "oidc:auth0|42");
        assert_eq!(id("a#b%c\nd"), "oidc:a%23b%25c%0Ad");
        assert!(identity(&claims(json!({"sub": "x".repeat(256)})), "role").is_none());
        assert!(identity(&claims(json!({"sub": ""})), "role").is_none());
        assert_eq!(identity(&claims(json!({"sub": "s"})), "role").unwrap().name, "s");
    }
}
