//! Planning: what it costs to turn fields into the request that DynamoDB gets, beside ElectroDB.

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use hansang_core::expression::Expressions;
use hansang_core::plan::Step;
use hansang_core::read::{self, ReadOptions};
use hansang_core::write::{self, Moment};
use hansang_core::{Item, Model, Name, Value, compile};
use serde_json::Value as Json;

use crate::nanos;

pub(crate) fn run() -> Result<(), String> {
    let sources = sources()?;
    let compile_millis = compile_all(&sources);
    let content =
        sources.iter().find(|(name, _)| name == "content.yaml").ok_or("models/content.yaml is missing")?;
    let model = compile(&content.1).map_err(|_| "models/content.yaml does not compile")?;
    let peer = electrodb()?;
    let figure = |name: &str| peer[name].as_f64().ok_or(format!("ElectroDB gave no figure for {name}"));
    let (peer_create, peer_query) = (figure("create")?, figure("query")?);
    let create_plan = nanos(|n| drop(black_box(create(&model, n))));
    let create_request = nanos(|n| {
        for write in create(&model, n) {
            let mut expressions = Expressions::default();
            drop(black_box((expressions.guards(&write), expressions, write)));
        }
    });
    let query_plan = nanos(|_| drop(black_box(query(&model))));
    let query_request = nanos(|_| {
        for step in query(&model).steps {
            let Step::Query(query) = step else { continue };
            let mut expressions = Expressions::default();
            drop(black_box((expressions.key_condition(&query), expressions, query)));
        }
    });
    println!("| planning, one thread | ns | operations a second | times ElectroDB |");
    println!("|---|---|---|---|");
    for (name, ours, theirs) in [
        ("create Post: ElectroDB `.params()`", peer_create, peer_create),
        ("create Post: Hansang, plan", create_plan, peer_create),
        ("create Post: Hansang, plan and expressions", create_request, peer_create),
        ("postsInCategory: ElectroDB `.params()`", peer_query, peer_query),
        ("postsInCategory: Hansang, plan", query_plan, peer_query),
        ("postsInCategory: Hansang, plan and expressions", query_request, peer_query),
    ] {
        println!("| {name} | {ours:.0} | {:.0} | {:.1} |", 1e9 / ours, theirs / ours);
    }
    println!("\ncompile all {} models: {compile_millis:.2} ms", sources.len());
    println!();
    goal("create plan at least 20 times ElectroDB", peer_create / create_plan >= 20.0);
    goal("query plan at least 20 times ElectroDB", peer_query / query_plan >= 20.0);
    goal("query plan under 2 µs", query_plan < 2000.0);
    goal("all models compile in under 10 ms", compile_millis < 10.0);
    Ok(())
}

fn goal(text: &str, reached: bool) {
    println!("{}: {text}", if reached { "reached" } else { "NOT reached" });
}

fn sources() -> Result<Vec<(String, Vec<u8>)>, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models");
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{folder}: {error}"))?;
    let mut sources = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        sources.push((name, std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?));
    }
    Ok(sources)
}

/// Milliseconds to compile every model once: the best of ten.
fn compile_all(sources: &[(String, Vec<u8>)]) -> f64 {
    (0..10)
        .map(|_| {
            let start = Instant::now();
            for (_, source) in sources {
                drop(black_box(compile(source)));
            }
            start.elapsed().as_secs_f64() * 1000.0
        })
        .fold(f64::INFINITY, f64::min)
}

/// A post made from fresh fields, as a request would bring them.
fn create(model: &Model, n: usize) -> Vec<hansang_core::plan::Write> {
    let text = |text: &str| Value::from(text);
    let fields = Item::from([
        (Name::from("id"), Value::S(format!("p{n}"))),
        (Name::from("categoryId"), text("c001")),
        (Name::from("authorId"), text("u001")),
        (Name::from("title"), text("2025 annual report")),
        (Name::from("contents"), text("Markdown contents...")),
        (Name::from("thumbnailUrl"), text("https://cdn.fm-web/thumbnail/p001.png")),
    ]);
    let moment = Moment { now: jiff::Timestamp::UNIX_EPOCH, random: n as u128 };
    model
        .entity("Post")
        .and_then(|entity| write::create(model, entity, fields, &moment).ok())
        .unwrap_or_default()
}

fn query(model: &Model) -> hansang_core::plan::ReadPlan {
    let arguments = Item::from([(Name::from("categoryId"), Value::from("c001"))]);
    let plan = model.pattern("postsInCategory").ok_or(()).and_then(|pattern| {
        let arguments = read::arguments(pattern, arguments).map_err(drop)?;
        read::plan(model, pattern, &arguments, &ReadOptions::default()).map_err(drop)
    });
    plan.unwrap_or_else(|()| std::process::abort())
}

fn electrodb() -> Result<Json, String> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../.tools/electrodb/model.mjs");
    let output = Command::new("node").arg(script).output().map_err(|error| format!("node: {error}"))?;
    if !output.status.success() {
        return Err(format!("ElectroDB: {}", String::from_utf8_lossy(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("ElectroDB: {error}"))
}
