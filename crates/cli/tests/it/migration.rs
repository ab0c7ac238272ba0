//! `hansang content migrate`: from exports of the cloud and from tables, killed and run again.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value as Json, json};

use crate::hansang;

/// An export of the cloud: a manifest and two compressed files.
fn export(directory: &Path, lines: &[String]) {
    let export = directory.join("AWSDynamoDB/01-ab");
    fs::create_dir_all(export.join("data")).unwrap();
    let mut manifest = String::new();
    for (number, part) in lines.chunks(lines.len().div_ceil(2)).enumerate() {
        let name = format!("part{number}.json.gz");
        let mut file =
            GzEncoder::new(fs::File::create(export.join("data").join(&name)).unwrap(), Compression::fast());
        file.write_all(part.concat().as_bytes()).unwrap();
        file.finish().unwrap();
        manifest +=
            &format!("{}\n", json!({ "itemCount": part.len(), "dataFileS3Key": format!("x/data/{name}") }));
    }
    fs::write(export.join("manifest-files.json"), manifest).unwrap();
}

fn post(number: usize) -> String {
    let text = |text: &str| json!({ "S": text });
    let item = json!({
        "postId": text(&format!("p{number:05}")), "category": text("회사 소식"), "title": text(&format!("글 {}", number % 50)),
        "content": text(&"본문\n".repeat(20)), "author": text("김대연"), "thumbnailUrl": { "NULL": true },
        "createdAt": text("2025-11-12T05:00:00.123456+00:00"),
    });
    format!("{}\n", json!({ "Item": item }))
}

/// C36, Cs21, Cs23, Cs24, Cs26, Cs27: an export is checked, migrated by two processes of which the first is killed, and
/// verified; what could not be kept is in the report.
#[test]
fn an_export_is_migrated() {
    const POSTS: usize = 8000;
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let mut lines: Vec<String> = (0..POSTS).map(post).collect();
    lines.push("{\"Item\":{\"postId\":{\"S\":\"a#b\"}}}\n".to_owned());
    export(&directory.path().join("posts"), &lines);
    let (posts, data, report) = (path("posts"), path("data"), path("report.json"));
    let from = ["content", "migrate", "--from", "export", "--data", &data, "--posts", &posts];
    let categories = ["--categories", "examples/legacy/categories.jsonl"];
    let all = |more: &[&str]| hansang(&[&from[..], &categories, more].concat());

    let (code, _, err) = all(&["--dry-run"]);
    assert_eq!((code, err.contains("there is no data directory")), (3, true), "{err}");
    assert_eq!(hansang(&["table", "create", "content", "--data", &data]).0, 0);
    let (code, out, err) = all(&["--dry-run"]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.starts_with("dry run, nothing written; schema 1.0.0\n"), "{out}");
    assert!(
        out.contains("posts: 8001 rows: 8000 created, 0 updated, 0 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    assert!(hansang(&["table", "verify", "content", "--data", &data]).1.starts_with("0 items"));

    let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
    let mut child = command
        .current_dir(crate::root())
        .args([&from[..], &categories].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // The journal grows with every step.
    let grown = || walk(Path::new(&data)) > 2 * 1024 * 1024;
    while child.try_wait().unwrap().is_none() && !grown() {}
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, out, err) = all(&["--verify", "--report", &report]);
    assert_eq!((code, err.as_str()), (1, ""), "{out}");
    assert!(out.contains("which had been cut off; schema 1.0.0\n"), "{out}");
    assert!(
        out.contains("posts: 8001 rows: 8000 created, 0 updated, 0 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    assert!(out.contains("posts verified: 8001 rows: 8000 as they were, 0 changed here, 1 wrong"), "{out}");
    let report: Json = serde_json::from_slice(&fs::read(&report).unwrap()).unwrap();
    let lost: Vec<&str> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["kind"] == "not_mapped")
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(lost, ["a#b"], "{report}");
    let text = fs::read_to_string(path("report.txt")).unwrap();
    assert!(text.contains("posts a#b: not moved: the id contains `#`"), "{text}");
    let (code, out, _) = hansang(&["table", "verify", "content", "--data", &data]);
    assert_eq!((code, out.ends_with(" are as the model says\n")), (0, true), "{out}");

    // Another run moves nothing.
    let (_, out, _) = all(&[]);
    assert!(
        out.contains("posts: 8001 rows: 0 created, 0 updated, 8000 unchanged, 0 left alone, 1 not moved"),
        "{out}"
    );
    let (code, _, err) = hansang(&["content", "migrate", "--from", "export", "--data", &data]);
    assert_eq!((code, err.contains("name at least one of --categories")), (2, true), "{err}");
}

/// The bytes below a directory.
fn walk(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                walk(&entry.path())
            } else {
                entry.metadata().map_or(0, |found| found.len())
            }
        })
        .sum()
}
