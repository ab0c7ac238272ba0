//! Uploads: their parameters and bodies.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::HttpCode;
use hansang_http::input::Parameters;
use hansang_http::messages as http;
use hansang_http::problem::Problem;
use hansang_http::route::{Described, query_parameter};
use hansang_ledger::import::{Choice, MAX_ROWS, Mapping};
use hansang_ledger::{Kind, LedgerCode, Subject, messages as ledger};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::messages as api;

/// The maximum duration of an upload.
const UPLOAD_TIME: Duration = Duration::from_secs(600);
/// The maximum number of characters of the name of a source.
const MAX_PROFILE: usize = 80;

/// The decision about a row, as it is sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SentChoice {
    #[serde(default)]
    exclude: bool,
    #[serde(default)]
    anyway: bool,
    #[serde(default)]
    never: bool,
    kind: Option<Kind>,
    name: Option<String>,
    detail: Option<String>,
}

/// The parameters of an upload.
pub(super) struct Upload {
    pub(super) file: String,
    pub(super) profile: Option<String>,
    pub(super) mapping: Option<Mapping>,
    pub(super) choices: BTreeMap<usize, Choice>,
}

impl Upload {
    /// Reads the parameters; every problem of them at once.
    pub(super) fn of(mut asked: Parameters) -> Result<Self, Error> {
        let mut violations = Vec::new();
        let file = asked.take("file").unwrap_or_else(|| "import".to_owned());
        if !(1..=200).contains(&file.chars().count()) {
            violations.push(violation("file", message!(fields::MAX_CHARACTERS, 200)));
        }
        let profile = asked.take("profile");
        if profile.as_ref().is_some_and(|profile| !is_source(profile)) {
            let problem = message!(ledger::NAME_INVALID, "profile", profile.clone().unwrap_or_default());
            violations.push(violation("profile", problem));
        }
        let mut json = |name: &str| {
            let text = asked.take(name)?;
            serde_json::from_str::<Json>(&text)
                .map_err(|_| violations.push(violation(name, message!(fields::NOT_JSON))))
                .ok()
        };
        let (mapping, choices) = (json("mapping"), json("choices"));
        let mapping = mapping.and_then(|json| {
            let wrong = message!(ledger::MAPPING_INVALID);
            serde_json::from_value(json).map_err(|_| violations.push(violation("mapping", wrong))).ok()
        });
        let choices = choices.and_then(|json| {
            choices_of(json).map_err(|problem| violations.push(violation("choices", problem))).ok()
        });
        if !violations.is_empty() {
            return Err(Error::fields(violations));
        }
        asked.finish()?;
        Ok(Self { file, profile, mapping, choices: choices.unwrap_or_default() })
    }
}

impl Upload {
    /// The name of the source: as it was sent, or that of a known source, or of the file.
    pub(super) fn source(&self, known: Option<&str>) -> String {
        self.profile.as_deref().or(known).map_or_else(|| source_of(&self.file), str::to_owned)
    }
}

/// The decisions about rows, by the numbers of their lines.
fn choices_of(json: Json) -> Result<BTreeMap<usize, Choice>, hansang_core::Message> {
    let sent: BTreeMap<usize, SentChoice> =
        serde_json::from_value(json).map_err(|_| message!(api::NOT_AN_OBJECT))?;
    let choice = |(line, sent): (usize, SentChoice)| {
        let subject = match (sent.kind, &sent.name) {
            (None, None) => None,
            (Some(kind), Some(name)) => {
                Some(Subject::new(kind, name, sent.detail.as_deref()).map_err(|error| error.message)?)
            }
            _ => return Err(message!(api::NOT_AN_OBJECT)),
        };
        let SentChoice { exclude, anyway, never, .. } = sent;
        Ok((line, Choice { subject, exclude, anyway, never }))
    };
    sent.into_iter().map(choice).collect()
}

/// Whether a text can name a source.
fn is_source(text: &str) -> bool {
    (1..=MAX_PROFILE).contains(&text.chars().count())
        && !text.contains('#')
        && !text.chars().any(char::is_control)
}

/// The name of a source that nothing is known of: that of its file.
pub(crate) fn source_of(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let name: String = stem.chars().filter(|c| *c != '#' && !c.is_control()).take(MAX_PROFILE).collect();
    if name.is_empty() { "import".to_owned() } else { name }
}

/// The whole body, up to a size.
pub(super) async fn whole(body: Body, most: usize) -> Result<Vec<u8>, Problem> {
    let broken = || Error::invalid(HttpCode::BodyUnreadable, message!(http::BODY_UNREADABLE));
    let read = async {
        let (mut bytes, mut chunks) = (Vec::new(), body.into_data_stream());
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| broken())?;
            if bytes.len() + chunk.len() > most {
                let message = message!(ledger::FILE_TOO_LARGE, most / 1024 / 1024, MAX_ROWS);
                return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, LedgerCode::FileTooLarge, message));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    tokio::time::timeout(UPLOAD_TIME, read).await.map_err(|_| Problem::from(broken()))?
}

/// The parameters of an upload, in the description.
pub(super) fn parameters() -> Vec<Described> {
    let text = || json!({ "type": "string", "minLength": 1, "maxLength": 200 });
    let source = json!({
        "type": "string", "minLength": 1, "maxLength": MAX_PROFILE, "pattern": r"^[^#\x00-\x1F\x7F-\x9F]+$",
    });
    let coded = || json!({ "type": "string", "contentMediaType": "application/json" });
    vec![
        query_parameter("file", false, text(), message!(api::FILE_NAME)),
        query_parameter("profile", false, source, message!(api::PROFILE)),
        query_parameter("mapping", false, coded(), message!(api::MAPPING)),
        query_parameter("choices", false, coded(), message!(api::CHOICES)),
    ]
}
