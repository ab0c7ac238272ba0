//! The cache of the server.

use super::{CACHE, FORGET, Registers as _, at, change_set};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Response;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order};

/// A figure on the page.
fn figure(page: &Response, name: &str) -> String {
    let rest = page.text.split(&format!("<dt>{name}</dt><dd>")).nth(1);
    rest.unwrap_or_else(|| panic!("{name}: {}", page.text)).split('<').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_cache_is_counted_and_invalidated() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let empty = editor.get(CACHE).await;
    assert_eq!((figure(&empty, "Hits"), figure(&empty, "Hit rate")), ("0".to_owned(), "–".to_owned()));
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", "c", "1.1.0", "ACTIVE", &change_set(2)).await;
    editor.registered("ODD", "o", "1.0.0", "ACTIVE", "{}").await;
    for _ in 0..3 {
        for (kind, id, version) in
            [("CHANGESET", "c", "1.0.0"), ("CHANGESET", "c", "1.1.0"), ("ODD", "o", "1.0.0")]
        {
            assert_eq!(editor.get(&at("version", kind, id, version)).await.status, 200);
        }
    }
    let page = editor.get(CACHE).await;
    let figures = ["Cached versions", "Hits", "Misses", "Hit rate", "Loads", "Failed loads"];
    assert_eq!(figures.map(|name| figure(&page, name)), ["3", "6", "3", "66.7 %", "3", "0"]);
    assert!(figure(&page, "Average load time").ends_with(" ms"), "{}", page.text);
    in_order(&page, &["Capacity (versions)", "100", "300 seconds"]);

    let one = [("what", "version"), ("kind", "CHANGESET"), ("id", "c"), ("version", "1.0.0")];
    for (form, dropped, said, left) in [
        (&one[..], "1", "1 version removed", "2"),
        (&one[..], "0", "0 versions removed", "2"),
        (&[("what", "kind"), ("kind", "CHANGESET")], "1", "1 version removed", "1"),
        (&[("what", "all")], "1", "1 version removed", "0"),
    ] {
        let done = editor.post(FORGET, form).await;
        assert_eq!((done.status, done.header("location")), (303, &*format!("{CACHE}?dropped={dropped}")));
        let page = editor.get(done.header("location")).await;
        has(&page, &[said]);
        assert_eq!(figure(&page, "Cached versions"), left);
    }
    let wrong =
        editor.post(FORGET, &[("what", "version"), ("kind", "9"), ("id", ""), ("version", "1")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-kind-problem", "f-id-problem", "f-version-problem", "value=\"9\""]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&korean.get(&format!("{CACHE}?dropped=3")).await, &["적중률", "300초", "버전 3개를 지웠습니다"]);
}
