//! Categories. Their posts are counted, so that a category with posts is never deleted.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Condition, Guard, Reason};
use hansang_core::validate::violation;
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, message, name};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::{Check, all, commit_known, optional, put_in_order, replace};
use crate::live::ALL;
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
    /// The number of changes. Posts that are added or leave do not change it.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
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

/// The categories in the order of the menu.
///
/// # Errors
/// When the store fails.
pub async fn categories(content: &Content) -> Result<Vec<Category>, Error> {
    let records = all(content, "categories", Item::new()).await?;
    let mut categories: Vec<Category> = records.iter().filter_map(|record| record.typed().ok()).collect();
    let position = |one: &Category| (one.order.unwrap_or(i64::MAX), one.created_at);
    categories.sort_by(|a, b| position(a).cmp(&position(b)).then_with(|| a.id.cmp(&b.id)));
    Ok(categories)
}

/// The category that a slug names, or nothing.
///
/// # Errors
/// When the store fails.
pub async fn category_by_slug(content: &Content, slug: &str) -> Result<Option<Category>, Error> {
    let arguments = Item::from([(name!("slug"), slug.into())]);
    let page = content.db.query("categoryBySlug", arguments, Ask::default()).await?;
    page.records.first().map(|record| record.typed()).transpose()
}

/// Creates a category, behind the others if it is given no position.
///
/// # Errors
/// Invalid input, or a slug or id that another category has.
pub async fn create_category(content: &Content, new: NewCategory) -> Result<Category, Error> {
    check(&new.title, new.desc.as_deref())?;
    // The list of all posts has this name.
    if new.id.as_deref() == Some(ALL) {
        return Err(Error::fields(vec![violation("id", message!(messages::RESERVED_ID, ALL))]));
    }
    let order = match new.order {
        Some(order) => order,
        None => {
            categories(content).await?.iter().filter_map(|one| one.order).max().map_or(0, |last| last + 1)
        }
    };
    let slug = new.slug.or_else(|| slug(&new.title));
    if !slug.as_deref().is_some_and(is_slug) {
        return Err(Error::fields(vec![violation("slug", message!(messages::NOT_A_SLUG))]));
    }
    let mut fields = Item::from([(name!("title"), new.title.into())]);
    fields.extend(new.id.map(|id| (name!("id"), id.into())));
    fields.extend(new.desc.map(|desc| (name!("desc"), desc.into())));
    fields.extend(slug.map(|slug| (name!("slug"), slug.into())));
    fields.extend([(name!("order"), order.into()), (name!("revision"), 1.into())]);
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

/// Changes the title and the description of a category. Its slug never changes.
///
/// # Errors
/// Invalid input, `category_unknown`, or `changed` for an older revision.
pub async fn change_category(
    content: &Content,
    id: &str,
    title: &str,
    desc: Option<&str>,
    revision: i64,
) -> Result<Category, Error> {
    check(title, desc)?;
    let fields = vec![(name!("title"), Some(title.trim().into())), (name!("desc"), optional(desc))];
    commit_known(content, vec![replace("Category", id, fields, revision)], || unknown(id)).await?;
    find_category(content, id).await
}

/// Puts categories in this order, in one transaction. Categories that are not named keep their positions.
///
/// # Errors
/// `category_unknown`, an id twice, or more than [`MAX_ORDERED`](crate::MAX_ORDERED).
pub async fn order_categories(content: &Content, ids: &[String]) -> Result<(), Error> {
    put_in_order(content, "Category", ids, unknown).await
}

fn check(title: &str, desc: Option<&str>) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("title", title, 120);
    check.optional("desc", desc, 500);
    check.done()
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
