//! Request ids, logs and panics.

use crate::layers::traced;
use std::io;
use std::sync::{Arc, Mutex};

use axum::routing::get;
use axum::{Extension, Router};
use hansang_core::{CoreCode, Error, Message};
use hansang_http::problem::Problem;
use hansang_http::trace::{TraceId, current};
use tracing_subscriber::fmt::MakeWriter;

use hansang_testserver::running::Server;

const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

fn router() -> Router {
    traced(
        Router::new()
            .route("/id", get(async |Extension(id): Extension<TraceId>| id.to_string()))
            .route("/current", get(async || current().unwrap().to_string()))
            .route("/things/{id}", get(async || "thing"))
            .route("/panic", get(async || -> String { panic!("the password is {}", "hunter2") }))
            .route(
                "/broken",
                get(async || {
                    let error = Error::internal(
                        CoreCode::UnexplainedCondition,
                        Message::raw("the password is hunter2"),
                    );
                    Problem::from(error.caused_by(io::Error::other("deep down: hunter3")))
                }),
            ),
    )
}

#[tokio::test]
async fn the_server_chooses_the_id() {
    let server = Server::start(router()).await;
    let asked = format!("GET /id HTTP/1.1\r\nhost: here\r\ntraceparent: 00-{ID}-00f067aa0ba902b7-01\r\n\r\n");
    let answer = server.send(&asked).await;
    assert_eq!(answer.header("x-trace-id"), Some(&*answer.body));
    assert_ne!(&*answer.body, ID);
}

#[tokio::test]
async fn an_id_is_generated_by_default() {
    let server = Server::start(router()).await;
    let first = server.get("/current").await;
    let id = first.header("x-trace-id").unwrap();
    assert_eq!((id.len(), &*first.body), (32, id));
    assert_ne!(server.get("/current").await.header("x-trace-id"), Some(id));
    let wrong = server.send("GET /id HTTP/1.1\r\nhost: here\r\ntraceparent: 00-zz-1-1\r\n\r\n").await;
    assert_eq!(wrong.header("x-trace-id"), Some(&*wrong.body));
}

#[tokio::test]
async fn a_panic_is_answered_without_its_cause() {
    let server = Server::start(router()).await;
    let answer = server.get("/panic").await;
    assert_eq!(answer.status, 500);
    let problem = answer.problem();
    assert_eq!(problem["code"], "panicked");
    assert_eq!(problem["traceId"].as_str(), answer.header("x-trace-id"));
    assert!(!answer.body.contains("hunter2"), "{}", answer.body);
    assert_eq!(server.get("/id").await.status, 200);
}

/// A log in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[tokio::test]
async fn the_log_has_the_route_and_not_the_path() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).json().finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let server = Server::start(router()).await;
    let answer = server.get("/things/7?token=hunter2").await;
    let text = log.text();
    assert!(!text.contains("hunter2") && !text.contains("/things/7"), "{text}");
    let line = text.lines().find(|line| line.contains("answered")).expect(&text);
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(line["fields"]["status"], 200);
    assert_eq!(line["span"]["http.route"], "/things/{id}");
    assert_eq!(line["span"]["trace_id"].as_str(), answer.header("x-trace-id"));
}

#[tokio::test]
async fn the_cause_of_a_fault_is_logged_only() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).finish();
    let _logging = tracing::subscriber::set_default(subscriber);
    let server = Server::start(router()).await;
    let answer = server.get("/broken").await;
    assert_eq!((answer.status, &answer.problem()["code"]), (500, &"unexplained_condition".into()));
    assert!(!answer.body.contains("hunter"), "{}", answer.body);
    let text = log.text();
    assert!(text.contains("hunter2") && text.contains("deep down: hunter3"), "{text}");
}
