//! What visitors look up.

use hansang_content::{Category, Content, category_by_slug, find_category};
use hansang_core::Error;

/// The category of a slug or an id.
///
/// # Errors
/// `category_unknown`.
pub(crate) async fn category(content: &Content, name: &str) -> Result<Category, Error> {
    match category_by_slug(content, name).await? {
        Some(category) => Ok(category),
        None => find_category(content, name).await,
    }
}
