//! The connection to a running server: its address, requests, and rejections.

use std::net::IpAddr;
use std::time::Duration;

use clap::Args;
use hansang_remote::Lender;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, StatusCode, Url};
use serde_json::Value as Json;

use crate::failure::Failure;

const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);
/// Maximum duration of a backup or an export.
const STREAM: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of attempts at a server that sends `Retry-After`, and the maximum wait for each.
const MAX_ATTEMPTS: usize = 10;
const MAX_WAIT: Duration = Duration::from_secs(10);

/// Which server is asked, in the place of a store.
#[derive(Args)]
pub struct ServerArguments {
    /// A running `hansang serve` to ask, which knows its models by name
    #[arg(long, value_name = "URL", env = "HANSANG_SERVER", conflicts_with_all =
        ["store", "data", "env", "endpoint_url", "region", "profile"])]
    server: Option<String>,
    /// Who you are to the server; nobody else sees it in the variable
    #[arg(long, env = "HANSANG_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

impl ServerArguments {
    /// The server, if one is named.
    pub fn connect(&self) -> Result<Option<Connection>, Failure> {
        // An empty variable counts as unset, because shells unset it that way for one command.
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let Some(url) = given(&self.server) else { return Ok(None) };
        Connection::new(&url, given(&self.token).as_deref()).map(Some)
    }
}

/// A connection to a server.
#[derive(Debug)]
pub struct Connection {
    client: Client,
    url: Url,
}

/// The effect of a request, for the message when its response is lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Does {
    /// Changes nothing.
    Read,
    /// May change something.
    Write,
}

/// The response of a server: always an object.
pub struct Response {
    /// The status.
    pub status: StatusCode,
    /// The JSON object.
    pub body: Json,
}

/// The reason of a failed request.
#[derive(Debug)]
pub enum Unanswered {
    /// There was no valid response: the message for the user.
    Lost(String),
    /// The server rejected the request.
    Refused(Refusal),
}

/// A rejection by the server.
#[derive(Debug)]
pub struct Refusal {
    /// The status.
    pub status: StatusCode,
    /// The stable code for programs.
    pub code: String,
    /// The message.
    pub detail: String,
    /// The invalid fields, each with its problem.
    pub fields: Vec<(String, String)>,
    trace: String,
}

impl Connection {
    /// Opens the connection to the server at this address.
    pub fn new(url: &str, token: Option<&str>) -> Result<Self, Failure> {
        let url = address(url)?;
        let plain = url.scheme() == "http";
        if plain && token.is_some() && !is_loopback(&url) {
            let text = format!("a token is not sent to {url} in plain text: write https://, or leave it out");
            return Err(Failure::usage(text));
        }
        let mut client = Client::builder().connect_timeout(CONNECT).timeout(ANSWER).redirect(Policy::none());
        if plain {
            // A proxy could read the token; and without TLS no certificates need to be loaded.
            client = client.no_proxy().tls_certs_only([]);
        }
        if let Some(token) = token {
            let mut value = HeaderValue::from_str(&format!("Bearer {token}"))
                .map_err(|_| Failure::usage("the token has characters that no token has"))?;
            value.set_sensitive(true);
            client = client.default_headers(HeaderMap::from_iter([(AUTHORIZATION, value)]));
        }
        let wrong = |error| format!("cannot prepare a connection to {url}: {}", cause(&error));
        let client = client.build().map_err(|error| Unanswered::Lost(wrong(error)))?;
        Ok(Self { client, url })
    }

    /// The ports of a server, used through this connection.
    pub fn lender(&self) -> Lender {
        Lender::new(self.client.clone(), self.url.clone())
    }

    /// The address of the server.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The address of a path on the server; `None` if a name in it is invalid.
    pub fn path<'n>(&self, names: &[&'n str]) -> Result<Url, &'n str> {
        if let Some(name) = names.iter().find(|name| ["", ".", ".."].contains(name)) {
            return Err(name);
        }
        let mut url = self.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(names);
        }
        Ok(url)
    }

    /// A request that is not sent yet.
    pub fn request(&self, method: Method, url: Url) -> RequestBuilder {
        self.client.request(method, url)
    }

    /// Sends a request and returns the JSON object of the response.
    pub async fn send(&self, request: RequestBuilder, does: Does) -> Result<Response, Unanswered> {
        let response = self.respond(request).await.map_err(|error| self.lost(&error, does))?;
        let status = response.status();
        if status.is_redirection() {
            let text = format!("{} redirects to another address: give that one to --server", self.url);
            return Err(Unanswered::Lost(text));
        }
        let bytes = response.bytes().await.map_err(|error| self.lost(&error, does))?;
        match serde_json::from_slice::<Json>(&bytes) {
            Ok(body) if status.is_success() && body.is_object() => Ok(Response { status, body }),
            Ok(problem) if !status.is_success() && problem["detail"].is_string() => {
                Err(Unanswered::Refused(Refusal::new(status, &problem)))
            }
            _ => Err(self.stranger(does)),
        }
    }

    /// Sends a request and returns a response whose body is streamed, without a time limit.
    pub async fn stream(&self, request: RequestBuilder) -> Result<reqwest::Response, Unanswered> {
        let request = request.timeout(STREAM);
        let response = self.respond(request).await.map_err(|error| self.lost(&error, Does::Read))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let bytes = response.bytes().await.map_err(|error| self.lost(&error, Does::Read))?;
        match serde_json::from_slice::<Json>(&bytes) {
            Ok(problem) if problem["detail"].is_string() => {
                Err(Unanswered::Refused(Refusal::new(status, &problem)))
            }
            _ => Err(self.stranger(Does::Read)),
        }
    }

    /// The next chunk of a response; `None` at its end.
    pub async fn piece(&self, response: &mut reqwest::Response) -> Result<Option<Vec<u8>>, Unanswered> {
        let piece = response.chunk().await.map_err(|error| self.lost(&error, Does::Read))?;
        Ok(piece.map(|bytes| bytes.to_vec()))
    }

    /// Sends a request, and retries it if it was rate-limited, because nothing was done then.
    async fn respond(&self, request: RequestBuilder) -> reqwest::Result<reqwest::Response> {
        let mut tries = 1;
        loop {
            let again = request.try_clone();
            let Some(this) = again else { return request.send().await };
            let response = this.send().await?;
            let wait =
                response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
            let wait = wait.map(Duration::from_secs).filter(|wait| *wait <= MAX_WAIT);
            match wait {
                Some(wait) if response.status() == StatusCode::TOO_MANY_REQUESTS && tries < MAX_ATTEMPTS => {
                    tokio::time::sleep(wait).await;
                }
                _ => return Ok(response),
            }
            tries += 1;
        }
    }

    /// The error for a response that is not from a Hansang server.
    pub fn stranger(&self, does: Does) -> Unanswered {
        let text = format!("{} does not answer as `hansang serve` does: is --server right?", self.url);
        Unanswered::Lost(text + unknown_outcome(does))
    }

    fn lost(&self, error: &reqwest::Error, does: Does) -> Unanswered {
        let url = &self.url;
        let cause = cause(error);
        if error.is_connect() {
            let text = format!("cannot reach {url}: {cause}; is `hansang serve` running there?");
            return Unanswered::Lost(text);
        }
        let what = match error.is_timeout() {
            true => format!("{url} did not answer within {} seconds", ANSWER.as_secs()),
            false => format!("the connection to {url} broke: {cause}"),
        };
        Unanswered::Lost(what + unknown_outcome(does))
    }
}

impl Refusal {
    fn new(status: StatusCode, problem: &Json) -> Self {
        let errors = problem["errors"].as_array().into_iter().flatten();
        Self {
            status,
            code: visible(&problem["code"]),
            detail: visible(&problem["detail"]),
            fields: errors.map(|error| (visible(&error["field"]), visible(&error["message"]))).collect(),
            trace: visible(&problem["traceId"]),
        }
    }

    /// The message for the user; `hint` may add to a field.
    pub fn text(&self, hint: impl Fn(&str) -> Option<String>) -> String {
        let mut text = self.detail.clone();
        for (field, message) in &self.fields {
            if !self.detail.contains(message) {
                text += &format!("\n  `{field}` {message}");
            }
            if let Some(hint) = hint(field) {
                text += &format!("\n  {hint}");
            }
        }
        if self.status.is_server_error() && !self.trace.is_empty() {
            text += &format!("\n  trace id: {}", self.trace);
        }
        text
    }

    /// The exit code of the status.
    pub fn exit_code(&self) -> u8 {
        match self.status.as_u16() {
            400 => 2,
            404 => 3,
            409 | 412 | 422 => 4,
            429 | 503 => 5,
            401 | 403 => 6,
            _ => 1,
        }
    }
}

impl From<Unanswered> for Failure {
    fn from(unanswered: Unanswered) -> Self {
        match unanswered {
            Unanswered::Lost(text) => Self::Message { text, code: 5 },
            Unanswered::Refused(refusal) => {
                Self::Message { text: refusal.text(|_| None), code: refusal.exit_code() }
            }
        }
    }
}

fn unknown_outcome(does: Does) -> &'static str {
    match does {
        Does::Read => "",
        Does::Write => "\nnobody knows whether the write was done: read again before you repeat it",
    }
}

/// Parses the address of a server, which must not contain secrets.
fn address(text: &str) -> Result<Url, Failure> {
    let wrong = || Failure::usage("--server is an address such as https://hansang.example.com");
    let url = Url::parse(text).map_err(|_| wrong())?;
    let known = ["http", "https"].contains(&url.scheme()) && url.has_host();
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Failure::usage("leave name and password out of --server, and give a --token"));
    }
    if known && url.query().is_none() && url.fragment().is_none() { Ok(url) } else { Err(wrong()) }
}

/// Whether an address is of this machine, so that the connection cannot be intercepted.
fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

/// Text from a server, without control characters for the terminal.
fn visible(json: &Json) -> String {
    json.as_str().unwrap_or_default().chars().filter(|one| !one.is_control() || *one == '\n').collect()
}

/// The root cause of an error; the outer errors are less specific.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
