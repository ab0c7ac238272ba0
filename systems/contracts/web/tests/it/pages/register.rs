//! New versions.

use super::{LIST, REGISTER, Registers as _, at, change_set, rule_set};
use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{has, in_order, lacks};

fn form<'f>(version: &'f str, status: &'f str, spec: &'f str, what: &'f str) -> [(&'f str, &'f str); 6] {
    [
        ("kind", "CHANGESET"),
        ("id", "c"),
        ("version", version),
        ("status", status),
        ("spec", spec),
        ("do", what),
    ]
}

#[tokio::test]
async fn a_version_is_checked_without_being_stored() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let good = editor.post(REGISTER, &form("1.0.0", "ACTIVE", &change_set(1), "check")).await;
    assert_eq!(good.status, 200, "{}", good.text);
    has(&good, &["Ready to register.", "no earlier version to compare with", "value=\"1.0.0\""]);
    has(&editor.get(LIST).await, &["No contracts yet"]);

    let wrong = r#"{"identity": {"entityKeyFormat": 7}, "fanout": {"enabled": "yes"}}"#;
    let checked = editor.post(REGISTER, &form("1.0.0", "ACTIVE", wrong, "check")).await;
    has(
        &checked,
        &[
            "It cannot be registered:",
            "<code>spec.identity.entityKeyFormat</code> must be text",
            "<code>spec.fanout.enabled</code> must be true or false",
        ],
    );
    let draft = editor.post(REGISTER, &form("1.0.0", "DRAFT", wrong, "check")).await;
    has(&draft, &["It can be registered as a draft, but not promoted:"]);
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    let told = korean.post(REGISTER, &form("1.0.0", "DRAFT", wrong, "check")).await;
    has(
        &told,
        &["초안으로 등록할 수 있지만", "<code>spec.identity.entityKeyFormat</code>: 텍스트를 입력하세요"],
    );

    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    let other = change_set(1).replace("#{id}", "/{id}");
    let breaking = editor.post(REGISTER, &form("1.1.0", "ACTIVE", &other, "check")).await;
    in_order(
        &breaking,
        &[
            "its version number does not announce its changes",
            "require a major version",
            "Compatibility with 1.0.0",
            "Breaking",
        ],
    );
    let taken = editor.post(REGISTER, &form("1.0.0", "DRAFT", &other, "check")).await;
    has(
        &taken,
        &[
            "It cannot be registered:",
            "<code>version</code> is registered with another spec: give this one a new version",
        ],
    );
}

#[tokio::test]
async fn the_check_gives_one_verdict() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(1)).await;
    let breaking = change_set(1).replace("#{id}", "/{id}");
    let wrong = r#"{"identity": {"entityKeyFormat": 7}}"#;
    for (version, status, spec, verdict) in [
        ("1.1.0", "ACTIVE", &*change_set(1), "notice good"),
        ("1.1.0", "ACTIVE", &*breaking, "notice warn"),
        ("1.1.0", "ACTIVE", wrong, "notice bad"),
        ("1.1.0", "DRAFT", wrong, "notice warn"),
        ("1.0.0", "ACTIVE", &*breaking, "notice bad"),
    ] {
        let checked = editor.post(REGISTER, &form(version, status, spec, "check")).await;
        has(&checked, &[&format!("class=\"{verdict}\"")]);
        assert_eq!(
            checked.text.matches("class=\"notice ").count(),
            1,
            "{version} {status}: {}",
            checked.text
        );
    }
}

#[tokio::test]
async fn json_and_yaml_are_accepted_and_registration_is_idempotent() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let yaml = "identity:\r\n  entityKeyFormat: '{TYPE}#{id}'\r\npayload:\r\n  externalizationPolicy:\r\n    thresholdBytes: 1\r\n";
    editor.registered("CHANGESET", "c", "1.0.0", "ACTIVE", yaml).await;
    for spec in [change_set(1), change_set(1).replace("\n            ", "\n\t")] {
        let again = editor.register("ChangeSetContract", "c", "1.0.0", "ACTIVE", &spec).await;
        assert_eq!(again.status, 303, "{}", again.text);
        assert!(again.header("location").ends_with("&done=same-again"), "{again:?}");
    }
    let other = editor.register("CHANGESET", "c", "1.0.0", "ACTIVE", &change_set(2)).await;
    assert_eq!(other.status, 409);
    has(&other, &["CHANGESET:c:1.0.0 is registered with another spec: give this one a new version"]);
    in_order(&other, &["thresholdBytes&#34;: 2", "</textarea>"]);

    // The form for the next version starts with the spec of the last one.
    let next = editor.get(&format!("{REGISTER}?kind=CHANGESET&id=c")).await;
    has(&next, &["value=\"CHANGESET\"", "Registered versions: 1.0.0", "thresholdBytes"]);
    let from = editor.get(&at("register", "CHANGESET", "c", "1.0.0")).await;
    has(&from, &["value=\"c\"", "thresholdBytes"]);
    let page = editor.get(&format!("{}&done=same-again", at("version", "CHANGESET", "c", "1.0.0"))).await;
    has(&page, &["Already registered with the same content."]);
}

#[tokio::test]
async fn problems_are_shown_at_their_fields() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let korean = Visitor::sign_in(&server, "editor", "ko").await;
    let wrong = [("kind", "9lower"), ("id", "a#b"), ("version", "1"), ("spec", "a: [1"), ("do", "register")];
    let told = editor.post(REGISTER, &wrong).await;
    assert_eq!(told.status, 400);
    for (field, problem) in [
        ("kind", "Must be a name such as CHANGESET"),
        ("id", "Must not contain <code>#</code>"),
        ("version", "Must be a version such as 1.4.0"),
        ("spec", "Is not JSON or YAML"),
    ] {
        in_order(&told, &[&format!("id=\"f-{field}-problem\">{problem}")]);
    }
    has(&told, &["value=\"a#b\"", "a: [1"]);
    let told = korean.post(REGISTER, &wrong).await;
    has(
        &told,
        &[
            "영문자로 시작해",
            "<code>#</code>은 키를 나누는 문자라서",
            "1.4.0",
            "JSON이나 YAML이 아닙니다",
            "등록하지 않았습니다",
        ],
    );
    for (spec, problem) in [("", "Is required"), ("[1, 2]", "Must be a map"), ("- 1", "Must be a map")] {
        let told = editor.register("CHANGESET", "c", "1.0.0", "DRAFT", spec).await;
        assert_eq!(told.status, 400, "{spec}");
        has(&told, &[&format!("id=\"f-spec-problem\">{problem}")]);
    }
    // Problems inside the spec, each with its path.
    let inside = editor.register("RULESET", "r", "1.0.0", "ACTIVE", r#"{"slices": [{}]}"#).await;
    assert_eq!(inside.status, 400);
    has(
        &inside,
        &[
            "Not registered.",
            "<li><code>spec.entityType</code> is required</li>",
            "<li><code>spec.slices[0]</code> must have",
        ],
    );
    let missing = editor.register("RULESET", "r", "1.0.0", "ACTIVE", &rule_set("c@1.0.0")).await;
    assert_eq!(missing.status, 409);
    has(&missing, &["refers to CHANGESET:c:1.0.0, which does not exist: register it first"]);
    // A number that other programs would round.
    let number = editor.register("ODD", "o", "1.0.0", "DRAFT", r#"{"n": 12345678901234567890123}"#).await;
    assert_eq!(number.status, 400, "{}", number.text);
    has(&number, &["write it as text"]);
    lacks(&editor.get(LIST).await, &["RULESET"]);
}

/// After signing in again, forms are shown with their values, and nothing is registered.
#[tokio::test]
async fn a_form_is_shown_again_with_its_values() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let typed =
        [("kind", "CHANGESET"), ("id", "kept"), ("version", "1.0.0"), ("spec", "a: <1>"), ("do", "register")];
    let form = editor.post(&format!("{REGISTER}?.draft=1"), &typed).await;
    assert_eq!(form.status, 200);
    has(&form, &["Your input is still here", "value=\"kept\"", "a: &#60;1&#62;</textarea>"]);
    let seed =
        editor.post("/console/contracts/seed?.draft=1", &[("text", "kind: KEPT"), ("confirm", "yes")]).await;
    has(&seed, &["kind: KEPT</textarea>"]);
    lacks(&editor.get(LIST).await, &[">CHANGESET</a>", ">KEPT</a>"]);
}
