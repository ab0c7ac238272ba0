//! Dead letters, which are messages of a second queue.
//!
//! SQS cannot show a message without delivering it. Listing receives dead letters and makes them visible
//! again; others do not see them in between.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use aws_sdk_sqs::types::{Message, MessageAttributeValue, MessageSystemAttributeName as Name};
use hansang_core::queue::{DeadLetter, Delivery, QueueError, Receipt, TOO_OFTEN, reason};
use jiff::Timestamp;

use super::error::{failure, settled, unbuilt};
use super::{Sqs, Urls, batch, receive};

/// Message attributes of a buried message: its ID and the reason.
const ID: &str = "hansang-id";
const REASON: &str = "hansang-reason";

/// Visibility timeout while dead letters are listed.
const LISTING_TIMEOUT: Duration = Duration::from_secs(30);

/// Wait time for the first dead letter. SQS queries all of its servers only in a long poll.
const LISTING_WAIT: Duration = Duration::from_secs(1);

/// Dead letters per round, and maximum number of rounds, of a search.
const SEARCH_PAGE: usize = 100;
const MAX_SEARCH_ROUNDS: usize = 100;

/// Moves a message to the dead letters. Sends before it deletes, so the message is never lost.
pub(super) async fn bury(sqs: &Sqs, urls: &Urls, delivery: &Delivery, why: &str) -> Result<(), QueueError> {
    let mut attributes = HashMap::from([(ID.to_owned(), text(&delivery.id)?)]);
    if let Some(reason) = reason(why) {
        attributes.insert(REASON.to_owned(), text(&reason)?);
    }
    let request = sqs
        .client
        .send_message()
        .queue_url(&urls.dead)
        .message_body(&delivery.body)
        .set_message_attributes(Some(attributes));
    let tried = sqs
        .retries
        .run(true, || async { request.clone().send().await.map(drop).map_err(|error| failure(sqs, error)) });
    settled(tried.await)?;
    batch::delete(sqs, &urls.queue, std::slice::from_ref(&delivery.receipt)).await
}

pub(super) async fn letters(sqs: &Sqs, urls: &Urls, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
    let messages = receive::messages(sqs, &urls.dead, limit, LISTING_WAIT, LISTING_TIMEOUT).await?;
    let held = messages.into_iter().filter_map(held);
    let (letters, receipts): (Vec<DeadLetter>, Vec<Receipt>) = held.unzip();
    give_back(sqs, urls, receipts).await;
    Ok(letters)
}

/// Searches dead letters by ID and sends them again.
pub(super) async fn revive(sqs: &Sqs, urls: &Urls, ids: &[String]) -> Result<usize, QueueError> {
    let mut wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let mut others = Vec::new();
    let mut revived = Ok(0);
    for _ in 0..MAX_SEARCH_ROUNDS {
        if wanted.is_empty() {
            break;
        }
        let found = match receive::messages(sqs, &urls.dead, SEARCH_PAGE, LISTING_WAIT, LISTING_TIMEOUT).await
        {
            Ok(messages) => messages,
            Err(error) => {
                revived = revived.and(Err(error));
                break;
            }
        };
        if found.is_empty() {
            break;
        }
        let (letters, rest): (Vec<_>, Vec<_>) =
            found.into_iter().filter_map(held).partition(|(letter, _)| wanted.remove(&*letter.id));
        others.extend(rest.into_iter().map(|(_, receipt)| receipt));
        match send_again(sqs, urls, letters, &mut others).await {
            Ok(count) => revived = revived.map(|before| before + count),
            Err(error) => {
                revived = Err(error);
                break;
            }
        }
    }
    give_back(sqs, urls, others).await;
    revived
}

/// Sends dead letters as new messages, and deletes the accepted ones.
async fn send_again(
    sqs: &Sqs,
    urls: &Urls,
    letters: Vec<(DeadLetter, Receipt)>,
    others: &mut Vec<Receipt>,
) -> Result<usize, QueueError> {
    let (letters, receipts): (Vec<DeadLetter>, Vec<Receipt>) = letters.into_iter().unzip();
    let messages = letters.into_iter().map(|letter| hansang_core::queue::Message::new(letter.body)).collect();
    let results = batch::send(sqs, &urls.queue, messages).await;
    let mut accepted = Vec::with_capacity(receipts.len());
    let mut refused = None;
    for (result, receipt) in results.into_iter().zip(receipts) {
        match result {
            Ok(()) => accepted.push(receipt),
            Err(error) => {
                others.push(receipt);
                refused = Some(error);
            }
        }
    }
    batch::delete(sqs, &urls.dead, &accepted).await?;
    refused.map_or(Ok(accepted.len()), Err)
}

/// Makes dead letters visible again. On failure, the visibility timeout does it.
async fn give_back(sqs: &Sqs, urls: &Urls, receipts: Vec<Receipt>) {
    let receipts: Vec<(Receipt, Duration)> =
        receipts.into_iter().map(|receipt| (receipt, Duration::ZERO)).collect();
    let _ = batch::hide(sqs, &urls.dead, &receipts).await;
}

/// Converts a dead letter and its receipt. One without our attributes was moved by SQS after too many
/// deliveries; SQS does not tell when.
fn held(message: Message) -> Option<(DeadLetter, Receipt)> {
    let ours = |name: &str| message.message_attributes().and_then(|all| all.get(name)?.string_value());
    let sent = message.attributes().and_then(|all| all.get(&Name::SentTimestamp));
    let sent = sent.and_then(|sent| Timestamp::from_millisecond(sent.parse().ok()?).ok());
    let (id, reason, since) = match ours(ID) {
        Some(id) => (id.to_owned(), ours(REASON).map(str::to_owned), sent),
        None => (message.message_id()?.to_owned(), Some(TOO_OFTEN.to_owned()), None),
    };
    let receipt = Receipt(message.receipt_handle()?.into());
    Some((DeadLetter { id, body: message.body?, reason, since }, receipt))
}

fn text(value: &str) -> Result<MessageAttributeValue, QueueError> {
    MessageAttributeValue::builder().data_type("String").string_value(value).build().map_err(unbuilt)
}
