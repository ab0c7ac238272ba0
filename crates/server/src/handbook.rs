//! The page that shows the API to people: made on the server, without a script, so it works offline.

use serde_json::{Map, Value as Json};

use crate::page::{Html, escape};

/// The page of a document.
pub(crate) fn page(document: &Json) -> Html {
    let mut out = String::from(
        "<header class=\"top\"><h1>Hansang API</h1><p>Every operation, from the same list that is served. \
         For programs: <a href=\"/api/openapi.json\">openapi.json</a>.</p></header>",
    );
    let none = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&none);
    let tags = document["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    out.push_str("<nav aria-label=\"Systems\"><ul>");
    for tag in tags {
        let name = text(&tag["name"]);
        out.push_str(&format!("<li><a href=\"#{name}\">{name}</a></li>"));
    }
    out.push_str("</ul></nav><main>");
    for tag in tags {
        let name = text(&tag["name"]);
        let doc = text(&tag["description"]);
        out.push_str(&format!("<section id=\"{name}\"><h2>{name}</h2><p>{doc}</p>"));
        for (path, methods) in paths {
            for (method, operation) in methods.as_object().unwrap_or(&none) {
                if operation["tags"][0] == tag["name"] {
                    out.push_str(&operation_card(path, method, operation));
                }
            }
        }
        out.push_str("</section>");
    }
    out.push_str("<section id=\"schemas\"><h2>Schemas</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().unwrap_or(&none) {
        let name = escape(name);
        let body = escape(&format!("{schema:#}"));
        out.push_str(&format!(
            "<details id=\"schema-{name}\"><summary>{name}</summary><pre>{body}</pre></details>"
        ));
    }
    out.push_str("</section></main>");
    Html::new("Hansang API", &out)
}

fn operation_card(path: &str, method: &str, operation: &Json) -> String {
    let id = text(&operation["operationId"]);
    let mut out = format!(
        "<details class=\"operation\" id=\"{id}\"><summary><span class=\"method {method}\">{}</span> <code>{}</code> \
         <span>{}</span></summary><p>Needs: {}</p>",
        method.to_uppercase(),
        escape(path),
        text(&operation["summary"]),
        text(&operation["x-needs"]),
    );
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        out.push_str("<table><thead><tr><th>Parameter</th><th>In</th><th>Required</th><th>What</th></tr></thead><tbody>");
        for parameter in parameters {
            let required = if parameter["required"] == true { "yes" } else { "no" };
            out.push_str(&format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{required}</td><td>{}</td></tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                text(&parameter["description"]),
            ));
        }
        out.push_str("</tbody></table>");
    }
    if let Some(content) = operation["requestBody"]["content"].as_object() {
        for (media, content) in content {
            out.push_str(&format!(
                "<p>Body, <code>{}</code>: {}</p>",
                escape(media),
                schema(&content["schema"])
            ));
        }
    }
    let none = Map::new();
    for (status, answer) in operation["responses"].as_object().unwrap_or(&none) {
        let Some(description) = answer["description"].as_str() else { continue };
        let content = answer["content"].as_object().and_then(|content| content.values().next());
        let shape = content.map(|content| schema(&content["schema"])).unwrap_or_default();
        out.push_str(&format!("<p><strong>{status}</strong> {} {shape}</p>", escape(description)));
    }
    out.push_str("</details>");
    out
}

/// A schema: a link to one with a name, or its text.
fn schema(schema: &Json) -> String {
    match schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        Some(name) => format!("<a href=\"#schema-{0}\">{0}</a>", escape(name)),
        None => format!("<pre>{}</pre>", escape(&format!("{schema:#}"))),
    }
}

fn text(json: &Json) -> String {
    escape(json.as_str().unwrap_or_default())
}
