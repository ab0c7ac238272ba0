//! Tokens of programs.

use hansang_access::{Access, AccountChange, CreatedToken, NewToken, Paging, Secret};
use hansang_access::{Grants, Identity, Role, Via};
use hansang_core::ErrorKind;
use jiff::{SignedDuration, Timestamp};

use super::{DAY, PASSWORD, World, code, grants, new_account, origin, settings};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    a_token_has_its_grants_of_its_owner,
    a_token_is_limited_by_its_owner,
    only_a_session_makes_tokens,
    a_token_expires,
    every_invalid_token_has_the_same_error,
    a_token_ends_with_its_account,
    callers_list_and_revoke_their_own_tokens,
    the_day_of_the_last_use_is_kept,
    a_revocation_elsewhere_takes_effect_within_seconds,
    a_password_reset_ends_tokens,
    ones_own_new_password_keeps_tokens,
    a_token_manages_no_tokens,
}

fn new_token(name: &str, grants: Grants, expires: Timestamp) -> NewToken {
    NewToken { name: name.to_owned(), grants, expires }
}

async fn token(world: &World, owner: &Identity, pairs: &[(&str, Role)]) -> CreatedToken {
    let expires = world.now() + SignedDuration::from_hours(48);
    world.access.create_token(owner, new_token("script", grants(pairs), expires)).await.unwrap()
}

async fn a_token_has_its_grants_of_its_owner(on: On) {
    let (world, root) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let made = token(&world, &owner, &[("ledger", Role::Editor)]).await;
    let secret = made.secret.expose();
    assert!(secret.starts_with("hst_") && secret.len() == 47, "{}", secret.len());
    let identity = world.by_bearer(secret).await.unwrap();
    assert_eq!((&identity.id, &identity.name), (&root.id, &root.name));
    let scope = grants(&[("ledger", Role::Editor)]);
    assert_eq!(identity.via, Via::Token { id: made.token.id.clone(), scope });
    assert!(identity.reaches("ledger") && !identity.reaches("entry"));
    assert_eq!(identity.grants, grants(&[("ledger", Role::Editor)]));
    assert_eq!(identity.grants.role_in("content"), None);
    assert_eq!((&made.token.account, &*made.token.name), (&root.id, "script"));
    assert_eq!(made.token.created, world.now());
}

async fn a_token_is_limited_by_its_owner(on: On) {
    let (world, _) = World::set_up(on).await;
    let kim = world.account("kim", &[("*", Role::Viewer), ("ledger", Role::Editor)]).await;
    let owner = world.identity("kim").await;
    let expires = world.now() + SignedDuration::from_hours(1);
    for beyond in [
        grants(&[("*", Role::Editor)]),
        grants(&[("ledger", Role::Admin)]),
        grants(&[("content", Role::Editor)]),
        grants(&[("ledger", Role::Viewer), ("content", Role::Admin)]),
    ] {
        let refused = world.access.create_token(&owner, new_token("x", beyond, expires)).await.unwrap_err();
        assert_eq!((refused.kind, refused.code.as_str()), (ErrorKind::Forbidden, "beyond_own_grants"));
    }
    let made = token(&world, &owner, &[("*", Role::Viewer), ("ledger", Role::Editor)]).await;
    let role =
        async |system: &str| world.by_bearer(made.secret.expose()).await.unwrap().grants.role_in(system);
    assert_eq!((role("ledger").await, role("content").await), (Some(Role::Editor), Some(Role::Viewer)));
    // A demotion of its owner limits the token, and a promotion does not extend it.
    let change = |pairs: &[(&str, Role)]| AccountChange { grants: Some(grants(pairs)), ..Default::default() };
    world.access.change_account(&kim.id, change(&[("ledger", Role::Viewer)])).await.unwrap();
    assert_eq!((role("ledger").await, role("content").await), (Some(Role::Viewer), None));
    world.access.change_account(&kim.id, change(&[])).await.unwrap();
    assert_eq!((role("ledger").await, role("*").await), (None, None));
    world.access.change_account(&kim.id, change(&[("*", Role::Admin)])).await.unwrap();
    assert_eq!((role("ledger").await, role("content").await), (Some(Role::Editor), Some(Role::Viewer)));
}

/// A stolen token could renew itself.
async fn only_a_session_makes_tokens(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let made = token(&world, &owner, &[("*", Role::Admin)]).await;
    let by_token = world.by_bearer(made.secret.expose()).await.unwrap();
    let by_oidc = Identity { id: "oidc:x".to_owned(), via: Via::Oidc, ..owner };
    let expires = world.now() + SignedDuration::from_hours(1);
    for other in [by_token, by_oidc.clone()] {
        let new = new_token("x", Grants::default(), expires);
        assert_eq!(code(world.access.create_token(&other, new).await), "session_needed");
    }
    assert_eq!(code(world.access.own_tokens(&by_oidc, Paging::default()).await), "session_needed");
    assert_eq!(code(world.access.revoke_own_token(&by_oidc, &made.token.id).await), "session_needed");
}

async fn a_token_expires(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let after = |hours: i64| world.now() + SignedDuration::from_hours(hours);
    for expires in [after(-1), after(0), after(366 * 24 + 1)] {
        let refused = world.access.create_token(&owner, new_token("x", Grants::default(), expires)).await;
        let refused = refused.unwrap_err();
        assert_eq!((refused.code.as_str(), &*refused.violations[0].attribute), ("invalid_fields", "expires"));
    }
    let new = new_token("", Grants::default(), after(1));
    assert_eq!(code(world.access.create_token(&owner, new).await), "invalid_fields");
    let new = new_token("x", grants(&[("A B", Role::Viewer)]), after(1));
    assert_eq!(code(world.access.create_token(&owner, new).await), "invalid_fields");
    let new = new_token("x", Grants::default(), after(366 * 24));
    let made = world.access.create_token(&owner, new).await.unwrap();
    assert_eq!(made.token.expires, after(366 * 24));
    world.pass(366 * DAY - 1);
    world.by_bearer(made.secret.expose()).await.unwrap();
    world.pass(1);
    assert_eq!(code(world.by_bearer(made.secret.expose()).await), "unauthenticated");
}

async fn every_invalid_token_has_the_same_error(on: On) {
    let (world, _) = World::set_up(on).await;
    let kim = world.account("kim", &[("*", Role::Viewer)]).await;
    let owner = world.identity("kim").await;
    let [revoked, expired, disabled] = [(); 3].map(|()| token(&world, &owner, &[("*", Role::Viewer)]));
    let (revoked, expired, disabled) = (revoked.await, expired.await, disabled.await);
    let mut answers = Vec::new();
    world.access.revoke_own_token(&owner, &revoked.token.id).await.unwrap();
    answers.push(world.by_bearer(revoked.secret.expose()).await.unwrap_err());
    let shut = |disabled| AccountChange { disabled: Some(disabled), ..Default::default() };
    world.access.change_account(&kim.id, shut(true)).await.unwrap();
    answers.push(world.by_bearer(disabled.secret.expose()).await.unwrap_err());
    world.access.change_account(&kim.id, shut(false)).await.unwrap();
    world.by_bearer(disabled.secret.expose()).await.unwrap();
    world.pass(2 * DAY);
    answers.push(world.by_bearer(expired.secret.expose()).await.unwrap_err());
    let long = format!("hst_{}", "x".repeat(100_000));
    for unknown in ["hst_", "hst_x", &long, "HST_x", "Bearer x", "a.b.c", ""] {
        answers.push(world.by_bearer(unknown).await.unwrap_err());
    }
    assert_eq!((answers[0].kind, answers[0].code.as_str()), (ErrorKind::Unauthenticated, "unauthenticated"));
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

async fn a_token_ends_with_its_account(on: On) {
    let (world, _) = World::set_up(on).await;
    let kim = world.account("kim", &[("*", Role::Viewer)]).await;
    let made = token(&world, &world.identity("kim").await, &[("*", Role::Viewer)]).await;
    world.access.delete_account(&kim.id, None).await.unwrap();
    assert_eq!(code(world.by_bearer(made.secret.expose()).await), "unauthenticated");
    let left = world
        .stored()
        .await
        .into_iter()
        .filter(|item| item.get("accountId").and_then(|id| id.as_str()) == Some(&kim.id));
    assert_eq!(left.count(), 0);
}

async fn callers_list_and_revoke_their_own_tokens(on: On) {
    let (world, _) = World::set_up(on).await;
    world.account("kim", &[]).await;
    let (root, kim) = (world.identity("root").await, world.identity("kim").await);
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(token(&world, &root, &[]).await.token);
        world.pass(1);
    }
    made.reverse();
    let first = world.access.own_tokens(&root, Paging { limit: Some(2), cursor: None }).await.unwrap();
    let rest = world.access.own_tokens(&root, Paging { limit: Some(2), cursor: first.next }).await.unwrap();
    assert_eq!([first.items, rest.items].concat(), made);
    assert_eq!(world.access.own_tokens(&kim, Paging::default()).await.unwrap().items, []);
    for id in [&*made[0].id, "nonsense", ""] {
        let refused = world.access.revoke_own_token(&kim, id).await.unwrap_err();
        assert_eq!((refused.kind, refused.code.as_str()), (ErrorKind::NotFound, "token_not_found"));
    }
    world.access.revoke_own_token(&root, &made[0].id).await.unwrap();
    assert_eq!(code(world.access.revoke_own_token(&root, &made[0].id).await), "token_not_found");
    world.access.revoke_token(&made[1].id).await.unwrap();
    assert_eq!(code(world.access.revoke_token(&made[1].id).await), "token_not_found");
    assert_eq!(world.access.own_tokens(&root, Paging::default()).await.unwrap().items, made[2..]);
}

/// At most one write a day records the use.
async fn the_day_of_the_last_use_is_kept(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let made = token(&world, &owner, &[]).await;
    let last = async || {
        let tokens = world.access.own_tokens(&owner, Paging::default()).await.unwrap();
        tokens.items[0].last_used_on.clone()
    };
    assert_eq!(last().await, None);
    world.by_bearer(made.secret.expose()).await.unwrap();
    assert_eq!(last().await.as_deref(), Some("2027-01-15"));
    let before = world.stored().await;
    world.by_bearer(made.secret.expose()).await.unwrap();
    assert_eq!(world.stored().await, before);
    world.pass(DAY);
    world.by_bearer(made.secret.expose()).await.unwrap();
    assert_eq!(last().await.as_deref(), Some("2027-01-16"));
    // The listed token does not contain the secret.
    assert!(!format!("{made:?}").contains(&made.secret.expose()[4..]));
    assert!(!format!("{:?}", new_account("kim", &[])).contains("horse"));
}

/// A check of a token is cached for three seconds. Revocations by the same process take effect at once, as other tests
/// show.
async fn a_revocation_elsewhere_takes_effect_within_seconds(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let made = token(&world, &owner, &[("*", Role::Viewer)]).await;
    world.by_bearer(made.secret.expose()).await.unwrap();
    let elsewhere = Access::new(world.db.clone(), settings()).unwrap();
    elsewhere.revoke_token(&made.token.id).await.unwrap();
    world.pass(2);
    world.by_bearer(made.secret.expose()).await.unwrap();
    world.pass(1);
    assert_eq!(code(world.by_bearer(made.secret.expose()).await), "unauthenticated");
}

/// A stolen token does not outlive the reset of the password. New ones are valid.
async fn a_password_reset_ends_tokens(on: On) {
    let (world, root) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let old = token(&world, &owner, &[]).await;
    world.by_bearer(old.secret.expose()).await.unwrap();
    world.access.set_password(&root.id, &Secret::new("another long password")).await.unwrap();
    assert_eq!(code(world.by_bearer(old.secret.expose()).await), "unauthenticated");
    let new = token(&world, &owner, &[]).await;
    world.by_bearer(new.secret.expose()).await.unwrap();
}

/// Programs go on when a person changes their own password, which they know; other sessions end.
async fn ones_own_new_password_keeps_tokens(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let elsewhere = world.sign_in("root").await;
    let kept = token(&world, &owner, &[]).await;
    let (old, new) = (Secret::new(PASSWORD), Secret::new("another long password"));
    world.access.change_password(&owner, &old, &new, &origin()).await.unwrap();
    assert_eq!(code(world.by_session(&elsewhere.secret).await), "unauthenticated");
    world.by_bearer(kept.secret.expose()).await.unwrap();
    world.access.revoke_own_token(&owner, &kept.token.id).await.unwrap();
    assert_eq!(code(world.by_bearer(kept.secret.expose()).await), "unauthenticated");
}

/// Only a session, or an administrator's token, lists and revokes tokens.
async fn a_token_manages_no_tokens(on: On) {
    let (world, _) = World::set_up(on).await;
    let owner = world.identity("root").await;
    let made = token(&world, &owner, &[("ledger", Role::Viewer)]).await;
    let limited = world.by_bearer(made.secret.expose()).await.unwrap();
    assert_eq!(code(world.access.own_tokens(&limited, Paging::default()).await), "session_needed");
    assert_eq!(code(world.access.own_token(&limited, &made.token.id).await), "session_needed");
    assert_eq!(code(world.access.revoke_own_token(&limited, &made.token.id).await), "session_needed");
    let administers = token(&world, &owner, &[("*", Role::Admin)]).await;
    let administrator = world.by_bearer(administers.secret.expose()).await.unwrap();
    world.access.revoke_own_token(&administrator, &made.token.id).await.unwrap();
    assert_eq!(code(world.by_bearer(made.secret.expose()).await), "unauthenticated");
}
