//! The same commands with `--server`: the requests of the client, and its handling of responses.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method, Response, Uri};
use serde_json::{Value as Json, json};

use super::{command, finish, ids};

/// The items of the model `content` by their ids.
type Items = Arc<Mutex<BTreeMap<String, Json>>>;

/// A server, and functions that run commands on it.
struct Setup {
    url: String,
}

/// Serves in a thread until the tests end. Returns the address.
pub(crate) fn listen(router: Router) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            axum::serve(listener, router).await.unwrap();
        });
    });
    url
}

impl Setup {
    fn new() -> Self {
        Self { url: listen(Router::new().fallback(answer).with_state(Items::default())) }
    }

    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut command = command();
        command.args(arguments).args(["--server", &self.url]);
        finish(command, "")
    }

    fn json(&self, arguments: &[&str]) -> Json {
        let (code, out, err) = self.run(arguments);
        assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}: {out}");
        serde_json::from_str(&out).unwrap()
    }

    /// The exit code and message of a command, which must fail.
    fn refused(&self, arguments: &[&str]) -> (i32, String) {
        let (code, out, err) = self.run(arguments);
        assert_eq!(out, "", "{arguments:?}");
        (code, err.strip_prefix("hansang: ").unwrap_or(&err).trim_end().to_owned())
    }
}

/// Responds by the name of the model: as a server, with the request itself, or with an invalid response.
async fn answer(
    State(items): State<Items>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let path = uri.path().to_owned();
    let mut names = path.trim_start_matches("/below").trim_start_matches("/api/").split('/');
    let (model, verb) = (names.next().unwrap(), names.next().unwrap_or_default());
    let asked: Json = serde_json::from_slice(&body).unwrap_or_default();
    if let Some(status) = model.strip_prefix("problem-") {
        return respond(status, "application/problem+json", problem(status).to_string());
    }
    match model {
        "content" => {
            let (status, answer) = content(&mut items.lock().unwrap(), verb, uri.query(), &asked);
            respond(status, "application/json", answer.to_string())
        }
        "echo" => {
            let token = headers.get("authorization").map(|value| value.to_str().unwrap());
            let echo = json!({
                "asked": format!("{method} {uri}"), "authorization": token, "body": asked,
            });
            respond("200", "application/json", json!({ "items": [echo] }).to_string())
        }
        "page" => respond("200", "text/html", "<p>Welcome</p>".to_owned()),
        "page-404" => respond("404", "text/html", "<p>Not here</p>".to_owned()),
        "other-404" => respond("404", "application/json", r#"{ "message": "no" }"#.to_owned()),
        "list" => respond("200", "application/json", "[]".to_owned()),
        "empty" => respond("200", "application/json", "{}".to_owned()),
        "many" => respond("200", "application/json", r#"{ "items": [1, 2] }"#.to_owned()),
        "elsewhere" => {
            let mut response = respond("307", "text/plain", String::new());
            response.headers_mut().insert("location", "/api/echo/batch-get".parse().unwrap());
            response
        }
        _ => respond("404", "application/problem+json", problem("404").to_string()),
    }
}

fn respond(status: &str, kind: &str, body: String) -> Response<Body> {
    let status: u16 = status.parse().unwrap();
    Response::builder().status(status).header("content-type", kind).body(body.into()).unwrap()
}

fn problem(status: &str) -> Json {
    let number: u16 = status.parse().unwrap();
    json!({
        "status": number, "code": "some_code", "detail": format!("the reason of {status}\u{1b}[2J"),
        "traceId": "4bf92f3577b34da6",
        "errors": [{ "field": "order", "message": "must be a whole number" }],
    })
}

/// A small part of a server: items by `id`, and pages with a number as cursor.
fn content(
    items: &mut BTreeMap<String, Json>,
    verb: &str,
    query: Option<&str>,
    asked: &Json,
) -> (&'static str, Json) {
    let id = |fields: &Json| fields["id"].as_str().unwrap().to_owned();
    match verb {
        "batch-get" => ("200", json!({ "items": [items.get(&id(&asked["keys"][0]))] })),
        "transactions" => {
            let (verb, one) = asked["operations"][0].as_object().unwrap().iter().next().unwrap();
            if verb == "delete" {
                items.remove(&id(&one["key"]));
                return ("200", json!({ "items": [null] }));
            }
            if verb == "create" && items.contains_key(&id(&one["fields"])) {
                return ("409", problem("409"));
            }
            let mut item = json!({ "$entity": one["entity"] });
            item.as_object_mut().unwrap().extend(one["fields"].as_object().unwrap().clone());
            items.insert(id(&one["fields"]), item.clone());
            ("200", json!({ "items": [item] }))
        }
        _ => {
            let cursor = query.unwrap_or_default().split('&').find_map(|pair| pair.strip_prefix("cursor="));
            let start: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
            let page: Vec<&Json> = items.values().skip(start).take(2).collect();
            let next = (start + 2 < items.len()).then(|| (start + 2).to_string());
            let previous = start.checked_sub(2).map(|start| start.to_string());
            ("200", json!({ "items": page, "next": next, "previous": previous }))
        }
    }
}

#[test]
fn items_behind_a_server_are_written_read_and_listed() {
    let setup = Setup::new();
    let put = |id: &str| setup.json(&["put", "content", "User", id, "displayName=Kim"]);
    let kim = json!({ "$entity": "User", "id": "u1", "displayName": "Kim" });
    assert_eq!(put("id=u1"), kim);
    assert_eq!(setup.json(&["get", "content", "User", "id=u1"]), kim);
    let taken = setup.refused(&["put", "content", "User", "id=u1", "--create"]);
    assert_eq!((taken.0, taken.1.starts_with("the reason of 409")), (4, true), "{taken:?}");
    put("id=u2");
    put("id=u3");
    let first = setup.json(&["query", "content", "users"]);
    assert_eq!(
        (ids(&first), &first["next"], &first["previous"]),
        (vec!["u1", "u2"], &json!("2"), &Json::Null)
    );
    let second = setup.json(&["query", "content", "users", "--cursor", "2"]);
    assert_eq!((ids(&second), &second["next"], &second["previous"]), (vec!["u3"], &Json::Null, &json!("0")));
    let (_, all, _) = setup.run(&["query", "content", "users", "--all"]);
    assert_eq!((all.lines().count(), all.starts_with(r#"{"$entity":"User","#)), (3, true), "{all}");
    assert_eq!(setup.run(&["delete", "content", "User", "id=u1"]), (0, String::new(), String::new()));
    let gone = setup.refused(&["get", "content", "User", "id=u1"]);
    assert_eq!(gone, (3, "there is no such User".to_owned()));
}

/// Every argument of a command reaches the server.
#[test]
fn every_argument_reaches_the_server() {
    let setup = Setup::new();
    let key = ["categoryId=c 1", "id:=7"];
    let get = ["get", "echo", "Post", key[0], key[1], "--fields", "a,b", "--consistent"];
    let get = setup.json(&get);
    assert_eq!((&get["asked"], &get["authorization"]), (&json!("POST /api/echo/batch-get"), &Json::Null));
    let keys = json!([{ "categoryId": "c 1", "id": 7 }]);
    assert_eq!(
        get["body"],
        json!({ "entity": "Post", "keys": keys, "consistent": true, "fields": ["a", "b"] })
    );
    let plain = setup.json(&["get", "echo", "CorpInfo"]);
    assert_eq!(plain["body"], json!({ "entity": "CorpInfo", "keys": [{}] }));

    let put = setup.json(&["put", "echo", "Post", "a=1", "b:=[1.50]", "--version", "3"]);
    assert_eq!(put["asked"], "POST /api/echo/transactions");
    let fields: Json = serde_json::from_str(r#"{ "a": "1", "b": [1.50] }"#).unwrap();
    let operation = json!({ "put": { "entity": "Post", "fields": fields, "version": 3 } });
    assert_eq!(put["body"], json!({ "operations": [operation] }));
    let create = setup.json(&["put", "echo", "Post", "a=1", "--create"]);
    let operation = json!({ "create": { "entity": "Post", "fields": { "a": "1" } } });
    assert_eq!(create["body"], json!({ "operations": [operation] }));

    let query = ["query", "echo", "a/b ?#%", "x=1&2", "limit=9", "y:=true", "--limit", "2", "--order"];
    let more = ["descending", "--cursor", "c=", "--consistent", "--fields", "a,b"];
    let query = setup.json(&[&query[..], &more].concat());
    assert_eq!(
        query["items"][0]["asked"],
        "GET /api/echo/patterns/a%2Fb%20%3F%23%25?x=1%262&arg.limit=9&y=true&limit=2&cursor=c%3D\
         &order=descending&consistent=true&fields=a%2Cb"
    );
    let below = Setup { url: format!("{}/below/", setup.url) };
    let asked = &below.json(&["query", "echo", "p", "x=1"])["items"][0]["asked"];
    assert_eq!(asked, "GET /below/api/echo/patterns/p?x=1");
}

#[test]
fn variables_name_the_server_and_the_token() {
    let setup = Setup::new();
    let run = |arguments: &[&str], token: &str| {
        let mut command = command();
        command.env("HANSANG_SERVER", &setup.url).env("HANSANG_TOKEN", token);
        // The token must not be sent through a proxy to this machine.
        command.env("HTTP_PROXY", "http://127.0.0.1:1").env("http_proxy", "http://127.0.0.1:1");
        command.args(arguments);
        finish(command, "")
    };
    let authorization = |arguments: &[&str], token: &str| {
        let (code, out, err) = run(arguments, token);
        assert_eq!((code, err.as_str()), (0, ""));
        serde_json::from_str::<Json>(&out).unwrap()["authorization"].clone()
    };
    assert_eq!(authorization(&["get", "echo", "A"], "from-variable"), "Bearer from-variable");
    assert_eq!(authorization(&["get", "echo", "A", "--token", "given"], "from-variable"), "Bearer given");
    assert_eq!(authorization(&["get", "echo", "A"], ""), Json::Null);
    let (code, _, err) = run(&["get", "echo", "A", "--data", "here"], "");
    assert_eq!((code, err.contains("cannot be used with")), (2, true), "{err}");
    for verb in ["get", "put", "query", "delete"] {
        assert!(!run(&[verb, "--help"], "from-variable").1.contains("from-variable"));
    }
}

#[test]
fn errors_keep_their_reason_and_get_their_exit_code() {
    let setup = Setup::new();
    for (status, code) in [
        ("400", 2),
        ("401", 6),
        ("403", 6),
        ("404", 3),
        ("409", 4),
        ("412", 4),
        ("413", 1),
        ("429", 5),
        ("500", 1),
        ("503", 5),
    ] {
        let model = format!("problem-{status}");
        let mut expected = format!("the reason of {status}[2J\n  `order` must be a whole number");
        if status.starts_with('5') {
            expected += "\n  trace id: 4bf92f3577b34da6";
        }
        for arguments in
            [["get", &model, "A"], ["put", &model, "A"], ["query", &model, "A"], ["delete", &model, "A"]]
        {
            assert_eq!(setup.refused(&arguments), (code, expected.clone()));
        }
    }
    // Without a model the client cannot know that text was meant as a number.
    let (_, text) = setup.refused(&["put", "problem-400", "A", "order=5"]);
    assert!(text.ends_with("a server takes `order=5` as text: `order:=5` is JSON"), "{text}");
    let (_, text) = setup.refused(&["put", "problem-400", "A", "order=five", "other=5"]);
    assert!(text.ends_with("must be a whole number"), "{text}");
}

#[test]
fn invalid_responses_are_reported() {
    let setup = Setup::new();
    let stranger = format!("{}/ does not answer as `hansang serve` does: is --server right?", setup.url);
    let unknown = "\nnobody knows whether the write was done: read again before you repeat it";
    for model in ["page", "page-404", "other-404", "list", "empty", "many"] {
        assert_eq!(setup.refused(&["get", model, "A"]), (5, stranger.clone()), "{model}");
        assert_eq!(setup.refused(&["put", model, "A"]), (5, format!("{stranger}{unknown}")), "{model}");
        assert_eq!(setup.refused(&["delete", model, "A"]), (5, format!("{stranger}{unknown}")), "{model}");
        if model != "many" {
            assert_eq!(setup.refused(&["query", model, "A"]), (5, stranger.clone()), "{model}");
        }
    }
    let (code, text) = setup.refused(&["get", "elsewhere", "A"]);
    assert_eq!((code, text.contains("redirects to another address: give that one")), (5, true), "{text}");
}

#[test]
fn an_unreachable_server_is_reported() {
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let (code, text) = Setup { url: format!("http://{closed}") }.refused(&["get", "content", "A"]);
    assert_eq!(code, 5);
    assert!(
        text.starts_with(&format!("cannot reach http://{closed}/: Connection refused"))
            && text.ends_with("is `hansang serve` running there?"),
        "{text}"
    );
}

#[test]
fn a_lost_connection_leaves_the_outcome_of_a_write_unknown() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let setup = Setup { url: format!("http://{}", listener.local_addr().unwrap()) };
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            // Reads a part of the request, and closes the connection without a response.
            let _ = connection.unwrap().read(&mut [0; 16]);
        }
    });
    let (code, text) = setup.refused(&["put", "content", "A", "id=1"]);
    assert_eq!((code, text.contains("nobody knows whether the write was done")), (5, true), "{text}");
    let (code, text) = setup.refused(&["get", "content", "A", "id=1"]);
    assert_eq!((code, text.contains("nobody knows")), (5, false), "{text}");
    assert!(text.starts_with("the connection to http://127.0.0.1:"), "{text}");
}

#[test]
fn a_token_is_never_sent_in_plain_text_to_another_machine() {
    for host in ["192.0.2.1", "[2001:db8::1]", "hansang.example.com", "localhost.example.com"] {
        let url = format!("http://{host}");
        let (code, text) = Setup { url }.refused(&["get", "content", "A", "--token", "secret"]);
        assert_eq!((code, text.contains("is not sent to")), (2, true), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
    let (code, text) = Setup::new().refused(&["get", "echo", "A", "--token", "sec\nret"]);
    assert_eq!((code, text.as_str()), (2, "the token has characters that no token has"));
}

#[test]
fn unsupported_options_are_rejected_before_a_request() {
    let setup = Setup::new();
    for (arguments, says) in [
        (["get", "models/content.yaml", "A"], "a server knows models by their names"),
        (["get", "..", "A"], "`..` is not a name"),
        (["query", "content", "."], "`.` is not a name"),
        (["query", "content", ""], "`` is not a name"),
    ] {
        let (code, text) = setup.refused(&arguments);
        assert_eq!((code, text.contains(says)), (2, true), "{text}");
    }
    let (code, text) = setup.refused(&["get", "content", "A", "id=1", "id=2"]);
    assert_eq!((code, text.as_str()), (2, "`id` is given twice"));
    for (url, says) in [
        ("localhost:8080", "--server is an address such as"),
        ("ftp://localhost", "--server is an address such as"),
        ("http://localhost/?a=b", "--server is an address such as"),
        ("https://kim:secret@localhost", "leave name and password out of --server"),
    ] {
        let (code, text) = Setup { url: url.to_owned() }.refused(&["get", "content", "A"]);
        assert_eq!((code, text.contains(says), text.contains("secret")), (2, true, false), "{text}");
    }
}
