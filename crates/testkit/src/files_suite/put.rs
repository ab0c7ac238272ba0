//! Storing files.

use std::path::Path;

use futures_util::future::join_all;
use hansang_core::CoreCode;

use super::{Trial, content};

/// Above what S3 takes in one part.
const LARGE: usize = 20 << 20;

/// A stored file is read as it was.
pub async fn keeps_content(trial: &Trial) {
    let bytes: Vec<u8> = (0..=u8::MAX).collect();
    trial.put("a.bin", &bytes).await;
    assert_eq!(trial.content("a.bin").await.unwrap(), bytes);
}

/// An empty file differs from none.
pub async fn keeps_an_empty_file(trial: &Trial) {
    trial.put("empty", b"").await;
    let body = trial.get("empty", None).await.unwrap();
    assert_eq!((body.size, body.range), (0, 0..0));
}

/// Files may be larger than a part or the memory for one.
pub async fn keeps_a_large_file(trial: &Trial) {
    let large = content(LARGE + 5);
    trial.put("large", &large).await;
    assert!(trial.content("large").await.unwrap() == large);
}

/// The last content counts.
pub async fn replaces_a_file(trial: &Trial) {
    trial.put("a", b"a long content").await;
    trial.put("a", b"short").await;
    assert_eq!(trial.content("a").await.unwrap(), b"short");
}

/// Nothing of a large file stays.
pub async fn replaces_a_large_file_by_a_small_one(trial: &Trial) {
    trial.put("a", &content(LARGE)).await;
    trial.put("a", b"short").await;
    assert_eq!(trial.content("a").await.unwrap(), b"short");
}

/// Concurrent writers do not mix.
pub async fn stores_many_at_once(trial: &Trial) {
    let same = join_all((0..8_u8).map(|number| async move { trial.put("same", &[number; 5000]).await }));
    let own = join_all((0..8_u8).map(|number| async move {
        trial.put(&format!("own-{number}"), &[number; 5000]).await;
    }));
    tokio::join!(same, own);
    for number in 0..8_u8 {
        assert_eq!(trial.content(&format!("own-{number}")).await.unwrap(), [number; 5000]);
    }
    let last = trial.content("same").await.unwrap();
    assert_eq!(last, vec![last[0]; 5000]);
}

/// A local file that is not there is an error, and stores nothing.
pub async fn refuses_a_missing_source(trial: &Trial) {
    let missing = Path::new("there-is-no-such-file");
    let refused = trial.files.put(&trial.key("a"), "text/plain", missing).await.unwrap_err();
    assert_eq!(refused.code, CoreCode::FilesUnavailable);
    assert_eq!(trial.content("a").await, None);
}
