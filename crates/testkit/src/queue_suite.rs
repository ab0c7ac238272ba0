//! What every queue must do: the behaviours, by topic, and the one list of them.

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

/// How often a message may be delivered in the queues of the suite.
pub const MAX_ATTEMPTS: u32 = 3;

/// A time that no behaviour lets pass.
pub const LONG: Duration = Duration::from_secs(60);

/// The shortest time that every queue can tell.
pub const SECOND: Duration = Duration::from_secs(1);

/// A behaviour of the suite.
pub type Behaviour = for<'t> fn(&'t Trial) -> Pin<Box<dyn Future<Output = ()> + Send + 't>>;

/// Lets time pass for a queue.
pub type Pass = Box<dyn Fn(Duration) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// What a behaviour is tried on: a queue of its own that was made and is empty, and a way to let time
/// pass for it. Some queues have a clock that a test can move; for the others there is only waiting.
pub struct Trial {
    /// The queue.
    pub queue: Arc<dyn Queue>,
    pass: Pass,
    _kept: Option<Box<dyn Any + Send + Sync>>,
}

impl Trial {
    /// A trial of a queue that delivers a message [`MAX_ATTEMPTS`] times and was not made yet. What has to
    /// live as long as it does is `kept`.
    ///
    /// # Panics
    /// When the queue cannot be made.
    pub async fn new(queue: Arc<dyn Queue>, pass: Pass, kept: Option<Box<dyn Any + Send + Sync>>) -> Self {
        queue.ensure().await.unwrap();
        Self { queue, pass, _kept: kept }
    }

    /// Lets this much time pass.
    pub async fn pass(&self, time: Duration) {
        (self.pass)(time).await;
    }

    /// Sends messages, which must be accepted.
    pub async fn send(&self, bodies: &[&str]) {
        let messages = bodies.iter().map(|body| Message::new(*body)).collect();
        for answer in self.queue.send(messages).await {
            answer.unwrap();
        }
    }

    /// Sends a message that is hidden first.
    pub async fn send_later(&self, body: &str, delay: Duration) {
        let answers = self.queue.send(vec![Message { body: body.to_owned(), delay }]).await;
        assert!(matches!(answers[..], [Ok(())]), "{answers:?}");
    }

    /// What can be received at once, hidden for this long.
    pub async fn receive(&self, most: usize, hidden: Duration) -> Vec<Delivery> {
        self.queue.receive(most, Duration::ZERO, hidden).await.unwrap()
    }

    /// The one message that can be received now, hidden for this long.
    pub async fn one(&self, hidden: Duration) -> Delivery {
        let mut deliveries = self.receive(10, hidden).await;
        assert_eq!(deliveries.len(), 1, "expected one message, got {deliveries:?}");
        deliveries.remove(0)
    }

    /// Nothing can be received now.
    pub async fn nothing(&self) {
        assert_eq!(self.receive(10, LONG).await, []);
    }

    /// Acknowledges one delivery.
    pub async fn acknowledge(&self, delivery: &Delivery) {
        self.queue.acknowledge(std::slice::from_ref(&delivery.receipt)).await.unwrap();
    }

    /// Says anew for how long a message is hidden.
    pub async fn hide(&self, delivery: &Delivery, hidden: Duration) {
        self.queue.hide(&[(delivery.receipt.clone(), hidden)]).await.unwrap();
    }

    /// Receives until nothing comes any more, and acknowledges nothing: how often each body came.
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

/// A name that no other queue of this process has.
#[must_use]
pub fn name() -> String {
    static QUEUES: AtomicU32 = AtomicU32::new(0);
    format!("testkit-{}-{}", std::process::id(), QUEUES.fetch_add(1, Ordering::Relaxed))
}

/// A receipt that no queue ever gave.
#[must_use]
pub fn strange_receipt() -> Receipt {
    Receipt("nobody-gave-this".into())
}

/// The request broke the rule of this code.
#[track_caller]
pub fn refused<T: fmt::Debug>(answer: Result<T, QueueError>, code: &str) {
    match answer {
        Err(QueueError::Invalid(error)) => {
            assert_eq!(error.code, code, "refused for another reason: {error}")
        }
        other => panic!("expected to be refused with `{code}`, got {other:?}"),
    }
}

/// Runs the behaviour of this name, which must hold, or must not if `exceptions` name it.
///
/// # Panics
/// When the behaviour does not hold, or holds in spite of an exception.
pub async fn run(trial: Trial, name: &str, exceptions: &[(&str, &str)]) {
    let behaviour = behaviour(name);
    run::hold(name, exceptions, async move { behaviour(&trial).await }).await;
}

/// Every exception must name a behaviour and give a sentence as its reason.
///
/// # Panics
/// When one does not.
pub fn check_exceptions(exceptions: &[(&str, &str)]) {
    run::check_reasons(BEHAVIOURS, exceptions);
}

/// A plain function, so that all behaviours are compiled once, with this crate, and not where they are run.
fn behaviour(name: &str) -> Behaviour {
    run::find(BEHAVIOURS, name)
}

/// Gives the list of all behaviours to the macro of this crate that is named.
#[doc(hidden)]
#[macro_export]
macro_rules! queue_behaviours {
    ($callback:ident { $($context:tt)* }) => {
        $crate::$callback! {
            { $($context)* }
            ensure {
                can_be_repeated
                keeps_what_is_there
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
                refuses_what_breaks_a_rule
                refuses_characters_that_some_queue_cannot_carry
                answers_each_message_at_its_place
                refuses_too_many
                delays_a_message
                delays_each_message_by_itself
            }
            receive {
                gives_nothing_when_there_is_nothing
                gives_at_most_as_many_as_asked
                gives_nothing_to_who_wants_none
                gives_more_than_ten
                hides_a_message_from_others
                shows_a_message_again_after_its_time
                shows_each_message_again_after_its_own_time
                counts_attempts
                gives_each_delivery_its_own_receipt
                waits_for_a_message
                waits_for_a_message_that_becomes_due
                waits_no_longer_than_asked
                gives_a_message_to_one_of_those_who_wait
                refuses_what_breaks_a_rule
            }
            acknowledge {
                removes_a_message
                removes_many_messages
                removes_only_what_it_names
                can_be_repeated
                ignores_what_was_never_given
                leaves_a_message_to_who_has_it_now
                takes_nothing
                refuses_too_many
            }
            hide {
                gives_more_time
                gives_less_time
                shows_a_message_at_once
                counts_the_next_attempt
                wakes_who_waits
                takes_many_messages
                leaves_a_message_to_who_has_it_now
                ignores_what_is_gone
                keeps_the_receipt
                refuses_what_breaks_a_rule
            }
            dead {
                takes_what_is_delivered_too_often
                takes_what_is_buried
                keeps_any_text_and_reason
                keeps_a_large_message
                needs_no_reason
                is_not_delivered
                stays_when_it_is_looked_at
                gives_at_most_as_many_as_asked
                is_revived
                is_revived_by_name
                is_revived_once
                counts_attempts_anew
                of_nothing_is_empty
                refuses_too_many
            }
            depth {
                of_nothing_is_nothing
                counts_what_is_visible_hidden_and_dead
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

/// All behaviours and their names: the topic and the function.
pub const BEHAVIOURS: &[(&str, Behaviour)] = queue_behaviours!(named_queue_behaviours {});

/// One named test per behaviour of the suite, on the [`Trial`] that the expression makes.
///
/// The expression may await. Exceptions are listed with the sentence that says why.
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
