//! Restoring an export into an empty ledger.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::FutureExt as _;
use hansang_core::kind::text::is_ulid;
use hansang_core::value::json::item_from_plain;
use hansang_core::{Error, Item, message};

use super::{Export, VERSION, export};
use crate::accounts::{self, Assignments};
use crate::change::{Edit, commit};
use crate::codes::{CodeType, replace_codes, stored};
use crate::figures::check_amount;
use crate::import::seen_writes;
use crate::kind::{Subject, check_name};
use crate::line::{Line, Source};
use crate::lines::{check_text, fitting};
use crate::{Ledger, LedgerCode, Month, budgets, goals, messages, people, rules, set_opening};

/// The number of rules, budgets and goals that one transaction restores.
const MAX_PLANS: usize = 90;

/// Restores a ledger from an export. Running it again after a failure adds what is missing. Rows of bank files that the
/// lines come from are known afterwards, so that importing them again adds nothing.
///
/// # Errors
/// A ledger that has other lines, or an export with something invalid in it: nothing is written then.
pub async fn restore(ledger: &Ledger, by: &str, from: &Export) -> Result<usize, Error> {
    let lines = check(from)?;
    let there = export(ledger).await?;
    let known: BTreeMap<&str, &Line> = lines.iter().map(|line| (&*line.line_id, line)).collect();
    let content = |line: &Line| (line.subject.clone(), line.date.clone(), line.text.clone(), line.amount);
    let is_known =
        |line: &Line| known.get(&*line.line_id).is_some_and(|known| content(known) == content(line));
    if !there.lines.iter().all(is_known) {
        return Err(Error::conflict(LedgerCode::NotEmpty, message!(messages::NOT_EMPTY)));
    }
    for (list, codes) in &from.codes {
        replace_codes(ledger, by, list.parse::<CodeType>()?, codes.clone()).await?;
    }
    let kinds = Assignments { accounts: from.account_kinds.clone(), groups: from.group_kinds.clone() };
    accounts::change(ledger, by, "accounts", |_, _| Ok((from.accounts.clone(), kinds.clone()))).await?;
    set_opening(ledger, by, &from.opening).await?;
    let stored: BTreeSet<&str> = there.lines.iter().map(|line| &*line.line_id).collect();
    let missing: Vec<Line> = lines.iter().filter(|line| !stored.contains(&*line.line_id)).cloned().collect();
    restore_lines(ledger, by, &missing).await?;
    // The last step: what a rule enters from now on is not in the export.
    restore_plans(ledger, by, plans(from)?).await?;
    Ok(missing.len())
}

/// Checks everything that is not checked when it is written. Returns the lines as they will be stored.
fn check(from: &Export) -> Result<Vec<Line>, Error> {
    if from.version > VERSION {
        let message = message!(messages::EXPORT_VERSION, from.version, VERSION);
        return Err(Error::invalid(LedgerCode::ExportVersion, message));
    }
    for (list, codes) in &from.codes {
        crate::codes::check_codes(list.parse::<CodeType>()?, codes)?;
    }
    accounts::check(&from.accounts)?;
    let kinds = from.account_kinds.values().chain(from.group_kinds.values());
    kinds.copied().try_for_each(accounts::check_kind)?;
    crate::entries::check_opening(&from.opening)?;
    for name in from.sign_ins.values() {
        check_name("name", name)?;
    }
    for rule in &from.rules {
        rules::check(rule)?;
    }
    for budget in &from.budgets {
        budgets::check(budget)?;
        check_name("category", &budget.category)?;
    }
    for goal in &from.goals {
        goals::check(goal)?;
    }
    from.lines.iter().map(checked).collect()
}

fn checked(line: &Line) -> Result<Line, Error> {
    let subject = Subject::new(line.subject.kind, &line.subject.name, Some(&line.subject.detail))?;
    check_amount(line.amount)?;
    check_text(&line.text)?;
    let is_hash = |row: &String| row.len() == 32 && row.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !line.row.as_ref().is_none_or(is_hash) || !is_ulid(&line.line_id) {
        return Err(Error::invalid(LedgerCode::FileInvalid, message!(messages::FILE_DAMAGED)));
    }
    let month = Month::of(crate::date(&line.date)?).to_string().parse()?;
    Ok(Line { subject, month, source: Source::Restore, import_id: None, seq: 0, ..line.clone() })
}

async fn restore_lines(ledger: &Ledger, by: &str, missing: &[Line]) -> Result<(), Error> {
    let mut rest = missing;
    while !rest.is_empty() {
        let (now, later) = rest.split_at(fitting(rest));
        let plan = || {
            async {
                let mut edit = Edit::new("restore", by);
                now.iter().try_for_each(|line| edit.line(None, Some(line)))?;
                edit.also = seen_writes(ledger, now).await?;
                Ok((edit, ()))
            }
            .boxed()
        };
        commit(ledger, plan).await?;
        rest = later;
    }
    Ok(())
}

/// A rule, budget, goal or the names of sign-ins: its entity, key and fields.
type Plan = (&'static str, Item, Item);

fn plans(from: &Export) -> Result<Vec<Plan>, Error> {
    let damaged = || Error::invalid(LedgerCode::FileInvalid, message!(messages::FILE_DAMAGED));
    let plain = |json: Result<serde_json::Value, serde_json::Error>| {
        item_from_plain(&json.map_err(|_| damaged())?).map_err(|_| damaged())
    };
    let mut plans = Vec::new();
    if !from.sign_ins.is_empty() {
        plans.push(("SignIns", Item::new(), people::fields(&from.sign_ins)));
    }
    for rule in &from.rules {
        plans.push(("Rule", rules::key(&rule.rule_id), plain(serde_json::to_value(rule))?));
    }
    for budget in &from.budgets {
        plans.push(("Budget", budgets::key(budget), plain(serde_json::to_value(budget))?));
    }
    for goal in &from.goals {
        plans.push(("Goal", goals::key(&goal.account_name), plain(serde_json::to_value(goal))?));
    }
    Ok(plans)
}

/// Creates the plans that are not there: a rule that is there may have entered more months since.
async fn restore_plans(ledger: &Ledger, by: &str, plans: Vec<Plan>) -> Result<(), Error> {
    for some in plans.chunks(MAX_PLANS) {
        let plan = || {
            async {
                let mut edit = Edit::new("restore", by);
                for (entity, key, fields) in some {
                    if stored(ledger, entity, key.clone()).await?.is_none() {
                        edit.item(entity, None, Some(fields.clone()));
                    }
                }
                Ok((edit, ()))
            }
            .boxed()
        };
        commit(ledger, plan).await?;
    }
    Ok(())
}
