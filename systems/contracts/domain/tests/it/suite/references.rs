//! References that lead nowhere: errors, or warnings where they are allowed.

use hansang_contracts::{
    Act, Allowed, ContractCode, ContractFile, NewContract, Status, YamlRegistry, compare, promote,
    read_directory, register, seed,
};
use hansang_core::Error;
use serde_json::{Value as Json, json};

use crate::grounds::{Ground, On, change_set, clock, new, on_each_registry, reference};

fn allowed() -> Allowed {
    Allowed { missing: true, incompatible: None }
}

fn join(index: &str) -> Json {
    json!({ "constraints": { "maxJoinDepth": 1 },
            "fanout": { "invertedIndex": { "contractRef": { "id": index, "version": "1.0.0" } } } })
}

/// Rs13: a draft is warned of what it lacks; an active version is refused, unless that is allowed.
async fn what_references_lack_is_a_warning_for_drafts(ground: Ground) {
    let registry = &*ground.registry;
    let lacks = "`fanout.invertedIndex.contractRef` refers to INVERTED_INDEX:nowhere:1.0.0, which does not exist: \
                 register it first";
    let draft = register(registry, new("JOIN_SPEC:j:1.0.0", Status::Draft, join("nowhere"))).await.unwrap();
    assert_eq!(draft.warnings, [lacks]);
    let active = new("JOIN_SPEC:j:1.1.0", Status::Active, join("nowhere"));
    let refused = Error::from(register(registry, active.clone()).await.unwrap_err());
    assert_eq!(refused.code, ContractCode::ReferenceMissing);
    let made = register(registry, NewContract { allowed: allowed(), ..active }).await.unwrap();
    assert!(made.created);
    assert_eq!(made.warnings, [lacks]);
    let name = reference("JOIN_SPEC:j:1.0.0");
    assert!(promote(registry, &name, "lee").await.is_err());
    let act = Act { by: "lee".to_owned(), allowed: allowed() };
    assert_eq!(promote(registry, &name, act).await.unwrap().warnings, [lacks]);
    // An invalid reference is not one that leads nowhere.
    let invalid = NewContract { allowed: allowed(), ..new("JOIN_SPEC:j:2.0.0", Status::Active, join("a#b")) };
    assert_eq!(Error::from(register(registry, invalid).await.unwrap_err()).violations.len(), 1);
}

on_each_registry!(what_references_lack_is_a_warning_for_drafts);

/// R23, R24: the table holds everything that the files serve, with missing references and cycles.
#[tokio::test]
async fn the_table_holds_what_the_files_serve() {
    for on in [On::Embedded, On::DynamoDb] {
        let directory = tempfile::tempdir().unwrap();
        let files = [
            (
                "a",
                "kind: RuleSetContract\nid: rules\nversion: 1.0.0\nentityType: A\nslices: [CORE]\nviewRef: v@1.0.0\n",
            ),
            (
                "b",
                "kind: VIEW_DEFINITION\nid: v\nversion: 1.0.0\nrequiredSlices: [CORE]\nruleSetRef: rules@1.0.0\n",
            ),
            ("c", "kind: ChangeSet\nid: c\nversion: 1.0.0\nidentity: {}\nschemaRef: nowhere@^1\n"),
            ("d", "kind: SINKRULE\nid: d\nversion: 1.0.0\nstatus: DRAFT\nviewRef: nowhere@^1\n"),
        ];
        for (name, text) in files {
            std::fs::write(directory.path().join(format!("{name}.yaml")), text).unwrap();
        }
        let files: Vec<ContractFile> = read_directory(directory.path()).unwrap();
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        let strict = seed(registry, &files, "kim", true, &mut |_| {}).await;
        assert_eq!((strict.uploaded.len(), strict.errors.len()), (1, 3), "{strict:?}");
        for dry_run in [true, false] {
            let act = Act { by: "kim".to_owned(), allowed: allowed() };
            let report = seed(registry, &files, act, dry_run, &mut |_| {}).await;
            assert_eq!((report.uploaded.len(), report.succeeded()), (4, true), "{report:?}");
            let warned = report.uploaded.iter().filter(|one| one.message.is_some()).count();
            assert_eq!(warned, 3, "{report:?}");
        }
        let served = YamlRegistry::open(directory.path().to_owned(), clock()).unwrap();
        assert_eq!(compare(registry, &served).await.unwrap(), []);
        for name in ["RULESET:rules:1.0.0", "VIEW_DEFINITION:v:1.0.0", "CHANGESET:c:1.0.0"] {
            registry.load(&reference(name)).await.unwrap();
        }
        let again = seed(registry, &files, "kim", false, &mut |_| {}).await;
        assert_eq!((again.skipped.len(), again.succeeded()), (4, true), "{again:?}");
        register(registry, new("CHANGESET:other:1.0.0", Status::Active, change_set())).await.unwrap();
    }
}
