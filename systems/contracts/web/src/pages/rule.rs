//! The compatibility rule of everything, of a kind or of a contract, which administrators set.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{CompatibilityRule, ContractRegistry as _, Mode, RuleScope, contract_id, rule_of};
use hansang_core::{Error, Message};

use super::{Contracts, START, of_contract};
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::{Route, query_parameter};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

/// The choice of no rule of its own.
const INHERIT: &str = "INHERIT";

#[derive(Template)]
#[template(path = "contracts/rule.html")]
struct Rule {
    frame: Frame,
    system: String,
    kind: String,
    id: String,
    /// The subject of the rule.
    subject: String,
    here: String,
    of_kind: String,
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
    let text = || serde_json::json!({ "type": "string" });
    let parameters = ["kind", "id"].map(|name| query_parameter(name, false, text(), Message::raw("")));
    Route {
        parameters: parameters.into(),
        ..Route::page("/console/contracts/rule", contracts.needs(Role::Admin), handler)
    }
}

/// The scope in a query: everything, a kind, or a contract.
fn asked_scope(asked: &Form) -> Result<RuleScope, Error> {
    match (asked.text("kind"), asked.text("id")) {
        ("", _) => Ok(RuleScope::All),
        (kind, "") => Ok(RuleScope::Kind(kind.parse()?)),
        (kind, id) => Ok(RuleScope::Contract(kind.parse()?, contract_id(id)?)),
    }
}

/// The page about what a rule is for.
fn back(scope: &RuleScope) -> String {
    match scope {
        RuleScope::All => START.to_owned(),
        RuleScope::Kind(kind) => format!("{START}?kind={kind}"),
        RuleScope::Contract(kind, id) => of_contract("contract", kind, id),
    }
}

async fn show(
    contracts: &Contracts,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let scope = asked_scope(&view.asked())?;
    let own = contracts.read("rule", contracts.registry.rule(&scope)).await?;
    let above = match scope.clone().inherits().into_iter().nth(1) {
        Some(above) => Some(contracts.read("rule", rule_of(&*contracts.registry, above)).await?.0),
        None => None,
    };
    let title = view.say("Compatibility rule", "호환성 규칙").to_owned();
    let frame = contracts.frame(view, &title);
    let fields = fields(&frame.view, own, above).map(|field| field.sent(sent, &problems));
    let (kind, id) = match &scope {
        RuleScope::All => (String::new(), String::new()),
        RuleScope::Kind(kind) => (kind.to_string(), String::new()),
        RuleScope::Contract(kind, id) => (kind.to_string(), id.to_string()),
    };
    let subject = match (&*kind, &*id) {
        ("", _) => frame.view.say("All contracts", "모든 계약").to_owned(),
        (kind, "") => kind.to_owned(),
        (_, id) => id.to_owned(),
    };
    let rule = Rule {
        system: contracts.name().to_owned(),
        here: address(&scope),
        of_kind: format!("{START}?kind={kind}"),
        back: back(&scope),
        kind,
        id,
        subject,
        fields: fields.into(),
        problems,
        frame,
    };
    Ok(page(status, &rule))
}

async fn take(contracts: &Contracts, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let scope = asked_scope(&view.asked())?;
    let rule = match sent.text("compatibility") {
        INHERIT if scope != RuleScope::All => Ok(None),
        mode => mode
            .parse::<Mode>()
            .map(|mode| Some(CompatibilityRule { mode, transitive: sent.text("transitive") == "true" })),
    };
    let set = match rule {
        Ok(rule) => contracts.verbs.set_rule(caller, &scope, rule).await,
        Err(error) => Err(error),
    };
    match set {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&back(&scope))).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["compatibility", "transitive"], view.language);
            show(contracts, view, problem.status, sent, problems).await
        }
    }
}

/// The fields of a rule, and the rule that counts without it.
fn fields(view: &View, own: Option<CompatibilityRule>, above: Option<CompatibilityRule>) -> [Field; 2] {
    let choice = |mode: Mode| (mode.name().to_owned(), about(view, mode).to_owned());
    let inherited = above.map(|rule| {
        let text = view.fill("Inherited: {0}", "상위 규칙: {0}").with(name(view, rule));
        (INHERIT.to_owned(), text.to_string())
    });
    let value = match (own, above) {
        (Some(rule), _) => rule.mode.name(),
        (None, Some(_)) => INHERIT,
        (None, None) => Mode::None.name(),
    };
    [
        Field {
            value: value.to_owned(),
            hint: view
                .say(
                    "A new major version may always break.",
                    "새 메이저 버전은 항상 호환성을 깰 수 있습니다.",
                )
                .to_owned(),
            input: Input::Choice(inherited.into_iter().chain(Mode::ALL.map(choice)).collect()),
            ..Field::text("compatibility", view.say("New versions must be compatible", "새 버전의 호환성"))
        },
        Field {
            value: own.unwrap_or_default().transitive.to_string(),
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
pub(super) fn address(scope: &RuleScope) -> String {
    match scope {
        RuleScope::All => format!("{START}/rule"),
        RuleScope::Kind(kind) => super::address("rule", &[("kind", kind.as_str())]),
        RuleScope::Contract(kind, id) => of_contract("rule", kind, id),
    }
}
