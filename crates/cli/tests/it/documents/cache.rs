//! The cache of lists in a Valkey that the program connects to, until it is killed.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use reqwest::blocking::Client;
use serde_json::{Value as Json, json};

use super::{Api, json_of};
use crate::serve::{Server, temporary_data};

/// A server of Valkey, or of Redis where that is installed instead.
struct CacheServer {
    child: Child,
    port: u16,
}

impl CacheServer {
    fn start(directory: &Path) -> Self {
        let exists = |name: &&str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
        let program = ["valkey-server", "redis-server"].into_iter().find(exists);
        let program = program.expect("neither Valkey nor Redis is installed: run ./test, which installs it");
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let child = Command::new(program)
            .args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--port", &port.to_string()])
            .current_dir(directory)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "the cache server does not listen");
            std::thread::yield_now();
        }
        Self { child, port }
    }

    /// The number of its keys.
    fn keys(&self) -> String {
        let mut connection = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        connection.write_all(b"DBSIZE\r\nQUIT\r\n").unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).unwrap();
        answer.lines().next().unwrap().trim_start_matches(':').to_owned()
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for CacheServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send(api: &Api<'_>, method: Method, path: &str, body: &Json) -> Json {
    let request = Client::new().request(method, api.url(path)).bearer_auth(&api.token);
    let request = if body.is_null() { request } else { request.json(body) };
    let response = request.send().unwrap();
    if response.status() == 204 { Json::Null } else { json_of(response) }
}

/// The names in a list.
fn names(api: &Api<'_>, path: &str, name: &str) -> Vec<String> {
    let items = api.get(path)["items"].as_array().unwrap().clone();
    items.iter().map(|item| item[name].as_str().unwrap().to_owned()).collect()
}

/// D18, D19, D20: an endpoint turns the cache on. When it is killed, every list is that of the store.
#[test]
fn lists_are_cached_in_valkey_and_right_without_it() {
    let (directory, data) = temporary_data();
    let mut cache = CacheServer::start(directory.path());
    let endpoint = format!("127.0.0.1:{}", cache.port);
    let more = [
        "--elasticache-endpoint",
        &endpoint,
        "--elasticache-tls",
        "false",
        "--elasticache-cluster",
        "false",
        "--documents-processors",
        "0",
    ];
    let server = Server::start(&data, &more);
    let api = Api { token: server.token(), server: &server };
    let project = api.project();
    let (sessions, agents) = (format!("projects/{project}/sessions"), format!("projects/{project}/agents"));
    let create_session = |name: &str| send(&api, Method::POST, &sessions, &json!({ "session_name": name }));
    let first = create_session("a");
    send(&api, Method::POST, &agents, &json!({ "name": "g", "content": "x" }));
    for _ in 0..3 {
        assert_eq!(names(&api, &sessions, "session_name"), ["a"]);
        assert_eq!(names(&api, &agents, "name"), ["g"]);
    }
    let statistics = api.get("cache");
    assert_eq!(statistics["kind"], "valkey");
    assert_eq!(
        (&statistics["fills"], &statistics["hits"], &statistics["errors"]),
        (&json!(2), &json!(4), &json!(0))
    );
    assert_eq!(cache.keys(), "2");

    cache.kill();
    create_session("b");
    let id = first["session_id"].as_str().unwrap();
    send(&api, Method::DELETE, &format!("{sessions}/{id}"), &Json::Null);
    create_session("c");
    api.project();
    for _ in 0..3 {
        assert_eq!(names(&api, &sessions, "session_name"), ["c", "b"]);
        assert_eq!(names(&api, &agents, "name"), ["g"]);
        assert_eq!(names(&api, "projects", "name"), ["p", "p"]);
    }
    assert!(api.get("cache")["errors"].as_u64() > Some(0));
    let metrics = server.get("/metrics", &api.token).text().unwrap();
    assert!(metrics.contains("hansang_documents_cache_hits_total 4"), "{metrics}");
}
