//! Lines and entries.

use axum::http::{HeaderMap, Method};
use hansang_core::{CoreCode, Error, message};
use hansang_http::input::{Parameters, PathKey, version_of};
use hansang_http::route::{Described, Route, if_match_parameter, query_parameter};
use hansang_ledger::{
    EntryAmount, Kind, Line, LineChange, NewEntry, NewLine, Search, find_line, lines_of_entry,
    lines_of_month, search,
};
use serde_json::json;

use super::output::{EntryWithLines, Items, ShownAmount, ShownCopy, ShownCount, ShownLine, ShownPage};
use super::reports::{limit_of, limit_parameter, period_of, period_parameters};
use super::{Answer, Asked, Books, month_of, schema, subject_of};
use crate::actions::{
    ADD_LINE, ADD_TO_ENTRY, CHANGE_LINE, COPY_MONTH, CREATE_ENTRY, DELETE_ENTRY, DELETE_LINE, MOVE_ENTRY,
    REPLACE_ENTRY,
};
use crate::messages as api;

/// The number of lines of a page, if the caller does not say.
const PAGE: usize = 200;
/// The maximum number of lines of a page.
const MAX_PAGE: usize = 1000;

const LINE: &str = "lines/{month}/{lineId}";
const ENTRY: &str = "months/{month}/entries/{kind}/{name}/{detail}";

impl Books {
    pub(super) fn line_routes(&self) -> Vec<Route> {
        let mut found = period_parameters();
        found.push(query_parameter("q", false, schema::text(), message!(api::WORDS)));
        found.push(query_parameter("kind", false, schema::kind(), message!(api::KIND)));
        found.push(query_parameter("by", false, json!({ "type": "string" }), message!(api::BY)));
        found.push(limit_parameter(MAX_PAGE));
        let mut change = self.change(
            (Method::PATCH, LINE),
            CHANGE_LINE,
            Answer::changed(),
            schema::with_optional_entry(
                &json!({ "date": schema::date(), "text": schema::text(), "amount": schema::amount() }),
            ),
            changed_line,
            ShownLine::from,
        );
        change.parameters.push(if_match_parameter());
        let mut delete = self.order::<_, _, ShownCount>(
            (Method::DELETE, LINE),
            DELETE_LINE,
            |key, headers| Ok((month_of(key)?, key.text("lineId"), version_of(headers)?)),
            None,
        );
        delete.parameters.push(if_match_parameter());
        vec![
            self.read(
                "months/{month}/lines",
                "month.lines",
                (message!(api::MONTH_LINES), message!(api::A_PAGE)),
                vec![limit_parameter(MAX_PAGE), cursor_parameter()],
                async |books: Self, key: PathKey, mut asked: Parameters| {
                    let limit = limit_of(&mut asked, PAGE, MAX_PAGE)?;
                    let after = asked.take("cursor");
                    asked.finish()?;
                    let lines = lines_of_month(&books.ledger, month_of(&key)?).await?;
                    page(lines, after.as_deref(), limit)
                },
            ),
            self.read(
                "lines",
                "line.search",
                (message!(api::SEARCH), message!(api::THE_LINES)),
                found,
                async |books: Self, _, mut asked: Parameters| {
                    let (from, to) = period_of(&mut asked)?;
                    let wanted = Search {
                        text: asked.take("q").unwrap_or_default(),
                        kind: asked.take("kind").map(|kind| kind.parse::<Kind>()).transpose()?,
                        by: asked.take("by"),
                    };
                    let limit = limit_of(&mut asked, PAGE, MAX_PAGE)?;
                    asked.finish()?;
                    Ok(Items::<ShownLine>::of(search(&books.ledger, from, to, &wanted, limit).await?))
                },
            ),
            self.read(
                LINE,
                "line.get",
                (message!(api::GET_LINE), message!(api::THE_LINE)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let line = find_line(&books.ledger, month_of(&key)?, &key.text("lineId")).await?;
                    Ok(ShownLine::from(line))
                },
            ),
            self.change(
                (Method::POST, "lines"),
                ADD_LINE,
                Answer::created(),
                schema::with_entry(
                    &json!({
                        "lineId": schema::id(), "date": schema::date(), "text": schema::text(),
                        "amount": schema::amount(),
                    }),
                    &["date", "amount"],
                ),
                new_line,
                ShownLine::from,
            ),
            change,
            delete,
        ]
    }

    pub(super) fn entry_routes(&self) -> Vec<Route> {
        let amount = |shown| ShownAmount { amount: shown };
        let sum = schema::closed(&json!({ "amount": schema::amount(), "text": schema::text() }), &["amount"]);
        vec![
            self.read(
                ENTRY,
                "entry.get",
                (message!(api::GET_ENTRY), message!(api::THE_ENTRY)),
                vec![limit_parameter(MAX_PAGE), cursor_parameter()],
                async |books: Self, key: PathKey, mut asked: Parameters| {
                    let limit = limit_of(&mut asked, PAGE, MAX_PAGE)?;
                    let after = asked.take("cursor");
                    asked.finish()?;
                    let (month, subject) = (month_of(&key)?, subject_of(&key)?);
                    let (amount, lines) = lines_of_entry(&books.ledger, month, &subject).await?;
                    let ShownPage { items, next } = page(lines, after.as_deref(), limit)?;
                    let entry = EntryAmount { subject, amount }.into();
                    Ok(EntryWithLines { month: month.to_string(), entry, lines: items, next })
                },
            ),
            self.change(
                (Method::POST, "months/{month}/entries"),
                CREATE_ENTRY,
                Answer::created(),
                schema::with_entry(
                    &json!({ "amount": schema::amount(), "text": schema::text() }),
                    &["amount"],
                ),
                |asked| {
                    let month = month_of(&asked.key)?;
                    let (subject, amount) = (asked.body.subject(), asked.body.amount("amount"));
                    let text = asked.body.optional_text("text").unwrap_or_default();
                    Ok(subject.map(|subject| NewEntry { month, subject, amount, text }))
                },
                amount,
            ),
            self.change(
                (Method::PUT, ENTRY),
                REPLACE_ENTRY,
                Answer::changed(),
                schema::closed(
                    &json!({
                        "amount": schema::amount(), "text": schema::text(), "was": schema::amount(),
                    }),
                    &["amount"],
                ),
                |asked| {
                    let was = asked.body.has("was").then(|| asked.body.amount("was"));
                    Ok(entry(asked)?.map(|new| (new, was)))
                },
                amount,
            ),
            self.change(
                (Method::POST, &format!("{ENTRY}/add")),
                ADD_TO_ENTRY,
                Answer::done(),
                sum,
                entry,
                amount,
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, ENTRY),
                DELETE_ENTRY,
                |key, _: &HeaderMap| Ok((month_of(key)?, subject_of(key)?)),
                None,
            ),
            self.change(
                (Method::POST, &format!("{ENTRY}/move")),
                MOVE_ENTRY,
                Answer::done(),
                schema::closed(&json!({ "to": schema::month() }), &["to"]),
                |asked| {
                    let (month, subject) = (month_of(&asked.key)?, subject_of(&asked.key)?);
                    Ok(asked.body.month("to").map(|to| (month, subject, to)))
                },
                |()| ShownCount { count: 1 },
            ),
            self.order(
                (Method::POST, "months/{month}/copy"),
                COPY_MONTH,
                |key, _: &HeaderMap| month_of(key),
                Some(ShownCopy::from),
            ),
        ]
    }
}

/// The position behind a line: its date and id.
fn cursor_parameter() -> Described {
    let cursor = json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9A-Z]{26}$" });
    query_parameter("cursor", false, cursor, message!(hansang_http::messages::OTHER_PAGE))
}

/// The lines after a position, by date and id.
fn page(lines: Vec<Line>, after: Option<&str>, limit: usize) -> Result<ShownPage<ShownLine>, Error> {
    let position = match after {
        None => None,
        Some(text) => Some(
            text.split_once('_')
                .ok_or_else(|| Error::invalid(CoreCode::InvalidCursor, message!(api::NOT_A_CURSOR)))?,
        ),
    };
    let is_behind = |line: &Line| position.is_none_or(|known| (&*line.date, &*line.line_id) > known);
    let mut items: Vec<ShownLine> =
        lines.into_iter().filter(is_behind).take(limit + 1).map(ShownLine::from).collect();
    let more = items.len() > limit;
    items.truncate(limit);
    let next = items.last().filter(|_| more).map(|line| format!("{}_{}", line.date, line.line_id));
    Ok(ShownPage { items, next })
}

fn new_line(asked: &mut Asked) -> Result<Option<NewLine>, Error> {
    let body = &mut asked.body;
    let id = body.optional_id("lineId");
    let (subject, date, amount) = (body.subject(), body.date("date"), body.amount("amount"));
    let text = body.optional_text("text").unwrap_or_default();
    let both = subject.zip(date);
    Ok(both.map(|(subject, date)| NewLine { id, subject, date, text, amount }))
}

fn changed_line(asked: &mut Asked) -> Result<Option<(hansang_ledger::Month, String, LineChange)>, Error> {
    let (month, id) = (month_of(&asked.key)?, asked.key.text("lineId"));
    let seq = version_of(&asked.headers)?;
    let body = &mut asked.body;
    // An entry is named as a whole.
    let subject =
        if ["kind", "name", "detail"].iter().any(|name| body.has(name)) { body.subject() } else { None };
    let change = LineChange {
        subject,
        date: if body.has("date") { body.date("date") } else { None },
        text: body.optional_text("text"),
        amount: if body.has("amount") { Some(body.amount("amount")) } else { None },
        seq,
    };
    Ok(Some((month, id, change)))
}

fn entry(asked: &mut Asked) -> Result<Option<NewEntry>, Error> {
    let (month, subject) = (month_of(&asked.key)?, subject_of(&asked.key)?);
    let amount = asked.body.amount("amount");
    let text = asked.body.optional_text("text").unwrap_or_default();
    Ok(Some(NewEntry { month, subject, amount, text }))
}
