//! The pages about the model of a system. They do not read the store, so one store is enough.

use axum::body::Body;
use axum::http::Method;
use hansang_core::describe;
use hansang_core::export::{Format, export};
use hansang_core::kind::Kind;
use hansang_core::message::Language;
use hansang_core::{Entity, Model, compile, docs};

use hansang_testserver::On;
use hansang_testserver::Response;
use hansang_testserver::{SHOP, Server, settings};

/// All served models of Hansang, and the one of the other tests.
const MODELS: [&str; 6] = [
    include_str!("../../../../../models/content.yaml"),
    include_str!("../../../../../models/ledger.yaml"),
    include_str!("../../../../../models/entry.yaml"),
    include_str!("../../../../../models/documents.yaml"),
    include_str!("../../../../../models/contracts.yaml"),
    SHOP,
];

/// A model in which every free text contains markup, which must be escaped.
const HOSTILE: &str = r##"
model: hostile
doc: <script>alert("model")</script>
table:
  name: Hostile
  key: { pk: PK, sk: SK }
  tags: { "<script>": "</td><script>alert('tag')</script>" }
entities:
  Thing:
    doc: <script>alert("entity")</script>
    key: { PK: "<script>alert('key')</script>#{id}", SK: "</span>" }
    attributes:
      id:    { type: string, doc: <script>alert("attribute")</script> }
      state: { lifecycle: { "<script>a</script>": ["</svg><script>"] } }
      kind:  { enum: ["<script>", "\"'&"], default: "<script>" }
      text:  { type: string?, pattern: "<script>.*" }
patterns:
  thing: { entity: Thing, given: [id], doc: <script>alert("pattern")</script> }
"##;

async fn start(models: &[&str]) -> Server {
    Server::with(On::Embedded, models, settings()).await
}

/// A page for the owner of this token.
async fn get(server: &Server, path: &str, token: &str, language: &str) -> Response {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", &*bearer), ("accept-language", language)];
    server.page(Method::GET, path, &headers, Body::empty()).await
}

async fn page(server: &Server, path: &str, language: &str) -> String {
    let answer = get(server, path, &server.admin, language).await;
    assert_eq!(answer.status, 200, "{path}: {answer:?}");
    let mut ids: Vec<&str> =
        answer.text.split(" id=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
    ids.sort_unstable();
    assert!(ids.windows(2).all(|two| two[0] != two[1]), "an id stands twice in {path}: {ids:?}");
    answer.text
}

/// The visible text: the text between the elements.
fn read(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, behind)| behind));
    }
    let entities =
        [("&#60;", "<"), ("&#62;", ">"), ("&#34;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">")];
    let text = entities.iter().fold(text, |text, (entity, letter)| text.replace(entity, letter));
    text.replace("&quot;", "\"").replace("&#38;", "&").replace("&amp;", "&")
}

fn model(source: &str) -> Model {
    compile(source.as_bytes()).unwrap()
}

/// The page of every model shows all of it.
#[tokio::test]
async fn the_overview_names_everything() {
    let server = start(&MODELS).await;
    for model in MODELS.map(model) {
        let path = format!("/console/systems/{}/model", model.name);
        for (language, words) in [
            ("en", ["Access patterns", "Key condition", "No problems found", "Environment"]),
            ("ko", ["접근 패턴", "키 조건", "문제가 없습니다", "환경"]),
        ] {
            let html = page(&server, &path, language).await;
            let text = read(&html);
            for word in words {
                assert!(text.contains(word), "{path}: {word}");
            }
            for entity in &model.entities {
                assert!(
                    html.contains(&format!("href=\"{path}/entities/{}\"", entity.name)),
                    "{}",
                    entity.name
                );
                for key in describe::keys(&model, entity) {
                    assert!(text.contains(&describe::text(&key.pieces)), "{path}: {key:?}");
                }
            }
            for pattern in &model.patterns {
                assert!(
                    html.contains(&format!("<tr id=\"pattern-{}\" role=\"row\">", pattern.name)),
                    "{}",
                    pattern.name
                );
                for read in describe::reads(&model, pattern) {
                    let condition = format!("{} = {}", read.pk.0, describe::text(&read.pk.1));
                    assert!(text.contains(&condition), "{path}: {condition}");
                }
            }
            for index in &model.table.indexes {
                assert!(text.contains(&*index.name), "{path}: {}", index.name);
            }
            for format in Format::ALL {
                assert!(
                    html.contains(&format!("formaction=\"{path}/exports/{format}\"")),
                    "{path}: {format}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_entity_has_a_page_of_its_own() {
    let server = start(&MODELS).await;
    for model in MODELS.map(model) {
        for entity in &model.entities {
            let path = format!("/console/systems/{}/model/entities/{}", model.name, entity.name);
            for language in ["en", "ko"] {
                let html = page(&server, &path, language).await;
                check_entity(&model, entity, &html, Language::named(language).unwrap());
            }
        }
    }
}

fn check_entity(model: &Model, entity: &Entity, html: &str, language: Language) {
    let text = read(html);
    // Names between backticks are shown as code.
    assert!(text.contains(&entity.doc.in_language(language).replace('`', "")), "{}", entity.name);
    for attribute in &entity.attributes {
        assert!(
            text.contains(&*attribute.name)
                && text.contains(&attribute.doc.in_language(language).replace('`', "")),
            "{}",
            attribute.name
        );
        let is_lifecycle = matches!(attribute.kind, Kind::Lifecycle(_));
        let drawing = format!("id=\"life-{}-arrow\"", attribute.name);
        assert_eq!(html.contains(&drawing), is_lifecycle, "{}.{}", entity.name, attribute.name);
    }
    for key in describe::keys(model, entity) {
        assert!(text.contains(&describe::text(&key.pieces)), "{key:?}");
    }
    for constraint in &entity.uniques {
        let pointer = describe::text(&describe::pointer(model, entity, constraint));
        assert!(text.contains(&pointer), "{pointer}");
    }
    for pattern in &model.patterns {
        let returns = pattern.entities.iter().any(|one| one.name == entity.name);
        let row = format!("<tr id=\"pattern-{}\" role=\"row\">", pattern.name);
        assert_eq!(html.contains(&row), returns, "{} in {}", pattern.name, entity.name);
    }
}

/// An attribute has the same colour in all keys of its entity, and no other attribute has it.
#[tokio::test]
async fn keys_are_coloured_by_attribute() {
    let server = start(&[MODELS[2]]).await;
    let html = page(&server, "/console/systems/entry/model/entities/Request", "en").await;
    for (field, colour) in [("{requestId}", 0), ("{userId}", 1), ("{queuedAt}", 2), ("{eventId}", 3)] {
        let painted = format!("<b class=\"c{colour}\">{field}</b>");
        assert!(html.contains(&painted), "{painted}");
        assert_eq!(html.matches(&format!(">{field}</b>")).count(), html.matches(&painted).count(), "{field}");
    }
    assert!(html.contains("QAT#<b class=\"c2\">{queuedAt}</b>#REQ#<b class=\"c0\">{requestId}</b>"));
}

/// Pages in Korean contain no English text of ours; texts of the model stay as they are.
#[tokio::test]
async fn both_languages_are_complete() {
    let server = start(&[SHOP]).await;
    for (path, english) in [
        (
            "/console/systems/shop/model",
            vec!["Served by", "a page", "Projection", "off", "Table", "Environment"],
        ),
        (
            "/console/systems/shop/model/entities/Item",
            vec!["required", "unique", "text", "partition key", "bytes"],
        ),
    ] {
        let (ours, korean) = (page(&server, path, "en").await, read(&page(&server, path, "ko").await));
        for word in english {
            assert!(ours.contains(word), "{path} does not say {word}");
            let said = korean.split(|letter: char| !letter.is_alphabetic() && letter != ' ');
            assert!(!said.into_iter().any(|part| part.trim() == word), "{path} says {word} in Korean");
        }
    }
}

/// A download equals the output of the command line.
#[tokio::test]
async fn downloads_are_what_the_command_line_writes() {
    let server = start(&MODELS).await;
    for model in MODELS.map(model) {
        let at = |rest: &str| format!("/console/systems/{}/model/exports/{rest}", model.name);
        for format in Format::ALL {
            for (query, env) in [("", None), ("?env=", None), ("?env=prod", Some("prod"))] {
                let path = at(&format!("{format}{query}"));
                let answer = get(&server, &path, &server.admin, "en").await;
                assert_eq!(answer.status, 200, "{path}");
                assert_eq!(answer.text, export(&model, format, env), "{path}");
                let file = format!("attachment; filename=\"{}-{format}.{}\"", model.name, format.extension());
                assert_eq!(answer.header("content-disposition"), file);
            }
        }
        let answer = get(&server, &at("markdown"), &server.admin, "ko").await;
        assert_eq!(answer.text, docs::markdown(&model));
        assert_eq!(answer.header("content-type"), "text/markdown; charset=utf-8");
        assert_eq!(
            answer.header("content-disposition"),
            format!("attachment; filename=\"{}.md\"", model.name)
        );
        assert_eq!(get(&server, &at("cobol"), &server.admin, "en").await.status, 404);
        assert_eq!(get(&server, &at("sam?enw=prod"), &server.admin, "en").await.status, 400);
    }
}

#[tokio::test]
async fn no_text_of_a_model_is_markup() {
    let server = start(&[HOSTILE]).await;
    for path in ["/console/systems/hostile/model", "/console/systems/hostile/model/entities/Thing"] {
        let html = page(&server, path, "en").await;
        // The frame loads our only script, by its address.
        assert_eq!(html.matches("<script").count(), 1, "{path}");
        assert!(html.contains("<script src=\"/assets/"));
        assert_eq!(html.matches("<svg").count(), html.matches("</svg>").count(), "{path}");
        let text = read(&html);
        for shown in ["<script>alert(\"entity\")</script>", "<script>alert(\"pattern\")</script>", "</span>"]
        {
            assert!(text.contains(shown), "{path}: {shown}");
        }
    }
}

#[tokio::test]
async fn only_viewers_of_the_system_see_its_model() {
    let server = start(&[SHOP, MODELS[0]]).await;
    for rest in ["", "/entities/Post", "/exports/sam", "/exports/markdown"] {
        let path = format!("/console/systems/content/model{rest}");
        let answer = server.page(Method::GET, &path, &[], Body::empty()).await;
        assert_eq!(answer.status, 303, "{path}");
        let next = path.replace('/', "%2F");
        assert_eq!(answer.header("location"), format!("/console/sign-in?next={next}"));
        for (language, words) in [("en", "role viewer of content"), ("ko", "권한이 없습니다")] {
            let answer = get(&server, &path, &server.viewer, language).await;
            assert_eq!(answer.status, 403, "{path}");
            assert!(answer.text.contains(words), "{}", answer.text);
        }
        assert_eq!(get(&server, &path, &server.admin, "en").await.status, 200, "{path}");
    }
    assert_eq!(get(&server, "/console/systems/shop/model", &server.viewer, "en").await.status, 200);
    assert_eq!(
        get(&server, "/console/systems/shop/model/entities/Nothing", &server.viewer, "en").await.status,
        404
    );
}

/// Visitors without write permission see no links to forms.
#[tokio::test]
async fn only_editors_see_links_to_new_records() {
    let server = start(&[SHOP]).await;
    let path = "/console/systems/shop/model/entities/Item";
    let link = "href=\"/console/systems/shop/entities/Item/new\"";
    assert!(get(&server, path, &server.editor, "en").await.text.contains(link));
    assert!(!get(&server, path, &server.viewer, "en").await.text.contains(link));
}
