//! Limits on a single client, and on all clients together.
//!
//! Each function runs the rest of the chain within one limit.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::body;
use crate::guard::Caller;
use crate::problem::Problem;
use crate::{HttpCode, messages};
use hansang_core::message;

mod rate;
mod shares;
mod upload;

pub use rate::{Client, Limiter, Rate};
pub use shares::{Exhausted, Share, Shares};
pub use upload::{body_budget, read_body, refuse_idle};

/// The minimum number of slots per client.
const MIN_SLOTS_EACH: usize = 8;
/// The maximum number of open streams per account: pages that follow changes, exports and imports.
pub const MAX_STREAMS_OF_ACCOUNT: usize = 32;
/// The maximum number of open streams per address; an office shares one address.
pub const MAX_STREAMS_OF_ADDRESS: usize = 256;

/// Slots for `max` concurrent requests. One client gets a quarter of them.
#[must_use]
pub fn slots(max: usize) -> Arc<Shares<Client>> {
    Shares::new(max, (max / 4).max(MIN_SLOTS_EACH))
}

/// Runs a request in a slot, or rejects it if all slots are taken: a queue would only make every client wait.
///
/// The slot is held until the response has been sent, unless that is [`Endless`].
pub async fn take_slot<F: Future<Output = Response>>(
    slots: &Arc<Shares<Client>>,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let slot = match slots.take(client_of(&request), 1) {
        Ok(slot) => slot,
        Err(exhausted) => return refused(exhausted).into_response(),
    };
    let response = next(request).await;
    if response.extensions().get::<Endless>().is_some() {
        return response;
    }
    response.map(|body| body::holding(body, slot))
}

/// Marks an endless response, such as a stream of events. It frees its slot: a few open pages would otherwise take all
/// of them.
#[derive(Clone, Copy, Debug)]
pub struct Endless;

/// The open streams, by account and by address.
#[derive(Debug)]
pub struct Streams {
    of_account: Arc<Shares<String>>,
    of_address: Arc<Shares<Client>>,
}

impl Default for Streams {
    fn default() -> Self {
        Self {
            of_account: Shares::new(usize::MAX, MAX_STREAMS_OF_ACCOUNT),
            of_address: Shares::new(usize::MAX, MAX_STREAMS_OF_ADDRESS),
        }
    }
}

/// Runs a stream, or rejects it if its account or its address has too many. It counts until the response has been sent.
pub async fn take_stream<F: Future<Output = Response>>(
    streams: &Streams,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let caller = request.extensions().get::<Caller>().and_then(|caller| caller.identity.as_ref());
    let shares = streams.of_account.take(caller.map(|identity| identity.id.clone()), 1).and_then(|account| {
        let address = streams.of_address.take(client_of(&request), 1)?;
        Ok((account, address))
    });
    match shares {
        Ok(shares) => next(request).await.map(|body| body::holding(body, shares)),
        Err(_) => {
            let message = message!(messages::TOO_MANY_STREAMS);
            Problem {
                status: StatusCode::TOO_MANY_REQUESTS,
                ..Problem::try_again(HttpCode::TooManyRequests, message)
            }
            .into_response()
        }
    }
}

/// The time by which a client has to receive a response. The connection aborts a response that is not received by then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(pub(crate) Instant);

/// Runs a request until `end`.
///
/// Drops a handler that takes longer. Aborts a response body that does, because its status has been sent already.
pub async fn answer_in_time<F: Future<Output = Response>>(
    end: Instant,
    request: Request,
    next: impl FnOnce(Request) -> F,
) -> Response {
    let mut sleep = Box::pin(tokio::time::sleep_until(end));
    tokio::select! {
        response = next(request) => {
            let mut response = response.map(|body| body::until(body, sleep));
            response.extensions_mut().insert(Deadline(end));
            response
        }
        () = &mut sleep => {
            Problem::try_again(HttpCode::TookTooLong, message!(messages::TOOK_TOO_LONG)).into_response()
        }
    }
}

/// Counts a request of its client address.
///
/// The address is that of the connection, or the one that a trusted proxy names. A request without an address is not
/// limited.
///
/// # Errors
/// A problem with the status 429.
pub fn count_address(limiter: &Limiter, request: &Request) -> Result<(), Problem> {
    let address = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    address.map_or(Ok(()), |address| limiter.address(address))
}

/// The client of a request, if it has an address.
fn client_of(request: &Request) -> Option<Client> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| Client::at(info.0.ip()))
}

fn refused(exhausted: Exhausted) -> Problem {
    match exhausted {
        Exhausted::All => Problem::try_again(HttpCode::Overloaded, message!(messages::OVERLOADED)),
        Exhausted::Client => Problem {
            retry_after: Some(Duration::from_secs(1)),
            ..Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                HttpCode::TooManyRequests,
                message!(messages::ADDRESS_BUSY),
            )
        },
    }
}
