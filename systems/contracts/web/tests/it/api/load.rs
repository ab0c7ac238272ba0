//! Loading a version, as runtimes do.

use axum::body::Body;
use axum::http::Method;
use expect_test::expect;
use serde_json::json;

use super::{CHANGES, FIRST, KINDS, change_set, post, register, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{Response, ok, refusal};

hansang_testserver::on_each_store! {
    a_version_is_loaded_with_its_checksum_as_tag,
    a_spec_is_cached_for_good,
    drafts_are_served_only_on_request,
    deprecated_versions_have_a_header,
    the_latest_version_is_the_highest_active_one,
}

/// A spec never changes.
const FOR_GOOD: &str = "private, max-age=31536000, immutable";
/// A status may change.
const EACH_TIME: &str = "private, no-cache";

async fn tagged(server: &Server, tags: &str) -> Response {
    server.call(Method::GET, FIRST, &server.viewer, None, &[("if-none-match", tags)]).await
}

async fn a_version_is_loaded_with_its_checksum_as_tag(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let loaded = server.get(FIRST).await;
    expect![[r#"
        200 etag "sha256:93fc9a604fd339050ab87269b26245f1731f89b605089381456f262cedadea03-ACTIVE"
        {
          "kind": "CHANGESET",
          "id": "changeset.v1",
          "version": "1.0.0",
          "checksum": "sha256:93fc9a604fd339050ab87269b26245f1731f89b605089381456f262cedadea03",
          "createdAt": "…",
          "createdBy": "…",
          "spec": {
            "fanout": {
              "enabled": true
            },
            "identity": {
              "entityKeyFormat": "{ENTITY_TYPE}#{tenantId}#{entityId}"
            },
            "payload": {
              "externalizationPolicy": {
                "thresholdBytes": 100
              }
            }
          }
        }"#]]
    .assert_eq(&loaded.shown());
    assert_eq!(loaded.header("etag"), format!("\"{}-ACTIVE\"", loaded.json()["checksum"].as_str().unwrap()));
    assert_eq!(loaded.header("contract-status"), "ACTIVE");
    assert_eq!(loaded.header("cache-control"), EACH_TIME);
    assert_eq!(loaded.header("deprecation"), "");

    let tag = loaded.header("etag");
    for tags in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".to_owned()] {
        let same = tagged(&server, &tags).await;
        assert_eq!((same.status, same.text.as_str()), (304, ""), "{tags}");
        assert_eq!((same.header("etag"), same.header("cache-control")), (tag, EACH_TIME));
        assert_eq!(same.header("contract-status"), "ACTIVE");
    }
    for tags in ["\"x\"", "sha256", ""] {
        assert_eq!(tagged(&server, tags).await.status, 200, "{tags}");
    }
}

#[tokio::test]
async fn head_equals_get_without_the_body() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let bearer = format!("Bearer {}", server.viewer);
    let head = server.page(Method::HEAD, FIRST, &[("authorization", &bearer)], Body::empty()).await;
    let get = server.get(FIRST).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    for name in ["etag", "contract-status", "cache-control", "content-length"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
    let missing = format!("{CHANGES}/9.0.0");
    let head = server.page(Method::HEAD, &missing, &[("authorization", &bearer)], Body::empty()).await;
    assert_eq!(head.status, 404);
}

/// The spec by itself may be cached for good, with its checksum as tag; its status is not in the response.
async fn a_spec_is_cached_for_good(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE"), ("1.1.0", "DRAFT")]).await;
    let path = format!("{FIRST}/spec");
    let loaded = server.get(&path).await;
    assert_eq!((loaded.status, loaded.json()), (200, change_set(100)));
    let checksum = ok(server.get(FIRST).await)["checksum"].as_str().unwrap().to_owned();
    assert_eq!(loaded.header("etag"), format!("\"{checksum}\""));
    assert_eq!((loaded.header("cache-control"), loaded.header("contract-status")), (FOR_GOOD, ""));
    ok(post(&server, &format!("{FIRST}/deprecate")).await);
    let headers = [("if-none-match", loaded.header("etag"))];
    let same = server.call(Method::GET, &path, &server.viewer, None, &headers).await;
    assert_eq!((same.status, same.header("cache-control")), (304, FOR_GOOD));
    let draft = format!("{CHANGES}/1.1.0/spec");
    assert_eq!(refusal(&server.get(&draft).await), (404, "contract_is_draft".to_owned()));
    let draft = server.get(&format!("{draft}?draft=true")).await;
    assert_eq!((draft.status, draft.header("cache-control")), (200, "no-store"));
    assert_eq!(server.get(&format!("{CHANGES}/9.0.0/spec")).await.status, 404);
}

/// Rs5
async fn drafts_are_served_only_on_request(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "DRAFT")]).await;
    assert_eq!(refusal(&server.get(FIRST).await), (404, "contract_is_draft".to_owned()));
    let path = format!("{FIRST}?draft=true");
    let draft = server.get(&path).await;
    assert_eq!((draft.status, draft.header("contract-status")), (200, "DRAFT"));
    assert_eq!(draft.header("cache-control"), "no-store");
    assert_eq!(draft.json()["spec"], change_set(100));
    let any = server.call(Method::GET, FIRST, &server.viewer, None, &[("if-none-match", "*")]).await;
    assert_eq!(any.status, 404, "a draft is not found, even with `If-None-Match: *`");
    ok(post(&server, &format!("{FIRST}/promote")).await);
    let served = server.get(FIRST).await;
    assert_eq!((served.status, served.header("contract-status")), (200, "ACTIVE"));
    assert_eq!((served.json(), served.header("cache-control")), (draft.json(), EACH_TIME));
}

/// Rs6
async fn deprecated_versions_have_a_header(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    let before = server.get(FIRST).await;
    let moved = ok(post(&server, &format!("{FIRST}/deprecate")).await);
    let after = server.get(FIRST).await;
    assert_eq!((after.status, after.header("contract-status")), (200, "DEPRECATED"));
    let at: jiff::Timestamp = moved["statusChangedAt"].as_str().unwrap().parse().unwrap();
    assert_eq!(after.header("deprecation"), format!("@{}", at.as_second()));
    assert_eq!(after.json(), before.json(), "the cacheable body does not change");
    // The status is part of the tag: a cached response with the old one is not used.
    assert_ne!(after.header("etag"), before.header("etag"));
    let changed = tagged(&server, before.header("etag")).await;
    assert_eq!((changed.status, changed.header("contract-status")), (200, "DEPRECATED"));
    let same = tagged(&server, after.header("etag")).await;
    assert_eq!((same.status, same.header("contract-status")), (304, "DEPRECATED"));
    assert_eq!(same.header("deprecation"), after.header("deprecation"));

    // A version registered as deprecated is deprecated since its registration.
    let came = ok(register(&server, "CHANGESET/changeset.v1", "0.9.0", "DEPRECATED", change_set(9)).await);
    let at: jiff::Timestamp = came["createdAt"].as_str().unwrap().parse().unwrap();
    let old = server.get(&format!("{CHANGES}/0.9.0")).await;
    assert_eq!(old.header("deprecation"), format!("@{}", at.as_second()));
}

/// Rs2
async fn the_latest_version_is_the_highest_active_one(on: On) {
    let server = Server::contracts(on).await;
    let latest = format!("{CHANGES}/latest");
    assert_eq!(refusal(&server.get(&latest).await), (404, "no_active_version".to_owned()));
    with_versions(
        &server,
        &[
            ("1.9.0", "ACTIVE"),
            ("1.10.0", "ACTIVE"),
            ("1.10.1", "DEPRECATED"),
            ("1.11.0", "DRAFT"),
            ("2.0.0", "ACTIVE"),
        ],
    )
    .await;
    for (range, expected) in
        [("", "2.0.0"), ("?range=%5E1.2", "1.10.0"), ("?range=%3C1.10", "1.9.0"), ("?range=1.9.0", "1.9.0")]
    {
        let found = server.get(&format!("{latest}{range}")).await;
        assert_eq!((found.status, found.json()["version"].as_str()), (200, Some(expected)), "{range}");
        assert_eq!((&found.json()["status"], &found.json()["spec"]), (&json!("ACTIVE"), &change_set(100)));
        assert_eq!((found.header("cache-control"), found.header("etag")), ("no-store", ""), "it can change");
    }
    let none = server.get(&format!("{latest}?range=%5E3")).await;
    assert_eq!(refusal(&none), (404, "no_active_version".to_owned()));
    let wrong = server.get(&format!("{latest}?range=newest")).await;
    assert_eq!(
        (refusal(&wrong), wrong.json()["errors"][0]["field"].as_str()),
        ((400, "invalid_fields".to_owned()), Some("range"))
    );
}

/// Every spelling of a known kind finds the same contract; the response has the stored one.
#[tokio::test]
async fn a_kind_may_be_written_in_any_of_its_spellings() {
    let server = Server::contracts(On::Embedded).await;
    let made = ok(register(&server, "ChangeSetContract/a", "1.0.0", "ACTIVE", change_set(1)).await);
    assert_eq!(made["kind"], "CHANGESET");
    for kind in ["CHANGESET", "ChangeSetContract", "ChangeSet", "change_set"] {
        assert_eq!(ok(server.get(&format!("{KINDS}/{kind}/a/1.0.0")).await)["kind"], "CHANGESET");
        assert_eq!(ok(server.get(&format!("{KINDS}/{kind}")).await)["items"][0]["kind"], "CHANGESET");
    }
    let wrong = server.get(&format!("{KINDS}/9changeset/a%23b/1.0")).await;
    let fields: Vec<_> =
        wrong.json()["errors"].as_array().unwrap().iter().map(|one| one["field"].clone()).collect();
    assert_eq!((wrong.status, fields), (400, vec![json!("kind"), json!("id"), json!("version")]));
}

#[tokio::test]
async fn ids_are_escaped_in_paths() {
    let server = Server::contracts(On::Embedded).await;
    let made =
        register(&server, "SOMETHING_NEW/a%2Fb%20%EC%83%81%3F:c", "1.0.0+x", "ACTIVE", json!({ "any": 1 }))
            .await;
    let location = made.header("location").to_owned();
    assert_eq!((made.status, made.json()["id"].as_str()), (201, Some("a/b 상?:c")));
    assert_eq!(ok(server.get(&location).await)["version"], "1.0.0+x");
}

#[tokio::test]
async fn invalid_parameters_are_rejected() {
    let server = Server::contracts(On::Embedded).await;
    with_versions(&server, &[("1.0.0", "ACTIVE")]).await;
    for (path, code) in [
        (format!("{FIRST}?fresh=true"), "unknown_parameter"),
        (format!("{FIRST}?draft=yes"), "invalid_parameter"),
        (format!("{FIRST}?draft=true&draft=true"), "malformed_query"),
        (format!("{CHANGES}?status=ACTIVE"), "unknown_parameter"),
        (format!("{CHANGES}/latest?version=1.0.0"), "unknown_parameter"),
        (format!("{KINDS}?limit=1"), "unknown_parameter"),
        (format!("{KINDS}/CHANGESET?status=active"), "invalid_fields"),
        (format!("{KINDS}/CHANGESET?limit=0"), "invalid_page_size"),
        (format!("{KINDS}/CHANGESET?limit=many"), "invalid_parameter"),
        (format!("{KINDS}/CHANGESET?cursor=abc"), "invalid_cursor"),
        (format!("{KINDS}/CHANGESET?cursor=%2A"), "invalid_cursor"),
    ] {
        assert_eq!(refusal(&server.get(&path).await), (400, code.to_owned()), "{path}");
    }
    let missing = server.get(&format!("{CHANGES}/9.0.0")).await;
    assert_eq!(refusal(&missing), (404, "contract_not_found".to_owned()));
    assert_eq!(missing.json()["detail"], "there is no contract CHANGESET:changeset.v1:9.0.0");
}
