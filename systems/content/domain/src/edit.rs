//! Changes of items that have a revision, and rules for their fields.

use hansang_core::db::{Ask, Operation};
use hansang_core::plan::{Change, Condition, Guard, Path, Reason};
use hansang_core::validate::{Violation, violation};
use hansang_core::write::Update;
use hansang_core::{CoreCode, Error, Item, Message, Name, Record, Value, message, name};

use crate::post::of_id;
use crate::posts::{commit, path, set};
use crate::{Content, ContentCode, messages};

/// The maximum number of items that can be put in order at once: one transaction.
pub const MAX_ORDERED: usize = 100;
/// The maximum number of characters of a link.
const MAX_LINK: usize = 2000;

/// The fields of an item that an editor may change. A field without a value is absent.
pub(crate) type Fields = Vec<(Name, Option<Value>)>;

/// The fields that have a value, as an item.
pub(crate) fn item(fields: Fields) -> Item {
    fields.into_iter().filter_map(|(name, value)| value.map(|value| (name, value))).collect()
}

/// A text that is optional: nothing if it is blank.
pub(crate) fn optional(text: Option<&str>) -> Option<Value> {
    text.map(str::trim).filter(|text| !text.is_empty()).map(Value::from)
}

/// Replaces the fields of an item that has the revision.
pub(crate) fn replace(entity: &'static str, id: &str, fields: Fields, revision: i64) -> Operation {
    let mut changes: Vec<(Path, Change)> = fields
        .into_iter()
        .map(|(name, value)| (path(name), value.map_or(Change::Remove, Change::Set)))
        .collect();
    changes.push(set(name!("revision"), revision + 1));
    let update = Update { key: of_id(id), changes, expected_version: None };
    Operation::Update { entity: entity.into(), update, guards: vec![same_revision(revision)] }
}

/// Deletes an item that has the revision.
pub(crate) fn remove(entity: &'static str, id: &str, revision: i64) -> Operation {
    let guards = vec![same_revision(revision)];
    Operation::Delete { entity: entity.into(), key: of_id(id), expected_version: None, guards }
}

/// The guard that an item has the revision that was read. Items without one have 0.
pub(crate) fn same_revision(revision: i64) -> Guard {
    let stored = (revision > 0).then(|| Value::from(revision));
    let changed = Error::precondition(ContentCode::Changed, message!(messages::CHANGED));
    Guard {
        condition: Condition::unchanged(&name!("revision"), stored.as_ref()),
        otherwise: Reason::Other(changed),
    }
}

/// Gives each item its position in a list, in one transaction.
///
/// # Errors
/// An item that does not exist, one that is listed twice, or too many.
pub(crate) async fn put_in_order(
    content: &Content,
    entity: &'static str,
    ids: &[String],
    unknown: impl Fn(&str) -> Error,
) -> Result<(), Error> {
    let mut seen = std::collections::BTreeSet::new();
    if ids.len() > MAX_ORDERED || ids.iter().any(|id| !seen.insert(id)) {
        return Err(Error::fields(vec![violation("ids", message!(messages::ORDER_IDS, MAX_ORDERED))]));
    }
    if ids.is_empty() {
        return Ok(());
    }
    let operations = ids.iter().zip(0_i64..).map(|(id, position)| {
        let changes = vec![set(name!("order"), position), (path(name!("revision")), Change::Add(1.into()))];
        let update = Update { key: of_id(id), changes, expected_version: None };
        Operation::Update { entity: entity.into(), update, guards: Vec::new() }
    });
    content.db.commit(operations.collect()).await.map_err(|refusal| {
        let missing = refusal.operation.filter(|_| refusal.error.code == CoreCode::NotFound);
        missing.and_then(|index| ids.get(index)).map_or(refusal.error, |id| unknown(id))
    })
}

/// Commits a change of an item; one that is gone is unknown.
pub(crate) async fn commit_known(
    content: &Content,
    operations: Vec<Operation>,
    unknown: impl FnOnce() -> Error,
) -> Result<(), Error> {
    commit(content, operations)
        .await
        .map_err(|error| if error.code == CoreCode::NotFound { unknown() } else { error })
}

/// Every record of a pattern.
pub(crate) async fn all(content: &Content, pattern: &str, arguments: Item) -> Result<Vec<Record>, Error> {
    let (mut records, mut cursor) = (Vec::new(), None);
    loop {
        let ask = Ask { cursor, ..Ask::default() };
        let page = content.db.query(pattern, arguments.clone(), ask).await?;
        records.extend(page.records);
        match page.next {
            Some(next) => cursor = Some(next),
            None => return Ok(records),
        }
    }
}

/// Collects every problem of new input.
#[derive(Default)]
pub(crate) struct Check(Vec<Violation>);

impl Check {
    /// A text that must have a number of characters.
    pub(crate) fn text(&mut self, field: &str, text: &str, most: usize) {
        if !(1..=most).contains(&text.trim().chars().count()) {
            self.problem(field, message!(messages::TEXT_1_TO, most));
        }
    }

    /// A text that may be absent or blank.
    pub(crate) fn optional(&mut self, field: &str, text: Option<&str>, most: usize) {
        if text.is_some_and(|text| text.trim().chars().count() > most) {
            self.problem(field, message!(messages::TEXT_TOO_LONG, most));
        }
    }

    /// The target of a link.
    pub(crate) fn link(&mut self, field: &str, link: Option<&str>) {
        if link.map(str::trim).is_some_and(|link| !link.is_empty() && !is_link(link)) {
            self.problem(field, message!(messages::NOT_A_LINK));
        }
    }

    /// The address of a picture.
    pub(crate) fn picture(&mut self, field: &str, address: Option<&str>) {
        if address.map(str::trim).is_some_and(|address| !address.is_empty() && !is_picture(address)) {
            self.problem(field, message!(messages::NOT_A_PICTURE));
        }
    }

    pub(crate) fn problem(&mut self, field: &str, problem: impl Into<Message>) {
        self.0.push(violation(field, problem));
    }

    pub(crate) fn done(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::fields(self.0)) }
    }
}

/// Whether a text can be the target of a link: a web, mail or telephone address, or a path of the site.
#[must_use]
pub fn is_link(text: &str) -> bool {
    let schemes = ["https://", "http://", "mailto:", "tel:"];
    let rest = schemes.iter().find_map(|scheme| text.strip_prefix(scheme));
    is_plain(text) && (rest.is_some_and(|rest| !rest.is_empty()) || is_path(text) || text.starts_with('#'))
}

/// Whether a text can be the address of a picture that a browser loads: a web address, or a path of the site.
#[must_use]
pub fn is_picture(text: &str) -> bool {
    is_plain(text) && (is_web_address(text) || is_path(text))
}

/// Whether a text is an address of the web. Addresses in S3 are URLs too, but no browser loads them.
pub(crate) fn is_web_address(text: &str) -> bool {
    !text.starts_with("s3://") && hansang_core::kind::text::is_url(text)
}

/// A path of the site. `//host` is an address of another site, and browsers read `/\host` the same way.
fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && !text.contains('\\')
}

fn is_plain(text: &str) -> bool {
    text.chars().count() <= MAX_LINK && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages() {
        for good in ["https://example.com/a?b=c#d", "/문의", "#top", "mailto:a@example.com", "tel:+82-2-1234"]
        {
            assert!(is_link(good), "{good}");
        }
        for bad in
            ["", "javascript:alert(1)", "//evil.example", "/\\evil.example", "https://", "a b", "data:x"]
        {
            assert!(!is_link(bad), "{bad}");
        }
        assert!(is_picture("/media/x/640.webp") && is_picture("https://example.com/a.png"));
        assert!(!is_picture("s3://bucket/key"));
        assert!(!is_picture("mailto:a@example.com") && !is_picture("#x") && !is_picture("picture.png"));
    }
}
