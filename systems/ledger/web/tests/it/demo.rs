//! The example household.

use std::sync::Arc;

use hansang_command::{Config, Given};
use hansang_ledger::import::imports;
use hansang_ledger::{
    Ledger, Month, MonthView, budgets_of_month, goals, lines_of_month, month, period, recalculate, rules,
    stored_months,
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
    has(&viewer.get("/console/ledger/budgets").await, &["예산 초과"]);
    overview(&viewer.get("/console/ledger").await.text, &last);
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    for page in PAGES {
        let shown = editor.get(&format!("/console/ledger{page}")).await;
        assert_eq!(shown.status, 200, "{page}");
        assert!(!shown.text.contains("class=\"empty\""), "{page} has an empty part: {}", shown.text);
    }
}

/// The pages that show something of the example household.
const PAGES: [&str; 18] = [
    "",
    "/lines",
    "/calendar",
    "/sheet/income",
    "/sheet/fixed",
    "/sheet/living",
    "/sheet/savings",
    "/sheet/investment",
    "/sheet/short",
    "/reports",
    "/budgets",
    "/goals",
    "/recurring",
    "/import",
    "/learned",
    "/export",
    "/history",
    "/add",
];

/// The charts of the overview have the months and categories of the household, the goals and budgets their progress.
fn overview(page: &str, last: &MonthView) {
    let part = |title: &str| {
        let (_, behind) = page.split_once(&format!("<h2>{title}</h2>")).expect(title);
        behind.split_once("</section>").expect(title).0.to_owned()
    };
    let count = |text: &str, what: &str| text.matches(what).count();
    let label = format!("{:02}.{:02}", last.month.year() % 100, last.month.number());
    let flow = part("수입과 지출");
    assert!(count(&flow, "class=\"chart-bar ") >= 23 && flow.contains(&label), "{flow}");
    let income = hansang_ui::number::grouped(&last.totals.total_income.to_string());
    assert!(flow.contains(&income), "{income}: {flow}");
    let worth = part("자산 변화");
    assert!(count(&worth, "class=\"chart-line ") == 1 && worth.contains(&label), "{worth}");
    let sum = hansang_ui::number::grouped(&last.balances.sum().to_string());
    assert!(worth.contains(&sum), "{sum}: {worth}");
    let spending = part("항목별 지출");
    assert!(count(&spending, "href=\"/console/ledger/lines?") > 3, "{spending}");
    assert!(spending.contains("주거") && spending.contains("식비"), "{spending}");
    let budgets = part("예산");
    assert!(count(&budgets, "<progress ") >= 3 && budgets.contains("남음"), "{budgets}");
    let assets = part("자산");
    assert!(count(&assets, "<progress ") == 3 && count(&assets, "목표 ") >= 3, "{assets}");
    assert!(["운동", "여행", "경조비"].iter().all(|account| assets.contains(account)), "{assets}");
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
