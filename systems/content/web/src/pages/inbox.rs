//! The inbox: inquiries of visitors by state, and those kept as spam.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_content::{Inquiry, InquiryFilter, InquiryStatus, inquiries};
use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::html::Html;
use hansang_ui::page::Pager;
use hansang_ui::table::{Cell, Column, Empty, Kind, Row, Sort, Table};

use super::words::{marks, status};
use super::{Pages, START};

/// The number of rows of a page.
const ROWS: usize = 50;
/// The number of inquiries that are read for a page at most: a folder may hold few of them.
const MAX_READ: usize = 1000;

/// A folder of the inbox.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Folder {
    Open,
    Done,
    Failed,
    Spam,
    All,
}

impl Folder {
    const ALL: [Self; 5] = [Self::Open, Self::Done, Self::Failed, Self::Spam, Self::All];

    fn slug(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Spam => "spam",
            Self::All => "all",
        }
    }

    fn name(self, view: &View) -> &str {
        match self {
            Self::Open => view.say("To answer", "답변할 문의"),
            Self::Done => view.say("Done", "완료"),
            Self::Failed => view.say("Mail not sent", "메일 발송 실패"),
            Self::Spam => view.say("Suspected spam", "스팸 의심"),
            Self::All => view.say("All", "전체"),
        }
    }

    fn holds(self, inquiry: &Inquiry) -> bool {
        let is_done = inquiry.status == InquiryStatus::Done;
        match self {
            Self::Open => !inquiry.spam && !is_done,
            Self::Done => !inquiry.spam && is_done,
            Self::Failed => inquiry.failed_mails > 0,
            Self::Spam => inquiry.spam,
            Self::All => true,
        }
    }
}

#[derive(Template)]
#[template(path = "content/inbox.html")]
struct Inbox {
    frame: Frame,
    /// Name, address, and whether it is shown.
    folders: Vec<(String, String, bool)>,
    folder: &'static str,
    /// Whether the visitor may erase the data of a person.
    may_erase: bool,
    text: String,
    table: Html,
}

pub(super) fn route(pages: &Pages) -> Route {
    let shows = pages.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&shows, view).await);
    Route::page(&format!("{START}/inquiries"), pages.needs(Role::Editor), handler)
}

/// The inquiries of a folder that contain a text, newest first, and the cursor behind them.
async fn find(
    pages: &Pages,
    folder: Folder,
    text: &str,
    mut cursor: Option<String>,
) -> Result<(Vec<Inquiry>, Option<String>), Error> {
    let wanted = text.to_lowercase();
    let contains = |inquiry: &Inquiry| {
        let parts = [&inquiry.subject, &inquiry.name, &inquiry.company, &inquiry.email, &inquiry.message];
        wanted.is_empty() || parts.iter().any(|part| part.to_lowercase().contains(&wanted))
    };
    let (mut found, mut read) = (Vec::new(), 0);
    loop {
        // A page of the store never holds more than is missing, so the cursor is behind the last row.
        let limit = u32::try_from(ROWS - found.len()).ok();
        let listed =
            inquiries(pages.content(), InquiryFilter::default(), Ask { cursor, limit, ..Ask::default() })
                .await?;
        read += listed.inquiries.len().max(1);
        found.extend(listed.inquiries.into_iter().filter(|one| folder.holds(one) && contains(one)));
        cursor = listed.next;
        if cursor.is_none() || found.len() >= ROWS || read >= MAX_READ {
            return Ok((found, cursor));
        }
    }
}

async fn show(pages: &Pages, view: View) -> Result<Response, Problem> {
    let asked = view.asked();
    let folder = Folder::ALL.into_iter().find(|folder| folder.slug() == asked.text("folder"));
    let folder = folder.unwrap_or(Folder::Open);
    let text = asked.text("q").trim().to_owned();
    let cursor = asked.get("cursor").map(str::to_owned);
    let (found, next) = pages.read("inquiries", find(pages, folder, &text, cursor).boxed()).await?;
    let title = view.say("Inquiries", "문의").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let at = |folder: Folder| format!("{START}/inquiries?folder={}", folder.slug());
    let row = |inquiry: &Inquiry| {
        let mut badges = vec![status(view, inquiry.status)];
        badges.extend(marks(view, inquiry));
        Row {
            key: inquiry.id.clone(),
            link: Some(format!("{START}/inquiries/{}", inquiry.id)),
            cells: vec![
                Cell::Text(match &*inquiry.subject {
                    "" => view.say("No subject", "제목 없음").to_owned(),
                    subject => subject.to_owned(),
                }),
                Cell::text(&inquiry.name),
                Cell::text(&inquiry.company),
                Cell::Tags(badges),
                Cell::Time(view.time(inquiry.created_at)),
            ],
        }
    };
    let column = |key, label, kind| Column::new(key, label, kind).sortable();
    let mut address = form_urlencoded::Serializer::new(String::new());
    address.append_pair("folder", folder.slug());
    if !text.is_empty() {
        address.append_pair("q", &text);
    }
    let address = format!("{START}/inquiries?{}", address.finish());
    let mut table = Table {
        name: "content/inquiries".to_owned(),
        label: title,
        columns: vec![
            column("subject", view.say("Subject", "제목"), Kind::Text),
            column("name", view.say("Name", "이름"), Kind::Text),
            column("company", view.say("Company", "회사"), Kind::Text),
            column("status", view.say("Status", "상태"), Kind::Tag),
            column("received", view.say("Received", "접수 일시"), Kind::Time),
        ],
        rows: found.iter().map(row).collect(),
        partial: next.is_some() || asked.get("cursor").is_some(),
        empty: Empty {
            icon: "inbox",
            title: match folder {
                Folder::Open => view.say("Nothing to answer", "답변할 문의가 없습니다").to_owned(),
                _ => view.say("No inquiries", "문의가 없습니다").to_owned(),
            },
            text: view
                .say(
                    "Messages from the contact form appear here.",
                    "문의 양식으로 들어온 문의가 여기에 표시됩니다.",
                )
                .to_owned(),
            action: None,
        },
        pages: Some(Pager::at(&address, None, next.as_deref())),
        ..Table::default()
    };
    table.sort = Sort::asked(view, &table.columns);
    table.sort_rows();
    let folders = Folder::ALL.map(|one| (one.name(view).to_owned(), at(one), one == folder));
    let (table, may_erase) = (table.html(&frame), pages.is_manager(view));
    let folder = folder.slug();
    let inbox = Inbox { folders: folders.into(), folder, may_erase, text, table, frame };
    Ok(page(StatusCode::OK, &inbox))
}
