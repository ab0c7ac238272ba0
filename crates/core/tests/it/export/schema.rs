//! The JSON Schema of stored items: valid and invalid items.

use hansang_core::Model;
use hansang_core::export::{Format, export};
use hansang_core::kind::Kind;
use hansang_core::model::Role;
use hansang_core::value::json::{item_from_typed, item_to_plain};
use jsonschema::Validator;
use serde_json::{Value as Json, json};

use super::{NASTY, model, models, root};

fn schema(model: &Model) -> Validator {
    let text = export(model, Format::JsonSchema, None);
    let schema: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    if let Err(problem) = jsonschema::meta::validate(&schema) {
        panic!("{problem}\n{text}");
    }
    // Formats are checked too, so that none is stricter than the model.
    jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// The example items of a model's document, each with the name of its entity.
fn examples(model: &Model) -> Vec<(String, Json)> {
    let path = root().join(format!("crates/core/tests/fixtures/items/{}.json", model.name));
    let Ok(text) = std::fs::read_to_string(path) else { return Vec::new() };
    let examples: Vec<Json> = serde_json::from_str(&text).unwrap();
    examples
        .into_iter()
        .map(|mut example| (example["entity"].as_str().unwrap().to_owned(), example["item"].take()))
        .collect()
}

/// The sample items of the Workbench export, in plain JSON.
fn samples(model: &Model) -> Vec<(String, Json)> {
    let file: Json = serde_json::from_str(&export(model, Format::NosqlWorkbench, None)).unwrap();
    let facets = file["DataModel"][0]["TableFacets"].as_array().unwrap();
    facets
        .iter()
        .take(model.entities.len())
        .map(|facet| {
            let item = item_from_typed(&facet["TableData"][0]).unwrap();
            (facet["FacetName"].as_str().unwrap().to_owned(), item_to_plain(&item))
        })
        .collect()
}

/// C6, R3: every item of the documents is an item of the schema.
#[test]
fn items_of_the_documents_are_accepted() {
    let mut count = 0;
    for model in models() {
        let schema = schema(&model);
        for (entity, item) in examples(&model).into_iter().chain(samples(&model)) {
            if let Err(problem) = schema.validate(&item) {
                panic!("{entity}: {problem}\n{item:#}");
            }
            count += 1;
        }
    }
    assert!(count > 0);
}

#[test]
fn broken_items_are_refused() {
    for model in models() {
        let schema = schema(&model);
        for (name, item) in examples(&model).into_iter().chain(samples(&model)) {
            let refused = |change: &dyn Fn(&mut Json), why: &str| {
                let mut broken = item.clone();
                change(&mut broken);
                assert!(!schema.is_valid(&broken), "{name}: {why}\n{broken:#}");
            };
            let entity = model.entity(&name).unwrap();
            for key in [&model.table.pk, &model.table.sk] {
                refused(&|item| remove(item, key), "no key");
                refused(&|item| item[&**key] = "\u{1}".into(), "a control character");
                refused(&|item| item[&**key] = 1.into(), "a number as a key");
                let longer = format!("{}{}x", item[&**key].as_str().unwrap(), model.table.delimiter);
                refused(&|item| item[&**key] = longer.as_str().into(), "one segment too many");
            }
            refused(&|item| item["unheardOf"] = 1.into(), "an unknown attribute");
            for attribute in entity.attributes.iter().filter(|attribute| attribute.stored) {
                let there = item.get(&*attribute.name);
                if there.is_some() && !attribute.optional && !matches!(attribute.role, Role::Updated) {
                    refused(&|item| remove(item, &attribute.name), &format!("without {}", attribute.name));
                }
                let wrong = if there.is_some_and(Json::is_array) { json!({}) } else { json!([[]]) };
                if attribute.kind != Kind::Any {
                    refused(
                        &|item| item[&*attribute.name] = wrong.clone(),
                        &format!("wrong {}", attribute.name),
                    );
                }
            }
        }
    }
}

fn remove(item: &mut Json, name: &str) {
    item.as_object_mut().unwrap().remove(name);
}

/// Each type and rule rejects the same values as the model.
#[test]
fn every_rule_is_in_the_schema() {
    let model = model("nasty", NASTY);
    let schema = schema(&model);
    let (_, item) = samples(&model).remove(0);
    let with = |name: &str, value: Json| {
        let mut changed = item.clone();
        changed[name] = value;
        schema.is_valid(&changed)
    };
    for (name, good) in [
        ("place", json!(9999)),
        ("kind", json!("A+B")),
        ("score", json!(-1.5)),
        ("mail", json!("한글@example.co.kr")),
        ("link", json!("s3://bucket/key")),
        ("title", json!("한글한글한글한글")),
        ("code", json!("ABC-12")),
        ("count", json!(-5)),
        ("texts", json!(["b"])),
        ("any", json!({ "a": [null, 1.5] })),
        ("state", json!("DONE")),
    ] {
        assert!(with(name, good.clone()), "{name}: {good}");
    }
    for (name, bad) in [
        ("Type", json!("Single")),
        ("place", json!(10000)),
        ("place", json!(1.5)),
        ("kind", json!("A")),
        ("at", json!("2026-02-30T00:00:00.000Z")),
        ("at", json!("2026-01-01T00:00:00Z")),
        ("month", json!("2026-01")),
        ("month", json!("2026.13")),
        ("semver", json!("1.0")),
        ("uuid", json!("3F2B8C1E-5A4D-4E6F-9B7A-0C1D2E3F4A5B")),
        ("ulid", json!("81JD3Q0V8B5X9K2M4N6P7R8S9T")),
        ("game", json!("")),
        ("game", json!("a|b")),
        ("score", json!(-1.6)),
        ("score", json!(100.1)),
        ("score", json!("1")),
        ("mail", json!("a@b.k,r")),
        ("mail", json!("nobody")),
        ("link", json!("javascript:alert(1)")),
        ("title", json!("a")),
        ("title", json!("123456789")),
        ("code", json!("abc")),
        ("code", json!("ABC-123")),
        ("hash", json!("0".repeat(63))),
        ("flag", json!("true")),
        ("state", json!("LOST")),
        ("list", json!([1])),
        ("list", json!([1, 2, 3, 4])),
        ("list", json!([1, "2"])),
        ("map", json!({})),
        ("map", json!({ "a": [1] })),
        ("texts", json!([])),
        ("texts", json!(["a", "a"])),
        ("texts", json!(["a", "b", "c"])),
        ("numbers", json!(["1"])),
        ("blobs", json!(["%"])),
        ("label", json!("x")),
        ("label", json!("a|12")),
        ("PK", json!("EVERYx1|v|0001")),
        ("PK", json!("EVERY.1|v|01")),
        ("GSI1PK", json!("H|a")),
        ("rev", json!("1")),
    ] {
        assert!(!with(name, bad.clone()), "{name}: {bad}");
    }
}

/// The length of bytes is counted in bytes, though the text is base64.
#[test]
fn bytes_are_counted() {
    let base64 = ["", "aA==", "aGg=", "aGho", "aGhoaA==", "aGhoaGg=", "aGhoaGho", "aGhoaGhoaA=="];
    let (_, item) = samples(&model("nasty", NASTY)).remove(0);
    for (least, most) in [(0, 0), (1, 1), (2, 4), (3, 3), (3, 5), (4, 6), (1, 7)] {
        let source = NASTY.replace("binary, length: [2, 4]", &format!("binary, length: [{least}, {most}]"));
        let schema = schema(&model("bytes", &source));
        for (length, text) in base64.iter().enumerate() {
            let mut changed = item.clone();
            changed["bytes"] = (*text).into();
            let within = (least..=most).contains(&length);
            assert_eq!(schema.is_valid(&changed), within, "{length} of {least} to {most}");
        }
    }
}

/// An item that was never updated may lack the time of its last write, an optional attribute may be
/// absent, and the keys of an index are present or absent together.
#[test]
fn optional_parts_may_be_absent() {
    let model = model("nasty", NASTY);
    let schema = schema(&model);
    let (_, item) = samples(&model).remove(0);
    let without = |names: &[&str]| {
        let mut changed = item.clone();
        names.iter().for_each(|name| remove(&mut changed, name));
        schema.is_valid(&changed)
    };
    assert!(without(&["updatedAt"]));
    assert!(without(&["text", "any", "link"]));
    assert!(without(&["mail", "GSI2PK"]));
    assert!(
        !without(&["GSI1PK"]) && !without(&["GSI1SK"]) && !without(&["label"]) && !without(&["createdAt"])
    );
    assert!(!without(&["rev"]));
}

/// The pointers that keep values unique are items of the table too.
#[test]
fn pointers_are_accepted() {
    let schema = schema(&model("nasty", NASTY));
    let pointer = |pk: &str| json!({ "PK": pk, "SK": "UNIQUE", "ownerPK": "a", "ownerSK": "b" });
    assert!(schema.is_valid(&pointer("UNIQUE|Everything|code|ABC")));
    assert!(schema.is_valid(&pointer("UNIQUE|Everything|label|a|b%7C")));
    assert!(!schema.is_valid(&pointer("UNIQUE|Everything|label|a")));
    assert!(!schema.is_valid(&pointer("UNIQUE|Everything|other|a")));
}
