//! Receiving messages, from the queue or from its dead letters.

use std::time::Duration;

use aws_sdk_sqs::config::Config;
use aws_sdk_sqs::config::timeout::TimeoutConfig;
use aws_sdk_sqs::types::{Message, MessageSystemAttributeName as Name};
use futures_util::future::join_all;
use hansang_core::queue::{Delivery, QueueError, Receipt};
use tokio::time::Instant;

use super::batch::{MESSAGES, REQUESTS};
use super::error::{failure, settled};
use super::{Sqs, seconds};

/// The longest time for which SQS holds a request.
const LONGEST_POLL: Duration = Duration::from_secs(20);

/// Up to `most` messages of a queue. The first request waits; the others take what is there.
pub(super) async fn messages(
    sqs: &Sqs,
    url: &str,
    most: usize,
    wait: Duration,
    hidden: Duration,
) -> Result<Vec<Message>, QueueError> {
    if most == 0 {
        return Ok(Vec::new());
    }
    let deadline = Instant::now() + wait;
    let mut messages = loop {
        let left = deadline.saturating_duration_since(Instant::now()).min(LONGEST_POLL);
        let messages = some(sqs, url, most, left, hidden).await?;
        if !messages.is_empty() || Instant::now() >= deadline {
            break messages;
        }
    };
    // Fewer than a full request is no sign that there are no more: SQS asks only some of its servers. But what
    // is not hidden would only come again.
    while !hidden.is_zero() && !messages.is_empty() && messages.len() < most {
        let missing = most - messages.len();
        let wanted =
            (0..missing.div_ceil(MESSAGES).min(REQUESTS)).map(|request| missing - request * MESSAGES);
        let requests = wanted.map(|wanted| some(sqs, url, wanted, Duration::ZERO, hidden));
        let round = join_all(requests).await;
        let before = messages.len();
        // What was received is hidden from others by now: an error is met again by who asks next.
        messages.extend(round.into_iter().flatten().flatten());
        if messages.len() == before {
            break;
        }
    }
    Ok(messages)
}

/// A message as the port has it. SQS gives none without receipt and body.
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

/// One request. Whether the answer to an attempt was lost or not, what it took is visible again in time.
async fn some(
    sqs: &Sqs,
    url: &str,
    most: usize,
    wait: Duration,
    hidden: Duration,
) -> Result<Vec<Message>, QueueError> {
    let request = sqs
        .client
        .receive_message()
        .queue_url(url)
        .max_number_of_messages(i32::try_from(most.min(MESSAGES)).unwrap_or(1))
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
