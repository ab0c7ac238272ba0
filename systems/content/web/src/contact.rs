//! The contact form: one way in for the API and the site.
//!
//! What looks like spam is stored all the same, in quarantine: its sender gets the true receipt of a stored message, and a
//! manager sees it.

use std::time::Duration;

use hansang_content::{Filling, Inquiry, NewInquiry, spam_signs, submit};
use hansang_core::Error;
use hansang_http::problem::Problem;
use hansang_server::{Action, Caller, Calls};
use jiff::SignedDuration;
use schemars::JsonSchema;
use serde::Serialize;

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

/// The consent text of the form. A changed text gets a new version.
#[derive(Clone, Copy, Serialize, JsonSchema)]
pub(crate) struct Consent {
    /// The version, which an inquiry names.
    pub(crate) version: &'static str,
    /// The text in English.
    pub(crate) en: &'static str,
    /// The text in Korean.
    pub(crate) ko: &'static str,
}

impl Consent {
    /// The current text.
    pub(crate) const fn current() -> Self {
        Self {
            version: "2026-11",
            en: "I agree that my name, email address, company, position and message are stored to answer this inquiry, \
                 and deleted three years later.",
            ko: "문의에 답변하기 위해 이름, 이메일, 회사, 직책, 문의 내용을 수집·이용하고 3년간 보관한 뒤 파기하는 데 동의합니다.",
        }
    }
}

/// Sends an inquiry.
///
/// # Errors
/// Too many inquiries of one address, and every part that is missing or wrong.
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
    let mut new = NewInquiry {
        spam: Vec::new(),
        name: sent.name,
        email: sent.email,
        company: sent.company,
        title: sent.title,
        referral: sent.referral,
        subject: sent.subject,
        message: sent.message,
        consent_version: sent.consent_version,
        purge_at: desk.content.now().checked_add(days).ok(),
    };
    new.spam = spam_signs(&new, Filling { trap: trap.trim(), took });
    let done: Result<Inquiry, Error> = SUBMIT.call(calls, desk, caller, new).await;
    Ok(done?)
}
