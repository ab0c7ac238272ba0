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
    every_page_needs_its_role,
    forms_need_the_csrf_secret,
}

/// Every path of the settings that takes a form, and whether it is for administrators only. `{}` stands for an
/// account's id.
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

/// The message above a rejected form.
fn alert(page: &Response) -> String {
    let text = page.text.split("role=\"alert\">").nth(1).unwrap_or_else(|| panic!("no alert: {}", page.text));
    plain(text.split("</p>").next().unwrap())
}

/// HTML without code marks.
fn plain(html: &str) -> String {
    html.replace("<code>", "").replace("</code>", "")
}

/// The message at a field.
fn problem(page: &Response, field: &str) -> String {
    let mark = format!("id=\"f-{field}-problem\">");
    let text = page.text.split(&*mark).nth(1).unwrap_or_else(|| panic!("no {field}: {}", page.text));
    plain(text.split("</span>").next().unwrap())
}

async fn id_of(server: &Server, login: &str) -> String {
    server.access.account_by_login(login).await.unwrap().unwrap().id
}

async fn account_page(server: &Server, login: &str) -> String {
    format!("/console/settings/accounts/{}", id_of(server, login).await)
}

async fn every_page_needs_its_role(on: On) {
    let server = Server::start(on).await;
    let anonymous = Visitor::signed_out(&server);
    let viewer = Visitor::sign_in(&server, "viewer", "en").await;
    let admin = Visitor::sign_in(&server, "admin", "en").await;
    let id = id_of(&server, "viewer").await;
    for (address, administrators) in FORMS.into_iter().chain([(LIST, true), (LOG, true)]) {
        let address = address.replace("{}", &id);
        let sent_away = anonymous.get(&address).await;
        assert_eq!(sent_away.status, 303, "{address}");
        assert!(sent_away.header("location").starts_with("/console/sign-in?next=%2Fconsole%2Fsettings"));
        let seen = viewer.get(&address).await;
        if administrators {
            assert_eq!(seen.status, 403, "{address}");
            assert!(seen.text.contains("Not allowed"), "{}", seen.text);
            assert_eq!(viewer.post(&address, &[("do", "sign-out")]).await.status, 403, "{address}");
        }
        // No token has the id of an account.
        let expected = if address.ends_with("revoke") { 404 } else { 200 };
        assert_eq!(admin.get(&address).await.status, expected, "{address}");
    }
    // Only administrators see links to administration.
    let (own, all) = (viewer.get("/console/settings").await, admin.get("/console/settings").await);
    assert!(!own.text.contains("/console/settings/accounts") && !own.text.contains(LOG), "{}", own.text);
    assert!(all.text.contains("/console/settings/accounts") && all.text.contains(LOG), "{}", all.text);
}

async fn forms_need_the_csrf_secret(on: On) {
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
