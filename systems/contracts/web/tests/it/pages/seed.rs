//! Several contracts at once.

use super::{LIST, SEED, at};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

/// The rule set comes before the contracts that it refers to.
const TEXT: &str = "# The rules of products.
kind: RuleSetContract
id: r
version: 1.0.0
entityType: PRODUCT
slices: [CORE]
changeSetRef: c@1.0.0
---
kind: CHANGESET
id: c
version: 1.0.0
status: ACTIVE
identity: { entityKeyFormat: 'a#b' }
---
{\"kind\": \"ODD\", \"id\": \"o\", \"version\": \"1.0.0\", \"status\": \"DRAFT\", \"n\": 1}
---
";

/// R23
#[tokio::test]
async fn documents_are_shown_before_they_are_registered() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    has(&editor.get(SEED).await, &["A preview stores nothing."]);
    let text = TEXT.replace('\n', "\r\n");
    let preview = editor.post(SEED, &[("text", &text)]).await;
    in_order(
        &preview,
        &["Preview", "3 to register", "RULESET:r:1.0.0", "CHANGESET:c:1.0.0", "ODD:o:1.0.0", "Register 3"],
    );
    has(&editor.get(LIST).await, &["No contracts yet"]);

    let done = editor.post(SEED, &[("text", &text), ("confirm", "yes")]).await;
    has(&done, &["3 registered", "All contracts are registered."]);
    has(&editor.get(&at("version", "RULESET", "r", "1.0.0")).await, &["CHANGESET:c:1.0.0", ">editor<"]);
    has(&editor.get(&at("version", "ODD", "o", "1.0.0")).await, &["Draft"]);

    // The same documents again, one of them changed.
    let again = text.replace("a#b", "elsewhere");
    let preview = editor.post(SEED, &[("text", &again)]).await;
    has(
        &preview,
        &[
            "2 unchanged",
            "1 conflicts",
            "it is registered with another spec".replacen('i', "I", 1).as_str(),
            "disabled>Register 0",
        ],
    );
    let done = editor.post(SEED, &[("text", &again), ("confirm", "yes")]).await;
    has(&done, &["1 conflicts", "were not registered"]);
    in_order(&done, &["<textarea", "elsewhere"]);
    lacks(&editor.get(&at("version", "CHANGESET", "c", "1.0.0")).await, &["elsewhere"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(&korean.post(SEED, &[("text", &again)]).await, &["충돌", "변경 없음", "다른 스펙(", "미리보기"]);
}

#[tokio::test]
async fn unreadable_documents_are_reported_one_by_one() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    for nothing in ["", " \n", "---\n# nothing but words\n---\n"] {
        let refused = editor.post(SEED, &[("text", nothing)]).await;
        assert_eq!(refused.status, 400);
        has(&refused, &["There is nothing to seed: paste contracts or choose a file"]);
    }
    let text = "a: [1\n---\nkind: CHANGESET\n---\nkind: RULESET\nid: <b>\nversion: 1.0.0\nentityType: X\nslices: [CORE]\nchangeSetRef: c@1.0.0\n---\nkind: ODD\nid: o\nversion: 1.0.0\n";
    let preview = editor.post(SEED, &[("text", text)]).await;
    assert_eq!(preview.status, 200);
    has(
        &preview,
        &[
            "1 to register",
            "3 errors",
            "<code>id</code> is missing; <code>version</code> is missing",
            "which does not exist: register it first",
        ],
    );
    lacks(&preview, &["<b>"]);
    let done = editor.post(SEED, &[("text", text), ("confirm", "yes")]).await;
    has(&done, &["1 registered", "3 errors"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    has(
        &korean.post(SEED, &[("text", text)]).await,
        &["<code>id</code>: 값이 없습니다; <code>version</code>: 값이 없습니다"],
    );
}
