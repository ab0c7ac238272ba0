//! The differences against the truth: items that the old model wrote, read with the new one.

use hansang_core::diff::{Need, diff};
use hansang_core::identify::read_item;
use hansang_core::model::Model;
use hansang_core::plan::Action;
use hansang_core::value::{Item, json};
use hansang_core::write::{Moment, create};
use serde_json::json;

use super::{SHOP, shop};
use crate::model;

/// Single edits of the shop, harmless and not.
const EDITS: &[(&str, &str)] = &[
    ("version: 1.0.0", "version: 2.0.0"),
    ("enabled: false", "enabled: true"),
    ("  type: Type\n", "  type: Type\n  timestamps: millis\n"),
    ("  created: CreatedAt\n", "  created: CreatedAt\n  updated: UpdatedAt\n"),
    ("sk: CreatedAt }", "sk: CreatedAt, project: keys }"),
    ("    GSI1: { pk", "    OTHER: { pk: customer, sk: CreatedAt }\n    GSI1: { pk"),
    ("GSI1SK", "GSI1SORT"),
    ("STATUS#{status}", "S#{status}"),
    ("STATUS#{status}", "STATUS#{status}#X"),
    ("GSI1SK: \"{placedAt}#{number:06}\"", "GSI1SK: \"{placedAt}#{number:07}\""),
    ("SK: META }\n", "SK: META }\n    index: { GSI1: { GSI1PK: C, GSI1SK: \"{name}\" } }\n"),
    ("SK: META }\n", "SK: META }\n    version: rev\n"),
    ("SK: META }\n", "SK: PROFILE }\n"),
    ("ORDER#{placedAt}#{number:06}", "ORDER#{number:06}#{placedAt}"),
    ("ORDER#{placedAt}#{number:06}", "ORDER#{placedAt}#{number:08}"),
    ("      email: email\n", "      email: string\n"),
    ("      email: email\n", "      email: url\n"),
    ("      email: email\n", "      email: { type: email, immutable: true }\n"),
    ("      email: email\n", "      email: email\n      phone: string?\n"),
    ("      email: email\n", "      email: email\n      phone: string\n"),
    ("      email: email\n", "      email: email\n      vip: { type: bool, default: false }\n"),
    ("      email: email\n", "      email: email\n      tag: { template: \"{name}\" }\n"),
    ("      email: [email]\n", "      email: [email]\n      name: [name]\n"),
    ("      note: { type: string?, length: [0, 200] }\n", ""),
    ("length: [0, 200]", "length: [0, 2]"),
    ("length: [0, 200]", "length: [0, 300]"),
    ("note: { type: string?", "note: { type: string"),
    ("max: 999999", "max: 5"),
    ("{ type: number, min: 0 }", "number"),
    ("{ type: number, min: 0 }", "string"),
    ("{ type: number, min: 0 }", "any"),
    ("{ type: number, min: 0 }", "integer"),
    ("enum: [web, shop], default: web", "enum: [shop, web, phone]"),
    ("enum: [web, shop], default: web", "enum: [shop, phone]"),
    ("label: { template: \"{number:06}\" }", "label: { template: \"{number:08}\" }"),
    ("      label: { template: \"{number:06}\" }\n", ""),
    ("customer: string\n      placedAt", "customer: { type: string, stored: false }\n      placedAt"),
    ("OPEN: [PAID, CANCELLED]", "OPEN: [PAID, CANCELLED, LOST]"),
    ("OPEN: [PAID, CANCELLED], PAID: [SHIPPED]", "PAID: [SHIPPED, CANCELLED]"),
];

fn written(model: &Model, entity: &str, fields: &serde_json::Value) -> Item {
    let entity = model.entity(entity).expect("an entity of the shop");
    let fields = json::item_from_plain(fields).expect("fields");
    let moment = Moment { now: "2025-11-14T03:00:00Z".parse().expect("a time"), random: 7 };
    let writes = create(model, entity, fields, &moment).expect("an item that fits");
    match &writes[0].action {
        Action::Put(item) => item.clone(),
        other => panic!("a creation puts an item: {other:?}"),
    }
}

/// Whether a difference needs a migration of stored items of the entity.
fn is_named(need: &Need, entity: &str) -> bool {
    match need {
        Need::Backfill { entities, .. } | Need::Check { entities, .. } | Need::Rebuild { entities, .. } => {
            entities.iter().any(|name| &**name == entity)
        }
        Need::Nothing | Need::Breaking { .. } | Need::Reindex { .. } => false,
    }
}

/// If no difference names an entity, its stored items are still valid.
#[test]
fn items_of_an_entity_that_needs_nothing_are_still_valid() {
    let old = model(SHOP);
    let items = [
        (
            "Order",
            written(
                &old,
                "Order",
                &json!({ "customer": "c1", "placedAt": "2025-11-14T03:00:00Z", "number": 12, "status": "OPEN",
                         "total": 12.5, "note": "soon" }),
            ),
        ),
        (
            "Customer",
            written(&old, "Customer", &json!({ "customer": "c1", "email": "a@b.kr", "name": "Kim" })),
        ),
    ];
    let mut valid = 0;
    for edit in EDITS {
        let new = model(&shop(&[*edit]));
        let differences = diff(&old, &new);
        assert!(!differences.is_empty(), "{edit:?} makes no difference");
        for (entity, item) in &items {
            let named = differences.iter().any(|difference| is_named(&difference.need, entity));
            match read_item(&new, item) {
                Ok((read, _)) => assert_eq!(&*read.name, *entity, "{edit:?}"),
                Err(violations) => assert!(named, "{edit:?}: {violations:?}, but {differences:?}"),
            }
            valid += usize::from(!named);
        }
    }
    assert!(valid > EDITS.len() / 2, "only {valid} items were expected to be valid: the test shows little");
}
