//! The API of events, for participants and for operators.
//!
//! The participant is always the caller: no parameter and no body names a user, so a caller can neither enter for
//! another user nor see another user's requests.

use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;
use axum::routing::MethodRouter;
use hansang_core::export::attribute_schema;
use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::{Error, Message, Model, message};
use hansang_entry::Entry;
use jiff::Timestamp;
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use crate::Door;
use crate::messages as api;
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::{Described, Needs, Route, cursor_parameter, path_parameter, query_parameter};
use hansang_server::{Action, App, Caller, Calls};

mod board;
mod edit;
mod enter;
mod events;
mod follow;
mod letters;
mod mine;
mod operate;
mod output;
mod requests;
mod schema;

/// The result of a handler.
type Responded = Result<Response, Problem>;

/// The maximum length of the id of a user or an event, as the model has it.
const MAX_CHARACTERS: usize = 64;

/// The served operations. Calls are counted, and changes by operators are recorded in the audit log.
#[derive(Clone)]
pub(crate) struct Entries {
    app: App,
    pub(crate) calls: Calls,
    pub(crate) door: Arc<Door>,
}

impl Entries {
    /// Serves the operations.
    pub(crate) fn new(app: &App, door: Arc<Door>) -> Self {
        Self { app: app.clone(), calls: app.calls(&door.db), door }
    }

    /// The operations: first those of all signed-in users, then those of operators.
    pub(crate) fn routes(&self) -> Vec<Route> {
        let mut routes = self.event_routes();
        routes.extend(self.enter_routes());
        routes.extend(self.mine_routes());
        routes.push(self.follow_route());
        routes.extend(self.board_routes());
        routes.extend(self.request_routes());
        routes.extend(self.letter_routes());
        routes.extend(self.operate_routes());
        routes.extend(self.edit_routes());
        routes
    }

    pub(crate) fn entry(&self) -> &Entry {
        &self.door.entry
    }

    /// Runs an action for a caller. Pages show its result at once.
    pub(crate) async fn act<I, O>(
        &self,
        action: &Action<Entry, I, O>,
        caller: &Caller,
        input: I,
    ) -> Result<O, Error> {
        let subject = (action.subject)(&input);
        let done = action.call(&self.calls, self.entry(), caller, input).await;
        self.door.known.forget(&subject).await;
        done
    }

    fn model(&self) -> &Model {
        self.calls.db.model()
    }

    fn now(&self) -> Timestamp {
        self.entry().db.clock().moment().now
    }

    fn needs(&self, role: Role) -> Needs {
        Needs::Role(self.model().name.to_string(), role)
    }

    fn route(&self, method: Method, path: &str, operation: &str, summary: Message, needs: Needs) -> Route {
        let system = &self.model().name;
        Route {
            method,
            path: format!("/api/{system}/{path}"),
            operation: format!("{system}.{operation}"),
            summary,
            tag: system.to_string(),
            needs,
            parameters: self.path_parameters(path),
            body: None,
            answers: Vec::new(),
            refusals: &[],
            streams: false,
            max_body: None,
            handler: MethodRouter::new(),
        }
    }

    fn path_parameters(&self, path: &str) -> Vec<Described> {
        let all = [
            ("eventId", attribute(self.model(), "Event", "eventId"), message!(api::EVENT)),
            ("requestId", attribute(self.model(), "Request", "requestId"), message!(api::REQUEST)),
        ];
        let stands = |name: &str| path.split('/').any(|part| part == format!("{{{name}}}"));
        let found = all.into_iter().filter(|(name, ..)| stands(name));
        found.map(|(name, schema, description)| path_parameter(name, schema, description)).collect()
    }
}

/// The user id of the caller. An id that cannot be part of a key is replaced by its hash. No id looks like a hash:
/// accounts are ULIDs, and others start with their provider.
pub(crate) fn user(caller: &Caller) -> Result<String, Error> {
    let id = &caller.signed_in()?.id;
    if id.chars().count() <= MAX_CHARACTERS && !id.contains('#') && !id.contains(char::is_control) {
        return Ok(id.clone());
    }
    Ok(Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The event id in a path. An id that is too long is a validation error, not "not found".
fn event_id(key: &PathKey) -> Result<String, Error> {
    let id = key.text("eventId");
    if id.chars().count() <= MAX_CHARACTERS {
        return Ok(id);
    }
    Err(Error::fields(vec![violation("eventId", message!(fields::MAX_CHARACTERS, MAX_CHARACTERS))]))
}

/// The schema of an attribute, as the model has it.
fn attribute(model: &Model, entity: &str, name: &str) -> Json {
    let entity = model.entity(entity);
    let schema = entity.and_then(|entity| Some(attribute_schema(entity, entity.attribute(name)?)));
    schema.map_or_else(|| json!({ "type": "string" }), Json::Object)
}

/// The parameters of a page of a list.
fn page_parameters() -> [Described; 2] {
    let whole = json!({ "type": "integer", "minimum": 1, "maximum": hansang_core::read::MAX_PAGE });
    [query_parameter("limit", false, whole, message!(api::PAGE_SIZE)), cursor_parameter()]
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use hansang_access::{Grants, Identity, Origin, Via};

    fn known_as(id: &str) -> String {
        let identity = Identity {
            id: id.into(),
            name: String::new(),
            grants: Grants::default(),
            zone: None,
            via: Via::Oidc,
        };
        let origin = Origin { address: IpAddr::V4(Ipv4Addr::LOCALHOST), trace: String::new() };
        user(&Caller { identity: Some(identity), origin }).unwrap()
    }

    #[test]
    fn ids_that_do_not_fit_a_key_are_hashed() {
        for id in ["01JCD0000000000000000000AB", "oidc:ann@example.com", "oidc:한상", &"x".repeat(64)] {
            assert_eq!(known_as(id), id);
        }
        let strange = ["a#b", "a\u{1}b", "a\u{85}", &"x".repeat(65), &"한".repeat(65)];
        let hashes: Vec<String> = strange.iter().map(|id| known_as(id)).collect();
        for hash in &hashes {
            assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{hash}");
        }
        assert!(hashes.windows(2).all(|pair| pair[0] != pair[1]), "{hashes:?}");
        assert_eq!(known_as("a#b"), hashes[0], "the same one every time");
    }
}
