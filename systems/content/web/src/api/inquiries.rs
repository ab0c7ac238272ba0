//! Inquiries: sent by visitors, answered by managers.

use axum::Json as Body;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_access::Role;
use hansang_content::{Inquiry, InquiryFilter, InquiryStatus, find_inquiry, inquiries, mails_of};
use hansang_core::message;
use hansang_http::input::{Members, Parameters, PathKey, version_of};
use hansang_http::route::{Needs, Route, cursor_parameter, json_answer, json_body, query_parameter};
use hansang_server::{Caller, schema};
use jiff::Timestamp;
use serde_json::json;

use super::output::{PageOf, Receipt, ShownInquiry, Thread};
use super::sent::{SentInquiry, SentReply, SentStatus};
use super::{Api, Public, Responded, ask, body_schema};
use crate::actions::{ERASE, MANAGER, RELEASE, REPLY, RESEND, SET_STATUS};
use crate::contact;
use crate::messages as api;

impl Api {
    pub(super) fn inquiry_routes(&self) -> Vec<Route> {
        let limit = json!({ "type": "integer", "minimum": 1, "maximum": 100 });
        let statuses = json!({ "enum": InquiryStatus::ALL.map(InquiryStatus::name) });
        let page = vec![
            query_parameter("status", false, statuses, message!(api::BY_STATUS)),
            query_parameter("spam", false, json!({ "type": "boolean" }), message!(api::BY_SPAM)),
            query_parameter("limit", false, limit, message!(api::LIMIT)),
            cursor_parameter(),
        ];
        let ok = (StatusCode::OK, Role::Editor);
        vec![
            self.submit_route(),
            self.public(
                "consent",
                "consent.get",
                (message!(api::GET_CONSENT), message!(api::THE_CONSENT)),
                Vec::new(),
                async move |desk, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(Public { body: desk.settings.consent.clone(), until: None })
                },
            ),
            self.read(
                "inquiries",
                "inquiries.list",
                (message!(api::LIST_INQUIRIES), message!(api::THE_INQUIRIES)),
                Role::Editor,
                page,
                async move |desk, _, mut asked: Parameters| {
                    let status = asked.take("status").and_then(|status| InquiryStatus::named(&status));
                    let filter = InquiryFilter { status, spam: asked.truth("spam")? };
                    let page = inquiries(&desk.content, filter, ask(asked)?).await?;
                    Ok(PageOf {
                        items: page.inquiries.into_iter().map(ShownInquiry::of).collect(),
                        next: page.next,
                    })
                },
            ),
            self.read(
                "inquiries/{id}",
                "inquiries.get",
                (message!(api::GET_INQUIRY), message!(api::THE_INQUIRY)),
                Role::Editor,
                Vec::new(),
                async move |desk, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let inquiry = find_inquiry(&desk.content, &key.text("id")).await?;
                    let mails = mails_of(&desk.content, &inquiry.id).await?;
                    Ok(Thread::of(inquiry, mails))
                },
            ),
            self.change::<SentReply, _, _, _>(
                (Method::POST, "inquiries/{id}/reply"),
                REPLY,
                ok,
                |asked| Ok((asked.text("id"), asked.body.message)),
                shown,
            ),
            self.change::<SentStatus, _, _, _>(
                (Method::POST, "inquiries/{id}/status"),
                SET_STATUS,
                ok,
                |asked| Ok((asked.text("id"), asked.body.status, version_of(&asked.headers)?)),
                shown,
            ),
            self.order(
                (Method::POST, "inquiries/{id}/release"),
                RELEASE,
                Role::Editor,
                |asked| Ok(asked.text("id")),
                Some(shown),
            ),
            self.order::<_, _, ShownInquiry>(
                (Method::POST, "inquiries/{id}/mails/{mailId}/resend"),
                RESEND,
                Role::Editor,
                |asked| Ok((asked.text("id"), asked.text("mailId"))),
                None,
            ),
            self.order::<_, _, ShownInquiry>(
                (Method::DELETE, "inquiries/{id}"),
                ERASE,
                MANAGER,
                |asked| Ok(asked.text("id")),
                None,
            ),
        ]
    }

    /// An inquiry of a visitor, who is not signed in.
    fn submit_route(&self) -> Route {
        let api = self.clone();
        let handler =
            async move |caller: Caller, asked: Parameters, Members(members): Members| -> Responded {
                asked.finish()?;
                let sent: SentInquiry = hansang_http::json::parse(members)?;
                let inquiry = contact::send(&api.calls, &api.desk, &caller, sent).await?;
                Ok((StatusCode::CREATED, Body(Receipt::of(&inquiry))).into_response())
            };
        let action = contact::SUBMIT;
        Route {
            body: Some(json_body(body_schema::<SentInquiry>())),
            answers: vec![(
                201,
                json_answer(message!(api::RECEIVED), schema::response::<Receipt>(self.model())),
            )],
            refusals: &[403, 409, 413, 415],
            handler: on(MethodFilter::POST, handler),
            ..self.route(Method::POST, "inquiries", action.name, action.summary(), Needs::Nothing)
        }
    }
}

fn shown(inquiry: Inquiry, _: Timestamp) -> ShownInquiry {
    ShownInquiry::of(inquiry)
}
