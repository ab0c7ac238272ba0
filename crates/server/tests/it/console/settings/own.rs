//! The visitor's own password and sessions.

use super::{Visitor, problem};
use hansang_testserver::On;
use hansang_testserver::Server;

hansang_testserver::on_each_store! {
    visitors_see_their_own_account,
    times_are_shown_in_the_chosen_zone,
    columns_are_remembered,
    errors_keep_the_navigation,
    a_used_link_shows_no_form,
    changing_a_password_needs_the_old_one,
    all_sessions_can_be_ended,
    a_token_cannot_end_sessions,
}

const OWN: &str = "/console/settings";

async fn visitors_see_their_own_account(on: On) {
    let server = Server::start(on).await;
    for (login, language, texts) in [
        ("editor", "en", ["Shop: Editor", "Change password", "Sign out everywhere"]),
        ("admin", "ko", ["모든 시스템: 관리자", "비밀번호 변경", "모든 기기에서 로그아웃"]),
    ] {
        let page = Visitor::sign_in(&server, login, language).await.get(OWN).await;
        for text in texts.iter().chain([&login, &"aria-current=\"page\""]) {
            assert!(page.text.contains(text), "{text}: {}", page.text);
        }
    }
}

async fn times_are_shown_in_the_chosen_zone(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "admin", "en").await;
    let audit = "/console/settings/audit";
    // Without a choice the zone of the browser, and without that UTC.
    assert!(visitor.get(audit).await.text.contains("2026-11-16 00:00 "));
    let cookie = format!("{}; hansang_zone=America%2FNew_York", visitor.cookie);
    let browser = Visitor { cookie, csrf: visitor.csrf.clone(), ..visitor };
    assert!(browser.get(audit).await.text.contains("2026-11-15 19:00 "));
    let saved = browser.post(OWN, &[("do", "zone"), ("zone", "Asia/Seoul")]).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/console/settings?done=saved"));
    let page = browser.get(audit).await;
    assert!(page.text.contains("2026-11-16 09:00 ") && page.text.contains("title=\"2026-11-16 00:00:"));
    assert!(page.text.contains("just now") && page.text.contains("access.chooseZone"), "{}", page.text);
    let own = browser.get(OWN).await;
    assert!(own.text.contains("<option value=\"Asia/Seoul\" selected>"), "{}", own.text);
    browser.post(OWN, &[("do", "zone"), ("zone", "")]).await;
    assert!(browser.get(audit).await.text.contains("2026-11-15 19:00 "));
}

async fn columns_are_remembered(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    let design = "/console/design?sort=amount&dir=desc";
    let page = visitor.get(design).await;
    assert!(
        page.text.contains("aria-sort=\"descending\"") && !page.text.contains("CODE#Rent"),
        "{}",
        page.text
    );
    let at = |text: &str| page.text.find(text).unwrap();
    assert!(at("₩3,200,000") < at("−₩12,450") && at("−₩12,450") < at("−₩650,000"));
    let form = [
        ("list", "design"),
        ("column", "name"),
        ("column", "code"),
        ("density", "compact"),
        ("next", design),
    ];
    let sent = visitor.post("/console/columns", &form).await;
    assert_eq!((sent.status, sent.header("location")), (303, design));
    let cookie = format!("{}; {}", visitor.cookie, sent.header("set-cookie").split(';').next().unwrap());
    let page = Visitor { cookie, csrf: String::new(), ..visitor }.get(design).await;
    assert!(page.text.contains("CODE#Rent") && !page.text.contains("₩3,200,000"), "{}", page.text);
}

async fn errors_keep_the_navigation(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "ko").await;
    let missing = visitor.get("/console/nowhere").await;
    assert_eq!(missing.status, 404);
    for text in ["/console/sign-out", "href=\"/console/systems/shop\"", "홈으로 가기", "추적 ID"] {
        assert!(missing.text.contains(text), "{text}: {}", missing.text);
    }
    assert_eq!(visitor.get("/console/settings/accounts").await.status, 403);
    let outside = Visitor::signed_out(&server).get("/console/nowhere").await;
    assert!(outside.status == 404 && !outside.text.contains("/console/sign-out"), "{}", outside.text);
    // A form after the end of a session leads to a sign-in that keeps its values.
    let expired = Visitor::signed_out(&server).post(OWN, &[("do", "zone")]).await;
    assert_eq!(expired.status, 401);
    assert!(expired.text.contains("name=\"kept.do\" value=\"zone\""), "{}", expired.text);
}

async fn a_used_link_shows_no_form(on: On) {
    let server = Server::start(on).await;
    let page = Visitor::signed_out(&server).get("/set-up?key=used").await;
    assert_eq!(page.status, 401);
    assert!(page.text.contains("Go to sign-in") && !page.text.contains("name=\"password\""), "{}", page.text);
}

async fn changing_a_password_needs_the_old_one(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let elsewhere = Visitor::sign_in(&server, "editor", "ko").await;
    let change = |old: &'static str, new: &'static str| [("old", old), ("password", new), ("do", "password")];

    let wrong = visitor.post(OWN, &change("a wild guess", "better horse")).await;
    assert_eq!(
        (wrong.status, &*problem(&wrong, "old")),
        (403, "This is not your password: type the one you signed in with")
    );
    let wrong = elsewhere.post(OWN, &change("a wild guess", "better horse")).await;
    assert!(problem(&wrong, "old").starts_with("현재 비밀번호가 맞지 않습니다"), "{}", wrong.text);
    let short = visitor.post(OWN, &change("correct horse", "shorty")).await;
    assert_eq!((short.status, &*problem(&short, "password")), (400, "Must have at least 10 characters"));
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
        assert_eq!((refused.status, refused.text.contains("Not allowed")), (403, true), "{}", refused.text);
    }
    assert_eq!(visitor.get(OWN).await.status, 200);
}
