//! Tokens: their secret is shown once, and revocation is final.

use axum::http::Method;

use super::{Visitor, alert, problem};
use hansang_testserver::On;
use hansang_testserver::{Response, Server, has};

hansang_testserver::on_each_store! {
    a_secret_is_shown_once_and_works,
    a_token_is_limited_by_its_owner,
    errors_are_shown_at_their_fields,
    revoking_asks_first_and_works_at_once,
    many_tokens_have_pages_both_ways,
}

const TOKENS: &str = "/console/settings/tokens";

/// The secret on a page.
fn secret(page: &str) -> Option<&str> {
    page.split("<code id=\"secret\">").nth(1)?.split('<').next()
}

/// The page after a token was created, as a browser follows the redirect with the new cookie.
async fn followed(visitor: &Visitor<'_>, made: &Response) -> Response {
    assert_eq!((made.status, made.header("location")), (303, TOKENS), "{}", made.text);
    let cookie = made.header("set-cookie");
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    let cookie = format!("{}; {}", visitor.cookie, cookie.split(';').next().unwrap());
    let page = Visitor { cookie, csrf: String::new(), ..*visitor }.get(TOKENS).await;
    assert!(page.header("set-cookie").contains("Max-Age=0"), "the page removes the cookie");
    page
}

/// The id of the first token in the list.
fn first(page: &str) -> String {
    page.split("/console/settings/tokens/").nth(1).unwrap().split('/').next().unwrap().to_owned()
}

async fn a_secret_is_shown_once_and_works(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let form = [("name", "<script>backup</script>"), ("days", "30"), ("role.shop", "viewer")];
    let made = visitor.post(TOKENS, &form).await;
    let made = followed(&visitor, &made).await;
    assert_eq!(made.header("cache-control"), "no-store");
    let secret = secret(&made.text).unwrap().to_owned();
    assert!(secret.starts_with("hst_"), "{secret}");
    assert!(made.text.contains("data-copy=\"secret\"") && made.text.contains("It is shown only once"));
    assert!(!made.text.contains("<script>backup"), "{}", made.text);

    let read = server.call(Method::GET, "/api/shop/patterns/opening", &secret, None, &[]).await;
    assert_eq!(read.status, 200, "{read:?}");
    let body = Some(serde_json::json!({ "hours": "always" }));
    let write = server.call(Method::POST, "/api/shop/entities/Opening", &secret, body, &[]).await;
    assert_eq!(write.status, 403);

    // Neither a reload nor a repeated submit shows the secret or creates another token.
    let list = visitor.get(TOKENS).await;
    assert!(!list.text.contains("hst_") && list.text.contains("Shop: Viewer"), "{}", list.text);
    let again = visitor.post(TOKENS, &form).await;
    assert_eq!((again.status, &*problem(&again, "name")), (409, "Is taken"));
    assert!(!again.text.contains("hst_"), "{}", again.text);
    assert_eq!(again.text.matches("/revoke\"").count(), 2, "the one of the test and this one");
}

async fn a_token_is_limited_by_its_owner(on: On) {
    let server = Server::start(on).await;
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let page = viewer.get(TOKENS).await;
    assert!(page.text.contains("name=\"role.shop\"") && page.text.contains(">뷰어<"), "{}", page.text);
    assert!(!page.text.contains(">편집자<") && !page.text.contains("name=\"role.*\""), "{}", page.text);
    for more in [("role.shop", "editor"), ("role.*", "viewer"), ("role.other", "viewer")] {
        let refused = viewer.post(TOKENS, &[("name", "more"), ("days", "1"), more]).await;
        assert_eq!(refused.status, 403, "{more:?}");
        assert!(alert(&refused).starts_with("본인에게 없는 권한"), "{}", refused.text);
        assert!(refused.text.contains("value=\"more\""), "what was typed stays");
    }
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let made = admin.post(TOKENS, &[("name", "all"), ("days", "1"), ("role.*", "admin")]).await;
    let made = followed(&admin, &made).await;
    assert!(made.text.contains("Every system: Administrator"), "{}", made.text);
}

async fn errors_are_shown_at_their_fields(on: On) {
    let server = Server::start(on).await;
    let (english, korean) =
        (Visitor::sign_in(&server, "editor", "en").await, Visitor::sign_in(&server, "editor", "ko").await);
    let role = ("role.shop", "viewer");
    for (days, said) in [
        ("0", "Must be at least 1"),
        ("367", "Must be at most 366"),
        ("1e3", "Must be a whole number"),
        ("", "Must be a whole number"),
    ] {
        let refused = english.post(TOKENS, &[("name", "x"), ("days", days), role]).await;
        assert_eq!((refused.status, &*problem(&refused, "days")), (400, said), "{days}");
    }
    let refused = korean.post(TOKENS, &[("name", "x"), ("days", "367"), role]).await;
    assert_eq!(problem(&refused, "days"), "366 이하여야 합니다");
    let nameless = english.post(TOKENS, &[("name", " "), ("days", "1"), role]).await;
    assert_eq!((nameless.status, &*problem(&nameless, "name")), (400, "Must not be empty"));
    let useless = english.post(TOKENS, &[("name", "x"), ("days", "1"), ("role.shop", "")]).await;
    assert_eq!(useless.status, 400);
    assert!(alert(&useless).starts_with("A token without a role can do nothing"), "{}", useless.text);
    let odd = english.post(TOKENS, &[("name", "x"), ("days", "1"), ("role.shop", "owner")]).await;
    assert!(odd.status == 400 && alert(&odd).contains("is not a role"), "{}", odd.text);
    let longest = english.post(TOKENS, &[("name", "x"), ("days", "366"), role]).await;
    assert_eq!(longest.status, 303, "{}", longest.text);
}

async fn revoking_asks_first_and_works_at_once(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    let made = visitor.post(TOKENS, &[("name", "gone soon"), ("days", "1"), ("role.shop", "editor")]).await;
    let made = followed(&visitor, &made).await;
    let secret = secret(&made.text).unwrap().to_owned();
    let address = format!("{TOKENS}/{}/revoke", first(&made.text));
    let asked = visitor.get(&address).await;
    assert!(asked.status == 200 && asked.text.contains("gone soon") && asked.text.contains("Revoke token"));
    // Another account has no such token.
    let other = Visitor::sign_in(&server, "viewer", "en").await;
    assert_eq!(other.get(&address).await.status, 404);
    assert_eq!(other.post(&address, &[]).await.header("location"), TOKENS);
    let who = |secret: String| {
        let server = &server;
        async move { server.call(Method::GET, "/api/access/session", &secret, None, &[]).await.status }
    };
    assert_eq!(who(secret.clone()).await, 200, "it still works");

    let gone = visitor.post(&address, &[]).await;
    assert_eq!((gone.status, gone.header("location")), (303, "/console/settings/tokens?done=revoked"));
    assert!(visitor.get(gone.header("location")).await.text.contains("The token no longer works."));
    assert_eq!(who(secret).await, 401);
    // A repeated click.
    let again = visitor.post(&address, &[]).await;
    assert_eq!((again.status, again.header("location")), (303, TOKENS));
    assert!(!visitor.get(TOKENS).await.text.contains("gone soon"));
}

async fn many_tokens_have_pages_both_ways(on: On) {
    let server = Server::start(on).await;
    let visitor = Visitor::sign_in(&server, "editor", "en").await;
    for number in 0..26 {
        let name = format!("number {number}");
        let made = visitor.post(TOKENS, &[("name", &name), ("days", "1"), ("role.shop", "viewer")]).await;
        assert_eq!(made.status, 303);
    }
    let page = |text: &str, rel: &str| {
        let link = text.split(&format!("rel=\"{rel}\" href=\"")).nth(1)?.split('"').next()?;
        Some(link.replace("&#38;", "&"))
    };
    let newest = visitor.get(TOKENS).await;
    assert!(newest.text.contains("number 25") && !newest.text.contains(">number 0<"), "{}", newest.text);
    assert_eq!(page(&newest.text, "prev"), None);
    let oldest = visitor.get(&page(&newest.text, "next").unwrap()).await;
    assert!(oldest.text.contains(">number 0<") && !oldest.text.contains("number 25"), "{}", oldest.text);
    let back = visitor.get(&page(&oldest.text, "prev").unwrap()).await;
    assert!(back.text.contains("number 25") && !back.text.contains(">number 0<"), "{}", back.text);
    assert_eq!(visitor.get(&format!("{TOKENS}?cursor=nonsense")).await.status, 400);
}

/// Days of use are stored in UTC: the list says how long ago, and shows the day on hover.
#[tokio::test]
async fn the_last_use_of_a_token_is_relative() {
    let server = Server::start(On::Embedded).await;
    let visitor = Visitor::sign_in(&server, "viewer", "en").await;
    assert_eq!(server.get("/api/shop/patterns/itemsOfShelf?shelf=a").await.status, 200);
    has(&visitor.get("/console/settings/tokens").await, &["title=\"2026-11-16 UTC\">Today<"]);
}
