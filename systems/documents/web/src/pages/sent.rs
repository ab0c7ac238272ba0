//! A file that was sent by a plain form.

use axum::response::Response;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::upload::Upload as SentFile;
use hansang_server::Caller;

use super::{Pages, done, messages, project};
use crate::actions::whole::{STORE_FILE, WholeFile};
use crate::notices;

/// Stores the file as a new document, or as a new version of one, and starts to process it.
pub(super) async fn take(
    pages: &Pages,
    caller: &Caller,
    project_id: &str,
    document_id: Option<&str>,
    sent: SentFile,
) -> Result<Response, Error> {
    if sent.bytes.is_empty() {
        return Err(Error::fields(vec![violation("file", message!(messages::CHOOSE_FILE))]));
    }
    let file = WholeFile {
        project_id: project_id.to_owned(),
        document_id: document_id.map(str::to_owned),
        name: name(&sent.file_name),
        bytes: sent.bytes,
    };
    let finished = pages.act(&STORE_FILE, caller, file).await?;
    let notice = if finished.duplicates.is_empty() { notices::UPLOADED } else { notices::UPLOADED_AGAIN };
    let project = project::address(project_id);
    Ok(match document_id {
        None => done(notice, &project),
        Some(document_id) => done(notice, &format!("{project}/documents/{document_id}")),
    })
}

/// The name of a file without the folders that some browsers send.
fn name(sent: &str) -> String {
    sent.rsplit(['/', '\\']).next().unwrap_or_default().trim().to_owned()
}
