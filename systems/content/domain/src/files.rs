//! The port to the files of media.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::BoxStream;
use hansang_core::Error;

/// A stored file.
pub struct FileBody {
    /// The number of bytes.
    pub size: u64,
    /// The content, in pieces.
    pub chunks: BoxStream<'static, std::io::Result<Bytes>>,
}

/// Stores the files of media under keys such as `01JD…/640.webp`.
#[async_trait]
pub trait Files: Send + Sync {
    /// Stores a local file under a key. After this it survives a crash. An existing file is replaced.
    async fn put(&self, key: &str, content_type: &str, file: &Path) -> Result<(), Error>;

    /// Reads a file, or nothing.
    async fn get(&self, key: &str) -> Result<Option<FileBody>, Error>;

    /// Deletes a file. One that is gone is no error.
    async fn delete(&self, key: &str) -> Result<(), Error>;

    /// An address at which a browser can read the file for a while without the server; `None` if it must ask the server.
    fn address(&self, key: &str, lifetime: Duration) -> Option<String>;
}
