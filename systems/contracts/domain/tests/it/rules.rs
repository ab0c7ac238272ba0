//! Compatibility rules, in promotions, registrations and seeding.

use hansang_contracts::{
    Act, Allowed, CompatibilityRule, ContractCode, ContractError, ContractFile, ContractRegistry, Kind, Mode,
    RuleScope, Status, check_promotion, deprecate, promote, register, rule_of, seed, verdicts,
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
        let kind = RuleScope::Kind("ENTITY_SCHEMA".parse().unwrap());
        let rule = CompatibilityRule { mode, transitive: false };
        assert_eq!(code(registry.set_rule(&kind, Some(rule)).await), ContractCode::ContractNotFound);
        let first = draft(registry, "1.0.0", &["a", "b"]).await;
        registry.set_rule(&kind, Some(rule)).await.unwrap();
        assert_eq!(registry.rule(&kind).await.unwrap(), Some(rule));
        promote(registry, &reference(&first), "lee").await.unwrap();
        for (version, fields, allowed) in [
            ("1.1.0", &["a", "b", "c"][..], true),
            ("1.2.0", &["a"], removes),
            ("1.3.0", &["a", "b", "c!"], requires),
            // A new major version may break anything.
            ("2.0.0", &["z!"], true),
        ] {
            let draft = reference(&draft(registry, version, fields).await);
            assert_eq!(
                check_promotion(registry, &draft, &Allowed::default()).await.is_ok(),
                allowed,
                "{mode} {version}"
            );
            let name = format!("ENTITY_SCHEMA:entity.v1:{version}").replace(".0", ".1");
            let active = new(&name, Status::Active, entity(fields));
            let registered = register(registry, active).await;
            assert_eq!(registered.is_ok(), allowed, "{mode} {version}");
            if allowed {
                deprecate(registry, &reference(&name), "lee").await.unwrap();
            }
            if !allowed {
                let refused = promote(registry, &draft, "lee").await;
                assert_eq!(code(refused), ContractCode::Incompatible, "{mode} {version}");
                let stored = registry.fetch(&draft).await.unwrap();
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
    let kind = RuleScope::Kind("ENTITY_SCHEMA".parse().unwrap());
    for (version, fields) in [("1.0.0", &["a", "b"][..]), ("1.1.0", &["a"])] {
        let name = reference(&draft(registry, version, fields).await);
        promote(registry, &name, "lee").await.unwrap();
    }
    deprecate(registry, &reference("ENTITY_SCHEMA:entity.v1:1.0.0"), "lee").await.unwrap();
    let next = reference(&draft(registry, "1.2.0", &["a", "c"]).await);
    for (transitive, compared) in [(false, &["1.1.0"][..]), (true, &["1.1.0", "1.0.0"])] {
        let rule = CompatibilityRule { mode: Mode::Forward, transitive };
        registry.set_rule(&kind, Some(rule)).await.unwrap();
        let found = verdicts(registry, &next, &item(entity(&["a", "c"]))).await.unwrap();
        let against: Vec<String> = found.iter().map(|one| one.against.to_string()).collect();
        assert_eq!(against, compared);
        assert_eq!(check_promotion(registry, &next, &Allowed::default()).await.is_err(), transitive);
    }
}

#[tokio::test]
async fn a_directory_of_files_has_no_rules() {
    let ground = Ground::new(On::Yaml).await;
    let registry = &*ground.registry;
    register(registry, new("CHANGESET:changeset.v1:1.0.0", Status::Draft, change_set())).await.unwrap();
    let kind = RuleScope::Kind("CHANGESET".parse().unwrap());
    let rule = CompatibilityRule { mode: Mode::Full, transitive: true };
    assert_eq!(code(registry.set_rule(&kind, Some(rule)).await), ContractCode::NoRules);
    assert_eq!(registry.rule(&kind).await.unwrap(), None);
}

/// The rule of a contract counts before that of its kind, and that before the one of everything.
#[tokio::test]
async fn the_narrowest_rule_counts() {
    for on in [On::Embedded, On::DynamoDb] {
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        let kind: Kind = "ENTITY_SCHEMA".parse().unwrap();
        let [one, all] = [RuleScope::Kind(kind.clone()), RuleScope::All];
        let own = RuleScope::Contract(kind.clone(), "entity.v1".into());
        assert_eq!(code(registry.set_rule(&own, None).await), ContractCode::ContractNotFound);
        let first = draft(registry, "1.0.0", &["a", "b"]).await;
        promote(registry, &reference(&first), "lee").await.unwrap();
        let next = reference(&draft(registry, "1.1.0", &["a"]).await);
        let rule = |mode| Some(CompatibilityRule { mode, transitive: false });
        let allows = async || check_promotion(registry, &next, &Allowed::default()).await.is_ok();
        assert_eq!(rule_of(registry, own.clone()).await.unwrap(), (CompatibilityRule::default(), None));
        for (scope, mode, allowed) in [
            (&all, Some(Mode::Full), false),
            (&one, Some(Mode::None), true),
            (&own, Some(Mode::Forward), false),
            (&own, Some(Mode::Backward), true),
            (&all, Some(Mode::None), true),
            (&own, None, true),
            (&one, Some(Mode::Full), false),
            (&one, None, true),
            (&all, Some(Mode::Forward), false),
            (&all, None, true),
        ] {
            registry.set_rule(scope, mode.and_then(rule)).await.unwrap();
            assert_eq!(registry.rule(scope).await.unwrap(), mode.and_then(rule));
            assert_eq!(allows().await, allowed, "{scope} {mode:?}");
        }
        registry.set_rule(&all, rule(Mode::Full)).await.unwrap();
        let (found, from) = rule_of(registry, own.clone()).await.unwrap();
        assert_eq!((found.mode, from), (Mode::Full, Some(RuleScope::All)));
        // No rule is a version, or in a list of versions.
        assert_eq!(registry.walk(None).await.unwrap().found.len(), 2);
    }
}

/// A pre-release promises nothing: versions are not compared with it.
#[tokio::test]
async fn a_pre_release_promises_nothing() {
    let ground = Ground::new(On::Embedded).await;
    let registry = &*ground.registry;
    for (version, fields) in [("1.0.0", &["a"][..]), ("1.1.0-rc.1", &["a", "b"])] {
        let name = reference(&draft(registry, version, fields).await);
        promote(registry, &name, "lee").await.unwrap();
    }
    let next = reference(&draft(registry, "1.1.0", &["a", "c"]).await);
    for transitive in [false, true] {
        let rule = CompatibilityRule { mode: Mode::Full, transitive };
        registry.set_rule(&RuleScope::All, Some(rule)).await.unwrap();
        let found = verdicts(registry, &next, &item(entity(&["a", "c"]))).await.unwrap();
        let against: Vec<String> = found.iter().map(|one| one.against.to_string()).collect();
        assert_eq!(against, ["1.0.0"]);
        assert!(check_promotion(registry, &next, &Allowed::default()).await.is_ok());
    }
}

/// Seeding follows the rule too, and seeding again succeeds after a rule was tightened.
#[tokio::test]
async fn seeding_follows_the_rule() {
    for on in [On::Embedded, On::DynamoDb] {
        let ground = Ground::new(on).await;
        let registry = &*ground.registry;
        let text = |version: &str, fields: &[&str]| {
            let kind = "kind: ENTITY_SCHEMA\nid: entity.v1\n";
            ContractFile::read(
                version.into(),
                &format!("{kind}version: {version}\nspec: {}\n", entity(fields)),
            )
        };
        let files = [text("1.0.0", &["a", "b"]), text("1.1.0", &["a"]), text("1.2.0", &["b"])];
        let run =
            async |files: &[ContractFile], act: Act| seed(registry, files, act, false, &mut |_| {}).await;
        assert!(run(&files[..2], "kim".into()).await.succeeded());
        let rule = CompatibilityRule { mode: Mode::Full, transitive: false };
        registry.set_rule(&RuleScope::All, Some(rule)).await.unwrap();
        let report = run(&files, "kim".into()).await;
        assert_eq!((report.skipped.len(), report.errors.len()), (2, 1), "{report:?}");
        let told = report.errors[0].message.as_ref().unwrap().to_string();
        assert!(told.contains("is not compatible with 1.1.0"), "{told}");
        let allowed = Allowed { missing: false, incompatible: Some("a new start".to_owned()) };
        let report = run(&files, Act { by: "root".to_owned(), allowed }).await;
        assert_eq!((report.skipped.len(), report.uploaded.len()), (2, 1), "{report:?}");
        let history = registry.history(&reference("ENTITY_SCHEMA:entity.v1:1.2.0")).await.unwrap();
        assert_eq!(history[0].reason.as_deref(), Some("a new start"));
    }
}
