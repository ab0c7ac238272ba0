//! The contact form.

use std::collections::BTreeMap;

use axum::extract::OriginalUri;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::MethodFilter;
use hansang_content::{find_inquiry, is_form_id};
use hansang_http::form::Form;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::language::sentence;
use serde::Serialize;

use super::visit::{Head, Visit, part};
use super::{Page, Site};
use crate::api::sent::SentInquiry;
use crate::contact::send;

/// The form with what was entered.
#[derive(Serialize)]
struct Contact {
    values: BTreeMap<&'static str, String>,
    /// The problem of each field.
    errors: BTreeMap<String, String>,
    /// The problem of the whole form.
    problem: Option<String>,
    consent: String,
    consent_version: String,
    action: String,
    /// The second at which the form was first shown: programs send it at once.
    shown: String,
    /// The id of the form, so that a double click stores one inquiry.
    form: String,
}

#[derive(Serialize)]
struct Received {
    id: String,
    day: String,
}

/// The fields of the form.
const FIELDS: [&str; 8] = ["name", "email", "company", "title", "referral", "subject", "message", "consent"];

impl Site {
    pub(super) fn contact(&self) -> Vec<Route> {
        let sent = self.clone();
        let mut form = self.route("/contact", async move |site: Self, visit: Visit, _, _| {
            site.form(&visit, StatusCode::OK, &Form::default(), None).await
        });
        form.handler = form.handler.on(
            MethodFilter::POST,
            async move |caller: Caller,
                        OriginalUri(uri): OriginalUri,
                        headers: HeaderMap,
                        form: Form|
                        -> Response {
                let visit = sent.visit(&uri, &headers);
                match sent.take(&visit, &caller, &form).await {
                    Ok(response) => response,
                    Err(problem) => sent.refuse(&visit, &problem).await,
                }
            },
        );
        let received =
            self.route("/contact/received/{name}", async move |site: Self, visit: Visit, _, id: String| {
                let inquiry = find_inquiry(&site.desk.content, &id).await?;
                let head = Head {
                    title: visit.say("We have your inquiry", "문의를 접수했습니다").to_owned(),
                    kind: "website",
                    section: "contact".to_owned(),
                    ..Head::default()
                };
                let context = Received { day: visit.day(inquiry.created_at), id: inquiry.id };
                site.once(
                    &visit,
                    StatusCode::OK,
                    Page { template: "received.html", head, context, until: None },
                )
                .await
            });
        vec![form, received]
    }

    /// Takes a form. One that cannot be taken is shown again with what was entered.
    async fn take(&self, visit: &Visit, caller: &Caller, form: &Form) -> Result<Response, Problem> {
        let text = |name: &str| form.text(name).trim().to_owned();
        let took = text("shown").parse::<i64>().ok().map(|shown| self.desk.content.now().as_second() - shown);
        let inquiry = SentInquiry {
            name: text("name"),
            email: text("email"),
            company: text("company"),
            title: text("title"),
            referral: text("referral"),
            subject: text("subject"),
            message: text("message"),
            consent_version: text("consent"),
            website: text("website"),
            form_id: Some(text("form")).filter(|form| !form.is_empty()),
            seconds: took.and_then(|took| u32::try_from(took).ok()),
        };
        match send(&self.calls, &self.desk, caller, inquiry).await {
            Ok(inquiry) => {
                let to = visit.url(&format!("/contact/received/{}", part(&inquiry.id)));
                Ok(visit.finish(Redirect::to(&to).into_response()))
            }
            Err(problem) if problem.status.is_server_error() && problem.retry_after.is_none() => Err(problem),
            Err(problem) => self.form(visit, problem.status, form, Some(problem)).await,
        }
    }

    async fn form(
        &self,
        visit: &Visit,
        status: StatusCode,
        form: &Form,
        problem: Option<Problem>,
    ) -> Result<Response, Problem> {
        let consent = &self.desk.settings.consent;
        let mut errors = BTreeMap::new();
        for error in problem.iter().flat_map(|problem| &problem.violations) {
            errors.insert(error.attribute.clone(), sentence(visit.language, error.problem.clone()));
        }
        let whole = problem.as_ref().filter(|problem| problem.violations.is_empty());
        let context = Contact {
            values: FIELDS.iter().map(|name| (*name, form.text(name).to_owned())).collect(),
            problem: match (whole, errors.is_empty()) {
                (Some(problem), _) => Some(sentence(visit.language, problem.message.clone())),
                (None, false) => Some(
                    visit
                        .say(
                            "Nothing was sent yet: please correct the marked fields.",
                            "아직 보내지 않았습니다. 표시한 항목을 확인해 주세요.",
                        )
                        .to_owned(),
                ),
                (None, true) => None,
            },
            errors,
            consent: visit.say(&consent.en, &consent.ko).to_owned(),
            consent_version: consent.version.clone(),
            action: visit.url("/contact"),
            form: form
                .get("form")
                .filter(|form| is_form_id(form))
                .map_or_else(|| self.desk.content.form_id(), str::to_owned),
            shown: form
                .get("shown")
                .map_or_else(|| self.desk.content.now().as_second().to_string(), str::to_owned),
        };
        let head = Head {
            title: visit.say("Contact", "문의하기").to_owned(),
            description: visit.say("Send us a message.", "궁금한 점을 남겨 주세요.").to_owned(),
            path: Some("/contact".to_owned()),
            kind: "website",
            section: "contact".to_owned(),
            ..Head::default()
        };
        self.once(visit, status, Page { template: "contact.html", head, context, until: None }).await
    }
}
