//! The compatibility rule of a kind, in promotions and registrations.

use hansang_contracts::{
    CompatibilityRule, ContractCode, ContractError, ContractRegistry, Kind, Mode, Status, check_promotion,
    deprecate, promote, register, verdicts,
};
use hansang_core::Error;
use hansang_core::code::Code;
use serde_json::{Value as Json, json};

use crate::grounds::{Ground, On, change_set, item, new, reference};

fn code<T: std::fmt::Debug>(outcome: Result<T, ContractError>) -> Code {
    Error::from(outcome.unwrap_err()).code
}

/// An entity with these fields: `!` marks a required one.
fn entity(fields: &[&str]) -> Json {
    let field = |name: &&str| json!({ "name": name.trim_end_matches('!'), "type": "string", "required": name.ends_with('!') });
    let fields: Vec<Json> = fields.iter().map(field).collect();
    json!({ "entityType": "PRODUCT", "fields": fields })
}

async fn draft(registry: &dyn ContractRegistry, version: &str, fields: &[&str]) -> String {
    let name = format!("ENTITY_SCHEMA:entity.v1:{version}");
    register(registry, new(&name, Status::Draft, entity(fields))).await.unwrap();
    name
}

#[tokio::test]
async fn each_mode_blocks_what_breaks_its_side() {
    for (on, mode, removes, requires) in [
        (On::Embedded, Mode::None, true, true),
        (On::Embedded, Mode::Backward, true, false),
        (On::DynamoDb, Mode::Forward, false, true),
        (On::Embedded, Mode::Full, false, false),
    ] {
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        let kind: Kind = "ENTITY_SCHEMA".parse().unwrap();
        let rule = CompatibilityRule { mode, transitive: false };
        assert_eq!(code(registry.set_rule(&kind, rule).await), ContractCode::ContractNotFound);
        let first = draft(registry, "1.0.0", &["a", "b"]).await;
        registry.set_rule(&kind, rule).await.unwrap();
        assert_eq!(registry.rule(&kind).await.unwrap(), rule);
        promote(registry, &reference(&first), "lee").await.unwrap();
        for (version, fields, allowed) in [
            ("1.1.0", &["a", "b", "c"][..], true),
            ("1.2.0", &["a"], removes),
            ("1.3.0", &["a", "b", "c!"], requires),
            // A new major version may break anything.
            ("2.0.0", &["z!"], true),
        ] {
            let name = reference(&draft(registry, version, fields).await);
            assert_eq!(check_promotion(registry, &name).await.is_ok(), allowed, "{mode} {version}");
            let active = new(&format!("ENTITY_SCHEMA:entity.v1:{version}"), Status::Active, entity(fields));
            assert_eq!(register(registry, active).await.is_ok(), allowed, "{mode} {version}");
            if !allowed {
                let refused = promote(registry, &name, "lee").await;
                assert_eq!(code(refused), ContractCode::Incompatible, "{mode} {version}");
                let stored = registry.fetch(&name).await.unwrap();
                assert_eq!(stored.header.status, Status::Draft);
            }
        }
    }
}

/// A transitive rule compares with every served version, a plain one with the last active one.
#[tokio::test]
async fn a_transitive_rule_looks_further_back() {
    let ground = Ground::new(On::Embedded).await;
    let registry = &*ground.registry;
    let kind: Kind = "ENTITY_SCHEMA".parse().unwrap();
    for (version, fields) in [("1.0.0", &["a", "b"][..]), ("1.1.0", &["a"])] {
        let name = reference(&draft(registry, version, fields).await);
        promote(registry, &name, "lee").await.unwrap();
    }
    deprecate(registry, &reference("ENTITY_SCHEMA:entity.v1:1.0.0"), "lee").await.unwrap();
    let next = reference(&draft(registry, "1.2.0", &["a", "c"]).await);
    for (transitive, compared) in [(false, &["1.1.0"][..]), (true, &["1.1.0", "1.0.0"])] {
        let rule = CompatibilityRule { mode: Mode::Forward, transitive };
        registry.set_rule(&kind, rule).await.unwrap();
        let found = verdicts(registry, &next, &item(entity(&["a", "c"]))).await.unwrap();
        let against: Vec<String> = found.iter().map(|one| one.against.to_string()).collect();
        assert_eq!(against, compared);
        assert_eq!(check_promotion(registry, &next).await.is_err(), transitive);
    }
}

#[tokio::test]
async fn a_directory_of_files_has_no_rules() {
    let ground = Ground::new(On::Yaml).await;
    let registry = &*ground.registry;
    register(registry, new("CHANGESET:changeset.v1:1.0.0", Status::Draft, change_set())).await.unwrap();
    let kind: Kind = "CHANGESET".parse().unwrap();
    let rule = CompatibilityRule { mode: Mode::Full, transitive: true };
    assert_eq!(code(registry.set_rule(&kind, rule).await), ContractCode::NoRules);
    assert_eq!(registry.rule(&kind).await.unwrap(), CompatibilityRule::default());
}
