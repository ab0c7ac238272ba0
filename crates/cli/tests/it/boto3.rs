//! Compatibility with boto3: it reads the items of the server with the expressions of the design documents, and the
//! server serves the items that boto3 writes.
//!
//! The scripts are in Python, one file per system; each expression names its section.

use std::process::Command;

use crate::serve::{self, Server};
use crate::{hansang, root};

/// The systems, and the items of their scripts that do not match the model.
const SYSTEMS: [(&str, &[&str]); 5] = [
    ("content", &["CATEGORY#c001 / POST#p001: `UNIQUE#Post#id#p001` / `UNIQUE` does not point back to it"]),
    ("ledger", &[]),
    (
        "entry",
        &["REQ#01JD3Q0V8B5X9K2M4N6P7R8SC0 / LOG#2026-11-16T00:00:04.000Z: `PK` and `SK` \
             (`REQ#01JD3Q0V8B5X9K2M4N6P7R8SC0` / `LOG#2026-11-16T00:00:04.000Z`) match no entity"],
    ),
    ("documents", &["WF#x1 / SEG#3: `PK` and `SK` (`WF#x1` / `SEG#3`) match no entity"]),
    ("contracts", &[]),
];

fn both_ways(endpoint: &str, without: &str) {
    let (_directory, data) = serve::temporary_data();
    let store = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", endpoint];
    let models = root().join("models");
    // The story of documents is its own processor.
    let more = ["--models", models.to_str().unwrap(), "--documents-processors", "0"];
    let server = Server::start(&data, &[&more, &store[..]].concat());
    let token = server.token();
    for (system, left) in SYSTEMS.into_iter().filter(|(system, _)| *system != without) {
        tell(system, endpoint, &server.address, &token);
        let (code, out, err) = hansang(&[&["table", "verify", system], &store[..]].concat());
        let problems: Vec<&str> = out.lines().filter(|line| line.contains(" / ")).collect();
        assert_eq!((code, problems.as_slice()), (i32::from(!left.is_empty()), left), "{system}: {out}{err}");
    }
}

/// Runs the script of a system.
pub(crate) fn tell(system: &str, endpoint: &str, server: &str, token: &str) {
    let python = root().join(".tools/venv/bin/python");
    let story = root().join("crates/cli/tests/it/boto3").join(system).with_extension("py");
    let output = Command::new(&python)
        // Writes no compiled files beside the scripts.
        .arg("-B")
        .arg(story)
        .env("ENDPOINT", endpoint)
        .env("SERVER", server)
        .env("TOKEN", token)
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}: run ./test, which installs it", python.display()));
    assert!(output.status.success(), "{system}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn boto3_and_the_server_read_each_other_on_dynoxide() {
    both_ways(&hansang_testkit::endpoints::dynoxide(), "");
}

#[test]
fn boto3_and_the_server_read_each_other_on_dynamodb_local() {
    // The upload of a document starts its run with all steps in one transaction, and this endpoint, of 2020, takes 10 writes.
    both_ways(hansang_testkit::endpoints::dynamodb_local(), "documents");
}
