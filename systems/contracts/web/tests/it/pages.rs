//! The registry of contracts, as a browser without scripts sees it.

mod cache;
mod changes;
mod diff;
mod reading;
mod register;
mod rule;
mod seed;

use crate::server::Server;
use hansang_testserver::On;
use hansang_testserver::Visitor;
use hansang_testserver::{Response, has, lacks};

const LIST: &str = "/console/contracts";
const REGISTER: &str = "/console/contracts/register";
const CACHE: &str = "/console/contracts/cache";
const FORGET: &str = "/console/contracts/cache/invalidate";
const SEED: &str = "/console/contracts/seed";

/// A change set with a threshold for external payloads.
fn change_set(threshold: u32) -> String {
    format!(
        r#"{{"identity": {{"entityKeyFormat": "{{TYPE}}#{{id}}"}},
            "payload": {{"externalizationPolicy": {{"thresholdBytes": {threshold}}}}}}}"#
    )
}

/// A rule set that refers to a change set.
fn rule_set(change_set: &str) -> String {
    format!(r#"{{"entityType": "PRODUCT", "changeSetRef": "{change_set}", "slices": [{{"type": "CORE"}}]}}"#)
}

/// The address of a page about a version.
fn at(page: &str, kind: &str, id: &str, version: &str) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs([("kind", kind), ("id", id), ("version", version)]);
    format!("{LIST}/{page}?{}", query.finish())
}

/// Registers versions through the form.
trait Registers {
    async fn register(&self, kind: &str, id: &str, version: &str, status: &str, spec: &str) -> Response;

    /// Registers a valid version.
    async fn registered(&self, kind: &str, id: &str, version: &str, status: &str, spec: &str);
}

impl Registers for Visitor<'_> {
    async fn register(&self, kind: &str, id: &str, version: &str, status: &str, spec: &str) -> Response {
        let fields = [
            ("kind", kind),
            ("id", id),
            ("version", version),
            ("status", status),
            ("spec", spec),
            ("do", "register"),
        ];
        self.post(REGISTER, &fields).await
    }

    async fn registered(&self, kind: &str, id: &str, version: &str, status: &str, spec: &str) {
        let done = self.register(kind, id, version, status, spec).await;
        assert_eq!(done.status, 303, "{}", done.text);
        assert_eq!(done.header("location"), format!("{}&done=registered", at("version", kind, id, version)));
    }
}

#[tokio::test]
async fn roles_limit_access_to_pages() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    editor.registered("CHANGESET", "c", "1.0.0", "DRAFT", &change_set(1)).await;
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let anonymous = Visitor::signed_out(&server);
    let version = |page: &str| at(page, "CHANGESET", "c", "1.0.0");
    let read = [LIST.to_owned(), version("contract"), version("version"), version("diff"), CACHE.to_owned()];
    let write =
        [version("promote"), version("deprecate"), version("restore"), REGISTER.to_owned(), SEED.to_owned()];
    for address in read.iter().chain(&write) {
        let away = anonymous.get(address).await;
        assert_eq!(away.status, 303, "{address}");
        assert!(
            away.header("location").starts_with("/console/sign-in?next=%2Fconsole%2Fcontracts"),
            "{away:?}"
        );
        assert_eq!(editor.get(address).await.status, 200, "{address}");
    }
    for address in &read {
        let seen = viewer.get(address).await;
        assert_eq!(seen.status, 200, "{address}");
        lacks(
            &seen,
            &["/promote?", "/contracts/register", "/contracts/seed", "action=\"/console/contracts/cache"],
        );
    }
    for address in write.iter().map(|address| &**address).chain([FORGET]) {
        let refused = viewer.post(address, &[("what", "all"), ("do", "register")]).await;
        assert_eq!(refused.status, 403, "{address}");
        has(&refused, &["this needs the role editor of contracts".replacen('t', "T", 1).as_str()]);
        if address != FORGET {
            assert_eq!(viewer.get(address).await.status, 403, "{address}");
        }
    }
    let mut forged = Visitor::sign_in(&server, "editor", "en").await;
    forged.csrf = "wrong".to_owned();
    for address in write.iter().map(|address| &**address).chain([FORGET]) {
        assert_eq!(forged.post(address, &[("what", "all")]).await.status, 403, "{address}");
    }
    has(&viewer.get(&version("version")).await, &["Draft"]);
}

#[tokio::test]
async fn the_system_has_a_start_page_and_tabs() {
    let server = Server::contracts(On::Embedded).await;
    let editor = Visitor::sign_in(&server, "editor", "en").await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    // The pages of records are for administrators; others reach them by links.
    lacks(&editor.get(LIST).await, &[">Data<", ">Model<"]);
    let home = editor.get("/console").await;
    assert_eq!(home.text.matches("href=\"/console/contracts\"").count(), 2, "{}", home.text);
    let tabs = [
        "href=\"/console/contracts\"",
        "/console/contracts/cache",
        "/console/contracts/seed",
        ">Data<",
        ">Model<",
    ];
    for (address, tab) in [
        (LIST, "Contracts"),
        (CACHE, "Cache"),
        (SEED, "Seed"),
        ("/console/systems/contracts", "Data"),
        ("/console/systems/contracts/model", "Model"),
    ] {
        let page = admin.get(address).await;
        let (_, rest) = page.text.split_once("<nav class=\"tabs\"").unwrap();
        let (nav, _) = rest.split_once("</nav>").unwrap();
        for part in tabs {
            assert!(nav.contains(part), "{address}: {part}: {nav}");
        }
        assert!(nav.contains(&format!("aria-current=\"page\">{tab}</a>")), "{address}: {nav}");
        assert!(!nav.contains("import"), "what the registry owns is not imported: {nav}");
    }
    // The page of a pattern links back to the data.
    has(
        &editor.get("/console/systems/contracts/patterns/kinds").await,
        &["<a href=\"/console/systems/contracts\">Data</a>"],
    );
    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    let page = viewer.get(LIST).await;
    has(&page, &["계약", "캐시", "아직 계약이 없습니다"]);
    lacks(&page, &["/console/contracts/seed"]);
}
