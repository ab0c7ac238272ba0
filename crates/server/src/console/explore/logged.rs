//! The changes of a record in the audit log, where the table keeps no change feed.

use hansang_core::db::TypedListing;
use hansang_core::model::Entity;
use hansang_core::{Error, Item, write};

use super::System;
use hansang_access::{AuditEntry, AuditOutcome, Paging, key_text};
use hansang_ui::address;
use hansang_ui::frame::View;
use hansang_ui::time::Moment;

/// The number of entries of the log in one read.
const READ: u32 = 200;
/// The maximum number of reads for one page. Opening a record makes only one.
const MAX_READS: usize = 5;
/// The parameter with the position in the log. No attribute can have this name.
const EARLIER: &str = ".earlier";

/// A part of the log that was searched for the changes of a record, the newest first.
pub(super) struct Searched {
    pub(super) changes: Vec<Change>,
    /// The number of entries that were searched, and the time of the oldest.
    pub(super) entries: usize,
    pub(super) until: Option<Moment>,
    /// The address of the search in older entries; none at the end of the log.
    pub(super) earlier: Option<String>,
    /// The address of the search in the newest entries, if these are older.
    pub(super) latest: Option<String>,
}

/// A change in the audit log. Who made it is in the log, which is for administrators.
pub(super) struct Change {
    pub(super) at: Moment,
    pub(super) what: String,
}

/// Searches the log for changes of the record with this key: its newest entries, or those before the position in the
/// address, until some are found.
pub(super) async fn search(
    system: &System,
    entity: &Entity,
    key: &Item,
    view: &View,
) -> Result<Searched, Error> {
    let key = key_text(&write::key(entity, key)?);
    let asked = view.asked();
    let mut cursor = Some(asked.text(EARLIER).to_owned()).filter(|cursor| !cursor.is_empty());
    let at = |cursor: &str| format!("{}#history", address::on_page(&view.here, &[(EARLIER, cursor)]));
    let latest = cursor.is_some().then(|| at(""));
    let reads = if latest.is_some() { MAX_READS } else { 1 };
    let mut found = Searched { changes: Vec::new(), entries: 0, until: None, earlier: None, latest };
    for _ in 0..reads {
        let paging = Paging { limit: Some(READ), cursor };
        let read = system.calls.app().access().audit_of_system(system.name(), paging).await?;
        found.add(&read, &key, view);
        cursor = read.next;
        if cursor.is_none() || !found.changes.is_empty() {
            break;
        }
    }
    found.earlier = cursor.map(|cursor| at(&cursor));
    Ok(found)
}

impl Searched {
    fn add(&mut self, read: &TypedListing<AuditEntry>, key: &str, view: &View) {
        self.entries += read.items.len();
        if let Some(oldest) = read.items.last() {
            self.until = Some(view.time(oldest.at));
        }
        let has_changed = |outcome| matches!(outcome, AuditOutcome::Done | AuditOutcome::Started);
        let of_record = |one: &&AuditEntry| has_changed(one.outcome) && one.keys.iter().any(|one| one == key);
        let changes = read.items.iter().filter(of_record);
        let changes = changes.map(|one| Change { at: view.time(one.at), what: what(&one.operation, view) });
        self.changes.extend(changes);
    }
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
