//! The example household.

use std::sync::Arc;

use hansang_command::{Config, Given};
use hansang_ledger::import::imports;
use hansang_ledger::{
    Ledger, Month, budgets_of_month, goals, lines_of_month, month, period, recalculate, rules, stored_months,
};
use hansang_ledger_web::LedgerSystem;
use hansang_server::System;
use hansang_testserver::{On, Server, Visitor, has, settings};

/// Two years that add up, with something on every page.
async fn the_example_household_adds_up(on: On) {
    let server = Server::of_system(on, Arc::new(LedgerSystem), settings()).await;
    let ledger = Ledger::new(server.db(hansang_ledger::MODEL));
    fill(&server).await;
    let now = Month::of(ledger.today());
    let months = stored_months(&ledger).await.unwrap();
    assert_eq!((months.len(), months.last().copied()), (24, Some(now)));
    let check = recalculate(&ledger, "test", None, true).await.unwrap();
    assert_eq!((check.months, check.problems.len()), (24, 0), "{:?}", check.problems);

    let last = month(&ledger, now.plus(-1)).await.unwrap();
    assert!(last.totals.total_income > 6_000_000 && last.totals.net_asset() > 0, "{:?}", last.totals);
    assert!(
        last.balances.short_savings_balances.values().all(|balance| *balance >= 0),
        "{:?}",
        last.balances
    );
    let lines = lines_of_month(&ledger, now.plus(-1)).await.unwrap();
    assert!(lines.len() > 40, "{}", lines.len());
    let all = period(&ledger, now.plus(-23), now).await.unwrap();
    assert!(all.iter().all(|month| !month.entries.is_empty()));
    assert!(budgets_of_month(&ledger, now).await.unwrap().iter().any(|budget| budget.left < 0));
    assert_eq!(goals(&ledger, now).await.unwrap().len(), 3);
    assert_eq!(rules(&ledger).await.unwrap().len(), 10);
    assert_eq!(imports(&ledger).await.unwrap().len(), 1);

    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    has(&viewer.get("/console/ledger").await, &["주거", "식비", "여행"]);
    has(&viewer.get("/console/ledger/budgets").await, &["예산 초과"]);
}

/// Fills the ledger as `hansang serve --demo` does.
async fn fill(server: &Server) {
    let given = Given { file: None, values: Default::default() };
    let config = Config::resolve(Vec::new(), given, |_| None).unwrap();
    let opening = hansang_server::Opening {
        config: &config,
        db: server.db(hansang_ledger::MODEL),
        own: server.db(hansang_ledger::MODEL),
        queue: None,
        open_files: hansang_testserver::open_files,
        open_cache: hansang_testserver::open_cache,
        secret: &[],
        local: true,
        before: None,
    };
    LedgerSystem.open(opening).await.unwrap().fill_demo().await.unwrap();
}

hansang_testserver::on_each_store!(the_example_household_adds_up);
