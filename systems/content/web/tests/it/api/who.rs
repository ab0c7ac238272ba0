//! Who may do what.

use axum::http::Method;
use hansang_testserver::{On, on_each_store};
use serde_json::json;

use super::{API, start};

/// Settled: reading published content is public, writes need an editor, inquiries are personal data.
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

on_each_store!(every_operation_has_its_role);
