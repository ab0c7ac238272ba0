//! Reads of figures: codes, months, periods, years, days, people.

use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::input::{Parameters, PathKey};
use hansang_http::route::{Described, Route, query_parameter};
use hansang_ledger::{
    Balances, Month, budgets_of_month, calendar, month, opening, people, people_of_period, period, sign_ins,
    stored_months, year,
};
use serde_json::json;

use super::output::{
    Items, MonthBudgets, ShownCalendar, ShownCodes, ShownDay, ShownMonth, ShownPeople, ShownSignIns,
    ShownWorth, ShownYearRow,
};
use super::{Books, month_of, schema};
use crate::messages as api;

impl Books {
    pub(super) fn report_routes(&self) -> Vec<Route> {
        vec![
            self.read(
                "codes",
                "codes.get",
                (message!(api::GET_CODES), message!(api::THE_CODES)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownCodes::from(&*books.ledger.codes().await?))
                },
            ),
            self.read(
                "months",
                "month.list",
                (message!(api::LIST_MONTHS), message!(api::THE_MONTHS)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    let months = stored_months(&books.ledger).await?;
                    Ok(Items::<String>::of(months.iter().map(Month::to_string)))
                },
            ),
            self.read(
                "months/{month}",
                "month.get",
                (message!(api::GET_MONTH), message!(api::THE_MONTH)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownMonth::from(month(&books.ledger, month_of(&key)?).await?))
                },
            ),
            self.read(
                "months/{month}/calendar",
                "month.calendar",
                (message!(api::CALENDAR), message!(api::THE_DAYS)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let days = calendar(&books.ledger, month_of(&key)?).await?;
                    let days = days.into_iter().map(|(date, day)| (date, ShownDay::from(day))).collect();
                    Ok(ShownCalendar { days })
                },
            ),
            self.read(
                "months/{month}/people",
                "month.people",
                (message!(api::PEOPLE), message!(api::THE_PEOPLE)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let people = people(&books.ledger, month_of(&key)?).await?;
                    Ok(ShownPeople::of(people))
                },
            ),
            self.read(
                "people",
                "report.people",
                (message!(api::PERIOD_PEOPLE), message!(api::THE_PEOPLE)),
                period_parameters(),
                async |books: Self, _, mut asked: Parameters| {
                    let (from, to) = period_of(&mut asked)?;
                    asked.finish()?;
                    Ok(ShownPeople::of(people_of_period(&books.ledger, from, to).await?))
                },
            ),
            self.read(
                "sign-ins",
                "signIn.list",
                (message!(api::SIGN_INS), message!(api::THE_SIGN_INS)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| {
                    asked.finish()?;
                    Ok(ShownSignIns { names: sign_ins(&books.ledger).await? })
                },
            ),
            self.read(
                "months/{month}/budgets",
                "month.budgets",
                (message!(api::MONTH_BUDGETS), message!(api::THE_BUDGETS)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    Ok(MonthBudgets { items: budgets_of_month(&books.ledger, month_of(&key)?).await? })
                },
            ),
            self.period_route(),
            self.read(
                "net-worth",
                "report.netWorth",
                (message!(api::NET_WORTH), message!(api::THE_NET_WORTH)),
                period_parameters(),
                async |books: Self, _, mut asked: Parameters| {
                    let (from, to) = period_of(&mut asked)?;
                    asked.finish()?;
                    Ok(Items::<ShownWorth>::of(period(&books.ledger, from, to).await?))
                },
            ),
            self.read(
                "years/{year}",
                "report.year",
                (message!(api::YEAR), message!(api::THE_YEAR)),
                Vec::new(),
                async |books: Self, key: PathKey, asked: Parameters| {
                    asked.finish()?;
                    let text = key.text("year");
                    // The year before is read too.
                    let number = text.parse().ok().filter(|number| (1901..=2999).contains(number));
                    let wrong = || {
                        let problem = message!(api::NOT_A_NUMBER_FROM, 1901, 2999);
                        Error::fields(vec![violation("year", problem)])
                    };
                    Ok(Items::<ShownYearRow>::of(year(&books.ledger, number.ok_or_else(wrong)?).await?))
                },
            ),
            self.read(
                "opening",
                "opening.get",
                (message!(api::GET_OPENING), message!(api::THE_OPENING)),
                Vec::new(),
                async |books: Self, _, asked: Parameters| -> Result<Balances, Error> {
                    asked.finish()?;
                    opening(&books.ledger).await
                },
            ),
        ]
    }

    fn period_route(&self) -> Route {
        self.read(
            "period",
            "report.period",
            (message!(api::PERIOD), message!(api::THE_PERIOD)),
            period_parameters(),
            async |books: Self, _, mut asked: Parameters| {
                let (from, to) = period_of(&mut asked)?;
                asked.finish()?;
                Ok(Items::<ShownMonth>::of(period(&books.ledger, from, to).await?))
            },
        )
    }
}

/// The parameters of a period.
pub(super) fn period_parameters() -> Vec<Described> {
    vec![
        query_parameter("from", true, schema::month(), message!(api::FROM)),
        query_parameter("to", true, schema::month(), message!(api::TO)),
    ]
}

/// The period in the parameters; every problem of both.
pub(super) fn period_of(asked: &mut Parameters) -> Result<(Month, Month), Error> {
    let mut violations = Vec::new();
    let mut month = |name: &str| match asked.take(name) {
        None => {
            violations.push(violation(name, message!(fields::REQUIRED)));
            None
        }
        Some(text) => {
            text.parse::<Month>().map_err(|error| violations.push(violation(name, error.message))).ok()
        }
    };
    match (month("from"), month("to")) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => Err(Error::fields(violations)),
    }
}

/// The size of a page.
pub(super) fn limit_parameter(most: usize) -> Described {
    let whole = json!({ "type": "integer", "minimum": 1, "maximum": most });
    query_parameter("limit", false, whole, message!(api::PAGE_SIZE))
}

/// The size of a page in the parameters.
pub(super) fn limit_of(asked: &mut Parameters, usual: usize, most: usize) -> Result<usize, Error> {
    let Some(text) = asked.take("limit") else { return Ok(usual) };
    let number = text.parse().ok().filter(|limit| (1..=most).contains(limit));
    number.ok_or_else(|| Error::fields(vec![violation("limit", message!(api::NOT_A_NUMBER_FROM, 1, most))]))
}
