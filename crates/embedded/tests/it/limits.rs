//! A full disk and missing file descriptors: writes are refused and nothing of them is stored, reads go on,
//! the cause is logged once, and the store writes again by itself when the cause is gone.

use std::path::Path;
use std::process::Command;

use crate::{everything, open, table};

/// Runs the program under a limit and checks the directory afterwards.
async fn check(limit: &str) {
    let directory = tempfile::tempdir().unwrap();
    let log = run(directory.path(), limit);
    let told = |word: &str| -> Vec<String> {
        log.0.lines().filter_map(|line| Some(line.strip_prefix(word)?.trim().to_owned())).collect()
    };
    assert_eq!(told("unknown"), [] as [String; 0]);
    assert!(told("refused").len() >= 50 && told("ok").len() > 10, "{}", log.0);
    let store = open(directory.path()).await;
    let stored: Vec<String> = everything(&store, &table::table())
        .await
        .iter()
        .map(|item| item.get("SK").and_then(hansang_core::Value::as_str).unwrap().to_owned())
        .collect();
    assert_eq!(stored, told("ok"), "exactly the acknowledged writes are stored");
    assert_eq!(store.verify(&table::table()).unwrap(), []);
    for message in ["the store cannot write", "the store writes again"] {
        assert_eq!(log.1.matches(message).count(), 1, "{message}: {}", log.1);
    }
}

fn run(directory: &Path, limit: &str) -> (String, String) {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().unwrap().parent().unwrap().join("examples/limits");
    // The signal of the file size limit would end the process.
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let output =
        Command::new("bash").args(["-c", script]).args([&program, directory]).arg(limit).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, log) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success() && out.ends_with("done\n"), "{out}{log}");
    (out, log)
}

#[tokio::test]
async fn a_full_disk_refuses_writes_until_there_is_room() {
    check("size").await;
}

#[tokio::test]
async fn missing_file_descriptors_refuse_writes_until_there_are_some() {
    check("files").await;
}
