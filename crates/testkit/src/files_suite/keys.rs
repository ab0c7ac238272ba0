//! Keys.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use hansang_core::files::MAX_KEY;
use hansang_core::{CoreCode, Error};

use super::Trial;

/// Keys are paths of names.
pub async fn may_be_nested_and_long(trial: &Trial) {
    let room = MAX_KEY - trial.folder.len() - 1;
    for name in ["a/b/c/d/e.f.webp".to_owned(), "A-_.z".to_owned(), "x".repeat(room)] {
        trial.put(&name, name.as_bytes()).await;
        assert_eq!(trial.content(&name).await.unwrap(), name.as_bytes());
    }
}

/// A key that could leave a directory is refused by every method.
pub async fn are_refused_everywhere(trial: &Trial) {
    fn refused<T: fmt::Debug>(result: Result<T, Error>) {
        assert_eq!(result.unwrap_err().code, CoreCode::FileKeyInvalid);
    }
    let (files, minute) = (&trial.files, Duration::from_secs(60));
    for key in ["", "../x", "/x", "a/../b", ".x", "a//b", "가"] {
        refused(files.put(key, "text/plain", Path::new("x")).await);
        refused(files.get(key, None).await);
        refused(files.delete(key).await);
        refused(files.delete_all(key).await);
        refused(files.address(key, None, minute).await);
        refused(files.upload_address(key, "text/plain", 1, minute).await);
    }
}
