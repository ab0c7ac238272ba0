//! A server and its workers, as real processes that are killed and restarted.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::blocking::Client;
use serde_json::{Value as Json, json};

use super::people::{AUDIENCE, ISSUER, People};
use crate::serve::far;

/// The backend of the processes.
pub(super) enum Backend {
    Embedded { data: PathBuf },
    Amazon { data: PathBuf, dynamodb: String, sqs: String },
}

/// A process that is killed when it is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub(super) struct Processes {
    pub(super) address: String,
    pub(super) token: String,
    client: Client,
    server_arguments: Vec<String>,
    worker_arguments: Vec<String>,
    server: Running,
    workers: Vec<Running>,
}

impl Processes {
    pub(super) fn start(backend: &Backend, people: &People, workers: usize) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = format!("http://127.0.0.1:{port}");
        let text = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        let mut server_arguments =
            text(&["serve", "--listen", &format!("127.0.0.1:{port}"), "--log-level", "error"]);
        server_arguments.extend(text(&[
            "--oidc-issuer",
            ISSUER,
            "--oidc-audience",
            AUDIENCE,
            "--oidc-jwks",
            &people.keys,
        ]));
        server_arguments.extend(text(&["--rate-address", "100000", "--entry-workers", "1", "--data"]));
        let mut worker_arguments = text(&["worker", "--log-level", "error", "--entry-workers", "1"]);
        match backend {
            Backend::Embedded { data } => {
                server_arguments.extend(text(&[data.to_str().unwrap(), "--lend-ports"]));
                worker_arguments.extend(text(&["--server", &address]));
            }
            Backend::Amazon { data, dynamodb, sqs } => {
                let amazon = text(&[
                    "--store",
                    "dynamodb",
                    "--region",
                    "us-east-1",
                    "--endpoint-url",
                    dynamodb,
                    "--sqs-endpoint-url",
                    sqs,
                ]);
                server_arguments.extend(text(&[data.to_str().unwrap()]));
                server_arguments.extend(amazon.clone());
                worker_arguments.extend(amazon);
            }
        }
        let client = Client::builder().timeout(Duration::from_secs(10)).build().unwrap();
        let (server, key) = serve(&server_arguments);
        let token = token(&client, &address, &key.expect("a new server has a set-up link"));
        let mut processes =
            Self { address, token, client, server_arguments, worker_arguments, server, workers: Vec::new() };
        for _ in 0..workers {
            processes.workers.push(processes.worker());
        }
        processes
    }

    fn worker(&self) -> Running {
        Running(command(&self.worker_arguments).env("HANSANG_TOKEN", &self.token).spawn().unwrap())
    }

    /// Kills a process and restarts it: every fourth time the server, otherwise one of the workers.
    pub(super) fn kill_one(&mut self, number: usize) {
        if number % 4 == 3 {
            kill(&mut self.server.0);
            self.server = serve(&self.server_arguments).0;
        } else {
            let position = number % self.workers.len();
            kill(&mut self.workers[position].0);
            self.workers[position] = self.worker();
        }
    }

    /// Starts a worker before the server. Returns the output of the worker before and after the start of the server.
    pub(super) fn worker_first(&mut self) -> (String, String) {
        kill(&mut self.server.0);
        let mut worker = command(&self.worker_arguments);
        worker.env("HANSANG_TOKEN", &self.token).stderr(Stdio::piped());
        let mut worker = Running(worker.spawn().unwrap());
        let mut lines = BufReader::new(worker.0.stderr.take().unwrap()).lines().map_while(Result::ok);
        let waits = lines.next().unwrap_or_default();
        self.server = serve(&self.server_arguments).0;
        (waits, lines.find(|line| line.starts_with("working as")).unwrap_or_default())
    }

    pub(super) fn post(&self, path: &str, body: &Json) {
        let made = call(&self.client, &self.address, &self.token, "POST", path, Some(body)).unwrap();
        assert_eq!(made.0, 201, "{}", made.1);
    }

    pub(super) fn get(&self, path: &str) -> Json {
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            match call(&self.client, &self.address, &self.token, "GET", path, None) {
                Some((200, body)) => return body,
                other => assert!(Instant::now() < deadline, "{path}: {other:?}"),
            }
        }
    }
}

/// Sends a request to the server; `None` without a response.
pub(super) fn call(
    client: &Client,
    address: &str,
    token: &str,
    method: &str,
    path: &str,
    body: Option<&Json>,
) -> Option<(u16, Json)> {
    let mut request = client.request(method.parse().unwrap(), format!("{address}{path}")).bearer_auth(token);
    if let Some(body) = body {
        request = request.json(body);
    }
    let response = request.send().ok()?;
    let status = response.status().as_u16();
    Some((status, serde_json::from_str(&response.text().ok()?).unwrap_or_default()))
}

fn command(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hansang"));
    command.args(arguments).env("AWS_ACCESS_KEY_ID", "test").env("AWS_SECRET_ACCESS_KEY", "test");
    command.stderr(Stdio::null());
    command
}

/// Starts a server, and waits for its greeting.
fn serve(arguments: &[String]) -> (Running, Option<String>) {
    let mut child = Running(command(arguments).stderr(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(child.0.stderr.take().unwrap()).lines();
    let mut said = Vec::new();
    loop {
        let line = lines.next().unwrap_or_else(|| panic!("the server ended early: {said:?}")).unwrap();
        if line.starts_with("Hansang is at ") {
            break;
        }
        said.push(line);
    }
    // Only a server without an administrator prints a set-up link.
    let key = if is_new(arguments) {
        lines.next().and_then(Result::ok).and_then(|line| Some(line.split_once("key=")?.1.to_owned()))
    } else {
        None
    };
    std::thread::spawn(move || lines.for_each(drop));
    (child, key)
}

/// Whether this is the first start on a data directory.
fn is_new(arguments: &[String]) -> bool {
    let position = arguments.iter().position(|word| word == "--data").unwrap() + 1;
    let mark = PathBuf::from(&arguments[position]).with_extension("started");
    let new = !mark.exists();
    std::fs::write(mark, "").unwrap();
    new
}

fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// Creates the first administrator, and returns a token with all permissions.
fn token(client: &Client, address: &str, key: &str) -> String {
    let person = json!({ "secret": key, "login": "admin", "name": "Admin", "password": "long enough pw" });
    let made = client.post(format!("{address}/api/access/set-up")).json(&person).send().unwrap();
    let cookie = made.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let session: Json = serde_json::from_str(&made.text().unwrap()).unwrap();
    let body = json!({ "name": "test", "grants": { "*": "admin" }, "expires": far() });
    let request = client.post(format!("{address}/api/access/tokens")).json(&body).header("cookie", cookie);
    let made = request.header("x-csrf-token", session["csrf"].as_str().unwrap()).send().unwrap();
    let made: Json = serde_json::from_str(&made.text().unwrap()).unwrap();
    made["secret"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
}
