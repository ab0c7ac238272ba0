//! The media library: upload, alternative texts, focal points, and where each medium is used.

use askama::Template;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::{FutureExt as _, StreamExt as _, TryStreamExt as _};
use hansang_access::Role;
use hansang_content::{Media, MediaText, MediaUse, UseKind, find_media, media, media_path, media_uses};
use hansang_core::db::Ask;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_http::upload::StreamedUpload as SentFile;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};
use hansang_ui::page::Pager;
use hansang_ui::time::Moment;
use serde_json::json;

use super::form::{optional, optional_field, revision, started_from, stored_beside};
use super::{Pages, START, done};
use crate::actions::media::{CHANGE_MEDIA, CutOff, DELETE_MEDIA, NewFile, UPLOAD_MEDIA};
use crate::messages;

/// The number of media of a page.
const ROWS: u32 = 48;
/// The fields that a problem can be shown at.
const FIELDS: [&str; 4] = ["filename", "alt", "focusX", "focusY"];

#[derive(Template)]
#[template(path = "content/media.html")]
struct Library {
    frame: Frame,
    media: Vec<Tile>,
    file: Field,
    alt: Field,
    problems: Problems,
    pages: Pager,
}

/// A medium in the library.
struct Tile {
    address: String,
    name: String,
    alt: String,
    /// The address of a picture; none for a document.
    picture: Option<String>,
    size: String,
}

#[derive(Template)]
#[template(path = "content/medium.html")]
struct One {
    frame: Frame,
    id: String,
    revision: i64,
    picture: Option<String>,
    path: String,
    about: String,
    uploaded: Moment,
    fields: Vec<Field>,
    uses: Vec<(String, String)>,
    /// What someone else has saved meanwhile.
    stored: Vec<(String, String)>,
    problems: Problems,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, takes) = (pages.clone(), pages.clone());
    let library = on(MethodFilter::GET, async move |view: View| {
        list(&shows, view, StatusCode::OK, Problems::default()).await
    });
    let upload = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: SentFile| {
        take(&takes, &caller, view, sent).await
    })
    .on(MethodFilter::GET, async || done_uploading());
    let inserts = pages.clone();
    let insert = on(MethodFilter::POST, async move |caller: Caller, sent: SentFile| {
        let media = store(&inserts, &caller, sent).await?;
        let alt = media.alt.clone().unwrap_or_else(|| stem(&media.filename));
        Ok::<_, Problem>(Json(json!({ "url": shown(&media), "alt": alt })).into_response())
    });
    let (reads, changes) = (pages.clone(), pages.clone());
    let one = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&reads, view, StatusCode::OK, &key.text("id"), &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        change(&changes, &caller, view, &key.text("id"), &sent).await
    });
    let needs = || pages.needs(Role::Editor);
    // Files are read while they arrive, up to their own limit.
    let streamed = |path: &str, handler| Route {
        streams: true,
        ..Route::page(&format!("{START}/media/{path}"), needs(), handler)
    };
    vec![
        Route::page(&format!("{START}/media"), needs(), library),
        streamed("upload", upload),
        streamed("insert", insert),
        Route::page(&format!("{START}/media/{{id}}"), needs(), one),
    ]
}

/// The library, for a browser that loads the address of a refused upload again.
fn done_uploading() -> Redirect {
    Redirect::to(&format!("{START}/media"))
}

/// The address of the size that pages show: the smallest that is wide enough.
fn shown(media: &Media) -> String {
    let fits = media.variants.iter().find(|variant| variant.width >= 1024);
    fits.map_or_else(|| media.path(), |variant| media_path(&media.id, &variant.name))
}

/// The address of a small picture; none for a document.
fn thumbnail(media: &Media) -> Option<String> {
    media.width?;
    Some(media.variants.first().map_or_else(|| media.path(), |variant| media_path(&media.id, &variant.name)))
}

/// The name of a file without its ending.
fn stem(filename: &str) -> String {
    filename.rsplit_once('.').map_or(filename, |(stem, _)| stem).to_owned()
}

/// The size of a medium for people.
fn size(media: &Media) -> String {
    let bytes = match media.size {
        size if size >= 1 << 20 => format!("{}.{} MB", size >> 20, ((size % (1 << 20)) * 10) >> 20),
        size => format!("{} KB", (size + 1023) >> 10),
    };
    match media.width.zip(media.height) {
        Some((width, height)) => format!("{width} × {height} · {bytes}"),
        None => bytes,
    }
}

async fn list(
    pages: &Pages,
    view: View,
    status: StatusCode,
    problems: Problems,
) -> Result<Response, Problem> {
    let ask =
        Ask { limit: Some(ROWS), cursor: view.asked().get("cursor").map(str::to_owned), ..Ask::default() };
    let found = pages.read("media", media(pages.content(), ask).boxed()).await?;
    let title = view.say("Media", "미디어").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let most = pages.desk.outside.limits.max_bytes >> 20;
    let hint = view
        .fill("JPEG, PNG, WebP, GIF or PDF, up to {0} MB.", "JPEG, PNG, WebP, GIF, PDF 파일, 최대 {0}MB.");
    let tile = |media: &Media| Tile {
        address: format!("{START}/media/{}", media.id),
        name: media.filename.clone(),
        alt: media.alt.clone().unwrap_or_default(),
        picture: thumbnail(media),
        size: size(media),
    };
    let library = Library {
        media: found.media.iter().map(tile).collect(),
        file: Field {
            input: Input::File { accept: "image/jpeg,image/png,image/webp,image/gif,application/pdf" },
            hint: hint.with(most).to_string(),
            problem: problems.of("file"),
            ..Field::text("file", view.say("File", "파일"))
        },
        alt: optional_field(Field {
            hint: view
                .say(
                    "What the picture shows, for people who do not see it.",
                    "그림을 볼 수 없는 사람을 위한 설명입니다.",
                )
                .to_owned(),
            ..Field::text("alt", view.say("Alternative text", "대체 텍스트"))
        }),
        pages: Pager::at(&format!("{START}/media"), None, found.next.as_deref()),
        problems,
        frame,
    };
    Ok(page(status, &library))
}

async fn store(pages: &Pages, caller: &Caller, sent: SentFile) -> Result<Media, Error> {
    if sent.file_name.is_empty() {
        return Err(Error::fields(vec![violation("file", message!(messages::CHOOSE_FILE))]));
    }
    let (filename, alt) = (sent.file_name.clone(), optional(&sent.form, "alt"));
    let pieces = sent.pieces().map_err(|_| CutOff).boxed();
    let file = NewFile { filename, alt, pieces };
    pages.act(&UPLOAD_MEDIA, caller, file).await
}

async fn take(pages: &Pages, caller: &Caller, view: View, sent: SentFile) -> Result<Response, Problem> {
    match store(pages, caller, sent).await {
        Ok(media) => Ok(done(notice::CREATED, &format!("{START}/media/{}", media.id))),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["file"], view.language);
            list(pages, view, problem.status, problems).await
        }
    }
}

async fn show(
    pages: &Pages,
    view: View,
    status: StatusCode,
    id: &str,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let content = pages.content();
    let read = async { Ok((find_media(content, id).await?, media_uses(content, id).await?)) };
    let (media, uses) = pages.read("medium", read.boxed()).await?;
    let frame = pages.frame(view, &media.filename);
    let view = &frame.view;
    let number = |name: &str, label: &str, value: Option<i64>| {
        let value = value.map(|value| value.to_string()).unwrap_or_default();
        optional_field(Field { value, input: Input::Number, ..Field::text(name, label) })
    };
    let mut fields = vec![
        Field {
            value: media.filename.clone(),
            ..Field::text("filename", view.say("File name", "파일 이름"))
        },
        optional_field(Field {
            value: media.alt.clone().unwrap_or_default(),
            input: Input::Area { rows: 2 },
            ..Field::text("alt", view.say("Alternative text", "대체 텍스트"))
        }),
    ];
    if media.width.is_some() {
        fields.push(number(
            "focusX",
            view.say("Focal point, % from the left", "초점 위치, 왼쪽에서 %"),
            media.focus_x,
        ));
        fields.push(number(
            "focusY",
            view.say("Focal point, % from the top", "초점 위치, 위에서 %"),
            media.focus_y,
        ));
    }
    let used = |one: &MediaUse| {
        let (name, list) = match one.kind {
            UseKind::Post => (view.say("Post", "글"), "posts"),
            UseKind::Banner => (view.say("Banner", "배너"), "banners"),
            UseKind::User => (view.say("Author", "작성자"), "authors"),
        };
        (format!("{name} {}", one.of), format!("{START}/{list}/{}", one.of))
    };
    let one = One {
        stored: stored_beside(status, sent, &fields),
        id: id.to_owned(),
        revision: started_from(view, status, sent, media.revision),
        picture: media.width.map(|_| shown(&media)),
        path: media.path(),
        about: format!("{} · {}", media.content_type, size(&media)),
        uploaded: view.time(media.created_at),
        fields: fields.into_iter().map(|field| field.sent(sent, &problems)).collect(),
        uses: uses.iter().map(used).collect(),
        problems,
        frame,
    };
    Ok(page(status, &one))
}

async fn change(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    match save(pages, caller, id, sent).await {
        Ok((notice, address)) => Ok(done(notice, &address)),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &FIELDS, view.language);
            show(pages, view, problem.status, id, sent, problems).await
        }
    }
}

async fn save(pages: &Pages, caller: &Caller, id: &str, sent: &Form) -> Result<(Notice, String), Error> {
    if sent.text("do") == "delete" {
        pages.act(&DELETE_MEDIA, caller, (id.to_owned(), revision(sent))).await?;
        return Ok((notice::DELETED, format!("{START}/media")));
    }
    let mut wrong = Vec::new();
    let mut percent = |name: &str| {
        let text = sent.text(name).trim();
        let number = text.parse::<i64>().ok().filter(|number| (0..=100).contains(number));
        if number.is_none() && !text.is_empty() {
            wrong.push(violation(name, message!(messages::PERCENT)));
        }
        number
    };
    let focus = percent("focusX").zip(percent("focusY"));
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let text = MediaText { filename: sent.text("filename").to_owned(), alt: optional(sent, "alt"), focus };
    pages.act(&CHANGE_MEDIA, caller, (id.to_owned(), text, revision(sent))).await?;
    Ok((notice::SAVED, format!("{START}/media/{id}")))
}
