//! `hansang serve` as a process: started, used, reloaded, stopped and killed.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use reqwest::blocking::{Client, Response};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value as Json, json};

use crate::hansang as run;

/// The result of a command.
struct Said {
    code: i32,
    out: String,
    err: String,
}

fn hansang(arguments: &[&str]) -> Said {
    let (code, out, err) = run(arguments);
    Said { code, out, err }
}

pub(crate) struct Server {
    pub(crate) child: Child,
    pub(crate) address: String,
    /// The secret of the set-up link, if there was one.
    pub(crate) key: Option<String>,
}

impl Server {
    pub(crate) fn start(data: &Path, more: &[&str]) -> Self {
        Self::spawn(&mut Command::new(env!("CARGO_BIN_EXE_hansang")), data, more)
    }

    /// Starts a server with this limit of open files.
    pub(crate) fn with_files(files: u32, data: &Path, more: &[&str]) -> Self {
        let mut command = Command::new("sh");
        command.args([
            "-c",
            &format!("ulimit -n {files} && exec \"$0\" \"$@\""),
            env!("CARGO_BIN_EXE_hansang"),
        ]);
        Self::spawn(&mut command, data, more)
    }

    /// Starts a server again where an earlier one was, for a browser that knows its address.
    pub(crate) fn again(address: &str, data: &Path, more: &[&str]) -> Self {
        let place = address.strip_prefix("http://").unwrap();
        Self::listening(place, &mut Command::new(env!("CARGO_BIN_EXE_hansang")), data, more)
    }

    /// Starts the server with a command that accepts its arguments.
    pub(crate) fn spawn(command: &mut Command, data: &Path, more: &[&str]) -> Self {
        Self::listening("127.0.0.1:0", command, data, more)
    }

    fn listening(place: &str, command: &mut Command, data: &Path, more: &[&str]) -> Self {
        let mut child = command
            .args(["serve", "--listen", place, "--log-level", "warn", "--data"])
            .arg(data)
            .args(more)
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().expect("the server ended early").unwrap();
            if let Some(address) = line.strip_prefix("Hansang is at ") {
                break address.to_owned();
            }
        };
        let key = if data.with_extension("done").exists() {
            None
        } else {
            let line = lines.next().unwrap().unwrap();
            std::fs::write(data.with_extension("done"), "").unwrap();
            Some(line.split_once("key=").unwrap().1.to_owned())
        };
        // Drains the log, so that the server never blocks on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address, key }
    }

    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Creates the first administrator, and returns a token.
    pub(crate) fn token(&self) -> String {
        let client = Client::new();
        let body =
            json!({ "secret": self.key, "login": "admin", "name": "Admin", "password": "long enough pw" });
        let made = client.post(format!("{}/api/access/set-up", self.address)).json(&body).send().unwrap();
        assert_eq!(made.status(), 201);
        let cookie = made.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        let csrf = json_of(made)["csrf"].as_str().unwrap().to_owned();
        let body = json!({ "name": "test", "grants": { "*": "admin" }, "expires": far() });
        let request = client.post(format!("{}/api/access/tokens", self.address)).json(&body);
        let made = request.header("cookie", cookie).header("x-csrf-token", csrf).send().unwrap();
        json_of(made)["secret"].as_str().unwrap().to_owned()
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> Response {
        let client = Client::new();
        client.get(format!("{}{path}", self.address)).bearer_auth(token).send().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn json_of(response: Response) -> Json {
    serde_json::from_str(&response.text().unwrap()).unwrap()
}

/// A month from now.
#[allow(clippy::disallowed_methods, reason = "the server uses the real time")]
pub(crate) fn far() -> String {
    (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24 * 30)).to_string()
}

/// The status file of a server after a reload.
fn note_after_load(data: &Path) -> Json {
    let began = std::time::Instant::now();
    while began.elapsed() < std::time::Duration::from_secs(30) {
        let text = std::fs::read_to_string(data.with_file_name("data.serve")).unwrap();
        let note: Json = serde_json::from_str(&text).unwrap();
        if note["loads"] != 0 {
            return note;
        }
        std::thread::yield_now();
    }
    panic!("the server did not load its models again");
}

pub(crate) fn temporary_data() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let data = directory.path().join("data");
    (directory, data)
}

/// A directory with all models, in which the web site has no system, because its table has another name: its records are
/// written generically.
pub(crate) fn plain_models(directory: &Path) -> String {
    let models = directory.join("models");
    std::fs::create_dir(&models).unwrap();
    for file in std::fs::read_dir(crate::root().join("models")).unwrap() {
        let path = file.unwrap().path();
        let model = std::fs::read_to_string(&path).unwrap().replace("name: FMWebAppTable", "name: Records");
        std::fs::write(models.join(path.file_name().unwrap()), model).unwrap();
    }
    models.to_str().unwrap().to_owned()
}

#[test]
fn the_first_command_serves_examples_and_survives_a_kill() {
    let (_directory, data) = temporary_data();
    let mut server = Server::start(&data, &["--demo"]);
    let token = server.token();
    for (model, pattern, count) in [
        ("content", "posts", 12),
        ("ledger", "rules", 10),
        ("documents", "projects", 2),
        ("contracts", "allOfKind?kind=ENTITY_SCHEMA", 2),
        ("entry", "lock?eventId=e&userId=u", 0),
    ] {
        let page = json_of(server.get(&format!("/api/{model}/patterns/{pattern}"), &token));
        assert_eq!(page["items"].as_array().map(Vec::len), Some(count), "{model}: {page}");
    }
    let second = hansang(&["serve", "--listen", "127.0.0.1:0", "--data", data.to_str().unwrap()]);
    assert_eq!(second.code, 5, "{}", second.err);
    assert!(second.err.contains("is in use by another process"), "{}", second.err);

    let client = Client::new();
    let address = format!("{}/api/documents/projects", server.address);
    let made = client.post(address).bearer_auth(&token).json(&json!({ "name": "new" })).send().unwrap();
    assert_eq!(made.status(), 201);
    let project = json_of(made)["project_id"].as_str().unwrap().to_owned();
    server.signal(Signal::KILL);
    server.child.wait().unwrap();
    let server = Server::start(&data, &["--demo"]);
    let read = server.get(&format!("/api/documents/projects/{project}"), &token);
    assert_eq!(read.status(), 200, "acknowledged writes and the token survive");
    let posts = json_of(server.get("/api/content/patterns/posts", &token));
    assert_eq!(posts["items"].as_array().unwrap().len(), 12, "examples are loaded once");
}

#[test]
fn a_server_stops_when_it_is_told_to() {
    let (_directory, data) = temporary_data();
    let mut server = Server::start(&data, &[]);
    server.signal(Signal::TERM);
    assert!(server.child.wait().unwrap().success());
    assert!(!data.with_file_name("data.serve").exists(), "the status file is removed");
    let told = hansang(&["reload", "--data", data.to_str().unwrap()]);
    assert_eq!(told.code, 3, "{}", told.err);
}

/// A new entity only changes the model file. C31
#[test]
fn a_changed_model_is_served_after_a_reload() {
    let (directory, data) = temporary_data();
    let models = directory.path().join("models");
    std::fs::create_dir(&models).unwrap();
    let file = models.join("blog.yaml");
    let model = "model: blog\ntable: { name: Blog, key: { pk: PK, sk: SK }, type: Type }\nentities:\n  Post:\n    key: { PK: \"POST#{id}\", SK: POST }\n    attributes: { id: string, title: string }\npatterns:\n  post: { entity: Post, given: [id] }\n";
    std::fs::write(&file, model).unwrap();
    let (data_text, models_text) = (data.to_str().unwrap(), models.to_str().unwrap());
    let server = Server::start(&data, &["--models", models_text]);
    let token = server.token();
    let note = "/api/blog/entities/Note/1";
    assert_eq!(json_of(server.get(note, &token))["code"], "no_such_path");

    let broken = model.replace("{id}", "{nothing}");
    std::fs::write(&file, &broken).unwrap();
    let told = hansang(&["reload", "--data", data_text, "--models", models_text]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(told.err.contains("does not compile"), "{}", told.err);
    server.signal(Signal::HUP);
    let problem = note_after_load(&data)["problem"].as_str().unwrap().to_owned();
    assert!(problem.contains("does not compile"), "{problem}");
    // The route still exists; only the record does not.
    assert_eq!(json_of(server.get("/api/blog/entities/Post/1", &token))["code"], "not_found");

    let more = "  Note:\n    key: { PK: \"NOTE#{id}\", SK: NOTE }\n    attributes: { id: string }\npatterns:";
    std::fs::write(&file, model.replace("patterns:", more)).unwrap();
    let told = hansang(&["reload", "--data", data_text, "--models", models_text]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(json_of(server.get(note, &token))["code"], "not_found");
    let arguments = ["put", "blog", "Note", "id=1", "--server", &server.address, "--token", &token];
    let put = hansang(&arguments);
    assert_eq!(put.code, 0, "{}", put.err);
    assert_eq!(server.get(note, &token).status(), 200);
    let overview = server.get("/console/systems/blog", &token).text().unwrap();
    assert!(overview.contains("/console/systems/blog/entities/Note/new"), "{overview}");
    let page = server.get("/console/systems/blog/entities/Note/record?id=1", &token).text().unwrap();
    for part in ["NOTE#1", "{&#34;S&#34;:&#34;Note&#34;}"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(
        hansang(&["get", "blog", "Note", "id=1", "--server", &server.address, "--token", &token]).code,
        0
    );
    assert_eq!(
        hansang(&["get", "blog", "Note", "id=2", "--server", &server.address, "--token", &token]).code,
        3
    );
    assert_eq!(
        hansang(&["get", "blog", "Note", "id=1", "--server", &server.address, "--token", "hst_x"]).code,
        6
    );
}

#[test]
fn wrong_settings_are_explained_before_anything_starts() {
    let (_directory, data) = temporary_data();
    let data = data.to_str().unwrap();
    for (arguments, expected) in [
        (
            &["--listen", "nowhere"][..],
            "`listen` must be an address such as 127.0.0.1:8080, and is `nowhere` (flag)",
        ),
        (&["--store", "mongo"], "`store` must be embedded or dynamodb"),
        (&["--rate-address", "0"], "`rate-address` must be a whole number from 1 on"),
        (&["--max-requests", "0"], "`max-requests` must be a whole number of requests from 1 on"),
        (&["--max-body", "0"], "`max-body` must be a whole number of bytes from 1 on"),
        (&["--request-seconds", "0"], "`request-seconds` must be a whole number of seconds from 1 on"),
        (&["--session-hours", "0"], "`session-hours` must be a whole number of hours from 1 on"),
        (&["--max-connections", "0"], "`max-connections` must be a whole number of connections from 1 on"),
        (&["--tls-key", "k.pem"], "TLS needs both --tls-certificate and --tls-key"),
        (&["--log", "loud"], "`log` must be plain or json"),
        (&["--models", "/nonexistent"], "/nonexistent"),
        (
            &["--time-zone", "Seoul/Asia"],
            "`time-zone` must be a name such as Asia/Seoul, and is `Seoul/Asia`",
        ),
        (&["--oidc-issuer", "https://id.example"], "`oidc-audience` must be"),
    ] {
        let mut all = vec!["serve", "--data", data];
        if !arguments.contains(&"--listen") {
            all.extend(["--listen", "127.0.0.1:0"]);
        }
        all.extend(arguments);
        let told = hansang(&all);
        assert_eq!(told.code, 2, "{arguments:?}: {}", told.err);
        assert!(told.err.contains(expected), "{arguments:?}: {}", told.err);
    }
}

#[test]
fn config_says_where_each_value_came_from() {
    let shown = hansang(&["config", "--listen", "127.0.0.1:1", "--cursor-secret", "hidden"]);
    let line = |name: &str| shown.out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("listen").contains("127.0.0.1:1") && line("listen").ends_with("flag"), "{}", shown.out);
    assert!(line("data").contains("hansang-data") && line("data").ends_with("default"));
    assert!(line("cursor-secret").contains("********") && !shown.out.contains("hidden"));
}

/// A plan is accepted only by a server that lends its ports, and never reads accounts.
#[test]
fn ports_are_lent_only_with_lend_ports() {
    let (_directory, data) = temporary_data();
    let get = json!({ "key": { "pk": "a", "sk": "b" }, "consistent": true });
    let ask = |server: &Server, token: &str, table: &str| {
        let body = json!({ "on": table, "arguments": [get] });
        let url = format!("{}/api/server/ports/store/get", server.address);
        Client::new().post(url).bearer_auth(token).json(&body).send().unwrap()
    };
    let server = Server::start(&data, &[]);
    let token = server.token();
    assert_eq!(ask(&server, &token, "AsyncEventTable").status(), 404);
    drop(server);
    let server = Server::start(&data, &["--lend-ports"]);
    let answer = json_of(ask(&server, &token, "AsyncEventTable"));
    assert_eq!(answer, json!({ "ok": [{ "item": [null] }] }));
    let answer = json_of(ask(&server, &token, "HansangAccess"));
    assert_eq!(answer["error"][0]["invalid"][0]["code"], "unknown_table");
}
