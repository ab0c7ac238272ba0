//! A minimal server, for tests that need a separate process. It writes its address to standard output and its log to
//! standard error, and runs until standard input ends.

use std::io::{Read as _, Write as _};

use axum::Router;
use axum::routing::get;
use hansang_http::listen::{Listening, serve};
use hansang_http::telemetry::{Telemetry, TelemetrySettings};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let filter = "error".to_owned();
    let settings =
        TelemetrySettings { json: false, filter, otlp_endpoint: None, service: "hello".to_owned() };
    let telemetry = Telemetry::start(&settings)?;
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "{}", listener.local_addr()?)?;
    let router = Router::new().route("/", get(async || "hello"));
    let told = tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
    serve(listener, None, router, Listening::default(), async move { drop(told.await) }).await;
    telemetry.stop().await;
    Ok(())
}
