//! The page that shows the API to people: made on the server, without a script, so it works offline.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::routing::{MethodFilter, on};
use serde_json::{Map, Value as Json};

use super::Console;
use hansang_core::Message;
use hansang_core::message::Language;
use hansang_http::route::{Needs, Route};
use hansang_ui::escape::escape;
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::language::sentence;

#[derive(Template)]
#[template(path = "console/handbook.html")]
struct Handbook {
    frame: Frame,
    /// The systems.
    tags: Arc<[String]>,
    /// Everything below the head, as HTML.
    body: Arc<str>,
}

/// The page of the description of the API in both languages. It is the same for every visitor, so it is
/// rendered once.
pub(super) fn route(console: &Console, english: &Json, korean: &Json) -> Route {
    let console = console.clone();
    let names = english["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tags: Arc<[String]> =
        names.iter().map(|tag| tag["name"].as_str().unwrap_or_default().to_owned()).collect();
    let english = Arc::<str>::from(body(english, Language::English));
    let korean = Arc::<str>::from(body(korean, Language::Korean));
    let handler = on(MethodFilter::GET, async move |view: View| {
        let body = if view.is_korean() { korean.clone() } else { english.clone() };
        let frame = console.frame(view, "API", Section::Reading);
        page(StatusCode::OK, &Handbook { frame, tags: tags.clone(), body })
    });
    Route::page("/api/docs", Needs::Nothing, handler)
}

fn body(document: &Json, language: Language) -> String {
    let mut out = String::new();
    let none = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&none);
    for tag in document["tags"].as_array().map(Vec::as_slice).unwrap_or_default() {
        let name = text(&tag["name"]);
        let doc = text(&tag["description"]);
        out.push_str(&format!(
            "<section id=\"{name}\" class=\"operations\"><h2>{name}</h2><p class=\"quiet\">{doc}</p>"
        ));
        for (path, methods) in paths {
            for (method, operation) in methods.as_object().unwrap_or(&none) {
                if operation["tags"][0] == tag["name"] {
                    out.push_str(&operation_card(path, method, operation, language));
                }
            }
        }
        out.push_str("</section>");
    }
    let title = language.say("Schemas", "스키마");
    out.push_str(&format!("<section id=\"schemas\" class=\"operations\"><h2>{title}</h2>"));
    for (name, schema) in document["components"]["schemas"].as_object().unwrap_or(&none) {
        let name = escape(name);
        let body = escape(&format!("{schema:#}"));
        out.push_str(&format!(
            "<details id=\"schema-{name}\"><summary>{name}</summary><pre tabindex=\"0\">{body}</pre></details>"
        ));
    }
    out.push_str("</section>");
    out
}

fn operation_card(path: &str, method: &str, operation: &Json, language: Language) -> String {
    let say = |english: &'static str, korean: &'static str| language.say(english, korean);
    let id = text(&operation["operationId"]);
    let mut out = format!(
        "<details class=\"operation\" id=\"{id}\"><summary><span class=\"method {method}\">{}</span> <code>{}</code> \
         <span class=\"quiet\">{}</span></summary><p>{}: {}</p>",
        method.to_uppercase(),
        escape(path),
        text(&operation["summary"]),
        say("Needs", "필요 권한"),
        capitalised(&operation["x-needs"], language),
    );
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        let heads =
            [say("Parameter", "매개변수"), say("In", "위치"), say("Required", "필수"), say("What", "설명")];
        let heads = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
        let label = say("Parameters", "매개변수");
        out.push_str(&format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{label}: {id}\"><table><thead><tr>{heads}</tr></thead><tbody>"
        ));
        for parameter in parameters {
            let required =
                if parameter["required"] == true { say("yes", "예") } else { say("no", "아니요") };
            out.push_str(&format!(
                "<tr><td><code>{}</code></td><td>{}</td><td>{required}</td><td>{}</td></tr>",
                text(&parameter["name"]),
                text(&parameter["in"]),
                text(&parameter["description"]),
            ));
        }
        out.push_str("</tbody></table></div>");
    }
    if let Some(content) = operation["requestBody"]["content"].as_object() {
        for (media, content) in content {
            out.push_str(&format!(
                "<p>{}, <code>{}</code>: {}</p>",
                say("Body", "본문"),
                escape(media),
                schema(&content["schema"])
            ));
        }
    }
    let none = Map::new();
    for (status, answer) in operation["responses"].as_object().unwrap_or(&none) {
        // References to the problem have none.
        if answer["description"].is_null() {
            continue;
        }
        let content = answer["content"].as_object().and_then(|content| content.values().next());
        let shape = content.map(|content| schema(&content["schema"])).unwrap_or_default();
        out.push_str(&format!("<p><strong>{status}</strong> {} {shape}</p>", text(&answer["description"])));
    }
    out.push_str("</details>");
    out
}

/// A schema: a link to one with a name, or its text.
fn schema(schema: &Json) -> String {
    match schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        Some(name) => format!("<a href=\"#schema-{0}\">{0}</a>", escape(name)),
        None => format!("<pre tabindex=\"0\">{}</pre>", escape(&format!("{schema:#}"))),
    }
}

fn capitalised(json: &Json, language: Language) -> String {
    escape(&sentence(language, Message::raw(json.as_str().unwrap_or_default().to_owned())))
}

fn text(json: &Json) -> String {
    escape(json.as_str().unwrap_or_default())
}
