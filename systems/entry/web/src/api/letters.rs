//! Dead letters.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_core::messages::reads;
use hansang_core::queue::MAX_MESSAGES;
use hansang_core::{CoreCode, Error, message};
use hansang_entry::letters;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::output::{Items, ShownLetter};
use super::{Entries, Responded, schema};
use crate::actions::REDRIVE_LETTERS;
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Members, Parameters};
use hansang_http::json::parse;
use hansang_http::route::{Route, json_answer, json_body, query_parameter};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The default number of dead letters.
const DEFAULT_LIMIT: usize = 100;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    ids: Vec<String>,
}

/// The number of messages that were sent again.
#[derive(Serialize, JsonSchema)]
struct Redriven {
    redriven: usize,
}

impl Entries {
    pub(super) fn letter_routes(&self) -> Vec<Route> {
        vec![self.letters_route(), self.redrive_letters_route()]
    }

    fn letters_route(&self) -> Route {
        let entries = self.clone();
        let summary = message!(api::LETTERS);
        let whole =
            json!({ "type": "integer", "minimum": 1, "maximum": MAX_MESSAGES, "default": DEFAULT_LIMIT });
        let all = response::<Items<ShownLetter>>(self.model());
        Route {
            parameters: vec![query_parameter("limit", false, whole, message!(api::MAX_LETTERS))],
            answers: vec![(200, json_answer(message!(api::SOME_LETTERS), all))],
            handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                entries.answer_letters(asked).await
            }),
            ..self.route(Method::GET, "dead-letters", "letters.list", summary, self.needs(Role::Viewer))
        }
    }

    fn redrive_letters_route(&self) -> Route {
        let entries = self.clone();
        let ids = json!({ "type": "array", "items": schema::text(), "maxItems": MAX_MESSAGES });
        Route {
            body: Some(json_body(schema::closed(json!({ "ids": ids }), &["ids"]))),
            answers: vec![(200, json_answer(message!(api::REDRIVEN), response::<Redriven>(self.model())))],
            refusals: &[409, 413, 415],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, asked: Parameters, members: Members| {
                    entries.answer_redrive_letters(&caller, asked, members).await
                },
            ),
            ..self.route(
                Method::POST,
                "dead-letters/redrive",
                REDRIVE_LETTERS.name,
                REDRIVE_LETTERS.summary(),
                self.needs(Role::Editor),
            )
        }
    }

    async fn answer_letters(&self, mut asked: Parameters) -> Responded {
        let most =
            asked.number("limit")?.map_or(DEFAULT_LIMIT, |most| usize::try_from(most).unwrap_or(usize::MAX));
        asked.finish()?;
        if !(1..=MAX_MESSAGES).contains(&most) {
            let message = message!(reads::PAGE_SIZE, MAX_MESSAGES, most);
            return Err(Error::invalid(CoreCode::InvalidPageSize, message).into());
        }
        let found = self.calls.measured("letters.list", letters(self.entry(), most)).await?;
        let items = found.into_iter().map(ShownLetter::from).collect();
        Ok(Body(Items { items }).into_response())
    }

    async fn answer_redrive_letters(
        &self,
        caller: &Caller,
        asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        asked.finish()?;
        let Chosen { ids } = parse(members)?;
        hansang_core::queue::check_count(ids.len()).map_err(Error::from)?;
        let redriven = self.act(&REDRIVE_LETTERS, caller, ids).await?;
        Ok(Body(Redriven { redriven }).into_response())
    }
}
