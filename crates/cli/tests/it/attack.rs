//! Attacks on the real program by clients that are not signed in.

use std::net::{SocketAddr, TcpListener, TcpStream};

use reqwest::blocking::{Client, RequestBuilder};
use rustix::process::Signal;
use serde_json::json;

use crate::hansang;
use crate::serve::{Server, temporary_data};

const MODEL: &str = "model: notes
table: { name: Notes, key: { pk: PK, sk: SK }, type: Type }
entities:
  Note:
    key: { PK: \"NOTE#{id}\", SK: NOTE }
    attributes: { id: string, text: string }
patterns:
  note: { entity: Note, given: [id] }
";

/// Idle connections use up the limit of open files, but the store can still open its own. They are few enough for the
/// accept queue of the system, so that connecting does not block.
#[test]
fn idle_connections_leave_files_for_the_store() {
    let (directory, data) = temporary_data();
    let models = directory.path().join("models");
    std::fs::create_dir(&models).unwrap();
    std::fs::write(models.join("notes.yaml"), MODEL).unwrap();
    let more = ["--models", models.to_str().unwrap(), "--max-connections-address", "1000"];
    let server = Server::with_files(256, &data, &more);
    let token = server.token();
    // One connection opened before the flood and kept: reading a body to its end makes it reusable.
    let client = Client::new();
    let status = |request: RequestBuilder| {
        let response = request.send().unwrap();
        (response.status().as_u16(), response.text().unwrap())
    };
    let ready = || status(client.get(format!("{}/health/ready", server.address))).0;
    assert_eq!(ready(), 200);

    let address: SocketAddr = server.address.strip_prefix("http://").unwrap().parse().unwrap();
    let crowd: Vec<TcpStream> = (0..250).map(|_| TcpStream::connect(address).unwrap()).collect();
    // Each write exceeds the write buffer of a table, so that the store creates files.
    let text = "x".repeat(390_000);
    for round in 0..4 {
        let lines: String = (0..50)
            .map(|id| {
                json!({ "$entity": "Note", "id": format!("{round}-{id}"), "text": text }).to_string() + "\n"
            })
            .collect();
        let import = client.post(format!("{}/api/notes/import?format=records", server.address));
        let (done, summary) = status(import.bearer_auth(&token).body(lines));
        assert_eq!(done, 200, "{summary}");
        assert!(summary.contains("\"stored\":50"), "{summary}");
    }
    let note = client.post(format!("{}/api/notes/entities/Note", server.address)).bearer_auth(&token);
    let (made, problem) = status(note.json(&json!({ "id": "last", "text": "written under the flood" })));
    assert_eq!(made, 201, "{problem}");
    assert_eq!(ready(), 200);
    drop(crowd);
}

/// A collector that accepts spans and never replies blocks the process like a store that hangs.
#[test]
fn stopping_ends_in_time_even_if_something_hangs() {
    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", collector.local_addr().unwrap());
    let (_directory, data) = temporary_data();
    let mut server = Server::start(&data, &["--otlp-endpoint", &endpoint, "--grace-seconds", "1"]);
    assert_eq!(Client::new().get(format!("{}/health/live", server.address)).send().unwrap().status(), 200);
    server.signal(Signal::TERM);
    assert_eq!(server.child.wait().unwrap().code(), Some(5));
}

#[test]
fn a_server_with_too_few_files_is_not_started() {
    let (_directory, data) = temporary_data();
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -n 100 && exec \"$0\" serve --listen 127.0.0.1:0 --data \"$1\""])
        .args([env!("CARGO_BIN_EXE_hansang"), data.to_str().unwrap()])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("the limit of open files is 100, and a server needs at least 256"), "{said}");
    assert_eq!(hansang(&["config"]).0, 0);
}
