//! Schemas of responses, generated from the structs that are sent.

use hansang_core::export::attribute_schema;
use hansang_core::model::Model;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value as Json};

/// The extension that names the entity of a struct: `#[schemars(extend("x-entity" = "Request"))]`.
const ENTITY_MARK: &str = "x-entity";

/// The schema of a response.
///
/// Names come from the struct. A field with the name of an attribute of the entity that the struct is marked with has
/// the schema of that attribute. An optional field is left out when it is empty, never null, if the struct says
/// `skip_serializing_if`. Objects have no other members.
#[must_use]
pub fn response<T: JsonSchema>(model: &Model) -> Json {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    finish(&mut schema, model);
    schema
}

fn finish(schema: &mut Json, model: &Model) {
    let Json::Object(schema) = schema else { return };
    schema.remove("title");
    if schema.get("type").is_some_and(|kind| kind == "integer") {
        schema.remove("format");
    }
    let mark = schema.remove(ENTITY_MARK);
    let entity = mark.as_ref().and_then(Json::as_str).and_then(|name| model.entity(name));
    let required = schema.get("required").cloned().unwrap_or_default();
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties.iter_mut() {
            if let Some((entity, attribute)) =
                entity.and_then(|entity| Some((entity, entity.attribute(name)?)))
            {
                let mut stored = attribute_schema(entity, attribute);
                stored.remove("default");
                *property = stored.into();
                continue;
            }
            finish(property, model);
            if !required.as_array().is_some_and(|all| all.iter().any(|one| one == name)) {
                remove_null(property);
            }
        }
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    finish_parts(schema, model);
}

/// Finishes the schemas of elements and alternatives.
fn finish_parts(schema: &mut Map<String, Json>, model: &Model) {
    if let Some(items) = schema.get_mut("items") {
        finish(items, model);
    }
    for name in ["anyOf", "oneOf", "allOf"] {
        for part in schema.get_mut(name).and_then(Json::as_array_mut).into_iter().flatten() {
            finish(part, model);
        }
    }
}

/// Removes the alternative `null`.
fn remove_null(schema: &mut Json) {
    let null = Json::from("null");
    if let Some(kinds) = schema.get_mut("type").and_then(Json::as_array_mut) {
        kinds.retain(|kind| *kind != null);
        if let [only] = &mut kinds[..] {
            schema["type"] = only.take();
        }
    }
    if let Some(parts) = schema.get_mut("anyOf").and_then(Json::as_array_mut) {
        parts.retain(|part| part["type"] != null);
        if let [only] = &mut parts[..] {
            *schema = only.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde::Serialize;

    use super::*;

    const MODEL: &str = r#"
model: shop
table:
  name: Shop
  key: { pk: PK, sk: SK }
entities:
  Order:
    doc: An order.
    key: { PK: "ORDER#{orderId}", SK: META }
    attributes:
      orderId: { type: ulid, generated: ulid }
      status:  { enum: [open, paid], default: open, doc: Whether it is paid. }
"#;

    #[derive(Serialize, JsonSchema)]
    #[serde(rename_all = "camelCase")]
    #[schemars(extend("x-entity" = "Order"))]
    struct Shown {
        order_id: String,
        status: &'static str,
        /// The number of lines.
        lines: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        next: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        first: Option<Line>,
        #[serde(skip_serializing_if = "Option::is_none")]
        anything: Option<Json>,
    }

    #[derive(Serialize, JsonSchema)]
    struct Line {
        status: String,
    }

    #[derive(Serialize, JsonSchema)]
    struct WithTotal {
        #[serde(flatten)]
        shown: Shown,
        total: i64,
    }

    #[test]
    fn names_come_from_the_struct_and_rules_from_the_model() {
        let model = hansang_core::compile(MODEL.as_bytes()).unwrap();
        expect![[r#"
            {
              "type": "object",
              "properties": {
                "orderId": {
                  "type": "string",
                  "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$"
                },
                "status": {
                  "enum": [
                    "open",
                    "paid"
                  ],
                  "description": "Whether it is paid."
                },
                "lines": {
                  "type": "integer",
                  "description": "The number of lines.",
                  "minimum": 0
                },
                "note": {
                  "type": "string"
                },
                "next": {
                  "type": [
                    "string",
                    "null"
                  ]
                },
                "first": {
                  "type": "object",
                  "properties": {
                    "status": {
                      "type": "string"
                    }
                  },
                  "required": [
                    "status"
                  ],
                  "additionalProperties": false
                },
                "anything": true,
                "total": {
                  "type": "integer"
                }
              },
              "required": [
                "orderId",
                "status",
                "lines",
                "next",
                "total"
              ],
              "additionalProperties": false
            }"#]]
        .assert_eq(&format!("{:#}", response::<WithTotal>(&model)));
    }
}
