//! What a version names, and who names a contract.

use axum::Json as Body;
use axum::http::Method;
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::references::{Reference, references};
use hansang_contracts::{ContractRegistry as _, Referrer, in_spec};
use hansang_core::{Error, ErrorKind, message};
use serde_json::{Value as Json, json};

use super::{Contracts, Responded, contract, output, reference, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, json_answer};
use hansang_server::Caller;

impl Contracts {
    pub(super) fn link_routes(&self) -> Vec<Route> {
        let (named, naming) = (self.clone(), self.clone());
        let path = "kinds/{kind}/{id}/{version}/references";
        let references = Route {
            answers: vec![(200, json_answer(message!(api::REFERENCES), self.named_schema()))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                named.answer_references(&key, asked).await
            }),
            ..self.route(Method::GET, path, "listReferences", message!(api::LIST_REFERENCES), Role::Viewer)
        };
        let path = "kinds/{kind}/{id}/referrers";
        let referrers = Route {
            answers: vec![(200, json_answer(message!(api::REFERRERS), self.naming_schema()))],
            handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey, asked: Parameters| {
                naming.answer_referrers(&key, asked).await
            }),
            ..self.route(Method::GET, path, "listReferrers", message!(api::LIST_REFERRERS), Role::Viewer)
        };
        vec![referrers, references]
    }

    async fn answer_references(&self, key: &PathKey, asked: Parameters) -> Responded {
        let reference = reference(key)?;
        asked.finish()?;
        let found = self.read("listReferences", self.registry.fetch(&reference)).await?;
        let named = references(&reference.kind, &found.spec).map_err(|problems| {
            // Only a draft names something wrongly, and it was taken as it is.
            Error { kind: ErrorKind::Conflict, ..Error::fields(in_spec(problems)) }
        })?;
        Ok(Body(output::items(named.iter().map(named_json).collect())).into_response())
    }

    async fn answer_referrers(&self, key: &PathKey, asked: Parameters) -> Responded {
        let (kind, id) = contract(key)?;
        asked.finish()?;
        let found = self.read("listReferrers", self.registry.referrers(&kind, &id)).await?;
        Ok(Body(output::items(found.iter().map(naming_json).collect())).into_response())
    }

    fn named_schema(&self) -> Json {
        let attribute = |name| schema::attribute(self.model(), name);
        let properties = json!({
            "kind": attribute("kind"),
            "id": attribute("id"),
            "version": { "type": "string", "description": "A version, or a range of them." },
            "path": schema::text(),
        });
        schema::items(schema::closed(properties, &["kind", "id", "version", "path"]))
    }

    fn naming_schema(&self) -> Json {
        let attribute = |name| schema::attribute(self.model(), name);
        let properties = json!({
            "kind": attribute("kind"),
            "id": attribute("id"),
            "version": attribute("version"),
            "wanted": schema::texts(),
        });
        schema::items(schema::closed(properties, &["kind", "id", "version", "wanted"]))
    }
}

fn named_json(reference: &Reference) -> Json {
    json!({
        "kind": reference.kind.as_str(),
        "id": &*reference.id,
        "version": reference.wanted.to_string(),
        "path": reference.path,
    })
}

fn naming_json(referrer: &Referrer) -> Json {
    let mut json = output::reference(&referrer.from);
    json["wanted"] = referrer.wanted.as_slice().into();
    json
}
