//! Where logs and spans go.

use std::io::IsTerminal as _;
use std::time::Duration;

use crate::{HttpCode, messages};
use hansang_core::{Error, message};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Dispatch, Subscriber};
use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

/// What is written where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelemetrySettings {
    /// Whether a line of the log is JSON.
    pub json: bool,
    /// What is logged: a level, or levels by target as in `info,hansang_server=debug`.
    pub filter: String,
    /// Where spans are sent, as `http://collector:4318`; nowhere if absent.
    pub otlp_endpoint: Option<String>,
    /// What the collector calls this server.
    pub service: String,
}

/// Logs and spans, until [`Self::stop`].
#[derive(Debug)]
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
}

/// The time that the collector has to take a batch; also the time to wait for the last one.
const PATIENCE: Duration = Duration::from_secs(5);

impl Telemetry {
    /// Starts to log on the standard error output and to send spans, for the whole process.
    ///
    /// # Errors
    /// When the filter or the endpoint cannot be understood, or it was started before.
    pub fn start(settings: &TelemetrySettings) -> Result<Self, Error> {
        let (telemetry, dispatch) = Self::prepare(settings)?;
        tracing::dispatcher::set_global_default(dispatch).map_err(|error| {
            Error::internal(HttpCode::TelemetryTwice, message!(messages::LOGGING_TWICE)).caused_by(error)
        })?;
        Ok(telemetry)
    }

    /// The same without a global effect, for a test or a single thread.
    ///
    /// # Errors
    /// When the filter or the endpoint cannot be understood.
    pub fn prepare(settings: &TelemetrySettings) -> Result<(Self, Dispatch), Error> {
        let filter = EnvFilter::builder().parse(&settings.filter).map_err(|error| {
            Error::invalid(HttpCode::LogFilter, message!(messages::LOG_FILTER, &settings.filter))
                .caused_by(error)
        })?;
        let provider = settings.otlp_endpoint.as_deref().map(|url| exporting(url, &settings.service));
        let provider = provider.transpose()?;
        let subscriber = tracing_subscriber::registry()
            .with(provider.as_ref().map(spans))
            .with(lines(settings.json).with_filter(filter));
        Ok((Self { provider }, Dispatch::new(subscriber)))
    }

    /// Sends the spans that wait, for a few seconds at most.
    pub async fn stop(self) {
        let Some(provider) = self.provider else { return };
        // It blocks its thread until the collector has answered.
        let stopped = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(PATIENCE)).await;
        if let Ok(Err(error)) = stopped {
            tracing::warn!(%error, "the last spans may not have reached the collector");
        }
    }
}

fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(json: bool) -> Box<dyn Layer<S> + Send + Sync> {
    let colours = std::io::stderr().is_terminal();
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(colours);
    if json { lines.json().boxed() } else { lines.boxed() }
}

/// Spans of ours only: sending spans must not make spans that are sent.
fn spans<S: Subscriber + for<'a> LookupSpan<'a>>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S> {
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("hansang"))
        .with_filter(filter_fn(|metadata| metadata.target().starts_with("hansang")))
}

/// Spans are collected in a bounded queue and sent by a thread of its own: while the collector does
/// not answer, spans are lost and requests are not touched.
fn exporting(endpoint: &str, service: &str) -> Result<SdkTracerProvider, Error> {
    let refuse = || Error::invalid(HttpCode::OtlpEndpoint, message!(messages::NOT_A_COLLECTOR, endpoint));
    if !["http", "https"].contains(&reqwest::Url::parse(endpoint).map_err(|_| refuse())?.scheme()) {
        return Err(refuse());
    }
    let base = endpoint.trim_end_matches('/');
    let url = if base.ends_with("/v1/traces") { base.to_owned() } else { format!("{base}/v1/traces") };
    let exporter = SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(url)
        .with_timeout(PATIENCE)
        .build()
        .map_err(|error| refuse().caused_by(error))?;
    let resource = Resource::builder_empty().with_service_name(service.to_owned()).build();
    Ok(SdkTracerProvider::builder().with_resource(resource).with_batch_exporter(exporter).build())
}
