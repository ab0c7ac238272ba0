//! Lifetimes of values.

use std::time::Duration;

use super::{LONG, Trial, key};

const SHORT: Duration = Duration::from_millis(40);

/// D22
pub async fn ends_a_value(trial: &Trial) {
    let (key, other) = (key(), key());
    trial.set(&key, "value", SHORT).await;
    trial.set(&other, "stays", LONG).await;
    trial.pass(SHORT).await;
    assert_eq!(trial.get(&key).await, None);
    assert_eq!(trial.get(&other).await.unwrap(), "stays");
}

/// A new value has the lifetime that was given with it.
pub async fn starts_again_with_a_new_value(trial: &Trial) {
    let key = key();
    trial.set(&key, "first", SHORT).await;
    trial.set(&key, "second", LONG).await;
    trial.pass(SHORT).await;
    assert_eq!(trial.get(&key).await.unwrap(), "second");
}

/// A shorter one too.
pub async fn becomes_shorter_with_a_new_value(trial: &Trial) {
    let key = key();
    trial.set(&key, "first", LONG).await;
    trial.set(&key, "second", SHORT).await;
    trial.pass(SHORT).await;
    assert_eq!(trial.get(&key).await, None);
}

/// A value without a lifetime is gone at once, and so is the one before.
pub async fn of_zero_keeps_nothing(trial: &Trial) {
    let key = key();
    trial.set(&key, "first", LONG).await;
    trial.set(&key, "second", Duration::ZERO).await;
    assert_eq!(trial.get(&key).await, None);
}

/// A lifetime beyond every calendar is no error.
pub async fn may_be_far_away(trial: &Trial) {
    let key = key();
    trial.set(&key, "value", Duration::MAX).await;
    assert_eq!(trial.get(&key).await.unwrap(), "value");
}
