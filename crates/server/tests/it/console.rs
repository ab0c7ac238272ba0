//! The pages of the console.

mod contracts;
mod entry;
mod explore;
mod live;
mod model;
mod settings;

use axum::body::Body;
use axum::http::Method;

use crate::answer::Answer;
use crate::server::Server;

/// Somebody with a browser that has no scripts.
pub(crate) struct Visitor<'s> {
    pub(crate) server: &'s Server,
    pub(crate) language: &'s str,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl<'s> Visitor<'s> {
    pub(crate) fn nobody(server: &'s Server) -> Self {
        Self { server, language: "en", cookie: String::new(), csrf: String::new() }
    }

    /// Signs in by the form.
    pub(crate) async fn sign_in(server: &'s Server, login: &str, language: &'s str) -> Self {
        let mut visitor = Self { language, ..Self::nobody(server) };
        let answer =
            visitor.post("/console/sign-in", &[("login", login), ("password", "correct horse")]).await;
        assert_eq!(answer.status, 303, "{answer:?}");
        visitor.cookie = answer.header("set-cookie").split(';').next().unwrap().to_owned();
        let home = visitor.get("/console").await;
        let field = home.text.split("name=\"csrf\" value=\"").nth(1).unwrap();
        visitor.csrf = field.split('"').next().unwrap().to_owned();
        visitor
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let headers = [("cookie", &*self.cookie), ("accept-language", self.language)];
        self.server.page(Method::GET, path, &headers, Body::empty()).await
    }

    /// Sends a form.
    pub(crate) async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
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
