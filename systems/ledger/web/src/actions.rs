//! Every change of the ledger, through the API and on pages. The input of each comes with the person who makes it.

use std::collections::BTreeMap;

use hansang_core::Error;
use hansang_ledger::import::{
    Choice, ImportView, Mapping, NewImport, Table, forget_merchant, forget_source, start, undo_import,
};
use hansang_ledger::{
    Accounts, Assignments, Balances, Budget, CodeType, Copied, Export, Goal, Kind, Ledger, Line, LineChange,
    ListChange, ListName, Month, NewEntry, NewLine, Recalculated, Rule, Subject, add, add_group, add_line,
    assign, assign_accounts, change_line, change_list, copy_month, create, delete, delete_goal,
    delete_line_if, delete_rule, name_sign_in, recalculate, relocate, remove_group, replace,
    replace_accounts, replace_accounts_if, replace_codes, replace_if, restore, set_budget, set_goal,
    set_opening, set_rule, undo,
};
use hansang_server::{Action, Caller, Calls};
use sha2::{Digest as _, Sha256};

use crate::messages;

/// The maximum number of characters of a person's id, as the model has it.
const MAX_BY: usize = 64;

/// A change of the ledger by a person.
pub(crate) type Change<I, O> = Action<Ledger, (String, I), O>;

/// A change of an entry, whose amount it returns.
pub(crate) type EntryChange = Change<NewEntry, i64>;

/// Makes a change for a caller, audited.
pub(crate) async fn act<I, O>(
    action: &Change<I, O>,
    calls: &Calls,
    ledger: &Ledger,
    caller: &Caller,
    input: I,
) -> Result<O, Error> {
    action.call(calls, ledger, caller, (by(caller)?, input)).await
}

/// The id of the caller, by which lines and changes name a person. A long one, which only another provider has, is
/// replaced by its hash.
pub(crate) fn by(caller: &Caller) -> Result<String, Error> {
    let id = &caller.signed_in()?.id;
    if id.chars().count() <= MAX_BY {
        return Ok(id.clone());
    }
    Ok(Sha256::digest(id.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) const ADD_LINE: Change<NewLine, Line> = Action {
    name: "line.add",
    summary: &messages::ADD_LINE,
    subject: |(_, new)| new.subject.to_string(),
    run: |ledger, (by, new)| Box::pin(async move { add_line(ledger, &by, new).await }),
};

pub(crate) const CHANGE_LINE: Change<(Month, String, LineChange), Line> = Action {
    name: "line.change",
    summary: &messages::CHANGE_LINE,
    subject: |(_, (_, id, _))| id.clone(),
    run: |ledger, (by, (month, id, change))| {
        Box::pin(async move { change_line(ledger, &by, month, &id, change).await })
    },
};

/// Deletes a line, if its last change is the expected one. Returns the number of the change.
pub(crate) const DELETE_LINE: Change<(Month, String, Option<i64>), i64> = Action {
    name: "line.delete",
    summary: &messages::DELETE_LINE,
    subject: |(_, (_, id, _))| id.clone(),
    run: |ledger, (by, (month, id, seq))| {
        Box::pin(async move { delete_line_if(ledger, &by, month, &id, seq).await })
    },
};

pub(crate) const CREATE_ENTRY: EntryChange = Action {
    name: "entry.create",
    summary: &messages::CREATE_ENTRY,
    subject: entry,
    run: |ledger, (by, new)| Box::pin(async move { create(ledger, &by, &new).await }),
};

/// Gives an entry an amount, if it still has the one that the caller names.
pub(crate) const REPLACE_ENTRY: Change<(NewEntry, Option<i64>), i64> = Action {
    name: "entry.replace",
    summary: &messages::REPLACE_ENTRY,
    subject: |(_, (new, _))| format!("{} {}", new.month, new.subject),
    run: |ledger, (by, (new, was))| {
        Box::pin(async move {
            match was {
                Some(was) => replace_if(ledger, &by, &new, Some(was)).await,
                None => replace(ledger, &by, &new).await,
            }
        })
    },
};

/// Gives an entry an amount, if it still has the one that a person saw.
pub(crate) const REPLACE_ENTRY_IF: Change<(NewEntry, Option<i64>), i64> = Action {
    name: "entry.replace",
    summary: &messages::REPLACE_ENTRY,
    subject: |(_, (new, _))| format!("{} {}", new.month, new.subject),
    run: |ledger, (by, (new, was))| Box::pin(async move { replace_if(ledger, &by, &new, was).await }),
};

pub(crate) const ADD_TO_ENTRY: EntryChange = Action {
    name: "entry.add",
    summary: &messages::ADD_TO_ENTRY,
    subject: entry,
    run: |ledger, (by, new)| Box::pin(async move { add(ledger, &by, &new).await }),
};

/// Deletes an entry. Returns the numbers of the changes.
pub(crate) const DELETE_ENTRY: Change<(Month, Subject), Vec<i64>> = Action {
    name: "entry.delete",
    summary: &messages::DELETE_ENTRY,
    subject: |(_, (month, subject))| format!("{month} {subject}"),
    run: |ledger, (by, (month, subject))| Box::pin(async move { delete(ledger, &by, month, &subject).await }),
};

/// Moves an entry to another month.
pub(crate) const MOVE_ENTRY: Change<(Month, Subject, Month), ()> = Action {
    name: "entry.move",
    summary: &messages::MOVE_ENTRY,
    subject: |(_, (month, subject, to))| format!("{month} {subject} → {to}"),
    run: |ledger, (by, (month, subject, to))| {
        Box::pin(async move { relocate(ledger, &by, month, &subject, to).await })
    },
};

pub(crate) const COPY_MONTH: Change<Month, Copied> = Action {
    name: "month.copy",
    summary: &messages::COPY_MONTH,
    subject: |(_, month)| month.to_string(),
    run: |ledger, (by, month)| Box::pin(async move { copy_month(ledger, &by, month).await }),
};

pub(crate) const SET_OPENING: Change<Balances, ()> = Action {
    name: "opening.set",
    summary: &messages::SET_OPENING,
    subject: |_| String::new(),
    run: |ledger, (by, balances)| Box::pin(async move { set_opening(ledger, &by, &balances).await }),
};

/// A list of codes, its new codes, and those that the caller read.
type NewCodes = (CodeType, Vec<String>, Option<Vec<String>>);

/// Replaces a list of codes, if it still is the one that the caller names.
pub(crate) const REPLACE_CODES: Change<NewCodes, Vec<String>> = Action {
    name: "codes.replace",
    summary: &messages::REPLACE_CODES,
    subject: |(_, (list, ..))| list.name().to_owned(),
    run: |ledger, (by, (list, now, was))| {
        Box::pin(async move {
            match was {
                Some(was) => {
                    let change = ListChange::Replace { was, now };
                    change_list(ledger, &by, &ListName::Codes(list), &change).await
                }
                None => replace_codes(ledger, &by, list, now).await,
            }
        })
    },
};

/// Replaces all accounts, if they still are those that the caller names.
pub(crate) const REPLACE_ACCOUNTS: Change<(Accounts, Option<Accounts>), Accounts> = Action {
    name: "accounts.replace",
    summary: &messages::REPLACE_ACCOUNTS,
    subject: |(_, (accounts, _))| accounts.keys().cloned().collect::<Vec<_>>().join(" "),
    run: |ledger, (by, (accounts, was))| {
        Box::pin(async move {
            match was {
                Some(was) => replace_accounts_if(ledger, &by, &was, accounts).await,
                None => replace_accounts(ledger, &by, accounts).await,
            }
        })
    },
};

pub(crate) const ASSIGN: Change<Assignments, ()> = Action {
    name: "accounts.assign",
    summary: &messages::ASSIGN,
    subject: |(_, wanted)| {
        wanted.accounts.keys().chain(wanted.groups.keys()).cloned().collect::<Vec<_>>().join(" ")
    },
    run: |ledger, (by, wanted)| Box::pin(async move { assign(ledger, &by, &wanted).await }),
};

/// Assigns some accounts, which a person changed on a page.
pub(crate) const ASSIGN_ACCOUNTS: Change<BTreeMap<String, Option<Kind>>, ()> = Action {
    name: "accounts.assign",
    summary: &messages::ASSIGN,
    subject: |(_, wanted)| wanted.keys().cloned().collect::<Vec<_>>().join(" "),
    run: |ledger, (by, wanted)| Box::pin(async move { assign_accounts(ledger, &by, &wanted).await }),
};

pub(crate) const ADD_GROUP: Change<(String, Kind), ()> = Action {
    name: "accounts.replace",
    summary: &messages::REPLACE_ACCOUNTS,
    subject: |(_, (group, _))| group.clone(),
    run: |ledger, (by, (group, kind))| Box::pin(async move { add_group(ledger, &by, &group, kind).await }),
};

pub(crate) const REMOVE_GROUP: Change<String, ()> = Action {
    name: "accounts.replace",
    summary: &messages::REPLACE_ACCOUNTS,
    subject: |(_, group)| group.clone(),
    run: |ledger, (by, group)| Box::pin(async move { remove_group(ledger, &by, &group).await }),
};

/// Changes one list on a page, such as moving a code up.
pub(crate) const CHANGE_LIST: Change<(ListName, ListChange), Vec<String>> = Action {
    name: "codes.replace",
    summary: &messages::REPLACE_CODES,
    subject: |(_, (list, _))| match list {
        ListName::Codes(list) => list.name().to_owned(),
        ListName::Group(group) => group.clone(),
    },
    run: |ledger, (by, (list, change))| {
        Box::pin(async move { change_list(ledger, &by, &list, &change).await })
    },
};

/// Assigns a sign-in to a person, or to none.
pub(crate) const NAME_SIGN_IN: Change<(String, Option<String>), ()> = Action {
    name: "signIn.name",
    summary: &messages::NAME_SIGN_IN,
    subject: |(_, (id, _))| id.clone(),
    run: |ledger, (by, (id, person))| {
        Box::pin(async move { name_sign_in(ledger, &by, &id, person.as_deref()).await })
    },
};

pub(crate) const SET_RULE: Change<Rule, Rule> = Action {
    name: "rule.set",
    summary: &messages::SET_RULE,
    subject: |(_, rule)| rule.subject.to_string(),
    run: |ledger, (by, rule)| Box::pin(async move { set_rule(ledger, &by, rule).await }),
};

pub(crate) const DELETE_RULE: Change<String, ()> = Action {
    name: "rule.delete",
    summary: &messages::DELETE_RULE,
    subject: |(_, id)| id.clone(),
    run: |ledger, (by, id)| Box::pin(async move { delete_rule(ledger, &by, &id).await }),
};

pub(crate) const SET_BUDGET: Change<Budget, ()> = Action {
    name: "budget.set",
    summary: &messages::SET_BUDGET,
    subject: |(_, budget)| format!("{} {}", budget.month, budget.category),
    run: |ledger, (by, budget)| Box::pin(async move { set_budget(ledger, &by, &budget).await }),
};

pub(crate) const SET_GOAL: Change<Goal, ()> = Action {
    name: "goal.set",
    summary: &messages::SET_GOAL,
    subject: |(_, goal)| goal.account_name.clone(),
    run: |ledger, (by, goal)| Box::pin(async move { set_goal(ledger, &by, &goal).await }),
};

pub(crate) const DELETE_GOAL: Change<String, ()> = Action {
    name: "goal.delete",
    summary: &messages::DELETE_GOAL,
    subject: |(_, account)| account.clone(),
    run: |ledger, (by, account)| Box::pin(async move { delete_goal(ledger, &by, &account).await }),
};

/// Undoes a change. Returns the number of the change that does it.
pub(crate) const UNDO: Change<i64, i64> = Action {
    name: "change.undo",
    summary: &messages::UNDO,
    subject: |(_, seq)| seq.to_string(),
    run: |ledger, (by, seq)| Box::pin(async move { undo(ledger, &by, seq).await }),
};

/// A file to be imported, with the decisions of a person.
pub(crate) struct ImportFile {
    pub(crate) file: String,
    pub(crate) profile: String,
    pub(crate) table: Table,
    pub(crate) mapping: Mapping,
    pub(crate) choices: BTreeMap<usize, Choice>,
}

impl ImportFile {
    /// The file as the domain takes it.
    pub(crate) fn new_import(&self) -> NewImport<'_> {
        NewImport {
            file: &self.file,
            profile: &self.profile,
            table: &self.table,
            mapping: &self.mapping,
            choices: &self.choices,
        }
    }
}

pub(crate) const IMPORT: Change<ImportFile, ImportView> = Action {
    name: "import.apply",
    summary: &messages::IMPORT,
    subject: |(_, file)| file.file.clone(),
    run: |ledger, (by, file)| Box::pin(async move { start(ledger, &by, file.new_import()).await }),
};

pub(crate) const UNDO_IMPORT: Change<String, ImportView> = Action {
    name: "import.undo",
    summary: &messages::UNDO_IMPORT,
    subject: |(_, id)| id.clone(),
    run: |ledger, (by, id)| Box::pin(async move { undo_import(ledger, &by, &id).await }),
};

/// Deletes the remembered columns of a source.
pub(crate) const FORGET_SOURCE: Change<String, ()> = Action {
    name: "source.forget",
    summary: &messages::FORGET_SOURCE,
    subject: |(_, source)| source.clone(),
    run: |ledger, (_, source)| Box::pin(async move { forget_source(ledger, &source).await }),
};

/// Deletes the remembered entry of a merchant.
pub(crate) const FORGET_MERCHANT: Change<String, ()> = Action {
    name: "merchant.forget",
    summary: &messages::FORGET_MERCHANT,
    subject: |(_, merchant)| merchant.clone(),
    run: |ledger, (_, merchant)| Box::pin(async move { forget_merchant(ledger, &merchant).await }),
};

/// Restores an exported ledger. Returns the number of lines.
pub(crate) const RESTORE: Change<Export, usize> = Action {
    name: "restore",
    summary: &messages::RESTORE,
    subject: |(_, export)| format!("{} lines", export.lines.len()),
    run: |ledger, (by, export)| Box::pin(async move { restore(ledger, &by, &export).await }),
};

/// Recalculates every month from one on, or checks only.
pub(crate) const RECALCULATE: Change<(Option<Month>, bool), Recalculated> = Action {
    name: "recalculate",
    summary: &messages::RECALCULATE,
    subject: |(_, (from, _))| from.map(|from| from.to_string()).unwrap_or_default(),
    run: |ledger, (by, (from, check))| Box::pin(async move { recalculate(ledger, &by, from, check).await }),
};

fn entry((_, new): &(String, NewEntry)) -> String {
    format!("{} {}", new.month, new.subject)
}
