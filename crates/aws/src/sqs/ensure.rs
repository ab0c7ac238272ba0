//! Finds and creates queues and applies settings.

use std::collections::HashMap;

use aws_sdk_sqs::types::QueueAttributeName as Name;
use hansang_core::queue::{MAX_MESSAGE_BYTES, QueueError};
use serde_json::{Value as Json, json};

use super::error::{failure, incomplete, is_there, is_unknown_queue, settled};
use super::{Sqs, Urls};

/// Retention of 14 days, the maximum of SQS.
const RETENTION_SECONDS: u64 = 14 * 24 * 60 * 60;

/// Maximum message size of the dead letter queue: leaves room for a reason beside the largest message.
const MAX_DEAD_BYTES: u64 = 1024 * 1024;

type Attributes = HashMap<Name, String>;

/// Creates both queues or applies the settings. Idempotent.
pub(super) async fn ensure(sqs: &Sqs) -> Result<(), QueueError> {
    let kept = || (Name::MessageRetentionPeriod, RETENTION_SECONDS.to_string());
    let wanted = Attributes::from([kept(), (Name::MaximumMessageSize, MAX_DEAD_BYTES.to_string())]);
    let dead = make(sqs, &dead_name(sqs), wanted).await?;
    let arn = attributes(sqs, &dead).await?.remove(&Name::QueueArn);
    let arn = arn.ok_or_else(|| incomplete(sqs, "name of a queue"))?;
    let redrive = json!({ "deadLetterTargetArn": arn, "maxReceiveCount": sqs.max_attempts }).to_string();
    let bytes = (Name::MaximumMessageSize, MAX_MESSAGE_BYTES.to_string());
    let wanted = Attributes::from([kept(), bytes, (Name::RedrivePolicy, redrive)]);
    let queue = make(sqs, &sqs.name, wanted).await?;
    // Another process may have set the same.
    let _ = sqs.urls.set(Urls { queue, dead });
    Ok(())
}

/// Finds the URLs of existing queues.
pub(super) async fn find(sqs: &Sqs) -> Result<Urls, QueueError> {
    Ok(Urls { queue: url(sqs, &sqs.name).await?, dead: url(sqs, &dead_name(sqs)).await? })
}

fn dead_name(sqs: &Sqs) -> String {
    format!("{}-dead", sqs.name)
}

async fn make(sqs: &Sqs, name: &str, wanted: Attributes) -> Result<String, QueueError> {
    let found = match url(sqs, name).await {
        Err(error) if is_unknown_queue(&error) => create(sqs, name, &wanted).await?,
        other => Some(other?),
    };
    let url = match found {
        Some(url) => url,
        // Another process created it first.
        None => self::url(sqs, name).await?,
    };
    let stored = attributes(sqs, &url).await?;
    let other: Attributes =
        wanted.into_iter().filter(|(name, value)| !fits(name, value, stored.get(name))).collect();
    if !other.is_empty() {
        let request = sqs.client.set_queue_attributes().queue_url(&url).set_attributes(Some(other));
        let tried = sqs.retries.run(true, || async {
            request.clone().send().await.map(drop).map_err(|error| failure(sqs, error))
        });
        settled(tried.await)?;
    }
    Ok(url)
}

/// Returns whether stored attributes are sufficient. Size and retention may be larger than required.
fn fits(name: &Name, wanted: &str, stored: Option<&String>) -> bool {
    let Some(stored) = stored else { return false };
    match name {
        Name::RedrivePolicy => policy(wanted) == policy(stored),
        _ => {
            matches!((wanted.parse::<u64>(), stored.parse::<u64>()), (Ok(wanted), Ok(stored)) if stored >= wanted)
        }
    }
}

/// Target and count of a redrive policy. SQS returns the count as text or as a number.
fn policy(text: &str) -> Option<(String, String)> {
    let json: Json = serde_json::from_str(text).ok()?;
    let plain = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Some((plain(&json["deadLetterTargetArn"]), plain(&json["maxReceiveCount"])))
}

/// Creates a queue. Returns `None` if one with other attributes exists.
async fn create(sqs: &Sqs, name: &str, attributes: &Attributes) -> Result<Option<String>, QueueError> {
    let request = sqs.client.create_queue().queue_name(name).set_attributes(Some(attributes.clone()));
    let tried = sqs.retries.run(true, || async {
        request.clone().send().await.map(|output| output.queue_url).map_err(|error| failure(sqs, error))
    });
    match settled(tried.await) {
        Ok(url) => url.map(Some).ok_or_else(|| incomplete(sqs, "place of a queue")),
        Err(error) if is_there(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn url(sqs: &Sqs, name: &str) -> Result<String, QueueError> {
    let request = sqs.client.get_queue_url().queue_name(name);
    let read = sqs.retries.read(|| async {
        request.clone().send().await.map(|output| output.queue_url).map_err(|error| failure(sqs, error))
    });
    read.await?.ok_or_else(|| incomplete(sqs, "place of a queue"))
}

/// Attributes of a queue.
pub(super) async fn attributes(sqs: &Sqs, url: &str) -> Result<Attributes, QueueError> {
    let request = sqs.client.get_queue_attributes().queue_url(url).attribute_names(Name::All);
    let read = sqs.retries.read(|| async {
        request.clone().send().await.map(|output| output.attributes).map_err(|error| failure(sqs, error))
    });
    read.await.map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_is_wanted_does() {
        let fits = |stored: &str| fits(&Name::MaximumMessageSize, "1000", Some(&stored.to_owned()));
        assert!(fits("1000") && fits("1001") && !fits("999") && !fits("many"));
        assert!(!super::fits(&Name::MaximumMessageSize, "1000", None));
    }

    #[test]
    fn a_policy_is_compared_by_what_it_says() {
        let wanted = r#"{"deadLetterTargetArn":"a","maxReceiveCount":3}"#;
        let fits = |stored: &str| fits(&Name::RedrivePolicy, wanted, Some(&stored.to_owned()));
        assert!(fits(r#"{ "maxReceiveCount": "3", "deadLetterTargetArn": "a" }"#));
        assert!(!fits(r#"{"deadLetterTargetArn":"a","maxReceiveCount":4}"#));
        assert!(!fits(r#"{"deadLetterTargetArn":"b","maxReceiveCount":3}"#));
    }
}
