//! Files in a local directory.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use hansang_content::{ContentCode, FileBody, Files};
use hansang_core::{Error, message};
use tokio::io::AsyncReadExt as _;

use crate::messages;

/// The number of bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// The files of media in a directory. Several processes of one machine may share it.
#[derive(Clone, Debug)]
pub struct Directory {
    root: PathBuf,
}

impl Directory {
    /// The files in a directory, which is created with the first one.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    fn path(&self, key: &str) -> Result<PathBuf, Error> {
        if is_key(key) {
            Ok(self.root.join(key))
        } else {
            Err(Error::invalid(ContentCode::MediaUnknown, message!(messages::WRONG_KEY, key)))
        }
    }
}

#[async_trait]
impl Files for Directory {
    async fn put(&self, key: &str, _: &str, file: &Path) -> Result<(), Error> {
        let (path, file) = (self.path(key)?, file.to_owned());
        let stored = tokio::task::spawn_blocking(move || store(&path, &mut File::open(file)?));
        stored.await.map_err(unavailable)?.map_err(unavailable)
    }

    async fn get(&self, key: &str) -> Result<Option<FileBody>, Error> {
        let file = match tokio::fs::File::open(self.path(key)?).await {
            Ok(file) => file,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let metadata = file.metadata().await.map_err(unavailable)?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let chunks = stream::try_unfold(file, async |mut file| {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece).await?;
            piece.truncate(read);
            Ok((read > 0).then(|| (Bytes::from(piece), file)))
        });
        Ok(Some(FileBody { size: metadata.len(), chunks: chunks.boxed() }))
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        let path = self.path(key)?;
        match tokio::fs::remove_file(&path).await {
            Err(error) if !is_missing(&error) => return Err(unavailable(error)),
            _ => {}
        }
        // The last file takes its folder along; a folder with files stays.
        if let Some(folder) = path.parent().filter(|folder| *folder != self.root) {
            let _ = tokio::fs::remove_dir(folder).await;
        }
        Ok(())
    }

    fn address(&self, _: &str, _: Duration) -> Option<String> {
        None
    }
}

/// Stores what a reader gives in a file, which then survives a crash and is never seen half written.
pub(crate) fn store(path: &Path, content: &mut dyn Read) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{}-{number}.tmp", std::process::id()));
    let written = write(&temporary, path, content);
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    // The names of the file and of a new folder are stored too.
    sync_folder(folder)?;
    folder.parent().map_or(Ok(()), sync_folder)
}

fn write(temporary: &Path, path: &Path, content: &mut dyn Read) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    io::copy(content, &mut file)?;
    file.sync_all()?;
    fs::rename(temporary, path)
}

/// Directories can be opened to be synced on Unix alone.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) && !folder.as_os_str().is_empty() { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether a key is names of letters, digits, `.`, `_` and `-`, joined by `/`, that stay below the directory.
fn is_key(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    key.len() <= 200 && key.split('/').all(|name| !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

pub(crate) fn unavailable(error: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unavailable(ContentCode::FilesUnavailable, message!(messages::FILES_UNAVAILABLE)).caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_below_the_directory() {
        for good in ["a/original.jpg", "01JD3Q0V8B5X9K2M4N6P7R8S9T/640.webp"] {
            assert!(is_key(good), "{good}");
        }
        for bad in ["", "/etc/passwd", "../x", "a/../../x", "a//b", "a\\b", ".hidden", "a/.x.tmp", "a\0", "가"] {
            assert!(!is_key(bad), "{bad:?}");
        }
    }
}
