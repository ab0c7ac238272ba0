//! Status changes, each with a confirmation page.

use super::{LIST, Registers as _, at, change_set, rule_set};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

#[tokio::test]
async fn a_draft_is_promoted_deprecated_and_restored() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "DRAFT", &change_set(1)).await;
    let to = |page: &str| at(page, "CHANGESET", "c", "1.0.0");
    has(&editor.get(&to("version")).await, &["/console/contracts/promote?", "Draft"]);

    let asked = editor.get(&to("promote")).await;
    has(
        &asked,
        &[
            "its references are served, and it is compatible",
            "Promote version",
            ">Promote</button>",
            "Cancel",
            "cannot become a draft again",
        ],
    );
    has(&editor.get(&to("version")).await, &["tag info\">Draft"]);
    let done = editor.post(&to("promote"), &[]).await;
    assert_eq!((done.status, done.header("location")), (303, &*format!("{}&done=promoted", to("version"))));
    let page = editor.get(&format!("{}&done=promoted", to("version"))).await;
    has(
        &page,
        &["Promoted. The version is now served.", "tag good\">Active", "Status changed by", "/deprecate?"],
    );

    // A second click reports the conflict and changes nothing.
    let second = editor.post(&to("promote"), &[]).await;
    assert_eq!(second.status, 409);
    has(&second, &["already has this status", "Back to version"]);
    lacks(&second, &[">Promote</button>"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(&korean.post(&to("promote"), &[]).await, &["이미 이 상태입니다"]);
    // A status change that is not possible from here.
    let restored = editor.post(&to("restore"), &[]).await;
    assert_eq!(restored.status, 409, "{}", restored.text);

    editor.registered("RULESET", "r", "1.0.0", "ACTIVE", &rule_set("c@1.0.0")).await;
    let asked = editor.get(&to("deprecate")).await;
    in_order(&asked, &["Deprecate version", "Referenced by", "RULESET:r:1.0.0", ">Deprecate</button>"]);
    assert_eq!(editor.post(&to("deprecate"), &[]).await.status, 303);
    has(&editor.get(&to("version")).await, &["tag warn\">Deprecated", "/restore?"]);
    let contract = editor.get(&format!("{LIST}/contract?kind=CHANGESET&id=c")).await;
    has(&contract, &["No version is active"]);

    has(&korean.get(&to("restore")).await, &[">다시 활성화</button>", "최신 버전이 될 수 있습니다"]);
    assert_eq!(editor.post(&to("restore"), &[]).await.status, 303);
    has(&editor.get(&to("version")).await, &["tag good\">Active"]);
    let missing = editor.post(&at("promote", "CHANGESET", "c", "9.9.9"), &[]).await;
    assert_eq!(missing.status, 404, "{}", missing.text);
}

#[tokio::test]
async fn the_promotion_page_previews_the_result() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    editor.registered("RULESET", "r", "1.0.0", "DRAFT", &rule_set("c@1.0.0")).await;
    editor
        .registered("CHANGESET", "broken", "1.0.0", "DRAFT", r#"{"identity": {"entityKeyFormat": 7}}"#)
        .await;
    let rules = at("promote", "RULESET", "r", "1.0.0");
    let asked = editor.get(&rules).await;
    in_order(
        &asked,
        &[
            "Not possible now.",
            "<code>spec.changeSetRef</code> refers to CHANGESET:c:1.0.0, which does not exist: register it first",
        ],
    );
    lacks(&asked, &[">Promote</button>"]);
    has(
        &korean.get(&rules).await,
        &["지금은 할 수 없습니다", "참조하는 CHANGESET:c:1.0.0 계약이 없습니다. 먼저 등록하세요"],
    );
    let refused = editor.post(&rules, &[]).await;
    assert_eq!(refused.status, 409);
    has(&refused, &["register it first"]);
    let broken = editor.get(&at("promote", "CHANGESET", "broken", "1.0.0")).await;
    has(&broken, &["<code>spec.identity.entityKeyFormat</code> must be text"]);

    // A deprecated reference is a warning.
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    assert_eq!(editor.post(&at("deprecate", "CHANGESET", "c", "1.0.0"), &[]).await.status, 303);
    let asked = editor.get(&rules).await;
    in_order(
        &asked,
        &["notice warn", "refers to CHANGESET:c:1.0.0, which is deprecated", ">Promote</button>"],
    );
    has(&korean.get(&rules).await, &["사용이 중단된 CHANGESET:c:1.0.0 계약을 참조합니다"]);
    assert_eq!(editor.post(&rules, &[]).await.status, 303);
}

#[tokio::test]
async fn changes_on_pages_are_in_the_audit_log() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "DRAFT", &change_set(1)).await;
    editor.post(&at("promote", "CHANGESET", "c", "1.0.0"), &[]).await;
    editor.post(&at("promote", "CHANGESET", "c", "1.0.0"), &[]).await;
    editor.post(super::FORGET, &[("what", "all")]).await;
    let text = format!("kind: CHANGESET\nid: d\nversion: 1.0.0\nspec: {}\n", change_set(1).replace('\n', ""));
    editor.post(super::SEED, &[("text", &text), ("confirm", "yes")]).await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let log = admin.get("/console/settings/audit?system=contracts").await;
    has(
        &log,
        &["contracts.register", "contracts.promote", "contracts.invalidate", "contracts.seed", "wrong_state"],
    );
    has(&log, &["CHANGESET:c:1.0.0"]);
}
