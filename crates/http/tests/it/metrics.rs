//! Metrics in the format of Prometheus.

use crate::layers::{at_most, by_address, measured, traced, with_metrics};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use hansang_core::{CoreCode, Error, Message};
use hansang_http::limits::{Limiter, Rate};
use hansang_http::metrics::Metrics;
use jiff::Timestamp;

use hansang_testserver::running::Server;

/// Lines by name and labels. Every line has to be valid for Prometheus.
fn parse(text: &str) -> BTreeMap<String, f64> {
    let mut types = BTreeMap::new();
    let mut values = BTreeMap::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            let words: Vec<&str> = comment.splitn(3, ' ').collect();
            match words[..] {
                ["TYPE", name, kind] => assert!(types.insert(name.to_owned(), kind.to_owned()).is_none()),
                ["HELP", _, help] => assert!(help.ends_with('.')),
                _ => panic!("{line}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let known = types.contains_key(name) || family.is_some_and(|family| types[family] == "histogram");
        assert!(known, "{line} has no type");
        assert!(values.insert(series.to_owned(), value.parse().unwrap()).is_none(), "{line} is there twice");
    }
    values
}

fn metrics() -> Metrics {
    Metrics::new(Timestamp::from_second(1_800_000_000).unwrap())
}

#[tokio::test]
async fn requests_are_counted_by_route() {
    let metrics = metrics();
    let routes = Router::new()
        .route("/things/{id}", get(async || "thing"))
        .route("/panic", get(async || -> String { panic!("on purpose") }));
    let router = measured(traced(with_metrics(routes, metrics.clone())), metrics.clone());
    let server = Server::start(router).await;
    for path in ["/things/1", "/things/2", "/panic", "/made/up/1", "/made/up/2", "/made/up/3"] {
        server.get(path).await;
    }
    server.send("BREW /things/1 HTTP/1.1\r\nhost: here\r\n\r\n").await;
    let answer = server.get("/metrics").await;
    assert_eq!(answer.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert!(!answer.body.contains("made/up"), "{}", answer.body);
    let values = parse(&answer.body);
    let requests = |method: &str, route: &str, class: &str| {
        values[&format!(
            "hansang_http_requests_total{{method=\"{method}\",route=\"{route}\",class=\"{class}\"}}"
        )]
    };
    assert_eq!(requests("GET", "/things/{id}", "2xx"), 2.0);
    assert_eq!(requests("GET", "/things/{id}", "5xx"), 0.0);
    assert_eq!(requests("GET", "/panic", "5xx"), 1.0);
    assert_eq!(requests("GET", "unmatched", "4xx"), 3.0);
    assert_eq!(requests("OTHER", "/things/{id}", "4xx"), 1.0);
    let labels = "method=\"GET\",route=\"/things/{id}\"";
    assert_eq!(values[&format!("hansang_http_request_seconds_count{{{labels}}}")], 2.0);
    assert_eq!(values[&format!("hansang_http_request_seconds_bucket{{{labels},le=\"+Inf\"}}")], 2.0);
    assert!(values[&format!("hansang_http_request_seconds_sum{{{labels}}}")] > 0.0);
    assert_eq!(values["process_start_time_seconds"], 1_800_000_000.0);
    // This request itself.
    assert_eq!(values["hansang_http_requests_in_flight"], 1.0);
    assert_eq!(parse(&metrics.render(&[]))["hansang_http_requests_in_flight"], 0.0);
}

#[tokio::test]
async fn refusals_are_counted_by_reason() {
    let metrics = metrics();
    let two = NonZeroU32::new(2).unwrap();
    let limiter = Arc::new(Limiter::new(Rate { per_minute: two, burst: two }));
    let router = by_address(at_most(Router::new().route("/", get(async || "hello")), 0), limiter);
    let server = Server::start(measured(traced(router), metrics.clone())).await;
    for _ in 0..5 {
        server.get("/").await;
    }
    let values = parse(&metrics.render(&[]));
    assert_eq!(values["hansang_http_shed_total"], 2.0);
    assert_eq!(values["hansang_http_rate_limited_total"], 3.0);
}

#[tokio::test]
async fn operations_are_counted_by_outcome() {
    let metrics = metrics();
    metrics.observe("content", "publish", async { Ok(()) }).await.unwrap();
    let refused = async { Err::<(), _>(Error::conflict(CoreCode::AlreadyExists, Message::raw("there"))) };
    assert!(metrics.observe("content", "publish", refused).await.is_err());
    let mut given_up =
        Box::pin(metrics.observe("content", "publish", std::future::pending::<Result<(), _>>()));
    assert!(futures_util::poll!(&mut given_up).is_pending());
    drop(given_up);
    let values = parse(&metrics.render(&[]));
    let labels = "system=\"content\",operation=\"publish\"";
    for outcome in ["ok", "conflict", "given_up"] {
        assert_eq!(values[&format!("hansang_operations_total{{{labels},outcome=\"{outcome}\"}}")], 1.0);
    }
    assert_eq!(values[&format!("hansang_operation_seconds_count{{{labels}}}")], 3.0);
    assert_eq!(values[&format!("hansang_operation_read_units_total{{{labels}}}")], 0.0);
}

#[tokio::test]
async fn labels_are_escaped_in_the_output() {
    let metrics = metrics();
    let name = "a\"} 1\nfake{b=\"\\";
    metrics.observe("content", name, async { Ok(()) }).await.unwrap();
    let values = parse(&metrics.render(&[]));
    assert!(values.keys().all(|series| !series.starts_with("fake")));
    let escaped = "operation=\"a\\\"} 1\\nfake{b=\\\"\\\\\"";
    assert_eq!(
        values[&format!("hansang_operations_total{{system=\"content\",{escaped},outcome=\"ok\"}}")],
        1.0
    );
}
