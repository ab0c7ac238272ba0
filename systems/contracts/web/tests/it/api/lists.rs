//! Lists of kinds, versions and references.

use serde_json::json;

use super::{CHANGES, KINDS, change_set, each, register, rule_set, view, with_versions};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::{ok, refusal};

hansang_testserver::on_each_store! {
    versions_are_listed_in_the_order_of_semver,
    a_kind_is_listed_by_status_a_page_at_a_time,
    unknown_kinds_are_listed,
    references_and_referrers_are_listed,
}

/// Rs1
async fn versions_are_listed_in_the_order_of_semver(on: On) {
    let server = Server::contracts(on).await;
    assert_eq!(ok(server.get(CHANGES).await), json!({ "items": [] }));
    with_versions(&server, &[("1.10.0", "ACTIVE"), ("1.9.0", "DRAFT"), ("1.10.0-rc.1", "DEPRECATED")]).await;
    let list = ok(server.get(CHANGES).await);
    assert_eq!(each(&list, "version"), ["1.9.0", "1.10.0-rc.1", "1.10.0"]);
    assert_eq!(each(&list, "status"), ["DRAFT", "DEPRECATED", "ACTIVE"]);
    assert!(list["items"][0].get("spec").is_none() && list["items"][0].get("statusChangedAt").is_none());
}

/// R8
async fn a_kind_is_listed_by_status_a_page_at_a_time(on: On) {
    let server = Server::contracts(on).await;
    with_versions(&server, &[("1.0.0", "DRAFT"), ("1.1.0", "DEPRECATED")]).await;
    for number in 0..5 {
        let path = format!("CHANGESET/c{number}");
        ok(register(&server, &path, "1.0.0", "ACTIVE", change_set(number)).await);
    }
    let active = format!("{KINDS}/CHANGESET?status=ACTIVE&limit=2");
    let mut path = active.clone();
    let (mut found, mut pages) = (Vec::new(), 0);
    loop {
        let page = ok(server.get(&path).await);
        found.extend(each(&page, "id"));
        pages += 1;
        let Some(next) = page["next"].as_str() else { break };
        path = format!("{active}&cursor={next}");
    }
    found.sort();
    assert_eq!((found, pages), (["c0", "c1", "c2", "c3", "c4"].map(str::to_owned).to_vec(), 3));
    let all = ok(server.get(&format!("{KINDS}/CHANGESET")).await);
    assert_eq!((each(&all, "id").len(), &all["next"]), (7, &json!(null)));
    assert_eq!(ok(server.get(&format!("{KINDS}/RULESET")).await), json!({ "items": [], "next": null }));
    // A cursor of one list is invalid in another.
    let next = ok(server.get(&active).await)["next"].as_str().unwrap().to_owned();
    let other = server.get(&format!("{KINDS}/CHANGESET?status=DRAFT&cursor={next}")).await;
    assert_eq!(refusal(&other), (400, "invalid_cursor".to_owned()));
}

/// Rs30
async fn unknown_kinds_are_listed(on: On) {
    let server = Server::contracts(on).await;
    assert_eq!(ok(server.get(KINDS).await), json!({ "kinds": [] }));
    ok(register(&server, "RULE_OF_2031/x", "1.0.0", "ACTIVE", json!({ "anything": [1, { "goes": null }] }))
        .await);
    with_versions(&server, &[("1.0.0", "DRAFT")]).await;
    assert_eq!(ok(server.get(KINDS).await), json!({ "kinds": ["CHANGESET", "RULE_OF_2031"] }));
    let loaded = ok(server.get(&format!("{KINDS}/RULE_OF_2031/x/1.0.0")).await);
    assert_eq!(loaded["spec"], json!({ "anything": [1, { "goes": null }] }));
}

async fn references_and_referrers_are_listed(on: On) {
    let server = Server::contracts(on).await;
    ok(register(&server, "RULESET/rules", "1.0.0", "ACTIVE", rule_set()).await);
    ok(register(&server, "VIEW_DEFINITION/detail", "1.0.0", "ACTIVE", view("^1.0")).await);
    ok(register(&server, "VIEW_DEFINITION/search", "2.0.0", "DRAFT", view("1.0.0")).await);
    let named = ok(server.get(&format!("{KINDS}/VIEW_DEFINITION/detail/1.0.0/references")).await);
    let expected = json!({ "kind": "RULESET", "id": "rules", "version": "^1.0", "path": "ruleSetRef" });
    assert_eq!(named, json!({ "items": [expected] }));
    let naming = ok(server.get(&format!("{KINDS}/RuleSet/rules/referrers")).await);
    let from = |id: &str, version: &str, wanted: &str| json!({ "kind": "VIEW_DEFINITION", "id": id, "version": version, "wanted": [wanted] });
    assert_eq!(
        naming,
        json!({ "items": [from("detail", "1.0.0", "^1.0"), from("search", "2.0.0", "1.0.0")] })
    );
    assert_eq!(ok(server.get(&format!("{KINDS}/RULESET/none/referrers")).await), json!({ "items": [] }));
    let missing = server.get(&format!("{KINDS}/RULESET/none/1.0.0/references")).await;
    assert_eq!(refusal(&missing), (404, "contract_not_found".to_owned()));
    // A draft may have invalid references.
    let wrong = json!({ "requiredSlices": [], "ruleSetRef": { "id": "rules" } });
    ok(register(&server, "VIEW_DEFINITION/broken", "1.0.0", "DRAFT", wrong).await);
    let broken = server.get(&format!("{KINDS}/VIEW_DEFINITION/broken/1.0.0/references")).await;
    let field = broken.json()["errors"][0]["field"].as_str().unwrap().to_owned();
    assert!(broken.status == 409 && field.starts_with("spec.ruleSetRef"), "{broken:?}");
}
