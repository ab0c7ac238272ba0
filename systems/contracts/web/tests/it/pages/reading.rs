//! Lists, contracts and versions.

use axum::http::Method;
use hansang_contracts::checksum::checksum;
use hansang_core::{Item, Value};
use serde_json::json;

use super::{LIST, Registers as _, at, change_set, rule_set};
use crate::api::fail_closed::tamper;
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

#[tokio::test]
async fn the_list_filters_by_kind_and_status_and_has_unknown_kinds() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get(LIST).await, &["No contracts yet", "href=\"/console/contracts/register\"", "Seed"]);
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", "c", "1.1.0", "DRAFT", &change_set(2)).await;
    editor.registered("ODD_THING", "o", "0.1.0", "ACTIVE", "anything: goes").await;

    let all = editor.get(LIST).await;
    has(
        &all,
        &[
            ">CHANGESET</a>",
            ">ODD_THING</a>",
            "aria-current=\"true\">CHANGESET",
            "aria-current=\"true\">Any status",
        ],
    );
    in_order(&all, &[">1.0.0</a>", "tag good\">Active", ">1.1.0</a>", "tag info\">Draft"]);
    // Shows the author's name and the first digits of the checksum.
    has(&all, &["<span class=\"cut\">editor</span>"]);
    let api = server.get("/api/contracts/kinds/CHANGESET/c").await.json();
    let sum = api["items"][0]["checksum"].as_str().unwrap().trim_start_matches("sha256:");
    has(&all, &[&format!("<code>{}</code>", &sum[..12])]);

    let drafts = editor.get(&format!("{LIST}?kind=CHANGESET&status=DRAFT")).await;
    has(&drafts, &[">1.1.0</a>"]);
    lacks(&drafts, &[">1.0.0</a>"]);
    has(&editor.get(&format!("{LIST}?kind=ODD_THING")).await, &[">0.1.0</a>"]);
    let none = editor.get(&format!("{LIST}?kind=NOT_YET&status=DEPRECATED")).await;
    has(&none, &["No versions", "Choose another kind or status", "aria-current=\"true\">NOT_YET"]);
    for wrong in ["kind=9lower", "status=GONE", "kind=CHANGESET&cursor=nonsense"] {
        let refused = editor.get(&format!("{LIST}?{wrong}")).await;
        assert_eq!(refused.status, 400, "{wrong}: {}", refused.text);
    }
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&korean.get(LIST).await, &["활성", "초안", "체크섬", "등록자"]);
}

#[tokio::test]
async fn a_long_list_has_pages() {
    let server = Server::contracts(On::Embedded).await;
    for number in 0..60 {
        let body = json!({ "version": format!("1.{number}.0"), "spec": { "number": number } });
        let made = server.send(Method::POST, "/api/contracts/kinds/ODD_THING/o", body).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let rows = |text: &str| text.matches("role=\"rowheader\"").count();
    let first = viewer.get(LIST).await;
    assert_eq!(rows(&first.text), 50);
    lacks(&first, &["rel=\"first\""]);
    let next = first.text.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let second = viewer.get(&next.replace("&#38;", "&")).await;
    assert_eq!(rows(&second.text), 10, "{}", second.text);
    has(&second, &["rel=\"first\" href=\"/console/contracts?kind=ODD_THING\""]);
    lacks(&second, &["rel=\"next\""]);
}

/// Rs1
#[tokio::test]
async fn a_contract_shows_its_versions_in_semver_order_and_its_referrers() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    for (version, status, threshold) in
        [("1.9.0", "ACTIVE", 1), ("1.10.0", "ACTIVE", 2), ("2.0.0-rc.1", "DRAFT", 3)]
    {
        editor.registered("CHANGESET", "c", version, status, &change_set(threshold)).await;
    }
    editor.registered("RULESET", "r", "1.0.0", "ACTIVE", &rule_set("c@^1.9")).await;
    let page = editor.get(&format!("{LIST}/contract?kind=CHANGESET&id=c")).await;
    in_order(&page, &[">2.0.0-rc.1<", ">1.10.0<", ">Latest<", ">1.9.0<"]);
    in_order(&page, &["Referenced by", "RULESET:r:1.0.0", "^1.9"]);
    has(&page, &["New version", "Compare versions"]);
    has(
        &editor.get(&format!("{LIST}/contract?kind=RULESET&id=r")).await,
        &["No contract references this one"],
    );

    let gone = editor.get(&format!("{LIST}/contract?kind=CHANGESET&id=d")).await;
    assert_eq!(gone.status, 404);
    has(&gone, &["There is no contract CHANGESET:d"]);
    let wrong = editor.get(&format!("{LIST}/contract?kind=CHANGESET&id=")).await;
    assert_eq!(wrong.status, 400, "{}", wrong.text);
}

#[tokio::test]
async fn a_version_shows_its_spec_references_and_referrers() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", "c", "1.1.0", "ACTIVE", &change_set(2)).await;
    let hostile = rule_set("c@^1.0").replace("PRODUCT", "<script>alert(1)</script>");
    editor.registered("RULESET", "a/b?c&d", "1.0.0", "ACTIVE", &hostile).await;
    let draft = r#"{"entityType": "X", "changeSetRef": 7}"#;
    editor.registered("RULESET", "draft", "1.0.0", "DRAFT", &rule_set("absent@1.0.0")).await;
    editor.registered("RULESET", "unfinished", "1.0.0", "DRAFT", draft).await;

    let page = editor.get(&at("version", "RULESET", "a/b?c&d", "1.0.0")).await;
    assert_eq!(page.status, 200);
    has(&page, &["Checksum verified", "sha256:", "Active", "Latest", "Registered by", "alert(1)"]);
    lacks(&page, &["<script>alert"]);
    // The range resolves to the highest served version.
    in_order(&page, &["References", "id=c&#38;version=1.1.0", "CHANGESET:c:^1.0", "→ 1.1.0", "changeSetRef"]);

    let named = editor.get(&at("version", "CHANGESET", "c", "1.1.0")).await;
    in_order(&named, &["Referenced by", "RULESET:a/b?c&#38;d:1.0.0", "^1.0"]);
    in_order(&named, &["Compare", "<option selected>1.0.0</option>"]);

    let missing = editor.get(&at("version", "RULESET", "draft", "1.0.0")).await;
    in_order(&missing, &["<span>CHANGESET:absent:1.0.0</span>", "tag bad\">Missing"]);
    let unfinished = editor.get(&at("version", "RULESET", "unfinished", "1.0.0")).await;
    in_order(&unfinished, &["notice bad", "<code>changeSetRef</code> must refer to a contract"]);
    let korean = Visitor::sign_in(&server, "viewer", "ko").await;
    has(
        &korean.get(&at("version", "RULESET", "draft", "1.0.0")).await,
        &["체크섬 확인됨", "참조", "없음", "스펙"],
    );

    let gone = editor.get(&at("version", "RULESET", "draft", "1.0.1")).await;
    assert_eq!(gone.status, 404, "{}", gone.text);
    has(&gone, &["There is no contract RULESET:draft:1.0.1"]);
}

/// R15
#[tokio::test]
async fn tampered_versions_are_reported_and_not_shown() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let id = "changeset.v1";
    editor.registered("CHANGESET", id, "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", id, "1.1.0", "ACTIVE", &change_set(2)).await;
    let address = at("version", "CHANGESET", id, "1.0.0");
    has(&editor.get(&address).await, &["Checksum verified"]);
    let more: fn(&mut Item) = |item| {
        let Some(Value::M(spec)) = item.get_mut("spec") else { panic!("no spec") };
        spec.insert("smuggled".into(), true.into());
    };
    let other: fn(&mut Item) = |item| {
        let spec = Item::from([("smuggled".into(), true.into()), ("identity".into(), 7.into())]);
        item.insert("checksum".into(), checksum(&spec).unwrap().into());
        item.insert("spec".into(), Value::M(spec));
    };
    for (change, status, english, korean) in [
        (more, 409, "is not what was registered", "등록한 내용과 다릅니다"),
        (other, 422, "cannot be read", "읽을 수 없습니다"),
    ] {
        tamper(&server, change).await;
        // The page shows the cached version until an invalidation.
        let form = [("kind", "CHANGESET"), ("id", id), ("version", "1.0.0"), ("next", &*address)];
        let again = editor.post(super::FORGET, &form).await;
        assert_eq!((again.status, again.header("location")), (303, &*format!("{address}&done=forgotten")));
        let page = editor.get(&address).await;
        assert_eq!(page.status, status, "{}", page.text);
        has(&page, &[english, "role=\"alert\"", "Not served", "Restore the item from a backup"]);
        lacks(&page, &["smuggled", "Checksum verified", "/deprecate?", "<pre"]);
        let visitor = Visitor::sign_in(&server, "viewer", "ko").await;
        has(&visitor.get(&address).await, &[korean, "백업에서"]);
        // Corrupted versions are not compared.
        let compared = format!("{LIST}/diff?kind=CHANGESET&id={id}&from=1.0.0&to=1.1.0");
        let compared = editor.get(&compared).await;
        assert_eq!(compared.status, status, "{}", compared.text);
        has(&compared, &[english, "<option selected>1.1.0</option>"]);
        lacks(&compared, &["smuggled"]);
    }
}

#[tokio::test]
async fn contracts_are_found_by_search() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "orders.v1", "1.0.0", "ACTIVE", &change_set(1)).await;
    editor.registered("CHANGESET", "orders.v1", "1.1.0", "ACTIVE", &change_set(2)).await;
    let found = editor.get("/console/search?q=ORDERS").await;
    let address = "href=\"/console/contracts/contract?kind=CHANGESET&#38;id=orders.v1\"";
    in_order(&found, &["<h2>Contract</h2>", address]);
    assert_eq!(found.text.matches(address).count(), 1, "{}", found.text);
}
