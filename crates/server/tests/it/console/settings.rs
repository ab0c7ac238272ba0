//! The settings, as a browser without scripts sees them.

mod accounts;
mod audit;
mod own;
mod tokens;

use hansang_testserver::On;
use hansang_testserver::Response;
use hansang_testserver::Server;
use hansang_testserver::Visitor;

hansang_testserver::on_each_store! {
    every_page_is_there_for_those_who_may_and_for_nobody_else,
    no_form_is_taken_from_another_page,
}

/// Every address of the settings that takes a form, and whether only administrators may go there. An
/// account's id stands for the `{}`.
const FORMS: [(&str, bool); 6] = [
    ("/console/settings", false),
    ("/console/settings/tokens", false),
    ("/console/settings/tokens/{}/revoke", false),
    ("/console/settings/accounts/new", true),
    ("/console/settings/accounts/{}", true),
    ("/console/settings/accounts/{}/delete", true),
];
const LIST: &str = "/console/settings/accounts";
const LOG: &str = "/console/settings/audit";

/// The value of a hidden field.
fn hidden(page: &Response, name: &str) -> String {
    let field = format!("name=\"{name}\" value=\"");
    let value = page.text.split(&*field).nth(1).unwrap_or_else(|| panic!("no {name}: {}", page.text));
    value.split('"').next().unwrap().to_owned()
}

/// What is said above a form that was refused.
fn alert(page: &Response) -> &str {
    let text = page.text.split("role=\"alert\">").nth(1).unwrap_or_else(|| panic!("no alert: {}", page.text));
    text.split('<').next().unwrap()
}

/// What is said at a field.
fn problem<'p>(page: &'p Response, field: &str) -> &'p str {
    let mark = format!("id=\"f-{field}-problem\">");
    let text = page.text.split(&*mark).nth(1).unwrap_or_else(|| panic!("no {field}: {}", page.text));
    text.split('<').next().unwrap()
}

async fn id_of(server: &Server, login: &str) -> String {
    server.access.account_by_login(login).await.unwrap().unwrap().id
}

async fn account_page(server: &Server, login: &str) -> String {
    format!("/console/settings/accounts/{}", id_of(server, login).await)
}

async fn every_page_is_there_for_those_who_may_and_for_nobody_else(on: On) {
    let server = Server::start(on).await;
    let nobody = Visitor::signed_out(&server);
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let id = id_of(&server, "viewer").await;
    for (address, administrators) in FORMS.into_iter().chain([(LIST, true), (LOG, true)]) {
        let address = address.replace("{}", &id);
        let sent_away = nobody.get(&address).await;
        assert_eq!(sent_away.status, 303, "{address}");
        assert!(sent_away.header("location").starts_with("/console/sign-in?next=%2Fconsole%2Fsettings"));
        let seen = viewer.get(&address).await;
        if administrators {
            assert_eq!(seen.status, 403, "{address}");
            assert!(seen.text.contains("Not allowed"), "{}", seen.text);
            let refused = if [LIST, LOG].contains(&&*address) { 405 } else { 403 };
            assert_eq!(viewer.post(&address, &[("do", "sign-out")]).await.status, refused, "{address}");
        }
        // There is no token with the id of an account.
        let expected = if address.ends_with("revoke") { 404 } else { 200 };
        assert_eq!(admin.get(&address).await.status, expected, "{address}");
    }
    // Only administrators are led to what only they may see.
    let (own, all) = (viewer.get("/console/settings").await, admin.get("/console/settings").await);
    assert!(!own.text.contains("/console/settings/accounts") && !own.text.contains(LOG), "{}", own.text);
    assert!(all.text.contains("/console/settings/accounts") && all.text.contains(LOG), "{}", all.text);
}

async fn no_form_is_taken_from_another_page(on: On) {
    let server = Server::start(on).await;
    let mut admin = Visitor::sign_in(&server, "admin", "en").await;
    admin.csrf = "wrong".to_owned();
    let id = id_of(&server, "viewer").await;
    for (address, _) in FORMS {
        let address = address.replace("{}", &id);
        let refused = admin.post(&address, &[("name", "x"), ("do", "disable")]).await;
        assert_eq!(refused.status, 403, "{address}: {}", refused.text);
    }
    let stays = server.access.account(&id).await.unwrap();
    assert!(stays.name == "viewer" && !stays.disabled);
}
