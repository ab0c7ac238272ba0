//! The contact form: one way in for the API and the site.
//!
//! What looks like spam is stored all the same, in quarantine: its sender gets the true receipt of a stored message, and a
//! manager sees it.

use std::time::Duration;

use hansang_content::{Filling, Inquiry, NewInquiry, spam_signs, submit};
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use hansang_server::{Action, Caller, Calls};
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::api::sent::SentInquiry;
use crate::desk::Desk;
use crate::messages;

/// Stores an inquiry of a visitor.
pub(crate) const SUBMIT: Action<Desk, NewInquiry, Inquiry> = Action {
    name: "inquiry.submit",
    summary: &messages::SUBMIT,
    // The audit log is kept longer than inquiries: it has no personal data.
    subject: |_| String::new(),
    run: |desk, new| Box::pin(async move { submit(&desk.content, &new).await }),
};

/// The consent text of the form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct Consent {
    /// The version, which an inquiry names.
    pub(crate) version: String,
    /// The text in English.
    pub(crate) en: String,
    /// The text in Korean.
    pub(crate) ko: String,
}

/// The texts and their version unless settings say otherwise. `{period}` is the retention period.
const ENGLISH: &str = "I agree that my name, email address, company, position and message are stored to answer this inquiry, \
                       and deleted after {period}.";
const KOREAN: &str = "문의에 답변하기 위해 이름, 이메일, 회사, 직책, 문의 내용을 수집·이용하고 {period}간 보관한 뒤 파기하는 데 동의합니다.";
const VERSION: &str = "2026-11";
/// The retention period of these texts as this version.
const DAYS: u32 = 1095;

impl Consent {
    /// The texts of a site; empty ones are those that are built in. Without a version, a changed text or period has one of
    /// its own, so that a stored inquiry always tells what its sender agreed to.
    pub(crate) fn new(version: &str, en: &str, ko: &str, days: u32) -> Self {
        let text = |text: &str, built_in: &str, period: &str| {
            if text.is_empty() { built_in } else { text }.replace("{period}", period)
        };
        let (english, korean) = match (days % 365, days / 365) {
            (0, 1) => ("one year".to_owned(), "1년".to_owned()),
            (0, years) if years > 1 => (format!("{years} years"), format!("{years}년")),
            _ => (format!("{days} days"), format!("{days}일")),
        };
        let is_built_in = en.is_empty() && ko.is_empty() && days == DAYS;
        let (en, ko) = (text(en, ENGLISH, &english), text(ko, KOREAN, &korean));
        let version = match version {
            "" if is_built_in => VERSION.to_owned(),
            "" => {
                let hash = Sha256::digest(format!("{en}\n{ko}").as_bytes());
                hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
            }
            version => version.to_owned(),
        };
        Self { version, en, ko }
    }
}

/// Sends an inquiry.
///
/// # Errors
/// Too many inquiries of one address, and every part that is missing or wrong: also a consent to another text than the one
/// that is shown now.
pub(crate) async fn send(
    calls: &Calls,
    desk: &Desk,
    caller: &Caller,
    sent: SentInquiry,
) -> Result<Inquiry, Problem> {
    desk.inquiries.address(caller.origin.address)?;
    let days = SignedDuration::from_hours(24 * i64::from(desk.settings.retention_days));
    let (trap, took) =
        (sent.website.clone(), sent.seconds.map(|seconds| Duration::from_secs(seconds.into())));
    let current = &desk.settings.consent.version;
    let is_outdated = !sent.consent_version.is_empty() && sent.consent_version != *current;
    let mut new = NewInquiry {
        spam: Vec::new(),
        name: sent.name,
        email: sent.email,
        company: sent.company,
        title: sent.title,
        referral: sent.referral,
        subject: sent.subject,
        message: sent.message,
        consent_version: if is_outdated { String::new() } else { sent.consent_version },
        purge_at: desk.content.now().checked_add(days).ok(),
        form: sent.form_id,
    };
    new.spam = spam_signs(&new, Filling { trap: trap.trim(), took });
    let done: Result<Inquiry, Error> = SUBMIT.call(calls, desk, caller, new).await;
    let told = |mut error: Error| {
        for violation in error.violations.iter_mut().filter(|one| is_outdated && one.attribute == "consent") {
            violation.problem = message!(messages::CONSENT_CHANGED);
        }
        error
    };
    Ok(done.map_err(told)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text says how long an inquiry is kept, and another text has another version.
    #[test]
    fn the_consent_text_names_the_period() {
        let built_in = Consent::new("", "", "", DAYS);
        assert_eq!(built_in.version, VERSION);
        assert!(
            built_in.en.ends_with("deleted after 3 years.") && built_in.ko.contains("3년간"),
            "{built_in:?}"
        );
        let shorter = Consent::new("", "", "", 90);
        assert!(shorter.en.contains("90 days") && shorter.ko.contains("90일간"), "{shorter:?}");
        let own = Consent::new("", "Kept for {period}.", "", 365);
        assert_eq!(own.en, "Kept for one year.");
        let versions = [&built_in.version, &shorter.version, &own.version];
        assert!(versions[1] != versions[0] && versions[2] != versions[1], "{versions:?}");
        assert_eq!(Consent::new("v2", "", "", 90).version, "v2");
    }
}
