//! The look of the site: templates and files, built in or from a directory.
//!
//! A directory replaces single files of the built-in theme, and may add files of its own. Templates are those of Jinja.
//! They are read and checked when the server starts or is told to reload.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use hansang_command::Failure;
use hansang_core::{Error, message};
use hansang_http::problem::{Problem, no_such_path};
use hansang_http::route::Route;
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, context};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Site;
use super::visit::{Frame, Head, Visit};
use crate::code::WebCode;
use crate::messages;

/// The files of the built-in theme.
const BUILT_IN: [(&str, &str); 12] = [
    ("about.html", include_str!("../../themes/default/about.html")),
    ("contact.html", include_str!("../../themes/default/contact.html")),
    ("home.html", include_str!("../../themes/default/home.html")),
    ("layout.html", include_str!("../../themes/default/layout.html")),
    ("message.html", include_str!("../../themes/default/message.html")),
    ("parts.html", include_str!("../../themes/default/parts.html")),
    ("post.html", include_str!("../../themes/default/post.html")),
    ("posts.html", include_str!("../../themes/default/posts.html")),
    ("received.html", include_str!("../../themes/default/received.html")),
    ("search.html", include_str!("../../themes/default/search.html")),
    ("icon.svg", include_str!("../../themes/default/icon.svg")),
    ("style.css", include_str!("../../themes/default/style.css")),
];

/// The maximum bytes of a file of a theme.
const MAX_FILE: u64 = 4 * 1024 * 1024;
/// The maximum number of files of a theme.
const MAX_FILES: usize = 200;

/// A theme that is ready to use.
pub(crate) struct Theme {
    templates: Environment<'static>,
    files: Arc<BTreeMap<String, File>>,
}

/// A file that visitors load.
struct File {
    media: &'static str,
    bytes: Bytes,
    hash: String,
}

impl Theme {
    /// Opens the built-in theme, with the files of a directory in place of its own.
    ///
    /// # Errors
    /// A directory that cannot be read, and the first template with a mistake.
    pub(crate) fn open(directory: Option<&Path>, site: &str) -> Result<Self, Failure> {
        let mut all: BTreeMap<String, Vec<u8>> =
            BUILT_IN.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        if let Some(directory) = directory {
            read(directory, &mut all)?;
        }
        let mut templates = environment();
        let mut files = BTreeMap::new();
        for (name, bytes) in all {
            if name.ends_with(".html") {
                let text = String::from_utf8(bytes).map_err(|_| wrong(&name, "it is not UTF-8"))?;
                templates
                    .add_template_owned(name.clone(), text)
                    .map_err(|error| wrong(&name, &said(&error)))?;
            } else {
                let media = media(&name).ok_or_else(|| wrong(&name, "sites have no files of this kind"))?;
                let hash = Sha256::digest(&bytes)[..6].iter().map(|byte| format!("{byte:02x}")).collect();
                files.insert(name, File { media, bytes: bytes.into(), hash });
            }
        }
        let files = Arc::new(files);
        let (known, base) = (files.clone(), site.to_owned());
        templates.add_function("asset", move |name: &str| match known.get(name) {
            Some(file) => Ok(format!("{base}/theme/{name}?v={}", file.hash)),
            None => Err(minijinja::Error::new(
                minijinja::ErrorKind::InvalidOperation,
                format!("the theme has no file `{name}`"),
            )),
        });
        Ok(Self { templates, files })
    }

    /// Renders a page.
    ///
    /// # Errors
    /// A mistake in a template, which is logged with its line.
    pub(super) fn render(
        &self,
        template: &str,
        visit: &Visit,
        frame: &Frame,
        head: &Head,
        page: &impl Serialize,
    ) -> Result<String, Problem> {
        let failed = |error: minijinja::Error| {
            let error = Error::internal(WebCode::Template, message!(messages::TEMPLATE, said(&error)));
            Problem::from(error)
        };
        let canonical = head.path.as_deref().map(|path| visit.absolute(path));
        let context = context! {
            lang => visit.language.code(),
            base => visit.url("/"),
            home => visit.url("/"),
            contact => visit.url("/contact"),
            search => visit.url("/search"),
            posts_url => visit.url("/posts"),
            feed => visit.absolute("/feed.xml"),
            other_language => visit.in_language(visit.say("ko", "en")),
            canonical => canonical,
            name => frame.name(),
            site => Value::from(Serde(frame)),
            head => Value::from(Serde(head)),
            image => head.image.as_deref().map(|image| visit.picture(image)),
            page => Value::from(Serde(page)),
        };
        self.templates.get_template(template).and_then(|template| template.render(context)).map_err(failed)
    }
}

impl Site {
    /// The files of the theme. An address with the right hash never changes.
    pub(super) fn assets(&self) -> Route {
        self.route(
            "/theme/{name}",
            async move |site: Self, visit: Visit, headers: HeaderMap, name: String| {
                let file = site.desk.theme.files.get(&name).ok_or_else(no_such_path)?;
                Ok(respond(file, visit.asked.text("v"), &headers))
            },
        )
    }
}

fn respond(file: &File, asked: &str, headers: &HeaderMap) -> Response {
    let control = if asked == file.hash { "public, max-age=31536000, immutable" } else { "no-cache" };
    let tag = format!("\"{}\"", file.hash);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let head = [
        (header::CACHE_CONTROL, control.to_owned()),
        (header::ETAG, tag),
        (header::CONTENT_TYPE, file.media.to_owned()),
    ];
    if known {
        return (StatusCode::NOT_MODIFIED, head).into_response();
    }
    (head, file.bytes.clone()).into_response()
}

/// Reads the files of a directory.
fn read(directory: &Path, all: &mut BTreeMap<String, Vec<u8>>) -> Result<(), Failure> {
    let unreadable = |error: &std::io::Error| Failure::unreadable(directory, error);
    let entries = fs::read_dir(directory).map_err(|error| unreadable(&error))?;
    for (count, entry) in entries.enumerate() {
        let entry = entry.map_err(|error| unreadable(&error))?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() || name.starts_with('.') || name.ends_with(".md") {
            continue;
        }
        let size = fs::metadata(&path).map_err(|error| Failure::unreadable(&path, &error))?.len();
        if size > MAX_FILE || count >= MAX_FILES {
            return Err(wrong(&name, &format!("a theme has at most {MAX_FILES} files of {MAX_FILE} bytes")));
        }
        all.insert(name, fs::read(&path).map_err(|error| Failure::unreadable(&path, &error))?);
    }
    Ok(())
}

fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    // A misspelt name is a mistake; an absent value is empty.
    environment.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    environment.set_formatter(|out, state, value| {
        if value.is_none() {
            return Ok(());
        }
        if value.is_safe() || *state.auto_escape() != AutoEscape::Html {
            return write!(out, "{value}").map_err(Into::into);
        }
        let text = value.to_string();
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        out.write_str(&escaped.replace('"', "&quot;").replace('\'', "&#39;")).map_err(Into::into)
    });
    environment.add_function("say", |state: &State, english: &str, korean: &str| {
        let is_korean = state.lookup("lang").is_some_and(|lang| lang.as_str() == Some("ko"));
        if is_korean { korean.to_owned() } else { english.to_owned() }
    });
    environment
}

/// A mistake with its place.
fn said(error: &minijinja::Error) -> String {
    let place = match (error.name(), error.line()) {
        (Some(name), Some(line)) => format!("{name}, line {line}: "),
        _ => String::new(),
    };
    format!("{place}{error}")
}

fn wrong(name: &str, problem: &str) -> Failure {
    Failure::usage(format!("content-theme: `{name}`: {problem}"))
}

/// The media type of a file, by its name.
fn media(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1.to_ascii_lowercase().as_str() {
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => return None,
    })
}
