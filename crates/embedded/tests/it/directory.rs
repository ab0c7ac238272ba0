//! Directories that are damaged, foreign, newer, in use, read-only or full: a clear error and no further
//! damage.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use hansang_core::{Store as _, StoreError, Value};
use hansang_embedded::Embedded;

use crate::{NOON, TestClock, everything, get, item, key, open, put, table};

fn refused(directory: &Path) -> String {
    Embedded::open(directory, TestClock::at(NOON).options())
        .map(|_| "it opened".to_owned())
        .unwrap_or_else(|error| error.to_string())
}

#[test]
fn a_foreign_directory_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("letter.txt"), "dear").unwrap();
    assert!(refused(directory.path()).contains("holds other files and is not a data directory of Hansang"));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn an_unknown_format_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()).await);
    for (text, message) in [
        ("{ \"format\": 3 }", "newer version of Hansang (format 3, this one knows 2)"),
        ("{ \"format\": 0 }", "has the format 0, which no version of Hansang wrote (this one knows 1 to 2)"),
        ("{ \"format\": 2 }", "is damaged and was not changed: hansang.json does not match its checksum"),
        ("{", "is damaged and was not changed: hansang.json is not JSON with a format"),
    ] {
        fs::write(directory.path().join("hansang.json"), text).unwrap();
        let refusal = refused(directory.path());
        assert!(refusal.contains(message), "{refusal}");
    }
}

#[tokio::test]
async fn one_process_owns_the_directory() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    assert!(refused(directory.path()).contains("is in use by another process"));
    store.write(&table::table(), put("a", "1", &[])).await.unwrap();
    drop(store);
    assert_eq!(everything(&open(directory.path()).await, &table::table()).await.len(), 1);
}

#[tokio::test]
async fn closing_flushes_the_journal() {
    let directory = tempfile::tempdir().unwrap();
    let store = open(directory.path()).await;
    // Incompressible bytes.
    let noise = |seed: u64| -> Vec<u8> {
        let next = |state: &u64| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(seed | 1));
        std::iter::successors(Some(seed), next).map(|state| (state >> 56) as u8).take(1000).collect()
    };
    let one = |n: u64| item("p", &format!("{n:05}"), &[("noise", Value::B(noise(n)))]);
    store.batch_put(&table::table(), (0..2000).map(one).collect()).await.unwrap();
    let placed = || bytes_under(&directory.path().join("store/keyspaces"));
    let before = placed();
    drop(store);
    assert!(placed() > before + 1_500_000, "{before} bytes became {}", placed());
    let store = open(directory.path()).await;
    assert_eq!(everything(&store, &table::table()).await, (0..2000).map(one).collect::<Vec<_>>());
    assert_eq!(store.verify(&table::table()).unwrap(), []);
}

fn bytes_under(directory: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata().unwrap() {
        metadata if metadata.is_dir() => bytes_under(&entry.path()),
        metadata => metadata.len(),
    };
    fs::read_dir(directory).unwrap().map(|entry| size(entry.unwrap())).sum()
}

#[tokio::test]
async fn a_damaged_directory_is_refused_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    drop(open(directory.path()).await);
    let version = directory.path().join("store/version");
    let path = if version.exists() { version } else { first_file(&directory.path().join("store")) };
    fs::write(&path, "nonsense").unwrap();
    let before = fs::read(&path).unwrap();
    let message = refused(directory.path());
    assert!(message.contains("is damaged") || message.contains("cannot be opened"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

fn first_file(directory: &Path) -> std::path::PathBuf {
    fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).find(|path| path.is_file()).unwrap()
}

/// Runs the writer program under limits of the shell.
fn write_under(directory: &Path, shell: &str) -> Output {
    let test = std::env::current_exe().unwrap();
    let writer = test.parent().unwrap().parent().unwrap().join("examples/writer");
    let script = format!("{shell} exec \"$0\" \"$1\" 100000 0 0 0 0");
    Command::new("bash").args(["-c", &script]).arg(writer).arg(directory).output().unwrap()
}

#[tokio::test]
async fn a_full_disk_stops_writes_and_loses_nothing() {
    let directory = tempfile::tempdir().unwrap();
    // Maximum file size of the process in KB, which acts like a full disk.
    let output = write_under(directory.path(), "trap '' XFSZ; ulimit -f 65600;");
    assert!(!output.status.success());
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("has no room left") || message.contains("an earlier write to"), "{message}");
    let acknowledged = String::from_utf8_lossy(&output.stdout).lines().count();
    assert!(acknowledged > 10, "{acknowledged}");
    let store = open(directory.path()).await;
    for line in String::from_utf8_lossy(&output.stdout).lines().skip(1) {
        let (task, step) = line.split_once(' ').unwrap();
        let (task, step): (u64, u64) = (task.parse().unwrap(), step.parse().unwrap());
        if step % 4 == 1 {
            assert!(get(&store, table::half_key(task, step, "a")).await.is_some(), "{line} is lost");
            assert!(get(&store, table::half_key(task, step, "b")).await.is_some(), "{line} is lost");
        }
    }
    assert_eq!(store.verify(&table::table()).unwrap(), []);
    store.write(&table::table(), put("a", "1", &[])).await.unwrap();
}

#[tokio::test]
async fn a_directory_that_cannot_be_written_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let message = refused(&directory.path().join("file\0name"));
    assert!(message.contains("cannot be used as a data directory"), "{message}");
    let file = directory.path().join("file");
    fs::write(&file, "x").unwrap();
    assert!(refused(&file).contains("cannot be used as a data directory"));
    // Root may write everywhere, so another user tries.
    drop(open(&directory.path().join("data")).await);
    let shell = "chmod -R a+rX,a-w \"$1\" \"$1/..\"; [ \"$(id -u)\" = 0 ] && exec setpriv --reuid=65534 --clear-groups \"$0\" \"$1\" 1 0;";
    let output = write_under(&directory.path().join("data"), shell);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("Permission denied"), "{message}");
    Command::new("chmod").args(["-R", "u+w"]).arg(directory.path()).status().unwrap();
    let store = open(&directory.path().join("data")).await;
    assert_eq!(get(&store, key("a", "1")).await, None);
}

#[tokio::test]
async fn an_unknown_table_is_refused_with_help() {
    let directory = tempfile::tempdir().unwrap();
    let store = Embedded::open(directory.path(), TestClock::at(NOON).options()).unwrap();
    let Err(StoreError::Invalid(error)) = store.write(&table::table(), put("a", "1", &[])).await else {
        panic!()
    };
    assert_eq!(
        (error.code.as_str(), error.message.to_string().contains("hansang table create")),
        ("unknown_table", true)
    );
}
