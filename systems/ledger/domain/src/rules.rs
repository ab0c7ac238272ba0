//! Recurring entries: rules that enter a line each month or year, once, also after downtime.

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::value::json::{item_from_plain, item_to_plain};
use hansang_core::{Error, Item, message, name};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::change::{Edit, commit};
use crate::codes::{self, stored, swap};
use crate::figures::check_amount;
use crate::head::update;
use crate::kind::Subject;
use crate::line::{Source, every};
use crate::lines::{NewLine, check_text, new_line};
use crate::{Ledger, LedgerCode, Month, messages};

/// A recurring entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rule {
    /// The id.
    pub rule_id: String,
    /// The entry.
    #[serde(flatten)]
    pub subject: Subject,
    /// The text of its lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The amount.
    pub amount: i64,
    /// The day of the month; the last one where a month is shorter.
    pub day: i64,
    /// The month of a rule that runs once a year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yearly: Option<i64>,
    /// The first month.
    pub from: Month,
    /// The last month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Month>,
    /// Who made it.
    pub by: String,
    /// The last month that has been entered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done_through: Option<Month>,
}

impl Rule {
    /// The next month that the rule enters, and the date of its line.
    #[must_use]
    pub fn next(&self) -> Option<(Month, Date)> {
        let first = self.done_through.map_or(self.from, |done| done.plus(1).max(self.from));
        let month = match self.yearly {
            Some(yearly) => {
                (0..12).map(|later| first.plus(later)).find(|month| i64::from(month.number()) == yearly)?
            }
            None => first,
        };
        self.until.is_none_or(|until| month <= until).then(|| (month, month.day(self.day)))
    }

    fn of(fields: &Item) -> Option<Self> {
        serde_json::from_value(item_to_plain(fields)).ok()
    }
}

/// All rules.
///
/// # Errors
/// When the store fails.
pub async fn rules(ledger: &Ledger) -> Result<Vec<Rule>, Error> {
    let records = every(&ledger.db, "rules", Item::new()).await?;
    Ok(records.iter().filter_map(|record| Rule::of(&record.fields)).collect())
}

/// Stores a rule, new if its id is empty. What it has entered stays.
///
/// # Errors
/// Invalid input, unknown codes, or a missing rule.
pub async fn set_rule(ledger: &Ledger, by: &str, mut rule: Rule) -> Result<Rule, Error> {
    check(&rule)?;
    codes::check(ledger, &rule.subject).await?;
    let is_new = rule.rule_id.is_empty();
    if is_new {
        rule.rule_id = ledger.new_id();
        rule.by = by.to_owned();
    }
    let plan = || {
        async {
            let before = stored(ledger, "Rule", key(&rule.rule_id)).await?;
            let rule = match before.as_ref().and_then(Rule::of) {
                Some(Rule { by, done_through, .. }) => Rule { by, done_through, ..rule.clone() },
                None if is_new => Rule { done_through: None, ..rule.clone() },
                None => return Err(unknown_rule()),
            };
            let mut edit = Edit::new("rule", by);
            edit.item("Rule", before, Some(fields(&rule)?));
            Ok((edit, rule))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, rule)| rule)
}

/// Checks a rule, but for its codes.
pub(crate) fn check(rule: &Rule) -> Result<(), Error> {
    let is_valid = (1..=31).contains(&rule.day)
        && rule.yearly.is_none_or(|month| (1..=12).contains(&month))
        && rule.until.is_none_or(|until| until >= rule.from);
    if !is_valid {
        return Err(Error::invalid(LedgerCode::RuleInvalid, message!(messages::RULE_INVALID)));
    }
    check_amount(rule.amount)?;
    check_text(&rule.text)?;
    Subject::new(rule.subject.kind, &rule.subject.name, Some(&rule.subject.detail)).map(drop)
}

/// Deletes a rule. Its lines stay.
///
/// # Errors
/// A missing rule.
pub async fn delete_rule(ledger: &Ledger, by: &str, id: &str) -> Result<(), Error> {
    if stored(ledger, "Rule", key(id)).await?.is_none() {
        return Err(unknown_rule());
    }
    swap(ledger, "rule.delete", by, "Rule", key(id), None).await
}

/// Enters everything that is due. The rule remembers the month in the transaction of the line, so that a month is
/// entered once. Returns the number of lines.
///
/// # Errors
/// The first problem, after all other rules were entered. The next run tries again.
pub async fn run_rules(ledger: &Ledger) -> Result<usize, Error> {
    let (mut entered, mut problem) = (0, None);
    for rule in rules(ledger).await? {
        loop {
            match enter_next(ledger, &rule.rule_id).await {
                Ok(true) => entered += 1,
                Ok(false) => break,
                Err(error) => {
                    problem = problem.or(Some(error));
                    break;
                }
            }
        }
    }
    problem.map_or(Ok(entered), Err)
}

/// Enters the next month of a rule if it is due.
async fn enter_next(ledger: &Ledger, id: &str) -> Result<bool, Error> {
    let plan = || {
        async {
            let stored = stored(ledger, "Rule", key(id)).await?;
            let due = stored.as_ref().and_then(Rule::of).and_then(|rule| {
                let (month, date) = rule.next()?;
                (date <= ledger.today()).then_some((rule, month, date))
            });
            let Some((rule, month, date)) = due else { return Ok((Edit::default(), false)) };
            let new = NewLine { id: None, subject: rule.subject, date, text: rule.text, amount: rule.amount };
            let mut edit = Edit::new("recurring", &rule.by);
            edit.line(None, Some(&new_line(ledger.new_id(), &rule.by, Source::Recurring, &new)?))?;
            let update = update(key(id), [(name!("doneThrough"), month.to_string().into())]);
            edit.also.push(Operation::Update { entity: name!("Rule"), update, guards: Vec::new() });
            Ok((edit, true))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, entered)| entered)
}

/// The key of a rule.
pub(crate) fn key(id: &str) -> Item {
    // A key cannot be empty.
    Item::from([(name!("ruleId"), if id.is_empty() { "-" } else { id }.into())])
}

fn fields(rule: &Rule) -> Result<Item, Error> {
    let invalid = || Error::invalid(LedgerCode::RuleInvalid, message!(messages::RULE_INVALID));
    item_from_plain(&serde_json::to_value(rule).map_err(|_| invalid())?).map_err(|_| invalid())
}

/// The error for a rule that does not exist.
#[must_use]
pub fn unknown_rule() -> Error {
    Error::not_found(LedgerCode::RuleUnknown, message!(messages::RULE_UNKNOWN))
}
