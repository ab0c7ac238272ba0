//! A page with every component of pages.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::{MethodFilter, on};
use jiff::Timestamp;
use jiff::civil::Date;

use super::Console;
use hansang_http::route::{Needs, Route};
use hansang_ui::form::{Field, Form, Input};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::html::Html;
use hansang_ui::month::MonthPicker;
use hansang_ui::page::Moment;
use hansang_ui::svg::{self, Bars, Chart, Days, Donut, Series};
use hansang_ui::table::{Bulk, Cell, Column, Empty, Kind, Row, Sort, Table};
use hansang_ui::{icon, notice, number};

const DESIGN: &str = "/console/design";

#[derive(Template)]
#[template(path = "console/design.html")]
struct Design {
    frame: Frame,
    icons: Vec<&'static str>,
    fields: Vec<Field>,
    filters: Vec<Field>,
    /// The filters in force: label, and the address without it.
    active: Vec<(String, String)>,
    month: MonthPicker,
    steps: [&'static str; 3],
    now: Moment,
    table: Table,
    none: Empty,
    /// Headings and charts.
    charts: Vec<(&'static str, Html)>,
    spark: String,
}

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&console, view)).on(
        MethodFilter::POST,
        async |sent: Form| match sent.text("do") {
            "" => Redirect::to(&notice::RESTORED.at(DESIGN)).into_response(),
            _ => notice::DELETED.redirect_with_undo(DESIGN, DESIGN),
        },
    );
    Route::page(DESIGN, Needs::SignedIn, handler)
}

fn show(console: &Console, view: View) -> Response {
    let title = view.say("Design", "디자인").to_owned();
    let now = console.app.access().now();
    let frame = console.frame(view, &title, Section::Home);
    let view = &frame.view;
    let state = Field {
        required: false,
        input: Input::Choice(vec![
            (String::new(), view.say("All", "전체").to_owned()),
            ("open".to_owned(), view.say("Open", "진행 중").to_owned()),
        ]),
        ..Field::text("state", view.say("State", "상태"))
    };
    let rising = [1.0, 3.0, 2.0, 6.0, 4.0, 8.0, 7.0, 9.0];
    let today = now.to_zoned(view.reader.zone.clone()).date();
    let template = Design {
        icons: icon::names().collect(),
        fields: fields(view),
        filters: vec![Field { required: false, ..Field::text("q", view.say("Name", "이름")) }, state],
        active: vec![(view.say("State: open", "상태: 진행 중").to_owned(), DESIGN.to_owned())],
        month: MonthPicker::new("month", DESIGN, asked_month(view).unwrap_or(today)),
        steps: [view.say("Upload", "업로드"), view.say("Review", "검토"), view.say("Done", "완료")],
        now: view.time(now),
        table: table(view, now),
        none: Empty {
            icon: "inbox",
            title: view.say("No posts yet", "아직 글이 없습니다").to_owned(),
            text: view.say("Write the first post.", "첫 글을 작성해 보세요.").to_owned(),
            action: Some((view.say("New post", "새 글").to_owned(), DESIGN.to_owned())),
        },
        charts: charts(view, today),
        spark: svg::sparkline(&rising, &[], view.say("A rising line", "오르는 선")),
        frame,
    };
    page(StatusCode::OK, &template)
}

fn asked_month(view: &View) -> Option<Date> {
    MonthPicker::parse(view.asked().text("month"))
}

fn table(view: &View, now: Timestamp) -> Table {
    let columns = vec![
        Column::new("name", view.say("Name", "이름"), Kind::Text).sortable(),
        Column::new("state", view.say("State", "상태"), Kind::Tag).sortable(),
        Column::new("amount", view.say("Amount", "금액"), Kind::Money).sortable(),
        Column::new("count", view.say("Count", "건수"), Kind::Number).sortable(),
        Column::new("changed", view.say("Updated", "수정 일시"), Kind::Time).sortable(),
        Column::new("code", view.say("Code", "코드"), Kind::Code).hidden(),
    ];
    let paid = Cell::tag(view.say("Paid", "납부"), "good");
    let open = Cell::tag(view.say("Open", "진행 중"), "info");
    let late = Cell::tag(view.say("Late", "연체"), "bad");
    let rows = [
        ("Rent", "월세", paid, -650_000, 1_i64, 2_i64),
        ("Food", "식비", open.clone(), -84_200, 1284, 30),
        ("Salary", "급여", open, 3_200_000, 1, 26),
        ("Transport", "교통", late, -12_450, 37, 400),
    ];
    let row = |(english, korean, state, amount, count, hours): (&str, &str, Cell, i64, i64, i64)| {
        let changed = now - jiff::SignedDuration::from_hours(hours);
        Row {
            key: english.to_owned(),
            link: Some(DESIGN.to_owned()),
            cells: vec![
                Cell::text(view.say(english, korean)),
                state,
                Cell::Money(number::won(amount, view.language), amount),
                Cell::number(count),
                Cell::time(view.time(changed)),
                Cell::Code(format!("CODE#{english}")),
            ],
        }
    };
    let actions = vec![("delete", view.say("Delete", "삭제").to_owned(), "trash", true)];
    let mut table = Table {
        name: "design".to_owned(),
        label: view.say("Data table", "데이터 표").to_owned(),
        sort: Sort::asked(view, &columns),
        columns,
        rows: rows.into_iter().map(row).collect(),
        bulk: Some(Bulk { address: DESIGN.to_owned(), actions, ..Bulk::default() }),
        ..Table::default()
    };
    table.sort_rows();
    table
}

fn fields(view: &View) -> Vec<Field> {
    let choices = [("A", view.say("First", "첫째")), ("B", view.say("Second", "둘째"))];
    let choices = choices.map(|(value, name)| (value.to_owned(), name.to_owned())).into();
    vec![
        Field {
            hint: view.say("A hint helps to fill in the field.", "입력을 돕는 설명입니다.").to_owned(),
            ..Field::text("text", view.say("Text", "텍스트"))
        },
        Field {
            value: "13th of May".to_owned(),
            problem: Some(
                view.say(
                    "Must be a time such as 2025-11-14T03:00:00Z",
                    "2025-11-14T03:00:00Z 같은 시각으로 입력하세요",
                )
                .to_owned(),
            ),
            ..Field::text("wrong", view.say("With an error", "오류가 있는 값"))
        },
        Field {
            value: "ORDER#0042".to_owned(),
            locked: true,
            code: true,
            ..Field::text("locked", view.say("Read-only", "읽기 전용"))
        },
        Field { input: Input::Choice(choices), ..Field::text("choice", view.say("Choice", "선택")) },
        Field {
            input: Input::Check,
            value: "true".to_owned(),
            required: false,
            ..Field::text("check", view.say("Checked", "켜짐"))
        },
        Field { input: Input::Date, ..Field::text("date", view.say("Date", "날짜")) },
        Field { input: Input::Clock, ..Field::text("clock", view.say("Time", "시각")) },
        Field { input: Input::Month, ..Field::text("of-month", view.say("Month", "월")) },
        Field {
            input: Input::Money { unit: view.say("KRW", "원").to_owned() },
            value: "1250000".to_owned(),
            ..Field::text("money", view.say("Amount", "금액"))
        },
        Field {
            input: Input::Percent,
            value: "3.5".to_owned(),
            ..Field::text("percent", view.say("Rate", "비율"))
        },
        Field {
            input: Input::Count { min: 1, max: 100 },
            value: "3".to_owned(),
            ..Field::text("count", view.say("Seats", "좌석 수"))
        },
        Field {
            input: Input::Reference {
                options: vec![
                    ("c001".to_owned(), view.say("Notices", "공지").to_owned()),
                    ("c002".to_owned(), view.say("Events", "행사").to_owned()),
                ],
                search: String::new(),
            },
            value: "c001".to_owned(),
            ..Field::text("category", view.say("Category", "분류"))
        },
        Field {
            input: Input::File { accept: "" },
            required: false,
            ..Field::text("file", view.say("File: choose or drop", "파일: 선택하거나 끌어 놓기"))
        },
        Field {
            input: Input::Area { rows: 3 },
            required: false,
            ..Field::text("area", view.say("Long text", "긴 텍스트"))
        },
    ]
}

fn charts(view: &View, today: Date) -> Vec<(&'static str, Html)> {
    let months =
        ["1", "2", "3", "4", "5", "6"].map(|month| view.fill("2026-0{0}", "{0}월").with(month).to_string());
    let income = [320.0, 340.0, 330.0, 410.0, 360.0, 375.0];
    let expenses = [210.0, 260.0, 240.0, 300.0, 220.0, 245.0];
    let chart = Chart {
        title: "",
        summary: view.say("Income and expenses of six months", "여섯 달의 수입과 지출"),
        labels: months.to_vec(),
        series: vec![
            Series::new(view.say("Income", "수입"), income),
            Series::new(view.say("Expenses", "지출"), expenses),
        ],
        unit: "",
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
    };
    let shares = [
        (view.say("Rent", "월세").to_owned(), 90.0),
        (view.say("Food", "식비").to_owned(), 60.0),
        (view.say("Transport", "교통").to_owned(), 25.0),
        (view.say("Clothes", "의류").to_owned(), 10.0),
    ];
    let donut = Donut {
        title: "",
        summary: view.say("Shares of the expenses", "지출의 비중"),
        shares: &shares,
        unit: "",
        other: view.say("Other", "기타"),
        empty: view.say("No data yet", "아직 데이터가 없습니다"),
        links: &[],
    };
    let values: Vec<f64> = (0..180_u32).map(|day| f64::from(day * day % 17)).collect();
    let first = today.checked_sub(jiff::Span::new().days(179)).unwrap_or(today);
    let summary = view.say("Activity of each day", "날짜별 활동");
    let days = Days { summary, first, values: &values, unit: "" };
    let heat = svg::boxed_days(&svg::days(&days), &days, view.language);
    let boxed = |drawn: String| svg::boxed(&drawn, &chart, view.language);
    let shares = |drawn: String| svg::boxed_shares(&drawn, &donut, view.language);
    vec![
        (view.say("Bars", "막대"), boxed(svg::bars(&chart, Bars::Grouped))),
        (view.say("Stacked bars", "누적 막대"), boxed(svg::bars(&chart, Bars::Stacked))),
        (view.say("Lines", "선"), boxed(svg::line(&chart))),
        (view.say("Areas", "영역"), boxed(svg::areas(&chart))),
        (view.say("Doughnut", "도넛"), shares(svg::donut(&donut))),
        (view.say("Treemap", "트리맵"), shares(svg::treemap(&donut))),
        (view.say("Days", "날짜별"), heat),
    ]
}
