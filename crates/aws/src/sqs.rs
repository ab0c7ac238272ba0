//! A queue in SQS, with a second one for dead letters.
//!
//! SQS has ten messages per request and whole seconds. The port hides both.

use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_sqs::Client;
use aws_sdk_sqs::config::retry::RetryConfig;
use hansang_core::Queue;
use hansang_core::queue::{
    DeadLetter, Delivery, Depth, Message, QueueError, Receipt, check_count, check_name, check_time,
};
use tokio::sync::OnceCell;

use crate::connect::{Connection, Settings};
use crate::retry::Retries;

mod batch;
mod dead;
mod depth;
mod ensure;
mod error;
mod receive;

/// A queue in SQS. Dead letters are in the queue `{name}-dead`.
#[derive(Debug)]
pub struct Sqs {
    client: Client,
    retries: Retries,
    attempt: Duration,
    /// Endpoint and region for error messages.
    endpoint: String,
    name: String,
    max_attempts: u32,
    urls: OnceCell<Urls>,
}

/// URLs of the queues.
#[derive(Clone, Debug)]
struct Urls {
    queue: String,
    dead: String,
}

impl Sqs {
    /// Creates a client of a queue that delivers a message `max_attempts` times before it becomes a dead
    /// letter. Sends nothing yet.
    ///
    /// # Errors
    /// When the name is invalid, or no region is found.
    pub async fn connect(settings: Settings, name: &str, max_attempts: u32) -> Result<Self, QueueError> {
        check_name(name)?;
        let connection = Connection::from(settings, "SQS").await.map_err(error::of_connection)?;
        let Connection { config, retries, attempt, endpoint } = connection;
        // Retries of the SDK are off: this crate knows which requests may be repeated.
        let config = aws_sdk_sqs::config::Builder::from(&config).retry_config(RetryConfig::disabled());
        Ok(Self {
            client: Client::from_conf(config.build()),
            retries,
            attempt,
            endpoint,
            name: name.to_owned(),
            max_attempts: max_attempts.clamp(1, 1000),
            urls: OnceCell::new(),
        })
    }

    async fn urls(&self) -> Result<&Urls, QueueError> {
        self.urls.get_or_try_init(|| ensure::find(self)).await
    }
}

#[async_trait]
impl Queue for Sqs {
    async fn ensure(&self) -> Result<(), QueueError> {
        ensure::ensure(self).await
    }

    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        let count = messages.len();
        let urls = match check_count(count) {
            Ok(()) => self.urls().await,
            Err(error) => Err(error),
        };
        match urls {
            Ok(urls) => batch::send(self, &urls.queue, messages).await,
            Err(error) => vec![Err(error); count],
        }
    }

    async fn receive(
        &self,
        most: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        check_count(most)?;
        check_time(wait)?;
        check_time(hidden)?;
        let messages = receive::messages(self, &self.urls().await?.queue, most, wait, hidden).await?;
        Ok(messages.into_iter().filter_map(receive::delivery).collect())
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        batch::delete(self, &self.urls().await?.queue, receipts).await
    }

    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        check_count(receipts.len())?;
        receipts.iter().try_for_each(|(_, hidden)| check_time(*hidden))?;
        batch::hide(self, &self.urls().await?.queue, receipts).await
    }

    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError> {
        dead::bury(self, self.urls().await?, delivery, reason).await
    }

    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError> {
        check_count(most)?;
        dead::letters(self, self.urls().await?, most).await
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        check_count(ids.len())?;
        dead::revive(self, self.urls().await?, ids).await
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        depth::depth(self, self.urls().await?).await
    }
}

/// Rounds up to whole seconds. Every duration that passed the checks fits.
fn seconds(time: Duration) -> i32 {
    let whole = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    i32::try_from(whole).unwrap_or(i32::MAX)
}
