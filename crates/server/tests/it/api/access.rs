//! Signing in, accounts, tokens and the audit log, over HTTP.

use axum::body::Body;
use axum::http::Method;
use expect_test::expect;
use serde_json::{Value as Json, json};

use hansang_testserver::On;
use hansang_testserver::{Response, ok, refusal};
use hansang_testserver::{SHOP, Server, settings};

hansang_testserver::on_each_store! {
    a_session_is_a_cookie_that_no_script_and_no_other_site_can_use,
    behind_tls_the_cookie_is_secure_and_hsts_is_sent,
    guesses_reveal_nothing_and_are_throttled,
    administrators_manage_accounts,
    a_token_is_limited_to_its_grants,
    a_session_has_a_host_cookie_under_tls,
    every_write_is_audited,
    the_set_up_link_leads_to_a_form_that_works_without_script,
    metrics_need_a_viewer_of_every_system,
}

const PASSWORD: &str = "correct horse";

async fn sign_in(server: &Server, login: &str, password: &str) -> Response {
    let body = Some(json!({ "login": login, "password": password }));
    server.call(Method::POST, "/api/access/session", "", body, &[]).await
}

fn cookie(answer: &Response) -> String {
    answer.header("set-cookie").split(';').next().unwrap().to_owned()
}

async fn a_session_is_a_cookie_that_no_script_and_no_other_site_can_use(on: On) {
    let server = Server::start(on).await;
    let signed_in = sign_in(&server, "Editor", PASSWORD).await;
    let flags = signed_in.header("set-cookie");
    assert!(
        flags.contains("HttpOnly") && flags.contains("SameSite=Lax") && !flags.contains("Secure"),
        "{flags}"
    );
    let (cookie, csrf) = (cookie(&signed_in), signed_in.json()["csrf"].as_str().unwrap().to_owned());
    expect![[r#"
        201
        {
          "id": "…",
          "name": "editor",
          "grants": {
            "shop": "editor"
          },
          "csrf": "…"
        }"#]]
    .assert_eq(&signed_in.shown());
    let who = server.call(Method::GET, "/api/access/session", "", None, &[("cookie", &cookie)]).await;
    assert_eq!((who.status, who.json()), (200, signed_in.json()));

    let body = json!({ "shelf": "a", "number": 1, "name": "n" });
    let write = |csrf: Option<&str>| {
        let mut headers = vec![("cookie", cookie.as_str())];
        headers.extend(csrf.map(|csrf| ("x-csrf-token", csrf)));
        let headers: Vec<(String, String)> =
            headers.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let (server, body) = (&server, body.clone());
        async move {
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (&**name, &**value)).collect();
            server.call(Method::POST, "/api/shop/entities/Item", "", Some(body), &headers).await
        }
    };
    assert_eq!(refusal(&write(None).await), (403, "csrf_missing".to_owned()));
    assert_eq!(refusal(&write(Some("wrong")).await), (403, "csrf_missing".to_owned()));
    assert_eq!(write(Some(&csrf)).await.status, 201);

    let headers = [("cookie", &*cookie), ("x-csrf-token", &*csrf)];
    let out = server.call(Method::DELETE, "/api/access/session", "", None, &headers).await;
    assert_eq!(out.status, 204);
    assert!(out.header("set-cookie").contains("Max-Age=0"));
    let after = server.call(Method::GET, "/api/access/session", "", None, &[("cookie", &cookie)]).await;
    assert_eq!(after.status, 401);
}

async fn behind_tls_the_cookie_is_secure_and_hsts_is_sent(on: On) {
    let server = Server::with(on, &[SHOP], hansang_server::Settings { tls: true, ..settings() }).await;
    let signed_in = sign_in(&server, "editor", PASSWORD).await;
    assert!(signed_in.header("set-cookie").contains("; Secure"));
    assert!(signed_in.header("strict-transport-security").starts_with("max-age="));
}

async fn guesses_reveal_nothing_and_are_throttled(on: On) {
    let server = Server::start(on).await;
    let wrong = sign_in(&server, "editor", "wrong password").await;
    let unknown = sign_in(&server, "nobody", "wrong password").await;
    let told = |answer: &Response| (answer.status, answer.code(), answer.json()["detail"].clone());
    assert_eq!(told(&wrong), told(&unknown));
    expect![[r#"
        401
        {
          "type": "about:blank",
          "title": "Unauthorized",
          "status": 401,
          "code": "invalid_credentials",
          "detail": "incorrect login or password",
          "traceId": "…"
        }"#]]
    .assert_eq(&wrong.shown());
    let mut last = wrong;
    for _ in 0..10 {
        last = sign_in(&server, "editor", "wrong password").await;
    }
    assert_eq!(refusal(&last), (429, "too_many_attempts".to_owned()));
    assert!(!last.header("retry-after").is_empty());
}

async fn administrators_manage_accounts(on: On) {
    let server = Server::start(on).await;
    let admin = |method: Method, path: String, body: Option<Json>| {
        let server = &server;
        async move { server.call(method, &path, &server.admin, body, &[]).await }
    };
    let accounts = || "/api/access/accounts".to_owned();
    let new = json!({ "login": "Kim", "name": "김", "password": PASSWORD, "grants": { "shop": "viewer" } });
    let made = admin(Method::POST, accounts(), Some(new.clone())).await;
    expect![[r#"
        201 etag "1"
        {
          "id": "…",
          "login": "kim",
          "name": "김",
          "grants": {
            "shop": "viewer"
          },
          "disabled": false,
          "version": 1,
          "created": "…",
          "updated": "…"
        }"#]]
    .assert_eq(&made.shown());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let one = || format!("/api/access/accounts/{id}");
    assert_eq!(admin(Method::POST, accounts(), Some(new)).await.status, 409);
    let list = ok(admin(Method::GET, accounts(), None).await);
    assert_eq!(list["items"].as_array().unwrap().len(), 4);
    let changed = ok(admin(Method::PATCH, one(), Some(json!({ "grants": { "*": "editor" } }))).await);
    assert_eq!(changed["grants"], json!({ "*": "editor" }));
    assert_eq!(admin(Method::PATCH, one(), Some(json!({}))).await.status, 400);
    assert_eq!(admin(Method::PATCH, one(), Some(json!({ "grants": { "shop": "king" } }))).await.status, 400);
    let stale = [("if-match", "\"1\"")];
    let answer = server.call(Method::DELETE, &one(), &server.admin, None, &stale).await;
    assert_eq!(answer.status, 412);
    let password = Some(json!({ "password": "another password" }));
    assert_eq!(admin(Method::PUT, format!("{}/password", one()), password).await.status, 204);
    assert_eq!(sign_in(&server, "kim", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&server, "kim", "another password").await.status, 201);
    assert_eq!(admin(Method::DELETE, format!("{}/sessions", one()), None).await.status, 204);
    assert_eq!(admin(Method::DELETE, one(), None).await.status, 204);
    assert_eq!(admin(Method::GET, one(), None).await.status, 404);
    let own = ok(admin(Method::GET, "/api/access/session".to_owned(), None).await)["id"].clone();
    let last = admin(Method::DELETE, format!("/api/access/accounts/{}", own.as_str().unwrap()), None).await;
    expect![[r#"
        409
        {
          "type": "about:blank",
          "title": "Conflict",
          "status": 409,
          "code": "last_administrator",
          "detail": "this is the last administrator who can sign in: make another account one first",
          "traceId": "…"
        }"#]]
    .assert_eq(&last.shown());
    for body in [json!({ "login": "x" }), json!({ "login": "x", "name": "x", "password": "short" })] {
        assert_eq!(admin(Method::POST, accounts(), Some(body)).await.status, 400);
    }
}

async fn a_token_is_limited_to_its_grants(on: On) {
    let server = Server::start(on).await;
    let signed_in = sign_in(&server, "editor", PASSWORD).await;
    let (cookie, csrf) = (cookie(&signed_in), signed_in.json()["csrf"].as_str().unwrap().to_owned());
    let headers = [("cookie", &*cookie), ("x-csrf-token", &*csrf)];
    let make = |grants: Json, expires: &'static str| {
        let (server, headers) = (&server, &headers);
        let body = json!({ "name": "reader", "grants": grants, "expires": expires });
        async move { server.call(Method::POST, "/api/access/tokens", "", Some(body), headers).await }
    };
    let soon = "2026-12-01T00:00:00Z";
    assert_eq!(refusal(&make(json!({ "shop": "admin" }), soon).await).0, 403);
    assert_eq!(make(json!({ "shop": "viewer" }), "2036-01-01T00:00:00Z").await.status, 400);
    assert_eq!(make(json!({ "shop": "viewer" }), "soon").await.status, 400);
    let made = make(json!({ "shop": "viewer" }), soon).await;
    expect![[r#"
        201
        {
          "id": "…",
          "name": "reader",
          "grants": {
            "shop": "viewer"
          },
          "created": "…",
          "expires": "…",
          "lastUsedOn": null,
          "secret": "…"
        }"#]]
    .assert_eq(&made.shown());
    let secret = made.json()["secret"].as_str().unwrap().to_owned();
    let read = server.call(Method::GET, "/api/shop/patterns/opening", &secret, None, &[]).await;
    assert_eq!(read.status, 200);
    let body = Some(json!({ "hours": "9-5" }));
    let write = server.call(Method::PUT, "/api/shop/entities/Opening/-", &secret, body, &[]).await;
    expect![[r#"
        403
        {
          "type": "about:blank",
          "title": "Forbidden",
          "status": 403,
          "code": "role_missing",
          "detail": "this needs the role editor of shop: ask an administrator for it",
          "traceId": "…"
        }"#]]
    .assert_eq(&write.shown());
    let list = server.call(Method::GET, "/api/access/tokens", "", None, &[("cookie", &cookie)]).await;
    assert!(!list.text.contains(&secret), "a secret is shown once");
}

/// Under TLS the cookie has a name that other hosts of the domain cannot set.
async fn a_session_has_a_host_cookie_under_tls(on: On) {
    let server = Server::with(on, &[SHOP], hansang_server::Settings { tls: true, ..settings() }).await;
    let signed_in = sign_in(&server, "editor", PASSWORD).await;
    let flags = signed_in.header("set-cookie");
    assert!(flags.starts_with("__Host-hansang_session=") && flags.contains("Secure"), "{flags}");
    let ours = cookie(&signed_in);
    let forged = ours.trim_start_matches("__Host-").to_owned();
    for (sent, status) in [(&ours, 200), (&forged, 401)] {
        let headers = [("cookie", &**sent)];
        let who = server.call(Method::GET, "/api/access/session", "", None, &headers).await;
        assert_eq!(who.status, status, "{sent}");
    }
}

async fn every_write_is_audited(on: On) {
    let server = Server::start(on).await;
    server.send(Method::PUT, "/api/shop/entities/Opening/-", json!({ "hours": "9-5" })).await;
    server.send(Method::POST, "/api/shop/entities/Item", json!({ "shelf": "a" })).await;
    server.get("/api/shop/patterns/opening").await;
    let list = "/api/access/audit?system=shop";
    let log = ok(server.call(Method::GET, list, &server.admin, None, &[]).await);
    let shown: Vec<String> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap_or("-").to_owned();
            ["actorName", "via", "operation", "subject", "outcome", "code", "address"].map(text).join(" ")
        })
        .collect();
    assert_eq!(
        shown,
        [
            "editor token Item.create Item REFUSED invalid_fields 127.0.0.1",
            "editor token Opening.put /api/shop/entities/Opening/- DONE - 127.0.0.1",
        ]
    );
    for query in ["", "?day=2026-11-16&system=shop", "?day=today"] {
        let answer =
            server.call(Method::GET, &format!("/api/access/audit{query}"), &server.admin, None, &[]).await;
        assert_eq!(answer.status, 400, "{query}");
    }
    let day = "/api/access/audit?day=2026-11-16&limit=1";
    let day = server.call(Method::GET, day, &server.admin, None, &[]).await;
    expect![[r#"
        200
        {
          "items": [
            {
              "id": "…",
              "at": "…",
              "actor": "…",
              "actorName": "editor",
              "via": "token",
              "viaId": "…",
              "system": "shop",
              "operation": "Item.create",
              "subject": "Item",
              "keys": [],
              "detail": null,
              "address": "127.0.0.1",
              "traceId": "…",
              "outcome": "REFUSED",
              "code": "invalid_fields",
              "ended": "…"
            }
          ],
          "next": "…",
          "previous": null
        }"#]]
    .assert_eq(&day.shown());
}

async fn the_set_up_link_leads_to_a_form_that_works_without_script(on: On) {
    let server = Server::empty(on).await;
    let secret = server.access.set_up_link().await.unwrap().unwrap();
    let page = server.raw(Method::GET, &format!("/set-up?key={}", secret.expose()), &[], Body::empty()).await;
    assert!(page.text.contains(&format!("value=\"{}\"", secret.expose())), "{}", page.text);
    assert!(page.header("content-security-policy").contains("default-src 'none'"));
    let post = |key: &str, password: &str| {
        let form = format!("key={key}&login=first&name=%EA%B9%80&password={password}");
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        let server = &server;
        async move { server.page(Method::POST, "/set-up", &headers, Body::from(form)).await }
    };
    let short = post(secret.expose(), "short").await;
    assert_eq!(short.status, 400);
    assert!(
        short.text.contains("aria-invalid=\"true\"") && short.text.contains("value=\"first\""),
        "{}",
        short.text
    );
    let wrong = post("%3Cb%3E", "long+enough+password").await;
    assert!(wrong.status == 401 && !wrong.text.contains("<b>"), "{} {}", wrong.status, wrong.text);
    let made = post(secret.expose(), "long+enough+password").await;
    assert_eq!((made.status, made.header("location")), (303, "/console?done=set-up"));
    let cookie = cookie(&made);
    let who = server.call(Method::GET, "/api/access/session", "", None, &[("cookie", &cookie)]).await;
    assert_eq!(ok(who)["grants"], json!({ "*": "admin" }));
    assert_eq!(post(secret.expose(), "long+enough+password").await.status, 401);
    assert!(server.access.set_up_link().await.unwrap().is_none());
}

async fn metrics_need_a_viewer_of_every_system(on: On) {
    let server = Server::start(on).await;
    server.get("/api/shop/patterns/opening").await;
    let text = server.call(Method::GET, "/metrics", &server.admin, None, &[]).await.text;
    assert!(text.contains("system=\"shop\"") && text.contains("operation=\"opening\""), "{text}");
    assert!(text.contains("/api/shop/patterns/opening"), "{text}");
    let open = Server::with(on, &[SHOP], hansang_server::Settings { metrics_open: true, ..settings() }).await;
    assert_eq!(open.call(Method::GET, "/metrics", "", None, &[]).await.status, 200);
}
