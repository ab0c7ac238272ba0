//! Accounts, for administrators.

use hansang_access::{AccountChange, Grants, Role};

use super::{Visitor, account_page, alert, hidden, id_of, problem};
use hansang_testserver::On;
use hansang_testserver::{Server, in_order};

hansang_testserver::on_each_store! {
    an_account_is_made_and_signs_in,
    errors_are_shown_and_passwords_are_not,
    concurrent_changes_of_an_account_conflict,
    a_disabled_account_cannot_sign_in,
    a_new_password_and_the_end_of_all_sessions,
    the_last_administrator_cannot_be_removed,
    deleting_asks_first,
    many_accounts_have_pages_both_ways,
}

const NEW: &str = "/console/settings/accounts/new";

async fn an_account_is_made_and_signs_in(on: On) {
    let server = Server::start(on).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    assert!(admin.get(NEW).await.text.contains("name=\"role.shop\""));
    let form = [
        ("login", "Kim.Minji"),
        ("name", "<script>alert(1)</script> 김민지"),
        ("password", "correct horse"),
        ("role.*", ""),
        ("role.shop", "editor"),
    ];
    let made = admin.post(NEW, &form).await;
    let page = account_page(&server, "kim.minji").await;
    assert_eq!((made.status, made.header("location")), (303, &*format!("{page}?done=created")));
    for address in [&*page, "/console/settings/accounts", &format!("{page}/delete")] {
        let shown = admin.get(address).await;
        assert!(!shown.text.contains("<script>alert") && shown.text.contains("김민지"), "{}", shown.text);
    }
    let list = Visitor::sign_in(&server, "admin", "ko").await.get("/console/settings/accounts").await;
    for text in ["kim.minji", "Shop: 편집자", "사용 중", "모든 시스템: 관리자"] {
        assert!(list.text.contains(text), "{text}: {}", list.text);
    }
    let minji = Visitor::sign_in(&server, "kim.minji", "en").await;
    assert!(minji.get("/console/settings").await.text.contains("Shop: Editor"));
    // A repeated click.
    let again = admin.post(NEW, &form).await;
    assert_eq!((again.status, &*problem(&again, "login")), (409, "Is taken"));
}

async fn errors_are_shown_and_passwords_are_not(on: On) {
    let server = Server::start(on).await;
    let wrong = [("login", "no spaces please"), ("name", ""), ("password", "my own secret")];
    for (language, login, name) in [
        ("en", "Must start with a letter or digit", "Must not be empty"),
        ("ko", "영문자나 숫자로 시작하고", "값을 입력하세요"),
    ] {
        let admin = Visitor::sign_in(&server, "admin", language).await;
        let refused = admin.post(NEW, &wrong).await;
        assert_eq!(refused.status, 400);
        assert!(problem(&refused, "login").starts_with(login), "{}", refused.text);
        assert!(problem(&refused, "name").starts_with(name), "{}", refused.text);
        assert!(refused.text.contains("value=\"no spaces please\""), "{}", refused.text);
        assert!(!refused.text.contains("my own secret"), "{}", refused.text);
    }
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let short = admin.post(NEW, &[("login", "a"), ("name", "A"), ("password", "short")]).await;
    assert_eq!(problem(&short, "password"), "Must have at least 10 characters");
    let odd = [("login", "a"), ("name", "A"), ("password", "correct horse"), ("role.Shop", "viewer")];
    let odd = admin.post(NEW, &odd).await;
    assert!(odd.status == 400 && alert(&odd).contains("must name systems by"), "{}", odd.text);
}

async fn concurrent_changes_of_an_account_conflict(on: On) {
    let server = Server::start(on).await;
    let (admin, id) = (Visitor::sign_in(&server, "admin", "en").await, id_of(&server, "viewer").await);
    let page = account_page(&server, "viewer").await;
    let version = hidden(&admin.get(&page).await, "version");
    let form = [("do", "change"), ("version", &*version), ("name", "Vera"), ("role.shop", "editor")];
    let saved = admin.post(&page, &form).await;
    assert_eq!((saved.status, saved.header("location")), (303, &*format!("{page}?done=saved")));
    let account = server.access.account(&id).await.unwrap();
    assert_eq!((&*account.name, account.grants.0["shop"].name()), ("Vera", "editor"));

    // The same form with an old version: the page shows both versions, and the form keeps what was submitted.
    let other = [("do", "change"), ("version", &*version), ("name", "Vivian"), ("role.shop", "viewer")];
    let stale = admin.post(&page, &other).await;
    assert_eq!(stale.status, 412);
    assert!(alert(&stale).starts_with("This account was changed elsewhere"), "{}", stale.text);
    in_order(
        &stale,
        &["Your version", "Stored version", "Vivian</pre>", "Vera</pre>", "Viewer</pre>", "Editor</pre>"],
    );
    assert!(stale.text.contains("value=\"Vivian\""), "{}", stale.text);
    let now = hidden(&stale, "version");
    assert_ne!(now, version);
    let form = [("do", "change"), ("version", &*now), ("name", "Vivian"), ("role.shop", "viewer")];
    assert_eq!(admin.post(&page, &form).await.status, 303, "the version of the page is the present one");
    // A form without a version is rejected.
    assert_eq!(admin.post(&page, &[("do", "change"), ("name", "x")]).await.status, 412);
    let korean = Visitor::sign_in(&server, "admin", "ko").await;
    assert!(alert(&korean.post(&page, &other).await).starts_with("다른 곳에서 이 계정이 변경되어"));

    // A role in a system that is currently not served is kept.
    let grants = Grants([("elsewhere".to_owned(), Role::Viewer)].into());
    let change = AccountChange { grants: Some(grants), ..AccountChange::default() };
    server.access.change_account(&id, change).await.unwrap();
    let shown = admin.get(&page).await;
    assert!(shown.text.contains("name=\"role.elsewhere\""), "{}", shown.text);
    assert_eq!(admin.get("/console/settings/accounts/nobody").await.status, 404);
}

async fn a_disabled_account_cannot_sign_in(on: On) {
    let server = Server::start(on).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let page = account_page(&server, "editor").await;
    let version = hidden(&admin.get(&page).await, "version");
    let shut = admin.post(&page, &[("do", "disable"), ("version", &version)]).await;
    assert_eq!(shut.header("location"), format!("{page}?done=disabled"));
    let shown = admin.get(shut.header("location")).await;
    assert!(shown.text.contains("The account is disabled.") && shown.text.contains("value=\"enable\""));
    assert_eq!(editor.get("/console").await.status, 303);
    // A repeated click sends the old version.
    assert_eq!(admin.post(&page, &[("do", "disable"), ("version", &version)]).await.status, 412);
    let version = hidden(&shown, "version");
    let open = admin.post(&page, &[("do", "enable"), ("version", &version)]).await;
    assert_eq!(open.header("location"), format!("{page}?done=enabled"));
    Visitor::sign_in(&server, "editor", "en").await;
}

async fn a_new_password_and_the_end_of_all_sessions(on: On) {
    let server = Server::start(on).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let page = account_page(&server, "editor").await;
    let short = admin.post(&page, &[("do", "password"), ("password", "tooshort")]).await;
    assert_eq!((short.status, &*problem(&short, "password")), (400, "Must have at least 10 characters"));
    assert!(!short.text.contains("tooshort") && short.text.contains("value=\"editor\""), "{}", short.text);
    let set = admin.post(&page, &[("do", "password"), ("password", "another horse")]).await;
    assert_eq!(set.header("location"), format!("{page}?done=password-set"));
    assert_eq!(editor.get("/console").await.status, 303);
    let anonymous = Visitor::signed_out(&server);
    let signed_in =
        anonymous.post("/console/sign-in", &[("login", "editor"), ("password", "another horse")]).await;
    assert_eq!(signed_in.status, 303);

    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let page = account_page(&server, "viewer").await;
    let out = admin.post(&page, &[("do", "sign-out")]).await;
    assert_eq!(out.header("location"), format!("{page}?done=signed-out-everywhere"));
    assert_eq!(viewer.get("/console").await.status, 303);
    let log = server.access.audit_of_system("access", Default::default()).await.unwrap();
    let done: Vec<&str> = log.items.iter().map(|entry| &*entry.operation).take(5).collect();
    assert_eq!(done, ["signOutEverywhere", "signIn", "signIn", "setPassword", "setPassword"]);
}

async fn the_last_administrator_cannot_be_removed(on: On) {
    let server = Server::start(on).await;
    for (language, said) in
        [("en", "this is the last administrator"), ("ko", "로그인할 수 있는 마지막 관리자")]
    {
        let admin = Visitor::sign_in(&server, "admin", language).await;
        let page = account_page(&server, "admin").await;
        let version = hidden(&admin.get(&page).await, "version");
        let version = ("version", &*version);
        for form in [
            vec![("do", "change"), version, ("name", "admin"), ("role.*", "editor")],
            vec![("do", "disable"), version],
        ] {
            let refused = admin.post(&page, &form).await;
            assert_eq!(refused.status, 409);
            assert!(alert(&refused).to_lowercase().starts_with(said), "{}", refused.text);
        }
        let refused = admin.post(&format!("{page}/delete"), &[version]).await;
        assert_eq!(refused.status, 409);
        assert!(alert(&refused).to_lowercase().starts_with(said), "{}", refused.text);
    }
    // With a second administrator, the first can be demoted, and is redirected to a page that they may see.
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let editor = account_page(&server, "editor").await;
    let version = hidden(&admin.get(&editor).await, "version");
    let promoted = [("do", "change"), ("version", &*version), ("name", "editor"), ("role.*", "admin")];
    assert_eq!(admin.post(&editor, &promoted).await.status, 303);
    let page = account_page(&server, "admin").await;
    let version = hidden(&admin.get(&page).await, "version");
    let left = [("do", "change"), ("version", &*version), ("name", "admin"), ("role.shop", "viewer")];
    assert_eq!(admin.post(&page, &left).await.header("location"), "/console/settings?done=saved");
    assert_eq!(admin.get("/console/settings/accounts").await.status, 403);
}

async fn deleting_asks_first(on: On) {
    let server = Server::start(on).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let (id, page) = (id_of(&server, "viewer").await, account_page(&server, "viewer").await);
    let delete = format!("{page}/delete");
    let asked = admin.get(&delete).await;
    assert!(asked.text.contains("This can&#39;t be undone.") && asked.text.contains("Delete account"));
    let version = hidden(&asked, "version");
    server.access.sign_out_everywhere(&id).await.unwrap();
    let stale = admin.post(&delete, &[("version", &version)]).await;
    assert_eq!(stale.status, 412);
    assert!(alert(&stale).contains("so it was not deleted"), "{}", stale.text);
    let version = hidden(&stale, "version");
    let gone = admin.post(&delete, &[("version", &version)]).await;
    assert_eq!((gone.status, gone.header("location")), (303, "/console/settings/accounts?done=deleted"));
    let list = admin.get(gone.header("location")).await;
    assert!(list.text.contains("Deleted.") && !list.text.contains(&id), "{}", list.text);
    // A repeated click, and an old link.
    let again = admin.post(&delete, &[("version", &version)]).await;
    assert_eq!((again.status, again.header("location")), (303, "/console/settings/accounts"));
    assert_eq!((admin.get(&delete).await.status, admin.get(&page).await.status), (404, 404));
}

async fn many_accounts_have_pages_both_ways(on: On) {
    let server = Server::start(on).await;
    for number in 0..30 {
        server.guest(&format!("z{number:02}")).await;
    }
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let link = |text: &str, rel: &str| {
        let link = text.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?.split('"').next()?;
        Some(link.to_owned())
    };
    let first = admin.get("/console/settings/accounts").await;
    assert!(first.text.contains(">admin<") && first.text.contains(">z21<") && !first.text.contains(">z22<"));
    assert_eq!(link(&first.text, "prev"), None);
    let last = admin.get(&link(&first.text, "next").unwrap()).await;
    assert!(last.text.contains(">z22<") && last.text.contains(">z29<"), "{}", last.text);
    assert_eq!(link(&last.text, "next"), None);
    let back = admin.get(&link(&last.text, "prev").unwrap()).await;
    assert!(back.text.contains(">admin<") && back.text.contains(">z21<"), "{}", back.text);
}
