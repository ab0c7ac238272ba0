//! Batches of messages: ten per request, a few requests in parallel, with retries of failed entries.

use std::time::Duration;

use aws_sdk_sqs::types::{
    BatchResultErrorEntry, ChangeMessageVisibilityBatchRequestEntry, DeleteMessageBatchRequestEntry,
    SendMessageBatchRequestEntry,
};
use futures_util::StreamExt as _;
use futures_util::stream;
use hansang_core::queue::{MAX_MESSAGE_BYTES, Message, QueueError, Receipt, check};

use super::error::{failure, of_entry, settled, unbuilt};
use super::{Sqs, seconds};
use crate::error::{Effect, Failure};

/// Maximum number of messages per request.
pub(super) const MAX_MESSAGES: usize = 10;

/// Maximum number of parallel requests.
pub(super) const MAX_PARALLEL: usize = 8;

/// An entry of a batch: position of its message, size in bytes, and the SDK entry.
type Entry<E> = (usize, usize, E);

/// Failed entries of a request.
type Left = Result<Vec<BatchResultErrorEntry>, Failure<QueueError>>;

pub(super) async fn send(sqs: &Sqs, url: &str, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
    let mut results = Vec::with_capacity(messages.len());
    let mut entries = Vec::with_capacity(messages.len());
    for (position, message) in messages.into_iter().enumerate() {
        let entry = check(&message).and_then(|()| {
            let size = message.body.len();
            SendMessageBatchRequestEntry::builder()
                .id(position.to_string())
                .message_body(message.body)
                .delay_seconds(seconds(message.delay))
                .build()
                .map(|entry| (position, size, entry))
                .map_err(unbuilt)
        });
        results.push(entry.map(|entry| entries.push(entry)));
    }
    let request = sqs.client.send_message_batch().queue_url(url);
    let attempt = |entries| {
        let request = request.clone().set_entries(Some(entries));
        async { request.send().await.map(|output| output.failed).map_err(|error| failure(sqs, error)) }
    };
    for (position, error) in all(sqs, entries, attempt).await {
        results[position] = Err(error);
    }
    results
}

pub(super) async fn delete(sqs: &Sqs, url: &str, receipts: &[Receipt]) -> Result<(), QueueError> {
    let entry = |(position, receipt): (usize, &Receipt)| {
        let entry =
            DeleteMessageBatchRequestEntry::builder().id(position.to_string()).receipt_handle(&*receipt.0);
        Ok((position, 0, entry.build().map_err(unbuilt)?))
    };
    let entries = receipts.iter().enumerate().map(entry).collect::<Result<_, QueueError>>()?;
    let request = sqs.client.delete_message_batch().queue_url(url);
    let attempt = |entries| {
        let request = request.clone().set_entries(Some(entries));
        async { request.send().await.map(|output| output.failed).map_err(|error| failure(sqs, error)) }
    };
    first(all(sqs, entries, attempt).await)
}

pub(super) async fn hide(sqs: &Sqs, url: &str, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
    let entry = |(position, (receipt, hidden)): (usize, &(Receipt, Duration))| {
        let entry = ChangeMessageVisibilityBatchRequestEntry::builder()
            .id(position.to_string())
            .receipt_handle(&*receipt.0)
            .visibility_timeout(seconds(*hidden));
        Ok((position, 0, entry.build().map_err(unbuilt)?))
    };
    let entries = receipts.iter().enumerate().map(entry).collect::<Result<_, QueueError>>()?;
    let request = sqs.client.change_message_visibility_batch().queue_url(url);
    let attempt = |entries| {
        let request = request.clone().set_entries(Some(entries));
        async { request.send().await.map(|output| output.failed).map_err(|error| failure(sqs, error)) }
    };
    first(all(sqs, entries, attempt).await)
}

/// Sends all entries. Returns failed positions with their errors.
async fn all<E, F>(
    sqs: &Sqs,
    entries: Vec<Entry<E>>,
    attempt: impl Fn(Vec<E>) -> F,
) -> Vec<(usize, QueueError)>
where
    E: Clone,
    F: Future<Output = Left>,
{
    let attempt = &attempt;
    let requests = chunks(entries).into_iter().map(|chunk| one(sqs, chunk, attempt));
    stream::iter(requests).buffer_unordered(MAX_PARALLEL).concat().await
}

/// Splits entries into requests.
fn chunks<E>(entries: Vec<Entry<E>>) -> Vec<Vec<Entry<E>>> {
    let mut chunks: Vec<Vec<Entry<E>>> = Vec::new();
    let mut bytes = 0;
    for entry in entries {
        bytes += entry.1;
        match chunks.last_mut().filter(|chunk| chunk.len() < MAX_MESSAGES && bytes <= MAX_MESSAGE_BYTES) {
            Some(chunk) => chunk.push(entry),
            None => {
                bytes = entry.1;
                chunks.push(vec![entry]);
            }
        }
    }
    chunks
}

/// Sends one request, and retries failed entries. Every operation here may be repeated.
async fn one<E, F>(
    sqs: &Sqs,
    mut waiting: Vec<Entry<E>>,
    attempt: &impl Fn(Vec<E>) -> F,
) -> Vec<(usize, QueueError)>
where
    E: Clone,
    F: Future<Output = Left>,
{
    let mut failed = Vec::new();
    let mut count = 0;
    loop {
        count += 1;
        let entries = || waiting.iter().map(|(_, _, entry)| entry.clone()).collect();
        let left = match settled(sqs.retries.run(true, || attempt(entries())).await) {
            Ok(left) => left,
            Err(error) => {
                failed.extend(waiting.into_iter().map(|(position, _, _)| (position, error.clone())));
                return failed;
            }
        };
        let mut again = Vec::new();
        for entry in left {
            let Ok(position) = entry.id().parse::<usize>() else { continue };
            match of_entry(sqs, &entry) {
                None => {}
                Some(failure) if failure.effect == Effect::Refused || count >= sqs.retries.attempts => {
                    failed.push((position, failure.error));
                }
                Some(_) => again.push(position),
            }
        }
        waiting.retain(|(position, _, _)| again.contains(position));
        if waiting.is_empty() {
            return failed;
        }
        sqs.retries.pause(count).await;
    }
}

fn first(failed: Vec<(usize, QueueError)>) -> Result<(), QueueError> {
    failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(sizes: &[usize]) -> Vec<usize> {
        let entries = sizes.iter().map(|size| (0, *size, ())).collect();
        chunks(entries).iter().map(Vec::len).collect()
    }

    #[test]
    fn requests_keep_both_limits() {
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&[1; 25]), [10, 10, 5]);
        assert_eq!(lengths(&[MAX_MESSAGE_BYTES; 3]), [1, 1, 1]);
        assert_eq!(lengths(&[MAX_MESSAGE_BYTES / 2; 5]), [2, 2, 1]);
        assert_eq!(lengths(&[1, MAX_MESSAGE_BYTES, 1, 1]), [1, 1, 2]);
    }
}
