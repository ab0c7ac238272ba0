//! A server that lends its ports: one call to it, and when it is made again.

use std::fmt;
use std::time::Duration;

use hansang_core::wire::{Wire, split};
use reqwest::{Client, Response, Url};
use serde_json::{Value as Json, json};

use crate::failure::{Effect, Failure};
use crate::{RemoteQueue, RemoteStore};

/// How often something is tried at most.
const ATTEMPTS: u32 = 5;
/// The longest pause before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(50);
/// How long an answer may take. A server gives up after half of it, unless it was told otherwise.
const ANSWER: Duration = Duration::from_secs(60);

/// A running server that lends its ports. Cheap to clone.
#[derive(Clone)]
pub struct Lender {
    client: Client,
    url: Url,
}

/// A call, and what has to be known of it to make it well.
pub(crate) struct Call<'c, C> {
    pub(crate) port: &'static str,
    /// The table or the queue.
    pub(crate) on: &'c str,
    pub(crate) call: &'c C,
    /// Whether it changes nothing.
    pub(crate) is_read: bool,
    /// How long the server may wait before it begins to answer.
    pub(crate) waits: Duration,
}

impl Lender {
    /// The server at this address. The client brings whatever the server asks for, such as the token of
    /// an administrator of every system, and follows no redirects.
    #[must_use]
    pub fn new(client: Client, url: Url) -> Self {
        Self { client, url }
    }

    /// Its store.
    #[must_use]
    pub fn store(&self) -> RemoteStore {
        RemoteStore { lender: self.clone() }
    }

    /// Its queue of this name.
    #[must_use]
    pub fn queue(&self, name: impl Into<String>) -> RemoteQueue {
        RemoteQueue { lender: self.clone(), name: name.into() }
    }

    pub(crate) fn url(&self) -> &Url {
        &self.url
    }

    /// Calls until there is an answer, another attempt would do no better, or there were enough.
    pub(crate) async fn call<C: Wire, A: Wire>(&self, call: Call<'_, C>) -> Result<A, Failure> {
        let (method, arguments) = split(call.call);
        let url = self.address(call.port, &method);
        let body = json!({ "on": call.on, "arguments": arguments }).to_string();
        let mut attempts = 1;
        loop {
            let failure = match self.once(&url, &body, ANSWER + call.waits).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let again = match failure.effect {
                Effect::Refused | Effect::TooLarge => false,
                Effect::TurnedAway => true,
                Effect::NotSent | Effect::Unknown => call.is_read,
            };
            if !again || attempts >= ATTEMPTS {
                return Err(failure);
            }
            pause(attempts).await;
            attempts += 1;
        }
    }

    async fn once<A: Wire>(&self, url: &Url, body: &str, patience: Duration) -> Result<A, Failure> {
        let request = self.client.post(url.clone()).timeout(patience);
        let request = request.header("content-type", "application/json").body(body.to_owned());
        let response = request.send().await.map_err(|error| Failure::lost(&self.url, error))?;
        let status = response.status();
        let json = self.json(response).await?;
        if !status.is_success() {
            return Err(Failure::refused(&self.url, status, &json));
        }
        A::from_json(&json).map_err(|_| Failure::stranger(&self.url))
    }

    /// The body as JSON; nothing, if it is none.
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

/// Any time up to a limit that doubles, so that those who were turned away together do not come back
/// together.
async fn pause(attempts: u32) {
    let most = PAUSE.saturating_mul(1 << attempts.saturating_sub(1).min(16));
    tokio::time::sleep(most.mul_f64(fastrand::f64())).await;
}

/// Without the client, which may know a token.
impl fmt::Debug for Lender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lender").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}
