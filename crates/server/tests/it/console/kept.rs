//! Nothing typed is lost: forms that were submitted with an expired session, as a browser without scripts sees them.

use axum::http::Method;
use serde_json::json;

use hansang_testserver::{On, Response, Server, Visitor, has, lacks};

hansang_testserver::on_each_store! {
    a_form_survives_an_expired_session,
    a_form_of_an_earlier_session_is_shown_again,
}

const NEW: &str = "/console/systems/shop/entities/Item/new";

/// The hidden fields of the first form of a page with this action, as a browser submits them.
fn fields(page: &Response, action: &str) -> Vec<(String, String)> {
    let plain = |text: &str| {
        let named =
            [("&lt;", "<"), ("&gt;", ">"), ("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&quot;", "\"")];
        let text = named.iter().fold(text.to_owned(), |text, (name, letter)| text.replace(name, letter));
        text.replace("&#39;", "'").replace("&#38;", "&").replace("&amp;", "&")
    };
    let start = page.text.split(&format!("action=\"{}\"", action.replace('&', "&#38;"))).nth(1);
    let form = start.unwrap_or_else(|| panic!("no form for {action}: {}", page.text));
    let form = form.split("</form>").next().unwrap();
    let hidden = form.split("<input type=\"hidden\" name=\"").skip(1);
    hidden
        .map(|input| {
            let (name, rest) = input.split_once("\" value=\"").unwrap();
            (plain(name), plain(rest.split('"').next().unwrap()))
        })
        .collect()
}

async fn post(visitor: &Visitor<'_>, path: &str, sent: &[(String, String)]) -> Response {
    let sent: Vec<(&str, &str)> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
    visitor.post(path, &sent).await
}

/// Signs in on the page of a refused form, and returns the visitor and the page that leads back.
async fn sign_in<'s>(server: &'s Server, refused: &Response, password: &str) -> (Visitor<'s>, Response) {
    let anonymous = Visitor::signed_out(server);
    let mut sent = fields(refused, "/console/sign-in");
    sent.extend([("login".to_owned(), "editor".to_owned()), ("password".to_owned(), password.to_owned())]);
    let answer = post(&anonymous, "/console/sign-in", &sent).await;
    let cookies = answer.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let session = cookies.map(|cookie| cookie.split(';').next().unwrap()).find(|one| one.contains("session"));
    let cookie = session.unwrap_or_default().to_owned();
    (Visitor { cookie, ..anonymous }, answer)
}

async fn a_form_survives_an_expired_session(on: On) {
    let server = Server::start(on).await;
    let typed = [
        ("shelf", "a"),
        ("number", "7"),
        ("name", "A \"long\" <name> & more"),
        ("notes.rows", "yes"),
        ("notes.value", "first"),
        ("notes.value", "second"),
        (".page", NEW),
    ];
    // The session has ended before the form was submitted.
    let expired = Visitor { cookie: "hansang_session=gone".to_owned(), ..Visitor::signed_out(&server) };
    let refused = expired.post(NEW, &typed).await;
    assert_eq!(refused.status, 401);
    has(&refused, &["Your session has ended", "name=\"kept.shelf\" value=\"a\"", "name=\"password\""]);
    lacks(&refused, &["<name>"]);

    // A wrong password loses nothing either.
    let (_, wrong) = sign_in(&server, &refused, "wrong horse").await;
    assert_eq!(wrong.status, 401, "{}", wrong.text);
    let (mut visitor, back) = sign_in(&server, &wrong, "correct horse").await;
    assert_eq!(back.status, 200, "{}", back.text);
    has(&back, &["Nothing has been saved yet", "Continue"]);

    // The form with the values. Nothing is saved until it is submitted.
    let action = format!("{NEW}?.draft=1");
    let sent = fields(&back, &action);
    visitor.csrf = sent.iter().find(|(name, _)| name == "csrf").unwrap().1.clone();
    let sent: Vec<_> = sent.into_iter().filter(|(name, _)| name != "csrf").collect();
    let form = post(&visitor, &action, &sent).await;
    assert_eq!(form.status, 200, "{}", form.text);
    has(
        &form,
        &["Your input is still here", "Create Item", "name=\"shelf\"", "&#38; more", "value=\"second\""],
    );
    assert_eq!(server.get("/api/shop/entities/Item/a/7").await.status, 404);
    let made = visitor.post(NEW, &typed).await;
    assert_eq!(made.status, 303, "{}", made.text);
    let stored = server.get("/api/shop/entities/Item/a/7").await.json();
    assert_eq!(stored["notes"], json!(["first", "second"]));
    assert_eq!(stored["name"], "A \"long\" <name> & more");
}

async fn a_form_of_an_earlier_session_is_shown_again(on: On) {
    let server = Server::start(on).await;
    let body = json!({ "shelf": "a", "number": 7, "name": "before" });
    assert_eq!(server.send(Method::POST, "/api/shop/entities/Item", body).await.status, 201);
    let mut visitor = Visitor::sign_in(&server, "editor", "ko").await;
    let change = "/console/systems/shop/entities/Item/change?shelf=a&number=7";
    let opened = visitor.get(change).await;
    let was =
        opened.text.split("name=\"was\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    // Signed in again in another tab: the form has the secret of the session before.
    let csrf = std::mem::replace(&mut visitor.csrf, "of the session before".to_owned());
    let sent = [("was", &*was), ("name", "after"), (".page", change)];
    let refused = visitor.post(change, &sent).await;
    assert_eq!(refused.status, 403);
    has(&refused, &["입력한 내용이 그대로 있습니다", "계속하기"]);
    let action = format!("{change}&.draft=1");
    let kept: Vec<_> = fields(&refused, &action).into_iter().filter(|(name, _)| name != "csrf").collect();
    visitor.csrf = csrf;
    // Changed elsewhere in the meantime: the form still knows what it was based on.
    let theirs = json!({ "name": "theirs" });
    assert_eq!(server.send(Method::PATCH, "/api/shop/entities/Item/a/7", theirs).await.status, 200);
    let form = post(&visitor, &action, &kept).await;
    has(&form, &["value=\"after\"", &was]);
    let conflict = visitor.post(change, &sent).await;
    assert_eq!(conflict.status, 412);
    has(&conflict, &["after</pre>", "theirs</pre>"]);
}

#[tokio::test]
async fn drafts_need_the_secret_of_the_session_and_keep_no_secrets() {
    let server = Server::start(On::Embedded).await;
    let mut visitor = Visitor::sign_in(&server, "editor", "en").await;
    let settings = "/console/settings";
    // A page without a form of its own shows values too; a password is never shown again.
    let expired = Visitor { cookie: String::new(), ..Visitor::signed_out(&server) };
    let sent = [("do", "password"), ("oldPassword", "hunter2"), (".page", settings)];
    let refused = expired.post(settings, &sent).await;
    assert_eq!(refused.status, 401);
    lacks(&refused, &["hunter2"]);
    assert_eq!(visitor.post(&format!("{settings}?.draft=1"), &[("do", "password")]).await.status, 200);
    visitor.csrf = "wrong".to_owned();
    let forged = visitor.post(&format!("{NEW}?.draft=1"), &[("name", "forged")]).await;
    assert_eq!(forged.status, 403);
    lacks(&forged, &["Create Item"]);
    // Another page is never an address of another host.
    let elsewhere = expired.post(NEW, &[(".page", "https://evil.example/"), ("name", "x")]).await;
    lacks(&elsewhere, &["evil.example"]);
}

/// Files are not kept, but the way back leads to the form.
#[tokio::test]
async fn a_form_with_a_file_leads_back_to_its_page() {
    let server = Server::start(On::Embedded).await;
    let expired = Visitor { cookie: "hansang_session=gone".to_owned(), ..Visitor::signed_out(&server) };
    let refused = expired.upload("/console/systems/shop/import", "data.csv", b"a,b").await;
    assert_eq!(refused.status, 303, "{}", refused.text);
    assert_eq!(refused.header("location"), "/console/sign-in?next=%2Fconsole%2Fsystems%2Fshop%2Fimport");
}
