//! Files in a bucket of S3.

use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::retry::RetryConfig;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::config::{RequestChecksumCalculation, ResponseChecksumValidation};
use aws_sdk_s3::presigning::PresigningConfig;
use hansang_core::files::{FileBody, Files, check_key, unavailable};
use hansang_core::{Error, StoreError};

use crate::connect::{Connection, Settings};

mod delete;
mod disposition;
mod error;
mod get;
mod put;

/// The longest lifetime of a signed address in S3.
const MAX_LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The timeout of an attempt, which may send a part of a file.
const ATTEMPT: Duration = Duration::from_secs(60);

/// Files in a bucket of S3, or of a compatible server.
#[derive(Clone, Debug)]
pub struct S3 {
    client: Client,
    bucket: String,
    /// Endpoint and region for error messages.
    endpoint: String,
}

impl S3 {
    /// Creates a client of a bucket. Sends nothing yet.
    ///
    /// # Errors
    /// When no region can be found.
    pub async fn connect(settings: Settings, bucket: &str) -> Result<Self, StoreError> {
        let has_endpoint = settings.endpoint_url.is_some();
        let attempt = settings.attempt_timeout.unwrap_or(ATTEMPT);
        let connection = Connection::from(settings, "S3").await?;
        let timeouts = connection.config.timeout_config().map(TimeoutConfig::to_builder).unwrap_or_default();
        let attempts = RetryConfig::standard()
            .with_max_attempts(connection.retries.attempts)
            .with_initial_backoff(connection.retries.base);
        let config = aws_sdk_s3::config::Builder::from(&connection.config)
            .timeout_config(timeouts.operation_attempt_timeout(attempt).build())
            .retry_config(attempts)
            // Other servers seldom have a name for each bucket.
            .force_path_style(has_endpoint)
            // Not all of them know the checksums of Amazon, and a signed address for an upload must not name that of
            // a file which is not there yet. The connection has checksums of its own.
            .request_checksum_calculation(RequestChecksumCalculation::WhenRequired)
            .response_checksum_validation(ResponseChecksumValidation::WhenRequired);
        let endpoint = format!("the bucket {bucket} of {}", connection.endpoint);
        Ok(Self { client: Client::from_conf(config.build()), bucket: bucket.to_owned(), endpoint })
    }

    /// The SDK client, for operations beyond the port.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }
}

#[async_trait]
impl Files for S3 {
    async fn put(&self, key: &str, content_type: &str, file: &Path) -> Result<(), Error> {
        check_key(key)?;
        let size = tokio::fs::metadata(file).await.map_err(unavailable)?.len();
        if size <= put::PART {
            self.put_whole(key, content_type, file).await
        } else {
            self.put_parts(key, content_type, file, size).await
        }
    }

    async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Option<FileBody>, Error> {
        check_key(key)?;
        match range {
            Some(range) if range.is_empty() => self.head(key, range).await,
            range => self.read(key, range).await,
        }
    }

    async fn delete(&self, key: &str) -> Result<(), Error> {
        check_key(key)?;
        let deleted = self.client.delete_object().bucket(&self.bucket).key(key).send().await;
        deleted.map(drop).map_err(|error| self.failed(error))
    }

    async fn delete_all(&self, folder: &str) -> Result<(), Error> {
        check_key(folder)?;
        self.delete_below(&format!("{folder}/")).await
    }

    async fn address(
        &self,
        key: &str,
        name: Option<&str>,
        lifetime: Duration,
    ) -> Result<Option<String>, Error> {
        check_key(key)?;
        let get = self.client.get_object().bucket(&self.bucket).key(key);
        let get = get.set_response_content_disposition(name.map(disposition::of));
        let signed = get.presigned(signing(lifetime)?).await.map_err(|error| self.failed(error))?;
        Ok(Some(signed.uri().to_owned()))
    }

    async fn upload_address(
        &self,
        key: &str,
        content_type: &str,
        size: u64,
        lifetime: Duration,
    ) -> Result<Option<String>, Error> {
        check_key(key)?;
        let put = self.client.put_object().bucket(&self.bucket).key(key);
        // Both are signed, so an upload of another type or size is refused.
        let put = put.content_type(content_type).content_length(i64::try_from(size).unwrap_or(i64::MAX));
        let signed = put.presigned(signing(lifetime)?).await.map_err(|error| self.failed(error))?;
        Ok(Some(signed.uri().to_owned()))
    }
}

fn signing(lifetime: Duration) -> Result<PresigningConfig, Error> {
    PresigningConfig::expires_in(lifetime.min(MAX_LIFETIME)).map_err(unavailable)
}
