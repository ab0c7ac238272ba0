//! Pages forwards and backwards cover the whole result, with any page size.

use std::collections::BTreeSet;

use hansang_core::db::Ask;
use proptest::prelude::{ProptestConfig, Strategy, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::TestCaseError;
use serde_json::{Value as Json, json};

use super::{BEGIN, BLOG, World, fields};

/// Stored items: visits of a few months, some expired, and other entities in between.
#[derive(Clone, Debug)]
enum Thing {
    Visit { month: u8, day: u8, number: u16, expired: bool },
    Total { month: u8 },
    Post { id: u8, author: u8, published: u8, expired: bool },
    Setting { name: bool },
}

fn thing() -> impl Strategy<Value = Thing> {
    prop_oneof![
        6 => (1_u8..4, 1_u8..6, 0_u16..4, proptest::bool::weighted(0.3))
            .prop_map(|(month, day, number, expired)| Thing::Visit { month, day, number, expired }),
        1 => (1_u8..4).prop_map(|month| Thing::Total { month }),
        4 => (0_u8..20, 0_u8..2, 1_u8..4, proptest::bool::weighted(0.3))
            .prop_map(|(id, author, published, expired)| Thing::Post { id, author, published, expired }),
        1 => proptest::bool::ANY.prop_map(|name| Thing::Setting { name }),
    ]
}

impl Thing {
    /// Entity, fields, and whether the item is visible.
    fn fields(&self) -> (&'static str, Json, bool) {
        let end = |expired: &bool| if *expired { BEGIN + 1 } else { BEGIN + 1000 };
        match self {
            Self::Visit { month, day, number, expired } => (
                "Visit",
                json!({"month": format!("2026-0{month}"), "day": day, "number": number, "page": "x", "ttl": end(expired)}),
                !expired,
            ),
            Self::Total { month } => ("Total", json!({"month": format!("2026-0{month}"), "visits": 1}), true),
            Self::Post { id, author, published, expired } => (
                "Post",
                json!({"blogId": "b", "postId": format!("{id:02}"), "slug": format!("s{id}"), "title": "T",
                    "author": format!("a{author}"), "publishedAt": format!("2026-0{published}-01T00:00:00Z"),
                    "ttl": end(expired)}),
                !expired,
            ),
            Self::Setting { name } => (
                "Setting",
                json!({"blogId": "b", "name": if *name { "theme" } else { "language" }, "value": 1}),
                true,
            ),
        }
    }
}

/// Patterns and their arguments.
fn patterns() -> Vec<(&'static str, Json)> {
    vec![
        ("visits", json!({"month": "2026-01"})),
        ("visits", json!({"month": "2026-02", "from": 2, "to": 4})),
        ("report", json!({"month": "2026-01"})),
        ("visitsOfMonths", json!({"from": "2026-01", "to": "2026-03"})),
        ("everything", json!({"blogId": "b"})),
        ("posts", json!({"blogId": "b"})),
        ("settings", json!({"blogId": "b"})),
        ("ofAuthor", json!({"author": "a0"})),
        ("idsOfAuthor", json!({"author": "a1"})),
    ]
}

/// Expected names of the items of a pattern, in order.
fn expected(pattern: &str, given: &Json, things: &[Thing]) -> Vec<String> {
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    let month = given["month"].as_str();
    for thing in things.iter() {
        let (entity, fields, alive) = thing.fields();
        let text = |name: &str| fields[name].as_str().unwrap_or_default().to_owned();
        let number = |name: &str| fields[name].as_i64().unwrap_or_default();
        let name = match entity {
            "Visit" => format!("{}/{:02}/{:04}", text("month"), number("day"), number("number")),
            "Total" => text("month"),
            "Post" => text("postId"),
            _ => text("name"),
        };
        // A second item of the same key is not created.
        if !seen.insert((entity, name.clone())) || !alive {
            continue;
        }
        let in_range = |day: i64| {
            given["from"].as_i64().is_none_or(|from| from <= day)
                && given["to"].as_i64().is_none_or(|to| day <= to)
        };
        let sort_key = match (pattern, entity) {
            ("visits", "Visit") if month == Some(&*text("month")) && in_range(number("day")) => name.clone(),
            ("report", "Total") if month == Some(&*text("month")) => format!("0{name}"),
            ("report", "Visit") if month == Some(&*text("month")) => format!("1{name}"),
            ("visitsOfMonths", "Visit") => name.clone(),
            ("everything", "Post" | "Setting") => format!("{entity}{name}"),
            ("posts", "Post") => name.clone(),
            ("settings", "Setting") => if name == "theme" { "0" } else { "1" }.to_owned(),
            ("ofAuthor", "Post") if given["author"] == fields["author"] => {
                format!("{}{name}", text("publishedAt"))
            }
            ("idsOfAuthor", "Post") if given["author"] == fields["author"] => name.clone(),
            _ => continue,
        };
        found.push((sort_key, format!("{entity} {name}")));
    }
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

fn name(record: &hansang_core::Record) -> String {
    let text = |name: &str| record.text(name).unwrap_or_default().to_owned();
    let number = |name: &str| record.fields[name].as_number().unwrap().to_i64().unwrap();
    let name = match &*record.entity.name {
        "Visit" => format!("{}/{:02}/{:04}", text("month"), number("day"), number("number")),
        "Total" => text("month"),
        "Post" => text("postId"),
        _ => text("name"),
    };
    format!("{} {name}", record.entity.name)
}

/// Walks through the pages: `steps` says whether each step goes forwards or back.
async fn walk(
    world: &World,
    (pattern, given): (&str, &Json),
    descending: bool,
    sizes: &[u32],
    turns: &[bool],
    expected: &[String],
) -> Result<(), TestCaseError> {
    let ask = async |cursor: Option<String>, size: u32| {
        let ask = Ask { limit: Some(size), descending: Some(descending), cursor, ..Ask::default() };
        world.db.query(pattern, fields(given.clone()), ask).await.unwrap()
    };
    // Forwards to the end and back to the start, with pages of any size.
    let (mut forwards, mut cursor, mut pages) = (Vec::new(), None, sizes.iter().cycle());
    let mut last = loop {
        let page = ask(cursor, *pages.next().unwrap()).await;
        prop_assert_eq!(page.previous.is_none(), forwards.is_empty());
        forwards.extend(page.records.iter().map(name));
        if page.next.is_none() {
            break page;
        }
        prop_assert!(!page.records.is_empty());
        cursor = page.next.clone();
    };
    prop_assert_eq!(&forwards, expected);
    let mut back: Vec<String> = last.records.iter().map(name).collect();
    while last.previous.is_some() {
        last = ask(last.previous, *pages.next().unwrap()).await;
        back.splice(0..0, last.records.iter().map(name));
        prop_assert!(back.len() <= expected.len());
    }
    prop_assert_eq!(&back, expected);
    // Any walk: each page is the part of the result at the cursor.
    let (mut start, mut end, mut page) = (0, 0, ask(None, 1).await);
    for (turn, size) in turns.iter().zip(sizes.iter().cycle()) {
        let found: Vec<String> = page.records.iter().map(name).collect();
        end = if end == 0 { found.len() } else { end };
        prop_assert_eq!(&found[..], &expected[start..end]);
        prop_assert_eq!(page.next.is_some(), end < expected.len());
        prop_assert_eq!(page.previous.is_some(), start > 0);
        let size_there = *size as usize;
        (start, end, page) = match (turn, page.next, page.previous) {
            (true, Some(next), _) => {
                (end, expected.len().min(end + size_there), ask(Some(next), *size).await)
            }
            (false, _, Some(previous)) => {
                (start.saturating_sub(size_there), start, ask(Some(previous), *size).await)
            }
            _ => break,
        };
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: ProptestConfig::default().cases.div_ceil(8), ..ProptestConfig::default() })]

    #[test]
    fn pages_together_are_the_answer(
        things in proptest::collection::vec(thing(), 0..60),
        sizes in proptest::collection::vec(1_u32..8, 1..6),
        turns in proptest::collection::vec(proptest::bool::weighted(0.6), 0..12),
        descending in proptest::bool::ANY,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let world = World::of(BLOG).await;
            for thing in &things {
                let (entity, given, _) = thing.fields();
                match world.create(entity, given).await {
                    Ok(_) => {}
                    Err(error) => prop_assert_eq!(error.code, "already_exists"),
                }
            }
            world.pass(10);
            for (pattern, given) in patterns() {
                let mut expected = expected(pattern, &given, &things);
                if descending {
                    // Descending order applies within a leg and to a fan-out. Legs stay in the order of the
                    // model.
                    expected.reverse();
                    if pattern == "report" {
                        expected.sort_by_key(|name| name.starts_with("Visit"));
                    }
                }
                walk(&world, (pattern, &given), descending, &sizes, &turns, &expected).await?;
            }
            Ok(())
        })?;
    }
}
