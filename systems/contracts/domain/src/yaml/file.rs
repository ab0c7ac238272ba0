//! A file with one contract: the header members, and the spec.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::PathBuf;

use hansang_core::messages::{fields, kinds};
use hansang_core::validate::violation;
use hansang_core::{Item, Message, Value, message};
use jiff::Timestamp;

use super::{read, write};
use crate::messages::specs;
use crate::{ContractRef, Status, StatusChange, StatusChanged};

/// A file and its contract.
#[derive(Clone, Debug, PartialEq)]
pub struct ContractFile {
    /// The path.
    pub path: PathBuf,
    /// The name of the version, if it can be read.
    pub reference: Option<ContractRef>,
    /// The contract, or all of its problems.
    pub contract: Result<FileContract, Vec<Message>>,
}

/// A contract as read from a file; its checksum is optional and not verified.
#[derive(Clone, Debug, PartialEq)]
pub struct FileContract {
    /// The name of the version.
    pub reference: ContractRef,
    /// The status. Defaults to `ACTIVE`.
    pub status: Status,
    /// The spec.
    pub spec: Item,
    /// The checksum in the file.
    pub checksum: Option<String>,
    /// The time of registration.
    pub created_at: Option<Timestamp>,
    /// The author.
    pub created_by: Option<String>,
    /// The last change of the status, if there was one.
    pub status_changed: Option<StatusChanged>,
    /// The changes of the status, oldest first.
    pub history: Vec<StatusChange>,
}

impl ContractFile {
    /// Parses the text of a file.
    #[must_use]
    pub fn read(path: PathBuf, text: &str) -> Self {
        let members = match read::read(text) {
            Ok(Value::M(members)) => members,
            Ok(_) => return Self::unreadable(path, message!(specs::FILE_MAP)),
            Err(problem) => return Self::unreadable(path, Message::raw(problem)),
        };
        let mut rest = Rest { members, problems: Vec::new() };
        let (reference, contract) = rest.contract();
        let contract = contract.filter(|_| rest.problems.is_empty()).ok_or(rest.problems);
        Self { path, reference, contract }
    }

    pub(super) fn unreadable(path: PathBuf, problem: Message) -> Self {
        Self { path, reference: None, contract: Err(vec![problem]) }
    }
}

/// Reads a file, unless it is larger than any contract.
pub(super) fn text_of(file: File) -> io::Result<String> {
    let mut text = String::new();
    file.take(read::MAX_BYTES + 1).read_to_string(&mut text)?;
    if text.len() as u64 > read::MAX_BYTES {
        return Err(io::Error::other(format!("it has more than {} bytes", read::MAX_BYTES)));
    }
    Ok(text)
}

/// Formats a contract: the header, then the spec in a member of its own, so that its members may have the names of header
/// members. `None` if it would not read back.
pub(super) fn text(contract: &FileContract) -> Option<String> {
    let FileContract { reference, status, .. } = contract;
    let mut document: Vec<(&str, Value)> = vec![
        ("kind", reference.kind.as_str().into()),
        ("id", (&*reference.id).into()),
        ("version", reference.version.to_string().into()),
        ("status", status.name().into()),
    ];
    let mut known = |name: &'static str, value: Option<String>| {
        document.extend(value.map(|value| (name, Value::from(value))));
    };
    known("checksum", contract.checksum.clone());
    known("createdAt", contract.created_at.map(|at| at.to_string()));
    known("createdBy", contract.created_by.clone());
    if let Some(changed) = &contract.status_changed {
        known(CHANGED_AT, Some(changed.at.to_string()));
        known(CHANGED_BY, Some(changed.by.clone()));
    }
    document.extend(history(contract));
    document.push((SPEC, Value::M(contract.spec.clone())));
    write::write(&document).ok().filter(|text| says(text, contract))
}

fn says(text: &str, contract: &FileContract) -> bool {
    ContractFile::read(PathBuf::new(), text).contract.is_ok_and(|read| read == *contract)
}

const SPEC: &str = "spec";
const STATUS: &str = "status";
const CHANGED_AT: &str = "statusChangedAt";
const CHANGED_BY: &str = "statusChangedBy";
const HISTORY: &str = "statusHistory";

/// The member with the changes of the status, if there are any.
fn history(contract: &FileContract) -> Option<(&'static str, Value)> {
    let changes = contract.history.iter().map(|change| {
        let mut map = Item::from([
            ("to".into(), change.to.name().into()),
            ("at".into(), change.at.to_string().into()),
            ("by".into(), change.by.as_str().into()),
        ]);
        for (name, value) in [("from", change.from.map(Status::name)), ("reason", change.reason.as_deref())] {
            if let Some(value) = value {
                map.insert(name.into(), value.into());
            }
        }
        Value::M(map)
    });
    (!contract.history.is_empty()).then(|| (HISTORY, Value::L(changes.collect())))
}

/// The text of a file after a status change. Keeps the other lines with their comments if possible; otherwise formats the
/// whole contract.
pub(super) fn moved_text(old: &str, moved: &FileContract) -> Option<String> {
    let is = |line: &str, name: &str| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
    let goes = |line: &str| [STATUS, CHANGED_AT, CHANGED_BY, HISTORY].iter().any(|name| is(line, name));
    let mut inside_history = false;
    let mut news: Vec<(&str, Value)> = vec![(STATUS, moved.status.name().into())];
    if let Some(changed) = &moved.status_changed {
        news.push((CHANGED_AT, changed.at.to_string().into()));
        news.push((CHANGED_BY, changed.by.as_str().into()));
    }
    news.extend(history(moved));
    let news = write::write(&news).ok()?;
    let mut edited = String::with_capacity(old.len() + news.len());
    for line in old.split_inclusive('\n') {
        // The lines of the list are part of it.
        inside_history = is(line, HISTORY) || (inside_history && line.starts_with([' ', '-']));
        if inside_history || goes(line) {
            continue;
        }
        edited.push_str(line);
        if is(line, "version") {
            edited.push_str(&news);
        }
    }
    if says(&edited, moved) { Some(edited) } else { text(moved) }
}

/// The members of a file that are still to be read, and the problems found so far.
struct Rest {
    members: Item,
    problems: Vec<Message>,
}

impl Rest {
    fn contract(&mut self) -> (Option<ContractRef>, Option<FileContract>) {
        let parts = (self.needed("kind"), self.needed("id"), self.needed("version"));
        let reference = match parts {
            (Some(kind), Some(id), Some(version)) => self.ok(ContractRef::new(&kind, &id, &version)),
            _ => None,
        };
        let status = match self.text(STATUS) {
            Some(status) => self.ok(status.parse()),
            None => Some(Status::Active),
        };
        let checksum = self.checksum();
        let created_at = self.time("createdAt");
        let created_by = self.text("createdBy");
        if self.members.contains_key(CHANGED_AT) != self.members.contains_key(CHANGED_BY) {
            self.wrong(CHANGED_AT, message!(specs::TOGETHER, CHANGED_BY));
        }
        let status_changed = self.time(CHANGED_AT).zip(self.text(CHANGED_BY));
        let status_changed = status_changed.map(|(at, by)| StatusChanged { at, by });
        let history = self.history();
        let spec = self.spec();
        let contract = reference.clone().zip(status).map(|(reference, status)| FileContract {
            reference,
            status,
            spec,
            checksum,
            created_at,
            created_by,
            status_changed,
            history,
        });
        (reference, contract)
    }

    /// The remaining members. A single `spec` member is the form that [`text`] writes.
    fn spec(&mut self) -> Item {
        let mut rest = std::mem::take(&mut self.members);
        match rest.remove(SPEC) {
            Some(Value::M(spec)) if rest.is_empty() => spec,
            Some(other) => {
                rest.insert(SPEC.into(), other);
                rest
            }
            None => rest,
        }
    }

    /// The changes of the status.
    fn history(&mut self) -> Vec<StatusChange> {
        let changes = match self.members.remove(HISTORY) {
            None => return Vec::new(),
            Some(Value::L(changes)) => changes,
            Some(_) => Vec::from([Value::Null]),
        };
        let read: Option<Vec<StatusChange>> = changes.iter().map(change).collect();
        if read.is_none() {
            self.wrong(HISTORY, message!(specs::HISTORY));
        }
        read.unwrap_or_default()
    }

    /// The checksum; empty, and thus invalid, if it is not text.
    fn checksum(&mut self) -> Option<String> {
        let value = self.members.remove("checksum")?;
        Some(value.as_str().unwrap_or_default().to_owned())
    }

    fn needed(&mut self, name: &str) -> Option<String> {
        if !self.members.contains_key(name) {
            self.wrong(name, message!(fields::MISSING));
        }
        self.text(name)
    }

    fn text(&mut self, name: &str) -> Option<String> {
        match self.members.remove(name)? {
            Value::S(text) => Some(text.into()),
            _ => {
                self.wrong(name, message!(specs::QUOTES));
                None
            }
        }
    }

    fn time(&mut self, name: &str) -> Option<Timestamp> {
        let text = self.text(name)?;
        let time = text.parse().ok();
        if time.is_none() {
            self.wrong(name, message!(kinds::MUST_BE_TIME, "2026-01-25T09:00:00Z"));
        }
        time
    }

    fn wrong(&mut self, name: &str, problem: Message) {
        self.problems.push(violation(name, problem).message());
    }

    fn ok<T>(&mut self, result: Result<T, hansang_core::Error>) -> Option<T> {
        result.map_err(|error| self.problems.push(error.message)).ok()
    }
}

/// An entry of the list of changes.
fn change(value: &Value) -> Option<StatusChange> {
    let Value::M(map) = value else { return None };
    let text = |name: &str| map.get(name).and_then(Value::as_str);
    let status = |name: &str| text(name).map(|text| text.parse::<Status>().ok());
    Some(StatusChange {
        from: match status("from") {
            Some(from) => Some(from?),
            None => None,
        },
        to: status("to")??,
        at: text("at")?.parse().ok()?,
        by: text("by")?.to_owned(),
        reason: text("reason").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use hansang_core::value::json::item_to_plain;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> ContractFile {
        ContractFile::read("x.yaml".into(), text)
    }

    fn lines(problems: &[Message]) -> String {
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    const NAME: &str = "kind: ChangeSetContract\nid: a\nversion: 1.0.0\n";

    /// Rs23
    #[test]
    fn members_outside_the_header_are_the_spec() {
        let file = read(&format!("{NAME}status: DRAFT\nidentity: {{entityKeyFormat: x}}\nrate: 1.50\n"));
        let contract = file.contract.unwrap();
        assert_eq!(contract.reference.to_string(), "CHANGESET:a:1.0.0");
        assert_eq!((contract.status, contract.checksum), (Status::Draft, None));
        assert_eq!(
            item_to_plain(&contract.spec),
            json!({ "identity": { "entityKeyFormat": "x" }, "rate": 1.5 })
        );
        assert_eq!(read(NAME).contract.unwrap().status, Status::Active);
    }

    #[test]
    fn a_spec_member_may_contain_the_names_of_header_members() {
        let spec = |rest: &str| item_to_plain(&read(&format!("{NAME}{rest}")).contract.unwrap().spec);
        assert_eq!(
            spec("spec: {status: x, version: 2, spec: {}}"),
            json!({ "status": "x", "version": 2, "spec": {} })
        );
        assert_eq!(spec("spec: {a: 1}\nb: 2"), json!({ "spec": { "a": 1 }, "b": 2 }));
        assert_eq!(spec("spec: 7"), json!({ "spec": 7 }));
        assert_eq!(spec(""), json!({}));
    }

    #[test]
    fn all_problems_are_reported_and_a_readable_name_is_kept() {
        let file =
            read(&format!("{NAME}status: SOMETIMES\ncreatedAt: soon\ncreatedBy: 7\nstatusChangedBy: x\n"));
        assert_eq!(file.reference.unwrap().to_string(), "CHANGESET:a:1.0.0");
        let problems = lines(&file.contract.unwrap_err());
        for part in [
            "DRAFT, ACTIVE or DEPRECATED",
            "`createdAt` must be a time",
            "`createdBy` must be text",
            "must be given together",
        ] {
            assert!(problems.contains(part), "{part}: {problems}");
        }
        for (text, part) in [
            ("[]", "a contract must be a map"),
            ("", "a contract must be a map"),
            ("kind: CHANGESET\nid: a\n", "`version` is missing"),
            ("kind: CHANGESET\nid: a\nversion: 1.0\n", "`version` must be text: put it in quotes"),
            ("kind: CHANGESET\nid: a#b\nversion: 1.0.0\n", "must not contain `#`"),
            ("kind: CHANGESET\nid: a\nid: b\nversion: 1.0.0\n", "duplicate"),
        ] {
            let file = read(text);
            assert_eq!(file.reference, None);
            let problems = lines(&file.contract.unwrap_err());
            assert!(problems.contains(part), "{text}: {problems}");
        }
    }

    fn moved(text: &str) -> String {
        let changed = StatusChanged { at: "2026-01-25T09:00:00Z".parse().unwrap(), by: "김".to_owned() };
        let contract = read(text).contract.unwrap();
        let moved = FileContract { status: Status::Active, status_changed: Some(changed), ..contract };
        let text = moved_text(text, &moved).unwrap();
        assert_eq!(read(&text).contract.unwrap(), moved, "{text}");
        text
    }

    #[test]
    fn a_status_change_keeps_the_other_lines() {
        let text = "# Ours.\nkind: CHANGESET\nid: a\nversion: 1.0.0\nstatus: DRAFT\n\na: 1.50 # why\nstatusChangedAt: 2025-01-01T00:00:00Z\nstatusChangedBy: lee\n";
        let expected = "# Ours.\nkind: CHANGESET\nid: a\nversion: 1.0.0\nstatus: ACTIVE\nstatusChangedAt: \"2026-01-25T09:00:00Z\"\nstatusChangedBy: 김\n\na: 1.50 # why\n";
        assert_eq!(moved(text), expected);
    }

    #[test]
    fn a_status_change_reformats_files_with_another_layout() {
        for text in [
            "{kind: CHANGESET, id: a, version: 1.0.0, status: DRAFT, a: {status: x}}",
            "kind: CHANGESET\nid: a\nversion: 1.0.0",
            "version: 1.0.0\nstatus:\n  DRAFT\nkind: CHANGESET\nid: a\n",
            "\"version\": 1.0.0\nkind: CHANGESET\nid: a\nstatus: DRAFT\n",
            "kind: CHANGESET\r\nid: a\r\nversion: 1.0.0\r\nstatus: DRAFT\r\nb: |\r\n  one\r\n  two\r\n",
        ] {
            moved(text);
        }
    }

    #[test]
    fn text_that_would_not_read_back_is_not_written() {
        let contract = read(&format!("{NAME}rate: 0.1234567890123456789")).contract.unwrap();
        assert_eq!(text(&contract), None);
        assert_eq!(moved_text("{}", &contract), None);
    }
}
