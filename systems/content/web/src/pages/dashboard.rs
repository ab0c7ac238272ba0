//! The start page: what is published, what comes next, and what waits for an answer.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{
    EditedPost, Inquiry, InquiryFilter, InquiryStatus, PostFilter, Standing, inquiries, posts, scheduled,
};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::time::Moment;

use super::words::{Badge, badges, marks, standing_name, status};
use super::{Pages, START};

/// The number of posts that are counted and among which the last changes are looked for.
const MAX_READ: usize = 200;
/// The number of inquiries of a page, and of pages that are looked at.
const INQUIRIES: u32 = 200;
const MAX_PAGES: usize = 50;
/// The number of rows of a list.
const ROWS: usize = 6;

#[derive(Template)]
#[template(path = "content/dashboard.html")]
struct Dashboard {
    frame: Frame,
    site: String,
    tiles: Vec<Tile>,
    scheduled: Vec<Line>,
    recent: Vec<Line>,
    /// The inquiries to answer; none for visitors who may not read them.
    inquiries: Option<Vec<Line>>,
    is_new: bool,
}

/// A number that leads to its list.
struct Tile {
    label: String,
    count: String,
    address: String,
    class: &'static str,
}

/// A post or an inquiry of a list.
struct Line {
    title: String,
    address: String,
    badges: Vec<Badge>,
    at: Moment,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    Route::page(
        START,
        pages.needs(Role::Viewer),
        on(MethodFilter::GET, async move |view: View| show(&shows, view).await),
    )
}

/// The newest posts.
async fn newest(pages: &Pages) -> Result<Vec<EditedPost>, Error> {
    let (mut found, mut cursor) = (Vec::new(), None);
    while found.len() < MAX_READ {
        let listed = posts(pages.content(), &PostFilter::default(), Ask { cursor, ..Ask::default() }).await?;
        found.extend(listed.posts);
        cursor = listed.next;
        if cursor.is_none() {
            break;
        }
    }
    Ok(found)
}

/// The inquiries that wait for a manager.
#[derive(Default)]
struct Waiting {
    /// The newest inquiries that are not spam and not answered, and the number of all of them.
    inquiries: Vec<Inquiry>,
    count: usize,
    /// The number of mails that were not sent.
    unsent: i64,
    /// Whether there are older inquiries that were not looked at.
    more: bool,
}

async fn waiting(pages: &Pages) -> Result<Waiting, Error> {
    let filter = InquiryFilter { spam: Some(false), ..InquiryFilter::default() };
    let (mut waiting, mut cursor) = (Waiting::default(), None);
    for _ in 0..MAX_PAGES {
        let ask = Ask { limit: Some(INQUIRIES), cursor, ..Ask::default() };
        let page = inquiries(pages.content(), filter, ask).await?;
        for inquiry in page.inquiries {
            waiting.unsent += inquiry.failed_mails.max(0);
            if inquiry.status != InquiryStatus::Done {
                waiting.count += 1;
                waiting.inquiries.extend((waiting.count <= ROWS).then_some(inquiry));
            }
        }
        cursor = page.next;
        waiting.more = cursor.is_some();
        if cursor.is_none() {
            break;
        }
    }
    Ok(waiting)
}

async fn show(pages: &Pages, view: View) -> Result<Response, Problem> {
    let reads_inquiries = pages.is_editor(&view);
    let read = async {
        let posts = newest(pages).await?;
        let waiting = if reads_inquiries { Some(waiting(pages).await?) } else { None };
        Ok((posts, scheduled(pages.content(), ROWS).await?, waiting))
    };
    let (posts, (next, scheduled), waiting) = pages.read("dashboard", read.boxed()).await?;
    let frame = pages.frame(view, pages.name());
    let view = &frame.view;
    let line = |one: &EditedPost, at| Line {
        title: one.post.text.title.clone(),
        address: format!("{START}/posts/{}", one.post.id),
        badges: badges(view, one.standing, one.has_draft),
        at: view.time(at),
    };
    let those = |standing| posts.iter().filter(move |one| one.standing == standing);
    let count = |count: usize| if posts.len() >= MAX_READ { format!("{count}+") } else { count.to_string() };
    let tile = |standing: Standing| Tile {
        label: standing_name(view, standing).to_owned(),
        count: match standing {
            Standing::Scheduled => scheduled.to_string(),
            _ => count(those(standing).count()),
        },
        address: format!("{START}/posts?state={}", standing.name()),
        class: "",
    };
    let unsent = waiting.as_ref().map(|waiting| waiting.unsent).unwrap_or_default();
    let mut tiles: Vec<Tile> =
        [Standing::Visible, Standing::Scheduled, Standing::Draft].into_iter().map(tile).collect();
    if let Some(waiting) = &waiting {
        tiles.push(Tile {
            label: view.say("Inquiries to answer", "답변할 문의").to_owned(),
            count: format!("{}{}", waiting.count, if waiting.more { "+" } else { "" }),
            address: format!("{START}/inquiries"),
            class: if waiting.count == 0 { "" } else { "warn" },
        });
    }
    if unsent > 0 {
        tiles.push(Tile {
            label: view.say("Mails not sent", "보내지 못한 메일").to_owned(),
            count: unsent.to_string(),
            address: format!("{START}/inquiries?folder=failed"),
            class: "bad",
        });
    }
    let mut recent: Vec<&EditedPost> = posts.iter().collect();
    recent.sort_by_key(|one| std::cmp::Reverse(one.post.updated_at));
    let inquiry = |inquiry: &Inquiry| Line {
        title: format!("{} · {}", inquiry.subject, inquiry.name),
        address: format!("{START}/inquiries/{}", inquiry.id),
        badges: [status(view, inquiry.status)].into_iter().chain(marks(view, inquiry)).collect(),
        at: view.time(inquiry.created_at),
    };
    let dashboard = Dashboard {
        site: pages.site("/"),
        tiles,
        scheduled: next.iter().map(|one| line(one, one.post.published_at())).collect(),
        recent: recent.into_iter().take(ROWS).map(|one| line(one, one.post.updated_at)).collect(),
        inquiries: waiting.map(|waiting| waiting.inquiries.iter().map(inquiry).collect()),
        is_new: posts.is_empty(),
        frame,
    };
    Ok(page(StatusCode::OK, &dashboard))
}
