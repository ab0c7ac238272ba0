//! Recurring entries: rules that enter a line each month or year, once, also after downtime.

use futures_util::FutureExt as _;
use hansang_core::db::Operation;
use hansang_core::value::json::{item_from_plain, item_to_plain};
use hansang_core::{Error, ErrorKind, Item, Message, message, name};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::change::{Edit, commit};
use crate::codes::{self, stored, swap};
use crate::figures::check_amount;
use crate::head::update;
use crate::kind::Subject;
use crate::line::{Source, every};
use crate::lines::{NewLine, check_subject, check_text, new_line};
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

    /// Whether the rule enters something in a month.
    pub(crate) fn runs_in(&self, month: Month) -> bool {
        self.from <= month
            && self.until.is_none_or(|until| month <= until)
            && self.yearly.is_none_or(|yearly| i64::from(month.number()) == yearly)
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

/// The result of running the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// The number of lines that were entered.
    pub entered: usize,
    /// The rules that cannot enter their lines. They catch up when the reason is gone.
    pub held: Vec<Held>,
}

/// A rule that is due and cannot enter its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The rule.
    pub rule: Rule,
    /// The reason: its category or account was removed, or holds another kind.
    pub why: Message,
}

/// The effect of one run of a rule.
enum Step {
    Entered,
    NotDue,
    Held(Box<Held>),
}

/// Enters everything that is due. The rule remembers the month in the transaction of the line, so that a month is
/// entered once. A rule whose category or account is gone enters nothing.
///
/// # Errors
/// The first problem, after all other rules were entered. The next run tries again.
pub async fn run_rules(ledger: &Ledger) -> Result<Ran, Error> {
    let (mut ran, mut problem) = (Ran::default(), None);
    for rule in rules(ledger).await? {
        loop {
            match enter_next(ledger, &rule.rule_id).await {
                Ok(Step::Entered) => ran.entered += 1,
                Ok(Step::NotDue) => break,
                Ok(Step::Held(held)) => {
                    ran.held.push(*held);
                    break;
                }
                Err(error) => {
                    problem = problem.or(Some(error));
                    break;
                }
            }
        }
    }
    problem.map_or(Ok(ran), Err)
}

/// The reason why a rule cannot enter its next line, if there is one.
///
/// # Errors
/// When the store fails.
pub async fn held(ledger: &Ledger, rule: &Rule) -> Result<Option<Message>, Error> {
    let Some((month, _)) = rule.next() else { return Ok(None) };
    match check_subject(ledger, month, &rule.subject).await {
        Ok(()) => Ok(None),
        Err(error) if error.kind == ErrorKind::Invalid => Ok(Some(error.message)),
        Err(error) => Err(error),
    }
}

/// Enters the next month of a rule if it is due.
async fn enter_next(ledger: &Ledger, id: &str) -> Result<Step, Error> {
    let plan = || {
        async {
            let stored = stored(ledger, "Rule", key(id)).await?;
            let due = stored.as_ref().and_then(Rule::of).and_then(|rule| {
                let (month, date) = rule.next()?;
                (date <= ledger.today()).then_some((rule, month, date))
            });
            let Some((rule, month, date)) = due else { return Ok((Edit::default(), Step::NotDue)) };
            if let Some(why) = held(ledger, &rule).await? {
                return Ok((Edit::default(), Step::Held(Box::new(Held { rule, why }))));
            }
            let new = NewLine { id: None, subject: rule.subject, date, text: rule.text, amount: rule.amount };
            let mut edit = Edit::new("recurring", &rule.by);
            edit.line(None, Some(&new_line(ledger.new_id(), &rule.by, Source::Recurring, &new)?))?;
            let update = update(key(id), [(name!("doneThrough"), month.to_string().into())]);
            edit.also.push(Operation::Update { entity: name!("Rule"), update, guards: Vec::new() });
            Ok((edit, Step::Entered))
        }
        .boxed()
    };
    commit(ledger, plan).await.map(|(_, step)| step)
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
