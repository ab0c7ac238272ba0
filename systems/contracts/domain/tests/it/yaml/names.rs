//! The contract of a file, and errors of files without one.

use hansang_contracts::{
    Body, ContractCode, ContractError, ContractRegistry as _, ListAsk, Status, YamlRegistry, latest,
};
use hansang_core::{CoreCode, Error, ErrorKind};

use super::{Files, NAME, WRITTEN, corrupted};
use crate::grounds::{clock, reference};

/// Rs18
#[tokio::test]
async fn a_contract_is_named_by_its_header_not_by_its_file() {
    let files = Files::new(&[
        ("some/where/x.yml", WRITTEN),
        ("changeset/b-2.0.0.yaml", "kind: CHANGESET\nid: c\nversion: 3.0.0\nidentity: {entityKeyFormat: x}"),
        ("notes.txt", "kind: CHANGESET\nid: d\nversion: 1.0.0\n"),
        (".hidden/e.yaml", "kind: CHANGESET\nid: e\nversion: 1.0.0\n"),
    ]);
    assert_eq!(files.fetch(NAME).await.unwrap().header.status, Status::Active);
    assert!(files.fetch("CHANGESET:c:3.0.0").await.is_ok());
    for name in [
        "CHANGESET:b:2.0.0",
        "CHANGESET:a:3.0.0",
        "CHANGESET:c:1.0.0",
        "CHANGESET:d:1.0.0",
        "CHANGESET:e:1.0.0",
    ] {
        assert_eq!(files.fetch(name).await.unwrap_err(), ContractError::NotFound(reference(name)));
    }
}

#[tokio::test]
async fn problems_with_a_file_are_errors_of_its_contract() {
    let files = Files::new(&[("right.yaml", &WRITTEN.replace("id: a", "id: right"))]);
    for (more, part) in [
        ("status: SOMETIMES\n", "DRAFT, ACTIVE or DEPRECATED"),
        ("status: 1\n", "`status` must be text"),
        ("createdAt: soon\n", "`createdAt` must be a time"),
        ("rate: 0.1234567890123456789\n", "write it as text"),
        ("rate: 9007199254740993\n", "write it as text"),
    ] {
        files.write("a.yaml", &format!("{WRITTEN}{more}"));
        let reason = corrupted(files.fetch(NAME).await);
        assert!(reason.contains(part), "{more}: {reason}");
        assert!(files.fetch("CHANGESET:right:1.0.0").await.is_ok());
        assert!(matches!(files.fetch("CHANGESET:a:1.0.1").await, Err(ContractError::NotFound(_))));
    }
    files.write("a.yaml", "kind: CHANGESET\nid: a\nversion: 1.0.0\npayload: {}\n");
    let reason = corrupted(files.fetch(NAME).await);
    assert!(reason.contains("`identity` is required"), "{reason}");
}

#[tokio::test]
async fn a_draft_may_be_unfinished() {
    let files = Files::new(&[("a.yaml", "kind: CHANGESET\nid: a\nversion: 1.0.0\nstatus: DRAFT\n")]);
    assert_eq!(files.fetch(NAME).await.unwrap().body(), &Body::Other);
}

#[tokio::test]
async fn a_checksum_in_a_file_must_match() {
    let files = Files::new(&[("a.yaml", WRITTEN)]);
    let right = files.fetch(NAME).await.unwrap().header.checksum.clone();
    for fitting in [&right, right.trim_start_matches("sha256:")] {
        files.write("a.yaml", &format!("{WRITTEN}checksum: {fitting}\n"));
        assert_eq!(files.fetch(NAME).await.unwrap().header.checksum, right);
    }
    for wrong in [&right.replace(|digit: char| digit.is_ascii_digit(), "0"), "nothing", "7", "~"] {
        files.write("a.yaml", &format!("{WRITTEN}checksum: {wrong}\n"));
        let error = files.fetch(NAME).await.unwrap_err();
        assert!(matches!(error, ContractError::Integrity { .. }), "{wrong}: {error:?}");
    }
    files.write("a.yaml", &format!("{}checksum: nothing\n", WRITTEN.replace("{ entityKeyFormat: x }", "7")));
    corrupted(files.fetch(NAME).await);
}

/// An unreadable file may be any contract, so no version is "not found" while it exists.
#[tokio::test]
async fn a_file_without_a_name_may_be_any_contract() {
    let files = Files::new(&[("a.yaml", WRITTEN), ("odd.yaml", "kind: CHANGESET\nid: [\n")]);
    assert!(files.fetch(NAME).await.is_ok());
    let reason = corrupted(files.fetch("CHANGESET:a:1.0.1").await);
    assert!(reason.contains("odd.yaml"), "{reason}");
    let kind = reference(NAME).kind;
    let refused = |error: ContractError| Error::from(error).code;
    assert_eq!(
        refused(files.registry.versions(&kind, "a").await.unwrap_err()),
        ContractCode::ContractUnreadable
    );
    assert_eq!(refused(files.registry.kinds().await.unwrap_err()), ContractCode::ContractUnreadable);
    assert_eq!(
        refused(files.registry.referrers(&kind, "a").await.unwrap_err()),
        ContractCode::ContractUnreadable
    );
    assert_eq!(
        refused(latest(&files.registry, &kind, "a", None, false).await.unwrap_err()),
        ContractCode::ContractUnreadable
    );
    let listed = files.registry.list(&kind, &ListAsk::default()).await.unwrap_err();
    assert!(listed.to_string().contains("odd.yaml"), "{listed}");
    for odd in [&b"\xff\xfe"[..], b"", b"- a", b"kind: CHANGESET", b"kind: CHANGESET\nid: a\nversion: 1.0\n"]
    {
        std::fs::write(files.path("odd.yaml"), odd).unwrap();
        corrupted(files.fetch("CHANGESET:a:1.0.1").await);
    }
    std::fs::remove_file(files.path("odd.yaml")).unwrap();
    assert!(matches!(files.fetch("CHANGESET:a:1.0.1").await, Err(ContractError::NotFound(_))));
}

#[tokio::test]
async fn a_version_in_two_files_is_an_error() {
    let files = Files::new(&[("one.yaml", WRITTEN), ("two/other.yaml", WRITTEN)]);
    let reason = corrupted(files.fetch(NAME).await);
    assert!(reason.contains("one.yaml") && reason.contains("two/other.yaml"), "{reason}");
    assert!(files.registry.versions(&reference(NAME).kind, "a").await.is_err());
    let walked = files.registry.walk(None).await.unwrap().found;
    assert_eq!(walked.len(), 2);
    assert!(walked.into_iter().all(|found| !corrupted(found.contract).is_empty()));
    std::fs::remove_file(files.path("two/other.yaml")).unwrap();
    assert!(files.fetch(NAME).await.is_ok());
}

#[tokio::test]
async fn a_walk_returns_all_files_in_pages() {
    let files = Files::new(&[("050-odd.yaml", "]"), ("051-sad.yaml", &format!("{WRITTEN}status: NO\n"))]);
    for number in 0..230 {
        files.write(&format!("{number:03}.yaml"), &WRITTEN.replace("1.0.0", &format!("2.0.{number}")));
    }
    let (mut locations, mut failures, mut sizes, mut from) = (Vec::new(), Vec::new(), Vec::new(), None);
    loop {
        let page = files.registry.walk(from.as_deref()).await.unwrap();
        sizes.push(page.found.len());
        for found in page.found {
            failures.extend(
                found.contract.err().map(|error| (found.location.clone(), Error::from(error).code.as_str())),
            );
            locations.push(found.location);
        }
        match page.next {
            Some(next) => from = Some(next),
            None => break,
        }
    }
    let wrong = files.registry.walk(Some("nothing")).await.unwrap_err();
    assert_eq!(Error::from(wrong).code, CoreCode::InvalidCursor);
    assert_eq!(sizes, [100, 100, 32]);
    assert!(locations.is_sorted());
    let expected = [("050-odd.yaml", "contract_unreadable"), ("051-sad.yaml", "contract_corrupted")];
    assert_eq!(failures, expected.map(|(location, code)| (location.to_owned(), code)));
}

#[tokio::test]
async fn a_directory_that_cannot_be_read_is_an_outage() {
    let files = Files::new(&[("a.yaml", WRITTEN)]);
    std::fs::remove_dir_all(files.directory.path()).unwrap();
    let error = files.fetch(NAME).await.unwrap_err();
    assert!(matches!(error, ContractError::Unavailable(_)), "{error:?}");
    let error = files.registry.list(&reference(NAME).kind, &ListAsk::default()).await.unwrap_err();
    assert_eq!(Error::from(error).kind, ErrorKind::Unavailable);
    let nowhere = YamlRegistry::open(files.path("nowhere"), clock()).unwrap_err();
    assert_eq!(nowhere.code, ContractCode::ContractsDirectory);
}

#[cfg(unix)]
#[tokio::test]
async fn links_are_followed_and_dangling_links_are_reported() {
    let files = Files::new(&[("..data/a.txt", WRITTEN)]);
    std::os::unix::fs::symlink(files.path("..data/a.txt"), files.path("a.yaml")).unwrap();
    assert!(files.fetch(NAME).await.is_ok());
    std::fs::remove_file(files.path("..data/a.txt")).unwrap();
    let reason = corrupted(files.fetch(NAME).await);
    assert!(reason.contains("a.yaml"), "{reason}");
    std::fs::remove_file(files.path("a.yaml")).unwrap();
    std::os::unix::fs::symlink(files.directory.path(), files.path("again")).unwrap();
    assert!(matches!(files.fetch(NAME).await, Err(ContractError::Unavailable(_))));
}
