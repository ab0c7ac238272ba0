//! Password changes, and renewal of old hashes.

use hansang_access::{Access, AccessSettings, Grants, PasswordSettings, Secret, Via};
use hansang_core::ErrorKind;

use super::{PASSWORD, World, code, from, origin, settings};
use hansang_testserver::On;

const NEW: &str = "battery staple";

#[tokio::test]
async fn ones_own_password_needs_the_old_one_and_ends_other_sessions() {
    let (world, _) = World::set_up(On::Embedded).await;
    let (here, there) = (world.sign_in("root").await, world.sign_in("root").await);
    let identity = world.by_session(&here.secret).await.unwrap();
    let change = async |old: &str, new: &str| {
        world.access.change_password(&identity, &Secret::new(old), &Secret::new(new), &origin()).await
    };
    let wrong = change("wrong password", NEW).await.unwrap_err();
    assert_eq!((wrong.kind, wrong.code.as_str()), (ErrorKind::Forbidden, "wrong_password"));
    assert_eq!(code(change(PASSWORD, "short").await), "invalid_fields");
    world.by_session(&there.secret).await.unwrap();
    change(PASSWORD, NEW).await.unwrap();
    assert_eq!(world.by_session(&here.secret).await.unwrap(), identity);
    assert_eq!(code(world.by_session(&there.secret).await), "unauthenticated");
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &origin()).await), "invalid_credentials");
    world.access.sign_in("root", NEW, &origin()).await.unwrap();
    // The session that was kept can change it again.
    change(NEW, PASSWORD).await.unwrap();
    world.by_session(&here.secret).await.unwrap();
}

/// A stolen session does not help to guess the password.
#[tokio::test]
async fn guessing_ones_own_password_gets_slower() {
    let (world, _) = World::set_up(On::Embedded).await;
    let identity = world.identity("root").await;
    let (wrong, new) = (Secret::new("wrong password"), Secret::new(NEW));
    for host in [1, 2, 3] {
        let refused = world.access.change_password(&identity, &wrong, &new, &from(host)).await;
        assert_eq!(code(refused), "wrong_password");
    }
    let right = Secret::new(PASSWORD);
    let limited = world.access.change_password(&identity, &right, &new, &from(4)).await;
    assert_eq!(code(limited), "too_many_attempts");
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &from(5)).await), "too_many_attempts");
    world.pass(10);
    world.access.change_password(&identity, &right, &new, &from(4)).await.unwrap();
}

#[tokio::test]
async fn only_a_valid_session_changes_its_password() {
    let (world, _) = World::set_up(On::Embedded).await;
    let signed_in = world.sign_in("root").await;
    let identity = world.by_session(&signed_in.secret).await.unwrap();
    let (old, new) = (Secret::new(PASSWORD), Secret::new(NEW));
    for via in [Via::Oidc, Via::Token { id: "t".to_owned(), scope: Grants::default() }] {
        let other = hansang_access::Identity { via, ..identity.clone() };
        let refused = world.access.change_password(&other, &old, &new, &origin()).await;
        assert_eq!(code(refused), "session_needed");
    }
    world.access.sign_out(signed_in.secret.expose()).await.unwrap();
    let over = world.access.change_password(&identity, &old, &new, &origin()).await;
    assert_eq!(code(over), "unauthenticated");
    world.sign_in("root").await;
}

#[tokio::test]
async fn a_forgotten_password_is_reset() {
    let (world, root) = World::set_up(On::Embedded).await;
    let before = world.sign_in("root").await;
    for host in [1, 2, 3] {
        assert_eq!(code(world.access.sign_in("root", "wrong", &from(host)).await), "invalid_credentials");
    }
    for wrong in ["short", "root", &"x".repeat(300), "aaaaaaaaaaaa", "가가가가가가가가가가"] {
        let refused = world.access.set_password(&root.id, &Secret::new(wrong)).await;
        assert_eq!(code(refused), "invalid_fields");
    }
    world.access.set_password(&root.id, &Secret::new(NEW)).await.unwrap();
    assert_eq!(code(world.by_session(&before.secret).await), "unauthenticated");
    // Failures at the old password do not throttle the new one.
    world.access.sign_in("root", NEW, &from(4)).await.unwrap();
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &from(4)).await), "invalid_credentials");
}

async fn stored_hash(world: &World) -> String {
    let stored = world.stored().await;
    let hash = stored.iter().find_map(|item| item.get("passwordHash"));
    hash.unwrap().as_str().unwrap().to_owned()
}

#[tokio::test]
async fn hashes_follow_the_settings_at_the_next_sign_in() {
    let (world, _) = World::set_up(On::Embedded).await;
    let session = world.sign_in("root").await;
    let old = stored_hash(&world).await;
    assert!(old.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{old}");
    let password = PasswordSettings { memory_kib: 16, passes: 2, ..settings().password };
    let stronger = Access::new(world.db.clone(), AccessSettings { password, ..settings() }).unwrap();
    assert_eq!(code(stronger.sign_in("root", "wrong", &origin()).await), "invalid_credentials");
    assert_eq!(stored_hash(&world).await, old);
    stronger.sign_in("root", PASSWORD, &origin()).await.unwrap();
    let new = stored_hash(&world).await;
    assert!(new.starts_with("$argon2id$v=19$m=16,t=2,p=1$"), "{new}");
    stronger.sign_in("root", PASSWORD, &origin()).await.unwrap();
    assert_eq!(stored_hash(&world).await, new);
    // All sessions are still valid.
    world.by_session(&session.secret).await.unwrap();
}

#[tokio::test]
async fn invalid_settings_are_rejected() {
    let (world, _) = World::set_up(On::Embedded).await;
    for (memory_kib, passes) in [(0, 1), (7, 1), (8, 0)] {
        let password = PasswordSettings { memory_kib, passes, ..settings().password };
        let refused = Access::new(world.db.clone(), AccessSettings { password, ..settings() });
        assert_eq!(code(refused), "invalid_settings");
    }
}
