//! The conformance suite of files, and tests of the directory alone.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use hansang_core::files::Files as _;
use hansang_embedded::Directory;
use hansang_testkit::files_suite::Trial;

fn trial() -> Trial {
    let directory = tempfile::tempdir().unwrap();
    Trial::new(Arc::new(Directory::new(&directory.path().join("files"))), Some(Box::new(directory)))
}

mod conformance {
    use super::trial;

    hansang_testkit::files_conformance!(trial());
}

fn everything(path: &Path) -> Vec<String> {
    fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// Nothing is left of files that are gone, and the directory itself stays.
#[tokio::test]
async fn empty_folders_are_removed() {
    let root = tempfile::tempdir().unwrap();
    let files = Directory::new(root.path());
    let source = root.path().join("source");
    fs::write(&source, "x").unwrap();
    for key in ["a/b/c", "a/b/d", "e/f/g"] {
        files.put(key, "text/plain", &source).await.unwrap();
    }
    fs::remove_file(&source).unwrap();
    files.delete("a/b/c").await.unwrap();
    assert_eq!(everything(&root.path().join("a/b")), ["d"]);
    files.delete("a/b/d").await.unwrap();
    assert_eq!(everything(root.path()), ["e"]);
    files.delete_all("e/f").await.unwrap();
    assert_eq!(everything(root.path()), [] as [&str; 0]);
}

/// A file that cannot be stored leaves no part behind.
#[tokio::test]
async fn a_failed_write_leaves_nothing() {
    let root = tempfile::tempdir().unwrap();
    let files = Directory::new(root.path());
    files.put("a/b", "text/plain", Path::new("/there-is-no-such-file")).await.unwrap_err();
    assert_eq!(everything(&root.path().join("a")), [] as [&str; 0]);
}
