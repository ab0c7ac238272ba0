//! Export of spans to a collector.

use crate::layers::traced;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use axum::{Router, http::HeaderMap};
use hansang_http::telemetry::{Telemetry, TelemetrySettings};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use tokio::net::TcpListener;

use hansang_testserver::running::{Server, soon};

const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

fn settings(endpoint: Option<String>) -> TelemetrySettings {
    let (json, filter) = (true, "off".to_owned());
    TelemetrySettings { json, filter, otlp_endpoint: endpoint, service: "table for one".to_owned() }
}

fn hello() -> Router {
    traced(Router::new().route("/things/{id}", get(async || "thing")))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Waits on another thread than the collector's: the exporter blocks while it flushes.
#[tokio::test]
async fn spans_arrive_with_the_ids_that_clients_see() {
    let batches: Arc<Mutex<Vec<ExportTraceServiceRequest>>> = Arc::default();
    let received = batches.clone();
    let collect = post(async move |headers: HeaderMap, body: Bytes| {
        assert_eq!(headers[CONTENT_TYPE], "application/x-protobuf");
        received.lock().unwrap().push(ExportTraceServiceRequest::decode(body).unwrap());
    });
    let collector = Server::start(Router::new().route("/v1/traces", collect)).await;
    let (telemetry, dispatch) = Telemetry::prepare(&settings(Some(collector.url("")))).unwrap();
    let (given, made) = {
        let _logging = tracing::dispatcher::set_default(&dispatch);
        let server = Server::start(hello()).await;
        let given = format!("GET /things/7 HTTP/1.1\r\nhost: here\r\ntraceparent: {PARENT}\r\n\r\n");
        let ids = (server.send(&given).await, server.get("/things/8?secret").await);
        assert_eq!(soon(server.stop()).await.unwrap().cut_off, 0);
        ids
    };
    soon(telemetry.stop()).await;
    let batches = batches.lock().unwrap();
    let resources: Vec<_> = batches.iter().flat_map(|batch| &batch.resource_spans).collect();
    assert!(format!("{:?}", resources[0].resource).contains("table for one"));
    let spans: Vec<&Span> =
        resources.iter().flat_map(|one| &one.scope_spans).flat_map(|one| &one.spans).collect();
    assert_eq!(spans.len(), 2, "{spans:?}");
    let find = |id: Option<&str>| *spans.iter().find(|span| Some(&*hex(&span.trace_id)) == id).unwrap();
    let child = find(given.header("x-trace-id"));
    assert_eq!((&*child.name, child.parent_span_id.len()), ("GET /things/{id}", 0));
    let link = &child.links[0];
    assert_eq!(format!("00-{}-{}-01", hex(&link.trace_id), hex(&link.span_id)), PARENT);
    let root = find(made.header("x-trace-id"));
    assert_eq!((&*root.name, root.parent_span_id.len()), ("GET /things/{id}", 0));
    assert!(format!("{root:?}").contains("http.response.status_code"));
    assert!(!format!("{root:?}").contains("secret"));
}

#[tokio::test]
async fn an_unreachable_collector_does_not_affect_requests() {
    // An unused port: it was just released.
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let endpoint = format!("http://127.0.0.1:{port}/");
    let (telemetry, dispatch) = Telemetry::prepare(&settings(Some(endpoint))).unwrap();
    let _logging = tracing::dispatcher::set_default(&dispatch);
    let server = Server::start(hello()).await;
    for number in 0..50 {
        assert_eq!(server.get(&format!("/things/{number}")).await.status, 200);
    }
    soon(telemetry.stop()).await;
    assert_eq!(server.get("/things/last").await.status, 200);
}

#[test]
fn wrong_settings_are_explained() {
    for endpoint in ["localhost:4318", "ftp://localhost", "", "http://"] {
        let error = Telemetry::prepare(&settings(Some(endpoint.to_owned()))).unwrap_err();
        assert_eq!(error.code, "otlp_endpoint", "{endpoint}");
        assert!(error.message.to_string().contains("http://localhost:4318"), "{error}");
    }
    let filter = "hansang=loud=er".to_owned();
    let error = Telemetry::prepare(&TelemetrySettings { filter, ..settings(None) }).unwrap_err();
    assert_eq!(error.code, "log_filter");
}
