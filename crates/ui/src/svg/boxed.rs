//! A chart with a table of the same figures.

use std::fmt::Write as _;

use hansang_core::message::Language;

use super::figure::figure;
use super::{Chart, Days, Donut};
use crate::escape::escape;
use crate::html::Html;

/// A drawing of a chart, followed by its figures as a table that can be opened.
#[must_use]
pub fn boxed(drawn: &str, chart: &Chart<'_>, language: Language) -> Html {
    let mut head = String::from("<th scope=\"col\"></th>");
    for series in &chart.series {
        let _ = write!(head, "<th scope=\"col\" class=\"number\">{}</th>", escape(&series.name));
    }
    let mut rows = String::new();
    for (index, label) in chart.labels.iter().enumerate() {
        let _ = write!(rows, "<tr><th scope=\"row\">{}</th>", escape(label));
        for series in &chart.series {
            let value = series.value(index).map_or_else(|| "–".to_owned(), figure);
            let _ = write!(rows, "<td class=\"number\">{value}</td>");
        }
        rows.push_str("</tr>");
    }
    with_table(drawn, chart.summary, &head, &rows, language)
}

/// A drawing of shares, followed by its figures as a table that can be opened.
#[must_use]
pub fn boxed_shares(drawn: &str, donut: &Donut<'_>, language: Language) -> Html {
    let head = format!(
        "<th scope=\"col\"></th><th scope=\"col\" class=\"number\">{}</th>",
        escape(if donut.unit.is_empty() { language.say("Value", "값") } else { donut.unit })
    );
    let mut rows = String::new();
    for (index, (name, value)) in donut.shares.iter().enumerate() {
        let (name, value) = (escape(name), figure(*value));
        let name = match donut.links.get(index) {
            Some(link) => format!("<a href=\"{}\">{name}</a>", escape(link)),
            None => name.to_string(),
        };
        let _ = write!(rows, "<tr><th scope=\"row\">{name}</th><td class=\"number\">{value}</td></tr>");
    }
    with_table(drawn, donut.summary, &head, &rows, language)
}

/// A heat map of days, followed by its figures as a table that can be opened: the newest day first.
#[must_use]
pub fn boxed_days(drawn: &str, days: &Days<'_>, language: Language) -> Html {
    let head = format!(
        "<th scope=\"col\">{}</th><th scope=\"col\" class=\"number\">{}</th>",
        language.say("Day", "날짜"),
        escape(if days.unit.is_empty() { language.say("Value", "값") } else { days.unit })
    );
    let mut rows = Vec::new();
    let mut day = days.first;
    for value in days.values {
        let value = if value.is_finite() { figure(*value) } else { "–".to_owned() };
        rows.push(format!("<tr><th scope=\"row\">{day}</th><td class=\"number\">{value}</td></tr>"));
        day = day.tomorrow().unwrap_or(day);
    }
    rows.reverse();
    with_table(drawn, days.summary, &head, &rows.concat(), language)
}

fn with_table(drawn: &str, summary: &str, head: &str, rows: &str, language: Language) -> Html {
    let label = language.say("Show as a table", "표로 보기");
    Html::new(format!(
        "<figure class=\"chart-box\">{drawn}<details><summary>{label}</summary><div class=\"wide\" tabindex=\"0\" \
         role=\"region\" aria-label=\"{}\"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>\
         </details></figure>",
        escape(summary)
    ))
}

#[cfg(test)]
mod tests {
    use super::super::{Series, line};
    use super::*;

    #[test]
    fn the_table_has_the_figures_of_the_chart() {
        let series = vec![Series::new("a<b", [Some(1500.0), None])];
        let labels = vec!["x".to_owned(), "y".to_owned()];
        let chart = Chart { title: "", summary: "s", labels, series, unit: "", empty: "" };
        let html = boxed(&line(&chart), &chart, Language::Korean).to_string();
        assert!(html.contains("표로 보기") && html.contains("a&lt;b</th>"), "{html}");
        assert!(html.contains("<td class=\"number\">1,500</td>") && html.contains(">–</td>"), "{html}");
    }

    #[test]
    fn the_newest_day_comes_first() {
        let first = "2026-11-17".parse().unwrap();
        let days = Days { summary: "s", first, values: &[1.0, f64::NAN, 3.0], unit: "" };
        let html = boxed_days(&super::super::days(&days), &days, Language::English).to_string();
        let rows: Vec<&str> = html.split("<th scope=\"row\">").skip(1).map(|row| &row[..10]).collect();
        assert_eq!(rows, ["2026-11-19", "2026-11-18", "2026-11-17"], "{html}");
        assert!(html.contains("2026-11-18</th><td class=\"number\">–</td>"), "{html}");
    }
}
