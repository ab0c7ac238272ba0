//! Values and their keys.

use bytes::Bytes;

use super::{LONG, Trial, key};

/// A key that was never set has no value.
pub async fn are_missing_at_first(trial: &Trial) {
    assert_eq!(trial.get(&key()).await, None);
}

/// D21
pub async fn are_kept(trial: &Trial) {
    let key = key();
    trial.set(&key, "value", LONG).await;
    assert_eq!(trial.get(&key).await.unwrap(), "value");
    assert_eq!(trial.get(&key).await.unwrap(), "value", "twice");
}

/// Values are no texts.
pub async fn may_have_any_bytes(trial: &Trial) {
    let (key, value) = (key(), (0..=u8::MAX).collect::<Bytes>());
    trial.set(&key, value.clone(), LONG).await;
    assert_eq!(trial.get(&key).await, Some(value));
}

/// An empty value differs from none.
pub async fn may_be_empty(trial: &Trial) {
    let key = key();
    trial.set(&key, Bytes::new(), LONG).await;
    assert_eq!(trial.get(&key).await, Some(Bytes::new()));
}

/// The list of thousands of projects is one value.
pub async fn may_be_large(trial: &Trial) {
    let (key, value) = (key(), Bytes::from(vec![7; 2 << 20]));
    trial.set(&key, value.clone(), LONG).await;
    assert!(trial.get(&key).await == Some(value));
}

/// The last value counts.
pub async fn are_replaced(trial: &Trial) {
    let key = key();
    trial.set(&key, "a long value", LONG).await;
    trial.set(&key, "short", LONG).await;
    assert_eq!(trial.get(&key).await.unwrap(), "short");
}

/// Keys are texts of any characters and length. Braces choose the node in a cluster.
pub async fn have_keys_of_any_text(trial: &Trial) {
    let unique = key();
    let keys = [
        format!("{unique}:가나다"),
        format!("{unique} with spaces"),
        format!("{unique}\r\nDEL x\r\n\0"),
        format!("{{{unique}}}:a"),
        format!("{unique}{{}}"),
        format!("{unique}:{}", "long".repeat(500)),
        unique.to_uppercase(),
        unique,
    ];
    for (number, key) in keys.iter().enumerate() {
        trial.set(key, number.to_string(), LONG).await;
    }
    for (number, key) in keys.iter().enumerate() {
        assert_eq!(trial.get(key).await.unwrap(), number.to_string(), "{key:?}");
    }
}

/// D23
pub async fn are_deleted(trial: &Trial) {
    let key = key();
    trial.set(&key, "value", LONG).await;
    trial.cache.delete(&key).await.unwrap();
    assert_eq!(trial.get(&key).await, None);
    trial.set(&key, "again", LONG).await;
    assert_eq!(trial.get(&key).await.unwrap(), "again");
}

/// A value that is gone can be deleted again.
pub async fn are_deleted_once(trial: &Trial) {
    let key = key();
    trial.cache.delete(&key).await.unwrap();
    trial.cache.delete(&key).await.unwrap();
    assert_eq!(trial.get(&key).await, None);
}

/// Other keys keep their values.
pub async fn are_deleted_one_by_one(trial: &Trial) {
    let key = key();
    let longer = format!("{key}:more");
    trial.set(&key, "a", LONG).await;
    trial.set(&longer, "b", LONG).await;
    trial.cache.delete(&key).await.unwrap();
    assert_eq!(trial.get(&longer).await.unwrap(), "b");
}
