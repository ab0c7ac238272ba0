//! Storing files, large ones in parts.

use std::path::Path;

use aws_sdk_s3::primitives::{ByteStream, Length};
use aws_sdk_s3::types::{CompletedMultipartUpload, CompletedPart};
use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use hansang_core::Error;
use hansang_core::files::unavailable;

use super::S3;

/// The bytes of a part. S3 takes at most 10,000 parts of at least 5 MB.
pub(super) const PART: u64 = 8 << 20;

/// The parts that are sent at once.
const PARALLEL: usize = 4;

impl S3 {
    pub(super) async fn put_whole(&self, key: &str, content_type: &str, file: &Path) -> Result<(), Error> {
        let body = ByteStream::from_path(file).await.map_err(unavailable)?;
        let put = self.client.put_object().bucket(&self.bucket).key(key).content_type(content_type);
        put.body(body).send().await.map(drop).map_err(|error| self.failed(error))
    }

    /// Sends a file in parts, and makes it visible when all are there.
    pub(super) async fn put_parts(
        &self,
        key: &str,
        content_type: &str,
        file: &Path,
        size: u64,
    ) -> Result<(), Error> {
        let begun = self.client.create_multipart_upload().bucket(&self.bucket).key(key);
        let begun = begun.content_type(content_type).send().await.map_err(|error| self.failed(error))?;
        let upload = begun.upload_id.ok_or_else(|| self.refused("an upload has no id"))?;
        let sent = self.send_parts(key, &upload, file, size).await;
        if sent.is_err() {
            // Parts that stay are deleted by a rule of the bucket, if it has one.
            let abort = self.client.abort_multipart_upload().bucket(&self.bucket).key(key);
            let _ = abort.upload_id(upload).send().await;
        }
        sent
    }

    async fn send_parts(&self, key: &str, upload: &str, file: &Path, size: u64) -> Result<(), Error> {
        let parts = (0..size.div_ceil(PART)).map(|index| async move {
            let offset = index * PART;
            let length = Length::Exact(PART.min(size - offset));
            let body = ByteStream::read_from().path(file).offset(offset).length(length);
            let body = body.build().await.map_err(unavailable)?;
            let number = i32::try_from(index + 1).unwrap_or(i32::MAX);
            let part = self.client.upload_part().bucket(&self.bucket).key(key).upload_id(upload);
            let part = part.part_number(number).body(body).send().await;
            let part = part.map_err(|error| self.failed(error))?;
            Ok::<_, Error>(CompletedPart::builder().part_number(number).set_e_tag(part.e_tag).build())
        });
        let parts: Vec<CompletedPart> = stream::iter(parts).buffered(PARALLEL).try_collect().await?;
        let parts = CompletedMultipartUpload::builder().set_parts(Some(parts)).build();
        let complete = self.client.complete_multipart_upload().bucket(&self.bucket).key(key);
        let complete = complete.upload_id(upload).multipart_upload(parts).send().await;
        complete.map(drop).map_err(|error| self.failed(error))
    }
}
