//! The port to files: pictures, documents and whatever does not fit into an item.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_core::stream::BoxStream;

use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::files;

/// The maximum length of a key.
pub const MAX_KEY: usize = 200;

/// Stores files under keys such as `01JD…/640.webp`: see [`check_key`].
#[async_trait]
pub trait Files: fmt::Debug + Send + Sync {
    /// Stores a local file under a key. After this it survives a crash. An existing file is replaced; no reader sees a
    /// part of it.
    async fn put(&self, key: &str, content_type: &str, file: &Path) -> Result<(), Error>;

    /// Reads a file or a range of its bytes, or nothing if there is no such file. A range ends with the file.
    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error>;

    /// Deletes a file. One that is gone is no error.
    async fn delete(&self, key: &str) -> Result<(), Error>;

    /// Deletes all files whose keys start with `folder` and `/`. After an error or an interruption some of them may be
    /// left: call it again.
    async fn delete_all(&self, folder: &str) -> Result<(), Error>;

    /// An address at which a browser can read the file for a while without the server, saved under `name` if there is
    /// one; `None` if it must ask the server. Whether the file exists is not checked.
    async fn address(
        &self,
        key: &str,
        name: Option<&str>,
        lifetime: Duration,
    ) -> Result<Option<String>, Error>;

    /// An address to which a browser can `PUT` a file of this type and exact size for a while without the server;
    /// `None` if it must send it to the server.
    async fn upload_address(
        &self,
        key: &str,
        content_type: &str,
        size: u64,
        lifetime: Duration,
    ) -> Result<Option<String>, Error>;
}

/// A stored file, or a part of it.
pub struct FileBody {
    /// The number of bytes of the whole file.
    pub size: u64,
    /// The bytes that `chunks` has: all of them, or the range that was asked for, up to the end of the file.
    pub range: Range<u64>,
    /// The content, in pieces.
    pub chunks: BoxStream<'static, std::io::Result<Bytes>>,
}

impl fmt::Debug for FileBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileBody")
            .field("size", &self.size)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

/// The part of a range that a file of this size has. Empty at the end of the file if it has none of it.
#[must_use]
pub fn clip(range: Option<Range<u64>>, size: u64) -> Range<u64> {
    let range = range.unwrap_or(0..size);
    let start = range.start.min(size);
    start..range.end.clamp(start, size)
}

/// Checks that a key, or a folder of keys, is names of letters, digits, `.`, `_` and `-`, joined by `/`. No name starts
/// with a `.`, so keys stay below a directory and differ from temporary files.
///
/// # Errors
/// When it is none, or longer than [`MAX_KEY`].
pub fn check_key(key: &str) -> Result<(), Error> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('.') && name.bytes().all(plain);
    if key.len() <= MAX_KEY && key.split('/').all(is_name) {
        return Ok(());
    }
    Err(Error::invalid(CoreCode::FileKeyInvalid, message!(files::WRONG_KEY, key)))
}

/// Files that cannot be read or stored now.
pub fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unavailable(CoreCode::FilesUnavailable, message!(files::UNAVAILABLE)).caused_by(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_below_a_directory() {
        for good in ["a/original.jpg", "01JD3Q0V8B5X9K2M4N6P7R8S9T/640.webp"] {
            assert_eq!(check_key(good), Ok(()), "{good}");
        }
        let long = "a".repeat(MAX_KEY + 1);
        for bad in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a//b",
            "a/",
            "a\\b",
            ".hidden",
            "a/.x.tmp",
            "a\0",
            "가",
            &long,
        ] {
            assert_eq!(check_key(bad).unwrap_err().code, CoreCode::FileKeyInvalid, "{bad:?}");
        }
    }

    #[test]
    fn ranges_end_with_the_file() {
        let cases = [
            (None, 0..10),
            (Some(0..10), 0..10),
            (Some(3..5), 3..5),
            (Some(3..u64::MAX), 3..10),
            (Some(0..0), 0..0),
            (Some(10..12), 10..10),
            (Some(20..30), 10..10),
            (Some(Range { start: 5, end: 3 }), 5..5),
        ];
        for (range, clipped) in cases {
            assert_eq!(clip(range.clone(), 10), clipped, "{range:?}");
        }
        assert_eq!(clip(None, 0), 0..0);
    }
}
