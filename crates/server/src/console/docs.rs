//! The documentation as pages of the console, and its headings as results of a search.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};

use super::Console;
use super::search::Hit;
use crate::Service;
use hansang_core::message::Language;
use hansang_http::input::PathKey;
use hansang_http::problem::no_such_path;
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::html::Html;
use markdown::Heading;

mod markdown;

/// A document: Markdown, in English.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The name in its address, and that of its file without the ending.
    pub name: &'static str,
    /// The title in English.
    pub english: &'static str,
    /// The title in Korean.
    pub korean: &'static str,
    /// Korean search words: a line for the document, and one for each chapter, with the anchor of its heading, its title in
    /// Korean and more words.
    pub search: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The documents of every server. Those of systems come from `Service::documents`.
const OWN: [Document; 6] = [
    Document {
        name: "console",
        english: "The console",
        korean: "콘솔 사용법",
        search: include_str!("../../../../docs/korean/console.txt"),
        text: include_str!("../../../../docs/console.md"),
    },
    Document {
        name: "model",
        english: "The model language",
        korean: "모델 언어",
        search: include_str!("../../../../docs/korean/model.txt"),
        text: include_str!("../../../../docs/model.md"),
    },
    Document {
        name: "serve",
        english: "The server",
        korean: "서버 운영",
        search: include_str!("../../../../docs/korean/serve.txt"),
        text: include_str!("../../../../docs/serve.md"),
    },
    Document {
        name: "security",
        english: "Security",
        korean: "보안",
        search: include_str!("../../../../docs/korean/security.txt"),
        text: include_str!("../../../../docs/security.md"),
    },
    Document {
        name: "stores",
        english: "Stores",
        korean: "저장소",
        search: include_str!("../../../../docs/korean/stores.txt"),
        text: include_str!("../../../../docs/stores.md"),
    },
    Document {
        name: "systems",
        english: "Write your own system",
        korean: "시스템 만들기",
        search: include_str!("../../../../docs/korean/systems.txt"),
        text: include_str!("../../../../docs/systems.md"),
    },
];

/// All documents of a server, rendered once.
#[derive(Clone)]
pub(super) struct Library(Arc<[Entry]>);

struct Entry {
    document: Document,
    body: Html,
    headings: Vec<Heading>,
    /// The Korean search words.
    words: Vec<&'static str>,
    /// The chapters in Korean: the anchor, and the title with more words.
    chapters: Vec<(&'static str, Vec<&'static str>)>,
}

#[derive(Template)]
#[template(path = "console/docs/list.html")]
struct List {
    frame: Frame,
    /// Names and titles.
    documents: Vec<(&'static str, &'static str)>,
}

#[derive(Template)]
#[template(path = "console/docs/one.html")]
struct One {
    frame: Frame,
    body: Html,
    /// The headings of the second level, for the table of contents.
    headings: Vec<Heading>,
}

impl Library {
    /// The documents of the server and of its systems.
    pub(super) fn new(services: &[Arc<dyn Service>]) -> Self {
        let of_systems = services.iter().flat_map(|service| service.documents());
        let all: Vec<Document> = OWN.into_iter().chain(of_systems).collect();
        let names: Vec<&str> = all.iter().map(|document| document.name).collect();
        let entry = |document: &Document| {
            let (body, headings) = markdown::render(document.text, &names);
            let (words, chapters) = korean(document.search);
            for (id, _) in &chapters {
                let exists = headings.iter().any(|heading| heading.id == *id);
                debug_assert!(exists, "docs/{}.md has no heading #{id}", document.name);
            }
            Entry { document: *document, body, headings, words, chapters }
        };
        Self(all.iter().map(entry).collect())
    }

    /// The documents and chapters that are about a text, by their titles or their Korean search words.
    pub(super) fn search(&self, view: &View, text: &str) -> Vec<Hit> {
        let kind = view.say("Documentation", "도움말");
        let note = match view.language {
            Language::English => "",
            _ => view.say("in English", "영어 문서"),
        };
        let (mut hits, mut chapters) = (Vec::new(), Vec::new());
        for entry in self.0.iter() {
            let document = entry.document;
            let (title, at) = (document.title(view), document.address());
            let titles = [title, document.english, document.korean];
            if is_in_any(text, &titles) || is_in_any(text, &entry.words) {
                hits.push(Hit::new(kind, title, note, at.clone()));
            }
            // The first heading is the title.
            for heading in entry.headings.iter().skip(1) {
                let address = format!("{at}#{}", heading.id);
                let in_english = is_in_any(text, &[&heading.text]);
                let chapter = entry.chapters.iter().find(|(id, _)| *id == heading.id);
                match chapter.filter(|(_, words)| is_in_any(text, words)) {
                    Some((_, words)) if !in_english && view.language == Language::Korean => {
                        chapters.push(Hit::new(kind, words[0], format!("{title} · {note}"), address));
                    }
                    None if !in_english => {}
                    _ => chapters.push(Hit::new(kind, &*heading.text, title, address).in_english()),
                }
            }
        }
        hits.extend(chapters);
        hits
    }
}

/// The words of a document, and the anchor and words of each of its chapters.
fn korean(search: &'static str) -> (Vec<&'static str>, Vec<(&'static str, Vec<&'static str>)>) {
    let words = |line: &'static str| line.split(',').map(str::trim).collect();
    let mut lines = search.lines();
    let own = lines.next().map(words).unwrap_or_default();
    let chapters = lines.filter_map(|line| line.split_once(':'));
    (own, chapters.map(|(id, line)| (id, words(line))).collect())
}

/// Whether a text is in one of these words, in any case. Spaces do not count, because Korean words are written with them or
/// without.
fn is_in_any(text: &str, words: &[&str]) -> bool {
    let plain = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    words.iter().any(|word| plain(word).contains(&plain(text)))
}

impl Document {
    fn title(&self, view: &View) -> &'static str {
        view.say(self.english, self.korean)
    }

    fn address(&self) -> String {
        format!("/console/docs/{}", self.name)
    }
}

pub(super) fn routes(console: &Console) -> [Route; 2] {
    let (lists, shows) = (console.clone(), console.clone());
    let list = on(MethodFilter::GET, async move |view: View| {
        let documents = lists.library.0.iter().map(|one| (one.document.name, one.document.title(&view)));
        let documents = documents.collect();
        let title = view.say("Documentation", "도움말").to_owned();
        page(StatusCode::OK, &List { documents, frame: lists.frame(view, &title, Section::Docs) })
    });
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let name = key.text("document");
        let Some(entry) = shows.library.0.iter().find(|entry| entry.document.name == name) else {
            return no_such_path().into_response();
        };
        let headings = entry.headings.iter().filter(|heading| heading.level == 2).cloned().collect();
        let (title, body) = (entry.document.title(&view), entry.body.clone());
        page(StatusCode::OK, &One { headings, body, frame: shows.frame(view, title, Section::Docs) })
    });
    [
        Route::page("/console/docs", Needs::SignedIn, list),
        Route::page("/console/docs/{document}", Needs::SignedIn, one),
    ]
}
