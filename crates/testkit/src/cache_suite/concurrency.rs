//! Many callers at once.

use bytes::Bytes;
use futures_util::future::join_all;

use super::{LONG, Trial, key};

/// Readers see whole values while writers replace them.
pub async fn leaves_one_whole_value(trial: &Trial) {
    let key = key();
    let whole = |value: &Bytes| value.len() == 4096 && value.iter().all(|byte| *byte == value[0]);
    let (whole, key) = (&whole, &key);
    let calls = (0..20_u8).map(|number| async move {
        trial.set(key, vec![number; 4096], LONG).await;
        assert!(trial.get(key).await.is_some_and(|value| whole(&value)));
    });
    join_all(calls).await;
    assert!(trial.get(key).await.is_some_and(|value| whole(&value)));
}
