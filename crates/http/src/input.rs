//! Parses requests into items, keys and options.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, RawPathParams, RawQuery, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use bytes::Bytes;
use hansang_core::db::{Ask, GetOptions};
use hansang_core::message::Argument;
use hansang_core::model::{Entity, Pattern};
use hansang_core::read::parameters;
use hansang_core::validate::violation;
use hansang_core::value::json::from_plain;
use hansang_core::{CoreCode, Error, Item, Message, Name, Value, message};
use serde_json::{Map, Value as Json};

use crate::problem::Problem;
use crate::route::Route;
use crate::{HttpCode, messages};

/// The member of a record that names its entity. No attribute can have this name.
pub const ENTITY: &str = "$entity";
/// The member of a record that lists how its stored item does not match the model.
pub const PROBLEMS: &str = "$problems";
/// The member of an item that fits no entity: the item in DynamoDB's JSON.
pub const ITEM: &str = "$item";

/// The members of a JSON body that must be an object.
pub struct Members(pub Map<String, Json>);

impl<S: Send + Sync> FromRequest<S> for Members {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let media = media_type(request.headers());
        if !matches!(media.as_deref(), Some("application/json" | "application/merge-patch+json")) {
            let message = message!(messages::NOT_JSON_TYPE);
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                HttpCode::WrongContentType,
                message,
            ));
        }
        let bytes = whole_body(request, state).await?;
        match serde_json::from_slice(&bytes) {
            Ok(Json::Object(members)) => Ok(Self(members)),
            Ok(_) => Err(Error::invalid(HttpCode::MalformedJson, message!(messages::NOT_AN_OBJECT)).into()),
            Err(error) => {
                let message = message!(messages::NOT_JSON, error.line(), error.column());
                Err(Error::invalid(HttpCode::MalformedJson, message).into())
            }
        }
    }
}

/// The whole body of a request.
pub async fn whole_body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, Problem> {
    Bytes::from_request(request, state).await.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Problem::new(rejection.status(), HttpCode::BodyTooLarge, message!(messages::BODY_TOO_LARGE))
        } else {
            Error::invalid(HttpCode::BodyUnreadable, message!(messages::BODY_UNREADABLE)).into()
        }
    })
}

impl Members {
    /// The fields of a record of this entity. The entity's name may be among the members, as in a response.
    pub fn fields(mut self, entity: &Entity) -> Result<Item, Error> {
        match self.0.remove(ENTITY) {
            Some(Json::String(name)) if *name != *entity.name => {
                let message = message!(messages::OTHER_ENTITY, name, &entity.name);
                return Err(Error::invalid(HttpCode::WrongEntity, message));
            }
            None | Some(Json::String(_)) => {}
            Some(_) => return Err(Error::invalid(HttpCode::WrongEntity, message!(messages::NOT_AN_ENTITY))),
        }
        // A record may be sent back as it was read.
        self.0.remove(PROBLEMS);
        item(self.0)
    }
}

/// An item from the members of a JSON object.
pub fn item(members: Map<String, Json>) -> Result<Item, Error> {
    let mut item = Item::new();
    let mut violations = Vec::new();
    for (name, json) in members {
        match from_plain(&json) {
            Ok(value) => drop(item.insert(Name::from(&*name), value)),
            Err(problem) => violations.push(violation(&name, problem)),
        }
    }
    if violations.is_empty() { Ok(item) } else { Err(Error::fields(violations)) }
}

/// The parameters of the path, decoded.
pub struct PathKey(pub Item);

impl<S: Send + Sync> FromRequestParts<S> for PathKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(|_| {
            Problem::from(Error::invalid(HttpCode::MalformedPath, message!(messages::MALFORMED_PATH)))
        })?;
        Ok(Self(parameters.iter().map(|(name, value)| (Name::from(name), Value::from(value))).collect()))
    }
}

impl PathKey {
    /// The key of a record of this entity: texts of the path are converted to the types of the attributes.
    pub fn of(self, entity: &Entity) -> Result<Item, Error> {
        let mut violations = Vec::new();
        let mut key = Item::new();
        for (name, value) in self.0 {
            let (Some(attribute), Some(text)) = (entity.attribute(&name), value.as_str()) else { continue };
            match attribute.kind.from_text(text) {
                Ok(value) => drop(key.insert(name, value)),
                Err(problem) => violations.push(violation(&name, problem)),
            }
        }
        if violations.is_empty() { Ok(key) } else { Err(Error::fields(violations)) }
    }

    /// The text of a parameter.
    pub fn text(&self, name: &str) -> String {
        self.0.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    }
}

/// The parameters of the query string, each once.
pub struct Parameters(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for Parameters {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Ok(RawQuery(query)) = RawQuery::from_request_parts(parts, state).await;
        let query = query.unwrap_or_default();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            if value.contains('\u{fffd}') || name.contains('\u{fffd}') {
                let message = message!(messages::MALFORMED_QUERY);
                return Err(Error::invalid(HttpCode::MalformedQuery, message).into());
            }
            if pairs.iter().any(|(known, _)| *known == name) {
                let message = message!(messages::GIVEN_TWICE, &*name);
                return Err(Error::invalid(HttpCode::MalformedQuery, message).into());
            }
            pairs.push((name.into_owned(), value.into_owned()));
        }
        Ok(Self(pairs))
    }
}

/// The parameters that an operation takes in the query string.
#[derive(Clone, Debug)]
pub struct Accepted {
    names: Arc<[String]>,
    /// Whether reads may have other parameters too, because browsers and links add some to pages.
    lenient_reads: bool,
}

impl Accepted {
    /// The parameters that a route declares.
    #[must_use]
    pub fn of(route: &Route) -> Self {
        let declared = route.parameters.iter().filter(|parameter| parameter.json["in"] == "query");
        let names = declared.filter_map(|parameter| parameter.json["name"].as_str()).map(str::to_owned);
        Self { names: names.collect(), lenient_reads: is_page(&route.path) }
    }

    /// Checks the query string of a request.
    ///
    /// # Errors
    /// Fails for the first unknown parameter: ignoring it would mislead the caller.
    pub fn check(&self, method: &Method, query: Option<&str>) -> Result<(), Error> {
        if self.lenient_reads && matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Ok(());
        }
        let is_known = |name: &str| {
            let argument = name.strip_prefix("arg.").unwrap_or(name);
            self.names.iter().any(|known| known == name || known == argument)
        };
        let mut sent = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        let Some((name, _)) = sent.find(|(name, _)| !is_known(name)) else { return Ok(()) };
        let message = match &*self.names {
            [] => message!(messages::UNKNOWN_PARAMETER, &*name),
            names => message!(messages::UNKNOWN_PARAMETER_OF, &*name, Argument::and(names)),
        };
        Err(unknown(message))
    }
}

/// Whether a path is that of a page, which the description of the API is too.
fn is_page(path: &str) -> bool {
    !path.starts_with("/api/") || path.starts_with("/api/docs")
}

fn unknown(message: Message) -> Error {
    Error::invalid(HttpCode::UnknownParameter, message)
}

/// The options of reads; a pattern's argument of the same name is written `arg.NAME`.
const OPTIONS: [&str; 5] = ["limit", "cursor", "order", "consistent", "fields"];

impl Parameters {
    /// Takes one parameter.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(known, _)| known == name)?;
        Some(self.0.remove(place).1)
    }

    /// Rejects remaining parameters.
    pub fn finish(self) -> Result<(), Error> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => Err(unknown(message!(messages::UNKNOWN_PARAMETER, name))),
        }
    }

    /// The options of reading one item.
    pub fn get_options(mut self) -> Result<GetOptions, Error> {
        let options = GetOptions {
            consistent: self.truth("consistent")?.unwrap_or_default(),
            fields: self.take("fields").map(|names| names_of(&names)),
        };
        self.finish()?;
        Ok(options)
    }

    /// The arguments of a pattern, and the options of the read. An unknown argument stays text, and is rejected when
    /// the read is planned.
    pub fn question_of(self, pattern: &Pattern) -> Result<(Item, Ask), Error> {
        let (mut arguments, ask) = self.question()?;
        let mut violations = Vec::new();
        for parameter in parameters(pattern) {
            let Some(value) = arguments.get_mut(parameter.name) else { continue };
            match parameter.kind.from_text(value.as_str().unwrap_or_default()) {
                Ok(exact) => *value = exact,
                Err(problem) => violations.push(violation(parameter.name, problem)),
            }
        }
        if violations.is_empty() { Ok((arguments, ask)) } else { Err(Error::fields(violations)) }
    }

    /// The remaining parameters as text, and the options of the read.
    pub fn question(mut self) -> Result<(Item, Ask), Error> {
        let ask = Ask {
            limit: self.number("limit")?,
            descending: self.order()?,
            consistent: self.truth("consistent")?,
            fields: self.take("fields").map(|names| names_of(&names)),
            cursor: self.take("cursor"),
        };
        let argument = |(name, value): (String, String)| {
            let name = name.strip_prefix("arg.").unwrap_or(&name);
            (Name::from(name), Value::from(value))
        };
        Ok((self.0.into_iter().map(argument).collect(), ask))
    }

    /// Takes a whole number.
    ///
    /// # Errors
    /// The value is not a whole number.
    pub fn number(&mut self, name: &str) -> Result<Option<u32>, Error> {
        let parse = |text: String| {
            text.parse().map_err(|_| {
                Error::invalid(HttpCode::InvalidParameter, message!(messages::NOT_A_COUNT, name))
            })
        };
        self.take(name).map(parse).transpose()
    }

    /// Takes `true` or `false`.
    ///
    /// # Errors
    /// The value is neither.
    pub fn truth(&mut self, name: &str) -> Result<Option<bool>, Error> {
        let parse = |text: String| match &*text {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(Error::invalid(HttpCode::InvalidParameter, message!(messages::NOT_A_BOOLEAN, name))),
        };
        self.take(name).map(parse).transpose()
    }

    fn order(&mut self) -> Result<Option<bool>, Error> {
        match self.take("order").as_deref() {
            None => Ok(None),
            Some("ascending") => Ok(Some(false)),
            Some("descending") => Ok(Some(true)),
            Some(_) => Err(Error::invalid(HttpCode::InvalidParameter, message!(messages::NOT_AN_ORDER))),
        }
    }
}

/// The name of a pattern's argument in a query string.
pub fn argument_name(name: &str) -> String {
    if OPTIONS.contains(&name) { format!("arg.{name}") } else { name.to_owned() }
}

fn names_of(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_owned()).collect()
}

/// The stored state that the caller expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// No expectation.
    Unsaid,
    /// This version.
    Version(i64),
    /// No stored record.
    Absent,
}

/// The expectation in `If-Match` and `If-None-Match`.
pub fn expected(headers: &HeaderMap, entity: &Entity) -> Result<Expected, Error> {
    let refuse = |message: Message| Err(Error::invalid(HttpCode::InvalidIfMatch, message));
    if entity.version().is_none() && headers.contains_key(header::IF_MATCH) {
        return refuse(message!(messages::NO_VERSIONS, &entity.name));
    }
    let version = version_of(headers)?;
    match (headers.get(header::IF_NONE_MATCH).map(|value| value.as_bytes()), version) {
        (None, None) => Ok(Expected::Unsaid),
        (None, Some(version)) => Ok(Expected::Version(version)),
        (Some(b"*"), None) => Ok(Expected::Absent),
        (Some(b"*"), Some(_)) => {
            Err(Error::precondition(CoreCode::ChangedMeanwhile, message!(messages::BOTH_CONDITIONS)))
        }
        _ => refuse(message!(messages::ONLY_ABSENT)),
    }
}

/// The version that `If-Match` names.
pub fn version_of(headers: &HeaderMap) -> Result<Option<i64>, Error> {
    let Some(value) = headers.get(header::IF_MATCH) else { return Ok(None) };
    let tag = value.to_str().ok().and_then(|tag| tag.strip_prefix('"')?.strip_suffix('"'));
    // A number can be written in several ways, a tag in one only.
    let tag = tag.filter(|tag| tag.bytes().all(|byte| byte.is_ascii_digit()));
    tag.and_then(|tag| tag.parse().ok())
        .map(Some)
        .ok_or_else(|| Error::invalid(HttpCode::InvalidIfMatch, message!(messages::NOT_AN_ETAG)))
}

/// The media type of a body, without its parameters.
pub fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase())
}
