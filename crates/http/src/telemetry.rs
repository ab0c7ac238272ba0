//! Destinations of logs and spans.

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

/// The settings of logs and spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TelemetrySettings {
    /// Whether a line of the log is JSON.
    pub json: bool,
    /// The filter: a level, or levels by target as in `info,hansang_server=debug`.
    pub filter: String,
    /// The collector of spans, as `http://collector:4318`; absent for none.
    pub otlp_endpoint: Option<String>,
    /// The service name of this server in the collector.
    pub service: String,
}

/// Logs and spans, until [`Self::stop`].
#[derive(Debug)]
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
}

/// The timeout for sending a batch, and for the last one at shutdown.
const PATIENCE: Duration = Duration::from_secs(5);

impl Telemetry {
    /// Starts logging to standard error and sending spans, for the whole process.
    ///
    /// # Errors
    /// Fails if the filter or the endpoint is invalid, or if it was started before.
    pub fn start(settings: &TelemetrySettings) -> Result<Self, Error> {
        let (telemetry, dispatch) = Self::prepare(settings)?;
        tracing::dispatcher::set_global_default(dispatch).map_err(|error| {
            Error::internal(HttpCode::TelemetryTwice, message!(messages::LOGGING_TWICE)).caused_by(error)
        })?;
        Ok(telemetry)
    }

    /// Builds the subscriber without a global effect, for a test or a single thread.
    ///
    /// # Errors
    /// Fails if the filter or the endpoint is invalid.
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

    /// Sends the pending spans, for a few seconds at most.
    pub async fn stop(self) {
        let Some(provider) = self.provider else { return };
        // It blocks its thread until the collector has responded.
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

/// Exports our own spans only: sending spans must not create spans that are sent.
fn spans<S: Subscriber + for<'a> LookupSpan<'a>>(provider: &SdkTracerProvider) -> impl Layer<S> + use<S> {
    tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("hansang"))
        .with_filter(filter_fn(|metadata| metadata.target().starts_with("hansang")))
}

/// Spans wait in a bounded queue and are sent by a thread of its own: while the collector does not respond, spans are
/// dropped and requests are not affected.
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
