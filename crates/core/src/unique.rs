//! Unique constraints: each unique value has a small pointer item, written in the same transaction as its
//! owner. The key of an item is the only uniqueness that DynamoDB guarantees.

use std::sync::{Arc, LazyLock};

use crate::kind::Kind;
use crate::model::{Attribute, Entity, Role, Rules, Unique};
use crate::template::{Field, Segment, Template};
use crate::value::{Item, Name, Value};
use crate::words::Words;

/// The first segment of every pointer's partition key.
pub const PREFIX: &str = "UNIQUE";
/// The pointer's attribute that holds its owner's partition key.
pub static OWNER_PK: LazyLock<Name> = LazyLock::new(|| Name::from("ownerPK"));
/// The pointer's attribute that holds its owner's sort key.
pub static OWNER_SK: LazyLock<Name> = LazyLock::new(|| Name::from("ownerSK"));

/// The partition key of the pointer for these fields, or nothing if one of them is absent: an absent value
/// is not unique.
#[must_use]
pub fn pointer_pk(entity: &Entity, unique: &Unique, delimiter: char, fields: &Item) -> Option<String> {
    let mut key = String::with_capacity(64);
    for part in [PREFIX, &entity.name, &unique.name] {
        if !key.is_empty() {
            key.push(delimiter);
        }
        key.push_str(part);
    }
    for attribute in unique.attributes() {
        key.push(delimiter);
        match fields.get(&attribute.name)? {
            Value::S(text) => escape(text, delimiter, &mut key),
            Value::N(number) => key.push_str(&number.to_string()),
            _ => return None,
        }
    }
    Some(key)
}

/// Percent-encodes characters that would make the key ambiguous.
fn escape(text: &str, delimiter: char, key: &mut String) {
    for character in text.chars() {
        if character == delimiter || character == '%' || character.is_control() {
            key.push_str(&format!("%{:02X}", u32::from(character)));
        } else {
            key.push(character);
        }
    }
    // A percent sign alone, which no character is encoded as.
    if text.is_empty() {
        key.push('%');
    }
}

/// The shape of the pointers of a constraint, to compare with the keys of entities.
pub(crate) fn pointer_templates(entity: &Entity, unique: &Unique, delimiter: char) -> (Template, Template) {
    let literal = |text: &str| Segment { literal: text.to_owned(), field: None };
    let mut segments = vec![literal(PREFIX), literal(&entity.name), literal(&unique.name)];
    for attribute in unique.attributes() {
        let any = Attribute {
            name: attribute.name.clone(),
            title: Words::default(),
            doc: Words::default(),
            titles: Vec::new(),
            kind: Kind::String,
            rules: Rules::default(),
            optional: false,
            default: None,
            immutable: false,
            generated: None,
            stored: true,
            expires: false,
            role: Role::Given,
        };
        segments.push(Segment {
            literal: String::new(),
            field: Some(Field { attribute: Arc::new(any), pad: None }),
        });
    }
    let pk = Template { text: String::new(), delimiter, segments };
    let sk = Template { text: PREFIX.to_owned(), delimiter, segments: vec![literal(PREFIX)] };
    (pk, sk)
}

/// The pointer item.
#[must_use]
pub fn pointer_item(pk_name: &Name, sk_name: &Name, pk: String, owner_pk: &str, owner_sk: &str) -> Item {
    Item::from([
        (pk_name.clone(), Value::from(pk)),
        (sk_name.clone(), Value::from(PREFIX)),
        (OWNER_PK.clone(), Value::from(owner_pk)),
        (OWNER_SK.clone(), Value::from(owner_sk)),
    ])
}
