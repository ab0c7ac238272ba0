//! The home page: the systems and their state.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};

use super::Console;
use crate::live::MINUTES;
use hansang_http::route::{Needs, Route};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::svg;
use jiff::{SignedDuration, Timestamp};

#[derive(Template)]
#[template(path = "console/home.html")]
struct Home {
    frame: Frame,
    /// Whether the store answers.
    well: bool,
    cards: Vec<Card>,
    /// The systems with operations in the last hour, and the minutes with any, the last one first.
    active: Vec<String>,
    minutes: Vec<Minute>,
}

/// A minute with the operations of each active system in it.
struct Minute {
    name: String,
    counts: Vec<u64>,
}

/// A summary of a system.
struct Card {
    name: String,
    title: String,
    icon: &'static str,
    doc: String,
    table: String,
    entities: usize,
    patterns: usize,
    /// The operations of this server since its start, for visitors who may see them.
    done: Option<u64>,
    /// The last hour as a sparkline, if there were operations.
    hour: Option<String>,
}

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View| match only_page(&console, &view) {
        Some(start) => Redirect::to(start).into_response(),
        None => show(&console, view).await,
    });
    Route::page("/console", Needs::SignedIn, handler)
}

/// The start page of the only system of a visitor without a role, such as a participant of events.
fn only_page(console: &Console, view: &View) -> Option<&'static str> {
    let mut seen = console.seen(view);
    let (only, none) = (seen.next()?, seen.next());
    let has_role = view.role_in(&only.db().model().name).is_some();
    let start = only.tabs(view).first()?.0;
    (none.is_none() && !has_role).then_some(start)
}

async fn show(console: &Console, view: View) -> Response {
    let now = console.app.access().now();
    let names: Vec<String> = (0..MINUTES).rev().map(|ago| minute(&view, now, ago)).collect();
    let mut hours: Vec<(String, Vec<u64>)> = Vec::new();
    let cards = console.seen(&view).map(|service| {
        let (db, model) = (service.db(), service.db().model());
        let minutes = console.app.live().of(&model.name);
        let done = minutes.total;
        let counted = minutes.until(now);
        let counts: Vec<f64> = counted.iter().map(|count| *count as f64).collect();
        let sum: f64 = counts.iter().sum();
        let has_role = view.role_in(&model.name).is_some();
        if sum > 0.0 && has_role {
            hours.push((model.title_in(view.language).into_owned(), counted));
        }
        let label = view.fill("{0} operations in the last {1} minutes", "최근 {1}분 동안 {0}건");
        let label = label.with(sum).with(MINUTES).to_string();
        Card {
            name: model.name.to_string(),
            title: model.title_in(view.language).into_owned(),
            icon: service.icon(),
            doc: model.doc.in_language(view.language).to_owned(),
            table: db.table().name.clone(),
            entities: model.entities.len(),
            patterns: model.patterns.len(),
            done: has_role.then_some(done),
            hour: (sum > 0.0).then(|| svg::sparkline(&counts, &names, &label)),
        }
    });
    let cards = cards.collect();
    let row = |(index, name): (usize, &String)| Minute {
        name: name.clone(),
        counts: hours.iter().map(|(_, counts)| counts.get(index).copied().unwrap_or_default()).collect(),
    };
    let minutes =
        names.iter().enumerate().rev().map(row).filter(|one| one.counts.iter().any(|count| *count > 0));
    let minutes = minutes.collect();
    let active = hours.into_iter().map(|(title, _)| title).collect();
    let well = console.app.access().probe().await.is_ok();
    let title = view.say("Home", "홈").to_owned();
    page(
        StatusCode::OK,
        &Home { well, cards, active, minutes, frame: console.frame(view, &title, Section::Home) },
    )
}

/// The time of the day of a minute of the last hour.
fn minute(view: &View, now: Timestamp, ago: usize) -> String {
    let seconds = i64::try_from(ago).unwrap_or_default() * 60;
    let time = now.checked_sub(SignedDuration::from_secs(seconds)).unwrap_or(now);
    let clock = view.reader.clock(time);
    clock.rsplit_once(':').map_or(clock.as_str(), |(minute, _)| minute).to_owned()
}
