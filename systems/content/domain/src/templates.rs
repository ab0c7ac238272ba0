//! Templates of replies.

use hansang_core::{Error, Item, message, name};
use serde::Deserialize;

use crate::edit::{Check, Fields, all, commit_known, item, remove, replace};
use crate::post::{of_id, strong};
use crate::{Content, ContentCode, Inquiry, messages};

/// A text that replies start with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ReplyTemplate {
    /// The id.
    pub id: String,
    /// The title, for the manager.
    pub title: String,
    /// The text, with `{name}`, `{company}` and `{subject}`.
    pub body: String,
    /// The number of changes.
    #[serde(default)]
    pub revision: i64,
}

/// All templates by title.
///
/// # Errors
/// When the store fails.
pub async fn reply_templates(content: &Content) -> Result<Vec<ReplyTemplate>, Error> {
    let records = all(content, "replyTemplates", Item::new()).await?;
    let mut templates: Vec<ReplyTemplate> = records.iter().filter_map(|record| record.typed().ok()).collect();
    templates.sort_by(|a, b| (&a.title, &a.id).cmp(&(&b.title, &b.id)));
    Ok(templates)
}

/// Finds a template.
///
/// # Errors
/// `template_unknown`.
pub async fn find_template(content: &Content, id: &str) -> Result<ReplyTemplate, Error> {
    let found = content.db.get("ReplyTemplate", &of_id(id), &strong()).await?;
    found.ok_or_else(|| unknown(id))?.typed()
}

/// Creates a template.
///
/// # Errors
/// A title or text that is empty or too long.
pub async fn create_template(content: &Content, title: &str, body: &str) -> Result<ReplyTemplate, Error> {
    let mut created = item(fields(title, body)?);
    let id = content.new_id();
    created.extend([(name!("id"), id.as_str().into()), (name!("revision"), 1.into())]);
    content.db.create("ReplyTemplate", created).await?.typed()
}

/// Changes a template.
///
/// # Errors
/// As [`create_template`], `template_unknown`, or `changed` for an older revision.
pub async fn change_template(
    content: &Content,
    id: &str,
    title: &str,
    body: &str,
    revision: i64,
) -> Result<ReplyTemplate, Error> {
    let change = replace("ReplyTemplate", id, fields(title, body)?, revision);
    commit_known(content, vec![change], || unknown(id)).await?;
    find_template(content, id).await
}

/// Deletes a template.
///
/// # Errors
/// `template_unknown`, or `changed` for an older revision.
pub async fn delete_template(content: &Content, id: &str, revision: i64) -> Result<(), Error> {
    commit_known(content, vec![remove("ReplyTemplate", id, revision)], || unknown(id)).await
}

/// The text of a template for an inquiry. What a visitor wrote is filled in once and is not a template itself.
#[must_use]
pub fn fill_template(template: &ReplyTemplate, inquiry: &Inquiry) -> String {
    let mut filled = String::with_capacity(template.body.len());
    let mut rest = &*template.body;
    while let Some(start) = rest.find('{') {
        filled.push_str(&rest[..start]);
        rest = &rest[start..];
        let values =
            [("{name}", &inquiry.name), ("{company}", &inquiry.company), ("{subject}", &inquiry.subject)];
        match values.iter().find(|(hole, _)| rest.starts_with(hole)) {
            Some((hole, value)) => {
                filled.push_str(value);
                rest = &rest[hole.len()..];
            }
            None => {
                filled.push('{');
                rest = &rest[1..];
            }
        }
    }
    filled.push_str(rest);
    filled
}

fn fields(title: &str, body: &str) -> Result<Fields, Error> {
    let mut check = Check::default();
    check.text("title", title, 120);
    check.text("body", body, 5000);
    check.done()?;
    Ok(vec![(name!("title"), Some(title.trim().into())), (name!("body"), Some(body.trim().into()))])
}

fn unknown(id: &str) -> Error {
    Error::not_found(ContentCode::TemplateUnknown, message!(messages::TEMPLATE_UNKNOWN, id))
}
