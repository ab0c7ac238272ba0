//! Versions that cannot be trusted and outages have their own errors, and the cache hides neither.

use std::sync::Arc;
use std::time::Duration;

use axum::http::Method;
use hansang_core::plan::{Action, Guards, Key, Write};
use hansang_core::{Item, Store, Value};
use hansang_testkit::faults::{Faults, Faulty};
use serde_json::{Value as Json, json};

use super::{CHANGES, FIRST, KINDS, change_set, forget_all, post, register, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::running::soon;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    tampered_versions_are_never_served,
    a_walk_includes_unreadable_versions,
    the_cache_is_counted_and_invalidated,
}

/// Changes the stored first version directly in the table.
pub(crate) async fn tamper(server: &Server, change: impl FnOnce(&mut Item)) {
    let db = server.contracts_db();
    let key = Key { pk: "CHANGESET#changeset.v1".to_owned(), sk: "1.0.0".to_owned() };
    let get = hansang_core::plan::Get { key: key.clone(), consistent: true, fields: None };
    let mut item = db.store().get(db.table(), &get).await.unwrap().unwrap();
    change(&mut item);
    let put = Write { key, action: Action::Put(item), guards: Guards::default() };
    db.store().write(db.table(), put).await.unwrap();
}

type Change = fn(&mut Item);

/// R13, R14, R15, Rs9, Rs10
async fn tampered_versions_are_never_served(on: On) {
    let another: Change = |item| {
        let Some(Value::M(spec)) = item.get_mut("spec") else { panic!("no spec") };
        spec.insert("more".into(), true.into());
    };
    let nonsense: Change =
        |item| drop(item.insert("spec".into(), Value::M(Item::from([("identity".into(), 7.into())]))));
    let text: Change = |item| drop(item.insert("spec".into(), "text".into()));
    let unsure: Change = |item| drop(item.remove("checksum"));
    let shorter: Change = |item| drop(item.insert("checksum".into(), "sha256:00".into()));
    for (name, change, status, code) in [
        ("another spec", another, 409, "contract_integrity"),
        ("no checksum", unsure, 409, "contract_integrity"),
        ("no such checksum", shorter, 409, "contract_integrity"),
        ("a spec that says nothing", nonsense, 422, "contract_corrupted"),
        ("a spec that is none", text, 422, "contract_corrupted"),
    ] {
        let server = Server::contracts(on).await;
        with_versions(&server, &[("1.0.0", "ACTIVE"), ("1.1.0", "ACTIVE")]).await;
        tamper(&server, change).await;
        let told = (status, code.to_owned());
        for path in [
            FIRST.to_owned(),
            format!("{FIRST}?draft=true"),
            format!("{FIRST}/references"),
            format!("{CHANGES}/latest?range=1.0.0"),
            format!("{CHANGES}/diff?from=1.0.0&to=1.1.0"),
            format!("{CHANGES}/compatibility?from=1.1.0&to=1.0.0"),
        ] {
            let answer = server.get(&path).await;
            let unlisted = path.contains("latest") && answer.code() == "contract_unreadable";
            assert!(refusal(&answer) == told || unlisted, "{name} {path}: {answer:?}");
        }
        let detail = server.get(FIRST).await.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains("CHANGESET:changeset.v1:1.0.0"), "{detail}");
        let body = json!({ "spec": change_set(1), "against": "1.0.0" });
        assert_eq!(
            refusal(&server.send(Method::POST, &format!("{CHANGES}/check"), body).await),
            told,
            "{name}"
        );
        let again = register(&server, "CHANGESET/changeset.v1", "1.0.0", "ACTIVE", change_set(100)).await;
        assert_eq!(refusal(&again), told, "{name}: nothing is registered over it");
        assert_eq!(server.get(&format!("{CHANGES}/1.1.0")).await.status, 200, "{name}: others are served");
    }
}

async fn a_walk_includes_unreadable_versions(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE"), ("1.1.0", "DRAFT")]).await;
    ok(register(&server, "SOMETHING/else", "1.0.0", "ACTIVE", json!({})).await);
    tamper(&server, |item| drop(item.insert("checksum".into(), format!("sha256:{:064}", 0).into()))).await;
    let walk = async |query: &str| {
        let path = format!("/api/contracts/walk{query}");
        server.call(Method::GET, &path, &server.admin, None, &[]).await
    };
    let mut items = Vec::new();
    let mut query = String::new();
    loop {
        let page = ok(walk(&query).await);
        items.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else { break };
        query = format!("?cursor={next}");
    }
    items.sort_by_key(|item| item["place"].as_str().unwrap().to_owned());
    let places: Vec<&Json> = items.iter().map(|item| &item["place"]).collect();
    let expected =
        ["CHANGESET#changeset.v1 / 1.0.0", "CHANGESET#changeset.v1 / 1.1.0", "SOMETHING#else / 1.0.0"];
    assert_eq!(places, expected);
    let error = &items[0]["error"];
    assert_eq!(error["code"], "contract_integrity");
    assert_eq!(error["reference"], "CHANGESET:changeset.v1:1.0.0");
    assert!(error["reason"].as_str().unwrap().contains("was registered"), "{error}");
    assert_eq!(
        (&items[1]["contract"]["status"], &items[1]["contract"]["spec"]),
        (&json!("DRAFT"), &change_set(100))
    );
    for query in ["?cursor=abc", "?cursor=%2A", "?cursor=e30"] {
        assert_eq!(refusal(&walk(query).await), (400, "invalid_cursor".to_owned()), "{query}");
    }
    assert_eq!(refusal(&walk("?limit=1").await), (400, "unknown_parameter".to_owned()));
}

/// Rs11, Rs12
#[tokio::test]
async fn an_outage_is_never_not_found() {
    let mut server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let missing = format!("{CHANGES}/9.0.0");
    let db = server.contracts_db();
    for faults in
        [Faults { throttle: 1.0, ..Faults::default() }, Faults { timeout_before: 1.0, ..Faults::default() }]
    {
        let store: Arc<dyn Store> = Arc::new(Faulty::new(db.store().clone(), faults, 7));
        server.serve_contracts(&db.by_way_of(store)).await;
        for path in [
            FIRST,
            &missing,
            CHANGES,
            KINDS,
            &format!("{KINDS}/CHANGESET"),
            &format!("{CHANGES}/latest"),
            &format!("{CHANGES}/referrers"),
            &format!("{FIRST}/references"),
            &format!("{CHANGES}/diff?from=1.0.0&to=9.0.0"),
        ] {
            let answer = server.get(path).await;
            assert_eq!((answer.status, answer.header("retry-after")), (503, "1"), "{path}: {answer:?}");
        }
        let body = Some(json!({ "version": "2.0.0", "status": "ACTIVE", "spec": change_set(1) }));
        let check = Some(json!({ "spec": change_set(1) }));
        for (path, body) in [
            (CHANGES.to_owned(), body),
            (format!("{CHANGES}/check"), check),
            (format!("{FIRST}/promote"), None),
            (format!("{FIRST}/promote?dryRun=true"), None),
            (format!("{FIRST}/deprecate"), None),
            (format!("{FIRST}/restore"), None),
        ] {
            let answer = server.call(Method::POST, &path, &server.editor, body, &[]).await;
            assert_eq!((answer.status, answer.header("retry-after")), (503, "1"), "{path}: {answer:?}");
        }
        let walk = server.call(Method::GET, "/api/contracts/walk", &server.admin, None, &[]).await;
        assert_eq!(walk.status, 503, "{walk:?}");
    }
    // A failure is not cached.
    server.serve_contracts(&db).await;
    assert_eq!((server.get(FIRST).await.status, server.get(&missing).await.status), (200, 404));
    with_versions(&server, &[("9.0.0", "ACTIVE")]).await;
    assert_eq!(server.get(&missing).await.status, 200);
}

/// Cached versions are served while the store is unavailable.
#[tokio::test]
async fn a_cache_hit_needs_no_store() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let before = ok(server.get(FIRST).await);
    tamper(&server, |item| drop(item.remove("spec"))).await;
    assert_eq!(ok(server.get(FIRST).await), before);
    assert_eq!(forget_all(&server).await, json!({ "dropped": 1 }));
    assert_eq!(refusal(&server.get(FIRST).await), (422, "contract_corrupted".to_owned()));
}

/// A cached load makes no store call for the caller's token either, and is served in an outage. A revocation counts at once.
/// R20
#[tokio::test]
async fn a_cached_load_makes_no_store_call() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let spec = format!("{FIRST}/spec");
    let load = async || (server.get(FIRST).await.status, server.get(&spec).await.status);
    assert_eq!(load().await, (200, 200));
    let before = server.switch.calls();
    assert_eq!(load().await, (200, 200));
    assert_eq!(server.switch.calls(), before, "a load from the cache called the store");
    // Later the token is read again, once.
    server.later(Duration::from_secs(10));
    assert_eq!(load().await, (200, 200));
    assert!(server.switch.calls() > before);

    server.switch.set_down(true);
    server.later(Duration::from_secs(10));
    assert_eq!(load().await, (200, 200));
    let invalid = server.call(Method::GET, FIRST, "hst_of_nobody", None, &[]).await;
    assert_eq!(invalid.status, 503, "an unknown token may be valid");
    // A write needs to know who asks.
    let write = server.call(Method::POST, &format!("{FIRST}/deprecate"), &server.editor, None, &[]).await;
    assert_eq!(write.status, 503);
    server.later(Duration::from_mins(6));
    assert_eq!(load().await, (503, 503), "known too long ago");

    server.switch.set_down(false);
    assert_eq!(load().await, (200, 200));
    server.switch.set_down(true);
    assert_eq!(load().await, (200, 200));
    server.switch.set_down(false);
    let viewer = ok(server.call(Method::GET, "/api/access/session", &server.viewer, None, &[]).await);
    let account = format!("/api/access/accounts/{}", viewer["id"].as_str().unwrap());
    let disabled =
        server.call(Method::PATCH, &account, &server.admin, Some(json!({ "disabled": true })), &[]).await;
    assert_eq!(disabled.status, 200, "{disabled:?}");
    assert_eq!(load().await, (401, 401), "a revocation counts at once");
    server.switch.set_down(true);
    assert_eq!(load().await, (503, 503), "and in an outage");
}

/// A client that hangs up leaves no entry `STARTED`: the work goes on.
#[tokio::test]
async fn a_client_that_hangs_up_leaves_nothing_open() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let entries = async || {
        let path = "/api/access/audit?system=contracts";
        let found = ok(server.call(Method::GET, path, &server.admin, None, &[]).await);
        let of_rules = |entry: &&Json| entry["operation"] == "setRule";
        let found = found["items"].as_array().unwrap().iter().filter(of_rules);
        found.map(|entry| entry["outcome"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(entries().await, [""; 0]);
    // The entry is written, and then the store does not answer.
    server.switch.hold_after(1);
    {
        let rule = Some(json!({ "compatibility": "FULL" }));
        let put = server.call(Method::PUT, "/api/contracts/rules/CHANGESET", &server.admin, rule, &[]);
        tokio::select! {
            answer = put => panic!("{answer:?}"),
            () = soon(server.switch.held()) => {}
        }
    }
    server.switch.release();
    let done = async {
        while entries().await != ["DONE"] {
            tokio::task::yield_now().await;
        }
    };
    soon(done).await;
    let rule = ok(server.get("/api/contracts/rules/CHANGESET").await);
    assert_eq!(rule["compatibility"], "FULL");
}

/// R19
async fn the_cache_is_counted_and_invalidated(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE"), ("1.1.0", "ACTIVE")]).await;
    ok(register(&server, "OTHER/o", "1.0.0", "ACTIVE", json!({})).await);
    let other = format!("{KINDS}/OTHER/o/1.0.0");
    let second = format!("{CHANGES}/1.1.0");
    let load_all = async || {
        for path in [FIRST, &second, &other] {
            ok(server.get(path).await);
        }
    };
    load_all().await;
    load_all().await;
    server.get(&format!("{CHANGES}/9.0.0")).await;
    let numbers = ok(server.get("/api/contracts/cache").await);
    let shown = ["entries", "hits", "misses", "loads", "failures", "evictions", "expirations"];
    let counts: Vec<&Json> = shown.iter().map(|name| &numbers[*name]).collect();
    assert_eq!(counts, [3, 3, 4, 4, 1, 0, 0]);
    assert_eq!(numbers["settings"], json!({ "entries": 100, "ttlSeconds": 300 }));
    assert!(numbers["loadMicroseconds"].as_u64().unwrap() > 0, "{numbers}");

    let forget = async |body: Json| server.send(Method::POST, "/api/contracts/cache/invalidate", body).await;
    let one = json!({ "kind": "ChangeSet", "id": "changeset.v1", "version": "1.0.0" });
    for (body, dropped) in [
        (one.clone(), 1),
        (one, 0),
        (json!({ "kind": "CHANGESET" }), 1),
        (json!({ "kind": "RULESET" }), 0),
        (json!({}), 1),
        (json!({}), 0),
    ] {
        assert_eq!(ok(forget(body.clone()).await), json!({ "dropped": dropped }), "{body}");
    }
    assert_eq!(ok(server.get("/api/contracts/cache").await)["entries"], 0);
    for (body, code) in [
        (json!({ "id": "changeset.v1" }), "invalid_body"),
        (json!({ "kind": "CHANGESET", "id": "changeset.v1" }), "invalid_body"),
        (json!({ "kind": "CHANGESET", "version": "1.0.0" }), "invalid_body"),
        (json!({ "kind": null }), "invalid_body"),
        (json!({ "all": true }), "invalid_body"),
        (json!({ "kind": "9changeset" }), "invalid_fields"),
    ] {
        assert_eq!(refusal(&forget(body.clone()).await), (400, code.to_owned()), "{body}");
    }
    // After a status change no reader sees the old status, without an invalidation.
    load_all().await;
    ok(post(&server, &format!("{FIRST}/deprecate")).await);
    assert_eq!(server.get(FIRST).await.header("contract-status"), "DEPRECATED");
}
