//! The conformance suite of queues: behaviours by topic, and their list.

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use hansang_core::queue::{Delivery, Message, Queue, QueueError, Receipt};

use crate::run;

pub mod acknowledge;
pub mod concurrency;
pub mod dead;
pub mod depth;
pub mod ensure;
pub mod hide;
pub mod receive;
pub mod send;

/// Maximum number of deliveries in the queues of the suite.
pub const MAX_ATTEMPTS: u32 = 3;

/// Longer than any behaviour waits.
pub const LONG: Duration = Duration::from_secs(60);

/// Shortest duration that every queue supports.
pub const SECOND: Duration = Duration::from_secs(1);

/// A behaviour of the suite.
pub type Behaviour = for<'t> fn(&'t Trial) -> Pin<Box<dyn Future<Output = ()> + Send + 't>>;

/// Advances the time of a queue.
pub type Pass = Box<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// An empty queue and a way to let time pass. Some queues have a clock that a test can move; others need real
/// waiting.
pub struct Trial {
    /// Queue under test.
    pub queue: Arc<dyn Queue>,
    pass: Pass,
    _kept: Option<Box<dyn Any + Send + Sync>>,
}

impl Trial {
    /// Creates the queue of a trial, which must deliver a message [`MAX_ATTEMPTS`] times. `kept` lives as
    /// long as the trial.
    ///
    /// # Panics
    /// When the queue cannot be created.
    pub async fn new(queue: Arc<dyn Queue>, pass: Pass, kept: Option<Box<dyn Any + Send + Sync>>) -> Self {
        queue.ensure().await.unwrap();
        Self { queue, pass, _kept: kept }
    }

    /// Lets time pass.
    pub async fn pass(&self, time: Duration) {
        (self.pass)(time).await;
    }

    /// Sends messages, which must be accepted.
    pub async fn send(&self, bodies: &[&str]) {
        let messages = bodies.iter().map(|body| Message::new(*body)).collect();
        for result in self.queue.send(messages).await {
            result.unwrap();
        }
    }

    /// Sends a delayed message.
    pub async fn send_later(&self, body: &str, delay: Duration) {
        let results = self.queue.send(vec![Message { body: body.to_owned(), delay }]).await;
        assert!(matches!(results[..], [Ok(())]), "{results:?}");
    }

    /// Receives visible messages, hidden for this long.
    pub async fn receive(&self, limit: usize, hidden: Duration) -> Vec<Delivery> {
        self.queue.receive(limit, Duration::ZERO, hidden).await.unwrap()
    }

    /// Receives the only visible message, hidden for this long.
    pub async fn one(&self, hidden: Duration) -> Delivery {
        let mut deliveries = self.receive(10, hidden).await;
        assert_eq!(deliveries.len(), 1, "expected one message, got {deliveries:?}");
        deliveries.remove(0)
    }

    /// Expects that no message is visible.
    pub async fn nothing(&self) {
        assert_eq!(self.receive(10, LONG).await, []);
    }

    /// Acknowledges one delivery.
    pub async fn acknowledge(&self, delivery: &Delivery) {
        self.queue.acknowledge(std::slice::from_ref(&delivery.receipt)).await.unwrap();
    }

    /// Changes the time for which a message is hidden.
    pub async fn hide(&self, delivery: &Delivery, hidden: Duration) {
        self.queue.hide(&[(delivery.receipt.clone(), hidden)]).await.unwrap();
    }

    /// Receives until the queue is empty, without acknowledging. Returns the number of deliveries of each
    /// body.
    pub async fn everything(&self) -> BTreeMap<String, usize> {
        let mut bodies = BTreeMap::new();
        loop {
            let deliveries = self.receive(100, LONG).await;
            if deliveries.is_empty() {
                return bodies;
            }
            for delivery in deliveries {
                *bodies.entry(delivery.body).or_default() += 1;
            }
        }
    }
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trial").field("queue", &self.queue).finish_non_exhaustive()
    }
}

/// A queue name that is unique in this process.
#[must_use]
pub fn name() -> String {
    static QUEUES: AtomicU32 = AtomicU32::new(0);
    format!("testkit-{}-{}", std::process::id(), QUEUES.fetch_add(1, Ordering::Relaxed))
}

/// A receipt of no queue.
#[must_use]
pub fn strange_receipt() -> Receipt {
    Receipt("nobody-gave-this".into())
}

/// Expects a refusal with this code.
#[track_caller]
pub fn refused<T: fmt::Debug>(result: Result<T, QueueError>, code: &str) {
    match result {
        Err(QueueError::Invalid(error)) => {
            assert_eq!(error.code, code, "refused for another reason: {error}")
        }
        other => panic!("expected to be refused with `{code}`, got {other:?}"),
    }
}

/// Runs a behaviour, which must hold, or must fail if `exceptions` names it.
///
/// # Panics
/// When the behaviour fails, or holds despite an exception.
pub async fn run(trial: Trial, name: &str, exceptions: &[(&str, &str)]) {
    let behaviour = behaviour(name);
    run::hold(name, exceptions, async move { behaviour(&trial).await }).await;
}

/// Checks that every exception names a behaviour and gives a reason.
///
/// # Panics
/// When one is invalid.
pub fn check_exceptions(exceptions: &[(&str, &str)]) {
    run::check_reasons(BEHAVIOURS, exceptions);
}

/// Not generic, so that all behaviours are compiled once, in this crate.
fn behaviour(name: &str) -> Behaviour {
    run::find(BEHAVIOURS, name)
}

/// Passes the list of all behaviours to a macro of this crate.
#[doc(hidden)]
#[macro_export]
macro_rules! queue_behaviours {
    ($callback:ident { $($context:tt)* }) => {
        $crate::$callback! {
            { $($context)* }
            ensure {
                can_be_repeated
                keeps_messages
            }
            send {
                is_received_once
                keeps_any_text
                keeps_text_beyond_the_basic_plane
                keeps_large_messages
                takes_many_large_messages
                takes_more_than_ten
                takes_as_many_as_are_allowed
                takes_nothing
                keeps_equal_messages_apart
                refuses_invalid_input
                refuses_characters_that_some_queue_cannot_carry
                reports_each_message_at_its_position
                refuses_too_many
                delays_a_message
                delays_each_message_by_itself
            }
            receive {
                gives_nothing_when_there_is_nothing
                gives_at_most_as_many_as_asked
                gives_nothing_for_a_limit_of_zero
                gives_more_than_ten
                hides_a_message_from_others
                shows_a_message_again_after_its_time
                shows_each_message_again_after_its_own_time
                counts_attempts
                gives_each_delivery_its_own_receipt
                waits_for_a_message
                waits_for_a_message_that_becomes_due
                waits_no_longer_than_asked
                gives_a_message_to_one_of_many_receivers
                refuses_invalid_input
            }
            acknowledge {
                removes_a_message
                removes_many_messages
                removes_only_the_named_messages
                can_be_repeated
                ignores_unknown_receipts
                ignores_stale_receipts
                takes_nothing
                refuses_too_many
            }
            hide {
                gives_more_time
                gives_less_time
                shows_a_message_at_once
                counts_the_next_attempt
                wakes_a_waiting_receiver
                takes_many_messages
                ignores_stale_receipts
                ignores_acknowledged_messages
                keeps_the_receipt
                refuses_invalid_input
            }
            dead {
                takes_messages_delivered_too_often
                takes_buried_messages
                keeps_any_text_and_reason
                keeps_a_large_message
                needs_no_reason
                is_not_delivered
                stays_when_it_is_looked_at
                gives_at_most_as_many_as_asked
                is_revived
                is_revived_by_name
                is_revived_once
                resets_attempts
                of_nothing_is_empty
                refuses_too_many
            }
            depth {
                of_nothing_is_nothing
                counts_visible_hidden_and_dead_messages
                falls_with_acknowledgements
            }
            concurrency {
                loses_nothing
                gives_each_message_to_one_at_a_time
            }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! named_queue_behaviours {
    ({} $($area:ident { $($name:ident)* })*) => {
        &[$($((concat!(stringify!($area), "::", stringify!($name)), |trial| Box::pin($area::$name(trial)))),*),*]
    };
}

/// All behaviours, named by topic and function.
pub const BEHAVIOURS: &[(&str, Behaviour)] = queue_behaviours!(named_queue_behaviours {});

/// Generates a test per behaviour, on the [`Trial`] of the expression.
///
/// The expression may await. Each exception has its reason.
#[macro_export]
macro_rules! queue_conformance {
    ($trial:expr) => {
        $crate::queue_conformance!($trial, except []);
    };
    ($trial:expr, except [$($area:ident :: $name:ident: $reason:literal),* $(,)?]) => {
        $crate::queue_behaviours! { conformance_tests {
            queue_suite ($trial) (&[$((concat!(stringify!($area), "::", stringify!($name)), $reason)),*])
        } }
    };
}
