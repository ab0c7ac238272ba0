//! Depth of the queues.

use aws_sdk_sqs::types::QueueAttributeName as Name;
use hansang_core::queue::{Depth, QueueError};

use super::ensure::attributes;
use super::{Sqs, Urls};

/// Approximate counts of SQS. It reports the age of the oldest message only as a metric.
pub(super) async fn depth(sqs: &Sqs, urls: &Urls) -> Result<Depth, QueueError> {
    let (visible, hidden) = counted(sqs, &urls.queue).await?;
    let (dead, looked_at) = counted(sqs, &urls.dead).await?;
    Ok(Depth { visible, hidden, dead: dead + looked_at, oldest: None })
}

/// Visible and hidden messages of a queue.
async fn counted(sqs: &Sqs, url: &str) -> Result<(u64, u64), QueueError> {
    let attributes = attributes(sqs, url).await?;
    let count = |name: Name| attributes.get(&name).and_then(|count| count.parse().ok()).unwrap_or(0);
    let received: u64 = count(Name::ApproximateNumberOfMessagesNotVisible);
    let delayed: u64 = count(Name::ApproximateNumberOfMessagesDelayed);
    Ok((count(Name::ApproximateNumberOfMessages), received + delayed))
}
