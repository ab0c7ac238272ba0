//! Reading files.

use std::io;
use std::ops::Range;

use aws_sdk_s3::error::ProvideErrorMetadata as _;
use aws_sdk_s3::primitives::ByteStream;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt as _};
use hansang_core::Error;
use hansang_core::files::{FileBody, clip};

use super::S3;

impl S3 {
    /// A file or a range of it that is not empty.
    pub(super) async fn read(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        let get = self.client.get_object().bucket(&self.bucket).key(key);
        let get = get.set_range(range.as_ref().map(header));
        let found = match get.send().await {
            Ok(found) => found,
            Err(error) if error.as_service_error().is_some_and(|error| error.is_no_such_key()) => {
                return Ok(None);
            }
            // The range starts behind the end of the file.
            Err(error) if error.code() == Some("InvalidRange") => {
                return self.head(key, range.unwrap_or_default()).await;
            }
            Err(error) => return Err(self.failed(error)),
        };
        let length = found.content_length.and_then(|length| u64::try_from(length).ok());
        let length = length.ok_or_else(|| self.refused("a file has no length"))?;
        let (range, size) = match found.content_range.as_deref() {
            Some(given) => {
                let size = given.rsplit_once('/').and_then(|(_, size)| size.parse().ok());
                let size = size.ok_or_else(|| self.refused("the range of a file has no size"))?;
                (clip(range, size), size)
            }
            None => (0..length, length),
        };
        if range.end - range.start != length {
            return Err(self.refused("another range was given than asked for"));
        }
        Ok(Some(FileBody { size, range, chunks: chunks(found.body) }))
    }

    /// The size of a file, and none of its bytes.
    pub(super) async fn head(&self, key: &str, range: Range<u64>) -> Result<Option<FileBody>, Error> {
        let head = self.client.head_object().bucket(&self.bucket).key(key).send().await;
        let found = match head {
            Ok(found) => found,
            Err(error) if error.as_service_error().is_some_and(|error| error.is_not_found()) => {
                return Ok(None);
            }
            Err(error) => return Err(self.failed(error)),
        };
        let size = found.content_length.and_then(|length| u64::try_from(length).ok()).unwrap_or_default();
        let start = clip(Some(range), size).start;
        Ok(Some(FileBody { size, range: start..start, chunks: stream::empty().boxed() }))
    }
}

/// The last byte of a range in HTTP is a part of it.
fn header(range: &Range<u64>) -> String {
    format!("bytes={}-{}", range.start, range.end - 1)
}

fn chunks(body: ByteStream) -> BoxStream<'static, io::Result<Bytes>> {
    let chunks = stream::try_unfold(body, async |mut body| {
        let piece = body.try_next().await.map_err(io::Error::other)?;
        Ok(piece.map(|piece| (piece, body)))
    });
    chunks.boxed()
}
