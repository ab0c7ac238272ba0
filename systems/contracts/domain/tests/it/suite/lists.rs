//! Versions, the latest version, and the contracts of a kind.

use std::collections::BTreeSet;

use hansang_contracts::{ContractCode, ContractRegistry, Kind, ListAsk, Status, deprecate, latest, register};
use hansang_core::{CoreCode, Error};
use serde_json::json;

use crate::grounds::{Ground, On, Spoil, change_set, new, on_each_registry, reference};

async fn with(registry: &dyn ContractRegistry, versions: &[(&str, Status)]) {
    for (version, status) in versions {
        let name = format!("CHANGESET:changeset.v1:{version}");
        register(registry, new(&name, *status, change_set())).await.unwrap();
    }
}

fn kind() -> Kind {
    "CHANGESET".parse().unwrap()
}

/// R7, Rs1, Rs2
async fn versions_are_ordered_as_semver_and_the_latest_is_the_highest_active(ground: Ground) {
    let registry = &*ground.registry;
    let versions = [
        ("1.9.0", Status::Active),
        ("1.10.0", Status::Active),
        ("2.0.0-rc.1", Status::Active),
        ("1.2.0", Status::Deprecated),
        ("3.0.0", Status::Draft),
    ];
    with(registry, &versions).await;
    let found = registry.versions(&kind(), "changeset.v1").await.unwrap();
    let order: Vec<String> = found.iter().map(|header| header.reference.version.to_string()).collect();
    assert_eq!(order, ["1.2.0", "1.9.0", "1.10.0", "2.0.0-rc.1", "3.0.0"]);
    let asked = async |range: Option<&str>, pre_releases: bool| {
        let wanted = range.map(|range| range.parse().unwrap());
        let found = latest(registry, &kind(), "changeset.v1", wanted.as_ref(), pre_releases).await;
        found
            .map(|contract| contract.header.reference.version.to_string())
            .map_err(|error| Error::from(error).code.as_str())
    };
    let of = async |range: Option<&str>| asked(range, false).await;
    assert_eq!(of(None).await, Ok("1.10.0".to_owned()), "a pre-release is only served on request");
    assert_eq!(asked(None, true).await, Ok("2.0.0-rc.1".to_owned()));
    assert_eq!(asked(Some("^2"), true).await, Ok("2.0.0-rc.1".to_owned()));
    assert_eq!(asked(Some("^1"), true).await, Ok("1.10.0".to_owned()));
    assert_eq!(of(Some(">=2.0.0-rc.0")).await, Ok("2.0.0-rc.1".to_owned()), "the range names one");
    assert_eq!(of(Some("2.0.0-rc.1")).await, Ok("2.0.0-rc.1".to_owned()));
    assert_eq!(of(Some(">=1")).await, Ok("1.10.0".to_owned()));
    assert_eq!(of(Some("*")).await, Ok("1.10.0".to_owned()));
    assert_eq!(of(Some("^1.2")).await, Ok("1.10.0".to_owned()));
    assert_eq!(of(Some("~1.9")).await, Ok("1.9.0".to_owned()));
    assert_eq!(of(Some("1.9.0")).await, Ok("1.9.0".to_owned()));
    assert_eq!(of(Some("^3")).await, Err("no_active_version"));
    assert_eq!(of(Some("1.2.0")).await, Err("no_active_version"));
    deprecate(registry, &reference("CHANGESET:changeset.v1:1.10.0"), "lee").await.unwrap();
    assert_eq!(of(Some("^1.2")).await, Ok("1.9.0".to_owned()));
    let missing = latest(registry, &kind(), "nobody", None, false).await.unwrap_err();
    assert_eq!(Error::from(missing).code, ContractCode::NoActiveVersion);
    assert!(registry.versions(&kind(), "nobody").await.unwrap().is_empty());
}

/// R8
async fn contracts_of_a_kind_are_listed_by_status_page_by_page(ground: Ground) {
    let registry = &*ground.registry;
    for number in 0..25 {
        let status = if number % 5 == 0 { Status::Draft } else { Status::Active };
        let name = format!("CHANGESET:c{number}:1.0.0");
        register(registry, new(&name, status, change_set())).await.unwrap();
    }
    register(registry, new("OTHER:o:1.0.0", Status::Active, json!({}))).await.unwrap();
    for (status, expected) in [
        (Some(Status::Active), 20_usize),
        (Some(Status::Draft), 5),
        (Some(Status::Deprecated), 0),
        (None, 25),
    ] {
        let mut seen = BTreeSet::new();
        let (mut cursor, mut pages) = (None, 0);
        loop {
            let ask = ListAsk { status, limit: Some(7), cursor };
            let page = registry.list(&kind(), &ask).await.unwrap();
            assert!(page.headers.len() <= 7);
            for header in page.headers {
                assert!(status.is_none_or(|status| header.status == status));
                assert!(seen.insert(header.reference), "listed twice");
            }
            pages += 1;
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!((seen.len(), pages), (expected, expected.div_ceil(7).max(1)), "{status:?}");
    }
}

async fn a_cursor_of_another_list_is_rejected(ground: Ground) {
    let ask = ListAsk { cursor: Some("bm90aGluZw".to_owned()), ..ListAsk::default() };
    let refused = ground.registry.list(&kind(), &ask).await.unwrap_err();
    assert_eq!(Error::from(refused).code, CoreCode::InvalidCursor);
    for limit in [0, 1001] {
        let ask = ListAsk { limit: Some(limit), ..ListAsk::default() };
        assert!(ground.registry.list(&kind(), &ask).await.is_err(), "{limit}");
    }
}

/// Rs30
async fn unknown_kinds_are_registered_and_listed(ground: Ground) {
    let registry = &*ground.registry;
    assert!(registry.kinds().await.unwrap().is_empty());
    for name in ["ZEBRA:z:1.0.0", "CHANGESET:c:1.0.0", "ZEBRA:z:1.1.0"] {
        register(registry, new(name, Status::Draft, json!({ "a": 1 }))).await.unwrap();
    }
    let kinds: Vec<String> = registry.kinds().await.unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(kinds, ["CHANGESET", "ZEBRA"]);
    let listed = registry.list(&"ZEBRA".parse().unwrap(), &ListAsk::default()).await.unwrap();
    assert_eq!(listed.headers.len(), 2);
}

/// A list of a table has the other versions, and the error of the one that cannot be read. Decisions by version stay
/// errors: an older version must not take its place.
#[tokio::test]
async fn one_unreadable_version_does_not_hide_the_others() {
    for on in [On::Embedded, On::DynamoDb] {
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        with(registry, &[("1.0.0", Status::Active), ("1.1.0", Status::Active), ("1.2.0", Status::Active)])
            .await;
        ground.spoil(&reference("CHANGESET:changeset.v1:1.1.0"), Spoil::Status).await;
        let page = registry.list(&kind(), &ListAsk::default()).await.unwrap();
        let versions: Vec<String> =
            page.headers.iter().map(|header| header.reference.version.to_string()).collect();
        assert_eq!((versions, page.unreadable.len()), (vec!["1.0.0".to_owned(), "1.2.0".to_owned()], 1));
        assert!(latest(registry, &kind(), "changeset.v1", None, false).await.is_err());
    }
}

on_each_registry!(
    versions_are_ordered_as_semver_and_the_latest_is_the_highest_active,
    contracts_of_a_kind_are_listed_by_status_page_by_page,
    a_cursor_of_another_list_is_rejected,
    unknown_kinds_are_registered_and_listed,
);
