//! A project is created, changed, archived and deleted.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_documents::{OcrMode, Project, ProjectStatus, ProjectText, find_project, progress};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::form::{self, Question, Sent, optional, optional_field, revision, text};
use super::project::{self, Head};
use super::{Pages, START, done, words};
use crate::actions::{ARCHIVE_PROJECT, CHANGE_PROJECT, CREATE_PROJECT, DELETE_PROJECT};
use crate::notices;

/// The fields that a problem can be shown at.
const FIELDS: [&str; 7] =
    ["name", "description", "color", "language", "document_prompt", "ocr", "ocr_languages"];
/// The colours to choose from.
const COLORS: [(&str, &str, &str); 8] = [
    ("#17624F", "Green", "초록"),
    ("#1D5C96", "Blue", "파랑"),
    ("#5B4BB0", "Violet", "보라"),
    ("#9A3B6B", "Pink", "분홍"),
    ("#A81F2B", "Red", "빨강"),
    ("#A8482A", "Orange", "주황"),
    ("#8A5C06", "Gold", "금색"),
    ("#596269", "Grey", "회색"),
];

#[derive(Template)]
#[template(path = "documents/edit_project.html")]
struct EditPage {
    frame: Frame,
    /// The project that is changed; none for a new one.
    head: Option<Head>,
    about: Vec<Field>,
    reading: Vec<Field>,
    colors: Vec<(&'static str, &'static str)>,
    color: String,
    revision: i64,
    problems: Problems,
}

impl EditPage {
    /// Whether the project has a colour that is not offered.
    fn has_other_color(&self) -> bool {
        let is_color = self.color.starts_with('#') && self.color.len() == 7;
        is_color && self.colors.iter().all(|(value, _)| *value != self.color)
    }
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (asks, creates) = (pages.clone(), pages.clone());
    let new = on(MethodFilter::GET, async move |view: View| show(&asks, view, None, &Sent::default()))
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            create(&creates, &caller, view, sent).await
        });
    let (reads, changes) = (pages.clone(), pages.clone());
    let edit = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let project =
            reads.read("project", find_project(reads.documents(), &key.text("project")).boxed()).await?;
        Ok::<_, Problem>(show(&reads, view, Some(&project), &Sent::default()))
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &key.text("project"), sent).await
    });
    let (asks, deletes) = (pages.clone(), pages.clone());
    let delete = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        ask(&asks, view, &key.text("project"), Problems::default(), StatusCode::OK).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        let id = key.text("project");
        match deletes.act(&DELETE_PROJECT, &caller, id.clone()).await {
            Ok(_) => Ok(done(notice::DELETED, START)),
            Err(error) => {
                let problem = Problem::from(error);
                let problems = Problems::of_error(&problem, &[], view.language);
                ask(&deletes, view, &id, problems, problem.status).await
            }
        }
    });
    let needs = || pages.needs(Role::Editor);
    vec![
        Route::page(&format!("{START}/projects/new"), needs(), new),
        Route::page(&format!("{START}/projects/{{project}}/edit"), needs(), edit),
        Route::page(&format!("{START}/projects/{{project}}/delete"), needs(), delete),
    ]
}

fn show(pages: &Pages, view: View, project: Option<&Project>, sent: &Sent) -> Response {
    let stored = project.map(|project| project.text.clone()).unwrap_or_default();
    let fill = |field: Field| field.sent(&sent.form, &sent.problems);
    let value = |value: &Option<String>| value.clone().unwrap_or_default();
    let about = vec![
        Field { value: stored.name.clone(), ..Field::text("name", view.say("Name", "이름")) },
        optional_field(Field {
            value: value(&stored.description),
            input: Input::Area { rows: 3 },
            ..Field::text("description", view.say("Description", "설명"))
        }),
    ];
    let typed = sent.form.get("color").map(str::to_owned);
    let color = typed.unwrap_or_else(|| value(&stored.color)).to_uppercase();
    let title = project.map_or_else(
        || view.say("New project", "새 프로젝트").to_owned(),
        |project| project.text.name.clone(),
    );
    let shown = EditPage {
        about: about.into_iter().map(fill).collect(),
        reading: reading_fields(&view, &stored).into_iter().map(fill).collect(),
        colors: COLORS.iter().map(|(value, english, korean)| (*value, view.say(english, korean))).collect(),
        color,
        revision: project.map_or(0, |project| project.revision),
        head: project.map(|project| Head::of(pages, &view, project)),
        problems: sent.problems.clone(),
        frame: pages.frame(view, &title),
    };
    page(sent.status, &shown)
}

/// The fields about how documents are read.
fn reading_fields(view: &View, stored: &ProjectText) -> Vec<Field> {
    let choice = |value: &str, label: &str| (value.to_owned(), label.to_owned());
    let language = stored.language.clone().unwrap_or_default();
    let mut languages = vec![
        choice("", view.say("Detect for each document", "문서마다 자동으로 알아내기")),
        choice("ko", view.say("Korean", "한국어")),
        choice("en", view.say("English", "영어")),
        choice("ja", view.say("Japanese", "일본어")),
        choice("zh", view.say("Chinese", "중국어")),
    ];
    if !languages.iter().any(|(value, _)| *value == language) {
        languages.push((language.clone(), language.clone()));
    }
    let modes = [OcrMode::Auto, OcrMode::Always, OcrMode::Never];
    let mut scans = vec![
        choice("", view.say("Korean and English", "한국어와 영어")),
        choice("kor", view.say("Korean", "한국어")),
        choice("eng", view.say("English", "영어")),
    ];
    let scanned = stored.ocr_languages.clone().unwrap_or_default();
    if !scans.iter().any(|(value, _)| *value == scanned) {
        scans.push((scanned.clone(), scanned.clone()));
    }
    vec![
        optional_field(Field {
            value: language,
            input: Input::Choice(languages),
            ..Field::text("language", view.say("Language of the documents", "문서의 언어"))
        }),
        optional_field(Field {
            value: stored.ocr.unwrap_or(OcrMode::Auto).name().to_owned(),
            input: Input::Choice(modes.map(|mode| choice(mode.name(), words::ocr(view, mode))).into()),
            hint: view
                .say("Scans and photos have no text of their own.", "스캔한 문서와 사진에는 글자 정보가 없습니다.")
                .to_owned(),
            ..Field::text("ocr", view.say("Recognise text in pictures", "그림의 글자 인식"))
        }),
        optional_field(Field {
            value: scanned,
            input: Input::Choice(scans),
            ..Field::text("ocr_languages", view.say("Languages in pictures", "그림에 있는 언어"))
        }),
        optional_field(Field {
            value: stored.document_prompt.clone().unwrap_or_default(),
            input: Input::Area { rows: 5 },
            hint: view
                .say(
                    "Applied to every document of the project, for example: these are contracts; note parties and dates.",
                    "프로젝트의 모든 문서에 적용합니다. 예: 계약서입니다. 당사자와 날짜를 정리해 주세요.",
                )
                .to_owned(),
            ..Field::text("document_prompt", view.say("Instructions", "지침"))
        }),
    ]
}

fn typed(sent: &Form) -> Result<ProjectText, Error> {
    let ocr = match sent.text("ocr") {
        "" => None,
        name => {
            let wrong = || Error::fields(vec![violation("ocr", message!(super::messages::CHOOSE_ONE))]);
            Some(OcrMode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(wrong)?)
        }
    };
    Ok(ProjectText {
        name: text(sent, "name"),
        description: optional(sent, "description"),
        language: optional(sent, "language"),
        color: optional(sent, "color"),
        document_prompt: optional(sent, "document_prompt"),
        ocr,
        ocr_languages: optional(sent, "ocr_languages"),
    })
}

async fn create(pages: &Pages, caller: &Caller, view: View, sent: Form) -> Result<Response, Problem> {
    let created = match typed(&sent) {
        Ok(text) => pages.act(&CREATE_PROJECT, caller, text).await,
        Err(error) => Err(error),
    };
    match created {
        Ok(project) => Ok(done(notices::PROJECT_CREATED, &project::address(&project.project_id))),
        Err(error) => {
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            Ok(show(pages, view, None, &sent))
        }
    }
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: Form,
) -> Result<Response, Problem> {
    match save(pages, caller, id, &sent).await {
        Ok(saved) => Ok(done(saved, &project::address(id))),
        Err(error) => {
            let project = find_project(pages.documents(), id).await?;
            let sent = Sent::refused(&view, sent, &FIELDS, error);
            Ok(show(pages, view, Some(&project), &sent))
        }
    }
}

async fn save(pages: &Pages, caller: &Caller, id: &str, sent: &Form) -> Result<notice::Notice, Error> {
    let revision = revision(sent);
    let archived = match sent.text("do") {
        "archive" => true,
        "restore" => false,
        _ => {
            pages.act(&CHANGE_PROJECT, caller, (id.to_owned(), typed(sent)?, revision)).await?;
            return Ok(notice::SAVED);
        }
    };
    let project = pages.act(&ARCHIVE_PROJECT, caller, (id.to_owned(), archived, revision)).await?;
    Ok(match project.status {
        ProjectStatus::Archived => notices::PROJECT_ARCHIVED,
        ProjectStatus::Active => notices::PROJECT_ACTIVE,
    })
}

async fn ask(
    pages: &Pages,
    view: View,
    id: &str,
    problems: Problems,
    status: StatusCode,
) -> Result<Response, Problem> {
    let head = project::head(pages, &view, id).await?;
    let counted = pages.read("progress", progress(pages.documents(), id).boxed()).await?;
    let consequence = view.plural(
        counted.documents,
        "The project, its {0} document, all results, conversations and agents of all users are deleted. This can't be undone.",
        "The project, its {0} documents, all results, conversations and agents of all users are deleted. This can't be undone.",
        "프로젝트와 문서 {0}개, 모든 사용자의 결과 파일·대화·에이전트를 삭제합니다. 되돌릴 수 없습니다.",
    );
    let question = Question {
        title: view.say("Delete project", "프로젝트 삭제").to_owned(),
        trail: head.trail(&view, &[]),
        here: format!("{}/delete", head.address),
        back: format!("{}/edit", head.address),
        subjects: vec![head.name.clone()],
        consequence: consequence.to_string(),
        values: Vec::new(),
        button: view.say("Delete project", "프로젝트 삭제").to_owned(),
        problems,
        status,
    };
    Ok(form::ask(pages, view, question))
}
