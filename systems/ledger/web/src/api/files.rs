//! Files: imports of banks and cards, exports, and restoring one.

use axum::Json as Answered;
use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use futures_util::{StreamExt as _, stream};
use hansang_core::message::Language;
use hansang_core::{Error, message};
use hansang_http::HttpCode;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::problem::Problem;
use hansang_http::route::{Described, Route, json_answer};
use hansang_ledger::import::{
    MAX_BYTES, Mapping, Table, import_of, imports, learned, mapping_of, preview, read,
};
use hansang_ledger::{Export, LedgerCode, export, messages as ledger};
use hansang_server::Caller;
use hansang_server::schema::response;
use serde_json::{Value as Json, json};
use tokio::sync::OwnedSemaphorePermit;

use super::export_schema::export_schema;
use super::output::{Items, ShownCount, ShownImport, ShownLearned, ShownPreview};
use super::upload::{Upload, parameters, whole};
use super::{Books, Responded};
use crate::actions::{FORGET_MERCHANT, FORGET_SOURCE, IMPORT, ImportFile, RESTORE, UNDO_IMPORT, act};
use crate::messages as api;
use hansang_access::Role;

/// The maximum size of an export that is restored.
pub(crate) const MAX_EXPORT: usize = 4 * MAX_BYTES;

/// A format of exports.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    pub(crate) name: &'static str,
    media: &'static str,
    file: &'static str,
    pub(crate) write: fn(&Export) -> Result<Vec<u8>, Error>,
}

/// The formats of exports.
pub(crate) const FORMATS: [Format; 4] = [
    Format {
        name: "csv",
        media: "text/csv; charset=utf-8",
        file: "ledger.csv",
        write: |export| export.csv().map(String::into_bytes),
    },
    Format { name: "json", media: "application/json", file: "ledger.json", write: json_of },
    Format {
        name: "xlsx",
        media: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        file: "ledger.xlsx",
        write: |export| export.xlsx(Language::English),
    },
    Format {
        name: "hledger",
        media: "text/plain; charset=utf-8",
        file: "ledger.journal",
        write: |export| Ok(export.journal().into_bytes()),
    },
];

impl Books {
    pub(super) fn file_routes(&self) -> Vec<Route> {
        let mut routes = vec![
            self.preview_route(),
            self.read(
                "imports",
                "import.list",
                (message!(api::LIST_IMPORTS), message!(api::THE_IMPORTS)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(Items::<ShownImport>::of(imports(&books.ledger).await?))
                },
            ),
            self.read(
                "imports/{importId}",
                "import.get",
                (message!(api::GET_IMPORT), message!(api::THE_IMPORT)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownImport::from(import_of(&books.ledger, &key.text("importId")).await?))
                },
            ),
            self.import_route(),
            self.order(
                (Method::POST, "imports/{importId}/undo"),
                UNDO_IMPORT,
                |key, _| Ok(key.text("importId")),
                Some(ShownImport::from),
            ),
            self.restore_route(),
            self.read(
                "learned",
                "learned.list",
                (message!(api::LEARNED), message!(api::THE_LEARNED)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownLearned::from(learned(&books.ledger).await?))
                },
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, "learned/sources/{source}"),
                FORGET_SOURCE,
                |key, _| Ok(key.text("source")),
                None,
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, "learned/merchants/{merchant}"),
                FORGET_MERCHANT,
                |key, _| Ok(key.text("merchant")),
                None,
            ),
        ];
        routes.extend(FORMATS.map(|format| self.export_route(format)));
        routes
    }

    fn preview_route(&self) -> Route {
        let books = self.clone();
        let shown = response::<ShownPreview>(self.model());
        let mut route = self.route(
            Method::POST,
            "imports/preview",
            "import.preview",
            message!(api::PREVIEW),
            Role::Editor,
        );
        route.parameters.extend(parameters());
        Route {
            body: Some(any_file()),
            answers: vec![(200, json_answer(message!(api::THE_PREVIEW), shown))],
            refusals: &[409, 413],
            streams: true,
            handler: on(MethodFilter::POST, async move |_: Caller, asked: Parameters, body: Body| {
                books.answer_preview(asked, body).await
            }),
            ..route
        }
    }

    fn import_route(&self) -> Route {
        let books = self.clone();
        let shown = response::<ShownImport>(self.model());
        let mut route = self.route(Method::POST, "imports", IMPORT.name, IMPORT.summary(), Role::Editor);
        route.parameters.extend(parameters());
        Route {
            body: Some(any_file()),
            answers: vec![(201, json_answer(message!(api::CREATED), shown))],
            refusals: &[409, 413],
            streams: true,
            handler: on(MethodFilter::POST, async move |caller: Caller, asked: Parameters, body: Body| {
                books.answer_import(&caller, asked, body).await
            }),
            ..route
        }
    }

    fn export_route(&self, format: Format) -> Route {
        let books = self.clone();
        let schema = if format.media == "application/json" { json!({}) } else { json!({ "type": "string" }) };
        let media = format.media.split(';').next().unwrap_or_default();
        let content = json!({ "content": { media: { "schema": schema } } });
        let (path, operation) = (format!("exports/{}", format.name), format!("export.{}", format.name));
        Route {
            answers: vec![(200, Described::new(message!(api::THE_EXPORT), content))],
            streams: true,
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                books.answer_export(format, asked).await
            }),
            ..self.route(Method::GET, &path, &operation, message!(api::EXPORT), Role::Viewer)
        }
    }

    fn restore_route(&self) -> Route {
        let books = self.clone();
        let shown = response::<ShownCount>(self.model());
        let whole =
            json!({ "required": true, "content": { "application/json": { "schema": export_schema() } } });
        Route {
            body: Some(whole),
            answers: vec![(200, json_answer(message!(api::DONE), shown))],
            refusals: &[409, 413],
            streams: true,
            handler: on(MethodFilter::POST, async move |caller: Caller, asked: Parameters, body: Body| {
                books.answer_restore(&caller, asked, body).await
            }),
            ..self.route(Method::POST, "restore", RESTORE.name, RESTORE.summary(), Role::Editor)
        }
    }

    async fn answer_preview(&self, asked: Parameters, body: Body) -> Responded {
        let upload = Upload::of(asked)?;
        let (table, _permit) = self.table(body).await?;
        let look = async {
            let (known, mapping) = self.mapping(&upload, &table).await?;
            let profile = upload.source(known.as_deref());
            let preview = preview(&self.ledger, &profile, &table, &mapping, &upload.choices).await?;
            Ok(ShownPreview::of(known, mapping, preview))
        };
        Ok(streamed(self.calls.measured("import.preview", look).await?))
    }

    async fn answer_import(&self, caller: &Caller, asked: Parameters, body: Body) -> Responded {
        let upload = Upload::of(asked)?;
        let (table, _permit) = self.table(body).await?;
        let (known, mapping) = self.mapping(&upload, &table).await?;
        let profile = upload.source(known.as_deref());
        let file = ImportFile { file: upload.file, profile, table, mapping, choices: upload.choices };
        let done = act(&IMPORT, &self.calls, &self.ledger, caller, file).await?;
        Ok((StatusCode::CREATED, Answered(ShownImport::from(done))).into_response())
    }

    async fn answer_export(&self, format: Format, asked: Parameters) -> Responded {
        asked.finish()?;
        let all = self.calls.measured("export", export(&self.ledger)).await?;
        let bytes = (format.write)(&all)?;
        let file = format!("attachment; filename=\"{}\"", format.file);
        let headers = [(header::CONTENT_TYPE, format.media.to_owned()), (header::CONTENT_DISPOSITION, file)];
        Ok((headers, bytes).into_response())
    }

    async fn answer_restore(&self, caller: &Caller, asked: Parameters, body: Body) -> Responded {
        asked.finish()?;
        let _permit = self.permit()?;
        let bytes = whole(body, MAX_EXPORT).await?;
        let export: Export = serde_json::from_slice(&bytes).map_err(|error| {
            let message = message!(api::NOT_AN_EXPORT, error.line(), error.column());
            Error::invalid(HttpCode::InvalidBody, message)
        })?;
        let count = act(&RESTORE, &self.calls, &self.ledger, caller, export).await?;
        Ok(Answered(ShownCount { count }).into_response())
    }

    /// The right to read a file.
    fn permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let busy = |_| Problem::try_again(LedgerCode::Busy, message!(ledger::BUSY));
        self.uploads.clone().try_acquire_owned().map_err(busy)
    }

    /// The rows of an uploaded file.
    async fn table(&self, body: Body) -> Result<(Table, OwnedSemaphorePermit), Problem> {
        let permit = self.permit()?;
        let bytes = whole(body, MAX_BYTES).await?;
        let table = tokio::task::spawn_blocking(move || read(&bytes)).await;
        let damaged = |_| Problem::internal(LedgerCode::FileInvalid);
        Ok((table.map_err(damaged)??, permit))
    }

    /// The mapping of a file: the one that was sent, otherwise that of its source, otherwise a guess.
    async fn mapping(&self, upload: &Upload, table: &Table) -> Result<(Option<String>, Mapping), Error> {
        match &upload.mapping {
            Some(mapping) => Ok((upload.profile.clone(), mapping.clone())),
            None => mapping_of(&self.ledger, table, upload.profile.as_deref(), None).await,
        }
    }
}

/// A preview whose rows are sent piece by piece.
fn streamed(mut preview: ShownPreview) -> Response {
    let rows = std::mem::take(&mut preview.rows);
    let head = serde_json::to_string(&preview).unwrap_or_default();
    // The rows are the last member.
    let head = head.strip_suffix("]}").unwrap_or(&head).to_owned();
    let mut first = true;
    let rows = rows.into_iter().map(move |row| {
        let text = serde_json::to_string(&row).unwrap_or_default();
        if std::mem::take(&mut first) { text } else { format!(",{text}") }
    });
    let pieces = std::iter::once(head).chain(rows).chain(std::iter::once("]}".to_owned()));
    let pieces =
        stream::iter(pieces).ready_chunks(500).map(|part| Ok::<_, std::convert::Infallible>(part.concat()));
    ([(header::CONTENT_TYPE, "application/json")], Body::from_stream(pieces)).into_response()
}

fn json_of(export: &Export) -> Result<Vec<u8>, Error> {
    serde_json::to_vec_pretty(export).map_err(|error| {
        Error::internal(LedgerCode::FileInvalid, message!(ledger::FILE_DAMAGED)).caused_by(error)
    })
}

/// A body of any content.
fn any_file() -> Json {
    let binary = json!({ "schema": { "type": "string", "format": "binary" } });
    json!({ "required": true, "content": { "application/octet-stream": binary } })
}
