//! What the cache of this server did, and dropping a list from it: for administrators.

use askama::Template;
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_documents::{agent_list_key, query_projects, session_list_key};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::number::grouped;

use super::form::{Sent, optional_field};
use super::{Pages, START, done, messages};
use crate::actions::INVALIDATE;
use crate::notices;

/// The fields that a problem can be shown at.
const FIELDS: [&str; 3] = ["list", "project", "user"];

#[derive(Template)]
#[template(path = "documents/cache.html")]
struct CachePage {
    frame: Frame,
    is_active: bool,
    /// The share of reads that were answered by the cache, in percent; none before the first.
    share: Option<u64>,
    counts: Vec<(&'static str, String, &'static str)>,
    fields: Vec<Field>,
    problems: Problems,
}

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, drops) = (pages.clone(), pages.clone());
    let cache = on(MethodFilter::GET, async move |view: View| show(&shows, view, &Sent::default()).await).on(
        MethodFilter::POST,
        async move |caller: Caller, view: View, sent: Form| match key(&sent) {
            Ok(key) => {
                drops.act(&INVALIDATE, &caller, key).await?;
                Ok(done(notices::CACHE_CLEARED, &format!("{START}/cache")))
            }
            Err(error) => {
                let sent = Sent::refused(&view, sent, &FIELDS, error);
                show(&drops, view, &sent).await
            }
        },
    );
    vec![Route::page(&format!("{START}/cache"), pages.needs(Role::Admin), cache)]
}

/// The key of the chosen list.
fn key(sent: &Form) -> Result<String, Error> {
    let (project, user) = (sent.text("project").trim(), sent.text("user").trim());
    let of_user = |key: fn(&str, &str) -> String| {
        let missing = [("project", project), ("user", user)].into_iter().filter(|(_, text)| text.is_empty());
        let missing: Vec<_> =
            missing.map(|(name, _)| violation(name, message!(messages::NEEDED_FOR_LIST))).collect();
        if !missing.is_empty() {
            return Err(Error::fields(missing));
        }
        hansang_documents::check_id("user", user)?;
        hansang_documents::check_id("project", project)?;
        Ok(key(user, project))
    };
    match sent.text("list") {
        "projects" => Ok("query_projects".to_owned()),
        "sessions" => of_user(session_list_key),
        "agents" => of_user(agent_list_key),
        _ => Err(Error::fields(vec![violation("list", message!(messages::CHOOSE_ONE))])),
    }
}

async fn show(pages: &Pages, view: View, sent: &Sent) -> Result<Response, Problem> {
    let documents = pages.documents();
    let all = pages.read("projects", query_projects(documents).boxed()).await?;
    let counted = documents.cached.statistics();
    let reads = counted.hits + counted.misses + counted.stale;
    let say = |english, korean| view.say(english, korean);
    let counts = vec![
        (
            say("Answered by the cache", "캐시에서 읽음"),
            counted.hits,
            say("lists that were up to date", "최신이던 목록"),
        ),
        (
            say("Not in the cache", "캐시에 없음"),
            counted.misses,
            say("read from the table", "테이블에서 읽음"),
        ),
        (say("Out of date", "오래됨"), counted.stale, say("noticed and read again", "알아채고 새로 읽음")),
        (say("Stored", "저장"), counted.fills, say("lists put into the cache", "캐시에 넣은 목록")),
        (
            say("Dropped", "비움"),
            counted.invalidations,
            say("after changes, or here", "변경 뒤 또는 여기에서"),
        ),
        (say("Errors", "오류"), counted.errors, say("the table was read instead", "대신 테이블에서 읽음")),
    ];
    let counts = counts.into_iter().map(|(label, count, hint)| (label, grouped(&count.to_string()), hint));
    let choice = |value: &str, label: &str| (value.to_owned(), label.to_owned());
    let mut projects = vec![choice("", "–")];
    projects.extend(all.iter().map(|project| (project.project_id.clone(), project.text.name.clone())));
    let fields = [
        Field {
            input: Input::Choice(vec![
                choice("projects", say("All projects", "모든 프로젝트")),
                choice("sessions", say("Conversations of a user", "사용자의 대화")),
                choice("agents", say("Agents of a user", "사용자의 에이전트")),
            ]),
            ..Field::text("list", say("List", "목록"))
        },
        optional_field(Field {
            input: Input::Choice(projects),
            ..Field::text("project", say("Project", "프로젝트"))
        }),
        optional_field(Field {
            hint: say("The ID of the account, as in the audit log.", "감사 기록에 나오는 계정 ID입니다.")
                .to_owned(),
            ..Field::text("user", say("User", "사용자"))
        }),
    ];
    let title = say("Cache", "캐시").to_owned();
    let shown = CachePage {
        is_active: documents.cached.is_active(),
        share: (counted.hits * 100).checked_div(reads),
        counts: counts.collect(),
        fields: fields.into_iter().map(|field| field.sent(&sent.form, &sent.problems)).collect(),
        problems: sent.problems.clone(),
        frame: pages.frame(view, &title),
    };
    Ok(page(sent.status, &shown))
}
