//! The audit log.
//!
//! A write in one transaction carries its entry ([`Access::audit_plan`]), so that neither is stored without the other.
//! Work in several steps gets an entry before it begins, which is completed after it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hansang_core::Error;
use hansang_core::db::TypedListing;
use hansang_core::plan::{Key, TableWrite};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::identity::{Identity, Origin, Via};
use crate::{Access, Paging, records};

/// The actor of requests without an identity.
const ANONYMOUS: &str = "anonymous";

/// The maximum number of keys in an entry.
const MAX_KEYS: usize = 100;
/// The maximum number of characters of a key in an entry.
const MAX_KEY: usize = 1024;

tokio::task_local! {
    /// Whether the request in progress has an entry.
    static WRITTEN: Arc<AtomicBool>;
}

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// The id, which together with the time is its position in the log.
    pub id: String,
    /// The time at which the operation began.
    pub at: Timestamp,
    /// The id of the caller; `anonymous` without an identity.
    pub actor: String,
    /// The display name of the caller at the time.
    pub actor_name: String,
    /// The method of authentication.
    pub via: AuditVia,
    /// The session or token of the caller.
    pub via_id: Option<String>,
    /// The system that the operation belongs to.
    pub system: String,
    /// The name of the operation.
    pub operation: String,
    /// What the operation was asked to change.
    pub subject: Option<String>,
    /// The keys of the items that were written, as `{PK} / {SK}`: at most 100.
    pub keys: Vec<String>,
    /// What the operation did, such as the counts and the checksum of an import.
    pub detail: Option<String>,
    /// The client address.
    pub address: String,
    /// The id of the request.
    pub trace: String,
    /// The outcome.
    pub outcome: AuditOutcome,
    /// The error code of an operation that did not succeed.
    pub code: Option<String>,
    /// The time at which the operation ended.
    pub ended: Option<Timestamp>,
}

/// The method by which a caller in the audit log was authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuditVia {
    /// A session.
    Session,
    /// A token of this server.
    Token,
    /// A token of the identity provider.
    Oidc,
    /// None.
    Nothing,
}

/// The outcome of an operation in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuditOutcome {
    /// The operation is running. If this stays, it was interrupted and may or may not have taken effect.
    Started,
    /// The operation succeeded.
    Done,
    /// The operation was rejected: not allowed, or not possible as requested.
    Refused,
    /// The operation failed, through no fault of the caller.
    Failed,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredEntry {
    at: String,
    entry_id: String,
    actor: String,
    actor_name: String,
    via: AuditVia,
    via_id: Option<String>,
    system: String,
    operation: String,
    subject: Option<String>,
    #[serde(default)]
    keys: Vec<String>,
    detail: Option<String>,
    address: String,
    trace: String,
    outcome: AuditOutcome,
    code: Option<String>,
    ended_at: Option<String>,
}

/// An operation of a caller, as the audit log names it.
#[derive(Clone, Copy, Debug)]
pub struct Audited<'a> {
    /// The caller, if identified.
    pub who: Option<&'a Identity>,
    /// The address and the trace of the request.
    pub origin: &'a Origin,
    /// The system that the operation belongs to.
    pub system: &'a str,
    /// The name of the operation.
    pub operation: &'a str,
    /// What it is asked to change.
    pub subject: Option<&'a str>,
}

/// What an operation in several steps did.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The keys of the items that it wrote.
    pub keys: Vec<String>,
    /// A description, such as counts.
    pub detail: Option<String>,
}

impl Access {
    /// Plans the entry of a successful write, for the same transaction as the write: see `Db::alongside_keys`.
    ///
    /// Truncates long texts, so that every request leaves an entry. Planning fails if the entry breaks a rule of the log.
    pub fn audit_plan(
        &self,
        audited: Audited<'_>,
    ) -> impl Fn(&[Key]) -> Result<Vec<TableWrite>, Error> + Send + Sync + 'static {
        let (access, fields) = (self.clone(), self.audit_fields(audited, AuditOutcome::Done, None));
        move |keys| {
            let mut fields = fields.clone();
            name_keys(&mut fields, keys.iter().take(MAX_KEYS).map(key_text).collect());
            access.db().plan_create("AuditEntry", records::item(&fields)?)
        }
    }

    /// Writes the entry of an operation that was rejected or failed.
    ///
    /// # Errors
    /// Fails if the entry cannot be written.
    pub async fn audit(
        &self,
        audited: Audited<'_>,
        outcome: AuditOutcome,
        code: Option<&str>,
    ) -> Result<AuditEntry, Error> {
        let fields = self.audit_fields(audited, outcome, code);
        let stored = self.db().create("AuditEntry", records::item(&fields)?).await?;
        // Outside of a request nothing asks.
        let _ = WRITTEN.try_with(|written| written.store(true, Ordering::Relaxed));
        entry(stored.typed()?)
    }

    /// Runs the work of a request, and returns whether it wrote an entry of its own with [`Access::audit`].
    pub async fn noting_entries<T>(work: impl Future<Output = T>) -> (T, bool) {
        let written = Arc::<AtomicBool>::default();
        let result = WRITTEN.scope(written.clone(), work).await;
        (result, written.load(Ordering::Relaxed))
    }

    /// Writes the entry of an operation that is about to begin and is not one transaction.
    ///
    /// # Errors
    /// Fails if the entry cannot be written. The caller must not begin then.
    pub async fn audit_start(&self, audited: Audited<'_>) -> Result<AuditEntry, Error> {
        self.audit(audited, AuditOutcome::Started, None).await
    }

    fn audit_fields(&self, audited: Audited<'_>, outcome: AuditOutcome, code: Option<&str>) -> Json {
        let Audited { who, origin, system, operation, subject } = audited;
        let now = self.now();
        let (via, via_id) = match who.map(|who| &who.via) {
            Some(Via::Session { id, .. }) => ("SESSION", Some(id)),
            Some(Via::Token { id, .. }) => ("TOKEN", Some(id)),
            Some(Via::Oidc) => ("OIDC", None),
            None => ("NOTHING", None),
        };
        let mut fields = json!({
            "day": records::day(now),
            "at": millis(now),
            "actor": who.map_or(ANONYMOUS, |who| &who.id),
            "actorName": bounded(who.map_or(ANONYMOUS, |who| &who.name), 256),
            "via": via,
            "system": system,
            "operation": bounded(operation, 128),
            "address": origin.address.to_string(),
            "trace": bounded(&origin.trace, 128),
            "outcome": outcome.name(),
            "ttl": now.as_second() + i64::from(self.0.settings.audit_days) * SECONDS_PER_DAY,
        });
        if outcome != AuditOutcome::Started {
            fields["endedAt"] = Json::from(millis(now));
        }
        if let Some(code) = code.filter(|code| !code.is_empty()) {
            fields["code"] = Json::from(bounded(code, 64));
        }
        if let Some(id) = via_id {
            fields["viaId"] = Json::from(id.as_str());
        }
        if let Some(subject) = subject.filter(|subject| !subject.is_empty()) {
            fields["subject"] = Json::from(bounded(subject, 1024));
        }
        fields
    }

    /// Writes the outcome of a started entry, once, with what was done.
    ///
    /// # Errors
    /// Fails if the outcome cannot be written, or was written before.
    pub async fn audit_end(
        &self,
        entry: &AuditEntry,
        outcome: AuditOutcome,
        code: Option<&str>,
        done: Done,
    ) -> Result<AuditEntry, Error> {
        let now = self.now();
        let key = json!({"day": records::day(entry.at), "at": millis(entry.at), "entryId": entry.id});
        let mut set = json!({"outcome": outcome.name(), "endedAt": millis(now)});
        if let Some(code) = code.filter(|code| !code.is_empty()) {
            set["code"] = Json::from(bounded(code, 64));
        }
        name_keys(&mut set, done.keys);
        if let Some(detail) = done.detail.filter(|detail| !detail.is_empty()) {
            set["detail"] = Json::from(bounded(&detail, 1024));
        }
        let stored = self.db().update("AuditEntry", records::update(&key, &set, &[])?).await?;
        self::entry(stored.typed()?)
    }

    /// Lists the entries of a day in UTC, newest first.
    ///
    /// # Errors
    /// Fails for a cursor of another list or a page that is too large.
    pub async fn audit_of_day(&self, day: Date, paging: Paging) -> Result<TypedListing<AuditEntry>, Error> {
        self.audit_page("auditOfDay", json!({"day": day.to_string()}), paging).await
    }

    /// Lists the entries of a day in UTC between two times, both included, newest first.
    ///
    /// # Errors
    /// Fails for a cursor of another list or a page that is too large.
    pub async fn audit_within_day(
        &self,
        day: Date,
        (from, to): (Timestamp, Timestamp),
        paging: Paging,
    ) -> Result<TypedListing<AuditEntry>, Error> {
        let given = json!({"day": day.to_string(), "from": millis(from), "to": millis(to)});
        self.audit_page("auditOfDay", given, paging).await
    }

    /// Lists the entries of a caller, newest first.
    ///
    /// # Errors
    /// Fails for a cursor of another list, a page that is too large, or an invalid id.
    pub async fn audit_of_actor(
        &self,
        actor: &str,
        paging: Paging,
    ) -> Result<TypedListing<AuditEntry>, Error> {
        self.audit_page("auditOfActor", json!({"actor": actor}), paging).await
    }

    /// Lists the entries of a system, newest first.
    ///
    /// # Errors
    /// Fails for a cursor of another list, a page that is too large, or an invalid name.
    pub async fn audit_of_system(
        &self,
        system: &str,
        paging: Paging,
    ) -> Result<TypedListing<AuditEntry>, Error> {
        self.audit_page("auditOfSystem", json!({"system": system}), paging).await
    }

    async fn audit_page(
        &self,
        pattern: &str,
        given: Json,
        paging: Paging,
    ) -> Result<TypedListing<AuditEntry>, Error> {
        Ok(records::map_page(records::page(self.db(), pattern, given, paging).await?, entry))
    }
}

impl AuditOutcome {
    /// The name, as it is stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Started => "STARTED",
            Self::Done => "DONE",
            Self::Refused => "REFUSED",
            Self::Failed => "FAILED",
        }
    }
}

fn entry(stored: StoredEntry) -> Result<AuditEntry, Error> {
    Ok(AuditEntry {
        at: records::time(&stored.at)?,
        ended: stored.ended_at.as_deref().map(records::time).transpose()?,
        id: stored.entry_id,
        actor: stored.actor,
        actor_name: stored.actor_name,
        via: stored.via,
        via_id: stored.via_id,
        system: stored.system,
        operation: stored.operation,
        subject: stored.subject,
        keys: stored.keys,
        detail: stored.detail,
        address: stored.address,
        trace: stored.trace,
        outcome: stored.outcome,
        code: stored.code,
    })
}

/// A time with the precision that is stored.
fn millis(time: Timestamp) -> String {
    format!("{time:.3}")
}

/// A key as entries name it.
#[must_use]
pub fn key_text(key: &Key) -> String {
    format!("{} / {}", key.pk, key.sk)
}

fn name_keys(fields: &mut Json, mut keys: Vec<String>) {
    keys.truncate(MAX_KEYS);
    if !keys.is_empty() {
        fields["keys"] = keys.iter().map(|key| bounded(key, MAX_KEY)).collect();
    }
}

fn bounded(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.is_empty() { "-".to_owned() } else { cut }
}
