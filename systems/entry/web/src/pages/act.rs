//! Actions on an event, each with a confirmation page that describes its effect.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use hansang_core::kind::time::Precision;
use hansang_core::{Error, Message, message};
use hansang_entry::{Board, EventStatus, EventType, Phase, messages};
use jiff::Timestamp;

use super::words::{Mark, grouped};
use super::{Pages, START, at, below_board};
use crate::actions::{ANNOUNCE, CLOSE, DELETE, DRAW, PAUSE, RESUME};
use crate::notices;
use hansang_access::Role;
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice::{self, Notice};

/// An action.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    Pause,
    Resume,
    Close,
    Announce,
    Draw,
    Delete,
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
    /// Whether the state of the event allows it.
    possible: bool,
    /// Why it was refused, or is not possible.
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
    // A tab that is open for long may offer what is not possible any more.
    entries.door.known.forget_board(id).await;
    let glance = entries.glance(id).await?;
    let board = &glance.board;
    let obstacle = one.obstacle(board, glance.at);
    let reason = refused.as_ref().map(|problem| &problem.message).or(obstacle.as_ref());
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
        possible: obstacle.is_none(),
        refused: reason.map(|reason| view.sentence(reason)),
        frame,
    };
    Ok(page(refused.map_or(StatusCode::OK, |problem| problem.status), &confirm))
}

impl Act {
    const ALL: [Self; 6] = [Self::Pause, Self::Resume, Self::Close, Self::Announce, Self::Draw, Self::Delete];

    /// The last segment of its address. `draw` is the page of the draw itself.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Close => "close",
            Self::Announce => "announce",
            Self::Draw => "draw-now",
            Self::Delete => "delete",
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
            Self::Delete => pages.act(&DELETE, caller, id).await,
        }
    }

    /// Why the state of an event does not allow it.
    fn obstacle(self, board: &Board, now: Timestamp) -> Option<Message> {
        let event = &board.event;
        let (id, status) = (&event.id, event.status);
        let becomes = |from: &[EventStatus], to: EventStatus| {
            let is_wrong = !from.contains(&status);
            is_wrong.then(|| message!(messages::EVENT_WRONG_STATE, id, status.title(), to.title()))
        };
        match self {
            Self::Pause => becomes(&[EventStatus::Open], EventStatus::Paused),
            Self::Resume => becomes(&[EventStatus::Paused], EventStatus::Open),
            Self::Close => becomes(&[EventStatus::Open, EventStatus::Paused], EventStatus::Closed),
            Self::Announce if event.phase(now) != Phase::Closed => {
                Some(message!(messages::EVENT_NOT_CLOSED, id, status.title()))
            }
            Self::Announce if !board.announceable => Some(message!(messages::NOT_DECIDED, id)),
            Self::Draw if event.event_type != EventType::Lottery => {
                Some(message!(messages::NOT_A_LOTTERY, id))
            }
            Self::Draw if status == EventStatus::Paused => Some(message!(messages::DRAW_PAUSED, id)),
            Self::Draw if now < event.draws_at() => {
                Some(message!(messages::DRAW_TOO_EARLY, id, Precision::Millis.format(event.draws_at())))
            }
            Self::Delete if event.is_running(now) => Some(message!(messages::EVENT_RUNNING, id)),
            Self::Delete if board.has_entries() => Some(message!(messages::EVENT_HAS_ENTRIES, id)),
            Self::Announce | Self::Draw | Self::Delete => None,
        }
    }

    fn done(self) -> Notice {
        match self {
            Self::Pause => notices::PAUSED,
            Self::Resume => notices::RESUMED,
            Self::Close => notices::CLOSED,
            Self::Announce => notices::ANNOUNCED,
            Self::Draw => notices::DRAWN,
            Self::Delete => notice::DELETED,
        }
    }

    /// The page after the action.
    fn back(self, id: &str) -> String {
        match self {
            Self::Draw => below_board(id, "draw"),
            Self::Delete => START.to_owned(),
            _ => at("board", id),
        }
    }

    /// Whether the number of undecided requests matters.
    fn is_about_waiting(self) -> bool {
        matches!(self, Self::Close | Self::Announce | Self::Draw)
    }

    pub(super) fn label(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say("Pause", "일시 중지"),
            Self::Resume => view.say("Resume", "재개"),
            Self::Close => view.say("Close", "마감"),
            Self::Announce => view.say("Announce results", "결과 발표"),
            Self::Draw => view.say("Draw now", "지금 추첨"),
            Self::Delete => view.say("Delete", "삭제"),
        }
    }

    fn title(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say("Pause event", "이벤트 일시 중지"),
            Self::Resume => view.say("Resume event", "이벤트 재개"),
            Self::Close => view.say("Close event", "이벤트 마감"),
            Self::Announce => view.say("Announce results", "결과 발표"),
            Self::Draw => view.say("Draw winners", "추첨"),
            Self::Delete => view.say("Delete event", "이벤트 삭제"),
        }
    }

    fn about(self, view: &View) -> &'static str {
        match self {
            Self::Pause => view.say(
                "The event accepts and processes no entries until you resume it. Everyone who is waiting keeps their place in line.",
                "재개할 때까지 응모를 받거나 처리하지 않습니다. 대기 중인 응모의 순서는 유지됩니다.",
            ),
            Self::Resume => view.say(
                "The event accepts entries again until its closing time, and processes those that are waiting.",
                "마감 일시까지 다시 응모를 받고, 대기 중인 응모를 처리합니다.",
            ),
            Self::Close => view.say(
                "The event accepts no more entries and cannot be reopened. Entries received so far still get their results; a lottery is drawn shortly after. This can't be undone.",
                "더 이상 응모를 받지 않으며 다시 열 수 없습니다. 이미 접수된 응모는 계속 처리하고, 추첨 이벤트는 곧 추첨합니다. 되돌릴 수 없습니다.",
            ),
            Self::Announce => view.say(
                "Everyone sees their result, and the seed of a lottery is published. This can't be undone.",
                "모두에게 결과를 공개하고, 추첨이면 시드도 공개합니다. 되돌릴 수 없습니다.",
            ),
            Self::Draw => view.say(
                "The list of entries is fixed, and every entry gets its result. Participants see results once they are announced. This can't be undone.",
                "응모 목록을 확정하고 모든 응모의 결과를 정합니다. 참여자는 결과 발표 후에 볼 수 있습니다. 되돌릴 수 없습니다.",
            ),
            Self::Delete => view.say(
                "Only an event without entries can be deleted: before it opens, or after it closed. This can't be undone.",
                "응모가 없는 이벤트만 시작 전이나 마감 후에 삭제할 수 있습니다. 되돌릴 수 없습니다.",
            ),
        }
    }

    /// The label of the button, and its style.
    fn button(self, view: &View) -> (&'static str, &'static str) {
        let class = match self {
            Self::Pause | Self::Resume | Self::Draw => "primary",
            Self::Close | Self::Announce | Self::Delete => "danger",
        };
        (self.label(view), class)
    }
}
