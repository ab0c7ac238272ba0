//! The list of all projects, through each cache, on DynamoDB Local.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use hansang_core::cache::{Cache, Cached};
use hansang_documents::{Documents, ProjectText, create_project, invalidate, query_projects};
use hansang_embedded::MemoryCache;
use hansang_valkey::{Settings, Valkey};
use jiff::Timestamp;

use super::{failed, open, timed};
use crate::goal;
use crate::server::Server;

const PROJECTS: usize = 1000;
const TIMES: usize = 100;
const KEY: &str = "query_projects";
/// A list that changed a moment ago is not kept, because the index may lag behind.
const SETTLED: Duration = Duration::from_secs(11);

pub(super) async fn measure(directory: &Path) -> Result<(), String> {
    eprintln!("{PROJECTS} projects…");
    let (data, files) = (directory.join("dynamodb"), directory.join("files"));
    std::fs::create_dir(&data).map_err(|error| error.to_string())?;
    let local = Server::dynamodb_local(&data)?;
    let store = Arc::new(local.connect().await?);
    let none = open(store.clone(), Cached::none(), &files).await?;
    for number in 0..PROJECTS {
        let text = ProjectText {
            name: format!("Project {number}"),
            description: Some("A project with documents, and a description of usual length.".to_owned()),
            language: Some("ko".to_owned()),
            color: Some("#8A3B12".to_owned()),
            ..ProjectText::default()
        };
        create_project(&none, "bench", &text).await.map_err(failed)?;
    }
    tokio::time::sleep(SETTLED).await;
    let valkey = start()?;
    let settings = Settings::new(&format!("127.0.0.1:{}", valkey.port));
    let remote = Valkey::connect(settings).await.map_err(|error| error.to_string())?;
    let memory = MemoryCache::new(64 << 20, Arc::new(Timestamp::now));
    let cached = |cache: Arc<dyn Cache>| open(store.clone(), Cached::new(cache), &files);
    let (remote, memory) = (cached(Arc::new(remote)).await?, cached(Arc::new(memory)).await?);

    println!(
        "| the list of {PROJECTS} projects on DynamoDB Local | p50, ms | p99, ms | × without |\n|---|---|---|---|"
    );
    let mut medians = Vec::new();
    for (name, documents) in [("without a cache", &none), ("Valkey", &remote), ("in process", &memory)] {
        list(documents).await?;
        let (p50, p99) = timed(TIMES, async |_| list(documents).await).await?;
        medians.push(p50);
        println!("| {name} | {p50:.2} | {p99:.2} | {:.1} |", medians[0] / p50);
    }
    // Misses alternate with plain reads, so that both see the same machine.
    let (mut misses, mut plain) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        plain.push(timed(TIMES / 5, async |_| list(&none).await).await?.0);
        let miss = async |_| {
            invalidate(&remote, KEY).await;
            list(&remote).await
        };
        misses.push(timed(TIMES / 5, miss).await?.0);
    }
    misses.sort_by(f64::total_cmp);
    plain.sort_by(f64::total_cmp);
    let (miss, plain) = (misses[2], plain[2]);
    println!("| a miss in Valkey, with its invalidation | {miss:.2} | | {:.2} |\n", plain / miss);
    goal(
        "the list through Valkey is at least 3 times as fast as without a cache",
        medians[0] / medians[1] >= 3.0,
    );
    goal(
        "the list in process is at least 20 times as fast as without a cache",
        medians[0] / medians[2] >= 20.0,
    );
    goal("a miss costs under 5 % more than no cache", miss / plain < 1.05);
    println!();
    Ok(())
}

async fn list(documents: &Documents) -> Result<(), String> {
    let projects = query_projects(documents).await.map_err(failed)?;
    if projects.len() == PROJECTS { Ok(()) } else { Err(format!("{} projects", projects.len())) }
}

/// Starts Valkey if it is installed, otherwise Redis.
fn start() -> Result<Server, String> {
    let is_there = |name: &str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    let program = if is_there("valkey-server") { "valkey-server" } else { "redis-server" };
    Server::start(|port| {
        let mut command = Command::new(program);
        command.args([
            "--bind",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        command
    })
}
