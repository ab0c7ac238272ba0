//! Two years of an example household, ending today. The same date gives the same amounts.

use std::collections::BTreeMap;

use hansang_core::Error;
use hansang_ledger::import::{Choice, NewImport, mapping_of, read, start};
use hansang_ledger::{
    Accounts, Balances, Budget, CodeType, Goal, Kind, Ledger, Month, NewLine, Rule, Subject, add_lines,
    replace_accounts, replace_codes, set_budget, set_goal, set_opening, set_rule, tend,
};
use jiff::civil::Date;

mod merchants;

use merchants::{LIVING, Merchant};

/// The two people, who also enter the lines.
const HIM: &str = "지훈";
const HER: &str = "수민";
/// The number of months before the current one.
const MONTHS: i32 = 23;
/// The number of months that rules have entered.
const BY_RULES: i32 = 3;

/// Recurring payments: kind, name, text, day, amount.
const FIXED: [(Kind, &str, &str, i64, i64); 9] = [
    (Kind::FixedExpense, "주거", "월세", 1, 850_000),
    (Kind::FixedExpense, "대출", "학자금 대출 상환", 5, 210_000),
    (Kind::FixedExpense, "보험", "삼성화재 실손보험", 10, 87_300),
    (Kind::FixedExpense, "통신", "SKT 휴대폰 2회선", 20, 128_000),
    (Kind::FixedExpense, "통신", "KT 인터넷", 20, 38_500),
    (Kind::FixedExpense, "구독", "넷플릭스", 12, 17_000),
    (Kind::FixedExpense, "구독", "쿠팡 와우 멤버십", 17, 7_890),
    (Kind::FixedExpense, "곗돈", "동창 모임 회비", 15, 100_000),
    (Kind::Savings, "적금1", "국민은행 정기적금", 26, 500_000),
];

/// Fills an empty ledger.
///
/// # Errors
/// When the store fails.
pub(crate) async fn fill(ledger: &Ledger) -> Result<(), Error> {
    let today = ledger.today();
    let now = Month::of(today);
    let first = now.plus(-MONTHS);
    prepare(ledger, first, now).await?;
    for month in first.to(now) {
        let mut dice = Dice(u64::from(month.year() * 12 + month.number()));
        let due =
            |lines: Vec<NewLine>| lines.into_iter().filter(|line| line.date <= today).collect::<Vec<_>>();
        let his = due(his_lines(month, now, &mut dice)?);
        let hers = due(her_lines(month, now, &mut dice)?);
        add_lines(ledger, HIM, &his).await?;
        add_lines(ledger, HER, &hers).await?;
    }
    plans(ledger, first, now).await?;
    import(ledger, now.plus(-1)).await?;
    tend(ledger).await
}

/// Codes and opening balances.
async fn prepare(ledger: &Ledger, first: Month, now: Month) -> Result<(), Error> {
    let list = |codes: &[&str]| codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>();
    let months = first.to(now.plus(12)).map(|month| month.to_string()).collect();
    replace_codes(ledger, HIM, CodeType::YearMonth, months).await?;
    replace_codes(ledger, HIM, CodeType::Name, list(&[HIM, HER])).await?;
    let fixed = list(&["대출", "주거", "통신", "보험", "곗돈", "구독"]);
    replace_codes(ledger, HIM, CodeType::FixedExpenseType, fixed).await?;
    let living = list(&["식비", "교통비", "의료비", "문화생활", "생활용품", "기타"]);
    replace_codes(ledger, HIM, CodeType::LivingExpenseCategory, living).await?;
    let accounts: Accounts = [
        ("현금확보용적금".to_owned(), list(&["적금1", "적금2", "적금3"])),
        ("투자용".to_owned(), list(&["청약", "연금저축", "주식", "코인"])),
        ("단기저축용".to_owned(), list(&["운동", "여행", "경조비"])),
    ]
    .into();
    replace_accounts(ledger, HIM, accounts).await?;
    let short = [("운동", 120_000), ("여행", 450_000), ("경조비", 300_000)];
    let opening = Balances {
        cash_accumulated: 8_400_000,
        investment_accumulated: 5_200_000,
        short_savings_balances: short.map(|(account, balance)| (account.to_owned(), balance)).into(),
    };
    set_opening(ledger, HIM, &opening).await
}

/// Salary, savings and what he buys.
fn his_lines(month: Month, now: Month, dice: &mut Dice) -> Result<Vec<NewLine>, Error> {
    let raise = i64::from(month.year() - now.plus(-MONTHS).year()) * 110_000;
    let mut lines = Lines::of(month);
    lines.income(HIM, "월급", "㈜한빛테크 급여", 10, 3_450_000 + raise)?;
    match month.number() {
        2 => lines.income(HIM, "기타수입", "연말정산 환급", 25, 420_000 + dice.won(0, 90_000))?,
        9 => lines.income(HIM, "상여", "추석 상여금", 12, 1_500_000)?,
        _ => {}
    }
    // The last months are entered by rules.
    if now.since(month) >= i64::from(BY_RULES) {
        for (kind, name, text, day, amount) in FIXED {
            lines.push(kind, name, None, text, day, amount)?;
        }
    }
    lines.push(Kind::FixedExpense, "주거", None, "아파트 관리비", 23, dice.won(168_000, 262_000))?;
    lines.push(Kind::Savings, "적금2", None, "신한은행 자유적금", 26, 300_000)?;
    if month >= now.plus(-12) {
        lines.push(Kind::Savings, "적금3", None, "카카오뱅크 26주적금", 26, 200_000)?;
    }
    lines.push(Kind::Investment, "청약", None, "주택청약종합저축", 10, 100_000)?;
    lines.push(Kind::Investment, "연금저축", None, "미래에셋 연금저축펀드", 11, 300_000)?;
    lines.push(Kind::Investment, "주식", None, "KODEX 200 적립 매수", 14, dice.won(200_000, 500_000))?;
    if month.number().is_multiple_of(3) {
        lines.push(Kind::Investment, "코인", None, "업비트 비트코인", 18, 100_000)?;
    }
    living(&mut lines, &LIVING[..LIVING.len() / 2], dice)?;
    Ok(lines.0)
}

/// Salary, short-term accounts and what she buys.
fn her_lines(month: Month, now: Month, dice: &mut Dice) -> Result<Vec<NewLine>, Error> {
    let raise = i64::from(month.year() - now.plus(-MONTHS).year()) * 90_000;
    let mut lines = Lines::of(month);
    lines.income(HER, "월급", "서울디자인랩 급여", 21, 2_980_000 + raise)?;
    match month.number() {
        12 => lines.income(HER, "상여", "연말 성과급", 24, 2_000_000)?,
        4 | 10 => lines.income(HER, "기타수입", "당근마켓 판매", 8, dice.won(30_000, 120_000))?,
        _ => {}
    }
    for (account, text, amount) in [
        ("운동", "필라테스 적립", 80_000),
        ("여행", "여행 통장 적립", 220_000),
        ("경조비", "경조비 적립", 70_000),
    ] {
        lines.push(Kind::ShortSavings, account, Some("적립"), text, 22, amount)?;
    }
    let spent = match month.number() {
        3 => Some(("운동", "필라테스 6개월 등록", 480_000)),
        7 => Some(("여행", "제주 항공권과 숙소", 1_180_000)),
        12 => Some(("여행", "강릉 1박 2일", 420_000)),
        5 | 10 => Some(("경조비", "친구 결혼식 축의금", 200_000)),
        _ => None,
    };
    if let Some((account, text, amount)) = spent {
        lines.push(Kind::ShortSavings, account, Some("지출"), text, 6, amount)?;
    }
    living(&mut lines, &LIVING[LIVING.len() / 2..], dice)?;
    if month == now {
        // More than the budget.
        lines.push(Kind::LivingExpense, "문화생활", None, "뮤지컬 위키드 예매", 1, 198_000)?;
    }
    Ok(lines.0)
}

/// Living expenses, with a refund now and then.
fn living(lines: &mut Lines, merchants: &[Merchant], dice: &mut Dice) -> Result<(), Error> {
    for merchant in merchants {
        let (least, most) = merchant.times;
        for _ in 0..dice.within(least, most) {
            let day = dice.within(1, 28);
            let amount = dice.won(merchant.least, merchant.most);
            lines.push(Kind::LivingExpense, merchant.category, None, merchant.text, day, amount)?;
            if merchant.can_refund && dice.within(1, 6) == 1 {
                let text = format!("{} 환불", merchant.text);
                lines.push(Kind::LivingExpense, merchant.category, None, &text, day + 2, -amount)?;
            }
        }
    }
    Ok(())
}

/// Budgets, goals and rules.
async fn plans(ledger: &Ledger, first: Month, now: Month) -> Result<(), Error> {
    for (category, month, amount, rollover) in [
        ("식비", first, 800_000, false),
        ("식비", now.plus(-6), 950_000, false),
        ("교통비", first, 180_000, true),
        ("의료비", first, 100_000, false),
        ("문화생활", first, 150_000, false),
        ("생활용품", now.plus(-11), 160_000, false),
    ] {
        let kind = Kind::LivingExpense;
        let budget = Budget { kind, category: category.to_owned(), month, amount, rollover };
        set_budget(ledger, HER, &budget).await?;
    }
    for (account, amount, month) in [
        ("여행", 4_000_000, Some(now.plus(8))),
        ("운동", 1_000_000, None),
        ("경조비", 1_500_000, Some(now.plus(12))),
    ] {
        set_goal(ledger, HIM, &Goal { account_name: account.to_owned(), amount, month }).await?;
    }
    let car_tax = (Kind::LivingExpense, "기타", "자동차세", 16, 182_000);
    let rules = FIXED.into_iter().map(|rule| (rule, None)).chain([(car_tax, Some(6))]);
    for ((kind, name, text, day, amount), yearly) in rules {
        let rule = Rule {
            rule_id: String::new(),
            subject: Subject::new(kind, name, None)?,
            text: text.to_owned(),
            amount,
            day,
            yearly,
            from: now.plus(1 - BY_RULES),
            until: None,
            by: String::new(),
            done_through: None,
        };
        set_rule(ledger, HIM, rule).await?;
    }
    Ok(())
}

/// The export of an app for a month, imported.
async fn import(ledger: &Ledger, month: Month) -> Result<(), Error> {
    let mut file = "날짜,시간,타입,대분류,소분류,내용,금액,화폐,결제수단,메모\n".to_owned();
    for (day, time, kind, category, text, amount) in merchants::IMPORTED {
        let date = month.day(day);
        file.push_str(&format!("{date},{time},{kind},{category},,{text},{amount},KRW,신한카드,\n"));
    }
    let table = read(file.as_bytes())?;
    let (_, mapping) = mapping_of(ledger, &table, None, None).await?;
    let name = format!("뱅크샐러드_{month}.csv");
    // She puts the drugstore among the household goods, which is remembered for it.
    let goods = Subject::new(Kind::LivingExpense, "생활용품", None)?;
    let chosen = |(row, (.., text, _)): (usize, &(_, _, _, _, &str, _))| {
        let choice = Choice { subject: Some(goods.clone()), ..Choice::default() };
        text.starts_with("올리브영").then_some((row, choice))
    };
    // The header is line 1.
    let choices: BTreeMap<usize, Choice> = (2..).zip(&merchants::IMPORTED).filter_map(chosen).collect();
    let new =
        NewImport {
            file: &name, profile: "뱅크샐러드", table: &table, mapping: &mapping, choices: &choices
        };
    start(ledger, HER, new).await.map(drop)
}

/// The lines of a month.
struct Lines(Vec<NewLine>, Month);

impl Lines {
    fn of(month: Month) -> Self {
        Self(Vec::new(), month)
    }

    fn income(&mut self, name: &str, kind: &str, text: &str, day: i64, amount: i64) -> Result<(), Error> {
        self.push(Kind::Income, name, Some(kind), text, day, amount)
    }

    fn push(
        &mut self,
        kind: Kind,
        name: &str,
        detail: Option<&str>,
        text: &str,
        day: i64,
        amount: i64,
    ) -> Result<(), Error> {
        let (subject, date): (Subject, Date) = (Subject::new(kind, name, detail)?, self.1.day(day));
        self.0.push(NewLine { id: None, subject, date, text: text.to_owned(), amount });
        Ok(())
    }
}

/// Numbers that look random and depend on the month alone.
struct Dice(u64);

impl Dice {
    /// A number from one to another, both included.
    fn within(&mut self, least: i64, most: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let span = (most - least).unsigned_abs() + 1;
        least + i64::try_from((self.0 >> 33) % span).unwrap_or_default()
    }

    /// An amount in tens of won.
    fn won(&mut self, least: i64, most: i64) -> i64 {
        self.within(least / 10, most / 10) * 10
    }
}
