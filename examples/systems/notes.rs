//! Notes: a whole small system. One entity, one action with a route and a page, a command, a setting, a worker.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use askama::Template;
use async_trait::async_trait;
use axum::Json;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use clap::{ArgMatches, Args as _, FromArgMatches as _};
use futures_util::future::BoxFuture;
use hansang_access::Role;
use hansang_command::{Context, Failure, Purpose, Setting, StoreArguments};
use hansang_core::db::Ask;
use hansang_core::{Db, Error, Item, Record, Value, compile, message};
use hansang_http::form::Form;
use hansang_http::input::Members;
use hansang_http::json::parse;
use hansang_http::metrics::{Figure, FigureKind};
use hansang_http::problem::Problem;
use hansang_http::route::{Needs, Route, json_answer, json_body};
use hansang_server::{Action, App, Caller, Calls, Console, Opening, Service, Stop, System, WorkerProcess};
use hansang_ui::frame::{Frame, Section, Tab, View, page};
use hansang_ui::notice::Notice;
use serde::Deserialize;
use serde_json::json;

const MODEL: &str = r#"
model: notes
doc: Short notes.
table:
  name: Notes
  key: { pk: PK, sk: SK }
  created: createdAt
entities:
  Note:
    key: { PK: NOTES, SK: "NOTE#{noteId}" }
    attributes:
      noteId: { type: ulid, generated: ulid }
      text:   { type: string, length: [1, 200] }
patterns:
  notes: { entity: Note, order: newest }
"#;

const SETTINGS: &[Setting] = &[Setting::new("notes-max", "N", "100", "How many notes there may be")];

const ADDED: Notice =
    Notice { code: "note-added", english: "Note added.", korean: "메모를 추가했습니다." };

// Every message stands here in both languages.
hansang_core::phrases! {
    ADD_SUMMARY = "Add a note", "메모 추가";
    ADDED_NOTE = "Added.", "추가됨.";
    FULL = "there are {0} notes already: delete one first", "메모가 이미 {0}개 있습니다. 먼저 하나를 삭제하세요";
}

hansang_core::codes! {
    /// The error codes of notes.
    pub enum NotesCode {
        Full = "notes_full",
    }
}

/// What the program is built with.
pub struct NotesSystem;

/// The open system.
#[derive(Clone)]
struct Notes {
    db: Db,
    max: usize,
}

/// Adds a note: through the API, and on the page.
const ADD: Action<Notes, String, Record> = Action {
    name: "note.add",
    summary: &ADD_SUMMARY,
    subject: Clone::clone,
    run: |notes, text| Box::pin(notes.add(text)),
};

impl Notes {
    async fn all(&self) -> Result<Vec<Record>, Error> {
        Ok(self.db.query("notes", Item::new(), Ask::default()).await?.records)
    }

    async fn add(&self, text: String) -> Result<Record, Error> {
        let count = self.all().await?.len();
        if count >= self.max {
            return Err(Error::conflict(NotesCode::Full, message!(FULL, count)));
        }
        self.db.create("Note", Item::from([("text".into(), Value::from(text))])).await
    }
}

#[async_trait]
impl System for NotesSystem {
    fn model(&self) -> &'static str {
        MODEL
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn style(&self) -> &'static str {
        ".notes li { margin: 0.5rem 0; }"
    }

    fn notices(&self) -> &'static [Notice] {
        &[ADDED]
    }

    fn command(&self) -> Option<clap::Command> {
        let command = clap::Command::new("notes").about("Print all notes");
        Some(StoreArguments::augment_args(command))
    }

    fn run(&self, matches: &ArgMatches, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
        let store = StoreArguments::from_arg_matches(matches).unwrap_or_else(|error| error.exit());
        let model = compile(MODEL.as_bytes()).map_err(|_| Failure::internal("the model of notes"))?;
        tokio::runtime::Runtime::new()?.block_on(async {
            let db = (context.open_table)(model, store, Purpose::Look).await?;
            for note in (Notes { db, max: 0 }).all().await? {
                writeln!(out, "{}", text(&note))?;
            }
            Ok(ExitCode::SUCCESS)
        })
    }

    async fn open(&self, opening: Opening<'_>) -> Result<Arc<dyn Service>, Failure> {
        let max = opening.config.need("notes-max", "a whole number")?;
        Ok(Arc::new(Notes { db: opening.db, max }))
    }
}

#[async_trait]
impl Service for Notes {
    fn db(&self) -> &Db {
        &self.db
    }

    fn routes(&self, app: &App) -> Vec<Route> {
        vec![add_route(self.clone(), app.calls(&self.db))]
    }

    fn pages(&self, console: &Console) -> Vec<Route> {
        vec![page_route(self.clone(), console.clone())]
    }

    fn tabs(&self, view: &View) -> Vec<Tab> {
        vec![("/console/notes", view.say("Notes", "메모"), "notes")]
    }

    async fn fill_demo(&self) -> Result<(), Failure> {
        self.add("Buy rice / 쌀 사기".to_owned()).await?;
        Ok(())
    }

    /// Writes the first note, then waits for the end.
    fn worker(&self, _: WorkerProcess, stop: Stop) -> Option<BoxFuture<'static, ()>> {
        let notes = self.clone();
        Some(Box::pin(async move {
            match notes.all().await {
                Ok(all) if all.is_empty() => drop(notes.add("Welcome".to_owned()).await),
                _ => {}
            }
            stop.stopped().await;
        }))
    }

    async fn health(&self) -> Result<(), Error> {
        self.all().await.map(drop)
    }

    fn figures(&self) -> Vec<Figure> {
        let (name, help) = ("hansang_notes_max", "How many notes there may be.");
        vec![Figure { name, kind: FigureKind::Gauge, help, value: self.max as u64 }]
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewNote {
    text: String,
}

fn add_route(notes: Notes, calls: Calls) -> Route {
    let object = |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } }, "required": [name] });
    let handler = on(MethodFilter::POST, async move |caller: Caller, Members(members): Members| {
        let NewNote { text } = parse(members)?;
        let note = ADD.call(&calls, &notes, &caller, text).await?;
        let created = json!({ "noteId": note.fields["noteId"].as_str() });
        Ok::<_, Problem>((StatusCode::CREATED, Json(created)).into_response())
    });
    Route {
        method: Method::POST,
        path: "/api/notes/add".to_owned(),
        operation: "notes.note.add".to_owned(),
        summary: ADD.summary(),
        tag: "notes".to_owned(),
        needs: Needs::Role("notes".to_owned(), Role::Editor),
        parameters: Vec::new(),
        body: Some(json_body(object("text"))),
        answers: vec![(201, json_answer(message!(ADDED_NOTE), object("noteId")))],
        refusals: &[409, 413, 415],
        streams: false,
        max_body: None,
        handler,
    }
}

#[derive(Template)]
#[template(
    ext = "html",
    source = r#"{% extends "console/frame.html" %}
{%- block content %}
<h1>{{ frame.title }}</h1>
{%- if let Some(problem) = problem %}<p class="alert" role="alert">{{ problem }}</p>{% endif %}
<ul class="notes">{% for note in notes %}<li>{{ note }}</li>{% else %}<li>{{ frame.say("No notes yet", "메모가 없습니다") }}</li>{% endfor %}</ul>
<form method="post"><input type="hidden" name="csrf" value="{{ frame.csrf() }}">
<label>{{ frame.say("New note", "새 메모") }} <input name="text" required maxlength="200"></label>
<button class="primary">{{ frame.say("Add", "추가") }}</button></form>
{%- endblock %}"#
)]
struct NotesPage {
    frame: Frame,
    notes: Vec<String>,
    problem: Option<String>,
}

fn page_route(notes: Notes, console: Console) -> Route {
    let (shown, added) = ((notes.clone(), console.clone()), (notes, console));
    let handler = on(MethodFilter::GET, async move |view: View| show(&shown.0, &shown.1, view, None).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, form: Form| {
            let (notes, console) = &added;
            let calls = console.calls(&notes.db);
            match ADD.call(&calls, notes, &caller, form.text("text").to_owned()).await {
                Ok(_) => Ok(Redirect::to(&ADDED.at("/console/notes")).into_response()),
                Err(error) => show(notes, console, view, Some(error.into())).await,
            }
        });
    Route::page("/console/notes", Needs::Role("notes".to_owned(), Role::Editor), handler)
}

async fn show(
    notes: &Notes,
    console: &Console,
    view: View,
    problem: Option<Problem>,
) -> Result<Response, Problem> {
    let status = problem.as_ref().map_or(StatusCode::OK, |problem| problem.status);
    let problem = problem.map(|problem| view.sentence(problem.message));
    let title = view.say("Notes", "메모").to_owned();
    let frame = console.frame(view, &title, Section::System("notes".to_owned()));
    let notes = notes.all().await?.iter().map(text).collect();
    Ok(page(status, &NotesPage { frame, notes, problem }))
}

fn text(note: &Record) -> String {
    note.fields.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
}
