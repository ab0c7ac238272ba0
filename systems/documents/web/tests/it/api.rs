//! The API, as programs use it. Every response is compared with the description.

mod bucket;
mod own;
mod processors;
mod projects;
mod search;
mod uploads;
mod who;

use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use hansang_documents::MODEL;
use hansang_documents_web::DocumentsSystem;
use hansang_server::System;
use hansang_testserver::{On, Response, Server, ok, settings};
use serde_json::{Value as Json, json};

pub(crate) const API: &str = "/api/documents";

/// A server whose files are in a directory of this test.
pub(crate) struct Ground {
    pub(crate) server: Server,
    directory: tempfile::TempDir,
}

impl std::ops::Deref for Ground {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

pub(crate) async fn start(on: On) -> Ground {
    let system: Arc<dyn System> = Arc::new(DocumentsSystem);
    let server = Server::of_system(on, system, settings()).await;
    let mut ground = Ground { server, directory: tempfile::tempdir().unwrap() };
    ground.restart(&[]).await;
    ground
}

impl Ground {
    /// Serves the same data by a new service, as after a restart.
    pub(crate) async fn restart(&mut self, values: &[(&'static str, &str)]) {
        let system: Arc<dyn System> = Arc::new(DocumentsSystem);
        let folder = self.directory.path().to_str().unwrap().to_owned();
        let mut all = vec![("documents-files", &*folder), ("documents-cache", "memory")];
        all.extend(values);
        let own = self.server.db(MODEL);
        self.server.serve(&system, own, &all, &[7; 32]).await;
    }

    /// The directory of the documents.
    pub(crate) fn directory(&self) -> &std::path::Path {
        self.directory.path()
    }

    /// A read of the viewer.
    pub(crate) async fn see(&self, path: &str) -> Response {
        self.server.get(&format!("{API}/{path}")).await
    }

    /// A change by the editor.
    pub(crate) async fn make(&self, method: Method, path: &str, body: Json) -> Response {
        self.server.send(method, &format!("{API}/{path}"), body).await
    }

    /// A change by the editor without a body.
    pub(crate) async fn order(&self, method: Method, path: &str) -> Response {
        self.server.call(method, &format!("{API}/{path}"), &self.server.editor, None, &[]).await
    }

    /// A change by the editor of a revision.
    pub(crate) async fn edit(&self, method: Method, path: &str, revision: i64, body: Json) -> Response {
        let tag = format!("\"{revision}\"");
        let headers = [("if-match", &*tag)];
        self.server.call(method, &format!("{API}/{path}"), &self.server.editor, Some(body), &headers).await
    }

    /// A request of the editor with bytes.
    pub(crate) async fn bytes(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Response {
        let bearer = format!("Bearer {}", self.server.editor);
        let mut all = vec![("authorization", &*bearer)];
        all.extend(headers);
        self.server.raw(method, &format!("{API}/{path}"), &all, body.into()).await
    }

    pub(crate) async fn project(&self, name: &str) -> String {
        let made = ok(self.make(Method::POST, "projects", json!({ "name": name })).await);
        made["project_id"].as_str().unwrap().to_owned()
    }

    /// A document that is uploaded in one request.
    pub(crate) async fn upload(&self, project: &str, name: &str, content: &str) -> Json {
        let path = format!("projects/{project}/files/{name}");
        let kind = [("content-type", "text/plain")];
        ok(self.bytes(Method::PUT, &path, &kind, content.to_owned()).await)
    }

    /// Claims a step that must be there, as the processor `p`.
    pub(crate) async fn claim(&self, name: &str) -> Json {
        let claim =
            self.make(Method::POST, "steps/claim", json!({ "names": [name], "processor": "p" })).await;
        assert_eq!(claim.status, 200, "no {name} to claim: {claim:?}");
        claim.json()
    }

    /// Does something under the lease of a claim.
    pub(crate) async fn under(&self, claim: &Json, verb: &str, more: Json) -> Response {
        let lease = &claim["lease"];
        let mut body = json!({ "processor": "p", "attempt": lease["attempt"] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.make(Method::POST, &format!("steps/{}/{verb}", step(claim)), body).await
    }

    /// Writes segments under the lease of a claim.
    pub(crate) async fn write(&self, claim: &Json, lines: &str) -> Response {
        let path =
            format!("steps/{}/segments?processor=p&attempt={}", step(claim), claim["lease"]["attempt"]);
        let kind = [("content-type", "application/x-ndjson")];
        self.bytes(Method::POST, &path, &kind, lines.to_owned()).await
    }

    /// Does all steps of the only waiting run, with these texts as segments.
    pub(crate) async fn process(&self, texts: &[&str]) {
        for name in ["prepare", "parse", "ocr", "build", "index", "summarise"] {
            let claim = self.claim(name).await;
            let mut more = json!({});
            if name == "parse" {
                let line =
                    |(index, text)| json!({ "segment_index": index, "content": text }).to_string() + "\n";
                let lines: String = texts.iter().enumerate().map(line).collect();
                ok(self.write(&claim, &lines).await);
                more = json!({ "total_segments": texts.len(), "language": "ko" });
            }
            ok(self.under(&claim, "complete", more).await);
        }
    }
}

/// The part of paths with the step of a claim.
pub(crate) fn step(claim: &Json) -> String {
    let text = |name: &str| claim["lease"][name].as_str().unwrap().to_owned();
    format!("{}/{}", text("workflow_id"), text("name"))
}

pub(crate) fn id<'j>(json: &'j Json, name: &str) -> &'j str {
    json[name].as_str().unwrap_or_else(|| panic!("no {name}: {json:#}"))
}

/// The values of a member of the items of a page.
pub(crate) fn all<'j>(page: &'j Json, name: &str) -> Vec<&'j str> {
    page["items"].as_array().unwrap().iter().map(|item| id(item, name)).collect()
}
