//! Copying a month, as a browser without scripts sees it.

use hansang_ledger::{Kind, Month, NewEntry, Rule, Subject, create, month, set_rule};
use hansang_testserver::{On, Visitor, has, lacks};

use crate::pages::start;

/// Copying last month says what it leaves out: what recurring entries add, and what has no category any more. A recurring
/// entry without a category is on hold.
async fn a_copy_says_what_it_leaves_out(on: On) {
    let (server, ledger) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let now = Month::of(ledger.today());
    let subject = |kind: Kind, name: &str| Subject::new(kind, name, None).unwrap();
    let enter = async |kind: Kind, name: &str, amount: i64| {
        let new = NewEntry { month: now.plus(-1), subject: subject(kind, name), amount, text: String::new() };
        create(&ledger, "ann", &new).await.unwrap();
    };
    enter(Kind::FixedExpense, "주거", 800_000).await;
    enter(Kind::LivingExpense, "식비", 3_000).await;
    let rule = |kind: Kind, name: &str, from: Month| Rule {
        rule_id: String::new(),
        subject: subject(kind, name),
        text: String::new(),
        amount: 800_000,
        day: 31,
        yearly: None,
        from,
        until: None,
        by: String::new(),
        done_through: None,
    };
    set_rule(&ledger, "ann", rule(Kind::FixedExpense, "주거", now)).await.unwrap();
    let month_text = now.to_string();
    let copy =
        async || editor.post("/console/ledger/copy", &[("month", &*month_text), ("kind", "living")]).await;
    let copied = copy().await;
    assert!(copied.header("location").ends_with("done=copied-without-recurring"), "{}", copied.text);
    assert_eq!(month(&ledger, now).await.unwrap().entries.len(), 1);
    enter(Kind::LivingExpense, "문화생활", 5_000).await;
    set_rule(&ledger, "ann", rule(Kind::LivingExpense, "문화생활", now.plus(1))).await.unwrap();
    lacks(&editor.get("/console/ledger/recurring").await, &["중지됨"]);
    let gone = [("list", "LIVING_EXPENSE_CATEGORY"), ("code", "문화생활"), ("do", "remove")];
    assert_eq!(editor.post("/console/ledger/codes", &gone).await.status, 303);
    let copied = copy().await;
    assert_eq!(copied.status, 200, "{}", copied.text);
    has(&copied, &["복사하지 않음: 문화생활", "먼저 코드에 추가하세요"]);
    has(&editor.get("/console/ledger/recurring").await, &["중지됨", "먼저 코드에 추가하세요"]);
}

hansang_testserver::on_each_store!(a_copy_says_what_it_leaves_out);
