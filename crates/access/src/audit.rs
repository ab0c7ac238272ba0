//! The audit log.
//!
//! A write that is one transaction carries its entry ([`Access::plan_audit`]), so that neither is stored without the
//! other. Work in several steps gets an entry before it begins, which is ended after it.

use hansang_core::Error;
use hansang_core::db::TypedListing;
use hansang_core::plan::TableWrite;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::identity::{Identity, Origin, Via};
use crate::{Access, Paging, records};

/// What the log calls somebody who was not recognised.
const ANONYMOUS: &str = "anonymous";

const SECONDS_PER_DAY: i64 = 24 * 60 * 60;

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Its id, which together with the time is its place in the log.
    pub id: String,
    /// When it began.
    pub at: Timestamp,
    /// The id of who it was, `anonymous` if nobody was recognised.
    pub actor: String,
    /// What people called them at the time.
    pub actor_name: String,
    /// How they were recognised.
    pub via: AuditVia,
    /// The session or token they were recognised by.
    pub via_id: Option<String>,
    /// The system it concerns.
    pub system: String,
    /// What they did.
    pub operation: String,
    /// The key of what they did it to.
    pub subject: Option<String>,
    /// The address they did it from.
    pub address: String,
    /// The id of the request.
    pub trace: String,
    /// What came of it.
    pub outcome: AuditOutcome,
    /// The code of the error, if there was one.
    pub code: Option<String>,
    /// When it ended.
    pub ended: Option<Timestamp>,
}

/// How somebody in the audit log was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuditVia {
    /// By a session.
    Session,
    /// By a token of this server.
    Token,
    /// By a token of the identity provider.
    Oidc,
    /// Not at all.
    Nothing,
}

/// What came of something in the audit log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AuditOutcome {
    /// Nothing yet; if it stays so, it was cut off and may or may not have happened.
    Started,
    /// It was done.
    Done,
    /// It was not allowed, or not possible as asked.
    Refused,
    /// It did not work, and that was not the caller's fault.
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
    address: String,
    trace: String,
    outcome: AuditOutcome,
    code: Option<String>,
    ended_at: Option<String>,
}

/// Something that a caller does, as the audit log names it.
#[derive(Clone, Copy, Debug)]
pub struct Audited<'a> {
    /// The caller, if one was recognised.
    pub who: Option<&'a Identity>,
    /// The address and the trace of the request.
    pub origin: &'a Origin,
    /// The system it concerns.
    pub system: &'a str,
    /// The name of the operation.
    pub operation: &'a str,
    /// The key of the record that it concerns.
    pub subject: Option<&'a str>,
}

impl Access {
    /// Plans the entry of a write that succeeds, for the same transaction as the write: see `Db::alongside`.
    ///
    /// Texts that are too long are cut, so that every request leaves a trace.
    ///
    /// # Errors
    /// When the entry breaks a rule of the log.
    pub fn plan_audit(&self, audited: Audited<'_>) -> Result<Vec<TableWrite>, Error> {
        let fields = self.audit_fields(audited, AuditOutcome::Done, None);
        self.db().plan_create("AuditEntry", records::item(&fields)?)
    }

    /// Writes the entry of something that was refused or failed.
    ///
    /// # Errors
    /// When the entry cannot be written.
    pub async fn audit(
        &self,
        audited: Audited<'_>,
        outcome: AuditOutcome,
        code: Option<&str>,
    ) -> Result<AuditEntry, Error> {
        let fields = self.audit_fields(audited, outcome, code);
        let stored = self.db().create("AuditEntry", records::item(&fields)?).await?;
        entry(stored.typed()?)
    }

    /// Writes the entry of something that is about to begin and is not one transaction.
    ///
    /// # Errors
    /// When the entry cannot be written. The caller must not begin then.
    pub async fn audit_start(&self, audited: Audited<'_>) -> Result<AuditEntry, Error> {
        self.audit(audited, AuditOutcome::Started, None).await
    }

    fn audit_fields(&self, audited: Audited<'_>, outcome: AuditOutcome, code: Option<&str>) -> Json {
        let Audited { who, origin, system, operation, subject } = audited;
        let now = self.now();
        let (via, via_id) = match who.map(|who| &who.via) {
            Some(Via::Session { id, .. }) => ("SESSION", Some(id)),
            Some(Via::Token { id }) => ("TOKEN", Some(id)),
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

    /// Writes the outcome of an entry that was started, once.
    ///
    /// # Errors
    /// When it cannot be written, or was written before.
    pub async fn audit_end(
        &self,
        entry: &AuditEntry,
        outcome: AuditOutcome,
        code: Option<&str>,
    ) -> Result<AuditEntry, Error> {
        let now = self.now();
        let key = json!({"day": records::day(entry.at), "at": millis(entry.at), "entryId": entry.id});
        let mut set = json!({"outcome": outcome.name(), "endedAt": millis(now)});
        if let Some(code) = code.filter(|code| !code.is_empty()) {
            set["code"] = Json::from(bounded(code, 64));
        }
        let stored = self.db().update("AuditEntry", records::update(&key, &set, &[])?).await?;
        self::entry(stored.typed()?)
    }

    /// What happened on a day (in UTC), the newest first.
    ///
    /// # Errors
    /// A cursor of another list, or a page that is too large.
    pub async fn audit_of_day(&self, day: Date, paging: Paging) -> Result<TypedListing<AuditEntry>, Error> {
        self.audit_page("auditOfDay", json!({"day": day.to_string()}), paging).await
    }

    /// What somebody did, the newest first.
    ///
    /// # Errors
    /// A cursor of another list, a page that is too large, or what cannot be an id.
    pub async fn audit_of_actor(
        &self,
        actor: &str,
        paging: Paging,
    ) -> Result<TypedListing<AuditEntry>, Error> {
        self.audit_page("auditOfActor", json!({"actor": actor}), paging).await
    }

    /// What was done in a system, the newest first.
    ///
    /// # Errors
    /// A cursor of another list, a page that is too large, or what cannot be a system.
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
        records::map_page(records::page(self.db(), pattern, given, paging).await?, entry)
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
        address: stored.address,
        trace: stored.trace,
        outcome: stored.outcome,
        code: stored.code,
    })
}

/// A time as exact as it is stored.
fn millis(time: Timestamp) -> String {
    format!("{time:.3}")
}

fn bounded(text: &str, most: usize) -> String {
    let cut: String = text.chars().take(most).collect();
    if cut.is_empty() { "-".to_owned() } else { cut }
}
