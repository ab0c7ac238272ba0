//! The cache of this server, and its invalidation.

use std::time::Duration;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_contracts::{CacheSettings, ContractRegistry as _, Statistics};
use hansang_core::{Error, ErrorKind};

use super::{Contracts, asked_version, typed_version};
use crate::api::Dropped;
use crate::notices;
use hansang_access::Role;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Problems};
use hansang_ui::frame::{Frame, View, page};

const CACHE: &str = "/console/contracts/cache";

#[derive(Template)]
#[template(path = "contracts/cache.html")]
struct Cache {
    frame: Frame,
    system: String,
    doc: String,
    /// The number of versions just dropped.
    dropped: Option<String>,
    figures: Vec<(&'static str, String)>,
    settings: Vec<(&'static str, String)>,
    fields: Vec<Field>,
    kinds: Vec<String>,
    problems: Problems,
    may_edit: bool,
}

pub(super) fn routes(contracts: &Contracts) -> Vec<Route> {
    let (shows, forgets) = (contracts.clone(), contracts.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&shows, view, StatusCode::OK, &Form::default(), Problems::default()).await
    });
    let forget = on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        forget(&forgets, &caller, view, &sent).await
    });
    vec![
        Route::page(CACHE, contracts.needs(Role::Viewer), handler),
        Route::page("/console/contracts/cache/invalidate", contracts.needs(Role::Editor), forget),
    ]
}

async fn show(
    contracts: &Contracts,
    view: View,
    status: StatusCode,
    sent: &Form,
    problems: Problems,
) -> Result<Response, Problem> {
    let (statistics, settings) = (contracts.registry.statistics(), contracts.registry.settings());
    // Shows the statistics even if the registry is unavailable.
    let kinds = match contracts.read("kinds", contracts.registry.kinds()).await {
        Err(error) if error.kind != ErrorKind::Unavailable => return Err(error.into()),
        kinds => kinds.unwrap_or_default(),
    };
    let dropped: Option<u64> = view.asked().text("dropped").parse().ok();
    let title = view.say("Contract cache", "계약 캐시").to_owned();
    let frame = contracts.frame(view, &title);
    let cache = Cache {
        system: contracts.name().to_owned(),
        doc: contracts.calls.db.model().doc.in_language(frame.view.language).to_owned(),
        dropped: dropped.map(|count| count.to_string()),
        figures: figures(&frame.view, &statistics),
        settings: told(&frame.view, settings),
        fields: fields(&frame.view).into_iter().map(|field| field.sent(sent, &problems)).collect(),
        kinds: kinds.iter().map(ToString::to_string).collect(),
        problems,
        may_edit: frame.is_editor(contracts.name()),
        frame,
    };
    Ok(page(status, &cache))
}

fn fields(view: &View) -> [Field; 3] {
    let code = |name: &str, label: &str| Field { code: true, ..Field::text(name, label) };
    [
        code("kind", view.say("Kind", "종류")),
        code("id", view.say("ID", "ID")),
        code("version", view.say("Version", "버전")),
    ]
}

fn figures(view: &View, numbers: &Statistics) -> Vec<(&'static str, String)> {
    let asked = numbers.hits + numbers.misses;
    let rate = match asked {
        0 => "–".to_owned(),
        asked => format!("{:.1} %", 100.0 * numbers.hits as f64 / asked as f64),
    };
    let mean = match u32::try_from(numbers.loads) {
        Ok(loads) if loads > 0 => millis(numbers.load_time / loads),
        _ => "–".to_owned(),
    };
    vec![
        (view.say("Cached versions", "캐시된 버전"), numbers.entries.to_string()),
        (view.say("Hits", "적중"), numbers.hits.to_string()),
        (view.say("Misses", "미적중"), numbers.misses.to_string()),
        (view.say("Hit rate", "적중률"), rate),
        (view.say("Evicted", "용량 초과로 제거"), numbers.evictions.to_string()),
        (view.say("Expired", "만료"), numbers.expirations.to_string()),
        (view.say("Loads", "읽기"), numbers.loads.to_string()),
        (view.say("Failed loads", "읽기 실패"), numbers.failures.to_string()),
        (view.say("Average load time", "평균 읽기 시간"), mean),
    ]
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

fn told(view: &View, settings: CacheSettings) -> Vec<(&'static str, String)> {
    let (size, time) =
        (view.say("Capacity (versions)", "최대 버전 수"), view.say("Time to live", "보관 시간"));
    if settings.entries == 0 {
        let off = view.say("Off: every load reads the registry", "꺼짐. 요청마다 레지스트리에서 읽습니다");
        return vec![(size, off.to_owned())];
    }
    let seconds = settings.ttl.as_secs();
    let time_text = view.fill("{0} seconds", "{0}초").with(seconds).to_string();
    vec![(size, settings.entries.to_string()), (time, time_text)]
}

/// The versions that a form asks to drop.
fn dropped(sent: &Form) -> Result<Dropped, Error> {
    match sent.text("what") {
        "all" => Ok(Dropped::All),
        "kind" => Ok(Dropped::Kind(sent.text("kind").parse()?)),
        // The form on the page of a version has its exact name.
        _ if sent.get("next").is_some() => asked_version(sent).map(Dropped::One),
        _ => typed_version(sent).map(Dropped::One),
    }
}

async fn forget(
    contracts: &Contracts,
    caller: &Caller,
    view: View,
    sent: &Form,
) -> Result<Response, Problem> {
    let forgotten = match dropped(sent) {
        Ok(dropped) => contracts.verbs.invalidate(caller, &dropped).await,
        Err(error) => Err(error),
    };
    match forgotten {
        // The form on the page of a version sends its address.
        Ok(_) if sent.get("next").is_some() => {
            Ok(Redirect::to(&notices::FORGOTTEN.at(sent.next())).into_response())
        }
        Ok(count) => Ok(Redirect::to(&format!("{CACHE}?dropped={count}")).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let problems = Problems::of_error(&problem, &["kind", "id", "version"], view.language);
            // The form's address has no page for GET.
            let mut view = view;
            CACHE.clone_into(&mut view.here);
            show(contracts, view, problem.status, sent, problems).await
        }
    }
}
