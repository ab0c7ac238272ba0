//! The changes of a record in the audit log, where the table keeps no change feed.

use hansang_core::model::Entity;
use hansang_core::{Error, Item, write};

use super::System;
use hansang_access::{AuditOutcome, Paging, key_text};
use hansang_ui::frame::View;
use hansang_ui::time::Moment;

/// The number of entries of the log that are searched, the newest first.
pub(super) const SEARCHED: u32 = 200;

/// A change in the audit log. Who made it is in the log, which is for administrators.
pub(super) struct Logged {
    pub(super) at: Moment,
    pub(super) what: String,
}

/// The latest changes of the record with this key.
pub(super) async fn changes(
    system: &System,
    entity: &Entity,
    key: &Item,
    view: &View,
) -> Result<Vec<Logged>, Error> {
    let key = key_text(&write::key(entity, key)?);
    let paging = Paging { limit: Some(SEARCHED), ..Paging::default() };
    let entries = system.calls.app().access().audit_of_system(system.name(), paging).await?;
    let has_changed = |outcome| matches!(outcome, AuditOutcome::Done | AuditOutcome::Started);
    let found = entries.items.into_iter().filter(|one| has_changed(one.outcome) && one.keys.contains(&key));
    Ok(found.map(|one| Logged { at: view.time(one.at), what: what(&one.operation, view) }).collect())
}

/// An operation in the words of the reader; operations of a system have names of their own.
fn what(operation: &str, view: &View) -> String {
    match operation.rsplit('.').next() {
        Some("create") => view.say("Created", "생성").to_owned(),
        Some("update" | "put") => view.say("Changed", "수정").to_owned(),
        Some("delete") => view.say("Deleted", "삭제").to_owned(),
        Some("import") => view.say("Imported", "가져오기").to_owned(),
        _ => operation.to_owned(),
    }
}
