//! Calls to a server that lends its ports, and their retries.

use std::fmt;
use std::time::Duration;

use hansang_core::wire::{Wire, split};
use reqwest::{Client, Response, Url};
use serde_json::{Value as Json, json};

use crate::failure::{Effect, Failure};
use crate::{RemoteQueue, RemoteStore};

/// Maximum number of attempts.
const MAX_ATTEMPTS: u32 = 5;
/// Maximum pause before the second attempt, doubled with each.
const BASE_PAUSE: Duration = Duration::from_millis(50);
/// Timeout of a response. A server gives up after half of it by default.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(60);

/// A running server that lends its ports. Cheap to clone.
#[derive(Clone)]
pub struct Lender {
    client: Client,
    url: Url,
}

/// A call to a port.
pub(crate) struct Call<'c, C> {
    pub(crate) port: &'static str,
    /// Name of the table or queue. For a transaction, the table of its first write.
    pub(crate) on: &'c str,
    pub(crate) call: &'c C,
    /// Whether it only reads.
    pub(crate) is_read: bool,
    /// How long the server may wait before it responds.
    pub(crate) waits: Duration,
}

impl Lender {
    /// Returns the server at this URL. The client must send the credentials, such as the token of an
    /// administrator of every system, and must not follow redirects.
    #[must_use]
    pub fn new(client: Client, url: Url) -> Self {
        Self { client, url }
    }

    /// Returns its store.
    #[must_use]
    pub fn store(&self) -> RemoteStore {
        RemoteStore { lender: self.clone() }
    }

    /// Returns its queue of this name.
    #[must_use]
    pub fn queue(&self, name: impl Into<String>) -> RemoteQueue {
        RemoteQueue { lender: self.clone(), name: name.into() }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Retries until there is a response, a retry would not help, or the maximum is reached.
    pub(crate) async fn call<C: Wire, A: Wire>(&self, call: Call<'_, C>) -> Result<A, Failure> {
        let (method, arguments) = split(call.call);
        let url = self.address(call.port, &method);
        let body = json!({ "on": call.on, "arguments": arguments }).to_string();
        let mut attempts = 1;
        loop {
            let failure = match self.once(&url, &body, RESPONSE_TIMEOUT + call.waits).await {
                Ok(response) => return Ok(response),
                Err(failure) => failure,
            };
            let again = match failure.effect {
                Effect::Refused | Effect::TooLarge => false,
                Effect::Overloaded => true,
                Effect::NotSent | Effect::Unknown => call.is_read,
            };
            if !again || attempts >= MAX_ATTEMPTS {
                return Err(failure);
            }
            pause(attempts).await;
            attempts += 1;
        }
    }

    async fn once<A: Wire>(&self, url: &Url, body: &str, timeout: Duration) -> Result<A, Failure> {
        let request = self.client.post(url.clone()).timeout(timeout);
        let request = request.header("content-type", "application/json").body(body.to_owned());
        let response = request.send().await.map_err(|error| Failure::lost(&self.url, error))?;
        let status = response.status();
        let json = self.json(response).await?;
        if !status.is_success() {
            return Err(Failure::refused(&self.url, status, &json));
        }
        A::from_json(&json).map_err(|_| Failure::unexpected(&self.url))
    }

    /// Parses the body as JSON; null if it is not JSON.
    async fn json(&self, response: Response) -> Result<Json, Failure> {
        let bytes = response.bytes().await.map_err(|error| Failure::lost(&self.url, error))?;
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    fn address(&self, port: &str, method: &str) -> Url {
        let mut url = self.url.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(["api", "server", "ports", port, method]);
        }
        url
    }
}

/// Pauses for a random time up to a limit that doubles, so that clients do not return at the same time.
async fn pause(attempts: u32) {
    let max = BASE_PAUSE.saturating_mul(1 << attempts.saturating_sub(1).min(16));
    tokio::time::sleep(max.mul_f64(fastrand::f64())).await;
}

/// Leaves the client out, which may have a token.
impl fmt::Debug for Lender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lender").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}
