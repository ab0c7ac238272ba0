//! Bytes as base64 text, whose length a schema can only count in characters.

use serde_json::{Map, Value as Json, json};

/// Base64 with its padding. The bits of the last letter that belong to no byte are zero.
pub(super) fn schema() -> Json {
    let group = "[A-Za-z0-9+/]";
    let (one, two) = ("[AQgw]", "[AEIMQUYcgkosw048]");
    json!({
        "type": "string",
        "contentEncoding": "base64",
        "pattern": format!("^(?:{group}{{4}})*(?:{group}{one}==|{group}{{2}}{two}=)?$"),
    })
}

/// Limits the number of bytes. Four characters hold up to three bytes, and the padding at the end gives
/// the bytes of the last four: so the text has a maximum length, and at that length a fixed end.
pub(super) fn limit(schema: &mut Map<String, Json>, least: Option<usize>, most: Option<usize>) {
    let mut ends = Vec::new();
    if let Some(least) = least.filter(|least| *least > 0) {
        let length = 4 * least.div_ceil(3);
        schema.insert("minLength".into(), length.into());
        let end = [Some("[^=]$"), None, Some("[^=]=?$")][least % 3];
        ends.extend(end.map(|end| json!({ "anyOf": [{ "minLength": length + 1 }, { "pattern": end }] })));
    }
    if let Some(most) = most {
        let length = 4 * most.div_ceil(3);
        schema.insert("maxLength".into(), length.into());
        let end = [None, Some("==$"), Some("=$")][most % 3];
        // Only base64 of a multiple of four characters gets here, so "shorter" is four shorter.
        ends.extend(end.map(|end| json!({ "anyOf": [{ "maxLength": length - 1 }, { "pattern": end }] })));
    }
    if !ends.is_empty() {
        schema.insert("allOf".into(), ends.into());
    }
}
