//! Status changes, each with a confirmation page that describes its effect.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{Allowed, ContractError, ContractRef, ContractRegistry as _, Status, verdicts};
use hansang_core::messages::items;
use hansang_core::{CoreCode, Error, ErrorKind, Message, message};

use super::diff::{Verdict, verdict};
use super::exceptions::{self, Exceptions};
use super::one::Naming;
use super::version::wants;
use super::{Badge, Contracts, START, asked_version, of_contract, of_version, sentences};
use crate::api::Move;
use crate::notices;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::{Route, query_parameter};
use hansang_server::Caller;
use hansang_ui::form::{Form, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::Notice;

#[derive(Template)]
#[template(path = "contracts/move.html")]
struct Confirm {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    version: String,
    badge: Badge,
    of_kind: String,
    contract: String,
    back: String,
    here: String,
    /// The effect.
    about: &'static str,
    button: &'static str,
    class: &'static str,
    /// Whether a check found no problem.
    checked: bool,
    /// Whether its version number announces its changes.
    fits: bool,
    /// The reasons that it cannot be done.
    problems: Vec<String>,
    /// The exceptions that would make it possible.
    exceptions: Exceptions,
    /// Warnings for the author.
    warnings: Vec<String>,
    /// The versions that it was compared with, and the verdicts.
    compared: Vec<(String, Verdict)>,
    named_by: Vec<Naming>,
}

pub(super) fn routes(contracts: &Contracts) -> Vec<Route> {
    Move::ALL.map(|one| route(contracts, one)).into()
}

fn route(contracts: &Contracts, one: Move) -> Route {
    let needs = contracts.needs(Role::Editor);
    let (asks, moves) = (contracts.clone(), contracts.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        let reference = asked_version(&view.asked())?;
        show(&asks, one, &reference, view, &Form::default(), None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        let reference = asked_version(&view.asked())?;
        let allowed = exceptions::asked(one, &sent);
        moves.verbs.check_allowed(&caller, &allowed)?;
        match moves.verbs.move_status(&caller, one, &reference, allowed).await {
            Ok(_) => {
                let done = one.done().at(&of_version("version", &reference));
                Ok(Redirect::to(&done).into_response())
            }
            Err(error) => show(&moves, one, &reference, view, &sent, Some(error.into())).await,
        }
    });
    let text = || serde_json::json!({ "type": "string" });
    let parameters =
        ["kind", "id", "version"].map(|name| query_parameter(name, true, text(), Message::raw("")));
    Route {
        parameters: parameters.into(),
        ..Route::page(&format!("{}/{}", START, one.name()), needs, handler)
    }
}

/// The confirmation page, or the page with the reasons of a failure.
async fn show(
    contracts: &Contracts,
    one: Move,
    reference: &ContractRef,
    view: View,
    sent: &Form,
    refused: Option<Problem>,
) -> Result<Response, Problem> {
    let headers = contracts.versions(&reference.kind, &reference.id).await?;
    let found = headers.into_iter().find(|header| header.reference == *reference);
    let header = found.ok_or_else(|| Error::from(ContractError::NotFound(reference.clone())))?;
    let (refused, warnings, status) = match refused {
        Some(problem) => {
            let status = problem.status;
            (Some(problem), Vec::new(), status)
        }
        // A confirmation page has status 200, even if the check finds problems.
        None => match checked(contracts, one, reference, header.status).await {
            Ok(warnings) => (None, warnings, StatusCode::OK),
            Err(error) if error.kind == ErrorKind::Unavailable => return Err(error.into()),
            Err(error) => (Some(error.into()), Vec::new(), StatusCode::OK),
        },
    };
    let (problems, exceptions) = match &refused {
        None => (Vec::new(), Exceptions::None),
        Some(problem) => {
            let at_fields = Problems::of_error(problem, &["override"], view.language);
            let exceptions = Exceptions::of(contracts, &view, one, reference, sent, &at_fields).await?;
            (told(&view, one, header.status, problem), exceptions)
        }
    };
    let compared = match one {
        Move::Promote => compared(contracts, reference, &view).await?,
        Move::Deprecate | Move::Restore => Vec::new(),
    };
    let referrers = contracts.registry.referrers(&reference.kind, &reference.id);
    let referrers = contracts.read("referrers", referrers).await?;
    let (button, class) = one.button(&view);
    let title = one.title(&view);
    let confirm = Confirm {
        system: contracts.name().to_owned(),
        kind: reference.kind.to_string(),
        id: reference.id.to_string(),
        version: reference.version.to_string(),
        badge: Badge::of(&view, header.status),
        of_kind: format!("{START}?kind={}", reference.kind),
        contract: of_contract("contract", &reference.kind, &reference.id),
        back: of_version("version", reference),
        here: of_version(one.name(), reference),
        about: one.about(&view),
        button,
        class,
        checked: one == Move::Promote && problems.is_empty(),
        fits: compared.iter().all(|(_, verdict)| verdict.fits),
        compared,
        problems,
        exceptions,
        warnings: warnings.iter().map(|warning| view.sentence(warning)).collect(),
        named_by: referrers.iter().filter(|from| wants(from, reference)).map(Naming::of).collect(),
        frame: contracts.frame(view, title),
    };
    Ok(page(status, &confirm))
}

/// The comparisons of a draft with the versions that the rule of its kind names.
async fn compared(
    contracts: &Contracts,
    reference: &ContractRef,
    view: &View,
) -> Result<Vec<(String, Verdict)>, Error> {
    let found = contracts
        .read("compatibility", async {
            let contract = contracts.registry.fetch(reference).await?;
            verdicts(&*contracts.registry, reference, &contract.spec).await
        })
        .await;
    match found {
        Err(error) if error.kind == ErrorKind::Unavailable => Err(error),
        // The check tells why the version cannot be read.
        Err(_) => Ok(Vec::new()),
        Ok(all) => Ok(all
            .iter()
            .map(|one| {
                let shown = verdict(view, &one.found, &one.against, &reference.version);
                (one.against.to_string(), shown)
            })
            .collect()),
    }
}

/// The reasons that a status change failed. After a double click the message says that it was already done.
fn told(view: &View, one: Move, status: Status, problem: &Problem) -> Vec<String> {
    if problem.code == CoreCode::WrongState && status == one.ends().1 {
        let again = view.say(
            "This version already has this status. Someone may have changed it before you.",
            "이 버전은 이미 이 상태입니다. 다른 사람이 먼저 바꿨을 수 있습니다.",
        );
        return vec![again.to_owned()];
    }
    sentences(problem, view.language)
}

/// Checks a status change without making it.
async fn checked(
    contracts: &Contracts,
    one: Move,
    reference: &ContractRef,
    status: Status,
) -> Result<Vec<Message>, Error> {
    let (from, to) = one.ends();
    if status != from {
        let message = message!(items::WRONG_STATE, "status", "Contract", to.name(), from.name());
        return Err(Error::conflict(CoreCode::WrongState, message));
    }
    Ok(contracts.verbs.preview_move(one, reference, &Allowed::default()).await?.warnings)
}

/// The texts of a status change.
impl Move {
    /// The status before and after.
    fn ends(self) -> (Status, Status) {
        match self {
            Self::Promote => (Status::Draft, Status::Active),
            Self::Deprecate => (Status::Active, Status::Deprecated),
            Self::Restore => (Status::Deprecated, Status::Active),
        }
    }

    fn done(self) -> Notice {
        match self {
            Self::Promote => notices::PROMOTED,
            Self::Deprecate => notices::DEPRECATED,
            Self::Restore => notices::RESTORED,
        }
    }

    fn title(self, view: &View) -> &'static str {
        match self {
            Self::Promote => view.say("Promote version", "버전 승격"),
            Self::Deprecate => view.say("Deprecate version", "버전 사용 중단"),
            Self::Restore => view.say("Restore version", "버전 다시 활성화"),
        }
    }

    fn about(self, view: &View) -> &'static str {
        match self {
            Self::Promote => view.say(
                "The version becomes active and is served. You can deprecate it later, but it cannot become a draft again, and its spec never changes.",
                "활성 버전이 되어 제공됩니다. 나중에 사용을 중단할 수 있지만 초안으로 되돌릴 수 없고, 스펙은 바뀌지 않습니다.",
            ),
            Self::Deprecate => view.say(
                "The version is still served by its number, with a warning, but is no longer the latest. You can restore it.",
                "버전을 지정해 요청하면 경고와 함께 계속 제공되지만 더 이상 최신 버전이 아닙니다. 다시 활성화할 수 있습니다.",
            ),
            Self::Restore => view.say(
                "The version is active again, and can be the latest.",
                "다시 활성 버전이 되며, 최신 버전이 될 수 있습니다.",
            ),
        }
    }

    /// The label of the button, and its style.
    fn button(self, view: &View) -> (&'static str, &'static str) {
        match self {
            Self::Promote => (view.say("Promote", "승격"), "primary"),
            Self::Deprecate => (view.say("Deprecate", "사용 중단"), "danger"),
            Self::Restore => (view.say("Restore", "다시 활성화"), "primary"),
        }
    }
}
