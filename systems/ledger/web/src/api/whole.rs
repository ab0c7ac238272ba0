//! Codes, opening balances, history and recalculation.

use axum::http::Method;
use hansang_core::{Error, message};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Route, cursor_parameter};
use hansang_ledger::{Assignments, Balances, CodeType, Kind, history, messages as ledger, past_change};
use serde_json::json;

use super::output::{ShownAccounts, ShownChange, ShownCheck, ShownCount, ShownList, ShownPage, ShownSeq};
use super::reports::{limit_of, limit_parameter};
use super::sent::{texts, whole};
use super::{Answer, Books, schema};
use crate::actions::{ASSIGN, RECALCULATE, REPLACE_ACCOUNTS, REPLACE_CODES, SET_OPENING, UNDO};
use crate::messages as api;

/// The number of changes of a page.
const PAGE: usize = 50;
/// The maximum number of changes of a page: one may have a hundred lines.
const MAX_PAGE: usize = 200;

impl Books {
    pub(super) fn whole_routes(&self) -> Vec<Route> {
        let kinds = schema::map(&schema::account_kind());
        vec![
            self.change(
                (Method::PUT, "codes/{list}"),
                REPLACE_CODES,
                Answer::changed(),
                schema::closed(&json!({ "codes": schema::names() }), &["codes"]),
                |asked| {
                    let list: CodeType = asked.key.text("list").parse()?;
                    Ok(Some((list, asked.body.texts("codes"))))
                },
                |codes| ShownList { codes },
            ),
            self.change(
                (Method::PUT, "accounts"),
                REPLACE_ACCOUNTS,
                Answer::changed(),
                schema::closed(&json!({ "accounts": schema::named(&schema::names()) }), &["accounts"]),
                |asked| Ok(Some(asked.body.map("accounts", &api::NOT_A_LIST_OF_TEXTS, texts))),
                |accounts| ShownAccounts { accounts },
            ),
            self.change(
                (Method::PUT, "assignments"),
                ASSIGN,
                Answer::changed(),
                schema::closed(&json!({ "accounts": kinds, "groups": kinds }), &["accounts", "groups"]),
                |asked| {
                    let mut kinds = |name: &str| {
                        asked.body.map(name, &ledger::KIND_UNKNOWN, |json| {
                            json.as_str().and_then(|kind| kind.parse::<Kind>().ok())
                        })
                    };
                    Ok(Some(Assignments { accounts: kinds("accounts"), groups: kinds("groups") }))
                },
                |()| ShownCount { count: 1 },
            ),
            self.change(
                (Method::PUT, "opening"),
                SET_OPENING,
                Answer::changed(),
                schema::closed(
                    &json!({
                        "cashAccumulated": schema::amount(), "investmentAccumulated": schema::amount(),
                        "shortSavingsBalances": schema::named(&schema::amount()),
                    }),
                    &["cashAccumulated", "investmentAccumulated", "shortSavingsBalances"],
                ),
                |asked| {
                    let body = &mut asked.body;
                    Ok(Some(Balances {
                        cash_accumulated: body.amount("cashAccumulated"),
                        investment_accumulated: body.amount("investmentAccumulated"),
                        short_savings_balances: body.map(
                            "shortSavingsBalances",
                            &ledger::AMOUNT_INVALID,
                            whole,
                        ),
                    }))
                },
                |()| ShownCount { count: 1 },
            ),
            self.read(
                "history",
                "change.list",
                (message!(api::HISTORY), message!(api::A_PAGE)),
                vec![limit_parameter(MAX_PAGE), cursor_parameter()],
                async |books: Self, _, mut asked: Parameters| {
                    let limit = limit_of(&mut asked, PAGE, MAX_PAGE)?;
                    let cursor = asked.take("cursor");
                    asked.finish()?;
                    let page = history(&books.ledger, cursor, u32::try_from(limit).ok()).await?;
                    Ok(ShownPage::<ShownChange>::from(page))
                },
            ),
            self.read(
                "history/{seq}",
                "change.get",
                (message!(api::GET_CHANGE), message!(api::THE_CHANGE)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownChange::from(past_change(&books.ledger, seq(&key)?).await?))
                },
            ),
            self.order(
                (Method::POST, "history/{seq}/undo"),
                UNDO,
                |key, _| seq(key),
                Some(|seq| ShownSeq { seq }),
            ),
            self.change(
                (Method::POST, "recalculate"),
                RECALCULATE,
                Answer::done(),
                schema::closed(&json!({ "from": schema::month(), "check": schema::truth() }), &[]),
                |asked| Ok(Some((asked.body.optional_month("from"), asked.body.truth("check")))),
                ShownCheck::from,
            ),
        ]
    }
}

/// The number of a change in a path.
fn seq(key: &PathKey) -> Result<i64, Error> {
    let text = key.text("seq");
    let number = text.parse().ok().filter(|seq| (0..=999_999_999_999).contains(seq));
    number.ok_or_else(|| {
        let problem = message!(api::NOT_A_NUMBER_FROM, 0, 999_999_999_999_i64);
        Error::fields(vec![hansang_core::validate::violation("seq", problem)])
    })
}
