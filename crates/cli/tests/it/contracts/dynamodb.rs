//! The registry on DynamoDB: seeded, audited, compared, read by boto3, and served with a cache.

use hansang_testkit::endpoints;

use super::{EXAMPLES, Setup, endpoint};
use crate::boto3;
use crate::serve::{self, Server};

/// The seeded registry equals the files, and boto3 can read it.
fn seeded_and_read(endpoint: &str) {
    let setup = Setup::dynamodb(endpoint, "seeded").seeded();
    assert_eq!(setup.ok(&["verify"]), format!("12 contracts of {} are what was registered\n", setup.name));
    assert_eq!(setup.ok(&["compare", EXAMPLES]), format!("{} and {EXAMPLES} agree\n", setup.name));
    boto3::tell("seeded", endpoint, "", "");
}

/// R27
#[test]
fn a_seeded_registry_is_valid_and_readable_on_dynoxide() {
    seeded_and_read(&endpoints::dynoxide());
}

/// R27
#[test]
fn a_seeded_registry_is_valid_and_readable_on_dynamodb_local() {
    seeded_and_read(endpoints::dynamodb_local());
}

/// A status changed by another process is visible after the time to live of the cache, or at once after an
/// invalidation. R19
#[test]
fn a_server_caches_until_an_invalidation() {
    let (_directory, data) = serve::temporary_data();
    let setup = Setup::dynamodb(endpoint(), "remembers").seeded();
    let store = ["--store", "dynamodb", "--region", "eu-central-1", "--endpoint-url", endpoint()];
    let more = ["--env", "remembers", "--contracts-cache-seconds", "3600"];
    let server = Server::start(&data, &[&store[..], &more].concat());
    let token = server.token();
    let path = "/api/contracts/kinds/CHANGESET/changeset.v1/1.0.0";
    let status = || server.get(path, &token).headers()["contract-status"].to_str().unwrap().to_owned();
    let behind = Setup {
        location: ["--server", &server.address, "--token", &token].map(str::to_owned).to_vec(),
        by: &[],
        name: String::new(),
        folder: tempfile::tempdir().unwrap(),
        _server: None,
    };
    let one = "CHANGESET:changeset.v1:1.0.0";
    assert_eq!(status(), "ACTIVE");
    let (code, ..) = setup.run(&["deprecate", one, "--by", "kim"]);
    assert_eq!((code, &*status()), (0, "ACTIVE"), "this server still has it cached");
    assert_eq!(behind.ok(&["invalidate", one]), "forgot 1\n");
    assert_eq!(status(), "DEPRECATED");
    // Changes through the server itself are visible at once.
    behind.ok(&["restore", one]);
    assert_eq!(status(), "ACTIVE");
}
