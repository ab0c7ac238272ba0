//! Documents of a served program: the example processor, the built-in one, and the commands.

mod cache;
mod demo;
mod kill;
mod large;

use std::process::Command;

use reqwest::blocking::Client;
use serde_json::{Value as Json, json};

use crate::serve::{Server, temporary_data};
use crate::{hansang, root};

fn json_of(response: reqwest::blocking::Response) -> Json {
    let (status, text) = (response.status(), response.text().unwrap());
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).unwrap()
}

struct Api<'s> {
    server: &'s Server,
    token: String,
}

impl Api<'_> {
    fn url(&self, path: &str) -> String {
        format!("{}/api/documents/{path}", self.server.address)
    }

    fn get(&self, path: &str) -> Json {
        json_of(self.server.get(&format!("/api/documents/{path}"), &self.token))
    }

    fn project(&self) -> String {
        let request = Client::new().post(self.url("projects")).bearer_auth(&self.token);
        let made = json_of(request.json(&json!({ "name": "p" })).send().unwrap());
        made["project_id"].as_str().unwrap().to_owned()
    }

    fn upload(&self, project: &str, name: &str, content: impl Into<reqwest::blocking::Body>) -> String {
        let request = Client::new().put(self.url(&format!("projects/{project}/files/{name}")));
        let sent = json_of(request.bearer_auth(&self.token).body(content).send().unwrap());
        sent["document"]["document_id"].as_str().unwrap().to_owned()
    }
}

/// Ds8: the example processor takes every step of a document from a served program, and completes it.
#[test]
fn the_example_processor_does_every_step() {
    let (_directory, data) = temporary_data();
    let server = Server::start(&data, &["--documents-processors", "0"]);
    let api = Api { token: server.token(), server: &server };
    let project = api.project();
    let document = api.upload(&project, "a.txt", "첫 문단\n\n둘째 문단 끝");
    let output = Command::new(root().join(".tools/venv/bin/python"))
        .arg("-B")
        .arg(root().join("examples/processor.py"))
        .args([&server.address, "--until-idle"])
        .env("HANSANG_TOKEN", &api.token)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let path = format!("projects/{project}/documents/{document}");
    let done = api.get(&path);
    assert_eq!(done["status"], "completed", "{}", String::from_utf8_lossy(&output.stderr));
    let workflow = done["workflow_id"].as_str().unwrap();
    assert_eq!(api.get(&format!("{path}/workflows/{workflow}"))["summary"], "첫 문단");
    let segments = api.get(&format!("workflows/{workflow}/segments"));
    let contents: Vec<&Json> =
        segments["items"].as_array().unwrap().iter().map(|segment| &segment["content"]).collect();
    assert_eq!(contents, ["첫 문단", "둘째 문단 끝"]);
    let artifacts = api.get(&format!("{path}/artifacts"));
    assert_eq!(artifacts["items"][0]["filename"], "words.txt");
}

/// The built-in processor reads a file in a process of its own, and the commands show what came out of it.
#[test]
fn an_upload_is_processed_and_found() {
    let (_directory, data) = temporary_data();
    let server = Server::start(&data, &["--documents-tesseract", "no-such-program"]);
    let api = Api { token: server.token(), server: &server };
    let project = api.project();
    let file = data.with_file_name("계약.md");
    std::fs::write(&file, "# 임대차계약서\n\n보증금은 천만 원이다.\n").unwrap();
    let at = ["--server", &server.address, "--token", &api.token];
    let run = |arguments: &[&str]| {
        let (code, out, err) = hansang(&[&["documents"], arguments, &at].concat());
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    };
    let out = run(&["upload", &project, file.to_str().unwrap()]);
    let document = out.split_whitespace().next().unwrap().to_owned();
    follow(&api, &project);
    assert!(
        run(&["show", &project, &document]).contains("completed"),
        "{}",
        run(&["show", &project, &document])
    );
    assert!(run(&["text", &project, &document]).contains("보증금은 천만 원이다."));
    assert!(run(&["search", &project, "보증"]).contains("계약.md"));
    assert!(run(&["list", &project]).contains("계약.md"));
    assert!(run(&["projects"]).contains(&project));
    assert!(run(&["cache"]).contains("\"kind\": \"none\""));
    run(&["reprocess", &project, &document]);
    follow(&api, &project);
    drop(server);
    let at = ["--data", data.to_str().unwrap()];
    let run = |arguments: &[&str]| {
        let (code, out, err) = hansang(&[&["documents"], arguments, &at].concat());
        assert_eq!(code, 0, "{arguments:?}: {out}{err}");
        out
    };
    assert_eq!(run(&["rebuild-index"]), "1 projects, 1 documents\n");
    assert!(run(&["search", &project, "보증"]).contains("계약.md"));
    assert!(run(&["show", &project, &document]).contains("completed"));
    let created = run(&["create", "둘째"]);
    let out = run(&["upload", created.trim(), file.to_str().unwrap()]);
    assert!(out.contains("계약.md"));
}

/// Follows the progress of a project until none of its documents is processed.
fn follow(api: &Api<'_>, project: &str) {
    use std::io::{BufRead as _, BufReader};
    let stream = api.server.get(&format!("/api/documents/projects/{project}/progress/live"), &api.token);
    for line in BufReader::new(stream).lines() {
        let line = line.unwrap();
        let Some(data) = line.strip_prefix("data:") else { continue };
        let progress: Json = serde_json::from_str(data.trim()).unwrap();
        if progress["active"] == json!([]) {
            return;
        }
    }
    panic!("the stream ended before the documents were processed");
}
