//! A document is processed again: all of it or some pages, with instructions.

use axum::response::Response;
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_documents::{Reprocess, find_document};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::View;

use super::form::{self, Filled, Sent, optional, optional_field};
use super::{Pages, START, done, messages, project};
use crate::actions::REPROCESS;
use crate::notices;

/// The fields that a problem can be shown at.
const FIELDS: [&str; 2] = ["pages", "instructions"];
/// The maximum number of pages that are written as ranges.
const MAX_PAGES: usize = 1001;

pub(super) fn routes(pages: &Pages) -> Vec<Route> {
    let (shows, starts) = (pages.clone(), pages.clone());
    let form = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        show(&shows, view, &key.text("project"), &key.text("document"), &Sent::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        let (project, document) = (key.text("project"), key.text("document"));
        match start(&starts, &caller, &project, &document, &sent).await {
            Ok(()) => {
                let address = format!("{}/documents/{document}", project::address(&project));
                Ok(done(notices::REANALYSING, &address))
            }
            Err(error) => {
                let sent = Sent::refused(&view, sent, &FIELDS, error);
                show(&starts, view, &project, &document, &sent).await
            }
        }
    });
    let path = format!("{START}/projects/{{project}}/documents/{{document}}/reanalyse");
    vec![Route::page(&path, pages.needs(Role::Editor), form)]
}

async fn show(
    pages: &Pages,
    view: View,
    project_id: &str,
    document_id: &str,
    sent: &Sent,
) -> Result<Response, Problem> {
    let head = project::head(pages, &view, project_id).await?;
    let read = find_document(pages.documents(), project_id, document_id);
    let document = pages.read("document", read.boxed()).await?;
    let address = format!("{}/documents/{document_id}", head.address);
    let fields = vec![
        optional_field(Field {
            value: view.asked().text("pages").to_owned(),
            hint: view
                .say("Such as 1-3, 7. The whole document if empty.", "예: 1-3, 7. 비워 두면 문서 전체를 분석합니다.")
                .to_owned(),
            ..Field::text("pages", view.say("Pages", "쪽"))
        }),
        optional_field(Field {
            input: Input::Area { rows: 5 },
            hint: view
                .say(
                    "What should be done differently this time? The instructions of the project apply as well.",
                    "이번에는 무엇을 다르게 할까요? 프로젝트의 지침도 함께 적용합니다.",
                )
                .to_owned(),
            ..Field::text("instructions", view.say("Instructions", "지침"))
        }),
    ];
    let filled = Filled {
        title: view.say("Reanalyse", "다시 분석").to_owned(),
        trail: head.trail(&view, &[(&document.name, &address)]),
        here: format!("{address}/reanalyse"),
        back: address.clone(),
        about: view
            .say(
                "The file is read again from the beginning. Until it is done, the last results stay.",
                "파일을 처음부터 다시 읽습니다. 끝날 때까지 이전 결과가 남아 있습니다.",
            )
            .to_owned(),
        fields,
        revision: None,
        button: view.say("Reanalyse", "다시 분석").to_owned(),
    };
    Ok(form::show(pages, view, filled, sent))
}

async fn start(
    pages: &Pages,
    caller: &Caller,
    project_id: &str,
    document_id: &str,
    sent: &Form,
) -> Result<(), Error> {
    let numbers = numbers(sent.text("pages"));
    let unreadable = || Error::fields(vec![violation("pages", message!(messages::PAGES_UNREADABLE))]);
    let again =
        Reprocess { instructions: optional(sent, "instructions"), pages: numbers.ok_or_else(unreadable)? };
    let input = (project_id.to_owned(), document_id.to_owned(), again);
    pages.act(&REPROCESS, caller, input).await.map(drop).map_err(|error| {
        // Told at the field: its numbers are those that were typed.
        if error.code == hansang_documents::DocumentsCode::PagesUnknown {
            Error { violations: vec![violation("pages", message!(messages::NO_SUCH_PAGES))], ..error }
        } else {
            error
        }
    })
}

/// The numbers of segments in a text such as `1-3, 7`, in which pages count from 1.
fn numbers(text: &str) -> Option<Vec<i64>> {
    let mut numbers = Vec::new();
    let parts = text.split([',', '，', ' ', ';']).map(str::trim).filter(|part| !part.is_empty());
    for part in parts {
        let (from, to) = part.split_once(['-', '–', '~']).unwrap_or((part, part));
        let (from, to): (i64, i64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        if from < 1 || to < from {
            return None;
        }
        let left = MAX_PAGES.saturating_sub(numbers.len());
        numbers.extend((from - 1..to).take(left));
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::numbers;

    #[test]
    fn page_numbers_are_read() {
        assert_eq!(numbers(" "), Some(Vec::new()));
        assert_eq!(numbers("1-3, 7"), Some(vec![0, 1, 2, 6]));
        assert_eq!(numbers("2~2"), Some(vec![1]));
        for wrong in ["0", "3-1", "a", "1-", "-2"] {
            assert_eq!(numbers(wrong), None, "{wrong}");
        }
        assert_eq!(numbers("1-99999999").map(|numbers| numbers.len()), Some(1001));
    }
}
