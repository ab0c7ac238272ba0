//! The access patterns of a model, each an address of its own.

use axum::Json as Body;
use axum::http::Method;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::export::attribute_schema;
use hansang_core::model::Pattern;
use hansang_core::read::{MAX_PAGE, parameters};
use serde_json::{Value as Json, json};

use crate::app::{Asking, Calls};
use crate::input::{Parameters, argument_name};
use crate::output::listing;
use crate::problem::Problem;
use crate::route::{Needs, Route, json_answer, query_parameter};
use crate::{Role, schema};

/// The operation that answers a pattern.
pub(super) fn route(calls: &Calls, pattern: &Pattern) -> Route {
    let model = calls.db.model();
    let record = schema::any_record(model, pattern.entities.iter().map(|entity| &**entity));
    let (calls, name) = (calls.clone(), pattern.name.clone());
    Route {
        method: Method::GET,
        path: format!("/api/{}/patterns/{}", model.name, pattern.name),
        operation: format!("{}.{}", model.name, pattern.name),
        summary: if pattern.doc.is_empty() { format!("Read {}", pattern.name) } else { pattern.doc.clone() },
        tag: model.name.to_string(),
        needs: Needs::Role(model.name.to_string(), Role::Viewer),
        parameters: query_parameters(pattern),
        body: None,
        answers: vec![(200, json_answer("A page.", schema::page(&record)))],
        refusals: &[],
        streams: false,
        handler: on(MethodFilter::GET, async move |_: Asking, asked: Parameters| {
            answer(&calls, &name, asked).await
        }),
    }
}

async fn answer(calls: &Calls, pattern: &str, asked: Parameters) -> Result<Response, Problem> {
    let (arguments, ask) = asked.question_of(calls.db.pattern(pattern)?)?;
    let page = calls.read(pattern, calls.db.query(pattern, arguments, ask)).await?;
    Ok(Body(listing(&page)).into_response())
}

fn query_parameters(pattern: &Pattern) -> Vec<Json> {
    let entity = pattern.entities.first();
    let schema_of = |name: &str| {
        let own = entity.and_then(|entity| Some(attribute_schema(entity, entity.attribute(name)?)));
        own.map_or_else(|| json!({ "type": "string" }), Json::Object)
    };
    let argument = |parameter: hansang_core::read::Parameter<'_>| {
        let described = format!("`{}` of the pattern", parameter.name);
        query_parameter(
            &argument_name(parameter.name),
            parameter.required,
            schema_of(parameter.name),
            &described,
        )
    };
    let mut all: Vec<Json> = parameters(pattern).into_iter().map(argument).collect();
    let whole = json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": pattern.page });
    all.push(query_parameter("limit", false, whole, "How many records a page has at most"));
    let text = json!({ "type": "string" });
    all.push(query_parameter("cursor", false, text.clone(), "`next` or `previous` of another page"));
    let order = json!({ "enum": ["ascending", "descending"] });
    all.push(query_parameter("order", false, order, "The other way round"));
    let truth = json!({ "type": "boolean" });
    all.push(query_parameter("consistent", false, truth, "Whether every acknowledged write is seen"));
    all.push(query_parameter("fields", false, text, "Only these fields, separated by commas"));
    all
}
