//! Categories. Their posts are counted, so that a category with posts is never deleted.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Condition, Guard, Reason};
use hansang_core::validate::violation;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, message, name};
use serde::Deserialize;

use crate::post::{of_id, strong};
use crate::posts::{commit, path};
use crate::{Content, ContentCode, is_slug, messages, slug};

/// A category.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Category {
    /// The id.
    pub id: String,
    /// The title.
    pub title: String,
    /// The description.
    pub desc: Option<String>,
    /// The name in addresses, which never changes. Old categories may have none.
    pub slug: Option<String>,
    /// The position in the menu.
    pub order: Option<i64>,
    /// The number of posts that were added here, less those that left.
    #[serde(default)]
    pub posts: i64,
}

/// A category to be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewCategory {
    /// The id, if the caller chose one.
    pub id: Option<String>,
    /// The title.
    pub title: String,
    /// The description.
    pub desc: Option<String>,
    /// The name in addresses; made of the title if it is absent.
    pub slug: Option<String>,
    /// The position in the menu.
    pub order: Option<i64>,
}

/// The maximum number of characters of a title.
const MAX_TITLE: usize = 120;
/// The maximum number of characters of a description.
const MAX_DESC: usize = 500;

/// Creates a category.
///
/// # Errors
/// Invalid input, or a slug or id that another category has.
pub async fn create_category(content: &Content, new: NewCategory) -> Result<Category, Error> {
    let slug = new.slug.or_else(|| slug(&new.title));
    let mut problems = Vec::new();
    if !(1..=MAX_TITLE).contains(&new.title.trim().chars().count()) {
        problems.push(violation("title", message!(messages::TEXT_1_TO, MAX_TITLE)));
    }
    if new.desc.as_ref().is_some_and(|desc| desc.chars().count() > MAX_DESC) {
        problems.push(violation("desc", message!(messages::TEXT_TOO_LONG, MAX_DESC)));
    }
    if !slug.as_deref().is_some_and(is_slug) {
        problems.push(violation("slug", message!(messages::NOT_A_SLUG)));
    }
    if !problems.is_empty() {
        return Err(Error::fields(problems));
    }
    let mut fields = Item::from([(name!("title"), new.title.into())]);
    fields.extend(new.id.map(|id| (name!("id"), id.into())));
    fields.extend(new.desc.map(|desc| (name!("desc"), desc.into())));
    fields.extend(slug.map(|slug| (name!("slug"), slug.into())));
    fields.extend(new.order.map(|order| (name!("order"), order.into())));
    content.db.create("Category", fields).await?.typed()
}

/// Finds a category.
///
/// # Errors
/// If it does not exist.
pub async fn find_category(content: &Content, id: &str) -> Result<Category, Error> {
    let found = content.db.get("Category", &of_id(id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// Deletes a category without posts.
///
/// # Errors
/// `category_has_posts`, or a category that does not exist.
pub async fn delete_category(content: &Content, id: &str) -> Result<(), Error> {
    let found = content.db.get("Category", &of_id(id), &strong()).await?.ok_or_else(|| unknown(id))?;
    let arguments = Item::from([(name!("categoryId"), id.into())]);
    let ask = Ask { limit: Some(1), consistent: Some(true), ..Ask::default() };
    if !content.db.query("postsInCategory", arguments, ask).await?.records.is_empty() {
        return Err(has_posts());
    }
    // A post that comes meanwhile changes the number. Posts of other programs are not counted.
    let posts = name!("posts");
    let condition = Condition::unchanged(&posts, found.fields.get(&posts));
    let guards = vec![Guard { condition, otherwise: Reason::Other(has_posts()) }];
    let delete =
        Operation::Delete { entity: name!("Category"), key: of_id(id), expected_version: None, guards };
    commit(content, vec![delete]).await.map_err(|error| known(error, id))
}

/// Counts a post that is added to an existing category, or leaves it.
pub(crate) fn count_post(category_id: &str, by: i64) -> Operation {
    let changes = vec![(path(name!("posts")), Change::Add(by.into()))];
    let update = Update { key: of_id(category_id), changes, expected_version: None };
    Operation::Update { entity: name!("Category"), update, guards: Vec::new() }
}

/// Names the category that was not found.
pub(crate) fn known(error: Error, id: &str) -> Error {
    if error.code == CoreCode::NotFound { unknown(id) } else { error }
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::CategoryUnknown, message!(messages::CATEGORY_UNKNOWN, id))
}

fn has_posts() -> Error {
    Error::conflict(ContentCode::CategoryHasPosts, message!(messages::CATEGORY_HAS_POSTS))
}
