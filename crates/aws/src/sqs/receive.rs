//! Receives messages from the queue or from the dead letters.

use std::time::Duration;

use aws_sdk_sqs::config::Config;
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_sdk_sqs::types::{Message, MessageSystemAttributeName as Name};
use futures_util::future::join_all;
use hansang_core::queue::{Delivery, QueueError, Receipt};
use tokio::time::Instant;

use super::batch::{MAX_MESSAGES, MAX_PARALLEL};
use super::error::{failure, settled};
use super::{Sqs, seconds};

/// Maximum duration of a long poll.
const MAX_POLL: Duration = Duration::from_secs(20);

/// Receives up to `limit` messages. The first request waits; further ones do not.
pub(super) async fn messages(
    sqs: &Sqs,
    url: &str,
    limit: usize,
    wait: Duration,
    hidden: Duration,
) -> Result<Vec<Message>, QueueError> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let deadline = Instant::now() + wait;
    let mut messages = loop {
        let left = deadline.saturating_duration_since(Instant::now()).min(MAX_POLL);
        let messages = some(sqs, url, limit, left, hidden).await?;
        if !messages.is_empty() || Instant::now() >= deadline {
            break messages;
        }
    };
    // A short response does not mean that the queue is empty: SQS queries only some of its servers. Without a
    // visibility timeout the same messages would come again.
    while !hidden.is_zero() && !messages.is_empty() && messages.len() < limit {
        let missing = limit - messages.len();
        let wanted = (0..missing.div_ceil(MAX_MESSAGES).min(MAX_PARALLEL))
            .map(|request| missing - request * MAX_MESSAGES);
        let requests = wanted.map(|wanted| some(sqs, url, wanted, Duration::ZERO, hidden));
        let round = join_all(requests).await;
        let before = messages.len();
        // Received messages are hidden by now: return them, and let the next call see the error.
        messages.extend(round.into_iter().flatten().flatten());
        if messages.len() == before {
            break;
        }
    }
    Ok(messages)
}

/// Converts a message. SQS always sends receipt and body.
pub(super) fn delivery(message: Message) -> Option<Delivery> {
    let attempts = message.attributes().and_then(|all| all.get(&Name::ApproximateReceiveCount));
    let attempts = attempts.and_then(|count| count.parse().ok()).unwrap_or(1);
    Some(Delivery {
        id: message.message_id?,
        receipt: Receipt(message.receipt_handle?.into()),
        body: message.body?,
        attempts,
    })
}

/// Sends one request. Messages of a lost response become visible again after the timeout.
async fn some(
    sqs: &Sqs,
    url: &str,
    limit: usize,
    wait: Duration,
    hidden: Duration,
) -> Result<Vec<Message>, QueueError> {
    let request = sqs
        .client
        .receive_message()
        .queue_url(url)
        .max_number_of_messages(i32::try_from(limit.min(MAX_MESSAGES)).unwrap_or(1))
        .wait_time_seconds(seconds(wait))
        .visibility_timeout(seconds(hidden))
        .message_system_attribute_names(Name::ApproximateReceiveCount)
        .message_system_attribute_names(Name::SentTimestamp)
        .message_attribute_names("All");
    let timeouts = TimeoutConfig::builder().operation_attempt_timeout(sqs.attempt + wait).build();
    let tried = sqs.retries.run(true, || async {
        let patient = Config::builder().timeout_config(timeouts.clone());
        let output = request.clone().customize().config_override(patient).send().await;
        output.map(|output| output.messages.unwrap_or_default()).map_err(|error| failure(sqs, error))
    });
    settled(tried.await)
}
