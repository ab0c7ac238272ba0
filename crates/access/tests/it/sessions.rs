//! Signing in and out, and how long a session lasts.

use hansang_access::{AccountChange, Credentials};
use hansang_access::{Role, Via};
use hansang_core::ErrorKind;

use super::{DAY, HOUR, MINUTE, PASSWORD, World, code, from, grants, origin};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    a_session_is_who_signed_in,
    every_wrong_sign_in_is_answered_alike,
    what_is_no_session_is_refused_alike,
    a_session_lasts_while_it_is_used_but_not_for_ever,
    a_session_in_use_is_seldom_written,
    signing_out_ends_one_session_or_all,
    a_change_of_the_account_is_felt_at_once,
    guessing_gets_slower,
    an_address_that_tries_many_logins_has_to_wait,
    guesses_at_once_are_counted_too,
}

async fn a_session_is_who_signed_in(on: On) {
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

/// Nobody can tell from the answer who has an account.
async fn every_wrong_sign_in_is_answered_alike(on: On) {
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
        let place = from(u8::try_from(number).unwrap());
        answers.push(world.access.sign_in(login, password, &place).await.unwrap_err());
    }
    assert_eq!(
        (answers[0].kind, answers[0].code.as_str()),
        (ErrorKind::Unauthenticated, "invalid_credentials")
    );
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

async fn what_is_no_session_is_refused_alike(on: On) {
    let (world, _) = World::set_up(on).await;
    let signed_in = world.sign_in("root").await;
    let secret = signed_in.secret.expose();
    let long = "x".repeat(100_000);
    for wrong in ["", "x", &secret[1..], &secret.to_lowercase(), signed_in.csrf.expose(), &long, "a#b"] {
        let refused = world.access.identify(Credentials::Session(wrong)).await.unwrap_err();
        assert_eq!((refused.kind, refused.code.as_str()), (ErrorKind::Unauthenticated, "unauthenticated"));
        assert_eq!(code(world.by_bearer(wrong).await), "unauthenticated");
    }
    // The secret of a session is no bearer token.
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

/// A request is not a write, unless the session has to be extended.
async fn a_session_in_use_is_seldom_written(on: On) {
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

/// What somebody may is asked anew at each request.
async fn a_change_of_the_account_is_felt_at_once(on: On) {
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
    // Opening the account again does not bring its sessions back.
    world.access.change_account(&kim.id, disabled(false)).await.unwrap();
    assert_eq!(code(world.by_session(&signed_in.secret).await), "unauthenticated");
    world.sign_in("kim").await;
    world.access.delete_account(&kim.id, None).await.unwrap();
    assert_eq!(code(world.access.sign_in("kim", PASSWORD, &origin()).await), "invalid_credentials");
}

async fn guessing_gets_slower(on: On) {
    let (world, _) = World::set_up(on).await;
    for place in [1, 2, 3] {
        let wrong = world.access.sign_in("root", "wrong", &from(place)).await;
        assert_eq!(code(wrong), "invalid_credentials");
    }
    // The right password has to wait too, and from anywhere; so does a login that nobody has.
    let limited = world.access.sign_in("ROOT", PASSWORD, &from(4)).await.unwrap_err();
    assert_eq!((limited.kind, limited.code.as_str()), (ErrorKind::Limited, "too_many_attempts"));
    assert_eq!(limited.message, "too many attempts failed: wait 10 seconds, then try again");
    for place in [4, 5, 6] {
        assert_eq!(code(world.access.sign_in("nobody", "x", &from(place)).await), "invalid_credentials");
    }
    assert_eq!(world.access.sign_in("nobody", "x", &from(7)).await.unwrap_err(), limited);
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

/// A hundred guesses at the same moment are not a hundred first guesses.
async fn guesses_at_once_are_counted_too(on: On) {
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
