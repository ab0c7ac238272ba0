//! Examples of an operation in cURL, Python and TypeScript.

use serde_json::{Map, Value as Json, json};

use hansang_core::message::Language;
use hansang_ui::escape::escape;

/// The nesting depth of an example, because schemas may refer to themselves.
const MAX_DEPTH: usize = 6;

/// The examples as HTML.
pub(super) fn of(
    path: &str,
    method: &str,
    operation: &Json,
    schemas: &Map<String, Json>,
    language: Language,
) -> String {
    let address = address(path, operation);
    let body = body(operation, schemas);
    let id = operation["operationId"].as_str().unwrap_or_default();
    let method = method.to_uppercase();
    let copy = language.say("Copy", "복사");
    let copied = language.say("Copied", "복사됨");
    let samples = [
        ("curl", "cURL", curl(&method, &address, body.as_ref())),
        ("python", "Python", python(&method, &address, body.as_ref())),
        ("typescript", "TypeScript", typescript(&method, &address, body.as_ref())),
    ];
    let title = language.say("Examples", "예제");
    let mut out = format!("<h3>{title}</h3>");
    for (key, name, text) in samples {
        let anchor = escape(&format!("{id}-{key}"));
        out.push_str(&format!(
            "<details class=\"sample\"><summary>{name}</summary><pre id=\"{anchor}\" tabindex=\"0\">{}</pre>\
             <button type=\"button\" class=\"tiny\" data-copy=\"{anchor}\" data-copied=\"{copied}\" hidden>{copy}</button></details>",
            escape(&text)
        ));
    }
    out
}

/// The address with its required parameters as `<name>`.
fn address(path: &str, operation: &Json) -> String {
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names = parameters
        .iter()
        .filter(|one| one["in"] == "query" && one["required"] == true)
        .filter_map(|one| one["name"].as_str());
    let query: Vec<String> = names.map(|name| format!("{name}=<{name}>")).collect();
    let path = path.replace('{', "<").replace('}', ">");
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

/// An example of a body.
pub(super) struct Body {
    pub(super) media: String,
    pub(super) text: String,
    /// The value that the text is, if the body is one JSON value.
    json: Option<Json>,
}

/// An example of the body: JSON, otherwise text such as lines of JSON. There is none of files.
pub(super) fn body(operation: &Json, schemas: &Map<String, Json>) -> Option<Body> {
    let content = operation["requestBody"]["content"].as_object()?;
    if let Some(json) = content.get("application/json") {
        let json = example(&json["schema"], schemas, 0);
        let media = "application/json".to_owned();
        return Some(Body { media, text: format!("{json:#}"), json: Some(json) });
    }
    let is_text =
        |media: &str| media.starts_with("text/") || media.ends_with("json") || media.ends_with("yaml");
    let (media, text) = content.iter().find(|(media, _)| is_text(media))?;
    let text = match &text["example"] {
        Json::String(text) => text.clone(),
        // Lines of JSON.
        _ if media.ends_with("ndjson") => "{}\n".to_owned(),
        _ => example(&text["schema"], schemas, 0).as_str().unwrap_or_default().to_owned(),
    };
    Some(Body { media: media.clone(), text, json: None })
}

fn example(schema: &Json, schemas: &Map<String, Json>, depth: usize) -> Json {
    if let Some(name) = schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        return match schemas.get(name) {
            Some(schema) if depth < MAX_DEPTH => example(schema, schemas, depth + 1),
            _ => json!({}),
        };
    }
    for known in ["const", "example", "default"] {
        if !schema[known].is_null() {
            return schema[known].clone();
        }
    }
    if let Some(first) = ["enum", "examples"].iter().find_map(|name| schema[*name].get(0)) {
        return first.clone();
    }
    if let Some(first) = ["oneOf", "anyOf", "allOf"].iter().find_map(|name| schema[*name].get(0)) {
        return example(first, schemas, depth + 1);
    }
    match of_type(schema) {
        "object" if depth < MAX_DEPTH => {
            let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
            let members = required.iter().filter_map(Json::as_str);
            let member =
                |name: &str| (name.to_owned(), example(&schema["properties"][name], schemas, depth + 1));
            Json::Object(members.map(member).collect())
        }
        "object" => json!({}),
        "array" if depth < MAX_DEPTH => json!([example(&schema["items"], schemas, depth + 1)]),
        "array" => json!([]),
        "integer" | "number" => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        "boolean" => json!(true),
        _ => match schema["format"].as_str() {
            Some("date-time") => json!("2030-01-01T09:00:00Z"),
            Some("date") => json!("2030-01-01"),
            _ => json!("text"),
        },
    }
}

fn of_type(schema: &Json) -> &str {
    let stated = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    stated.unwrap_or(if schema["properties"].is_object() { "object" } else { "string" })
}

fn curl(method: &str, address: &str, body: Option<&Body>) -> String {
    let mut text = format!(
        "curl -X {method} \"$HANSANG_URL{address}\" \\\n  -H \"Authorization: Bearer $HANSANG_TOKEN\""
    );
    if let Some(Body { media, text: body, .. }) = body {
        let body = body.replace('\'', "'\\''");
        // `-d` would remove the line breaks between lines of text.
        text.push_str(&format!(" \\\n  -H \"Content-Type: {media}\" \\\n  --data-binary '{body}'"));
    }
    text
}

fn python(method: &str, address: &str, body: Option<&Body>) -> String {
    let (kind, json) = match body {
        Some(Body { json: Some(json), .. }) => (String::new(), format!("    json={},\n", literal(json))),
        Some(Body { media, text, .. }) => {
            let kind = format!(", \"Content-Type\": {}", json!(media));
            (kind, format!("    data={}.encode(),\n", json!(text)))
        }
        None => (String::new(), String::new()),
    };
    format!(
        "import os\nimport requests\n\nresponse = requests.request(\n    \"{method}\",\n    \
         os.environ[\"HANSANG_URL\"] + \"{address}\",\n    \
         headers={{\"Authorization\": \"Bearer \" + os.environ[\"HANSANG_TOKEN\"]{kind}}},\n{json})\n\
         response.raise_for_status()\nprint(response.text)"
    )
}

/// A value as a Python literal.
fn literal(value: &Json) -> String {
    match value {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Array(all) => format!("[{}]", all.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Json::Object(members) => {
            let member = |(name, value): (&String, &Json)| format!("{}: {}", json!(name), literal(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn typescript(method: &str, address: &str, body: Option<&Body>) -> String {
    let (kind, sent) = match body {
        Some(Body { json: Some(_), text, .. }) => (
            ", \"Content-Type\": \"application/json\"".to_owned(),
            format!("  body: JSON.stringify({}),\n", text.replace('\n', "\n  ")),
        ),
        Some(Body { media, text, .. }) => {
            (format!(", \"Content-Type\": {}", json!(media)), format!("  body: {},\n", json!(text)))
        }
        None => (String::new(), String::new()),
    };
    format!(
        "const response = await fetch(process.env.HANSANG_URL + \"{address}\", {{\n  method: \"{method}\",\n  \
         headers: {{ Authorization: `Bearer ${{process.env.HANSANG_TOKEN}}`{kind} }},\n{sent}}});\n\
         if (!response.ok) throw new Error(await response.text());\nconsole.log(await response.text());"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_follows_its_schema() {
        let schemas = Map::from_iter([(
            "Node".to_owned(),
            json!({ "type": "object", "required": ["next"], "properties": { "next": { "$ref": "#/Node" } } }),
        )]);
        let schema = json!({ "type": "object", "required": ["kind", "at", "count", "tags", "on"], "properties": {
            "kind": { "enum": ["A", "B"] },
            "at": { "type": "string", "format": "date-time" },
            "count": { "type": "integer", "minimum": 3 },
            "tags": { "type": "array", "items": { "type": "string" } },
            "on": { "type": ["boolean", "null"] },
            "other": { "type": "string" },
        } });
        let expected =
            json!({ "kind": "A", "at": "2030-01-01T09:00:00Z", "count": 3, "tags": ["text"], "on": true });
        assert_eq!(example(&schema, &schemas, 0), expected);
        // A schema that refers to itself ends.
        assert!(example(&json!({ "$ref": "#/Node" }), &schemas, 0).is_object());
    }

    #[test]
    fn samples_are_complete_requests() {
        let json = json!({ "a": true, "b": [null, "it's"] });
        let body = Body { media: "application/json".to_owned(), text: json.to_string(), json: Some(json) };
        let text = curl("POST", "/api/x/<id>", Some(&body));
        assert!(text.starts_with("curl -X POST \"$HANSANG_URL/api/x/<id>\""), "{text}");
        assert!(text.contains("it'\\''s"), "{text}");
        let text = python("POST", "/api/x", Some(&body));
        assert!(text.contains("json={\"a\": True, \"b\": [None, \"it's\"]},"), "{text}");
        let lines =
            Body { media: "application/x-ndjson".to_owned(), text: "{}\n{}\n".to_owned(), json: None };
        let text = curl("POST", "/api/x", Some(&lines));
        assert!(text.contains("application/x-ndjson") && text.contains("--data-binary '{}\n{}\n'"), "{text}");
        let text = python("POST", "/api/x", Some(&lines));
        assert!(
            text.contains("\"application/x-ndjson\"") && text.contains(r#"data="{}\n{}\n".encode()"#),
            "{text}"
        );
        let text = typescript("POST", "/api/x", Some(&lines));
        assert!(text.contains("\"application/x-ndjson\"") && text.contains(r#"body: "{}\n{}\n","#), "{text}");
        let text = typescript("GET", "/api/x", None);
        assert!(!text.contains("Content-Type") && text.contains("method: \"GET\""), "{text}");
    }
}
