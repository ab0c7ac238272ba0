//! Uploads with a progress bar: over a server in parts, which go on where they stopped.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use hansang_command::{Context, Does, Failure, progress, say};
use hansang_documents::{NewFile, Received, abort_upload, begin_upload, finish_upload};
use indicatif::ProgressBar;
use reqwest::Method;
use serde_json::{Value as Json, json};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use super::arguments::Upload;
use super::place::{Place, Remote, Store};
use super::read::{member, print_json};
use crate::api::output;
use crate::types::type_of;
use crate::uploads::measure;

/// The bytes of one part.
const PART: u64 = 8 * 1024 * 1024;
/// How often a part is tried that was cut off.
const ATTEMPTS: u32 = 5;

pub(super) async fn upload(
    ask: &Upload,
    context: &Context,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let place = ask.place.open(context).await?;
    let mut code = ExitCode::SUCCESS;
    for file in &ask.files {
        let sent = match &place {
            Place::Store(store) => keep(store, &ask.project, file).await,
            Place::Server(remote) => send(remote, &ask.project, file).await,
        };
        match sent {
            Ok(sent) if ask.place.json => print_json(out, &sent)?,
            Ok(sent) => {
                let document = &sent["document"];
                writeln!(out, "{}  {}", member(document, "document_id"), member(document, "name"))?;
            }
            // The others are uploaded still.
            Err(failure) if ask.files.len() > 1 => {
                failure.report();
                say(&format!("{} was not uploaded", file.display()));
                code = ExitCode::FAILURE;
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(code)
}

fn name_of(file: &Path) -> Result<String, Failure> {
    let name = file.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or_else(|| Failure::usage(format!("{} is no name of a file", file.display())))
}

/// Stores a file in the store of the command.
async fn keep(store: &Store, project_id: &str, file: &Path) -> Result<Json, Failure> {
    let name = name_of(file)?;
    let size = tokio::fs::metadata(file).await.map_err(|error| Failure::unreadable(file, &error))?.len();
    let file_size = i64::try_from(size).unwrap_or(i64::MAX);
    let file_type = type_of(file, "application/octet-stream", &name).await?;
    let (documents, by) = (&store.documents, &store.by);
    let new = NewFile { name, file_type: file_type.clone(), file_size, source_url: None };
    let upload = begin_upload(documents, by, project_id, &new).await?;
    let document_id = &upload.document.document_id;
    let kept = async {
        let arrived = measure(file).await?;
        documents.files.put(&upload.version.s3_key, &file_type, file).await?;
        let file_size = i64::try_from(arrived.size).unwrap_or(i64::MAX);
        let received = Received {
            sha256: arrived.sha256,
            file_size,
            file_type,
            s3_key: Some(upload.version.s3_key.clone()),
        };
        finish_upload(documents, by, project_id, document_id, 1, &received).await
    };
    match kept.await {
        Ok(finished) => Ok(output::finished(finished)),
        Err(error) => {
            abort_upload(documents, project_id, document_id, 1).await?;
            Err(error.into())
        }
    }
}

/// Sends a file to a server in parts.
async fn send(remote: &Remote, project: &str, file: &Path) -> Result<Json, Failure> {
    let name = name_of(file)?;
    let mut opened = tokio::fs::File::open(file).await.map_err(|error| Failure::unreadable(file, &error))?;
    let size = opened.metadata().await?.len();
    let sha256 = measure(file).await?.sha256;
    let body = json!({ "name": name, "file_size": size });
    let begun = remote.send(Method::POST, &["projects", project, "documents"], &body).await?;
    let document = member(&begun["document"], "document_id").to_owned();
    let version = ["projects", project, "documents", &document, "versions", "1"];
    let content = [&version[..], &["content"]].concat();
    let bar = progress::reading(&name, size);
    let (mut there, mut failures) = (0, 0);
    while there < size {
        match part(remote, &content, &mut opened, (there, size), &bar).await {
            Ok(now) => there = now,
            Err(failure) if failures + 1 >= ATTEMPTS => return Err(failure),
            Err(_) => {
                failures += 1;
                there = remote.get(&content, &[]).await?["received"].as_u64().unwrap_or_default();
            }
        }
        bar.set_position(there);
    }
    bar.finish_and_clear();
    let finish = [&version[..], &["finish"]].concat();
    remote.send(Method::POST, &finish, &json!({ "sha256": sha256 })).await
}

/// Sends the part from an offset on. Returns how much is there then.
async fn part(
    remote: &Remote,
    content: &[&str],
    file: &mut tokio::fs::File,
    (there, size): (u64, u64),
    bar: &ProgressBar,
) -> Result<u64, Failure> {
    let end = (there + PART).min(size);
    file.seek(std::io::SeekFrom::Start(there)).await?;
    let mut bytes = Vec::new();
    file.take(end - there).read_to_end(&mut bytes).await?;
    bar.set_position(there);
    let range = format!("bytes {there}-{}/{size}", end - 1);
    let request = remote.request(Method::PUT, content, &[])?;
    // A part takes as long as its connection.
    let request = request.timeout(std::time::Duration::from_secs(600));
    let request = request.header("content-range", range).body(bytes);
    let body = remote.0.send(request, Does::Write).await?.body;
    Ok(body["received"].as_u64().unwrap_or_default())
}
