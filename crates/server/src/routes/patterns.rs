//! The access patterns of a model, each with its own path.

use axum::Json as Body;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::export::argument_schema;
use hansang_core::model::Pattern;
use hansang_core::read::{MAX_PAGE, parameters};
use hansang_core::{Message, message};
use serde_json::json;

use crate::app::{Caller, Calls};
use crate::messages::api;
use crate::output::ShownPage;
use crate::schema;
use hansang_http::input::{Parameters, argument_name};
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{
    Needs, Route, consistent_parameter, cursor_parameter, fields_parameter, json_answer, query_parameter,
};

/// The operation that answers a pattern.
pub(super) fn route(calls: &Calls, pattern: &Pattern) -> Route {
    let model = calls.db.model();
    let record = schema::any_item(model, pattern.entities.iter().map(|entity| &**entity));
    let (calls, name) = (calls.clone(), pattern.name.clone());
    Route {
        method: Method::GET,
        path: format!("/api/{}/patterns/{}", model.name, pattern.name),
        operation: format!("{}.{}", model.name, pattern.name),
        summary: if pattern.doc.is_empty() {
            message!(api::READ, &pattern.name)
        } else {
            Message::words(pattern.doc.clone())
        },
        tag: model.name.to_string(),
        needs: Needs::Role(model.name.to_string(), calls.reserved.role_of(pattern)),
        parameters: query_parameters(pattern),
        body: None,
        answers: vec![(200, json_answer(message!(api::A_PAGE), schema::page(&record)))],
        refusals: &[],
        streams: false,
        max_body: None,
        handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
            answer(&calls, &name, asked).await
        }),
    }
}

async fn answer(calls: &Calls, pattern: &str, asked: Parameters) -> Result<Response, Problem> {
    let (arguments, ask) = asked.question_of(calls.db.pattern(pattern)?)?;
    let page = calls.measured(pattern, calls.db.query(pattern, arguments, ask)).await?;
    Ok(Body(ShownPage::from(&page)).into_response())
}

fn query_parameters(pattern: &Pattern) -> Vec<Described> {
    let argument = |parameter: hansang_core::read::Parameter<'_>| {
        let described = message!(api::ARGUMENT, parameter.name);
        let schema = argument_schema(pattern, &parameter).into();
        query_parameter(&argument_name(parameter.name), parameter.required, schema, described)
    };
    let mut all: Vec<Described> = parameters(pattern).into_iter().map(argument).collect();
    let whole = json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": pattern.page });
    all.push(query_parameter("limit", false, whole, message!(api::PAGE_OF_RECORDS)));
    all.push(cursor_parameter());
    let order = json!({ "enum": ["ascending", "descending"] });
    all.push(query_parameter("order", false, order, message!(api::ORDER)));
    // An index has no strongly consistent reads.
    all.push(consistent_parameter(pattern.index.is_none()));
    all.push(fields_parameter(schema::fields(pattern.entities.iter().map(|entity| &**entity))));
    all
}
