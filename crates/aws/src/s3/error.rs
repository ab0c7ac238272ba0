//! Maps SDK errors to errors of the port.

use std::io;

use aws_sdk_s3::error::{DisplayErrorContext, SdkError};
use hansang_core::Error;
use hansang_core::files::unavailable;

use super::S3;

impl S3 {
    /// The error of a request. The cause says where it was sent.
    pub(super) fn failed<E: std::error::Error + Send + Sync + 'static>(&self, error: SdkError<E>) -> Error {
        self.refused(&DisplayErrorContext(error).to_string())
    }

    /// The error of a request that did not do all that it should.
    pub(super) fn refused(&self, cause: &str) -> Error {
        unavailable(io::Error::other(format!("{}: {cause}", self.endpoint)))
    }
}
