//! Files that are worked on: the document's, and images of its pages.

use std::io;
use std::path::{Path, PathBuf};

use futures_util::StreamExt as _;
use hansang_core::message;
use hansang_core::{Error, files};
use hansang_documents::{Claimed, document_file_key};
use tempfile::TempDir;
use tokio::fs;
use tokio::io::AsyncWriteExt as _;

use super::{Failure, Processor};
use crate::event::ImageFile;
use crate::limits::{Options, Scans};
use crate::messages;
use crate::trouble::{ProcessingCode, Trouble};

/// A document's file, and a directory for images, both deleted at the end.
pub(super) struct Work {
    folder: TempDir,
    pub(super) file: PathBuf,
}

/// Deletes what an earlier process has left.
pub(super) async fn clean(scratch: &Path) -> io::Result<()> {
    match fs::remove_dir_all(scratch).await {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(scratch).await,
    }
}

impl Work {
    /// Gets the file of a document.
    pub(super) async fn begin(processor: &Processor, claimed: &Claimed) -> Result<Self, Failure> {
        fs::create_dir_all(&processor.scratch).await?;
        let folder = tempfile::tempdir_in(&processor.scratch)?;
        fs::create_dir(folder.path().join("images")).await?;
        let work = Self { file: folder.path().join("file"), folder };
        let missing = || {
            let error = Error::not_found(ProcessingCode::FileMissing, message!(messages::FILE_MISSING));
            Failure { error, retry: false }
        };
        let key = claimed.document.s3_key.as_deref().ok_or_else(missing)?;
        let mut body = processor.documents.files.get(key, None).await?.ok_or_else(missing)?;
        let mut file = fs::File::create(&work.file).await?;
        while let Some(chunk) = body.chunks.next().await {
            file.write_all(&chunk.map_err(files::unavailable)?).await?;
        }
        file.flush().await?;
        Ok(work)
    }

    /// Options to read the file, with images.
    pub(super) fn options(&self, processor: &Processor, claimed: &Claimed, scans: Scans) -> Options {
        Options {
            name: Some(claimed.document.name.clone()),
            images: Some(self.folder.path().join("images")),
            scans,
            limits: processor.limits,
            ..Options::default()
        }
    }

    pub(super) fn image(&self, image: &ImageFile) -> PathBuf {
        self.folder.path().join("images").join(&image.name)
    }

    /// Stores the image of a page with the document, and returns its key.
    pub(super) async fn keep(
        &self,
        processor: &Processor,
        claimed: &Claimed,
        image: &ImageFile,
    ) -> Result<String, Failure> {
        // The name has only characters of keys: the reader is not trusted with it.
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-".contains(&byte);
        if !image.name.bytes().all(is_plain) || image.name.starts_with('.') || image.name.is_empty() {
            return Err(Trouble::Crashed.into());
        }
        let name = format!("pages-{}/{}", claimed.lease.workflow_id, image.name);
        let key = document_file_key(&claimed.document.project_id, &claimed.document.document_id, &name);
        let path = self.image(image);
        processor.documents.files.put(&key, image.content_type(), &path).await?;
        fs::remove_file(&path).await?;
        Ok(key)
    }
}
