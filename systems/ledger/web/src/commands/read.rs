//! Commands that read.

use std::io::Write;

use hansang_command::{Context, Failure};
use hansang_ledger::{
    Month, Search, Wanted, lines_of_month, month as read_month, past_change, period as read_period,
    replace_codes, search, trail, year,
};
use jiff::civil::Date;
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::arguments::{Codes, History, Lines, OfMonth, Period, Report};
use super::open;
use super::place::{Place, json as json_of};
use super::show::{self, all, entry, text, won};
use crate::api::output::{
    Items, ShownChange, ShownCodes, ShownLine, ShownList, ShownMonth, ShownPage, ShownYearRow,
};

/// The maximum number of lines of a search.
const MAX_FOUND: usize = 1000;

pub(super) async fn month(
    ask: &OfMonth,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let month = ask.month.unwrap_or_else(|| Month::of(today));
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => json_of(ShownMonth::from(read_month(&ledger, month).await?))?,
        Place::Server(remote) => remote.get(&["months", &month.to_string()], &[]).await?,
    };
    if ask.place.json { show::json(out, &shown) } else { show::month(out, &shown) }
}

pub(super) async fn lines(
    ask: &Lines,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let from = ask.month.unwrap_or_else(|| Month::of(today));
    let to = ask.to.unwrap_or(from);
    let is_search = ask.to.is_some() || [&ask.search, &ask.entered_by].iter().any(|text| text.is_some());
    let place = open(&ask.place, context).await?;
    let shown = match (&place, is_search || ask.kind.is_some()) {
        (Place::Table(ledger, _), false) => {
            json_of(Items::<ShownLine>::of(lines_of_month(ledger, from).await?))?
        }
        (Place::Table(ledger, _), true) => {
            let text = ask.search.clone().unwrap_or_default();
            let wanted = Search { text, kind: ask.kind, by: ask.entered_by.clone() };
            json_of(Items::<ShownLine>::of(search(ledger, from, to, &wanted, MAX_FOUND).await?))?
        }
        (Place::Server(remote), false) => {
            let month = from.to_string();
            json!({ "items": remote.pages(&["months", &month, "lines"], "items").await?.1 })
        }
        (Place::Server(remote), true) => {
            let (from, to) = (from.to_string(), to.to_string());
            let mut query = vec![("from", &*from), ("to", &*to), ("limit", "1000")];
            query.extend(ask.search.as_deref().map(|words| ("q", words)));
            query.extend(ask.kind.map(|kind| ("kind", kind.name())));
            query.extend(ask.entered_by.as_deref().map(|by| ("by", by)));
            remote.get(&["lines"], &query).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    all(&shown, "items").try_for_each(|line| {
        if ask.ids {
            write!(out, "{} ", text(&line["lineId"]))?;
        }
        show::line(out, line)
    })?;
    if is_search && all(&shown, "items").count() >= MAX_FOUND {
        writeln!(out, "only the newest {MAX_FOUND} lines: search for fewer")?;
    }
    Ok(())
}

pub(super) async fn period(ask: &Period, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => {
            json_of(Items::<ShownMonth>::of(read_period(&ledger, ask.from, ask.to).await?))?
        }
        Place::Server(remote) => {
            let (from, to) = (ask.from.to_string(), ask.to.to_string());
            remote.get(&["period"], &[("from", &from), ("to", &to)]).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    writeln!(out, "month    {:>17} {:>17} {:>17} {:>17}", "income", "expenses", "left", "net worth")?;
    for month in all(&shown, "items") {
        let (totals, balances) = (&month["totals"], &month["balances"]);
        let short = balances["shortSavingsBalances"].as_object().into_iter().flatten();
        let worth = [&balances["cashAccumulated"], &balances["investmentAccumulated"]];
        let worth = worth.into_iter().chain(short.map(|(_, balance)| balance)).filter_map(Json::as_i64);
        let worth = worth.fold(0, i64::saturating_add);
        let [income, spent, left] =
            ["totalIncome", "totalExpense", "netAsset"].map(|name| won(&totals[name]));
        let worth = won(&worth.into());
        writeln!(out, "{:<8} {income:>17} {spent:>17} {left:>17} {worth:>17}", text(&month["month"]))?;
    }
    Ok(())
}

pub(super) async fn report(
    ask: &Report,
    today: Date,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let number = ask.year.unwrap_or_else(|| Month::of(today).year());
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => json_of(Items::<ShownYearRow>::of(year(&ledger, number).await?))?,
        Place::Server(remote) => remote.get(&["years", &number.to_string()], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    writeln!(out, "{:>17} {:>17} {:>17}  {number}", "total", "average", "last year")?;
    for row in all(&shown, "items") {
        let [total, average, last] = ["total", "average", "lastTotal"].map(|name| won(&row[name]));
        writeln!(out, "{total:>17} {average:>17} {last:>17}  {}", entry(row))?;
    }
    Ok(())
}

pub(super) async fn codes(ask: Codes, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    if let (Some(list), Some(codes)) = (ask.list, ask.set) {
        let shown = match place {
            Place::Table(ledger, by) => {
                json_of(ShownList { codes: replace_codes(&ledger, &by, list, codes).await? })?
            }
            Place::Server(remote) => {
                remote.send(Method::PUT, &["codes", list.name()], &json!({ "codes": codes })).await?
            }
        };
        if ask.place.json {
            return show::json(out, &shown);
        }
        return Ok(all(&shown, "codes").try_for_each(|code| writeln!(out, "{}", text(code)))?);
    }
    let shown = match place {
        Place::Table(ledger, _) => json_of(ShownCodes::from(&*ledger.codes().await?))?,
        Place::Server(remote) => remote.get(&["codes"], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    let wanted = |name: &str| ask.list.is_none_or(|list| list.name() == name);
    let list = |codes: &Json| codes.as_array().into_iter().flatten().map(text).collect::<Vec<_>>().join(", ");
    for (name, codes) in shown["lists"].as_object().into_iter().flatten().filter(|(name, _)| wanted(name)) {
        writeln!(out, "{name}: {}", list(codes))?;
    }
    if ask.list.is_none() {
        for (group, accounts) in shown["accounts"].as_object().into_iter().flatten() {
            writeln!(out, "{group}: {}", list(accounts))?;
        }
    }
    Ok(())
}

pub(super) async fn history(ask: &History, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(seq) = ask.change {
        return one_change(ask, seq, context, out).await;
    }
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => {
            let wanted = Wanted {
                line: ask.line.clone(),
                subject: ask.entry.clone(),
                month: ask.month,
                import: ask.import.clone(),
                ..Wanted::default()
            };
            let limit = usize::try_from(ask.limit).unwrap_or_default();
            json_of(ShownPage::<ShownChange>::from(trail(&ledger, &wanted, None, limit, false).await?))?
        }
        Place::Server(remote) => {
            let (limit, month) = (ask.limit.to_string(), ask.month.map(|month| month.to_string()));
            let mut query = vec![("limit", &*limit)];
            query.extend(ask.line.as_deref().map(|line| ("line", line)));
            query.extend(month.as_deref().map(|month| ("month", month)));
            query.extend(ask.import.as_deref().map(|import| ("import", import)));
            if let Some(subject) = &ask.entry {
                query.extend([("kind", subject.kind.name()), ("name", &*subject.name)]);
                query.extend(subject.detail().map(|detail| ("detail", detail)));
            }
            remote.get(&["history"], &query).await?
        }
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    all(&shown, "items").try_for_each(|change| show_change(out, change))
}

/// One change with its lines: `-` before the change, `+` after it.
async fn one_change(ask: &History, seq: u32, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let shown = match open(&ask.place, context).await? {
        Place::Table(ledger, _) => json_of(ShownChange::from(past_change(&ledger, i64::from(seq)).await?))?,
        Place::Server(remote) => remote.get(&["history", &seq.to_string()], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    show_change(out, &shown)?;
    for swap in all(&shown, "lines") {
        for (sign, side) in [("-", &swap["before"]), ("+", &swap["after"])] {
            if side.is_object() {
                write!(out, "{sign} ")?;
                show::line(out, side)?;
            }
        }
    }
    Ok(all(&shown, "others").try_for_each(|entity| writeln!(out, "* {}", text(entity)))?)
}

fn show_change(out: &mut dyn Write, change: &Json) -> Result<(), Failure> {
    let undone = if change["undoneBy"].is_null() { "" } else { " (undone)" };
    let [at, action, by] = ["at", "action", "by"].map(|name| text(&change[name]));
    Ok(writeln!(out, "{:>8}  {at} {action} by {by}{undone}", change["seq"].to_string())?)
}
