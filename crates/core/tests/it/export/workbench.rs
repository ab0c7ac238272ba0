//! The data model for NoSQL Workbench.

use hansang_core::Model;
use hansang_core::export::{Format, export};
use hansang_core::identify::read_item;
use hansang_core::value::json::item_from_typed;
use serde_json::{Value as Json, json};

use super::{CONTRACTS, NASTY, model, models};

fn file(model: &Model) -> Json {
    serde_json::from_str(&export(model, Format::NosqlWorkbench, Some("test"))).unwrap()
}

/// Every entity has a facet with its key templates and a valid sample item, and every access pattern one with the
/// samples of the entities that it returns.
#[test]
fn samples_are_items_of_their_entity() {
    for model in models() {
        let file = file(&model);
        let table = &file["DataModel"][0];
        assert_eq!(table["TableName"], model.table.name_in(Some("test")).as_str());
        let facets = table["TableFacets"].as_array().unwrap();
        assert_eq!(facets.len(), model.entities.len() + model.patterns.len());
        let mut all = Vec::new();
        for (facet, entity) in facets.iter().zip(&model.entities) {
            assert_eq!(facet["FacetName"], *entity.name);
            let alias = json!({ "PartitionKeyAlias": entity.pk.text, "SortKeyAlias": entity.sk.text });
            assert_eq!(facet["KeyAttributeAlias"], alias);
            let data = facet["TableData"].as_array().unwrap();
            assert_eq!(data.len(), 1, "no sample of {}", entity.name);
            let item = item_from_typed(&data[0]).unwrap();
            match read_item(&model, &item) {
                Ok((found, _)) => assert_eq!(found.name, entity.name),
                Err(violations) => panic!("{}: {violations:?}", entity.name),
            }
            let names = facet["NonKeyAttributes"].as_array().unwrap();
            let is_key = |name: &str| name == &*model.table.pk || name == &*model.table.sk;
            for name in item.keys().filter(|name| !is_key(name)) {
                assert!(names.contains(&json!(**name)), "{name}");
            }
            all.extend(data.clone());
        }
        assert_eq!(table["TableData"], Json::from(all));
        for (facet, pattern) in facets[model.entities.len()..].iter().zip(&model.patterns) {
            let name = facet["FacetName"].as_str().unwrap();
            assert_eq!(name.split(' ').next(), Some(&*pattern.name));
            let data = facet["TableData"].as_array().unwrap();
            assert_eq!(data.len(), pattern.entities.len(), "the samples of {name}");
            for item in data {
                let (found, _) = read_item(&model, &item_from_typed(item).unwrap()).unwrap();
                assert!(
                    pattern.entities.iter().any(|entity| entity.name == found.name),
                    "{name}: {}",
                    found.name
                );
            }
        }
    }
}

#[test]
fn the_file_is_what_workbench_imports() {
    let contracts = file(&model("contracts", CONTRACTS));
    assert_eq!(contracts["ModelName"], "contracts");
    assert_eq!(contracts["ModelMetadata"]["AWSService"], "Amazon DynamoDB");
    assert_eq!(contracts["ModelMetadata"]["Version"], "3.0");
    let table = &contracts["DataModel"][0];
    let key = |name: &str, of_type: &str| json!({ "AttributeName": name, "AttributeType": of_type });
    assert_eq!(table["KeyAttributes"], json!({ "PartitionKey": key("PK", "S"), "SortKey": key("SK", "S") }));
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
    assert_eq!(table["DataAccess"], json!({ "MySql": {} }));
    assert!(table["NonKeyAttributes"].as_array().unwrap().contains(&key("spec", "M")));
    let index = json!({
        "IndexName": "kind-status-index",
        "KeyAttributes": { "PartitionKey": key("kind", "S"), "SortKey": key("status", "S") },
        "Projection": { "ProjectionType": "ALL" },
    });
    assert_eq!(table["GlobalSecondaryIndexes"], json!([index]));

    let nasty = file(&model("nasty", NASTY));
    assert_eq!(nasty["ModelMetadata"]["Description"], model("nasty", NASTY).doc.english());
    let indexes = &nasty["DataModel"][0]["GlobalSecondaryIndexes"];
    assert_eq!(
        indexes[0]["Projection"],
        json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"] })
    );
    assert_eq!(indexes[1]["KeyAttributes"], json!({ "PartitionKey": key("score", "N") }));
}
