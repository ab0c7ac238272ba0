//! The reference of the API: a page that lists and searches the operations, and a page per system with examples.
//! Rendered once per load; a script only adds the forms that send requests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use askama::Template;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use serde_json::{Map, Value as Json};

use super::Console;
use hansang_core::Message;
use hansang_core::message::Language;
use hansang_http::document::Document;
use hansang_http::guard::visitor;
use hansang_http::input::PathKey;
use hansang_http::problem::no_such_path;
use hansang_http::route::{Needs, Route};
use hansang_ui::escape::escape;
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::language::sentence;
use hansang_ui::prose;

mod samples;
mod try_it;

/// The script of the forms that send requests.
static SCRIPT: LazyLock<Document> = LazyLock::new(|| {
    Document::new("text/javascript; charset=utf-8", include_str!("handbook/handbook.js").into())
});

#[derive(Template)]
#[template(path = "console/handbook.html")]
struct Handbook {
    frame: Frame,
    parts: Arc<[Part]>,
    /// The searched text, and the operations that match it.
    text: String,
    found: Vec<Operation>,
}

/// An operation in the results of a search.
#[derive(Clone)]
struct Operation {
    part: String,
    id: String,
    method: String,
    path: String,
    summary: String,
}

impl Operation {
    /// Whether its path, name or summary contains every word of a lower-case text.
    fn contains(&self, text: &str) -> bool {
        let all = format!("{} {} {} {}", self.method, self.path, self.id, self.summary).to_lowercase();
        text.split_whitespace().all(|word| all.contains(word))
    }
}

#[derive(Template)]
#[template(path = "console/handbook_part.html")]
struct HandbookPart {
    frame: Frame,
    parts: Arc<[Part]>,
    current: usize,
    /// The searched text, and whether each operation matches it.
    text: String,
    shown: Vec<bool>,
    script: String,
}

/// The operations of a system, or of the server itself.
struct Part {
    name: String,
    title: String,
    doc: String,
    operations: Vec<Operation>,
    /// Each operation as HTML, without the name of its first tag: the page adds whether it is shown.
    cards: Vec<String>,
    /// The schemas as HTML.
    schemas: String,
}

/// The pages of the description of the API in every language, the first of which is English.
pub(super) fn routes(console: &Console, documents: &[(Language, Json)]) -> [Route; 3] {
    let titled = |name: &str, language: Language| match console.models().find(|model| *model.name == *name) {
        Some(model) => model.title_in(language).into_owned(),
        None if name == "access" => language.say("Accounts", "계정").to_owned(),
        None if name == "server" => language.say("Server", "서버").to_owned(),
        None => name.to_owned(),
    };
    let of = |(language, document): &(Language, Json)| (*language, parts(document, *language, titled));
    let known: HashMap<Language, Arc<[Part]>> = documents.iter().map(of).collect();
    let chosen = move |view: &View| known.get(&view.language).cloned().unwrap_or_default();
    let (index, index_console) = (chosen.clone(), console.clone());
    let list = on(MethodFilter::GET, async move |view: View, headers: HeaderMap| {
        let view = reader(&index_console, view, &headers).await;
        let parts = index(&view);
        let text = view.asked().text("q").trim().to_owned();
        let wanted = text.to_lowercase();
        let all = parts.iter().flat_map(|part| &part.operations);
        let found = match text.is_empty() {
            true => Vec::new(),
            false => all.filter(|one| one.contains(&wanted)).cloned().collect(),
        };
        let section = section(&view);
        let frame = index_console.frame(view, "API", section);
        page(StatusCode::OK, &Handbook { frame, parts, text, found })
    });
    let console = console.clone();
    let one = on(MethodFilter::GET, async move |view: View, headers: HeaderMap, key: PathKey| {
        let view = reader(&console, view, &headers).await;
        let (name, parts) = (key.text("part"), chosen(&view));
        let Some(current) = parts.iter().position(|part| part.name == name) else {
            return no_such_path().into_response();
        };
        let section = section(&view);
        let text = view.asked().text("q").trim().to_owned();
        let wanted = text.to_lowercase();
        let shown = parts[current].operations.iter().map(|one| one.contains(&wanted)).collect();
        let frame = console.frame(view, &format!("{} API", parts[current].title), section);
        let script = format!("/assets/handbook.js?{}", &SCRIPT.hash()[..12]);
        page(StatusCode::OK, &HandbookPart { frame, parts, current, text, shown, script })
    });
    let script = on(MethodFilter::GET, async |headers: HeaderMap| {
        let kept = [(header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
        (kept, SCRIPT.respond(&headers)).into_response()
    });
    [
        Route::page("/assets/handbook.js", Needs::Nothing, script),
        Route::page("/api/docs", Needs::Nothing, list),
        Route::page("/api/docs/{part}", Needs::Nothing, one),
    ]
}

/// The view with the account of the reader. These pages are public, so the guard does not identify it.
async fn reader(console: &Console, view: View, headers: &HeaderMap) -> View {
    view.signed_in(visitor(console.app.access(), headers).await)
}

fn section(view: &View) -> Section {
    if view.identity.is_some() { Section::Api } else { Section::Reading }
}

fn parts(document: &Json, language: Language, titled: impl Fn(&str, Language) -> String) -> Arc<[Part]> {
    let none = Map::new();
    let paths = document["paths"].as_object().unwrap_or(&none);
    let schemas = document["components"]["schemas"].as_object().unwrap_or(&none);
    let tags = document["tags"].as_array().map(Vec::as_slice).unwrap_or_default();
    let part = |tag: &Json| {
        let name = tag["name"].as_str().unwrap_or_default();
        let (mut operations, mut index) = (Vec::new(), Vec::new());
        let mut cards = Vec::new();
        for (path, methods) in paths {
            for (method, operation) in methods.as_object().unwrap_or(&none) {
                if operation["tags"][0] == tag["name"] {
                    operations.push(operation);
                    index.push(Operation {
                        part: name.to_owned(),
                        id: operation["operationId"].as_str().unwrap_or_default().to_owned(),
                        method: method.to_uppercase(),
                        path: path.clone(),
                        summary: operation["summary"].as_str().unwrap_or_default().to_owned(),
                    });
                    cards.push(operation_card(path, method, operation, schemas, language));
                }
            }
        }
        let title = language.say("Schemas", "스키마");
        let mut body = format!("<section id=\"schemas\" class=\"operations\"><h2>{title}</h2>");
        for (name, schema) in mentioned(&operations, schemas) {
            let (name, schema) = (escape(name), escape(&format!("{schema:#}")));
            body.push_str(&format!(
                "<details id=\"schema-{name}\"><summary><code>{name}</code></summary><pre tabindex=\"0\">{schema}</pre></details>"
            ));
        }
        body.push_str("</section>");
        Part {
            name: name.to_owned(),
            title: titled(name, language),
            doc: tag["description"].as_str().unwrap_or_default().to_owned(),
            operations: index,
            cards,
            schemas: body,
        }
    };
    tags.iter().map(part).collect()
}

/// The schemas that operations refer to, directly or through other schemas, in name order.
fn mentioned<'d>(operations: &[&'d Json], schemas: &'d Map<String, Json>) -> BTreeMap<&'d str, &'d Json> {
    let mut open: Vec<&Json> = operations.to_vec();
    let mut names = BTreeSet::new();
    while let Some(json) = open.pop() {
        match json {
            Json::Array(elements) => open.extend(elements),
            Json::Object(members) => {
                let name =
                    members.get("$ref").and_then(Json::as_str).and_then(|path| path.rsplit('/').next());
                if let Some((name, schema)) = name.and_then(|name| schemas.get_key_value(name))
                    && names.insert(name.as_str())
                {
                    open.push(schema);
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    names.into_iter().filter_map(|name| Some((name, schemas.get(name)?))).collect()
}

/// An operation as HTML, without the name of its first tag.
fn operation_card(
    path: &str,
    method: &str,
    operation: &Json,
    schemas: &Map<String, Json>,
    language: Language,
) -> String {
    let say = |english: &'static str, korean: &'static str| language.say(english, korean);
    let id = text(&operation["operationId"]);
    let mut out = format!(
        " class=\"operation\" id=\"{id}\"><summary><span class=\"method {method}\">{}</span> <code>{}</code> \
         <span class=\"quiet\">{}</span></summary><p>{}: {}</p>",
        method.to_uppercase(),
        escape(path),
        text(&operation["summary"]),
        say("Needs", "필요 권한"),
        capitalised(&operation["x-needs"], language),
    );
    let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
    if !parameters.is_empty() {
        let heads = [
            say("Parameter", "매개변수"),
            say("In", "위치"),
            say("Required", "필수"),
            say("Description", "설명"),
        ];
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
                match parameter["in"].as_str().unwrap_or_default() {
                    "path" => say("path", "경로"),
                    "query" => say("query", "쿼리"),
                    _ => say("header", "헤더"),
                },
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
    out.push_str(&samples::of(path, method, operation, schemas, language));
    out.push_str(&try_it::form(path, method, operation, schemas, language));
    out.push_str("</details>");
    out
}

/// A schema: a link to one with a name, or its text.
fn schema(schema: &Json) -> String {
    match schema["$ref"].as_str().and_then(|place| place.rsplit('/').next()) {
        Some(name) => format!("<a href=\"#schema-{0}\"><code>{0}</code></a>", escape(name)),
        None => format!("<pre tabindex=\"0\">{}</pre>", escape(&format!("{schema:#}"))),
    }
}

fn capitalised(json: &Json, language: Language) -> String {
    prose(sentence(language, Message::raw(json.as_str().unwrap_or_default().to_owned()))).to_string()
}

fn text(json: &Json) -> String {
    prose(json.as_str().unwrap_or_default()).to_string()
}
