//! The form that sends a request of an operation with the rights of the reader.
//!
//! A script shows it to readers who are signed in, and sends the request with their session, so the guard of the operation
//! decides.

use serde_json::{Map, Value as Json};

use super::samples;
use hansang_core::message::Language;
use hansang_ui::escape::escape;

/// The form as HTML; empty for streams, which do not end.
pub(super) fn form(
    path: &str,
    method: &str,
    operation: &Json,
    schemas: &Map<String, Json>,
    language: Language,
) -> String {
    let none = Map::new();
    let answers = operation["responses"].as_object().unwrap_or(&none);
    if answers.values().any(|answer| !answer["content"]["text/event-stream"].is_null()) {
        return String::new();
    }
    let id = escape(operation["operationId"].as_str().unwrap_or_default());
    let title = language.say("Try it", "요청 보내기");
    let mut out = format!(
        "<form class=\"stack try\" data-try=\"{}\" data-path=\"{}\" hidden><h3>{title}</h3><div class=\"grid-form\">",
        method.to_uppercase(),
        escape(path)
    );
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    for parameter in parameters {
        let name = escape(parameter["name"].as_str().unwrap_or_default());
        let place = escape(parameter["in"].as_str().unwrap_or_default());
        let required = if parameter["required"] == true { " required" } else { "" };
        out.push_str(&format!(
            "<div class=\"field\"><label for=\"try-{id}-{place}-{name}\"><code>{name}</code></label>\
             <input id=\"try-{id}-{place}-{name}\" data-name=\"{name}\" data-in=\"{place}\" class=\"code\" autocomplete=\"off\" spellcheck=\"false\"{required}></div>"
        ));
    }
    out.push_str("</div>");
    if let Some(samples::Body { media, text, .. }) = samples::body(operation, schemas) {
        let label = language.say("Body", "본문");
        out.push_str(&format!(
            "<div class=\"field full\"><label for=\"try-{id}-body\">{label}</label>\
             <textarea id=\"try-{id}-body\" data-in=\"body\" data-media=\"{}\" rows=\"6\" class=\"code\" spellcheck=\"false\">\n{}</textarea></div>",
            escape(&media),
            escape(&text)
        ));
    }
    let send = language.say("Send request", "요청 보내기");
    let failed = language.say("The server did not respond.", "서버가 응답하지 않았습니다.");
    let result = language.say("Response", "응답");
    out.push_str(&format!(
        "<p class=\"actions\"><button class=\"primary\">{send}</button><output data-failed=\"{failed}\" aria-live=\"polite\"></output></p>\
         <pre tabindex=\"0\" role=\"region\" aria-label=\"{result}: {id}\" hidden></pre></form>"
    ));
    out
}
