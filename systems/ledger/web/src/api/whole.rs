//! Codes, opening balances, history and recalculation.

use axum::http::Method;
use hansang_core::validate::violation;
use hansang_core::{CoreCode, Error, message};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, query_parameter};
use hansang_ledger::{
    Assignments, Balances, CodeType, Kind, Subject, Wanted, messages as ledger, past_change, trail,
};
use serde_json::json;

use super::output::{ShownAccounts, ShownChange, ShownCheck, ShownCount, ShownList, ShownPage, ShownSeq};
use super::reports::{limit_of, limit_parameter};
use super::sent::{texts, whole};
use super::{Answer, Books, schema};
use crate::actions::{ASSIGN, NAME_SIGN_IN, RECALCULATE, REPLACE_ACCOUNTS, REPLACE_CODES, SET_OPENING, UNDO};
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
                schema::closed(&json!({ "codes": schema::names(), "was": schema::names() }), &["codes"]),
                |asked| {
                    let list: CodeType = asked.key.text("list").parse()?;
                    let was = asked.body.has("was").then(|| asked.body.texts("was"));
                    Ok(Some((list, asked.body.texts("codes"), was)))
                },
                |codes| ShownList { codes },
            ),
            self.change(
                (Method::PUT, "accounts"),
                REPLACE_ACCOUNTS,
                Answer::changed(),
                schema::closed(
                    &json!({
                        "accounts": schema::named(&schema::names()), "was": schema::named(&schema::names()),
                    }),
                    &["accounts"],
                ),
                |asked| {
                    let body = &mut asked.body;
                    let accounts = body.map("accounts", &api::NOT_A_LIST_OF_TEXTS, texts);
                    let was = body.has("was").then(|| body.map("was", &api::NOT_A_LIST_OF_TEXTS, texts));
                    Ok(Some((accounts, was)))
                },
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
                (Method::PUT, "sign-ins/{signIn}"),
                NAME_SIGN_IN,
                Answer::changed(),
                schema::closed(&json!({ "name": schema::name() }), &["name"]),
                |asked| Ok(Some((asked.key.text("signIn"), Some(asked.body.text("name"))))),
                |()| ShownCount { count: 1 },
            ),
            self.order::<_, _, ShownCount>(
                (Method::DELETE, "sign-ins/{signIn}"),
                hansang_server::Action {
                    name: "signIn.forget",
                    summary: &api::FORGET_SIGN_IN,
                    ..NAME_SIGN_IN
                },
                |key, _| Ok((key.text("signIn"), None)),
                None,
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
                history_parameters(),
                async |books: Self, _, mut asked: Parameters| {
                    let limit = limit_of(&mut asked, PAGE, MAX_PAGE)?;
                    let before = before(asked.take("cursor").as_deref())?;
                    let wanted = wanted(&mut asked)?;
                    asked.finish()?;
                    let found = trail(&books.ledger, &wanted, before, limit, false).await?;
                    Ok(ShownPage::<ShownChange>::from(found))
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
        Error::fields(vec![violation("seq", problem)])
    })
}

/// The parameters of the history.
fn history_parameters() -> Vec<Described> {
    let cursor = json!({ "type": "string", "pattern": "^[0-9]{1,12}$" });
    vec![
        limit_parameter(MAX_PAGE),
        query_parameter("cursor", false, cursor, message!(hansang_http::messages::OTHER_PAGE)),
        query_parameter("line", false, schema::id(), message!(api::LINE_ID)),
        query_parameter("month", false, schema::month(), message!(api::MONTH)),
        query_parameter("import", false, schema::id(), message!(api::IMPORT_ID)),
        query_parameter("kind", false, schema::kind(), message!(api::KIND)),
        query_parameter("name", false, schema::name(), message!(api::NAME)),
        query_parameter("detail", false, schema::name(), message!(api::DETAIL)),
    ]
}

/// The change before which a page of the history starts.
fn before(cursor: Option<&str>) -> Result<Option<i64>, Error> {
    let Some(text) = cursor else { return Ok(None) };
    let number = text.parse().ok().filter(|before| (0..=999_999_999_999).contains(before));
    let wrong = || Error::invalid(CoreCode::InvalidCursor, message!(api::NOT_A_CURSOR));
    number.ok_or_else(wrong).map(Some)
}

/// The changes that are asked for.
fn wanted(asked: &mut Parameters) -> Result<Wanted, Error> {
    let (kind, name, detail) = (asked.take("kind"), asked.take("name"), asked.take("detail"));
    let subject = match (kind, name) {
        (Some(kind), Some(name)) => Some(Subject::new(kind.parse()?, &name, detail.as_deref())?),
        (None, None) if detail.is_none() => None,
        (kind, _) => {
            let missing = if kind.is_none() { "kind" } else { "name" };
            let problem = message!(hansang_core::messages::fields::REQUIRED);
            return Err(Error::fields(vec![violation(missing, problem)]));
        }
    };
    let month = asked.take("month").map(|month| month.parse()).transpose()?;
    Ok(Wanted { line: asked.take("line"), subject, month, import: asked.take("import"), ..Wanted::default() })
}
