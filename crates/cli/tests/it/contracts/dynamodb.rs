//! The registry on DynamoDB: seeded, audited, compared, read by boto3, and served by servers that remember.

use hansang_testkit::endpoints;

use super::{EXAMPLES, Place, endpoint};
use crate::boto3;
use crate::serve::{self, Server};

/// What was seeded is what the files say, also to somebody who knows nothing of Hansang.
fn seeded_and_read(endpoint: &str) {
    let place = Place::dynamodb(endpoint, "seeded").seeded();
    assert_eq!(place.ok(&["verify"]), format!("12 contracts of {} are what was registered\n", place.name));
    assert_eq!(place.ok(&["compare", EXAMPLES]), format!("{} and {EXAMPLES} agree\n", place.name));
    boto3::tell("seeded", endpoint, "", "");
}

/// R27
#[test]
fn what_is_seeded_is_right_and_readable_on_dynoxide() {
    seeded_and_read(&endpoints::dynoxide());
}

/// R27
#[test]
fn what_is_seeded_is_right_and_readable_on_dynamodb_local() {
    seeded_and_read(endpoints::dynamodb_local());
}

/// A status that somebody else changed is seen after the time that a server remembers, or at once after an
/// invalidation.
/// R19
#[test]
fn a_server_remembers_until_it_is_told_to_forget() {
    let (_directory, data) = serve::place();
    let place = Place::dynamodb(endpoint(), "remembers").seeded();
    let store = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", endpoint()];
    let more = ["--env", "remembers", "--contracts-cache-seconds", "3600"];
    let server = Server::start(&data, &[&store[..], &more].concat());
    let token = server.token();
    let path = "/api/contracts/kinds/CHANGESET/changeset.v1/1.0.0";
    let status = || server.get(path, &token).headers()["contract-status"].to_str().unwrap().to_owned();
    let behind = Place {
        place: ["--server", &server.address, "--token", &token].map(str::to_owned).to_vec(),
        by: &[],
        name: String::new(),
        folder: tempfile::tempdir().unwrap(),
        _server: None,
    };
    let one = "CHANGESET:changeset.v1:1.0.0";
    assert_eq!(status(), "ACTIVE");
    let (code, ..) = place.run(&["deprecate", one, "--by", "kim"]);
    assert_eq!((code, &*status()), (0, "ACTIVE"), "this server has not looked again");
    assert_eq!(behind.ok(&["invalidate", one]), "forgot 1\n");
    assert_eq!(status(), "DEPRECATED");
    // What is changed through the server itself is seen at once.
    behind.ok(&["restore", one]);
    assert_eq!(status(), "ACTIVE");
}
