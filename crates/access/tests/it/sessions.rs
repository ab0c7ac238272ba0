//! Signing in and out, and how long a session lasts.

use hansang_access::{AccountChange, Credentials};
use hansang_access::{Role, Via};
use hansang_core::ErrorKind;

use super::{DAY, HOUR, MINUTE, PASSWORD, World, code, from, grants, origin};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    a_session_identifies_its_owner,
    every_failed_sign_in_has_the_same_error,
    every_invalid_session_has_the_same_error,
    a_session_lasts_while_it_is_used_but_not_for_ever,
    a_session_in_use_is_rarely_written,
    signing_out_ends_one_session_or_all,
    a_change_of_the_account_takes_effect_at_once,
    guessing_gets_slower,
    a_known_device_gets_in_while_others_guess,
    an_address_that_tries_many_logins_has_to_wait,
    concurrent_guesses_are_counted,
}

async fn a_session_identifies_its_owner(on: On) {
    let (world, root) = World::set_up(on).await;
    let signed_in = world.access.sign_in(" ROOT ", PASSWORD, &origin()).await.unwrap();
    assert_eq!(signed_in.expires.as_second(), world.now().as_second() + DAY);
    let identity = world.by_session(&signed_in.secret).await.unwrap();
    assert_eq!(identity, signed_in.identity);
    assert_eq!((&identity.id, &identity.name, &identity.grants), (&root.id, &root.name, &root.grants));
    let Via::Session { id, csrf } = identity.via else { panic!("{identity:?}") };
    assert_eq!(csrf, signed_in.csrf.expose());
    assert_ne!(id, signed_in.secret.expose());
    // Each sign-in is a session of its own.
    let other = world.sign_in("root").await;
    assert_ne!(other.secret.expose(), signed_in.secret.expose());
    assert_ne!(other.csrf.expose(), signed_in.csrf.expose());
}

/// The error does not reveal which logins exist.
async fn every_failed_sign_in_has_the_same_error(on: On) {
    let (world, _) = World::set_up(on).await;
    let kim = world.account("kim", &[]).await;
    let change = AccountChange { disabled: Some(true), ..Default::default() };
    world.access.change_account(&kim.id, change).await.unwrap();
    let mut answers = Vec::new();
    let long = "x".repeat(5000);
    for (number, (login, password)) in
        [("root", "wrong"), ("nobody", PASSWORD), ("kim", PASSWORD), ("kim", "wrong"), ("", ""), ("a#b", "x")]
            .into_iter()
            .chain([("root", &*long), (&*long, PASSWORD)])
            .enumerate()
    {
        let origin = from(u8::try_from(number).unwrap());
        answers.push(world.access.sign_in(login, password, &origin).await.unwrap_err());
    }
    assert_eq!(
        (answers[0].kind, answers[0].code.as_str()),
        (ErrorKind::Unauthenticated, "invalid_credentials")
    );
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

async fn every_invalid_session_has_the_same_error(on: On) {
    let (world, _) = World::set_up(on).await;
    let signed_in = world.sign_in("root").await;
    let secret = signed_in.secret.expose();
    let long = "x".repeat(100_000);
    for wrong in ["", "x", &secret[1..], &secret.to_lowercase(), signed_in.csrf.expose(), &long, "a#b"] {
        let refused = world.access.identify(Credentials::Session(wrong)).await.unwrap_err();
        assert_eq!((refused.kind, refused.code.as_str()), (ErrorKind::Unauthenticated, "unauthenticated"));
        assert_eq!(code(world.by_bearer(wrong).await), "unauthenticated");
    }
    // The secret of a session is not accepted as a bearer token.
    assert_eq!(code(world.by_bearer(secret).await), "unauthenticated");
}

async fn a_session_lasts_while_it_is_used_but_not_for_ever(on: On) {
    let (world, _) = World::set_up(on).await;
    let (used, unused) = (world.sign_in("root").await, world.sign_in("root").await);
    world.pass(59 * MINUTE);
    world.by_session(&used.secret).await.unwrap();
    world.pass(MINUTE);
    assert_eq!(code(world.by_session(&unused.secret).await), "unauthenticated");
    for _ in 0..27 {
        world.by_session(&used.secret).await.unwrap();
        world.pass(50 * MINUTE);
    }
    world.by_session(&used.secret).await.unwrap();
    let left = used.expires.as_second() - world.now().as_second();
    assert!(left < HOUR, "{left}");
    world.pass(left - 1);
    world.by_session(&used.secret).await.unwrap();
    world.pass(1);
    assert_eq!(code(world.by_session(&used.secret).await), "unauthenticated");
}

/// A request does not write, unless the session has to be extended.
async fn a_session_in_use_is_rarely_written(on: On) {
    let (world, _) = World::set_up(on).await;
    let signed_in = world.sign_in("root").await;
    let before = world.stored().await;
    for _ in 0..3 {
        world.pass(MINUTE);
        world.by_session(&signed_in.secret).await.unwrap();
    }
    assert_eq!(world.stored().await, before);
    world.pass(MINUTE);
    world.by_session(&signed_in.secret).await.unwrap();
    assert_ne!(world.stored().await, before);
}

async fn signing_out_ends_one_session_or_all(on: On) {
    let (world, root) = World::set_up(on).await;
    let (one, two, three) =
        (world.sign_in("root").await, world.sign_in("root").await, world.sign_in("root").await);
    world.access.sign_out(one.secret.expose()).await.unwrap();
    assert_eq!(code(world.by_session(&one.secret).await), "unauthenticated");
    world.by_session(&two.secret).await.unwrap();
    world.access.sign_out(one.secret.expose()).await.unwrap();
    world.access.sign_out("nonsense").await.unwrap();
    world.access.sign_out_everywhere(&root.id).await.unwrap();
    for over in [&two, &three] {
        assert_eq!(code(world.by_session(&over.secret).await), "unauthenticated");
    }
    let sessions = |items: &[hansang_core::Item]| {
        items.iter().filter(|item| item["SK"].as_str() == Some("SESSION")).count()
    };
    assert_eq!(sessions(&world.stored().await), 0);
    let new = world.sign_in("root").await;
    world.by_session(&new.secret).await.unwrap();
    assert_eq!(code(world.access.sign_out_everywhere("nobody").await), "account_not_found");
}

/// Permissions are read again for each request.
async fn a_change_of_the_account_takes_effect_at_once(on: On) {
    let (world, _) = World::set_up(on).await;
    let kim = world.account("kim", &[("ledger", Role::Editor)]).await;
    let signed_in = world.sign_in("kim").await;
    let demote = AccountChange { grants: Some(grants(&[("ledger", Role::Viewer)])), ..Default::default() };
    world.access.change_account(&kim.id, demote).await.unwrap();
    let identity = world.by_session(&signed_in.secret).await.unwrap();
    assert_eq!(identity.grants.role_in("ledger"), Some(Role::Viewer));
    let disabled = |disabled| AccountChange { disabled: Some(disabled), ..Default::default() };
    world.access.change_account(&kim.id, disabled(true)).await.unwrap();
    assert_eq!(code(world.by_session(&signed_in.secret).await), "unauthenticated");
    // Enabling the account again does not restore its sessions.
    world.access.change_account(&kim.id, disabled(false)).await.unwrap();
    assert_eq!(code(world.by_session(&signed_in.secret).await), "unauthenticated");
    world.sign_in("kim").await;
    world.access.delete_account(&kim.id, None).await.unwrap();
    assert_eq!(code(world.access.sign_in("kim", PASSWORD, &origin()).await), "invalid_credentials");
}

/// Other clients can use up the attempts of a login, but not those of its owner's devices.
async fn a_known_device_gets_in_while_others_guess(on: On) {
    let (world, root) = World::set_up(on).await;
    let device = world.sign_in("root").await.device;
    for host in [11, 12, 13] {
        assert_eq!(code(world.access.sign_in("root", "wrong", &from(host)).await), "invalid_credentials");
    }
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &from(14)).await), "too_many_attempts");
    let enter = async |device: &str, login: &str, password: &str| {
        world.access.sign_in_on(Some(device), login, password, &from(14)).await
    };
    let again = enter(device.expose(), "root", PASSWORD).await.unwrap();
    assert_eq!(code(enter("forged.0.mark", "root", PASSWORD).await), "too_many_attempts");
    // A stolen mark does not help to guess either.
    for _ in 0..3 {
        assert_eq!(code(enter(device.expose(), "root", "wrong").await), "invalid_credentials");
    }
    assert_eq!(code(enter(device.expose(), "root", PASSWORD).await), "too_many_attempts");
    // The mark is of one account and ends with its password.
    world.account("kim", &[]).await;
    assert_eq!(code(enter(device.expose(), "kim", "wrong").await), "invalid_credentials");
    world.pass(MINUTE);
    enter(again.device.expose(), "root", PASSWORD).await.unwrap();
    world.access.set_password(&root.id, &hansang_access::Secret::new("another password")).await.unwrap();
    for host in [21, 22, 23] {
        assert_eq!(code(world.access.sign_in("root", "wrong", &from(host)).await), "invalid_credentials");
    }
    assert_eq!(code(enter(again.device.expose(), "root", "another password").await), "too_many_attempts");
}

async fn guessing_gets_slower(on: On) {
    let (world, _) = World::set_up(on).await;
    for host in [1, 2, 3] {
        let wrong = world.access.sign_in("root", "wrong", &from(host)).await;
        assert_eq!(code(wrong), "invalid_credentials");
    }
    // The right password is throttled too, from every address; so is a login without an account.
    let limited = world.access.sign_in("ROOT", PASSWORD, &from(4)).await.unwrap_err();
    assert_eq!((limited.kind, limited.code.as_str()), (ErrorKind::Limited, "too_many_attempts"));
    assert_eq!(limited.message, "too many attempts failed: wait 10 seconds, then try again");
    for host in [4, 5, 6] {
        assert_eq!(code(world.access.sign_in("nobody", "x", &from(host)).await), "invalid_credentials");
    }
    let unknown = world.access.sign_in("nobody", "x", &from(7)).await.unwrap_err();
    assert_eq!((unknown.code, &unknown.message), (limited.code, &limited.message));
    world.pass(9);
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &from(4)).await), "too_many_attempts");
    world.pass(1);
    assert_eq!(code(world.access.sign_in("root", "wrong", &from(4)).await), "invalid_credentials");
    let longer = world.access.sign_in("root", PASSWORD, &from(4)).await.unwrap_err();
    assert!(longer.message.to_string().contains("wait 20 seconds"), "{}", longer.message);
    world.pass(20);
    world.access.sign_in("root", PASSWORD, &from(4)).await.unwrap();
    for _ in 0..2 {
        assert_eq!(code(world.access.sign_in("root", "wrong", &from(8)).await), "invalid_credentials");
    }
}

async fn an_address_that_tries_many_logins_has_to_wait(on: On) {
    let (world, _) = World::set_up(on).await;
    for number in 0..6 {
        let wrong = world.access.sign_in(&format!("user{number}"), "wrong", &from(9)).await;
        assert_eq!(code(wrong), "invalid_credentials");
    }
    assert_eq!(code(world.access.sign_in("root", PASSWORD, &from(9)).await), "too_many_attempts");
    world.access.sign_in("root", PASSWORD, &from(1)).await.unwrap();
}

/// Concurrent guesses are all counted.
async fn concurrent_guesses_are_counted(on: On) {
    let (world, _) = World::set_up(on).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..100 {
        let access = world.access.clone();
        tasks.spawn(async move { access.sign_in("root", "wrong", &from(number)).await.map(drop) });
    }
    let codes: Vec<&str> = tasks.join_all().await.into_iter().map(code).collect();
    assert_eq!(codes.iter().filter(|code| **code == "invalid_credentials").count(), 3);
    assert_eq!(codes.iter().filter(|code| **code == "too_many_attempts").count(), 97);
}
