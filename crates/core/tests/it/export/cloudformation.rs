//! CloudFormation and SAM templates, checked by cfn-lint and by reading them as YAML.

use std::path::PathBuf;
use std::process::Command;

use granit_parser::{Event, Parser};
use hansang_core::export::{Format, export};
use hansang_core::{Model, Words};
use proptest::prelude::{any, prop_assert_eq, proptest};
use serde_json::{Map, Value as Json, json};

use super::{CONTRACTS, NASTY, model, models, root};

/// C3, C37: the templates are valid to the linter that AWS maintains, with no error and no warning.
#[test]
fn cfn_lint_accepts_every_template() {
    let linter = root().join(".tools/venv/bin/cfn-lint");
    assert!(linter.exists(), "run ./test once: it installs cfn-lint");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cfn-lint");
    std::fs::create_dir_all(&folder).unwrap();
    let mut files = Vec::new();
    for (number, model) in models().iter().enumerate() {
        for (format, env) in
            [(Format::CloudFormation, None), (Format::CloudFormation, Some("prod")), (Format::Sam, None)]
        {
            let name = format!("{number}-{}-{format}-{}.yaml", model.name, env.unwrap_or("none"));
            let file = folder.join(name);
            std::fs::write(&file, export(model, format, env)).unwrap();
            files.push(file);
        }
    }
    // One process for all of them: starting it is slow.
    let linter = linter.canonicalize().unwrap();
    let output = Command::new(linter).arg("--").args(&files).current_dir(&folder).output().unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && said.iter().all(String::is_empty), "{}", said.join("\n"));
}

/// A template as JSON; `!Ref X` is `{"!Ref": "X"}`.
fn template(model: &Model, format: Format, env: Option<&str>) -> Json {
    let text = export(model, format, env);
    let events: Vec<Event<'_>> =
        Parser::new_from_str(&text).map(|event| event.unwrap_or_else(|e| panic!("{e}\n{text}")).0).collect();
    let mut rest = events.into_iter().skip_while(|event| !matches!(event, Event::DocumentStart(..))).skip(1);
    let first = rest.next().unwrap();
    node(first, &mut rest)
}

fn node<'t>(event: Event<'t>, rest: &mut impl Iterator<Item = Event<'t>>) -> Json {
    let (tag, value) = match event {
        Event::Scalar(text, _, _, tag) => (tag, Json::from(text.into_owned())),
        Event::SequenceStart(_, _, tag) => {
            let mut list = Vec::new();
            while let Some(event) = rest.next().filter(|event| *event != Event::SequenceEnd) {
                list.push(node(event, rest));
            }
            (tag, Json::from(list))
        }
        Event::MappingStart(_, _, tag) => {
            let mut map = Map::new();
            while let Some(event) = rest.next().filter(|event| *event != Event::MappingEnd) {
                let key = node(event, rest).as_str().unwrap().to_owned();
                let value = rest.next().unwrap();
                assert!(map.insert(key, node(value, rest)).is_none());
            }
            (tag, Json::Object(map))
        }
        other => panic!("{other:?}"),
    };
    match tag {
        Some(tag) => json!({ (tag.to_string()): value }),
        None => value,
    }
}

/// The result of `!Join`.
fn joined(value: &Json) -> String {
    let parts = value["!Join"][1].as_array().map(|parts| parts.iter().map(|part| part.as_str().unwrap()));
    parts.map_or_else(|| value.as_str().unwrap().to_owned(), Iterator::collect)
}

/// The name is a parameter, followed by the environment; an empty one appends nothing.
/// R1: the environment replaces its placeholder, if the model has one.
#[test]
fn the_table_is_named_for_its_environment() {
    let content = model("content", &CONTRACTS.replace("registry-{env}", "registry"));
    let file = template(&content, Format::Sam, None);
    assert_eq!(
        file["Resources"]["ContractsTable"]["Properties"]["TableName"],
        json!({ "!If": ["HasEnvironment", { "!Sub": "${TableName}-${Environment}" }, { "!Ref": "TableName" }] })
    );
    let has_environment = json!({ "!Not": [{ "!Equals": [{ "!Ref": "Environment" }, ""] }] });
    assert_eq!(file["Conditions"]["HasEnvironment"], has_environment);
    assert_eq!(file["Parameters"]["TableName"]["Default"], "ivm-lite-schema-registry");
    assert_eq!(file["Parameters"]["Environment"]["Default"], "");
    let prod = template(&content, Format::Sam, Some("prod"));
    assert_eq!(prod["Parameters"]["Environment"]["Default"], "prod");

    let contracts = template(&model("contracts", CONTRACTS), Format::CloudFormation, None);
    let name = &contracts["Resources"]["ContractsTable"]["Properties"]["TableName"];
    assert_eq!(*name, json!({ "!Sub": "ivm-lite-schema-registry-${Environment}" }));
    assert_eq!(contracts["Parameters"]["Environment"]["Default"], "dev");
    assert!(contracts["Conditions"].is_null() && contracts["Parameters"]["TableName"].is_null());
}

/// R4, R5: billing, recovery, tags and the index of document 004.
#[test]
fn contracts_has_what_its_document_asks_for() {
    let file = template(&model("contracts", CONTRACTS), Format::CloudFormation, None);
    let table = &file["Resources"]["ContractsTable"];
    assert_eq!(table["DeletionPolicy"], "Retain");
    assert_eq!(table["UpdateReplacePolicy"], "Retain");
    let properties = &table["Properties"];
    assert_eq!(properties["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"], "true");
    let tags = json!([
        { "Key": "Service", "Value": "ivm-lite" },
        { "Key": "Component", "Value": "schema-registry" },
    ]);
    assert_eq!(properties["Tags"], tags);
    let index = json!([{
        "IndexName": "kind-status-index",
        "KeySchema": [
            { "AttributeName": "kind", "KeyType": "HASH" },
            { "AttributeName": "status", "KeyType": "RANGE" },
        ],
        "Projection": { "ProjectionType": "ALL" },
    }]);
    assert_eq!(properties["GlobalSecondaryIndexes"], index);
    let names: Vec<&Json> = properties["AttributeDefinitions"].as_array().unwrap().iter().collect();
    let text = |name: &str| json!({ "AttributeName": name, "AttributeType": "S" });
    assert_eq!(names, [&text("PK"), &text("SK"), &text("kind"), &text("status")]);
}

/// C4: streams and TTL are off unless the model enables them, and the file shows it.
#[test]
fn streams_and_ttl_follow_the_model() {
    let on = template(&model("nasty", NASTY), Format::CloudFormation, None);
    let properties = &on["Resources"]["NastyOneTable"]["Properties"];
    assert_eq!(properties["StreamSpecification"], json!({ "StreamViewType": "NEW_AND_OLD_IMAGES" }));
    let ttl = json!({ "AttributeName": "expires-at", "Enabled": "true" });
    assert_eq!(properties["TimeToLiveSpecification"], ttl);
    assert_eq!(on["Outputs"]["StreamArn"]["Value"], json!({ "!GetAtt": "NastyOneTable.StreamArn" }));

    let off = NASTY
        .replace("ttl: expires-at", "ttl: { attribute: expires-at, enabled: false }")
        .replace("streams: true", "streams: false");
    let off = model("off", &off);
    let text = export(&off, Format::CloudFormation, None);
    assert!(text.contains("# TTL is off. `expires-at` is reserved for it"), "{text}");
    assert!(text.contains("# Streams are off"), "{text}");
    let off = template(&off, Format::CloudFormation, None);
    let properties = &off["Resources"]["NastyOneTable"]["Properties"];
    assert!(properties["TimeToLiveSpecification"].is_null() && properties["StreamSpecification"].is_null());
    assert!(off["Outputs"]["StreamArn"].is_null());
}

#[test]
fn nasty_texts_and_keys_come_through() {
    let nasty = model("nasty", NASTY);
    for format in [Format::CloudFormation, Format::Sam] {
        let file = template(&nasty, format, None);
        assert!(file["Description"].as_str().unwrap().ends_with(nasty.doc.english().trim_end()), "{file:#}");
        let properties = &file["Resources"]["NastyOneTable"]["Properties"];
        let tags: Vec<(String, String)> = properties["Tags"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tag| (joined(&tag["Key"]), joined(&tag["Value"])))
            .collect();
        assert_eq!(tags, nasty.table.tags);
        let types: Vec<(&str, &str)> = properties["AttributeDefinitions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|key| (key["AttributeName"].as_str().unwrap(), key["AttributeType"].as_str().unwrap()))
            .collect();
        let keys = ["PK", "SK", "game", "score", "GSI1PK", "GSI1SK", "GSI2PK"];
        let expected = keys.map(|name| (name, if name == "score" { "N" } else { "S" }));
        assert_eq!(types, expected);
        let projections: Vec<&Json> = properties["GlobalSecondaryIndexes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|index| &index["Projection"])
            .collect();
        let all = json!({ "ProjectionType": "ALL" });
        let include = json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"] });
        assert_eq!(projections, [&include, &json!({ "ProjectionType": "KEYS_ONLY" }), &all, &all]);
    }
}

proptest! {
    #[test]
    fn any_tag_comes_through(key in any::<String>(), value in any::<String>(), doc in any::<String>()) {
        let mut model = model("contracts", CONTRACTS);
        model.doc = Words::plain(doc);
        model.table.tags = vec![(key, value)];
        let file = template(&model, Format::Sam, None);
        let tag = &file["Resources"]["ContractsTable"]["Properties"]["Tags"][0];
        prop_assert_eq!(vec![(joined(&tag["Key"]), joined(&tag["Value"]))], model.table.tags);
    }
}

/// A description has at most 1024 bytes, whatever the script.
#[test]
fn a_long_doc_is_cut() {
    let long = CONTRACTS.replace("model: contracts", &format!("model: contracts\ndoc: {}", "한".repeat(900)));
    let file = template(&model("long", &long), Format::CloudFormation, None);
    let description = file["Description"].as_str().unwrap();
    assert!((1020..=1024).contains(&description.len()) && description.ends_with("한…"), "{description}");
}

/// C37: the application has exactly the rights that its patterns and writes need on the table and the
/// indexes.
#[test]
fn the_application_policy_is_least_privilege() {
    for model in models() {
        for format in [Format::CloudFormation, Format::Sam] {
            let file = template(&model, format, None);
            let resources = file["Resources"].as_object().unwrap();
            let (table, _) = resources.iter().find(|(name, _)| name.ends_with("Table")).unwrap();
            let policy = |who: &str| {
                let (_, policy) = resources.iter().find(|(name, _)| name.ends_with(who)).unwrap();
                policy["Properties"]["PolicyDocument"]["Statement"].as_array().unwrap().clone()
            };
            let application = policy("ApplicationPolicy");
            let shown = format!("{application:?}");
            assert!(!shown.contains('*') && !shown.contains("Scan") && !shown.contains("BatchWrite"));
            let own = json!([{ "!GetAtt": format!("{table}.Arn") }]);
            assert_eq!(application[0]["Resource"], own);
            let reads: Vec<Json> = model
                .table
                .indexes
                .iter()
                .enumerate()
                .filter(|(number, _)| model.patterns.iter().any(|pattern| pattern.index == Some(*number)))
                .map(|(_, index)| json!({ "!Sub": format!("${{{table}.Arn}}/index/{}", index.name) }))
                .collect();
            match application.get(1) {
                Some(indexes) => {
                    assert_eq!(indexes["Action"], json!(["dynamodb:Query"]));
                    assert_eq!(indexes["Resource"], Json::from(reads));
                }
                None => assert!(reads.is_empty()),
            }
            let operators = policy("OperatorPolicy");
            assert_eq!(operators.len(), 1);
            assert_eq!(operators[0]["Resource"], own);
            let actions = operators[0]["Action"].as_array().unwrap();
            assert!(
                ["Scan", "BatchWriteItem"].iter().all(|a| actions.contains(&json!(format!("dynamodb:{a}"))))
            );
        }
    }
    // The nasty model reads its table by whole keys only, so it may not even query it.
    let nasty = template(&model("nasty", NASTY), Format::CloudFormation, None);
    let statement =
        &nasty["Resources"]["NastyOneApplicationPolicy"]["Properties"]["PolicyDocument"]["Statement"];
    assert!(!statement[0]["Action"].to_string().contains("Query"), "{statement:#}");
    assert!(!statement.to_string().contains("/index/score"), "{statement:#}");
}

/// C37: a SAM user is told how to attach the policy and why not the ready-made one.
#[test]
fn sam_says_how_to_attach_the_policy() {
    let text = export(&model("contracts", CONTRACTS), Format::Sam, None);
    assert!(text.contains("\nTransform: AWS::Serverless-2016-10-31\n"), "{text}");
    assert!(text.contains("#         - !Ref ContractsApplicationPolicy\n"), "{text}");
    assert!(text.contains("DynamoDBCrudPolicy"), "{text}");
}
