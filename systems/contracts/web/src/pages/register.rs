//! The form for a new version, with a check before the registration.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{Allowed, ContractRef, ContractRegistry as _, Header, Known, NewContract, Status};
use hansang_core::Error;
use hansang_core::validate::Violation;

use super::diff::{Verdict, verdict};
use super::{
    Contracts, asked_contract, asked_version, of_version, status_name, text, typed_version, version,
};
use crate::api::{Checked, Unregistered, who};
use crate::notices;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};

/// The fields that can show a problem.
const FIELDS: [&str; 5] = ["kind", "id", "version", "status", "spec"];

#[derive(Template)]
#[template(path = "contracts/register.html")]
struct Register {
    frame: Frame,
    system: String,
    fields: Vec<Field>,
    problems: Problems,
    /// The problems inside the spec.
    wrong: Vec<String>,
    checked: Option<Found>,
}

/// The result of a check.
struct Found {
    /// Whether it could be served.
    good: bool,
    /// Whether its version number announces its changes.
    fits: bool,
    /// Whether it is to be a draft and can be stored as one.
    draft: bool,
    problems: Vec<String>,
    warnings: Vec<String>,
    /// The version that it was compared with, and the verdict.
    against: Option<(String, Verdict)>,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let (shows, takes) = (contracts.clone(), contracts.clone());
    let handler = on(MethodFilter::GET, async move |view: View| blank(&shows, view).await)
        .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
            take(&takes, &caller, view, &sent).await
        });
    Route::page("/console/contracts/register", contracts.needs(Role::Editor), handler)
}

/// The form with the values of the query: kind, contract, and the version to copy.
async fn blank(contracts: &Contracts, view: View) -> Result<Response, Problem> {
    let asked = view.asked();
    let mut fields = fields(&view);
    for (field, name) in fields.iter_mut().zip(["kind", "id"]) {
        field.value = asked.text(name).to_owned();
    }
    if !asked.text("id").is_empty() {
        let (kind, id) = asked_contract(&asked)?;
        let headers = contracts.read("versions", contracts.registry.versions(&kind, &id)).await?;
        let from = match asked.text("version") {
            "" => headers.last().map(|header| header.reference.clone()),
            _ => Some(asked_version(&asked)?),
        };
        fields[2].hint = taken(&view, &headers);
        fields[4].value = spec_of(contracts, from.as_ref()).await;
    }
    Ok(show(contracts, view, StatusCode::OK, fields, Problems::default(), Vec::new(), None))
}

/// The spec of the version to copy; empty if it cannot be read.
async fn spec_of(contracts: &Contracts, from: Option<&ContractRef>) -> String {
    let Some(from) = from else { return String::new() };
    let found = contracts.read("fetch", contracts.registry.fetch(from)).await;
    found.map(|contract| version::spec(&contract)).unwrap_or_default()
}

fn taken(view: &View, headers: &[Header]) -> String {
    let mut versions: Vec<String> =
        headers.iter().rev().take(5).map(|header| header.reference.version.to_string()).collect();
    if versions.len() < headers.len() {
        versions.push("…".to_owned());
    }
    if versions.is_empty() {
        return String::new();
    }
    view.fill("Registered versions: {0}", "이미 등록된 버전: {0}").with(versions.join(", ")).to_string()
}

fn fields(view: &View) -> [Field; 5] {
    let code = |name: &str, label: &str| Field { code: true, ..Field::text(name, label) };
    let kinds: Vec<&str> = Known::all().map(Known::name).collect();
    let kinds =
        view.fill("{0}, or another in capitals", "{0}, 또는 대문자로 된 다른 종류").with(kinds.join(", "));
    let choice = |status: Status| (status.name().to_owned(), status_name(view, status).to_owned());
    [
        Field { hint: kinds.to_string(), ..code("kind", view.say("Kind", "종류")) },
        code("id", view.say("ID", "ID")),
        Field {
            hint: view.say("SemVer, such as 1.4.0", "SemVer, 예: 1.4.0").to_owned(),
            ..code("version", view.say("Version", "버전"))
        },
        Field {
            hint: view
                .say(
                    "A draft may be unfinished, and is not served",
                    "초안은 미완성이어도 되고 제공되지 않습니다",
                )
                .to_owned(),
            value: Status::Draft.name().to_owned(),
            input: Input::Choice([Status::Draft, Status::Active].map(choice).into()),
            ..Field::text("status", view.say("Status", "상태"))
        },
        Field {
            hint: view.say("JSON or YAML", "JSON 또는 YAML").to_owned(),
            input: Input::Area { rows: 18 },
            ..code("spec", view.say("Spec", "스펙"))
        },
    ]
}

fn show(
    contracts: &Contracts,
    view: View,
    status: StatusCode,
    fields: [Field; 5],
    problems: Problems,
    wrong: Vec<String>,
    checked: Option<Found>,
) -> Response {
    let title = view.say("Register version", "버전 등록").to_owned();
    let frame = contracts.frame(view, &title);
    let (system, fields) = (contracts.name().to_owned(), fields.into());
    page(status, &Register { frame, system, fields, problems, wrong, checked })
}

async fn take(contracts: &Contracts, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let new = match new(caller, sent) {
        Ok(new) => new,
        Err(error) => return Ok(refused(contracts, view, sent, error)),
    };
    if sent.text("do") == "register" {
        let reference = new.reference.clone();
        return match contracts.verbs.register(caller, new).await {
            Ok(registered) => {
                let done = if registered.created { notices::REGISTERED } else { notices::SAME_AGAIN };
                Ok(Redirect::to(&done.at(&of_version("version", &reference))).into_response())
            }
            Err(error) => Ok(refused(contracts, view, sent, error)),
        };
    }
    let ContractRef { kind, id, version } = new.reference.clone();
    let unregistered =
        Unregistered { kind, id, spec: new.spec, against: None, version: Some(version.clone()) };
    match contracts.verbs.check(&unregistered).await {
        Ok(checked) => {
            let found = found(&view, &checked, &version, new.status);
            let fields = fields(&view).map(|field| field.sent(sent, &Problems::default()));
            Ok(show(contracts, view, StatusCode::OK, fields, Problems::default(), Vec::new(), Some(found)))
        }
        Err(error) => Ok(refused(contracts, view, sent, error)),
    }
}

/// The contract in a form, or all its problems.
fn new(caller: &Caller, sent: &Form) -> Result<NewContract, Error> {
    let spec = text::spec(&sent.text("spec").replace("\r\n", "\n"));
    match (typed_version(sent), spec) {
        (Ok(reference), Ok(spec)) => Ok(NewContract {
            reference,
            // The form has these two options. A draft is the safe default, because it is not served.
            status: if sent.text("status") == Status::Active.name() { Status::Active } else { Status::Draft },
            spec,
            created_by: who(caller)?,
            allowed: Allowed::default(),
        }),
        (reference, spec) => {
            let errors = [reference.err(), spec.err()].into_iter().flatten();
            Err(Error::fields(errors.flat_map(|error| error.violations).collect()))
        }
    }
}

fn found(view: &View, checked: &Checked, version: &semver::Version, status: Status) -> Found {
    let sentence = |one: &Violation| match &*one.attribute {
        "spec" | "compatibility" => view.sentence(&one.problem),
        _ => view.sentence(one.message()),
    };
    // A draft may have problems inside the spec, but not a wrong size or an existing version.
    let inside = |one: &Violation| one.attribute.starts_with("spec.") || one.attribute == "compatibility";
    Found {
        good: checked.problems.is_empty(),
        draft: status == Status::Draft && checked.problems.iter().all(inside),
        problems: checked.problems.iter().map(sentence).collect(),
        warnings: checked.warnings.iter().map(|warning| view.sentence(warning)).collect(),
        fits: checked.compared.as_ref().is_none_or(|compared| compared.fits != Some(false)),
        against: checked.compared.as_ref().map(|compared| {
            let verdict = verdict(view, &compared.found, &compared.against, version);
            (compared.against.to_string(), verdict)
        }),
    }
}

fn refused(contracts: &Contracts, view: View, sent: &Form, error: Error) -> Response {
    let problem = Problem::from(error);
    let mut problems = Problems::of_error(&problem, &FIELDS, view.language);
    let inside = problem.violations.iter().filter(|one| !FIELDS.contains(&&*one.attribute));
    let wrong: Vec<String> = inside.map(|one| view.sentence(one.message())).collect();
    if !wrong.is_empty() {
        problems.message = None;
    }
    let fields = fields(&view).map(|field| field.sent(sent, &problems));
    show(contracts, view, problem.status, fields, problems, wrong, None)
}
