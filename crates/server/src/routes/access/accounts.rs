//! Accounts: for administrators.

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::{CoreCode, Error, message};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::sessions::password_schema;
use super::tokens::{grants, page, page_schema, paging, paging_parameters};
use super::{administrators, grants_json, grants_schema, login_schema, name_schema, object_schema, route};
use crate::app::{App, Caller};
use crate::messages;
use crate::messages::api;
use hansang_access::{Account, AccountChange, NewAccount, Secret};
use hansang_http::input::{Members, Parameters, PathKey, version_of};
use hansang_http::json::{parse, present};
use hansang_http::problem::Problem;
use hansang_http::route::Described;
use hansang_http::route::{Route, empty_answer, if_match_parameter, json_answer, json_body, path_parameter};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    login: String,
    name: String,
    password: String,
    #[serde(default)]
    grants: Map<String, Json>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changed {
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    grants: Option<Map<String, Json>>,
    #[serde(default, deserialize_with = "present")]
    disabled: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewPassword {
    password: String,
}

pub(super) fn routes(app: &App) -> Vec<Route> {
    let accounts = Accounts(app.clone());
    let mut routes = accounts.of_all();
    routes.extend(accounts.of_one());
    routes.extend(accounts.of_secrets());
    routes
}

#[derive(Clone)]
struct Accounts(App);

impl Accounts {
    fn of_all(&self) -> Vec<Route> {
        let (list, create) = (self.clone(), self.clone());
        vec![
            Route {
                parameters: paging_parameters(),
                answers: vec![(200, json_answer(message!(api::ACCOUNTS), page_schema(&account_schema())))],
                refusals: &[],
                handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                    list.list(asked).await
                }),
                ..route(
                    Method::GET,
                    "accounts",
                    "listAccounts",
                    message!(api::LIST_ACCOUNTS),
                    administrators(),
                )
            },
            Route {
                body: Some(json_body(object_schema(
                    json!({
                        "login": login_schema(),
                        "name": name_schema(),
                        "password": password_schema(),
                        "grants": grants_schema(),
                    }),
                    &["login", "name", "password"],
                ))),
                answers: vec![(201, json_answer(message!(api::MADE), account_schema()))],
                handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
                    create.create(&caller, parse(members.0)?).await
                }),
                ..route(
                    Method::POST,
                    "accounts",
                    "createAccount",
                    message!(api::CREATE_ACCOUNT),
                    administrators(),
                )
            },
        ]
    }

    fn of_one(&self) -> Vec<Route> {
        let (read, change, delete) = (self.clone(), self.clone(), self.clone());
        let guarded = || vec![id_parameter(), if_match_parameter()];
        vec![
            Route {
                parameters: vec![id_parameter()],
                answers: vec![(200, json_answer(message!(api::THE_ACCOUNT), account_schema()))],
                refusals: &[],
                handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey| {
                    Ok::<_, Problem>(answer(StatusCode::OK, &read.0.access().account(&key.text("id")).await?))
                }),
                ..route(
                    Method::GET,
                    "accounts/{id}",
                    "getAccount",
                    message!(api::GET_ACCOUNT),
                    administrators(),
                )
            },
            Route {
                parameters: guarded(),
                body: Some(json_body(change_schema())),
                answers: vec![(200, json_answer(message!(api::CHANGED), account_schema()))],
                refusals: &[409, 412, 413, 415],
                handler: on(
                    MethodFilter::PATCH,
                    async move |caller: Caller, key: PathKey, headers: HeaderMap, members: Members| {
                        change.change(&caller, &key.text("id"), &headers, parse(members.0)?).await
                    },
                ),
                ..route(
                    Method::PATCH,
                    "accounts/{id}",
                    "changeAccount",
                    message!(api::CHANGE_ACCOUNT),
                    administrators(),
                )
            },
            Route {
                parameters: guarded(),
                answers: vec![(204, empty_answer(message!(api::ACCOUNT_GONE)))],
                refusals: &[409, 412],
                handler: on(
                    MethodFilter::DELETE,
                    async move |caller: Caller, key: PathKey, headers: HeaderMap| {
                        let version = version_of(&headers)?;
                        delete_account(&delete.0, &caller, &key.text("id"), version).await?;
                        Ok::<_, Problem>(StatusCode::NO_CONTENT)
                    },
                ),
                ..route(
                    Method::DELETE,
                    "accounts/{id}",
                    "deleteAccount",
                    message!(api::DELETE_ACCOUNT),
                    administrators(),
                )
            },
        ]
    }

    fn of_secrets(&self) -> Vec<Route> {
        let (set, end) = (self.clone(), self.clone());
        vec![
            Route {
                parameters: vec![id_parameter()],
                body: Some(json_body(object_schema(json!({ "password": password_schema() }), &["password"]))),
                answers: vec![(204, empty_answer(message!(api::PASSWORD_SET)))],
                handler: on(
                    MethodFilter::PUT,
                    async move |caller: Caller, key: PathKey, members: Members| {
                        let NewPassword { password } = parse(members.0)?;
                        set_password(&set.0, &caller, &key.text("id"), password).await?;
                        Ok::<_, Problem>(StatusCode::NO_CONTENT)
                    },
                ),
                ..route(
                    Method::PUT,
                    "accounts/{id}/password",
                    "setPassword",
                    message!(api::SET_PASSWORD),
                    administrators(),
                )
            },
            Route {
                parameters: vec![id_parameter()],
                answers: vec![(204, empty_answer(message!(api::SIGNED_OUT_EVERYWHERE)))],
                refusals: &[],
                handler: on(MethodFilter::DELETE, async move |caller: Caller, key: PathKey| {
                    sign_out_everywhere(&end.0, &caller, &key.text("id")).await?;
                    Ok::<_, Problem>(StatusCode::NO_CONTENT)
                }),
                ..route(
                    Method::DELETE,
                    "accounts/{id}/sessions",
                    "signOutEverywhere",
                    message!(api::SIGN_OUT_EVERYWHERE),
                    administrators(),
                )
            },
        ]
    }

    async fn list(&self, asked: Parameters) -> Result<Response, Problem> {
        let accounts = self.0.access().accounts(paging(asked)?).await?;
        Ok(Body(page(&accounts, account_json)).into_response())
    }

    async fn create(&self, caller: &Caller, wanted: Wanted) -> Result<Response, Problem> {
        let Wanted { login, name, password, grants: given } = wanted;
        let new = NewAccount { login, name, password: Secret::new(password), grants: grants(given)? };
        Ok(answer(StatusCode::CREATED, &create_account(&self.0, caller, new).await?))
    }

    async fn change(
        &self,
        caller: &Caller,
        id: &str,
        headers: &HeaderMap,
        changed: Changed,
    ) -> Result<Response, Problem> {
        let Changed { name, grants: given, disabled } = changed;
        if name.is_none() && given.is_none() && disabled.is_none() {
            return Err(
                Error::invalid(CoreCode::NothingToChange, message!(messages::NOTHING_TO_CHANGE)).into()
            );
        }
        let expected_version = version_of(headers)?;
        let change =
            AccountChange { name, grants: given.map(grants).transpose()?, disabled, expected_version };
        Ok(answer(StatusCode::OK, &change_account(&self.0, caller, id, change).await?))
    }
}

/// Creates an account.
pub(crate) async fn create_account(app: &App, caller: &Caller, new: NewAccount) -> Result<Account, Error> {
    let login = new.login.clone();
    audited(app, caller, "createAccount", &login, app.access().create_account(new)).await
}

/// Changes an account.
pub(crate) async fn change_account(
    app: &App,
    caller: &Caller,
    id: &str,
    change: AccountChange,
) -> Result<Account, Error> {
    audited(app, caller, "changeAccount", id, app.access().change_account(id, change)).await
}

/// Removes an account, if its version is the expected one.
pub(crate) async fn delete_account(
    app: &App,
    caller: &Caller,
    id: &str,
    version: Option<i64>,
) -> Result<(), Error> {
    audited(app, caller, "deleteAccount", id, app.access().delete_account(id, version)).await
}

/// Sets the password of an account.
pub(crate) async fn set_password(
    app: &App,
    caller: &Caller,
    id: &str,
    password: String,
) -> Result<(), Error> {
    let password = Secret::new(password);
    audited(app, caller, "setPassword", id, app.access().set_password(id, &password)).await
}

/// Ends all sessions of an account.
pub(crate) async fn sign_out_everywhere(app: &App, caller: &Caller, id: &str) -> Result<(), Error> {
    audited(app, caller, "signOutEverywhere", id, app.access().sign_out_everywhere(id)).await
}

async fn audited<T>(
    app: &App,
    caller: &Caller,
    operation: &str,
    subject: &str,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    app.audited(caller, ("access", operation, subject), work).await
}

fn id_parameter() -> Described {
    path_parameter("id", json!({ "type": "string" }), message!(api::ACCOUNT_ID))
}

fn answer(status: StatusCode, account: &Account) -> Response {
    let mut response = (status, Body(account_json(account))).into_response();
    if let Ok(tag) = HeaderValue::try_from(format!("\"{}\"", account.version)) {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn account_json(account: &Account) -> Json {
    json!({
        "id": account.id,
        "login": account.login,
        "name": account.name,
        "grants": grants_json(&account.grants),
        "disabled": account.disabled,
        "version": account.version,
        "created": account.created.to_string(),
        "updated": account.updated.to_string(),
    })
}

fn change_schema() -> Json {
    let disabled = json!({ "type": "boolean" });
    let properties = json!({ "name": name_schema(), "grants": grants_schema(), "disabled": disabled });
    let mut schema = object_schema(properties, &[]);
    schema["minProperties"] = 1.into();
    schema
}

fn account_schema() -> Json {
    let time = json!({ "type": "string", "format": "date-time" });
    object_schema(
        json!({
            "id": { "type": "string" },
            "login": { "type": "string" },
            "name": { "type": "string" },
            "grants": grants_schema(),
            "disabled": { "type": "boolean" },
            "version": { "type": "integer" },
            "created": time,
            "updated": time,
        }),
        &["id", "login", "name", "grants", "disabled", "version", "created", "updated"],
    )
}
