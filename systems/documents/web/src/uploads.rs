//! Uploads that are not complete: a file of this machine for each, whose length is what has arrived.
//!
//! The table knows that an upload exists; this directory knows how much of it is there. So an upload goes on after a restart,
//! and one that is never finished leaves a file that [`Uploads::sweep`] deletes.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _, pin_mut};
use hansang_core::files::unavailable;
use hansang_core::{Error, message};
use sha2::{Digest as _, Sha256};
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::code::WebCode;
use crate::messages;

/// The number of bytes that are hashed at once.
const PIECE: usize = 256 * 1024;
/// The time after which an unfinished file is deleted: longer than the table keeps an upload.
const ABANDONED: Duration = Duration::from_secs(48 * 3600);

/// The directory of uploads that are not complete. Clones share the uploads that are being written.
#[derive(Clone, Debug)]
pub(crate) struct Uploads {
    folder: PathBuf,
    /// The uploads that a request writes now.
    open: Arc<Mutex<BTreeSet<String>>>,
}

/// The right to write one upload.
#[derive(Debug)]
pub(crate) struct Open {
    name: String,
    path: PathBuf,
    open: Arc<Mutex<BTreeSet<String>>>,
}

/// A file that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrived {
    /// Its checksum, in hexadecimal.
    pub(crate) sha256: String,
    /// Its size.
    pub(crate) size: u64,
}

impl Uploads {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), open: Arc::default() }
    }

    /// The number of bytes of an upload that are there.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub(crate) async fn received(&self, s3_key: &str) -> Result<u64, Error> {
        match tokio::fs::metadata(self.path(s3_key)).await {
            Ok(metadata) => Ok(metadata.len()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
            Err(error) => Err(unavailable(error)),
        }
    }

    /// Opens an upload for this request alone.
    ///
    /// # Errors
    /// When another request writes it.
    pub(crate) async fn open(&self, s3_key: &str) -> Result<Open, Error> {
        let name = name(s3_key);
        let is_free = self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone());
        if !is_free {
            return Err(Error::conflict(WebCode::OffsetDiffers, message!(messages::UPLOAD_BUSY)));
        }
        let open = Open { path: self.path(s3_key), name, open: self.open.clone() };
        tokio::fs::create_dir_all(&self.folder).await.map_err(unavailable)?;
        Ok(open)
    }

    /// A file for a body that is not resumable, such as that of an artifact. It is gone when it is dropped.
    ///
    /// # Errors
    /// When the directory cannot be written.
    pub(crate) async fn temporary(&self) -> Result<tempfile::TempPath, Error> {
        let folder = self.folder.clone();
        let made = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(&folder)?;
            tempfile::Builder::new()
                .prefix("body-")
                .tempfile_in(&folder)
                .map(tempfile::NamedTempFile::into_temp_path)
        });
        made.await.map_err(unavailable)?.map_err(unavailable)
    }

    /// Deletes what is there of an upload.
    pub(crate) async fn forget(&self, s3_key: &str) {
        let path = self.path(s3_key);
        match tokio::fs::remove_file(&path).await {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "a part of an upload is left");
            }
            _ => {}
        }
    }

    /// Deletes the files that were last written two days ago: the table has given their uploads up.
    pub(crate) async fn sweep(&self) {
        let folder = self.folder.clone();
        let swept = tokio::task::spawn_blocking(move || sweep(&folder)).await;
        if let Ok(Err(error)) = swept {
            tracing::warn!(%error, "parts of unfinished uploads are left");
        }
    }

    fn path(&self, s3_key: &str) -> PathBuf {
        self.folder.join(name(s3_key))
    }
}

/// The name of the file of an upload, by the key that no other upload has. A key has folders, so it is hashed.
fn name(s3_key: &str) -> String {
    hex(Sha256::digest(s3_key.as_bytes()).as_slice())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[allow(clippy::disallowed_methods, reason = "the age of a file is by the clock of the machine")]
fn sweep(folder: &Path) -> io::Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
        if age > ABANDONED {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

impl Open {
    /// The path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a body at an offset, which must be the number of bytes that are there; offset 0 begins again. Returns how many
    /// are there afterwards. What arrived of a body that was interrupted stays.
    ///
    /// # Errors
    /// Another offset, more bytes than `max`, an interrupted body, or when the file cannot be written.
    pub(crate) async fn append<B, E>(&self, offset: u64, max: u64, body: B) -> Result<u64, Error>
    where
        B: Stream<Item = Result<Bytes, E>>,
    {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        let file = if offset == 0 {
            File::create(&self.path).await.map_err(unavailable)?
        } else {
            let file = options.open(&self.path).await.map_err(unavailable)?;
            let there = file.metadata().await.map_err(unavailable)?.len();
            if there != offset {
                return Err(offset_differs(there));
            }
            file
        };
        write(file, offset, max, body, None).await
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.name);
    }
}

/// The refusal of a part that does not follow what is there.
pub(crate) fn offset_differs(there: u64) -> Error {
    Error::conflict(WebCode::OffsetDiffers, message!(messages::OFFSET_DIFFERS, there))
}

/// Stores a body as a file, with its checksum.
///
/// # Errors
/// More bytes than `max`, an interrupted body, or when the file cannot be written.
pub(crate) async fn store<B, E>(path: &Path, max: u64, body: B) -> Result<Arrived, Error>
where
    B: Stream<Item = Result<Bytes, E>>,
{
    let file = File::create(path).await.map_err(unavailable)?;
    let mut hash = Sha256::new();
    let size = write(file, 0, max, body, Some(&mut hash)).await?;
    Ok(Arrived { sha256: hex(hash.finalize().as_slice()), size })
}

async fn write<B, E>(
    mut file: File,
    offset: u64,
    max: u64,
    body: B,
    mut hash: Option<&mut Sha256>,
) -> Result<u64, Error>
where
    B: Stream<Item = Result<Bytes, E>>,
{
    pin_mut!(body);
    let mut there = offset;
    let mut problem = None;
    while let Some(piece) = body.next().await {
        let Ok(piece) = piece else {
            problem = Some(Error::invalid(WebCode::BodyInterrupted, message!(messages::BODY_INTERRUPTED)));
            break;
        };
        if there + piece.len() as u64 > max {
            problem = Some(Error::invalid(WebCode::SizeDiffers, message!(messages::TOO_MUCH, max)));
            break;
        }
        if let Some(hash) = &mut hash {
            hash.update(&piece);
        }
        file.write_all(&piece).await.map_err(unavailable)?;
        there += piece.len() as u64;
    }
    file.flush().await.map_err(unavailable)?;
    file.sync_data().await.map_err(unavailable)?;
    problem.map_or(Ok(there), Err)
}

/// The checksum and the size of a file.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn measure(path: &Path) -> Result<Arrived, Error> {
    let mut file = match File::open(path).await {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Arrived { sha256: hex(Sha256::digest(b"").as_slice()), size: 0 });
        }
        file => file.map_err(unavailable)?,
    };
    let (mut hash, mut size, mut piece) = (Sha256::new(), 0, vec![0; PIECE]);
    loop {
        let count = file.read(&mut piece).await.map_err(unavailable)?;
        if count == 0 {
            return Ok(Arrived { sha256: hex(hash.finalize().as_slice()), size });
        }
        hash.update(&piece[..count]);
        size += count as u64;
    }
}
