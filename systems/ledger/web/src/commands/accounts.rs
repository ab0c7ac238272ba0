//! Commands for accounts: opening balances, groups, and the kind that each account holds.

use std::collections::BTreeMap;
use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::{
    Assignments, Balances, Codes, Kind, assign as assign_all, opening as read_opening, replace_accounts_if,
    set_opening,
};
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::show::{self, row};
use crate::api::output::ShownCodes;

/// Arguments of `opening`.
#[derive(Args)]
pub(super) struct Opening {
    /// Set what all savings were
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    savings: Option<i64>,
    /// Set what all investments were
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    investment: Option<i64>,
    /// Set what a short-term account had
    #[arg(long, value_name = "NAME=AMOUNT", value_parser = balance)]
    account: Vec<(String, i64)>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `accounts`.
#[derive(Args)]
pub(super) struct Groups {
    /// Replace the accounts of this group, which is added if it is not there
    #[arg(long, requires = "set")]
    group: Option<String>,
    /// The accounts of the group, in their order
    #[arg(long, value_name = "ACCOUNTS", value_delimiter = ',', requires = "group")]
    set: Option<Vec<String>>,
    /// Remove a group with its accounts; their entries stay
    #[arg(long, value_name = "GROUP", conflicts_with = "group")]
    remove: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

/// Arguments of `assign`.
#[derive(Args)]
pub(super) struct Assign {
    /// The account, or the group with --group
    name: String,
    /// SAVINGS, INVESTMENT or SHORT_SAVINGS; if it is left out, the account holds what its group holds
    kind: Option<Kind>,
    /// Assign a group
    #[arg(long)]
    group: bool,
    #[command(flatten)]
    place: PlaceArguments,
}

/// The balance of an account, written `여행=300000`.
fn balance(text: &str) -> Result<(String, i64), String> {
    let wrong = || format!("`{text}` is not NAME=AMOUNT with whole won");
    let (name, amount) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok((name.to_owned(), amount.parse().map_err(|_| wrong())?))
}

pub(super) async fn opening(ask: Opening, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    let mut balances: Balances = match &place {
        Place::Table(ledger, _) => read_opening(ledger).await?,
        Place::Server(remote) => read(remote.get(&["opening"], &[]).await?)?,
    };
    let before = balances.clone();
    balances.cash_accumulated = ask.savings.unwrap_or(balances.cash_accumulated);
    balances.investment_accumulated = ask.investment.unwrap_or(balances.investment_accumulated);
    balances.short_savings_balances.extend(ask.account);
    balances.short_savings_balances.retain(|_, balance| *balance != 0);
    if balances != before {
        match &place {
            Place::Table(ledger, by) => set_opening(ledger, by, &balances).await?,
            Place::Server(remote) => {
                drop(remote.send(Method::PUT, &["opening"], &json_of(&balances)?).await?);
            }
        }
    }
    let shown = json_of(&balances)?;
    if ask.place.json {
        return show::json(out, &shown);
    }
    row(out, &shown["cashAccumulated"], "savings")?;
    row(out, &shown["investmentAccumulated"], "investments")?;
    let accounts = shown["shortSavingsBalances"].as_object().into_iter().flatten();
    accounts.into_iter().try_for_each(|(account, balance)| row(out, balance, account))
}

pub(super) async fn accounts(ask: Groups, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    if ask.group.is_some() || ask.remove.is_some() {
        let was = codes(&place).await?.1.accounts;
        let mut accounts = was.clone();
        if let Some((group, all)) = ask.group.zip(ask.set) {
            accounts.insert(group, all.into_iter().filter(|account| !account.is_empty()).collect());
        }
        if let Some(group) = ask.remove
            && accounts.remove(&group).is_none()
        {
            return Err(Failure::usage(format!("there is no group `{group}`")));
        }
        match &place {
            Place::Table(ledger, by) => drop(replace_accounts_if(ledger, by, &was, accounts).await?),
            Place::Server(remote) => {
                let body = json!({ "accounts": accounts, "was": was });
                drop(remote.send(Method::PUT, &["accounts"], &body).await?);
            }
        }
    }
    show_accounts(&place, ask.place.json, out).await
}

pub(super) async fn assign(ask: &Assign, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    let known = codes(&place).await?.1;
    let mut wanted = Assignments { accounts: known.account_kinds, groups: known.group_kinds };
    let kinds = if ask.group { &mut wanted.groups } else { &mut wanted.accounts };
    match ask.kind {
        Some(kind) => drop(kinds.insert(ask.name.clone(), kind)),
        None => drop(kinds.remove(&ask.name)),
    }
    match &place {
        Place::Table(ledger, by) => assign_all(ledger, by, &wanted).await?,
        Place::Server(remote) => {
            let body = json!({ "accounts": wanted.accounts, "groups": wanted.groups });
            drop(remote.send(Method::PUT, &["assignments"], &body).await?);
        }
    }
    show_accounts(&place, ask.place.json, out).await
}

/// The codes, as the API has them and as the ledger has them.
async fn codes(place: &Place) -> Result<(Json, Codes), Failure> {
    let shown = match place {
        Place::Table(ledger, _) => json_of(ShownCodes::from(&*ledger.codes().await?))?,
        Place::Server(remote) => remote.get(&["codes"], &[]).await?,
    };
    let codes = Codes {
        lists: BTreeMap::new(),
        accounts: read(shown["accounts"].clone())?,
        account_kinds: read(shown["accountKinds"].clone())?,
        group_kinds: read(shown["groupKinds"].clone())?,
    };
    Ok((shown, codes))
}

/// Every group with the kind of its accounts, and the kinds of accounts that differ.
async fn show_accounts(place: &Place, is_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let (shown, codes) = codes(place).await?;
    if is_json {
        return show::json(out, &shown);
    }
    for (group, accounts) in &codes.accounts {
        let kind = codes.kind_of_group(group).map_or("no kind", Kind::name);
        let account = |account: &String| match codes.account_kinds.get(account) {
            Some(kind) => format!("{account} ({})", kind.name()),
            None => account.clone(),
        };
        let accounts: Vec<String> = accounts.iter().map(account).collect();
        writeln!(out, "{group} ({kind}): {}", accounts.join(", "))?;
    }
    Ok(())
}

/// A value of a response.
fn read<T: serde::de::DeserializeOwned>(json: Json) -> Result<T, Failure> {
    serde_json::from_value(json).map_err(|_| Failure::internal("the response of the server"))
}
