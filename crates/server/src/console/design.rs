//! A page with every component of pages.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::{MethodFilter, on};

use super::Console;
use hansang_http::route::{Needs, Route};
use hansang_ui::form::{Field, Input};
use hansang_ui::frame::{Frame, Section, View, page};
use hansang_ui::svg::{self, Bars, Chart, Donut, Series};

#[derive(Template)]
#[template(path = "console/design.html")]
struct Design {
    frame: Frame,
    fields: Vec<Field>,
    bars: String,
    stacked: String,
    line: String,
    donut: String,
    spark: String,
}

pub(super) fn route(console: &Console) -> Route {
    let console = console.clone();
    let handler = on(MethodFilter::GET, async move |view: View| show(&console, view));
    Route::page("/console/design", Needs::SignedIn, handler)
}

fn show(console: &Console, view: View) -> Response {
    let title = view.say("Design", "디자인").to_owned();
    let (fields, charts) = (fields(&view), charts(&view));
    let [bars, stacked, line, donut, spark] = charts;
    let frame = console.frame(view, &title, Section::Home);
    page(StatusCode::OK, &Design { frame, fields, bars, stacked, line, donut, spark })
}

fn fields(view: &View) -> Vec<Field> {
    let choices = [("A", view.say("First", "첫째")), ("B", view.say("Second", "둘째"))];
    let choices = choices.map(|(value, name)| (value.to_owned(), name.to_owned())).into();
    vec![
        Field {
            hint: view
                .say("A hint helps before a mistake is made.", "힌트는 실수하기 전에 도와줍니다.")
                .to_owned(),
            ..Field::text("text", view.say("Text", "글"))
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
            ..Field::text("wrong", view.say("With a problem", "잘못된 값"))
        },
        Field {
            value: "ORDER#0042".to_owned(),
            locked: true,
            code: true,
            ..Field::text("locked", view.say("Locked", "바꿀 수 없음"))
        },
        Field { input: Input::Choice(choices), ..Field::text("choice", view.say("Choice", "선택")) },
        Field {
            input: Input::Check,
            value: "true".to_owned(),
            required: false,
            ..Field::text("check", view.say("Checked", "켜짐"))
        },
        Field {
            input: Input::Area { rows: 3 },
            required: false,
            ..Field::text("area", view.say("Longer text", "긴 글"))
        },
    ]
}

fn charts(view: &View) -> [String; 5] {
    let months = ["1", "2", "3", "4", "5", "6"].map(|month| match view.is_korean() {
        true => format!("{month}월"),
        false => format!("2026-0{month}"),
    });
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
        empty: view.say("No figures", "수치 없음"),
    };
    let shares = [
        (view.say("Rent", "월세").to_owned(), 90.0),
        (view.say("Food", "식비").to_owned(), 60.0),
        (view.say("Transport", "교통").to_owned(), 25.0),
        (view.say("Clothes", "옷").to_owned(), 10.0),
    ];
    let donut = Donut {
        title: "",
        summary: view.say("Shares of the expenses", "지출의 비중"),
        shares: &shares,
        unit: "",
        other: view.say("Other", "기타"),
        empty: view.say("No figures", "수치 없음"),
    };
    let rising = [1.0, 3.0, 2.0, 6.0, 4.0, 8.0, 7.0, 9.0];
    let spark = svg::sparkline(&rising, view.say("A rising line", "오르는 선"));
    let [grouped, stacked] = [Bars::Grouped, Bars::Stacked].map(|how| svg::bars(&chart, how));
    [grouped, stacked, svg::line(&chart), svg::donut(&donut), spark]
}
