//! The client side of `--server`: an outage is never "not found", and checksums are verified again.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::Body;
use axum::http::{Response, Uri};
use serde_json::{Value as Json, json};

use super::{EXAMPLES, Setup};
use crate::data::server::listen;

/// A status, a body, and `Retry-After`.
type Said = (u16, String, Option<&'static str>);

/// A server with fixed responses.
fn answering(answer: impl Fn(&Uri) -> Said + Clone + Send + Sync + 'static) -> Setup {
    at(&listen(Router::new().fallback(async move |uri: Uri| respond(answer(&uri)))))
}

fn at(url: &str) -> Setup {
    let location = vec!["--server".to_owned(), url.to_owned()];
    Setup { folder: tempfile::tempdir().unwrap(), location, name: format!("{url}/"), by: &[], _server: None }
}

fn respond((status, body, wait): Said) -> Response<Body> {
    let mut response = Response::builder().status(status).header("content-type", "application/json");
    if let Some(wait) = wait {
        response = response.header("retry-after", wait);
    }
    response.body(body.into()).unwrap()
}

fn problem(status: u16, code: &str, detail: &str) -> Said {
    (status, json!({ "status": status, "code": code, "detail": detail }).to_string(), None)
}

const ONE: &str = "CHANGESET:c:1.0.0";

/// Rs11
#[test]
fn an_outage_is_never_not_found() {
    let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap();
    let setups = [
        (at(&format!("http://{closed}")), 5, "is `hansang serve` running there?"),
        (answering(|_| problem(503, "store_unavailable", "try again later")), 5, "try again later"),
        (answering(|_| problem(429, "too_many_requests", "ask less often")), 5, "ask less often"),
        (answering(|_| problem(500, "internal", "a fault")), 1, "a fault"),
        (answering(|_| problem(404, "no_such_path", "nothing")), 5, "this server has no contracts"),
        (
            answering(|_| (404, "<p>Not here</p>".to_owned(), None)),
            5,
            "does not answer as `hansang serve` does",
        ),
        (answering(|_| (502, String::new(), None)), 5, "does not answer as `hansang serve` does"),
        (answering(|_| (200, "{}".to_owned(), None)), 5, "does not answer as `hansang serve` does"),
        (answering(|_| problem(401, "sign_in_first", "say who you are")), 6, "say who you are"),
        (answering(|_| problem(403, "role_missing", "ask somebody who may")), 6, "ask somebody who may"),
    ];
    for (setup, expected, says) in &setups {
        for arguments in [
            &["get", ONE][..],
            &["latest", "CHANGESET", "c"],
            &["versions", "CHANGESET", "c"],
            &["list", "CHANGESET"],
            &["kinds"],
            &["referrers", "CHANGESET", "c"],
            &["verify"],
            &["compare", EXAMPLES],
            &["promote", ONE],
            &["promote", ONE, "--dry-run"],
            &["deprecate", ONE],
            &["diff", ONE, "2.0.0"],
            &["seed", EXAMPLES, "--created-by", "seed"],
            &["seed", EXAMPLES, "--created-by", "seed", "--dry-run"],
            &["invalidate"],
        ] {
            let (code, said) = setup.refused(arguments);
            assert_eq!((code, said.contains(says)), (*expected, true), "{arguments:?}: {said}");
        }
    }
}

/// An outage during a seed is reported for each file that was not registered.
#[test]
fn an_outage_during_a_seed_is_reported() {
    let setup = answering(|uri| match uri.path() {
        "/api/contracts/kinds" => (200, json!({ "kinds": [] }).to_string(), None),
        _ => problem(503, "store_unavailable", "try again later"),
    });
    let (code, out, err) = setup.run(&["seed", EXAMPLES, "--created-by", "seed"]);
    assert_eq!((code, &*err), (5, ""), "{out}");
    let first =
        "examples/contracts/changeset.v1-next.yaml: error CHANGESET:changeset.v1:1.1.0: try again later\n";
    assert!(out.starts_with(first), "{out}");
    assert!(out.ends_with("\nuploaded 0, skipped 0, conflicts 0, errors 12\n"), "{out}");
}

/// Errors of the server keep their message and get their exit code.
#[test]
fn errors_keep_their_message_and_get_their_exit_code() {
    for (said, code, text) in [
        (problem(404, "contract_not_found", "…"), 3, "there is no contract CHANGESET:c:1.0.0"),
        (
            problem(
                422,
                "contract_corrupted",
                "the contract CHANGESET:c:1.0.0 cannot be read: it has no spec",
            ),
            4,
            "the contract CHANGESET:c:1.0.0 cannot be read: it has no spec",
        ),
        (
            problem(409, "contract_integrity", "the contract RULESET:r:2.0.0 is not what was registered: x"),
            4,
            "the contract RULESET:r:2.0.0 is not what was registered: x",
        ),
        (
            problem(422, "contract_corrupted", "CHANGESET:c:1.0.0 계약을 읽을 수 없습니다: x"),
            4,
            "CHANGESET:c:1.0.0 계약을 읽을 수 없습니다: x",
        ),
        (problem(409, "wrong_state", "only from DRAFT"), 4, "only from DRAFT"),
        (problem(409, "contract_unreadable", "one in this list"), 4, "one in this list"),
    ] {
        let setup = answering(move |_| said.clone());
        assert_eq!(setup.refused(&["get", ONE]), (code, text.to_owned()));
    }
}

/// A server that returns a change set with this spec.
fn saying(spec: &Json) -> impl Fn(&Uri) -> Said + Clone + Send + Sync + 'static {
    // The checksum of the registered spec.
    let spec_of_checksum =
        json!({ "fanout": { "enabled": false }, "identity": { "entityKeyFormat": "{id}" } });
    let item = hansang_core::value::json::item_from_plain(&spec_of_checksum).unwrap();
    let checksum = hansang_contracts::checksum::checksum(&item).unwrap();
    let header = json!({ "kind": "CHANGESET", "id": "c", "version": "1.0.0", "status": "ACTIVE", "checksum": checksum });
    let mut contract = header.clone();
    contract["spec"] = spec.clone();
    move |uri: &Uri| {
        let body = match uri.path() {
            "/api/contracts/kinds/CHANGESET/c" => json!({ "items": [header] }),
            "/api/contracts/kinds/CHANGESET/c/1.0.0" => contract.clone(),
            "/api/contracts/walk" => {
                json!({ "items": [{ "place": "p", "contract": contract }], "next": null })
            }
            path => panic!("{path}"),
        };
        (200, body.to_string(), None)
    }
}

#[test]
fn responses_are_verified() {
    let right = json!({ "identity": { "entityKeyFormat": "{id}" }, "fanout": { "enabled": false } });
    let setup = answering(saying(&right));
    assert_eq!(setup.json(&["get", ONE])["spec"], right);
    assert_eq!(setup.ok(&["verify"]), format!("1 contracts of {} are what was registered\n", setup.name));

    let wrong = json!({ "identity": { "entityKeyFormat": "{other}" }, "fanout": { "enabled": false } });
    let setup = answering(saying(&wrong));
    let (code, said) = setup.refused(&["get", ONE]);
    assert_eq!((code, said.contains("is not what was registered: its checksum is ")), (4, true), "{said}");
    let (code, out, _) = setup.run(&["verify"]);
    assert_eq!((code, out.starts_with("p: the contract CHANGESET:c:1.0.0 is not what")), (4, true), "{out}");

    // A response with another contract than the requested one is invalid.
    let setup = answering(|_| {
        let other = json!({ "kind": "CHANGESET", "id": "other", "version": "1.0.0", "spec": {} });
        (200, other.to_string(), None)
    });
    let (code, said) = setup.refused(&["get", ONE]);
    assert_eq!((code, said.contains("does not answer as `hansang serve` does")), (5, true), "{said}");
}

#[test]
fn rate_limited_requests_are_retried() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let setup = answering(move |_| match count.fetch_add(1, Ordering::Relaxed) {
        0..4 => {
            let (status, body, _) = problem(429, "too_many_requests", "ask less often");
            (status, body, Some("0"))
        }
        _ => (200, json!({ "kinds": ["CHANGESET"] }).to_string(), None),
    });
    assert_eq!(setup.ok(&["kinds"]), "CHANGESET\n");
    assert_eq!(asked.load(Ordering::Relaxed), 5);

    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let setup = answering(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        let (status, body, _) = problem(429, "too_many_requests", "ask less often");
        (status, body, Some("0"))
    });
    assert_eq!(setup.refused(&["kinds"]), (5, "ask less often".to_owned()));
    assert_eq!(asked.load(Ordering::Relaxed), 10, "not for ever");
}

/// Ids are escaped in paths.
#[test]
fn ids_are_escaped_in_paths() {
    let setup = Setup::server();
    for (number, id) in ["a/b", "한상 100%", "a:b?c=d&e", "latest"].into_iter().enumerate() {
        let text = format!("kind: NOTE\nid: {id:?}\nversion: 1.0.0-rc.1+x\ntext: {id:?}\n");
        setup.ok(&["register", &setup.file(&format!("{number}.yaml"), &text)]);
        let reference = format!("NOTE:{id}:1.0.0-rc.1+x");
        let found = setup.json(&["get", &reference]);
        assert_eq!((&found["id"], &found["spec"]["text"]), (&json!(id), &json!(id)));
        assert_eq!(setup.json(&["latest", "NOTE", id, "--pre-release"])["id"], id);
        assert_eq!(setup.ok(&["versions", "NOTE", id]).lines().count(), 1);
    }
    assert_eq!(setup.ok(&["invalidate"]), "forgot 4\n");
    assert_eq!(setup.ok(&["invalidate", "--kind", "NOTE"]), "forgot 0\n");
    setup.ok(&["get", "NOTE:latest:1.0.0-rc.1+x"]);
    assert_eq!(setup.ok(&["invalidate", "NOTE:latest:1.0.0-rc.1+x"]), "forgot 1\n");
    let (code, said) = setup.refused(&["versions", "NOTE", ".."]);
    assert_eq!((code, said.contains("cannot be part of a URL")), (2, true), "{said}");
}
