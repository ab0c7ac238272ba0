//! A queue of a server.

use std::time::Duration;

use async_trait::async_trait;
use hansang_core::queue::{
    DeadLetter, Delivery, Depth, Message, Queue, QueueError, Receipt, check_count, check_time,
};
use hansang_core::wire::{QueueCall, QueueResponse};

use crate::Lender;
use crate::failure::Failure;
use crate::lender::Call;

/// Size of a batch of messages in bytes, far below the limit of a server.
const BATCH_BYTES: usize = 2 * 1024 * 1024;
/// Maximum wait of one call, so that proxies do not drop it.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// A queue of a server that lends its ports.
#[derive(Clone, Debug)]
pub struct RemoteQueue {
    pub(crate) lender: Lender,
    pub(crate) name: String,
}

impl RemoteQueue {
    async fn call(&self, call: QueueCall) -> Result<QueueResponse, QueueError> {
        let is_read = call.is_read();
        let waits = match &call {
            QueueCall::Receive(_, wait, _) => *wait,
            _ => Duration::ZERO,
        };
        let call = Call { port: "queue", on: &self.name, call: &call, is_read, waits };
        match self.lender.call::<_, Result<QueueResponse, QueueError>>(call).await {
            Ok(response) => response,
            Err(failure) => Err(failure.of_queue(is_read)),
        }
    }

    /// The error for a response of the wrong kind.
    fn unexpected<T>(&self, is_read: bool) -> Result<T, QueueError> {
        Err(Failure::unexpected(self.lender.url()).of_queue(is_read))
    }

    async fn do_all(&self, call: QueueCall) -> Result<(), QueueError> {
        match self.call(call).await? {
            QueueResponse::Done => Ok(()),
            _ => self.unexpected(false),
        }
    }

    /// Sends one batch. Returns a result for each message.
    async fn send_batch(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        let count = messages.len();
        let error = match self.call(QueueCall::Send(messages)).await {
            Ok(QueueResponse::Sent(each)) if each.len() == count => return each,
            Ok(_) => Failure::unexpected(self.lender.url()).of_queue(false),
            Err(error) => error,
        };
        vec![Err(error); count]
    }
}

#[async_trait]
impl Queue for RemoteQueue {
    async fn ensure(&self) -> Result<(), QueueError> {
        self.do_all(QueueCall::Ensure).await
    }

    async fn send(&self, messages: Vec<Message>) -> Vec<Result<(), QueueError>> {
        if let Err(error) = check_count(messages.len()) {
            return vec![Err(error); messages.len()];
        }
        let mut results = Vec::with_capacity(messages.len());
        let (mut batch, mut size) = (Vec::new(), 0);
        for message in messages {
            size += message.body.len();
            batch.push(message);
            if size >= BATCH_BYTES {
                results.extend(self.send_batch(std::mem::take(&mut batch)).await);
                size = 0;
            }
        }
        if !batch.is_empty() {
            results.extend(self.send_batch(batch).await);
        }
        results
    }

    async fn receive(
        &self,
        limit: usize,
        wait: Duration,
        hidden: Duration,
    ) -> Result<Vec<Delivery>, QueueError> {
        check_time(wait)?;
        match self.call(QueueCall::Receive(limit, wait.min(MAX_WAIT), hidden)).await? {
            QueueResponse::Deliveries(deliveries) => Ok(deliveries),
            _ => self.unexpected(false),
        }
    }

    async fn acknowledge(&self, receipts: &[Receipt]) -> Result<(), QueueError> {
        self.do_all(QueueCall::Acknowledge(receipts.to_vec())).await
    }

    async fn hide(&self, receipts: &[(Receipt, Duration)]) -> Result<(), QueueError> {
        self.do_all(QueueCall::Hide(receipts.to_vec())).await
    }

    async fn bury(&self, delivery: &Delivery, reason: &str) -> Result<(), QueueError> {
        self.do_all(QueueCall::Bury(delivery.clone(), reason.to_owned())).await
    }

    async fn dead(&self, limit: usize) -> Result<Vec<DeadLetter>, QueueError> {
        match self.call(QueueCall::Dead(limit)).await? {
            QueueResponse::Dead(letters) => Ok(letters),
            _ => self.unexpected(true),
        }
    }

    async fn revive(&self, ids: &[String]) -> Result<usize, QueueError> {
        match self.call(QueueCall::Revive(ids.to_vec())).await? {
            QueueResponse::Revived(count) => Ok(count),
            _ => self.unexpected(false),
        }
    }

    async fn depth(&self) -> Result<Depth, QueueError> {
        match self.call(QueueCall::Depth).await? {
            QueueResponse::Depth(depth) => Ok(depth),
            _ => self.unexpected(true),
        }
    }
}
