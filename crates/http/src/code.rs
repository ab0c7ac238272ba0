//! The stable codes of requests that are rejected for their form, their caller or the load.

use hansang_core::codes;

codes! {
    /// The codes of the HTTP layer.
    pub enum HttpCode {
        BodyTooLarge = "body_too_large",
        BodyTooSlow = "body_too_slow",
        BodyUnreadable = "body_unreadable",
        CsrfMissing = "csrf_missing",
        InvalidBody = "invalid_body",
        InvalidIfMatch = "invalid_if_match",
        InvalidParameter = "invalid_parameter",
        LogFilter = "log_filter",
        MalformedJson = "malformed_json",
        MalformedPath = "malformed_path",
        MalformedQuery = "malformed_query",
        MethodNotAllowed = "method_not_allowed",
        NoSuchPath = "no_such_path",
        NotReady = "not_ready",
        NotSignedIn = "not_signed_in",
        OtherSite = "other_site",
        OtlpEndpoint = "otlp_endpoint",
        Overloaded = "overloaded",
        Panicked = "panicked",
        RoleMissing = "role_missing",
        SeveralHosts = "several_hosts",
        Stopping = "stopping",
        TelemetryTwice = "telemetry_twice",
        TlsUnavailable = "tls_unavailable",
        TlsUnreadable = "tls_unreadable",
        TlsUnusable = "tls_unusable",
        TookTooLong = "took_too_long",
        TooManyRequests = "too_many_requests",
        Unguarded = "unguarded",
        UnknownParameter = "unknown_parameter",
        WrongContentType = "wrong_content_type",
        WrongEntity = "wrong_entity",
    }
}
