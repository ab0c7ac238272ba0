//! Changes of the media library.

use bytes::Bytes;
use futures_util::stream::BoxStream;
use hansang_content::{Media, MediaText, change_media, delete_media};
use hansang_content_adapters::upload;
use hansang_core::Error;
use hansang_core::files::unavailable;
use hansang_server::Action;

use super::Change;
use crate::desk::Desk;
use crate::messages;

/// The rest of a file that does not arrive.
pub(crate) struct CutOff;

/// A file to be stored.
pub(crate) struct NewFile {
    pub(crate) filename: String,
    pub(crate) alt: Option<String>,
    /// The pieces of the file, as they arrive; an error if it is cut off.
    pub(crate) pieces: BoxStream<'static, Result<Bytes, CutOff>>,
}

pub(crate) const UPLOAD_MEDIA: Change<NewFile, Media> = Action {
    name: "media.upload",
    summary: &messages::UPLOAD_MEDIA,
    subject: |(_, file)| file.filename.clone(),
    run: |desk, (by, file)| Box::pin(async move { store(desk, &by, file).await }),
};

/// Changes the name, the alternative text and the focal point of a medium of this revision.
pub(crate) const CHANGE_MEDIA: Change<(String, MediaText, i64), Media> = Action {
    name: "media.change",
    summary: &messages::CHANGE_MEDIA,
    subject: |(_, (id, ..))| id.clone(),
    run: |desk, (_, (id, text, revision))| {
        Box::pin(async move { change_media(&desk.content, &id, &text, revision).await })
    },
};

pub(crate) const DELETE_MEDIA: Change<(String, i64), ()> = Action {
    name: "media.delete",
    summary: &messages::DELETE_MEDIA,
    subject: |(_, (id, _))| id.clone(),
    run: |desk, (_, (id, revision))| {
        Box::pin(async move { delete_media(&desk.content, &*desk.outside.files, &id, revision).await })
    },
};

async fn store(desk: &Desk, by: &str, file: NewFile) -> Result<Media, Error> {
    let outside = &desk.outside;
    let NewFile { filename, alt, pieces } = file;
    tokio::fs::create_dir_all(&outside.uploads).await.map_err(unavailable)?;
    upload(
        &desk.content,
        &*outside.files,
        &outside.uploads,
        &outside.limits,
        by,
        &filename,
        alt.as_deref(),
        pieces,
    )
    .await
}
