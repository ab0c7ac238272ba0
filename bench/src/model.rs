//! Planning: turning fields into a DynamoDB request, compared with ElectroDB.

use std::hint::black_box;
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use hansang_core::expression::Expressions;
use hansang_core::plan::Step;
use hansang_core::read::{self, ReadOptions};
use hansang_core::write::{self, Moment};
use hansang_core::{Item, Model, Name, Value, compile};
use serde_json::Value as Json;

use crate::{goal, nanos};

pub(crate) fn run() -> Result<(), String> {
    let sources = sources()?;
    let compile_millis = compile_all(&sources);
    let content =
        sources.iter().find(|(name, _)| name == "content.yaml").ok_or("models/content.yaml is missing")?;
    let model = compile(&content.1).map_err(|_| "models/content.yaml does not compile")?;
    let peer = electrodb()?;
    let figure = |name: &str| peer[name].as_f64().ok_or(format!("ElectroDB gave no figure for {name}"));
    let (peer_create, peer_query) = (figure("create")?, figure("query")?);
    let plain = without_unique(&content.1)?;
    let create_plain = nanos(|n| drop(black_box(create(&plain, n))));
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
        ("create Post: Hansang, plan", create_plain, peer_create),
        ("the same with `unique: id`, a second write that ElectroDB does not plan", create_plan, peer_create),
        ("… and with the expressions of both writes", create_request, peer_create),
        ("postsInCategory: ElectroDB `.params()`", peer_query, peer_query),
        ("postsInCategory: Hansang, plan", query_plan, peer_query),
        ("postsInCategory: Hansang, plan and expressions", query_request, peer_query),
    ] {
        println!("| {name} | {ours:.0} | {:.0} | {:.1} |", 1e9 / ours, theirs / ours);
    }
    println!("\ncompile all {} models: {compile_millis:.2} ms", sources.len());
    println!();
    goal("create plan at least 20 times ElectroDB", peer_create / create_plain >= 20.0);
    goal("query plan at least 20 times ElectroDB", peer_query / query_plan >= 20.0);
    goal("query plan under 2 µs", query_plan < 2000.0);
    goal("all models compile in under 10 ms", compile_millis < 10.0);
    Ok(())
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

/// The model without the unique constraint on the id of a post, which ElectroDB does not have, so that both plan one Put.
fn without_unique(content: &[u8]) -> Result<Model, String> {
    let source = String::from_utf8_lossy(content);
    let constraint = "id: [id]\n";
    let end = source.find(constraint).ok_or("Post has no `unique: id`")? + constraint.len();
    let start = source[..end].rfind("    unique:").ok_or("Post has no `unique:`")?;
    let kept = [&source[..start], &source[end..]].concat();
    let fewer: Vec<&str> = kept.lines().filter(|line| !line.contains("unique: id,")).collect();
    let fewer = fewer.join("\n");
    compile(fewer.as_bytes()).map_err(|problems| format!("without `unique: id`: {}", problems[0].message))
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

/// The names of the given fields: constants, like the keys of an object literal.
static NAMES: LazyLock<[Name; 6]> =
    LazyLock::new(|| ["id", "categoryId", "authorId", "title", "contents", "thumbnailUrl"].map(Name::from));

/// A post with new values, like those of a request.
fn create(model: &Model, n: usize) -> Vec<hansang_core::plan::Write> {
    let values = [
        format!("p{n}"),
        "c001".to_owned(),
        "u001".to_owned(),
        "2025 annual report".to_owned(),
        "Markdown contents...".to_owned(),
        "https://cdn.fm-web/thumbnail/p001.png".to_owned(),
    ];
    let fields: Item = NAMES.iter().cloned().zip(values.map(Value::from)).collect();
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
