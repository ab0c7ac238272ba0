//! A leaked table and leaked logs contain no usable secret.

use std::collections::BTreeSet;

use hansang_access::{Credentials, NewToken, Secret};
use hansang_access::{Grants, Role};
use hansang_core::Value;
use jiff::SignedDuration;

use super::{PASSWORD, World, new_account, origin};
use hansang_testserver::On;

/// Every text in a value, whole and in the parts that keys are made of.
fn texts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::S(text) => {
            found.insert(text.to_string());
            found.extend(text.split(['#', '$']).map(str::to_owned));
        }
        Value::L(values) => values.iter().for_each(|value| texts(value, found)),
        Value::M(map) => map.iter().for_each(|(name, value)| {
            found.insert(name.to_string());
            texts(value, found);
        }),
        _ => {}
    }
}

#[tokio::test]
async fn stored_secrets_do_not_authenticate() {
    let world = World::new(On::Embedded).await;
    let link = world.access.set_up_link().await.unwrap().unwrap();
    let mut stored = world.stored().await;
    world.access.set_up(link.expose(), new_account("root", &[])).await.unwrap();
    let signed_in = world.sign_in("root").await;
    let identity = world.by_session(&signed_in.secret).await.unwrap();
    let expires = world.now() + SignedDuration::from_hours(1);
    let new = NewToken { name: "n".to_owned(), grants: Grants::everywhere(Role::Admin), expires };
    let token = world.access.create_token(&identity, new).await.unwrap();
    stored.extend(world.stored().await);

    let dump = format!("{stored:?}");
    for secret in [link.expose(), signed_in.secret.expose(), &token.secret.expose()[4..], PASSWORD] {
        assert!(!dump.contains(secret));
    }
    let mut found = BTreeSet::new();
    stored.iter().flat_map(|item| item.values()).for_each(|value| texts(value, &mut found));
    assert!(found.len() > 30, "{found:?}");
    for text in &found {
        for candidate in [text.clone(), format!("hst_{text}")] {
            assert!(world.access.identify(Credentials::Session(&candidate)).await.is_err(), "{candidate}");
            assert!(world.access.identify(Credentials::Bearer(&candidate)).await.is_err(), "{candidate}");
        }
    }
    // The stored hash of a link does not work as a link.
    let other = World::new(On::Embedded).await;
    other.access.set_up_link().await.unwrap().unwrap();
    for item in other.stored().await {
        let hash = item["secretHash"].as_str().unwrap();
        assert!(other.access.set_up(hash, new_account("root", &[])).await.is_err());
    }
}

#[tokio::test]
async fn secrets_are_not_shown() {
    let (world, _) = World::set_up(On::Embedded).await;
    let signed_in = world.sign_in("root").await;
    let secret = signed_in.secret.expose();
    let shown = format!(
        "{:?} {:#?} {:?} {:?} {:?} {:?} {:?}",
        signed_in,
        signed_in,
        Secret::new(PASSWORD),
        new_account("root", &[]),
        Credentials::Session(secret),
        Credentials::Bearer(secret),
        world.access,
    );
    for hidden in [secret, signed_in.csrf.expose(), PASSWORD, "argon2"] {
        assert!(!shown.contains(hidden), "{shown}");
    }
    // Errors contain no secret either.
    let wrong = "hunter2 is the password";
    let mut errors = vec![
        world.access.sign_in(wrong, wrong, &origin()).await.unwrap_err(),
        world.access.identify(Credentials::Session(wrong)).await.unwrap_err(),
        world.access.identify(Credentials::Bearer(wrong)).await.unwrap_err(),
        world.access.set_up(wrong, new_account("x", &[])).await.unwrap_err(),
    ];
    let mut weak = new_account("weak", &[]);
    weak.password = Secret::new("hunter2");
    errors.push(world.access.create_account(weak).await.unwrap_err());
    for error in errors {
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
}
