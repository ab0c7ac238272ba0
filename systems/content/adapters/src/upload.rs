//! Uploads: streamed to disk, recognised by their content, resized, stored.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use hansang_content::{Content, ContentCode, Media, NewMedia, begin_media, file_key, finish_media};
use hansang_core::files::{Files, unavailable};
use hansang_core::{Error, Message, message};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Semaphore;

use crate::messages;
use crate::pictures::{self, Picture};

/// Pictures are decoded one at a time, so that memory is bounded by that of the largest one.
static DECODING: Semaphore = Semaphore::const_new(1);

/// The limits of uploads.
#[derive(Clone, Debug)]
pub struct UploadLimits {
    /// The maximum number of bytes.
    pub max_bytes: u64,
    /// The maximum number of pixels. Decoding needs about 8 bytes a pixel.
    pub max_pixels: u64,
    /// The widths of smaller sizes.
    pub widths: Vec<u32>,
}

impl Default for UploadLimits {
    fn default() -> Self {
        Self { max_bytes: 20 << 20, max_pixels: 40_000_000, widths: vec![320, 640, 1024, 1600, 2400] }
    }
}

/// Stores an uploaded file as a medium. `folder` is an existing directory for what is not stored yet.
///
/// # Errors
/// `media_refused` for a file that is too large, is no picture or PDF by its content, has too many pixels or is damaged;
/// `files_unavailable` when it cannot be stored. What was begun is deleted by the worker.
#[allow(
    clippy::too_many_arguments,
    reason = "each is a different thing, and a struct for one call would only rename them"
)]
pub async fn upload<S, E>(
    content: &Content,
    files: &dyn Files,
    folder: &Path,
    limits: &UploadLimits,
    by: &str,
    filename: &str,
    alt: Option<&str>,
    body: S,
) -> Result<Media, Error>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin + Send,
    E: Send,
{
    let workspace = TempDir::new_in(folder).map_err(unavailable)?;
    let file = workspace.path().join("upload");
    let size = receive(&file, body, limits.max_bytes).await?;
    let content_type = recognise(&file).await?;
    let picture = match content_type {
        "application/pdf" => None,
        _ => Some(read_picture(&file, workspace.path(), limits, content_type).await?),
    };
    let variants = picture.as_ref().map(|picture| picture.variants.as_slice()).unwrap_or_default();
    let new = NewMedia {
        filename: name_of(filename),
        content_type: content_type.to_owned(),
        size: i64::try_from(size).unwrap_or(i64::MAX),
        pixels: picture.as_ref().map(|picture| (picture.width.into(), picture.height.into())),
        alt: alt.map(str::to_owned),
        variants: variants.iter().map(|(variant, _)| variant.clone()).collect(),
    };
    let media = begin_media(content, by, &new).await?;
    files.put(&file_key(&media.id, &media.original()), content_type, &file).await?;
    for (variant, path) in variants {
        files.put(&file_key(&media.id, &variant.name), &variant.content_type, path).await?;
    }
    finish_media(content, &media.id).await
}

/// Writes a body to a file. Returns the number of bytes.
async fn receive<S, E>(file: &Path, mut body: S, most: u64) -> Result<u64, Error>
where
    S: Stream<Item = Result<Bytes, E>> + Unpin + Send,
{
    let mut out = tokio::fs::File::create(file).await.map_err(unavailable)?;
    let mut size = 0;
    while let Some(piece) = body.next().await {
        let Ok(piece) = piece else { return Err(refused(message!(messages::CUT_OFF))) };
        size += piece.len() as u64;
        if size > most {
            return Err(refused(message!(messages::TOO_LARGE, most >> 20)));
        }
        out.write_all(&piece).await.map_err(unavailable)?;
    }
    out.flush().await.map_err(unavailable)?;
    Ok(size)
}

/// The type of a file by its first bytes, whatever its name is.
async fn recognise(file: &Path) -> Result<&'static str, Error> {
    let path = file.to_owned();
    let found = tokio::task::spawn_blocking(move || infer::get_from_path(path));
    let found = found.await.map_err(unavailable)?.map_err(unavailable)?;
    let allowed = ["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf"];
    let known = found.and_then(|found| allowed.into_iter().find(|one| *one == found.mime_type()));
    known.ok_or_else(|| refused(message!(messages::WRONG_TYPE)))
}

async fn read_picture(
    file: &Path,
    folder: &Path,
    limits: &UploadLimits,
    content_type: &str,
) -> Result<Picture, Error> {
    let _turn = DECODING.acquire().await.map_err(unavailable)?;
    let (file, folder): (PathBuf, PathBuf) = (file.to_owned(), folder.to_owned());
    let (widths, most, is_gif) = (limits.widths.clone(), limits.max_pixels, content_type == "image/gif");
    let read = tokio::task::spawn_blocking(move || {
        let animated = is_gif || pictures::is_animated_webp(&file);
        pictures::read(&file, &folder, &widths, most, animated)
    });
    read.await.map_err(unavailable)?.map_err(refused)
}

/// The last part of a path, as some browsers send one.
fn name_of(filename: &str) -> String {
    let name = filename.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
    if plain.trim().is_empty() { "upload".to_owned() } else { plain }
}

fn refused(why: Message) -> Error {
    Error::invalid(ContentCode::MediaRefused, why)
}
