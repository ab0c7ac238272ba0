//! The audit log, filtered by day, caller or system.

use super::{LOG, Visitor, id_of, problem};
use hansang_testserver::On;
use hansang_testserver::Server;

hansang_testserver::on_each_store! {
    the_log_is_filtered_by_day_caller_and_system,
    user_input_is_escaped,
    the_log_has_pages_both_ways,
}

async fn the_log_is_filtered_by_day_caller_and_system(on: On) {
    let server = Server::start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let new = "/console/systems/shop/entities/Item/new";
    editor.post(new, &[("shelf", "a"), ("number", "7"), ("name", "n")]).await;
    let anonymous = Visitor::signed_out(&server);
    anonymous.post("/console/sign-in", &[("login", "viewer"), ("password", "wrong horse")]).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;

    // The default is today, by the server's clock.
    let today = admin.get(LOG).await;
    for text in [
        "2026-11-16 · Time zone: UTC",
        "value=\"2026-11-16\"",
        "access.signIn",
        "shop.",
        "tag good\">Done",
        "tag warn\">Refused",
        "invalid_credentials",
        "Not signed in",
        "127.0.0.1",
        "?day=2026-11-15",
    ] {
        assert!(today.text.contains(text), "{text}: {}", today.text);
    }
    let before = admin.get(&format!("{LOG}?day=2026-11-15")).await;
    assert!(before.status == 200 && before.text.contains("No activity"), "{}", before.text);
    let korean = Visitor::sign_in(&server, "admin", "ko").await;
    let before = korean.get(&format!("{LOG}?day=2026-11-15")).await;
    assert!(before.text.contains("기록이 없습니다"), "{}", before.text);

    // A caller is found by login and by id, with the same result.
    let id = id_of(&server, "editor").await;
    for actor in ["Editor", &id] {
        let theirs = admin.get(&format!("{LOG}?actor={actor}")).await;
        assert!(theirs.text.contains("Activity of editor") && theirs.text.contains("value=\"editor\""));
        assert!(theirs.text.contains("shop.") && !theirs.text.contains("Not signed in"), "{}", theirs.text);
    }
    let unknown = admin.get(&format!("{LOG}?actor=anonymous")).await;
    assert!(unknown.text.contains("Not signed in") && unknown.text.contains("tag warn"), "{}", unknown.text);
    let shop = korean.get(&format!("{LOG}?system=shop")).await;
    assert!(shop.text.contains("shop 시스템의 활동") && shop.text.contains("완료"), "{}", shop.text);
    assert!(!shop.text.contains("access.signIn"), "{}", shop.text);
    let page = admin.get(&format!("/console/settings/accounts/{id}")).await;
    assert!(page.text.contains(&format!("{LOG}?actor={id}")), "{}", page.text);
}

async fn user_input_is_escaped(on: On) {
    let server = Server::start(on).await;
    let anonymous = Visitor::signed_out(&server);
    let form = [("login", "<script>alert(1)</script>"), ("password", "wrong horse")];
    anonymous.post("/console/sign-in", &form).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let today = admin.get(LOG).await;
    assert!(today.text.contains("alert(1)") && !today.text.contains("<script>alert"), "{}", today.text);
    for (query, status) in [
        ("actor=%3Cscript%3Ealert(1)%3C/script%3E", 200),
        ("system=%3Cscript%3Ealert(1)%3C/script%3E", 200),
        ("actor=a%23b", 400),
        ("day=%3Cscript%3Ealert(1)%3C/script%3E", 400),
        ("cursor=%3Cscript%3E", 400),
        ("day=&actor=&system=", 200),
    ] {
        let page = admin.get(&format!("{LOG}?{query}")).await;
        assert_eq!(page.status, status, "{query}: {}", page.text);
        assert!(!page.text.contains("<script>alert"), "{query}: {}", page.text);
    }
    let wrong = admin.get(&format!("{LOG}?day=monday")).await;
    assert_eq!(problem(&wrong, "day"), "day must be a day such as 2026-11-16");
}

async fn the_log_has_pages_both_ways(on: On) {
    let server = Server::start(on).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    for number in 0..30 {
        let name = format!("token {number:02}");
        let form = [("name", &*name), ("days", "1"), ("role.shop", "viewer")];
        assert_eq!(admin.post("/console/settings/tokens", &form).await.status, 303);
    }
    let link = |text: &str, rel: &str| {
        let link = text.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?.split('"').next()?;
        Some(link.replace("&#38;", "&").replace("&amp;", "&"))
    };
    for by in ["", "?system=access", "?actor=admin"] {
        let newest = admin.get(&format!("{LOG}{by}")).await;
        assert!(newest.text.contains("token 29") && !newest.text.contains("token 04"), "{}", newest.text);
        assert_eq!(link(&newest.text, "prev"), None);
        let older = admin.get(&link(&newest.text, "next").unwrap()).await;
        assert!(older.text.contains("token 04") && !older.text.contains("token 29"), "{}", older.text);
        let back = admin.get(&link(&older.text, "prev").unwrap()).await;
        assert!(back.text.contains("token 29") && !back.text.contains("token 04"), "{}", back.text);
    }
}

#[tokio::test]
async fn a_day_is_that_of_the_reader() {
    let server = Server::start(On::Embedded).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    // In New York it is still the day before.
    let cookie = format!("{}; hansang_zone=America%2FNew_York", admin.cookie);
    let behind = Visitor { cookie, ..admin };
    let today = behind.get(LOG).await;
    for text in ["2026-11-15 · Time zone: America/New_York", "value=\"2026-11-15\"", "access.signIn"] {
        assert!(today.text.contains(text), "{text}: {}", today.text);
    }
    let before = behind.get(&format!("{LOG}?day=2026-11-16")).await;
    assert!(before.text.contains("No activity"), "{}", before.text);
}
