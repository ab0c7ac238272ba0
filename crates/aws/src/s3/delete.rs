//! Deleting all files of a folder.

use aws_sdk_s3::types::{Delete, ObjectIdentifier};
use hansang_core::Error;

use super::S3;

impl S3 {
    /// Deletes everything with this prefix, a page of the list at a time. The first page is always what is left.
    pub(super) async fn delete_below(&self, prefix: &str) -> Result<(), Error> {
        loop {
            let list = self.client.list_objects_v2().bucket(&self.bucket).prefix(prefix).send().await;
            let list = list.map_err(|error| self.failed(error))?;
            let keys = list.contents.unwrap_or_default().into_iter().filter_map(|object| object.key);
            let keys: Result<Vec<_>, _> =
                keys.map(|key| ObjectIdentifier::builder().key(key).build()).collect();
            let keys = keys.map_err(|error| self.refused(&error.to_string()))?;
            if keys.is_empty() {
                return Ok(());
            }
            let delete = Delete::builder().set_objects(Some(keys)).quiet(true).build();
            let delete = delete.map_err(|error| self.refused(&error.to_string()))?;
            let deleted = self.client.delete_objects().bucket(&self.bucket).delete(delete).send().await;
            let deleted = deleted.map_err(|error| self.failed(error))?;
            // A file that stays would always be listed.
            if let Some(error) = deleted.errors().first() {
                let code = error.code().unwrap_or("no reason was given");
                return Err(self.refused(&format!("a file is not deleted: {code}")));
            }
        }
    }
}
