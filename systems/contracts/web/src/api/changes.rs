//! Registering versions, and moving their status.

use axum::Json as Body;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::routing::{MethodFilter, on};
use hansang_contracts::{
    Act, Allowed, ContractRef, Moved, NewContract, Registered, Status, check_promotion, check_restoration,
    deprecate, promote, register, restore,
};
use hansang_core::{Error, Message, message};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::output::HeaderWithWarnings;
use super::{Contracts, Responded, reference, schema};
use crate::messages as api;
use hansang_access::Role;
use hansang_http::guard::role_missing;
use hansang_http::input::{Members, Parameters, PathKey, item};
use hansang_http::json::{parse, present};
use hansang_http::route::segment;
use hansang_http::route::{Described, Route, json_answer, json_body, query_parameter};
use hansang_server::Caller;
use hansang_server::schema::response;

/// The maximum length of an author.
const MAX_AUTHOR: usize = 128;

/// A move of a version's status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// From draft to active.
    Promote,
    /// From active to deprecated, which is served with a warning.
    Deprecate,
    /// From deprecated to active.
    Restore,
}

impl Move {
    pub(crate) const ALL: [Self; 3] = [Self::Promote, Self::Deprecate, Self::Restore];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Promote => "promote",
            Self::Deprecate => "deprecate",
            Self::Restore => "restore",
        }
    }

    fn summary(self) -> Message {
        match self {
            Self::Promote => message!(api::PROMOTE),
            Self::Deprecate => message!(api::DEPRECATE),
            Self::Restore => message!(api::RESTORE),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Sent {
    version: String,
    #[serde(default, deserialize_with = "present")]
    status: Option<String>,
    spec: Map<String, Json>,
    #[serde(default, deserialize_with = "present")]
    created_by: Option<String>,
}

impl Contracts {
    pub(super) fn change_routes(&self) -> Vec<Route> {
        let mut routes = vec![self.register_route()];
        routes.extend(Move::ALL.map(|to| self.move_route(to)));
        routes
    }

    /// Registers a version.
    pub(crate) async fn register(&self, caller: &Caller, new: NewContract) -> Result<Registered, Error> {
        let subject = subject(&new.reference, &new.allowed);
        self.write(caller, "register", &subject, register(&*self.registry, new)).await
    }

    /// Moves the status of a version.
    pub(crate) async fn move_status(
        &self,
        caller: &Caller,
        to: Move,
        reference: &ContractRef,
        allowed: Allowed,
    ) -> Result<Moved, Error> {
        let act = Act { by: who(caller)?, allowed };
        let subject = subject(reference, &act.allowed);
        self.refresh(reference);
        let registry = &*self.registry;
        let work = async {
            match to {
                Move::Promote => promote(registry, reference, act).await,
                Move::Deprecate => deprecate(registry, reference, act).await,
                Move::Restore => restore(registry, reference, act).await,
            }
        };
        self.write(caller, to.name(), &subject, work).await
    }

    /// Checks a promotion or a restoration without doing it. A deprecation needs no check.
    pub(crate) async fn preview_move(
        &self,
        to: Move,
        reference: &ContractRef,
        allowed: &Allowed,
    ) -> Result<Moved, Error> {
        self.refresh(reference);
        let look = async {
            let warnings = match to {
                Move::Promote => check_promotion(&*self.registry, reference, allowed).await?,
                Move::Deprecate => Vec::new(),
                Move::Restore => check_restoration(&*self.registry, reference, allowed).await?,
            };
            let header = self.registry.fetch(reference).await?.header.clone();
            Ok(Moved { header, warnings })
        };
        self.read(to.name(), look).await
    }

    /// Drops the cached version: a move is decided by the stored one.
    fn refresh(&self, reference: &ContractRef) {
        self.registry.invalidate(reference);
    }

    fn register_route(&self) -> Route {
        let contracts = self.clone();
        let answer = response::<HeaderWithWarnings>(self.model());
        let base =
            self.route(Method::POST, "kinds/{kind}/{id}", "register", message!(api::REGISTER), Role::Editor);
        let parameters = base.parameters.into_iter().chain(exceptions()).collect();
        let created = json_answer(message!(api::REGISTERED), answer.clone());
        Route {
            parameters,
            body: Some(json_body(self.sent_schema())),
            answers: vec![(200, json_answer(message!(api::REGISTERED_BEFORE), answer)), (201, created)],
            refusals: &[409, 413, 415, 422],
            handler: on(
                MethodFilter::POST,
                async move |caller: Caller, key: PathKey, asked: Parameters, members: Members| {
                    contracts.answer_register(&caller, &key, asked, members).await
                },
            ),
            ..base
        }
    }

    fn move_route(&self, to: Move) -> Route {
        let contracts = self.clone();
        let path = format!("kinds/{{kind}}/{{id}}/{{version}}/{}", to.name());
        let base = self.route(Method::POST, &path, to.name(), to.summary(), Role::Editor);
        let mut parameters = base.parameters;
        if to != Move::Deprecate {
            parameters.extend(exceptions());
            let truth = json!({ "type": "boolean" });
            parameters.push(query_parameter("dryRun", false, truth, message!(api::DRY_RUN)));
        }
        Route {
            parameters,
            answers: vec![(
                200,
                json_answer(message!(api::CHANGED), response::<HeaderWithWarnings>(self.model())),
            )],
            handler: on(MethodFilter::POST, async move |caller: Caller, key: PathKey, asked: Parameters| {
                contracts.answer_move(&caller, to, &key, asked).await
            }),
            ..base
        }
    }

    async fn answer_register(
        &self,
        caller: &Caller,
        key: &PathKey,
        mut asked: Parameters,
        Members(members): Members,
    ) -> Responded {
        let allowed = self.allowed(caller, &mut asked)?;
        asked.finish()?;
        let Sent { version, status, spec, created_by } = parse(members)?;
        let new = NewContract {
            reference: ContractRef::new(&key.text("kind"), &key.text("id"), &version)?,
            status: status.map_or(Ok(Status::Draft), |status| status.parse())?,
            spec: item(spec)?,
            created_by: self.creator(caller, created_by)?,
            allowed,
        };
        let Registered { header, created, warnings } = self.register(caller, new).await?;
        let status = if created { StatusCode::CREATED } else { StatusCode::OK };
        let body = Body(HeaderWithWarnings::of(&header, &warnings));
        let mut response = (status, body).into_response();
        if let (true, Ok(location)) = (created, HeaderValue::try_from(self.location(&header.reference))) {
            response.headers_mut().insert(header::LOCATION, location);
        }
        Ok(response)
    }

    async fn answer_move(
        &self,
        caller: &Caller,
        to: Move,
        key: &PathKey,
        mut asked: Parameters,
    ) -> Responded {
        let reference = reference(key)?;
        let dry = to != Move::Deprecate && asked.truth("dryRun")?.unwrap_or_default();
        let allowed = match to {
            Move::Deprecate => Allowed::default(),
            Move::Promote | Move::Restore => self.allowed(caller, &mut asked)?,
        };
        asked.finish()?;
        let Moved { header, warnings } = match dry {
            true => self.preview_move(to, &reference, &allowed).await?,
            false => self.move_status(caller, to, &reference, allowed).await?,
        };
        Ok(Body(HeaderWithWarnings::of(&header, &warnings)).into_response())
    }

    /// The exceptions in the parameters. Only an administrator may make them.
    fn allowed(&self, caller: &Caller, asked: &mut Parameters) -> Result<Allowed, Error> {
        let missing = asked.truth("allowMissing")?.unwrap_or_default();
        let allowed = Allowed { missing, incompatible: asked.take("override") };
        self.check_allowed(caller, &allowed)?;
        Ok(allowed)
    }

    /// Checks that the caller may make exceptions, if there are any.
    pub(crate) fn check_allowed(&self, caller: &Caller, allowed: &Allowed) -> Result<(), Error> {
        let system = &self.model().name;
        if *allowed != Allowed::default() && caller.role_in(system) < Some(Role::Admin) {
            return Err(role_missing(system, Role::Admin));
        }
        Ok(())
    }

    /// The author of a version: the caller. Only an administrator may name another.
    fn creator(&self, caller: &Caller, named: Option<String>) -> Result<String, Error> {
        let own = who(caller)?;
        let system = &self.model().name;
        let Some(named) = named.filter(|named| *named != own) else { return Ok(own) };
        if caller.signed_in()?.grants.role_in(system) < Some(Role::Admin) {
            return Err(role_missing(system, Role::Admin));
        }
        Ok(named)
    }

    fn location(&self, reference: &ContractRef) -> String {
        let ContractRef { kind, id, version } = reference;
        let parts = [kind.as_str(), id, &version.to_string()].map(|part| segment(&part.into()));
        format!("/api/{}/kinds/{}", self.model().name, parts.join("/"))
    }

    fn sent_schema(&self) -> Json {
        let model = self.model();
        let mut status = schema::status();
        status["default"] = Status::Draft.name().into();
        let properties = json!({
            "version": schema::attribute(model, "version"),
            "status": status,
            "spec": schema::spec(),
            "createdBy": {
                "type": "string", "minLength": 1, "maxLength": MAX_AUTHOR,
                "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
                "description": "The author, if an administrator registers it for another account.",
            },
        });
        schema::closed(properties, &["version", "spec"])
    }
}

/// The parameters of exceptions.
fn exceptions() -> [Described; 2] {
    // No control characters, and one that is not blank.
    let text = r"[^\u0000-\u001F\u007F-\u009F]*";
    let pattern = format!(r"^{text}[^\s\u0000-\u001F\u007F-\u009F]{text}$");
    let reason = json!({ "type": "string", "minLength": 1, "maxLength": 256, "pattern": pattern });
    [
        query_parameter("allowMissing", false, json!({ "type": "boolean" }), message!(api::ALLOW_MISSING)),
        query_parameter("override", false, reason, message!(api::OVERRIDE)),
    ]
}

/// The subject of an audit entry: the version, and what was allowed for it.
fn subject(reference: &ContractRef, allowed: &Allowed) -> String {
    let missing = if allowed.missing { " allowMissing" } else { "" };
    let reason = allowed.incompatible.as_ref().map(|reason| format!(" override: {reason}"));
    format!("{reference}{missing}{}", reason.unwrap_or_default())
}

/// The caller as the author of a version, with the same id as in the audit log.
pub(crate) fn who(caller: &Caller) -> Result<String, Error> {
    Ok(caller.signed_in()?.id.chars().take(MAX_AUTHOR).collect())
}
