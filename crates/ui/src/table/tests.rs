//! Tables as HTML.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, header};

use super::*;
use crate::frame::Shell;

fn frame(here: &str, cookies: &'static str) -> Frame {
    let mut headers = HeaderMap::new();
    headers.insert(header::COOKIE, HeaderValue::from_static(cookies));
    let view = View::of(Arc::new(Shell::new([], [])), &here.parse().unwrap(), &headers);
    Frame::outside(view, "Test")
}

fn table() -> Table {
    let row = |name: &str, amount: Option<i64>| Row {
        key: name.to_owned(),
        link: Some(format!("/console/{name}")),
        cells: vec![Cell::text(name), amount.map_or(Cell::None, Cell::number), Cell::tag("<open>", "good")],
    };
    Table {
        name: "test".to_owned(),
        label: "Amounts".to_owned(),
        columns: vec![
            Column::new("name", "Name", Kind::Text).sortable(),
            Column::new("amount", "Amount", Kind::Number).sortable(),
            Column::new("state", "State", Kind::Tag).hidden(),
        ],
        rows: vec![row("b", Some(1_000_000)), row("a", Some(-5)), row("c", None)],
        ..Table::default()
    }
}

fn order(table: &Table) -> String {
    table.rows.iter().map(|row| &*row.key).collect()
}

#[test]
fn rows_are_sorted_by_the_address() {
    for (here, expected) in [
        ("/console/x", "bac"),
        ("/console/x?sort=name", "abc"),
        ("/console/x?sort=amount", "abc"),
        ("/console/x?sort=amount&dir=desc", "bac"),
        ("/console/x?sort=state", "bac"),
        ("/console/x?sort=unknown", "bac"),
    ] {
        let mut table = table();
        table.sort = Sort::asked(&frame(here, "").view, &table.columns);
        table.sort_rows();
        assert_eq!(order(&table), expected, "{here}");
    }
}

#[test]
fn headings_link_to_the_other_order() {
    let frame = frame("/console/x?q=1&sort=name&cursor=abc", "");
    let mut table = table();
    table.sort = Sort::asked(&frame.view, &table.columns);
    let html = table.html(&frame).to_string();
    assert!(
        html.contains(r#"aria-sort="ascending"><a href="/console/x?q=1&#38;sort=name&#38;dir=desc">"#),
        "{html}"
    );
    assert!(html.contains(r#"href="/console/x?q=1&#38;sort=amount&#38;dir=asc""#), "{html}");
    assert!(html.contains("1,000,000") && html.contains("−5"), "{html}");
    assert!(html.contains(r#"<a href="/console/b"><span class="cut">b</span></a>"#), "{html}");
    assert!(!html.contains("open"), "the column is hidden: {html}");
}

#[test]
fn chosen_columns_are_shown() {
    let html = table().html(&frame("/console/x", "hansang_columns=test:state.name; hansang_density=compact"));
    let html = html.as_str();
    assert!(html.contains("&#60;open&#62;") && !html.contains("1,000,000"), "{html}");
    assert!(html.contains(r#"class="data compact""#), "{html}");
    // A choice of removed columns is ignored.
    let html = table().html(&frame("/console/x", "hansang_columns=test:gone")).to_string();
    assert!(html.contains("1,000,000"), "{html}");
}

#[test]
fn rows_are_selected_in_a_form() {
    let actions = vec![("delete", "Delete".to_owned(), "trash", true)];
    let bulk = Bulk { address: "/console/x/bulk".to_owned(), actions, ..Bulk::default() };
    let html = Table { bulk: Some(bulk), ..table() }.html(&frame("/console/x", "")).to_string();
    assert_eq!(html.matches(r#"name="row""#).count(), 3, "{html}");
    assert!(html.contains(r#"name="do" value="delete""#) && html.contains(r#"name="csrf""#), "{html}");
}

#[test]
fn an_empty_list_names_the_next_step() {
    let empty = Empty {
        icon: "inbox",
        title: "No posts yet".to_owned(),
        text: "Write the first one.".to_owned(),
        action: Some(("New post".to_owned(), "/console/new".to_owned())),
    };
    let html = Table { rows: Vec::new(), empty, ..table() }.html(&frame("/console/x", "")).to_string();
    assert!(html.contains(r#"href="/console/new">New post</a>"#) && !html.contains("<table"), "{html}");
}

#[test]
fn a_page_of_a_list_says_what_is_sorted() {
    let read = Some(Sort { key: "name".to_owned(), descending: false });
    let mut table = Table { partial: true, read, ..table() };
    // The whole list is read in the order of the name, and can be read in reverse.
    let html = table.html(&frame("/console/x?q=1&cursor=abc", "")).to_string();
    assert!(
        html.contains(r#"aria-sort="ascending"><a href="/console/x?q=1&#38;order=descending">"#),
        "{html}"
    );
    assert!(!html.contains("Only the rows"), "{html}");
    // Another column sorts this page and says so.
    assert!(html.contains(r#"href="/console/x?q=1&#38;cursor=abc&#38;sort=amount&#38;dir=asc""#), "{html}");
    let sorted = frame("/console/x?q=1&cursor=abc&sort=amount&dir=asc", "");
    table.sort = Sort::asked(&sorted.view, &table.columns);
    let html = table.html(&sorted).to_string();
    let note = r#"Only the rows on this page are sorted. <a href="/console/x?q=1&#38;order=ascending">Sort the whole list by Name</a>"#;
    assert!(html.contains(note), "{html}");
}
