//! Accounts, their groups and kinds, and lists that two people change.

use std::collections::BTreeMap;
use std::sync::Arc;

use hansang_ledger::{
    Accounts, Assignments, CodeType, Kind, Ledger, LedgerCode, ListChange, ListName, add_group, add_line,
    assign, assign_accounts, change_list, history, month, remove_group, replace_accounts, undo,
};

use hansang_core::Db;
use hansang_core::cursor::CursorKey;
use hansang_testkit::faults::{Faults, Faulty};

use crate::checker::check;
use crate::grounds::{self, Ground, line, on_each_store};

on_each_store!(
    accounts_hold_what_they_are_assigned_to,
    groups_come_and_go,
    two_people_change_a_list,
    codes_are_read_once,
    a_household_has_a_table_of_its_own,
);

/// L28: an account is assigned otherwise; what was entered before stays, and kinds that no account holds are refused.
async fn accounts_hold_what_they_are_assigned_to(ground: Ground) {
    let ledger = &ground.ledger;
    add_line(ledger, "ann", line("2026-01-03", Kind::Investment, "청약", "", 10)).await.unwrap();
    let saved = [("청약".to_owned(), Some(Kind::Savings))].into();
    assign_accounts(ledger, "ann", &saved).await.unwrap();
    add_line(ledger, "ann", line("2026-01-04", Kind::Savings, "청약", "", 5)).await.unwrap();
    add_line(ledger, "ann", line("2026-01-05", Kind::Investment, "청약", "", 1)).await.unwrap();
    let other =
        add_line(ledger, "ann", line("2026-02-05", Kind::Investment, "청약", "", 1)).await.unwrap_err();
    assert_eq!(other.code, LedgerCode::AccountOfOtherKind);
    let view = month(ledger, grounds::month("2026.01")).await.unwrap();
    assert_eq!((view.balances.cash_accumulated, view.balances.investment_accumulated), (5, 11));
    let of = |accounts: &[(&str, Kind)], groups: &[(&str, Kind)]| {
        let map =
            |kinds: &[(&str, Kind)]| kinds.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
        Assignments { accounts: map(accounts), groups: map(groups) }
    };
    for (wanted, code) in [
        (of(&[("주식", Kind::Income)], &[]), LedgerCode::KindUnknown),
        (of(&[], &[("투자용", Kind::LivingExpense)]), LedgerCode::KindUnknown),
        (of(&[("없는계좌", Kind::Savings)], &[]), LedgerCode::CodeUnknown),
        (of(&[], &[("없는그룹", Kind::Savings)]), LedgerCode::CodeUnknown),
    ] {
        assert_eq!(assign(ledger, "ann", &wanted).await.unwrap_err().code, code, "{wanted:?}");
    }
    assign_accounts(ledger, "ann", &BTreeMap::from([("청약".to_owned(), None)])).await.unwrap();
    assert_eq!(ledger.codes().await.unwrap().kind_of("청약"), Some(Kind::Investment));
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// A group is added with what it holds, and removed when it is empty; what was assigned to it goes with it.
async fn groups_come_and_go(ground: Ground) {
    let ledger = &ground.ledger;
    let group = ListName::Group("비상금".to_owned());
    let wrong = change_list(ledger, "ann", &group, &ListChange::Add("파킹통장".to_owned())).await;
    assert_eq!(wrong.unwrap_err().code, LedgerCode::CodeUnknown);
    let wrong = add_group(ledger, "ann", "비상금", Kind::Income).await.unwrap_err();
    assert_eq!(wrong.code, LedgerCode::KindUnknown);
    add_group(ledger, "ann", "비상금", Kind::Savings).await.unwrap();
    let again = add_group(ledger, "ann", "비상금", Kind::Savings).await.unwrap_err();
    assert_eq!(again.code, LedgerCode::CodeRepeated);
    let accounts = change_list(ledger, "ann", &group, &ListChange::Add("파킹통장".to_owned())).await.unwrap();
    assert_eq!(accounts, ["파킹통장"]);
    let twice = change_list(ledger, "ann", &group, &ListChange::Add("주식".to_owned())).await.unwrap_err();
    assert_eq!(twice.code, LedgerCode::CodeRepeated);
    add_line(ledger, "ann", line("2026-01-04", Kind::Savings, "파킹통장", "", 5)).await.unwrap();
    let full = remove_group(ledger, "ann", "비상금").await.unwrap_err();
    assert_eq!(full.code, LedgerCode::GroupNotEmpty);
    change_list(ledger, "ann", &group, &ListChange::Remove("파킹통장".to_owned())).await.unwrap();
    remove_group(ledger, "ann", "비상금").await.unwrap();
    let codes = ledger.codes().await.unwrap();
    assert!(codes.group_kinds.is_empty() && !codes.accounts.contains_key("비상금"), "{codes:?}");
    // Undoing the removal brings the group back with what it holds.
    let removed = history(ledger, None, Some(1)).await.unwrap().changes[0].seq;
    undo(ledger, "ann", removed).await.unwrap();
    assert_eq!(ledger.codes().await.unwrap().kind_of_group("비상금"), Some(Kind::Savings));

    let accounts: Accounts = [("새그룹".to_owned(), vec!["새계좌".to_owned()])].into();
    replace_accounts(ledger, "ann", accounts).await.unwrap();
    assert!(ledger.codes().await.unwrap().group_kinds.is_empty(), "the group is gone");
    let error =
        add_line(ledger, "ann", line("2026-01-04", Kind::Savings, "새계좌", "", 5)).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::AccountWithoutKind);
    assert_eq!(check(ledger).await, Vec::<String>::new());
}

/// L2, L3: codes are added, moved and removed one at a time, so that two people lose nothing; a whole list is replaced only if it
/// is as it was read.
async fn two_people_change_a_list(ground: Ground) {
    let ledger = &ground.ledger;
    let list = ListName::Codes(CodeType::Name);
    let add = |name: &str| ListChange::Add(name.to_owned());
    let (one, two, three, four) =
        (add("할머니"), add("아이"), add("이모"), ListChange::Up("배우자2".to_owned()));
    let all = futures_util::future::join_all([
        change_list(ledger, "ann", &list, &one),
        change_list(ledger, "bob", &list, &two),
        change_list(ledger, "ann", &list, &three),
        change_list(ledger, "bob", &list, &four),
    ])
    .await;
    assert!(all.iter().all(Result::is_ok), "{all:?}");
    let codes = ledger.codes().await.unwrap();
    let now = codes.list(CodeType::Name).to_vec();
    assert_eq!((now.len(), &*now[0], &*now[1]), (5, "배우자2", "배우자1"), "{now:?}");
    let stale = ListChange::Replace { was: vec!["배우자1".to_owned()], now: vec!["나".to_owned()] };
    let error = change_list(ledger, "bob", &list, &stale).await.unwrap_err();
    assert_eq!(error.code, LedgerCode::CodesChanged);
    let fresh = ListChange::Replace { was: now, now: vec!["나".to_owned()] };
    assert_eq!(change_list(ledger, "bob", &list, &fresh).await.unwrap(), ["나"]);
    for (list, wrong) in [(&list, add("a#b")), (&ListName::Codes(CodeType::YearMonth), add("2025.13"))] {
        assert!(change_list(ledger, "bob", list, &wrong).await.is_err(), "{wrong:?}");
    }
}

/// L26: the codes are cached; a change by this process is seen at once.
async fn codes_are_read_once(ground: Ground) {
    let store = Arc::new(Faulty::new(ground.ledger.db.store().clone(), Faults::default(), 1));
    let ledger = Ledger::new(ground.ledger.db.by_way_of(store.clone()));
    ledger.codes().await.unwrap();
    let calls = store.calls();
    ledger.codes().await.unwrap();
    ledger.codes().await.unwrap();
    assert_eq!(store.calls(), calls);
    let list = ListName::Codes(CodeType::LivingExpenseCategory);
    change_list(&ledger, "ann", &list, &ListChange::Add("반려동물".to_owned())).await.unwrap();
    let codes = ledger.codes().await.unwrap();
    assert!(codes.lists["LIVING_EXPENSE_CATEGORY"].contains(&"반려동물".to_owned()));
}

/// Ls20: a household is a table: another environment has other lines.
async fn a_household_has_a_table_of_its_own(ground: Ground) {
    let db = &ground.ledger.db;
    let (model, store, clock) = (db.model().clone(), db.store().clone(), db.clock().clone());
    let other = Ledger::new(Db::new(model, Some("neighbours"), store, clock, CursorKey::new(b"tests")));
    other.db.ensure_table().await.unwrap();
    let bread = line("2026-01-03", Kind::LivingExpense, "식비", "빵", 4000);
    add_line(&ground.ledger, "ann", bread).await.unwrap();
    assert_eq!(month(&other, grounds::month("2026.01")).await.unwrap().totals.total_expense, 0);
    assert_eq!(month(&ground.ledger, grounds::month("2026.01")).await.unwrap().totals.total_expense, 4000);
}
