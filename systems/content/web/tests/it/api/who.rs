//! Who may do what.

use axum::http::Method;
use hansang_testserver::{On, Visitor, ok, on_each_store};
use serde_json::json;

use super::{API, start, visit};

/// Cs14, Cs16, Cs17, Settled: reading published content is public, writes need an editor, inquiries are personal data.
async fn every_operation_has_its_role(on: On) {
    let server = start(on).await;
    let people = [("", 0), (&*server.viewer, 1), (&*server.editor, 2), (&*server.admin, 3)];
    let operations = [
        (Method::GET, "posts", 0),
        (Method::GET, "posts/none", 0),
        (Method::GET, "posts/by-slug/none", 0),
        (Method::GET, "categories", 0),
        (Method::GET, "categories/news", 0),
        (Method::GET, "consent", 0),
        (Method::GET, "search?q=x", 0),
        (Method::GET, "banners", 0),
        (Method::GET, "company", 0),
        (Method::GET, "users", 1),
        (Method::GET, "webhooks", 3),
        (Method::GET, "webhooks/none/deliveries", 3),
        (Method::POST, "webhooks", 3),
        (Method::PUT, "company", 3),
        (Method::POST, "users", 3),
        (Method::POST, "banners", 2),
        (Method::GET, "edit/banners", 1),
        (Method::GET, "reply-templates", 2),
        (Method::POST, "people/erase", 3),
        (Method::POST, "posts/none/preview", 2),
        (Method::GET, "media", 2),
        (Method::GET, "media/none", 2),
        (Method::PUT, "media/none", 2),
        (Method::DELETE, "media/none", 2),
        (Method::GET, "edit/posts", 1),
        (Method::GET, "edit/posts/none", 1),
        (Method::GET, "posts/none/versions", 1),
        (Method::GET, "inquiries", 2),
        (Method::GET, "inquiries/none", 2),
        (Method::POST, "posts", 2),
        (Method::PUT, "posts/none", 2),
        (Method::POST, "posts/none/publish", 2),
        (Method::POST, "posts/none/unpublish", 2),
        (Method::DELETE, "posts/none", 2),
        (Method::POST, "categories", 2),
        (Method::DELETE, "categories/none", 2),
        (Method::POST, "inquiries/none/reply", 2),
        (Method::DELETE, "inquiries/none", 3),
    ];
    for (method, path, least) in operations {
        for (token, role) in people {
            let body = (method != Method::GET).then(|| json!({}));
            let answer = server.call(method.clone(), &format!("{API}/{path}"), token, body, &[]).await;
            let refused = matches!(answer.status, 401 | 403);
            assert_eq!(refused, role < least, "{method} {path} by {role}: {answer:?}");
        }
    }
}

/// C12, Cs14, Settled: inquiries are personal data. A viewer reads them in no way: not as records, in lists, in exports or on
/// pages of the console either.
async fn viewers_read_no_personal_data(on: On) {
    let server = start(on).await;
    let consent = ok(visit(&server, "consent").await);
    let inquiry = json!({
        "name": "김문의", "email": "secret@example.com", "company": "예시 상사", "title": "과장", "referral": "검색",
        "subject": "비밀 견적", "message": "비밀 내용", "consentVersion": consent["version"],
    });
    let sent = server.call(Method::POST, &format!("{API}/inquiries"), "", Some(inquiry), &[]).await;
    let id = ok(sent)["id"].as_str().unwrap().to_owned();
    let batch = |entity: &str| json!({ "entity": entity, "keys": [{ "id": id }] });
    for (token, may) in [(&*server.viewer, false), (&*server.editor, true)] {
        let get =
            async |path: &str| server.call(Method::GET, &format!("{API}/{path}"), token, None, &[]).await;
        for path in [
            "patterns/contactInquiries".to_owned(),
            format!("patterns/contactInquiry?id={id}"),
            format!("patterns/mailsOfInquiry?inquiryId={id}"),
            "patterns/inquiryPurges".to_owned(),
            "patterns/outbox".to_owned(),
            "patterns/replyTemplates".to_owned(),
            "patterns/migratedItems".to_owned(),
            format!("entities/ContactInquiry/{id}"),
        ] {
            assert_eq!(get(&path).await.status, if may { 200 } else { 403 }, "{path}");
        }
        let read = server
            .call(Method::POST, &format!("{API}/batch-get"), token, Some(batch("ContactInquiry")), &[])
            .await;
        assert_eq!(read.status, if may { 200 } else { 403 }, "{read:?}");
        for format in ["items", "records"] {
            let export = get(&format!("export?format={format}")).await;
            assert_eq!((export.status, export.text.contains("secret@example.com")), (200, may), "{format}");
            assert!(export.text.contains("회사 소식"), "the rest is exported");
        }
        let everyone =
            server.call(Method::POST, &format!("{API}/batch-get"), token, Some(batch("Category")), &[]).await;
        assert_eq!(everyone.status, 200);
    }
    for (login, may) in [("viewer", false), ("editor", true)] {
        let visitor = Visitor::sign_in(&server, login, "ko").await;
        let system = "/console/systems/content";
        for page in [
            format!("{system}/entities/ContactInquiry"),
            format!("{system}/entities/ContactInquiry/views/contactInquiries"),
            format!("{system}/entities/ContactInquiry/record?id={id}"),
            format!("{system}/patterns/contactInquiries"),
            format!("{system}/patterns/contactInquiries/download?format=csv"),
        ] {
            assert_eq!(visitor.get(&page).await.status, if may { 200 } else { 403 }, "{login} {page}");
        }
        for page in [system.to_owned(), "/console/search?q=비밀".to_owned()] {
            let shown = visitor.get(&page).await;
            assert_eq!(shown.text.contains("entities/ContactInquiry"), may, "{login} {page}");
        }
    }
}

/// C29, Settled: what only the verbs keep right is not written as records.
async fn records_of_managers_are_not_written_generically(on: On) {
    let server = start(on).await;
    for entity in ["CorpInfo", "ReplyTemplate", "Migration", "MigratedItem", "ContactInquiry", "Post"] {
        let create = json!({ "operations": [{ "put": { "entity": entity, "fields": {} } }] });
        let path = format!("{API}/transactions");
        let refused = server.call(Method::POST, &path, &server.admin, Some(create), &[]).await;
        assert!(matches!(refused.status, 400 | 409), "{entity}: {refused:?}");
        let path = format!("{API}/entities/{entity}");
        let refused = server.call(Method::POST, &path, &server.admin, Some(json!({})), &[]).await;
        assert!(matches!(refused.status, 404 | 405), "{entity}: {refused:?}");
    }
}

on_each_store!(
    every_operation_has_its_role,
    viewers_read_no_personal_data,
    records_of_managers_are_not_written_generically,
);
