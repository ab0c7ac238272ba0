//! A page of a document: its picture beside its text, search inside the document, questions and answers.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::Error;
use hansang_documents::{Document, Segment, Workflow, find_document, find_workflow, segment};
use hansang_documents_adapters::Bounds;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::address;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::time::Moment;

use super::form::text;
use super::marks::{self, Parts};
use super::pictures::{self, Picture, Place};
use super::project::{self, Head};
use super::{Pages, START, answers, done, find, words};
use crate::actions::CHANGE_TEXT;

#[derive(Template)]
#[template(path = "documents/reader.html")]
struct Reader {
    frame: Frame,
    head: Head,
    document: (String, String),
    number: i64,
    total: i64,
    name: String,
    previous: Option<String>,
    next: Option<String>,
    picture: Option<Picture>,
    places: Vec<Place>,
    /// Where the words that were searched for are on the picture.
    marks: Vec<Bounds>,
    paragraphs: Vec<Parts>,
    /// The texts to choose from: label, address, whether it is shown.
    views: Vec<(String, String, bool)>,
    text: String,
    found: Option<find::Found>,
    /// The address of the search in the whole project.
    everywhere: String,
    /// Keywords and the addresses of their searches.
    keywords: Vec<(String, String)>,
    questions: Vec<(String, Vec<String>, String, Moment)>,
    question: Field,
    /// The text to correct; none while it is not edited.
    edited: Option<Field>,
    can_start: bool,
    problems: Problems,
}

/// A page with its document.
struct Stored {
    document: Document,
    workflow: Workflow,
    segment: Segment,
}

/// What was submitted and refused.
#[derive(Default)]
struct Refused {
    form: Form,
    problems: Problems,
    status: StatusCode,
}

/// The parts of the address.
struct Spot {
    project: String,
    document: String,
    index: i64,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, changes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &Spot::of(&key)?, Refused::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &Spot::of(&key)?, sent).await
    });
    let turn = on(MethodFilter::GET, async |view: View, key: PathKey| turn(&view, &key));
    let path = format!("{START}/projects/{{project}}/documents/{{document}}");
    let needs = || pages.needs(Role::Viewer);
    vec![
        Route::page(&format!("{path}/pages/{{page}}"), needs(), one),
        Route::page(&format!("{path}/page"), needs(), turn),
    ]
}

/// Leads to the page whose number was typed.
fn turn(view: &View, key: &PathKey) -> Response {
    let asked = view.asked();
    let number = asked.text("page").trim().parse::<i64>().unwrap_or(1).max(1);
    let project = project::address(&key.text("project"));
    let page = format!("{project}/documents/{}/pages/{number}", key.text("document"));
    Redirect::to(&address::with(&page, &[("q", asked.text("q"))])).into_response()
}

impl Spot {
    /// Pages count from 1 for people.
    fn of(key: &PathKey) -> Result<Self, Error> {
        let number = hansang_documents::parse_index(&key.text("page"))?;
        Ok(Self { project: key.text("project"), document: key.text("document"), index: number - 1 })
    }
}

async fn load(pages: &Pages, place: &Spot) -> Result<Stored, Error> {
    let documents = pages.documents();
    let document = find_document(documents, &place.project, &place.document).await?;
    let run = document.text_workflow_id.as_ref().or(document.workflow_id.as_ref());
    let workflow = find_workflow(documents, &place.document, run.map_or("none", |run| run)).await?;
    let segment = segment(documents, &workflow.workflow_id, place.index).await?;
    Ok(Stored { document, workflow, segment })
}

async fn show(pages: &Pages, view: View, place: &Spot, refused: Refused) -> Result<Response, Problem> {
    let head = project::head(pages, &view, &place.project).await?;
    let Stored { document, workflow, segment } = pages.read("segment", load(pages, place).boxed()).await?;
    let asked = view.asked();
    let query = asked.text("q").trim().to_owned();
    let wanted = marks::words(&query);
    let total = workflow.total_segments.unwrap_or(place.index + 1).max(place.index + 1);
    let address = format!("{}/documents/{}", head.address, place.document);
    let at = |index: i64| {
        let page = format!("{address}/pages/{}", index + 1);
        address::with(&page, &[("q", &query)])
    };
    let found = match wanted.is_empty() {
        true => None,
        false => Some(
            pages
                .read("segments", find::find(pages, &view, &workflow.workflow_id, &address, &query).boxed())
                .await?,
        ),
    };
    let here = at(place.index);
    let (views, shown) = views(&view, &segment, &here, asked.text("view"));
    let people = pages.console.people(segment.questions.iter().map(|question| &*question.by)).await;
    let question = |one: &hansang_documents::Question| {
        let lines = one.answer.split("\n\n").map(str::to_owned).collect();
        (one.question.clone(), lines, people.name(&one.by), view.time(one.at))
    };
    let name = segment.title.clone();
    let name = name.unwrap_or_else(|| words::part(&view, segment.segment_type, segment.segment_index));
    let is_editing = asked.text("edit") == "1" && pages.is_editor(&view);
    let reader = Reader {
        number: place.index + 1,
        previous: (place.index > 0).then(|| at(place.index - 1)),
        next: (place.index + 1 < total).then(|| at(place.index + 1)),
        picture: pictures::picture(&segment),
        places: match shown {
            Shown::Places => pictures::places(&segment.text.blocks, &wanted),
            Shown::Text(_) => Vec::new(),
        },
        marks: pictures::marked_words(&segment.text.blocks, &query),
        paragraphs: match shown {
            Shown::Places => Vec::new(),
            Shown::Text(text) => paragraphs(text, &wanted),
        },
        views,
        found,
        everywhere: address::with(&format!("{}/search", head.address), &[("q", &query)]),
        keywords: segment
            .keywords
            .iter()
            .map(|word| (word.clone(), address::with(&here, &[("q", word)])))
            .collect(),
        questions: segment.questions.iter().rev().map(question).collect(),
        question: Field {
            hint: view.say("The answer is looked for on this page.", "이 쪽에서 답을 찾습니다.").to_owned(),
            ..Field::text("question", view.say("Question", "질문"))
        }
        .sent(&refused.form, &refused.problems),
        edited: is_editing.then(|| {
            Field {
                value: segment.text.content.clone().unwrap_or_default(),
                input: Input::Area { rows: 24 },
                ..Field::text("content", view.say("Text of the page", "이 쪽의 글"))
            }
            .sent(&refused.form, &refused.problems)
        }),
        can_start: head.takes_documents() && document.status.has_ended(),
        problems: refused.problems,
        document: (document.name.clone(), address),
        text: query,
        frame: pages.frame(view, &format!("{name} · {}", document.name)),
        head,
        total,
        name,
    };
    Ok(page(refused.status, &reader))
}

/// The text that is shown: with its places on the picture, or as paragraphs.
enum Shown<'s> {
    Places,
    Text(&'s str),
}

/// The texts of a page to choose from, if there are several, and the chosen one.
fn views<'s>(
    view: &View,
    segment: &'s Segment,
    here: &str,
    chosen: &str,
) -> (Vec<(String, String, bool)>, Shown<'s>) {
    let mut all: Vec<(&str, &str)> = Vec::new();
    if !segment.text.blocks.is_empty() {
        all.push(("", view.say("On the page", "쪽에서의 위치")));
        all.push(("text", view.say("Text", "글")));
    } else {
        all.push(("", view.say("Text", "글")));
    }
    if segment.text.texts.len() > 1 {
        all.extend(segment.text.texts.keys().map(|source| match source.as_str() {
            "parsed" => ("parsed", view.say("From the file", "파일의 글")),
            "ocr" => ("ocr", view.say("Recognised", "인식한 글")),
            other => (other, other),
        }));
    }
    let chosen = all.iter().map(|(value, _)| *value).find(|value| *value == chosen).unwrap_or_default();
    let shown = match chosen {
        "" if !segment.text.blocks.is_empty() => Shown::Places,
        "" | "text" => Shown::Text(segment.text.content.as_deref().unwrap_or_default()),
        source => Shown::Text(segment.text.texts.get(source).map_or("", String::as_str)),
    };
    let choice = |(value, label): &(&str, &str)| {
        ((*label).to_owned(), address::with(here, &[("view", value)]), *value == chosen)
    };
    let views = if all.len() > 1 { all.iter().map(choice).collect() } else { Vec::new() };
    (views, shown)
}

/// The paragraphs of a text, with the words that were searched for marked.
fn paragraphs(text: &str, wanted: &[String]) -> Vec<Parts> {
    let parts = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| marks::marked(part, wanted)).collect()
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    place: &Spot,
    sent: Form,
) -> Result<Response, Problem> {
    let here = format!(
        "{}/documents/{}/pages/{}",
        project::address(&place.project),
        place.document,
        place.index + 1
    );
    let changed = match sent.text("do") {
        "correct" => {
            pages.check_editor(&view)?;
            let input = (place.project.clone(), place.document.clone(), place.index, text(&sent, "content"));
            let corrected = pages.act(&CHANGE_TEXT, caller, input).await;
            corrected.map(|_| done(hansang_ui::notice::SAVED, &here))
        }
        _ => {
            let question = text(&sent, "question");
            let spot = (&*place.project, &*place.document, place.index);
            let answered = answers::about_page(pages, caller, &view, spot, &question).await;
            answered.map(|()| Redirect::to(&format!("{here}#questions")).into_response())
        }
    };
    match changed {
        Ok(response) => Ok(response),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["question", "content"], view.language);
            show(pages, view, place, Refused { form: sent, problems, status: problem.status }).await
        }
    }
}
