//! The registry of contracts: a version from its check to its deprecation.

use thirtyfour::Key;

use super::console::{administrator, demo, sign_in, tab_to};
use super::{Browser, Visitor};
use crate::serve::Server;

const SPEC: &str = "identity: { entityKeyFormat: 'ORDER#{orderId}' }";
const RULES: &str = "kind=RULESET&id=ruleset.product.v1";

#[test]
fn a_version_is_registered_checked_promoted_compared_and_deprecated() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.click("Contracts");
    browser.sees("The registry of schemas and contracts. Every version is kept.");
    browser.sees("changeset.v1");
    browser.accessible();
    browser.click("RULESET");
    browser.sees("ruleset.product.v1");
    browser.sees("Deprecated");
    browser.accessible();
    browser.screenshot("contracts");

    // A draft, first with an invalid spec.
    browser.click("Register");
    browser.sees("A registered version never changes.");
    browser.fill("Kind", "CHANGESET");
    browser.fill("ID", "changeset.orders.v1");
    browser.fill("Version", "1.0.0");
    browser.fill("Spec", "identity: { entityKeyFormat: 7 }");
    browser.click("Check");
    browser.sees("It can be registered as a draft, but not promoted:");
    browser.sees("spec.identity.entityKeyFormat must be text");
    browser.accessible();
    browser.fill("Spec", SPEC);
    browser.click("Check");
    browser.sees("Ready to register.");
    browser.accessible();
    browser.click("Register");
    browser.sees("Registered.");
    browser.sees("Checksum verified");
    browser.accessible();

    browser.click("Promote");
    browser.sees("it cannot become a draft again");
    browser.accessible();
    browser.click("Promote");
    browser.sees("Promoted. The version is now served.");
    browser.sees("김한상");
    browser.go("/console/contracts?kind=CHANGESET&status=ACTIVE");
    browser.sees("changeset.orders.v1");
    browser.does_not_see("1.1.0");
    browser.accessible();
    browser.click("changeset.orders.v1");
    browser.sees("No contract references this one.");
    browser.accessible();

    the_rules_of_products(&browser);

    browser.go("/console/contracts/version?kind=CHANGESET&id=changeset.orders.v1&version=1.0.0");
    browser.click("Deprecate");
    browser.sees("You can restore it.");
    browser.accessible();
    browser.click("Deprecate");
    browser.sees("Deprecated. The version is served with a warning.");
    browser.click("Restore");
    browser.sees("The version is active again");
    browser.accessible();
    browser.click("Restore");
    browser.sees("Restored.");

    browser.go("/console/contracts");
    browser.click("Cache");
    browser.sees("Since this server started");
    browser.accessible();
    browser.click("Clear everything");
    browser.sees("removed from the cache.");
    browser.accessible();
}

/// Versions of the demo that refer to others and differ.
fn the_rules_of_products(browser: &Browser) {
    browser.go(&format!("/console/contracts/version?{RULES}&version=1.1.0"));
    browser.sees("CHANGESET:changeset.v1:1.0.0");
    browser.sees("joins[0].contractRef");
    browser.accessible();
    browser.screenshot("contracts-version");
    browser.click("Compare");
    browser.sees("Compatibility");
    browser.sees("/impactMap/CORE");
    browser.accessible();
    browser.screenshot("contracts-diff");
}

#[test]
fn contracts_are_seeded_after_a_preview() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/contracts/seed");
    browser.sees("A preview stores nothing.");
    browser.accessible();
    let two = format!(
        "kind: CHANGESET\nid: changeset.new.v1\nversion: 1.0.0\n{SPEC}\n---\nkind: CHANGESET\nid: changeset.v1\nversion: 1.0.0\n{SPEC}\n"
    );
    browser.fill("Documents", &two);
    browser.click("Preview");
    browser.sees("1 to register");
    browser.sees("It is registered with another spec");
    browser.accessible();
    browser.click("Register 1");
    browser.sees("1 registered");
    browser.accessible();
    browser.click("CHANGESET:changeset.new.v1:1.0.0");
    browser.sees("Checksum verified");
}

#[test]
fn korean_dark_theme_on_a_phone() {
    let (_directory, server) = demo();
    let visitor = Visitor { language: "ko", dark: true, width: 380, height: 820, ..Visitor::default() };
    let browser = administrator(&server, visitor);
    let draft = "kind=CHANGESET&id=changeset.v1&version=1.1.0";
    let pages = [
        "/console/contracts".to_owned(),
        "/console/contracts?kind=VIEW_DEFINITION&status=DRAFT".to_owned(),
        format!("/console/contracts/contract?{RULES}"),
        format!("/console/contracts/version?{RULES}&version=1.1.0"),
        format!("/console/contracts/diff?{RULES}"),
        "/console/contracts/register?kind=CHANGESET&id=changeset.v1".to_owned(),
        "/console/contracts/cache".to_owned(),
        "/console/contracts/seed".to_owned(),
        "/console/systems/contracts".to_owned(),
        format!("/console/contracts/version?{draft}"),
        format!("/console/contracts/promote?{draft}"),
        "/console/contracts/rule?kind=CHANGESET".to_owned(),
    ];
    for page in pages {
        browser.go(&page);
        browser.no_sideways_scroll();
        browser.accessible();
    }
    browser.go(&format!("/console/contracts/promote?{draft}"));
    browser.sees("버전 승격");
    browser.click("승격");
    browser.sees("승격했습니다. 이제 제공됩니다.");
    // The address of the confirmation page still works, and reports the status.
    browser.go(&format!("/console/contracts/promote?{draft}"));
    browser.sees("이 버전은 이미 이 상태입니다");
    browser.accessible();
    browser.go("/console/contracts?kind=CHANGESET&status=ACTIVE");
    browser.sees("1.1.0");
    browser.go(&format!("/console/contracts/deprecate?{draft}"));
    browser.click("사용 중단");
    browser.sees("사용을 중단했습니다");
    browser.go("/console/contracts/cache");
    browser.click("모두 지우기");
    browser.sees("캐시에서 버전");
    browser.no_sideways_scroll();
    browser.accessible();
}

#[test]
fn a_rule_blocks_a_promotion() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    browser.go("/console/contracts/rule?kind=CHANGESET");
    browser.fill("New versions must be compatible", "Full: backward and forward");
    browser.click("Save");
    browser.sees("Saved.");
    for (version, spec) in
        [("2.0.0", SPEC), ("2.0.1", "identity: { entityKeyFormat: 'PRODUCT#{productId}' }")]
    {
        browser.go("/console/contracts/register?kind=CHANGESET&id=changeset.ruled.v1");
        browser.fill("Version", version);
        browser.fill("Spec", spec);
        browser.click("Register");
        browser.sees("Registered.");
        browser.click("Promote");
        if version == "2.0.0" {
            browser.click("Promote");
            browser.sees("Promoted.");
        }
    }
    browser.sees("Not possible now.");
    browser.sees("Make an exception");
    browser.accessible();
    exceptions(&server, &browser);
}

/// An administrator makes an exception on a phone, in Korean, by the keyboard alone, and another one without scripts.
fn exceptions(server: &Server, browser: &Browser) {
    browser.click("김한상");
    browser.click("한국어");
    browser.sees("예외 허용");
    browser.resize(390, 844);
    browser.no_sideways_scroll();
    browser.accessible();
    // Without a reason it is refused as before.
    tab_to(browser, "승격");
    browser.opens(Key::Enter);
    browser.sees("예외 허용");
    tab_to(browser, "호환성 규칙을 무시하는 사유");
    let long = "x".repeat(257);
    browser.press(long.as_str());
    browser.press(Key::Enter);
    browser.sees("256");
    browser.no_sideways_scroll();
    browser.accessible();
    assert_eq!(browser.value("호환성 규칙을 무시하는 사유"), long);
    tab_to(browser, "호환성 규칙을 무시하는 사유");
    browser.press("주문을 읽는 곳이 없습니다");
    browser.press(Key::Enter);
    browser.sees("승격했습니다. 이제 제공됩니다.");
    browser.sees("주문을 읽는 곳이 없습니다");

    let plain = sign_in(server, "admin", Visitor { scripts: false, ..Visitor::default() });
    plain.go("/console/contracts/version?kind=CHANGESET&id=changeset.ruled.v1&version=2.0.1");
    plain.click("Deprecate");
    plain.click("Deprecate");
    plain.sees("Deprecated. The version is served with a warning.");
    plain.click("Restore");
    plain.sees("Not possible now.");
    plain.fill("Reason to override the compatibility rule", "No order is read");
    plain.click("Restore");
    plain.sees("Restored.");
    plain.sees("No order is read");
}

#[test]
fn a_draft_is_promoted_by_the_keyboard_alone() {
    let (_directory, server) = demo();
    let browser = administrator(&server, Visitor::default());
    tab_to(&browser, "Contracts");
    browser.press(Key::Enter);
    browser.sees("Any status");
    tab_to(&browser, "Draft");
    browser.press(Key::Enter);
    browser.is_at("/console/contracts?kind=CHANGESET&status=DRAFT");
    browser.sees("changeset.v1");
    tab_to(&browser, "1.1.0");
    browser.press(Key::Enter);
    browser.sees("Checksum verified");
    tab_to(&browser, "Promote");
    browser.press(Key::Enter);
    browser.sees("Promote version");
    tab_to(&browser, "Promote");
    browser.press(Key::Enter);
    browser.sees("Promoted. The version is now served.");
}
