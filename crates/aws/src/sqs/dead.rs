//! Dead letters, which are messages of a queue of their own.
//!
//! SQS cannot show a message without delivering it. Who looks receives the dead letters and gives them back;
//! meanwhile others see none of them.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use aws_sdk_sqs::types::{Message, MessageAttributeValue, MessageSystemAttributeName as Name};
use hansang_core::queue::{DeadLetter, Delivery, QueueError, Receipt, TOO_OFTEN, reason};
use jiff::Timestamp;

use super::error::{failure, settled, unbuilt};
use super::{Sqs, Urls, batch, receive};

/// The attributes of a message that was buried: which it was, and why.
const ID: &str = "hansang-id";
const REASON: &str = "hansang-reason";

/// How long dead letters are hidden from others while somebody looks, if they are not given back.
const LOOKING: Duration = Duration::from_secs(30);

/// How long is waited for the first dead letter: only who waits asks all servers of SQS.
const PATIENCE: Duration = Duration::from_secs(1);

/// The most dead letters that are received at once, and the most rounds, while some are looked for.
const AT_ONCE: usize = 100;
const ROUNDS: usize = 100;

/// Puts a message among the dead letters, then takes it from the queue: whatever happens between, it is in
/// one of them.
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

pub(super) async fn letters(sqs: &Sqs, urls: &Urls, most: usize) -> Result<Vec<DeadLetter>, QueueError> {
    let messages = receive::messages(sqs, &urls.dead, most, PATIENCE, LOOKING).await?;
    let held = messages.into_iter().filter_map(held);
    let (letters, receipts): (Vec<DeadLetter>, Vec<Receipt>) = held.unzip();
    give_back(sqs, urls, receipts).await;
    Ok(letters)
}

/// Goes through the dead letters until all that are wanted were found, and sends these again.
pub(super) async fn revive(sqs: &Sqs, urls: &Urls, ids: &[String]) -> Result<usize, QueueError> {
    let mut wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let mut others = Vec::new();
    let mut revived = Ok(0);
    for _ in 0..ROUNDS {
        if wanted.is_empty() {
            break;
        }
        let found = match receive::messages(sqs, &urls.dead, AT_ONCE, PATIENCE, LOOKING).await {
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

/// Sends dead letters as new messages, and takes away those that were accepted.
async fn send_again(
    sqs: &Sqs,
    urls: &Urls,
    letters: Vec<(DeadLetter, Receipt)>,
    others: &mut Vec<Receipt>,
) -> Result<usize, QueueError> {
    let (letters, receipts): (Vec<DeadLetter>, Vec<Receipt>) = letters.into_iter().unzip();
    let messages = letters.into_iter().map(|letter| hansang_core::queue::Message::new(letter.body)).collect();
    let answers = batch::send(sqs, &urls.queue, messages).await;
    let mut accepted = Vec::with_capacity(receipts.len());
    let mut refused = None;
    for (answer, receipt) in answers.into_iter().zip(receipts) {
        match answer {
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

/// Makes dead letters visible again. Where that fails, time does it.
async fn give_back(sqs: &Sqs, urls: &Urls, receipts: Vec<Receipt>) {
    let receipts: Vec<(Receipt, Duration)> =
        receipts.into_iter().map(|receipt| (receipt, Duration::ZERO)).collect();
    let _ = batch::hide(sqs, &urls.dead, &receipts).await;
}

/// A dead letter and the receipt to give it back with. What has none of our attributes was put there by SQS, because it
/// was delivered too often; since when, SQS does not tell.
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
