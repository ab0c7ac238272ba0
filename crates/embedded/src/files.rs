//! Files in a local directory.

use std::fs::{self, File};
use std::io::{self, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::stream;
use hansang_core::Error;
use hansang_core::files::{FileBody, Files, check_key, clip, unavailable};
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

/// The number of bytes that are read at once.
const PIECE: u64 = 64 * 1024;

/// The attempts to store a file whose folder is deleted meanwhile.
const ATTEMPTS: usize = 3;

/// Files in a directory. Several processes of one machine may share it.
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
        check_key(key)?;
        Ok(self.root.join(key))
    }

    /// Removes the folders above a path that are empty, up to the root. A folder with files stays.
    async fn prune(&self, path: &Path) {
        for folder in path.ancestors().skip(1).take_while(|folder| *folder != self.root) {
            if tokio::fs::remove_dir(folder).await.is_err() {
                return;
            }
        }
    }
}

#[async_trait]
impl Files for Directory {
    async fn put(&self, key: &str, _: &str, file: &Path) -> Result<(), Error> {
        let (path, file) = (self.path(key)?, file.to_owned());
        let stored = tokio::task::spawn_blocking(move || store(&path, &file));
        stored.await.map_err(unavailable)?.map_err(unavailable)
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        let mut file = match tokio::fs::File::open(self.path(key)?).await {
            Ok(file) => file,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let metadata = file.metadata().await.map_err(unavailable)?;
        if !metadata.is_file() {
            return Ok(None);
        }
        let size = metadata.len();
        let range = clip(range, size);
        if range.start > 0 {
            file.seek(SeekFrom::Start(range.start)).await.map_err(unavailable)?;
        }
        let chunks = stream::try_unfold((file, range.end - range.start), async |(mut file, left)| {
            let mut piece = Vec::new();
            let read = (&mut file).take(left.min(PIECE)).read_to_end(&mut piece).await? as u64;
            if read == 0 && left > 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Ok((read > 0).then(|| (Bytes::from(piece), (file, left - read))))
        });
        Ok(Some(FileBody { size, range, chunks: chunks.boxed() }))
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        let path = self.path(key)?;
        match tokio::fs::remove_file(&path).await {
            Err(error) if !is_missing(&error) && !path.is_dir() => return Err(unavailable(error)),
            _ => {}
        }
        self.prune(&path).await;
        Ok(())
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        let path = self.path(folder)?;
        match tokio::fs::remove_dir_all(&path).await {
            Err(error) if !is_missing(&error) => return Err(unavailable(error)),
            _ => {}
        }
        self.prune(&path).await;
        Ok(())
    }

    async fn address(&self, key: &str, _: Option<&str>, _: Duration) -> Result<Option<String>, Error> {
        check_key(key).map(|()| None)
    }

    async fn upload_address(&self, key: &str, _: &str, _: u64, _: Duration) -> Result<Option<String>, Error> {
        check_key(key).map(|()| None)
    }
}

/// Copies a file to its path, where it survives a crash and is never seen half written.
fn store(path: &Path, source: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut attempts = 1;
    loop {
        match store_in(folder, path, source) {
            // The last file of a folder takes it along, perhaps at this moment.
            Err(error) if is_missing(&error) && source.exists() && attempts < ATTEMPTS => attempts += 1,
            done => return done,
        }
    }
}

fn store_in(folder: &Path, path: &Path, source: &Path) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let exists = folder.is_dir();
    fs::create_dir_all(folder)?;
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!(".{}-{number}.tmp", std::process::id()));
    let written = copy(source, &temporary, path);
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    // The names of the file and of new folders are stored too.
    sync_folder(folder)?;
    if exists { Ok(()) } else { folder.ancestors().skip(1).try_for_each(sync_folder) }
}

fn copy(source: &Path, temporary: &Path, path: &Path) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    io::copy(&mut File::open(source)?, &mut file)?;
    file.sync_all()?;
    fs::rename(temporary, path)
}

/// Directories can be opened to be synced on Unix alone, and those above ours perhaps not at all.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) || folder.as_os_str().is_empty() {
        return Ok(());
    }
    match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        opened => opened?.sync_all(),
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
