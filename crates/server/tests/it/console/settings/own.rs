//! The visitor's own password and sessions.

use super::{Visitor, alert, problem};
use hansang_testserver::On;
use hansang_testserver::Server;

hansang_testserver::on_each_store! {
    visitors_see_their_own_account,
    changing_a_password_needs_the_old_one,
    all_sessions_can_be_ended,
    a_token_cannot_end_sessions,
}

const OWN: &str = "/console/settings";

async fn visitors_see_their_own_account(on: On) {
    let server = Server::start(on).await;
    for (login, language, texts) in [
        ("editor", "en", ["shop: Editor", "Change the password", "Sign out everywhere"]),
        ("admin", "ko", ["모든 시스템: 관리자", "비밀번호 바꾸기", "모든 기기에서 로그아웃"]),
    ] {
        let page = Visitor::sign_in(&server, login, language).await.get(OWN).await;
        for text in texts.iter().chain([&login, &"aria-current=\"page\""]) {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
    }
}

async fn changing_a_password_needs_the_old_one(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let elsewhere = Visitor::sign_in(&server, "editor", "ko").await;
    let change = |old: &'static str, new: &'static str| [("old", old), ("password", new), ("do", "password")];

    let wrong = visitor.post(OWN, &change("a wild guess", "better horse")).await;
    assert_eq!(
        (wrong.status, problem(&wrong, "old")),
        (403, "This is not your password: type the one you signed in with")
    );
    let wrong = elsewhere.post(OWN, &change("a wild guess", "better horse")).await;
    assert!(problem(&wrong, "old").starts_with("현재 비밀번호가 맞지 않습니다"), "{}", wrong.text);
    let short = visitor.post(OWN, &change("correct horse", "shorty")).await;
    assert_eq!((short.status, problem(&short, "password")), (400, "Must have at least 10 characters"));
    for page in [&wrong, &short] {
        for secret in ["a wild guess", "better horse", "correct horse", "shorty"] {
            assert!(!page.text.contains(secret), "a password came back: {}", page.text);
        }
    }

    let done = visitor.post(OWN, &change("correct horse", "better horse")).await;
    assert_eq!((done.status, done.header("location")), (303, "/console/settings?done=password-changed"));
    assert!(visitor.get(done.header("location")).await.text.contains("The password is changed."));
    assert_eq!(elsewhere.get(OWN).await.status, 303, "all other sessions are over");
    // A repeated click sends a password that is the old one now.
    let again = visitor.post(OWN, &change("correct horse", "better horse")).await;
    assert_eq!(again.status, 403);
    let log = server.access.audit_of_system("access", Default::default()).await.unwrap();
    assert_eq!((&*log.items[0].operation, log.items[0].outcome.name()), ("changePassword", "REFUSED"));
}

async fn all_sessions_can_be_ended(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let elsewhere = Visitor::sign_in(&server, "viewer", "en").await;
    let gone = visitor.post(OWN, &[("do", "sign-out")]).await;
    assert_eq!((gone.status, gone.header("location")), (303, "/console/sign-in?done=signed-out-everywhere"));
    let door = visitor.get(gone.header("location")).await;
    assert!(door.text.contains("All sessions of the account have ended."), "{}", door.text);
    for left in [visitor, elsewhere] {
        assert_eq!(left.get(OWN).await.header("location"), "/console/sign-in?next=%2Fconsole%2Fsettings");
    }
    let log = server.access.audit_of_system("access", Default::default()).await.unwrap();
    assert_eq!(log.items[0].operation, "signOutEverywhere");
    assert_eq!(log.items[0].subject.as_deref(), Some(&*super::id_of(&server, "viewer").await));
}

async fn a_token_cannot_end_sessions(on: On) {
    use axum::body::Body;
    use axum::http::Method;
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let bearer = format!("Bearer {}", server.viewer);
    let headers = [("authorization", &*bearer), ("content-type", "application/x-www-form-urlencoded")];
    for form in ["do=sign-out", "do=password&old=correct+horse&password=better+horse"] {
        let refused = server.page(Method::POST, OWN, &headers, Body::from(form)).await;
        assert_eq!((refused.status, alert(&refused).contains("This needs a session")), (403, true));
    }
    assert_eq!(visitor.get(OWN).await.status, 200);
}
