//! Actions on an event, each with a confirmation page that describes its effect.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::Error;

use super::words::{Mark, grouped};
use super::{Pages, START, at, below_board};
use crate::actions::{ANNOUNCE, CLOSE, DRAW, PAUSE, RESUME};
use crate::notices;
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::Notice;

/// An action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Pause,
    Resume,
    Close,
    Announce,
    Draw,
}

#[derive(Template)]
#[template(path = "entry/act.html")]
struct Confirm {
    frame: Frame,
    system: String,
    title: String,
    mark: Mark,
    back: String,
    here: String,
    about: &'static str,
    /// The number of undecided requests, if it matters.
    waiting: Option<String>,
    button: &'static str,
    class: &'static str,
    refused: Option<String>,
}

pub(super) fn routes(entries: &Pages) -> Vec<Route> {
    Act::ALL.map(|one| route(entries, one)).into()
}

fn route(entries: &Pages, one: Act) -> Route {
    let needs = entries.needs(Role::Editor);
    let (asks, acts) = (entries.clone(), entries.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&asks, one, view, &key.text("id"), None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey| {
        let id = key.text("id");
        match one.run(&acts, &caller, id.clone()).await {
            Ok(()) => Ok(Redirect::to(&one.done().at(&one.back(&id))).into_response()),
            Err(error) => show(&acts, one, view, &id, Some(error.into())).await,
        }
    });
    Route::page(&format!("{START}/board/{{id}}/{}", one.name()), needs, handler)
}

/// The confirmation page, or the page with the reason of a failure.
async fn show(
    entries: &Pages,
    one: Act,
    view: View,
    id: &str,
    refused: Option<Problem>,
) -> Result<Response, Problem> {
    let glance = entries.glance(id).await?;
    let board = &glance.board;
    let waiting = board.received + board.queued + board.processing;
    let title = one.title(&view);
    let frame = entries.frame(view, title);
    let view = &frame.view;
    let (button, class) = one.button(view);
    let confirm = Confirm {
        system: entries.name().to_owned(),
        title: board.event.title.clone(),
        mark: Mark::of_phase(view, board.event.phase(glance.at)),
        back: at("board", id),
        here: below_board(id, one.name()),
        about: one.about(view),
        waiting: (waiting > 0 && one.is_about_waiting()).then(|| grouped(waiting)),
        button,
        class,
        refused: refused.as_ref().map(|problem| view.sentence(&problem.message)),
        frame,
    };
    Ok(page(refused.map_or(StatusCode::OK, |problem| problem.status), &confirm))
}

impl Act {
    const ALL: [Self; 5] = [Self::Pause, Self::Resume, Self::Close, Self::Announce, Self::Draw];

    /// The last segment of its address. `draw` is the page of the draw itself.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Close => "close",
            Self::Announce => "announce",
            Self::Draw => "draw-now",
        }
    }

    /// Runs the action, like the API.
    async fn run(self, pages: &Pages, caller: &Caller, id: String) -> Result<(), Error> {
        match self {
            Self::Pause => pages.act(&PAUSE, caller, id).await.map(drop),
            Self::Resume => pages.act(&RESUME, caller, id).await.map(drop),
            Self::Close => pages.act(&CLOSE, caller, id).await.map(drop),
            Self::Announce => pages.act(&ANNOUNCE, caller, id).await.map(drop),
            Self::Draw => pages.act(&DRAW, caller, id).await.map(drop),
        }
    }

    fn done(self) -> Notice {
        match self {
            Self::Pause => notices::PAUSED,
            Self::Resume => notices::RESUMED,
            Self::Close => notices::CLOSED,
            Self::Announce => notices::ANNOUNCED,
            Self::Draw => notices::DRAWN,
        }
    }

    /// The page after the action.
    fn back(self, id: &str) -> String {
        if self == Self::Draw { below_board(id, "draw") } else { at("board", id) }
    }

    /// Whether the number of undecided requests matters.
    fn is_about_waiting(self) -> bool {
        matches!(self, Self::Close | Self::Announce | Self::Draw)
    }

    pub(super) fn label(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say("Pause", "일시 중지"),
            Self::Resume => view.say("Resume", "다시 진행"),
            Self::Close => view.say("Close", "마감"),
            Self::Announce => view.say("Announce", "결과 발표"),
            Self::Draw => view.say("Draw now", "지금 추첨"),
        }
    }

    fn title(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say("Pause an event", "이벤트 일시 중지"),
            Self::Resume => view.say("Resume an event", "이벤트 다시 진행"),
            Self::Close => view.say("Close an event", "이벤트 마감"),
            Self::Announce => view.say("Announce a result", "결과 발표"),
            Self::Draw => view.say("Draw a lottery", "추첨하기"),
        }
    }

    fn about(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say(
                "It takes no entries and decides none until it is resumed. Whoever is queued keeps their place in the order.",
                "다시 진행할 때까지 응모를 받지 않고 처리도 하지 않습니다. 대기 중인 응모의 순서는 그대로 유지됩니다.",
            ),
            Self::Resume => view.say(
                "It takes entries again, if its time has not passed, and decides those that wait.",
                "시간이 지나지 않았다면 다시 응모를 받고, 기다리던 응모를 처리합니다.",
            ),
            Self::Close => view.say(
                "It takes no more entries, whatever its times say, and cannot be opened again. Pages that were taken are still decided.",
                "정해진 시간과 상관없이 더는 응모를 받지 않으며 다시 열 수 없습니다. 이미 받은 응모는 계속 처리합니다.",
            ),
            Self::Announce => view.say(
                "Results become public, and of a lottery the seed with which anybody can draw again. That cannot be taken back.",
                "결과를 공개하고, 추첨이라면 누구나 다시 추첨해 볼 수 있도록 시드도 공개합니다. 되돌릴 수 없습니다.",
            ),
            Self::Draw => view.say(
                "The list of entries becomes fixed, and everybody on it gets their result. Workers do this by themselves once the time has come; nobody sees a result before it is announced.",
                "응모 목록을 확정하고 모두의 결과를 정합니다. 시간이 되면 워커가 알아서 하며, 발표하기 전에는 아무도 결과를 볼 수 없습니다.",
            ),
        }
    }

    /// The label of the button, and its style.
    fn button(self, view: &View) -> (&'static str, &'static str) {
        match self {
            Self::Pause => (view.say("Pause it", "일시 중지하기"), "primary"),
            Self::Resume => (view.say("Resume it", "다시 진행하기"), "primary"),
            Self::Close => (view.say("Close it for good", "완전히 마감하기"), "danger"),
            Self::Announce => (view.say("Announce it for good", "발표하기"), "danger"),
            Self::Draw => (view.say("Draw for good", "추첨하기"), "primary"),
        }
    }
}
