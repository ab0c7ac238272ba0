//! The columns of a file: guessed, and changeable.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::FutureExt as _;
use hansang_access::Role;
use hansang_core::{Error, ErrorKind, message};
use hansang_http::input::PathKey;
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::import::{Columns, Mapping, Table, Upload, change_upload, upload_of, uploaded};
use hansang_ledger::{CodeType, LedgerCode};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::{Frame, View, page};

use super::super::{Pages, START};
use super::{at, steps};
use crate::messages;

/// The number of rows that are shown, and among which the header is chosen.
const MAX_ROWS: usize = 30;
/// The number of rows behind the header that are shown.
const MAX_SHOWN: usize = 5;

#[derive(Template)]
#[template(path = "ledger/import_columns.html")]
struct Shown {
    frame: Frame,
    steps: [&'static str; 3],
    upload: Upload,
    fields: Vec<Field>,
    titles: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
    refused: Option<String>,
}

/// The name of a field, and its value in a mapping.
type ColumnField = (&'static str, fn(&Columns) -> Option<usize>);

/// The columns that can be chosen.
const COLUMNS: [ColumnField; 9] = [
    ("date", |columns| Some(columns.date)),
    ("amount", |columns| columns.amount),
    ("paid", |columns| columns.paid),
    ("received", |columns| columns.received),
    ("text", |columns| columns.text),
    ("category", |columns| columns.category),
    ("type", |columns| columns.kind),
    ("cancelled", |columns| columns.cancelled),
    ("currency", |columns| columns.currency),
];

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, takes) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View, key: PathKey| {
        let _turn = shows.reading().await;
        let upload = upload_of(&shows.ledger, &key.text("id")).await?;
        let table = uploaded(&shows.ledger, &upload).await?;
        show(&shows, view, upload, &table, StatusCode::OK, None).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, key: PathKey, sent: Form| {
        take(&takes, &caller, view, &key.text("id"), &sent).await
    });
    Route::page(&format!("{START}/import/{{id}}/columns"), pages.needs(Role::Editor), handler)
}

async fn show(
    pages: &Pages,
    view: View,
    upload: Upload,
    table: &Table,
    status: StatusCode,
    refused: Option<String>,
) -> Result<Response, Problem> {
    let codes = pages.ledger.codes().await?;
    let title = view.say("Columns of the file", "파일의 열").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let mapping = upload.mapping.clone();
    let first = table.rows.first().map_or(1, |(number, _)| *number);
    let header = mapping.as_ref().map_or(first, |mapping| mapping.header);
    let titles = titles(table, header);
    let shown = Shown {
        steps: steps(view),
        fields: fields(view, &upload, table, (header, &titles), codes.list(CodeType::Name)),
        rows: table.rows.iter().filter(|(number, _)| *number > header).take(MAX_SHOWN).cloned().collect(),
        titles,
        upload,
        refused,
        frame,
    };
    Ok(page(status, &shown))
}

/// The titles of all columns, with their letters.
fn titles(table: &Table, header: usize) -> Vec<String> {
    let cells = table.rows.iter().find(|(number, _)| *number == header).map(|(_, cells)| &cells[..]);
    let width = table.rows.iter().take(MAX_ROWS).map(|(_, cells)| cells.len()).max().unwrap_or_default();
    let title = |column: usize| {
        let text = cells.and_then(|cells| cells.get(column)).map_or("", |cell| cell.trim());
        format!("{} {text}", letter(column)).trim_end().to_owned()
    };
    (0..width).map(title).collect()
}

/// The letters of a column, as a spreadsheet has them.
fn letter(column: usize) -> String {
    let last = char::from(b'A' + u8::try_from(column % 26).unwrap_or_default());
    if column < 26 { last.to_string() } else { format!("{}{last}", letter(column / 26 - 1)) }
}

fn fields(
    view: &View,
    upload: &Upload,
    table: &Table,
    (header, titles): (usize, &[String]),
    people: &[String],
) -> Vec<Field> {
    let mapping = upload.mapping.clone().unwrap_or_default();
    let label = |name: &str| match name {
        "date" => view.say("Date", "날짜"),
        "amount" => view.say("Amount", "금액"),
        "paid" => view.say("Amount paid", "출금액"),
        "received" => view.say("Amount received", "입금액"),
        "text" => view.say("Merchant or note", "내용(가맹점)"),
        "category" => view.say("Category", "분류"),
        "type" => view.say("Type (income, spending, transfer)", "타입(수입·지출·이체)"),
        "currency" => view.say("Currency", "화폐"),
        _ => view.say("Cancelled", "취소 여부"),
    };
    let rows = table.rows.iter().take(MAX_ROWS).map(|(number, cells)| {
        let text: String = cells.join(" · ").chars().take(60).collect();
        (number.to_string(), format!("{number}: {text}"))
    });
    let choice = |name: &str, label: &str, value: String, choices: Vec<(String, String)>| Field {
        value,
        required: false,
        input: Input::Choice(choices),
        ..Field::text(name, label)
    };
    let mut fields = vec![
        Field { value: upload.profile.clone(), ..Field::text("profile", view.say("Source", "출처")) },
        choice("header", view.say("Row with the titles", "제목 행"), header.to_string(), rows.collect()),
    ];
    for (name, value) in COLUMNS {
        let mut choices: Vec<(String, String)> =
            titles.iter().enumerate().map(|(column, title)| (column.to_string(), title.clone())).collect();
        if name != "date" {
            choices.insert(0, (String::new(), view.say("None", "없음").to_owned()));
        }
        let value = upload.mapping.as_ref().and_then(|mapping| value(&mapping.columns));
        fields.push(choice(
            name,
            label(name),
            value.map(|value| value.to_string()).unwrap_or_default(),
            choices,
        ));
    }
    let names = people.iter().map(|name| (name.clone(), name.clone()));
    fields.push(choice(
        "person",
        view.say("Whose income", "수입의 주인"),
        mapping.person.clone().unwrap_or_default(),
        names.collect(),
    ));
    fields.push(Field {
        value: mapping.spending_is_negative.to_string(),
        required: false,
        input: Input::Check,
        ..Field::text("negative", view.say("Spending has negative amounts", "지출이 음수로 적혀 있음"))
    });
    fields
}

async fn take(
    pages: &Pages,
    caller: &Caller,
    view: View,
    id: &str,
    sent: &Form,
) -> Result<Response, Problem> {
    let _turn = pages.reading().await;
    let mut upload = upload_of(&pages.ledger, id).await?;
    let table = uploaded(&pages.ledger, &upload).await?;
    let profile: String = sent.text("profile").trim().chars().take(80).collect();
    if !profile.is_empty() {
        upload.profile = profile;
    }
    let asked = mapping(sent);
    upload.mapping = asked.as_ref().ok().cloned().or(upload.mapping);
    let checked = match asked {
        Ok(_) => upload.preview(&pages.ledger, &table).await.map(drop),
        Err(error) => Err(error),
    };
    // Another header row only shows other titles.
    let is_only_shown = sent.text("do") == "show";
    match checked {
        Ok(()) if !is_only_shown => {
            let change = change_upload(&pages.ledger, &upload);
            pages.change(caller, "import.columns", &upload.file.clone(), change.boxed()).await?;
            Ok(Redirect::to(&at(id)).into_response())
        }
        Err(error) if error.kind != ErrorKind::Invalid => Err(error.into()),
        Err(error) if !is_only_shown => {
            let refused = Some(view.sentence(&error.message));
            show(pages, view, upload, &table, Problem::from(error).status, refused).await
        }
        _ => show(pages, view, upload, &table, StatusCode::OK, None).await,
    }
}

fn mapping(sent: &Form) -> Result<Mapping, Error> {
    let wrong = || Error::invalid(LedgerCode::MappingInvalid, message!(messages::CHOOSE_COLUMNS));
    let number = |name: &str| sent.text(name).parse::<usize>().ok();
    Ok(Mapping {
        header: number("header").ok_or_else(wrong)?,
        columns: Columns {
            date: number("date").ok_or_else(wrong)?,
            amount: number("amount"),
            paid: number("paid"),
            received: number("received"),
            text: number("text"),
            category: number("category"),
            kind: number("type"),
            cancelled: number("cancelled"),
            currency: number("currency"),
        },
        spending_is_negative: sent.text("negative") == "true",
        person: Some(sent.text("person").to_owned()).filter(|person| !person.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn columns_have_the_letters_of_a_spreadsheet() {
        let letters = [0, 25, 26, 51, 52, 199].map(letter);
        assert_eq!(letters, ["A", "Z", "AA", "AZ", "BA", "GR"]);
    }
}
