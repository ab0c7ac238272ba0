//! The schemas of contracts, for the API's documentation.

use hansang_contracts::Status;
use hansang_core::Model;
use hansang_core::export::attribute_schema;
use serde_json::{Map, Value as Json, json};

/// The schema of an attribute of a version, as the model has it.
pub(super) fn attribute(model: &Model, name: &str) -> Json {
    let entity = model.entity("Contract");
    let schema = entity.and_then(|entity| Some(attribute_schema(entity, entity.attribute(name)?)));
    schema.map_or_else(text, Json::Object)
}

/// A kind, in any spelling.
pub(super) fn any_kind(model: &Model) -> Json {
    let stored = attribute(model, "kind");
    let other = json!({ "type": "string", "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,31}$" });
    json!({ "anyOf": [stored, other] })
}

/// A range of versions, such as `^1.2`.
pub(super) fn range() -> Json {
    let number = "(?:0|[1-9][0-9]{0,18})";
    let before = "(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
    let build = "[0-9A-Za-z-]+";
    let patch = format!(r"\.{number}(?:-{before}(?:\.{before})*)?(?:\+{build}(?:\.{build})*)?|\.[*xX]");
    let rest = format!(r"\.[*xX](?:\.[*xX])?|\.{number}(?:{patch})?");
    let one = format!(r"(?:=|>=?|<=?|~|\^)? *{number}(?:{rest})?");
    json!({ "type": "string", "pattern": format!("^ *(?:[*xX]|{one}(?: *, *{one}){{0,31}}) *$") })
}

/// A status.
pub(super) fn status() -> Json {
    json!({ "enum": Status::ALL.map(Status::name) })
}

/// The spec of a contract.
pub(super) fn spec() -> Json {
    json!({ "type": "object", "description": "The contract itself." })
}

/// An object with these members and no others.
pub(super) fn closed(properties: Json, required: &[&str]) -> Json {
    let properties = if let Json::Object(properties) = properties { properties } else { Map::new() };
    object(properties, required)
}

pub(super) fn text() -> Json {
    json!({ "type": "string" })
}

fn object(properties: Map<String, Json>, required: &[&str]) -> Json {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use hansang_contracts::{Kind, MODEL, Wanted, contract_id, contract_version};

    use super::*;

    /// Checks that the schema accepts the same texts as the registry.
    fn agree(schema: &Json, texts: &[&str], takes: impl Fn(&str) -> bool) {
        let validator = jsonschema::validator_for(schema).unwrap();
        for text in texts {
            assert_eq!(validator.is_valid(&json!(text)), takes(text), "`{text}`");
        }
        let taken = texts.iter().filter(|text| takes(text)).count();
        assert!(taken > 2 && taken + 2 < texts.len(), "the texts show both");
    }

    #[test]
    fn ranges_are_described_as_they_are_taken() {
        let texts = [
            "1.2.3",
            "^1.2",
            "~1",
            ">=1.2, <2",
            " >= 1.2.3-rc.1 , <2.0.0+x ",
            "*",
            "x",
            "X",
            " * ",
            "1.*",
            "1.2.x",
            "1.*.*",
            "=1",
            "> 0",
            "<=1.2.3",
            "1",
            "1,2",
            "",
            " ",
            "^",
            "1.",
            "1.*.2",
            ">*",
            "*, 1",
            "1 2",
            "01",
            "1.02",
            "1.2.3.4",
            "1.2-rc",
            "newest",
            "1,",
            ",1",
            "=>1",
            "^1.2.3-01",
            "1.2.3-",
            "1.2.3+",
            "v1",
            "1.x.3",
            "1 .2",
        ];
        agree(&range(), &texts, |text| text.parse::<Wanted>().is_ok());
    }

    #[test]
    fn names_are_described_as_they_are_taken() {
        let model = hansang_core::compile(MODEL.as_bytes()).unwrap();
        let (long, mixed) = ("A".repeat(65), "a".repeat(33));
        let kinds = [
            "CHANGESET",
            "ChangeSet",
            "ChangeSetContract",
            "change-set",
            "NewThing",
            "A_1",
            "A",
            "",
            "changeset",
            "_A",
            "9A",
            "A#",
            "A B",
            &long,
            &"a".repeat(32),
            &mixed,
        ];
        agree(&any_kind(&model), &kinds, |text| text.parse::<Kind>().is_ok());
        let (fits, long) = ("상".repeat(128), "상".repeat(129));
        let ids = ["a", "a.b:c/d e", "상", &fits, "", "a#b", "a\nb", "\u{7f}", "\u{85}", &long];
        agree(&attribute(&model, "id"), &ids, |text| contract_id(text).is_ok());
        let versions =
            ["1.0.0", "1.0.0-rc.1+x.01", "0.0.0", "1.0", "", "01.0.0", "1.0.0-01", "latest", "1.0.0 "];
        agree(&attribute(&model, "version"), &versions, |text| contract_version(text).is_ok());
    }
}
