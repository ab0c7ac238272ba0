//! A browser without scripts.

use axum::body::Body;
use axum::http::Method;

use crate::{Response, Server};

/// A visitor with a browser that has no scripts.
pub struct Visitor<'s> {
    pub server: &'s Server,
    pub language: &'s str,
    pub cookie: String,
    pub csrf: String,
}

impl<'s> Visitor<'s> {
    pub fn signed_out(server: &'s Server) -> Self {
        Self { server, language: "en", cookie: String::new(), csrf: String::new() }
    }

    /// Signs in by the form.
    pub async fn sign_in(server: &'s Server, login: &str, language: &'s str) -> Self {
        let mut visitor = Self { language, ..Self::signed_out(server) };
        let answer =
            visitor.post("/console/sign-in", &[("login", login), ("password", "correct horse")]).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        visitor.cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        let settings = visitor.get("/console/settings").await;
        let field = settings.text.split("name=\"csrf\" value=\"").nth(1).unwrap();
        visitor.csrf = field.split('"').next().unwrap().to_owned();
        visitor
    }

    pub async fn get(&self, path: &str) -> Response {
        let headers = [("cookie", &*self.cookie), ("accept-language", self.language)];
        self.server.page(Method::GET, path, &headers, Body::empty()).await
    }

    /// Sends a form.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let mut form = form_urlencoded::Serializer::new(String::new());
        form.extend_pairs(fields).append_pair("csrf", &self.csrf);
        let headers = [
            ("cookie", &*self.cookie),
            ("accept-language", self.language),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        self.server.page(Method::POST, path, &headers, Body::from(form.finish())).await
    }
}

impl Visitor<'_> {
    /// The cookies of the session.
    pub fn cookie(&self) -> &str {
        &self.cookie
    }

    /// Sends a form with a file.
    pub async fn upload(&self, path: &str, file_name: &str, bytes: &[u8]) -> Response {
        self.upload_with(path, file_name, bytes, &[]).await
    }

    /// Sends a form with a file and other fields.
    pub async fn upload_with(
        &self,
        path: &str,
        file_name: &str,
        bytes: &[u8],
        fields: &[(&str, &str)],
    ) -> Response {
        let headers = [
            ("cookie", &*self.cookie),
            ("accept-language", self.language),
            ("content-type", "multipart/form-data; boundary=part"),
        ];
        let mut body = String::new();
        for (name, value) in fields.iter().chain(&[("csrf", &*self.csrf)]) {
            body.push_str(&format!(
                "--part\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n"
            ));
        }
        body.push_str(&format!(
            "--part\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{file_name}\"\r\n\r\n"
        ));
        let body = [body.as_bytes(), bytes, b"\r\n--part--\r\n"].concat();
        self.server.page(Method::POST, path, &headers, Body::from(body)).await
    }
}

/// Whether a page contains all of these, in this order.
#[track_caller]
pub fn in_order(page: &Response, parts: &[&str]) {
    let mut rest = &*page.text;
    for part in parts {
        let Some((_, behind)) = rest.split_once(part) else { panic!("{part}: {}", page.text) };
        rest = behind;
    }
}

/// Whether a page contains each of these.
#[track_caller]
pub fn has(page: &Response, parts: &[&str]) {
    for part in parts {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
}

/// Whether a page contains none of these.
#[track_caller]
pub fn lacks(page: &Response, parts: &[&str]) {
    for part in parts {
        assert!(!page.text.contains(part), "{part}: {}", page.text);
    }
}
