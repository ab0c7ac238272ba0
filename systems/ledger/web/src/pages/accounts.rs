//! Accounts: their groups, the kind of entry that each holds, and the balances before the first month.

use std::collections::BTreeMap;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use futures_util::future::try_join;
use hansang_access::Role;
use hansang_core::ErrorKind;
use hansang_core::validate::violation;
use hansang_core::{Error, message};
use hansang_http::problem::Problem;
use hansang_http::route::Route;
use hansang_ledger::{Balances, Codes, Kind, ListName, opening};
use hansang_server::Caller;
use hansang_ui::form::{Field, Form, Input, Problems};
use hansang_ui::frame::{Frame, View, page};
use hansang_ui::notice;

use super::amount::amount;
use super::lists::{List, Refused, change};
use super::words::{kind_name, kind_of, kind_slug};
use super::{Pages, START};
use crate::actions::{ADD_GROUP, ASSIGN_ACCOUNTS, REMOVE_GROUP, SET_OPENING};
use crate::messages;

#[derive(Template)]
#[template(path = "ledger/accounts.html")]
struct AccountsPage {
    frame: Frame,
    groups: Vec<Group>,
    kinds: Vec<(&'static str, &'static str)>,
    opening: Vec<Field>,
    problems: Problems,
    /// The new group as it was typed, and its problem.
    new_group: String,
    new_kind: String,
    group_problem: Option<String>,
}

/// A group of accounts.
struct Group {
    id: String,
    name: String,
    list: List,
    /// The name of the kind of its accounts, and the slug; absent if none was chosen.
    kind: Option<&'static str>,
    /// The slug of the kind that each account is assigned to; empty if it is the group's.
    assigned: BTreeMap<String, &'static str>,
}

/// What a person typed that was refused.
#[derive(Default)]
struct Typed<'f> {
    list: Option<Refused<'f>>,
    group: Option<Refused<'f>>,
    opening: Option<(&'f Form, Problems)>,
}

pub(super) fn route(pages: &Pages) -> Route {
    let (shows, saves) = (pages.clone(), pages.clone());
    let handler = on(MethodFilter::GET, async move |view: View| {
        show(&shows, view, StatusCode::OK, Typed::default()).await
    })
    .on(MethodFilter::POST, async move |caller: Caller, view: View, sent: Form| {
        save(&saves, &caller, view, &sent).await
    });
    Route::page(&format!("{START}/accounts"), pages.needs(Role::Viewer), handler)
}

async fn show(pages: &Pages, view: View, status: StatusCode, typed: Typed<'_>) -> Result<Response, Problem> {
    let read = Box::pin(try_join(pages.ledger.codes(), opening(&pages.ledger)));
    let (codes, opening) = pages.calls.measured("accounts", read).await?;
    let title = view.say("Accounts", "계좌").to_owned();
    let frame = pages.frame(view, &title);
    let view = &frame.view;
    let list = typed.list.as_ref();
    let groups = codes.accounts.keys().enumerate();
    let groups = groups.map(|(number, name)| Group::of(view, &codes, number, name, list)).collect();
    let (empty, none) = (Form::default(), Problems::default());
    let (sent, problems) = typed.opening.as_ref().map_or((&empty, &none), |(sent, all)| (*sent, all));
    let fields = opening_fields(view, &codes, &opening);
    let draft = Some(&view.draft).filter(|draft| draft.text("do") == "add-group");
    let sent_group = typed.group.as_ref().map(|one| one.sent).or(draft);
    let group = |name: &str| sent_group.map(|sent| sent.text(name).to_owned());
    let shown = AccountsPage {
        groups,
        kinds: Kind::OF_ACCOUNTS.map(|kind| (kind_slug(kind), kind_name(view, kind))).into(),
        opening: fields.into_iter().map(|field| field.sent(sent, problems)).collect(),
        problems: problems.clone(),
        new_group: group("group").unwrap_or_default(),
        new_kind: group("kind").unwrap_or_default(),
        group_problem: typed.group.as_ref().map(|one| one.problem.clone()),
        frame,
    };
    Ok(page(status, &shown))
}

impl Group {
    fn of(view: &View, codes: &Codes, number: usize, name: &str, refused: Option<&Refused<'_>>) -> Self {
        let accounts = codes.accounts.get(name).map(Vec::as_slice).unwrap_or_default();
        let draft = &view.draft;
        let assigned = |account: &String| {
            let kind = codes.account_kinds.get(account).copied();
            let kind = if draft.get("code") == Some(account) { kind_of(draft.text("kind")) } else { kind };
            (account.clone(), kind.map(kind_slug).unwrap_or_default())
        };
        Self {
            id: format!("g{number}"),
            list: List::new(name.to_owned(), name.to_owned(), accounts, refused, draft),
            kind: codes.kind_of_group(name).map(|kind| kind_name(view, kind)),
            assigned: accounts.iter().map(assigned).collect(),
            name: name.to_owned(),
        }
    }

    /// The slug of the kind that an account is assigned to.
    fn assigned(&self, account: &str) -> &str {
        self.assigned.get(account).copied().unwrap_or_default()
    }
}

/// The name of the field with the opening balance of a short-term account.
fn short_field(account: &str) -> String {
    format!("short:{account}")
}

/// The accounts with an opening balance of their own: those of the codes, then others that have one.
fn short_accounts(codes: &Codes, opening: &Balances) -> Vec<String> {
    let mut names: Vec<String> = codes.accounts_of(Kind::ShortSavings).map(str::to_owned).collect();
    let others = opening.short_savings_balances.keys().filter(|name| !names.contains(name));
    let others: Vec<String> = others.cloned().collect();
    names.extend(others);
    names
}

fn opening_fields(view: &View, codes: &Codes, opening: &Balances) -> Vec<Field> {
    let field = |name: &str, label: &str, balance: i64| Field {
        value: hansang_ui::number::grouped(&balance.to_string()),
        required: false,
        locked: view.role_in("ledger") < Some(Role::Editor),
        input: Input::Money { unit: view.say("won", "원").to_owned() },
        ..Field::text(name, label)
    };
    let mut fields = vec![
        field("cash", view.say("All savings", "저축 전체"), opening.cash_accumulated),
        field("investment", view.say("All investments", "투자 전체"), opening.investment_accumulated),
    ];
    for account in short_accounts(codes, opening) {
        let balance = opening.short_savings_balances.get(&account).copied().unwrap_or_default();
        fields.push(field(&short_field(&account), &account, balance));
    }
    fields
}

async fn save(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    pages.check_editor(&view)?;
    match sent.text("do") {
        "opening" => save_opening(pages, caller, view, sent).await,
        "assign" => {
            let kind = kind_of(sent.text("kind"));
            let wanted = BTreeMap::from([(sent.text("code").to_owned(), kind)]);
            pages.act(&ASSIGN_ACCOUNTS, caller, wanted).await?;
            Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/accounts"))).into_response())
        }
        "add-group" => {
            let kind = kind_of(sent.text("kind")).unwrap_or(Kind::Savings);
            let added = pages.act(&ADD_GROUP, caller, (sent.text("group").trim().to_owned(), kind)).await;
            answer_group(pages, view, sent, added).await
        }
        "remove-group" => {
            let removed = pages.act(&REMOVE_GROUP, caller, sent.text("group").to_owned()).await;
            answer_group(pages, view, sent, removed).await
        }
        _ => {
            let group = sent.text("list").to_owned();
            match change(pages, caller, &view, ListName::Group(group), sent).await? {
                None => Ok(Redirect::to(&format!("{START}/accounts")).into_response()),
                Some(problem) => {
                    let typed = Typed { list: Some(Refused { sent, problem }), ..Typed::default() };
                    show(pages, view, StatusCode::UNPROCESSABLE_ENTITY, typed).await
                }
            }
        }
    }
}

async fn answer_group(
    pages: &Pages,
    view: View,
    sent: &Form,
    done: Result<(), Error>,
) -> Result<Response, Problem> {
    match done {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/accounts"))).into_response()),
        Err(error) if error.kind == ErrorKind::Invalid => {
            let problem = view.sentence(&error.message);
            let typed = Typed { group: Some(Refused { sent, problem }), ..Typed::default() };
            show(pages, view, StatusCode::UNPROCESSABLE_ENTITY, typed).await
        }
        Err(error) => Err(error.into()),
    }
}

async fn save_opening(pages: &Pages, caller: &Caller, view: View, sent: &Form) -> Result<Response, Problem> {
    let (codes, now) = try_join(pages.ledger.codes(), opening(&pages.ledger)).await?;
    let shorts = short_accounts(&codes, &now);
    let saved = match typed_opening(sent, &shorts, now) {
        Ok(balances) => pages.act(&SET_OPENING, caller, balances).await,
        Err(error) => Err(error),
    };
    match saved {
        Ok(()) => Ok(Redirect::to(&notice::SAVED.at(&format!("{START}/accounts"))).into_response()),
        Err(error) => {
            let problem = Problem::from(error);
            let names: Vec<String> = shorts.iter().map(|account| short_field(account)).collect();
            let shown: Vec<&str> =
                ["cash", "investment"].into_iter().chain(names.iter().map(|name| &**name)).collect();
            let problems = Problems::of_error(&problem, &shown, view.language);
            let typed = Typed { opening: Some((sent, problems)), ..Typed::default() };
            show(pages, view, problem.status, typed).await
        }
    }
}

/// The balances in a form, or all its problems. A field that is not sent stays as it is, and an empty one is 0.
fn typed_opening(sent: &Form, shorts: &[String], mut balances: Balances) -> Result<Balances, Error> {
    let mut wrong = Vec::new();
    let mut take = |name: &str, balance: &mut i64| match sent.get(name).map(str::trim) {
        None => {}
        Some("") => *balance = 0,
        Some(text) => match amount(text) {
            Some(amount) => *balance = amount,
            None => wrong.push(violation(name, message!(messages::AMOUNT))),
        },
    };
    take("cash", &mut balances.cash_accumulated);
    take("investment", &mut balances.investment_accumulated);
    for account in shorts {
        let mut balance = balances.short_savings_balances.get(account).copied().unwrap_or_default();
        take(&short_field(account), &mut balance);
        balances.short_savings_balances.insert(account.clone(), balance);
    }
    balances.short_savings_balances.retain(|_, balance| *balance != 0);
    if wrong.is_empty() { Ok(balances) } else { Err(Error::fields(wrong)) }
}
