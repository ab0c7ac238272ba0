//! Accounts: for administrators.

use axum::Json as Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Error;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::sessions::password_schema;
use super::tokens::{grants, page, page_schema, paging, paging_parameters};
use super::{administrators, grants_json, grants_schema, login_schema, name_schema, object_schema, route};
use crate::app::{App, Caller};
use hansang_access::{Account, AccountChange, NewAccount, Secret};
use hansang_http::input::{Members, Parameters, PathKey, version_of};
use hansang_http::json::{parse, present};
use hansang_http::problem::Problem;
use hansang_http::route::{Route, empty_answer, if_match_parameter, json_answer, json_body, path_parameter};

type Answer = Result<Response, Problem>;

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
                answers: vec![(
                    200,
                    json_answer("The accounts by their logins.", page_schema(&account_schema())),
                )],
                refusals: &[],
                handler: on(MethodFilter::GET, async move |_: Caller, asked: Parameters| {
                    list.list(asked).await
                }),
                ..route(Method::GET, "accounts", "listAccounts", "All accounts", administrators())
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
                answers: vec![(201, json_answer("Made.", account_schema()))],
                handler: on(MethodFilter::POST, async move |caller: Caller, members: Members| {
                    create.create(&caller, parse(members.0)?).await
                }),
                ..route(Method::POST, "accounts", "createAccount", "Make an account", administrators())
            },
        ]
    }

    fn of_one(&self) -> Vec<Route> {
        let (read, change, delete) = (self.clone(), self.clone(), self.clone());
        let guarded = || vec![id_parameter(), if_match_parameter()];
        vec![
            Route {
                parameters: vec![id_parameter()],
                answers: vec![(200, json_answer("The account.", account_schema()))],
                refusals: &[],
                handler: on(MethodFilter::GET, async move |_: Caller, key: PathKey| {
                    Ok::<_, Problem>(answer(StatusCode::OK, &read.0.access().account(&key.text("id")).await?))
                }),
                ..route(Method::GET, "accounts/{id}", "getAccount", "One account", administrators())
            },
            Route {
                parameters: guarded(),
                body: Some(json_body(change_schema())),
                answers: vec![(200, json_answer("Changed.", account_schema()))],
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
                    "Change an account",
                    administrators(),
                )
            },
            Route {
                parameters: guarded(),
                answers: vec![(204, empty_answer("Gone, with its sessions and tokens."))],
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
                    "Delete an account",
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
                answers: vec![(204, empty_answer("Set; the account is signed out everywhere."))],
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
                    "Give an account another password",
                    administrators(),
                )
            },
            Route {
                parameters: vec![id_parameter()],
                answers: vec![(204, empty_answer("Signed out everywhere."))],
                refusals: &[],
                handler: on(MethodFilter::DELETE, async move |caller: Caller, key: PathKey| {
                    sign_out_everywhere(&end.0, &caller, &key.text("id")).await?;
                    Ok::<_, Problem>(StatusCode::NO_CONTENT)
                }),
                ..route(
                    Method::DELETE,
                    "accounts/{id}/sessions",
                    "signOutEverywhere",
                    "End all sessions of an account",
                    administrators(),
                )
            },
        ]
    }

    async fn list(&self, asked: Parameters) -> Answer {
        let accounts = self.0.access().accounts(paging(asked)?).await?;
        Ok(Body(page(&accounts, account_json)).into_response())
    }

    async fn create(&self, caller: &Caller, wanted: Wanted) -> Answer {
        let Wanted { login, name, password, grants: given } = wanted;
        let new = NewAccount { login, name, password: Secret::new(password), grants: grants(given)? };
        Ok(answer(StatusCode::CREATED, &create_account(&self.0, caller, new).await?))
    }

    async fn change(&self, caller: &Caller, id: &str, headers: &HeaderMap, changed: Changed) -> Answer {
        let Changed { name, grants: given, disabled } = changed;
        if name.is_none() && given.is_none() && disabled.is_none() {
            return Err(Error::invalid("nothing_to_change", "the body names nothing to change").into());
        }
        let expected_version = version_of(headers)?;
        let change =
            AccountChange { name, grants: given.map(grants).transpose()?, disabled, expected_version };
        Ok(answer(StatusCode::OK, &change_account(&self.0, caller, id, change).await?))
    }
}

/// Makes an account.
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

/// Removes an account, if it is still the one that was read.
pub(crate) async fn delete_account(
    app: &App,
    caller: &Caller,
    id: &str,
    version: Option<i64>,
) -> Result<(), Error> {
    audited(app, caller, "deleteAccount", id, app.access().delete_account(id, version)).await
}

/// Gives an account another password.
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

fn id_parameter() -> Json {
    path_parameter("id", json!({ "type": "string" }), "The id of the account")
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
