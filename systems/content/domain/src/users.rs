//! Authors, as visitors see them. Accounts and their permissions are the server's.

use hansang_core::db::Operation;
use hansang_core::{Error, Item, message, name, names};
use jiff::Timestamp;
use serde::Deserialize;

use crate::edit::{Check, Fields, all, commit_known, item, optional, remove, replace};
use crate::post::{of_id, strong};
use crate::posts::commit;
use crate::uses::{Owner, relink};
use crate::{Content, ContentCode, media_of_link, messages};

names! {
    /// The part that a user has in the site.
    #[derive(Default)]
    pub enum UserRole {
        /// Runs the site.
        Admin = "admin",
        /// Writes for the site.
        #[default]
        Editor = "editor",
        /// Reads.
        Viewer = "viewer",
    }
}

/// The part of a user that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserText {
    /// The name that visitors see.
    #[serde(default)]
    pub display_name: String,
    /// The role.
    #[serde(default)]
    pub role: UserRole,
    /// A few words about the user.
    pub desc: Option<String>,
    /// The address of a picture.
    pub img_uri: Option<String>,
}

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The id, which posts have as their author.
    pub id: String,
    /// The part that is edited.
    #[serde(flatten)]
    pub text: UserText,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    #[serde(rename = "CreatedAt")]
    pub created_at: Timestamp,
}

/// All users by name.
///
/// # Errors
/// When the store fails.
pub async fn users(content: &Content) -> Result<Vec<User>, Error> {
    let records = all(content, "users", Item::new()).await?;
    let mut users: Vec<User> = records.iter().filter_map(|record| record.typed().ok()).collect();
    users.sort_by(|a, b| (&a.text.display_name, &a.id).cmp(&(&b.text.display_name, &b.id)));
    Ok(users)
}

/// Finds a user. Posts may name an author who is no user.
///
/// # Errors
/// `user_unknown`.
pub async fn find_user(content: &Content, id: &str) -> Result<User, Error> {
    let found = content.db.get("User", &of_id(id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// Creates a user with this id, or with a new one.
///
/// # Errors
/// Every field that is wrong, or an id that exists.
pub async fn create_user(content: &Content, id: Option<String>, text: &UserText) -> Result<User, Error> {
    check(text)?;
    let id = id.unwrap_or_else(|| content.new_id());
    let mut created = item(fields(text));
    created.extend([(name!("id"), id.as_str().into()), (name!("revision"), 1.into())]);
    let mut operations =
        vec![Operation::Create { entity: name!("User"), fields: created, guards: Vec::new() }];
    operations.extend(relink(content, &Owner::User(&id), &[], &pictures(text)).await?);
    commit(content, operations).await?;
    find_user(content, &id).await
}

/// Replaces the text of a user.
///
/// # Errors
/// Every field that is wrong, `user_unknown`, or `changed` for an older revision.
pub async fn change_user(content: &Content, id: &str, text: &UserText, revision: i64) -> Result<User, Error> {
    check(text)?;
    let before = find_user(content, id).await?;
    let mut operations = vec![replace("User", id, fields(text), revision)];
    operations.extend(relink(content, &Owner::User(id), &pictures(&before.text), &pictures(text)).await?);
    commit_known(content, operations, || unknown(id)).await?;
    find_user(content, id).await
}

/// Deletes a user. Posts keep the id of their author and stay readable.
///
/// # Errors
/// `user_unknown`, or `changed` for an older revision.
pub async fn delete_user(content: &Content, id: &str, revision: i64) -> Result<(), Error> {
    let before = find_user(content, id).await?;
    let mut operations = vec![remove("User", id, revision)];
    operations.extend(relink(content, &Owner::User(id), &pictures(&before.text), &[]).await?);
    commit_known(content, operations, || unknown(id)).await
}

fn pictures(text: &UserText) -> Vec<String> {
    text.img_uri.as_deref().and_then(media_of_link).into_iter().collect()
}

fn fields(text: &UserText) -> Fields {
    vec![
        (name!("displayName"), Some(text.display_name.trim().into())),
        (name!("role"), Some(text.role.name().into())),
        (name!("desc"), optional(text.desc.as_deref())),
        (name!("imgUri"), optional(text.img_uri.as_deref())),
    ]
}

fn check(text: &UserText) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("displayName", &text.display_name, 80);
    check.optional("desc", text.desc.as_deref(), 500);
    check.picture("imgUri", text.img_uri.as_deref());
    check.done()
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::UserUnknown, message!(messages::USER_UNKNOWN, id))
}
