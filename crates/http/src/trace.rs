//! The id and the span of each request, and the response to a panic.

use std::any::Any;
use std::fmt;
use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState};
use tracing::{Instrument as _, Span, field};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use crate::HttpCode;
use crate::problem::{Problem, Refused};

/// The id of a request: in the log, in the `x-trace-id` header and in every problem.
///
/// Request extensions carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId([u8; 16]);

/// The response header with the id.
pub const X_TRACE_ID: HeaderName = HeaderName::from_static("x-trace-id");

/// The route of unknown paths: invented paths must not fill logs and metrics.
pub const UNMATCHED: &str = "unmatched";

tokio::task_local! {
    static CURRENT: TraceId;
}

/// The id of the request that the current task handles.
#[must_use]
pub fn current() -> Option<TraceId> {
    CURRENT.try_with(|id| *id).ok()
}

/// Gives a request an id and a span. Everything that creates a [`Problem`] runs inside, so that each has the id.
pub async fn trace<F: Future<Output = Response>>(
    mut request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let start = Instant::now();
    let method = method_name(request.method());
    let route = route_name(&request).to_owned();
    // The path and its query are left out: they may contain secrets.
    let span = tracing::info_span!(
        "request",
        otel.name = %format_args!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = field::Empty,
        trace_id = field::Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = field::Empty,
        latency_ms = field::Empty,
    );
    let id = identify(&span, request.headers());
    span.record("trace_id", field::display(id));
    request.extensions_mut().insert(id);
    let answer = CURRENT.scope(id, async {
        // The state of the request is dropped after a panic; shared state is behind locks, which are poisoned.
        match AssertUnwindSafe(next(request)).catch_unwind().await {
            Ok(response) => response,
            Err(panic) => {
                tracing::error!(panic = panic_text(&*panic), "a handler panicked");
                Problem::internal(HttpCode::Panicked).into_response()
            }
        }
    });
    let mut response = answer.instrument(span.clone()).await;
    response.headers_mut().insert(X_TRACE_ID, id.header());
    span.in_scope(|| finish(&span, &response, start));
    response
}

/// Runs work in a task of its own, with the id and the span of the current request: it goes on to its end when its caller
/// is dropped, as the handler of a client that hangs up is.
pub async fn detached<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let work = work.instrument(Span::current());
    let task = match CURRENT.try_with(|id| *id) {
        Ok(id) => tokio::spawn(CURRENT.scope(id, work)),
        Err(_) => tokio::spawn(work),
    };
    match task.await {
        Ok(result) => result,
        // The runtime cancels tasks only when it ends, and this one with them.
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => std::future::pending().await,
        },
    }
}

fn finish(span: &Span, response: &Response, start: Instant) {
    let status = response.status();
    let latency = start.elapsed().as_secs_f64() * 1000.0;
    span.record("http.response.status_code", status.as_u16());
    span.record("latency_ms", latency);
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    let code = response.extensions().get::<Refused>().map(|refused| refused.0.as_str());
    tracing::info!(status = status.as_u16(), code, latency_ms = latency, "answered");
}

/// The id of the span where spans are exported, or a new one. The caller's trace is linked: an id that callers choose could
/// imitate that of another request in the log.
fn identify(span: &Span, headers: &HeaderMap) -> TraceId {
    if let Some(caller) = traceparent(headers) {
        span.add_link(caller);
    }
    let exported = span.context().span().span_context().trace_id();
    if exported == opentelemetry::trace::TraceId::INVALID {
        return TraceId::random();
    }
    TraceId(exported.to_bytes())
}

/// The W3C `traceparent` of a request, if there is exactly one and it is valid.
fn traceparent(headers: &HeaderMap) -> Option<SpanContext> {
    let mut all = headers.get_all("traceparent").iter();
    let (Some(only), None) = (all.next(), all.next()) else { return None };
    let text = only.to_str().ok()?;
    let version = text.get(..2)?;
    let future = version != "00" && version != "ff" && is_hex(version);
    // Later versions may append fields.
    let known = match text.get(55..)? {
        "" => version == "00" || future,
        more => future && more.starts_with('-'),
    };
    let [_, trace, parent, flags] = <[&str; 4]>::try_from(text[..55].split('-').collect::<Vec<_>>()).ok()?;
    let lengths = (trace.len(), parent.len(), flags.len()) == (32, 16, 2);
    if !known || !lengths || ![trace, parent, flags].into_iter().all(is_hex) {
        return None;
    }
    let trace = opentelemetry::trace::TraceId::from_hex(trace).ok()?;
    let parent = SpanId::from_hex(parent).ok()?;
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?);
    let context = SpanContext::new(trace, parent, flags, true, TraceState::NONE);
    context.is_valid().then_some(context)
}

/// The standard requires lower case.
fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl TraceId {
    fn random() -> Self {
        Self(rand::random())
    }

    fn header(self) -> HeaderValue {
        HeaderValue::try_from(self.to_string()).unwrap_or(HeaderValue::from_static(""))
    }
}

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// The declared route that a request was matched to.
pub fn route_name(request: &Request) -> &str {
    request.extensions().get::<MatchedPath>().map_or(UNMATCHED, MatchedPath::as_str)
}

/// The method, or one name for all unknown ones.
pub fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "OTHER",
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "no text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn parse(text: &str) -> Option<String> {
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static("traceparent"),
            HeaderValue::from_str(text).unwrap(),
        )]);
        traceparent(&headers).map(|context| context.trace_id().to_string())
    }

    #[test]
    fn a_valid_parent_is_used() {
        let id = Some("4bf92f3577b34da6a3ce929d0e0e4736".to_owned());
        assert_eq!(parse(GOOD), id);
        assert_eq!(parse(&GOOD.replacen("00", "01", 1)), id);
        assert_eq!(parse(&format!("{}-more", GOOD.replacen("00", "cc", 1))), id);
    }

    #[test]
    fn an_invalid_parent_is_ignored() {
        for wrong in [
            "",
            "00",
            "nonsense that is long enough to be cut at every place where it is cut",
            &format!("{GOOD}-more"),
            &format!("{GOOD}0"),
            &GOOD.replacen("00", "ff", 1),
            &GOOD.to_uppercase(),
            &GOOD.replace("4bf92f3577b34da6a3ce929d0e0e4736", "00000000000000000000000000000000"),
            &GOOD.replace("00f067aa0ba902b7", "0000000000000000"),
            &GOOD.replace("-00f0", "0-0f0"),
            &GOOD.replace("4bf9", "4bg9"),
            &GOOD.replace('-', "_"),
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn two_parents_are_ignored() {
        let mut headers = HeaderMap::new();
        headers.append("traceparent", HeaderValue::from_static(GOOD));
        headers.append("traceparent", HeaderValue::from_static(GOOD));
        assert!(traceparent(&headers).is_none());
    }

    #[test]
    fn random_ids_differ() {
        assert_ne!(TraceId::random(), TraceId::random());
        assert_eq!(TraceId::random().to_string().len(), 32);
    }
}
