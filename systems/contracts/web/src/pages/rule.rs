//! The compatibility rule of a kind, which administrators set.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{CompatibilityRule, ContractRegistry as _, Kind, Mode};
use hansang_core::Message;

use super::{Contracts, START};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::{Route, query_parameter};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

#[derive(Template)]
#[template(path = "contracts/rule.html")]
struct Rule {
    frame: Frame,
    system: String,
    kind: String,
    here: String,
    back: String,
    fields: Vec<Field>,
    problems: Problems,
}

pub(super) fn route(contracts: &Contracts) -> Route {
    let (shows, takes) = (contracts.clone(), contracts.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&shows, view, StatusCode::OK, &Form::default(), Problems::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        take(&takes, &caller, view, &sent).await
    });
    let kind = query_parameter("kind", true, serde_json::json!({ "type": "string" }), Message::raw(""));
    Route {
        parameters: vec![kind],
        ..Route::page("/console/contracts/rule", contracts.needs(Role::Admin), handler)
    }
}

async fn show(
    contracts: &Contracts,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let kind: Kind = view.asked().text("kind").parse()?;
    let rule = contracts.read("rule", contracts.registry.rule(&kind)).await?;
    let title = view.say("Compatibility rule", "호환성 규칙").to_owned();
    let frame = contracts.frame(view, &title);
    let fields = fields(&frame.view, rule).map(|field| field.sent(sent, &problems));
    let rule = Rule {
        system: contracts.name().to_owned(),
        here: address(&kind),
        back: format!("{START}?kind={kind}"),
        kind: kind.to_string(),
        fields: fields.into(),
        problems,
        frame,
    };
    Ok(page(status, &rule))
}

async fn take(contracts: &Contracts, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let kind: Kind = view.asked().text("kind").parse()?;
    let set = match sent.text("compatibility").parse::<Mode>() {
        Ok(mode) => {
            let rule = CompatibilityRule { mode, transitive: sent.text("transitive") == "true" };
            contracts.verbs.set_rule(caller, &kind, rule).await
        }
        Err(error) => Err(error),
    };
    match set {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&format!("{START}?kind={kind}"))).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["compatibility", "transitive"], view.language);
            show(contracts, view, problem.status, sent, problems).await
        }
    }
}

fn fields(view: &View, rule: CompatibilityRule) -> [Field; 2] {
    let choice = |mode: Mode| (mode.name().to_owned(), about(view, mode).to_owned());
    [
        Field {
            value: rule.mode.name().to_owned(),
            hint: view
                .say(
                    "A new major version may always break.",
                    "새 메이저 버전은 항상 호환성을 깰 수 있습니다.",
                )
                .to_owned(),
            input: Input::Choice(Mode::ALL.map(choice).into()),
            ..Field::text("compatibility", view.say("New versions must be compatible", "새 버전의 호환성"))
        },
        Field {
            value: rule.transitive.to_string(),
            required: false,
            input: Input::Check,
            ..Field::text(
                "transitive",
                view.say(
                    "Compare with all earlier versions, not only the last active one",
                    "마지막 활성 버전만이 아니라 이전 버전 모두와 비교",
                ),
            )
        },
    ]
}

/// A mode with its effect.
fn about(view: &View, mode: Mode) -> &'static str {
    match mode {
        Mode::None => view.say("None: anything may change", "없음: 모두 바꿀 수 있음"),
        Mode::Backward => {
            view.say("Backward: existing data stays valid", "하위 호환: 기존 데이터가 계속 유효함")
        }
        Mode::Forward => view.say(
            "Forward: existing readers can read new data",
            "상위 호환: 기존 소비자가 새 데이터를 읽을 수 있음",
        ),
        Mode::Full => view.say("Full: backward and forward", "완전 호환: 하위 호환 및 상위 호환"),
    }
}

/// A rule in a few words.
pub(super) fn name(view: &View, rule: CompatibilityRule) -> String {
    let mode = match rule.mode {
        Mode::None => return view.say("No compatibility rule", "호환성 규칙 없음").to_owned(),
        Mode::Backward => view.say("Backward compatible", "하위 호환"),
        Mode::Forward => view.say("Forward compatible", "상위 호환"),
        Mode::Full => view.say("Fully compatible", "완전 호환"),
    };
    match rule.transitive {
        true => format!("{mode} · {}", view.say("all earlier versions", "이전 버전 모두")),
        false => mode.to_owned(),
    }
}

/// The address of the form.
pub(super) fn address(kind: &Kind) -> String {
    super::address("rule", &[("kind", kind.as_str())])
}
