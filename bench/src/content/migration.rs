//! A migration of many old posts from an export of the cloud, compared with an import of as many items.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::goal;
use crate::server::memory;

pub(super) const ROWS: usize = 1_000_000;
const PROGRAM: &str = "target/release/hansang";
/// The number of categories of the old table.
const CATEGORIES: usize = 20;
/// The growth of the memory from a tenth of the rows to all of them that still counts as constant.
const MAX_GROWTH: f64 = 1.5;

/// The time of a command, and the most memory that it had.
struct Ran {
    seconds: f64,
    memory: u64,
}

pub(super) fn measure(directory: &Path, rows: usize) -> Result<(), String> {
    eprintln!("{rows} rows…");
    let categories = directory.join("categories.jsonl");
    write_categories(&categories).map_err(|error| error.to_string())?;
    let (posts, some, items) =
        (directory.join("posts"), directory.join("some"), directory.join("items.jsonl"));
    export(&posts, rows).and_then(|()| export(&some, rows / 10)).map_err(|error| error.to_string())?;
    write_items(&items, rows).map_err(|error| error.to_string())?;
    let migrate = |posts: &Path, data: &str| {
        let data = directory.join(data);
        let mut command = Command::new(PROGRAM);
        command.args(["content", "migrate", "--from", "export", "--posts"]).arg(posts);
        command.arg("--categories").arg(&categories).arg("--data").arg(data);
        run(&mut command)
    };
    let small = migrate(&some, "migrated-some")?;
    let whole = migrate(&posts, "migrated")?;
    let import = |file: &Path, data: &str| {
        let data = directory.join(data);
        run(Command::new(PROGRAM).args(["table", "create", "content", "--data"]).arg(&data))?;
        run(Command::new(PROGRAM).args(["table", "import", "content"]).arg(file).arg("--data").arg(&data))
    };
    let raw = import(&items, "imported")?;
    let all = directory.join("all.jsonl");
    let from = directory.join("migrated");
    run(Command::new(PROGRAM)
        .args(["table", "export", "content", "--to"])
        .arg(&all)
        .arg("--data")
        .arg(&from))?;
    let same = import(&all, "imported-all")?;
    println!("| from an export | s | rows a second | memory, MB |\n|---|---|---|---|");
    let line = |name: &str, rows: usize, ran: &Ran| {
        let rate = rows as f64 / ran.seconds;
        println!("| {name} | {:.1} | {rate:.0} | {:.0} |", ran.seconds, ran.memory as f64 / 1e6);
    };
    line(&format!("migration of {} old posts", rows / 10), rows / 10, &small);
    line(&format!("migration of {rows} old posts: posts, lists, pointers and records"), rows, &whole);
    line(&format!("`table import` of {rows} posts, as items"), rows, &raw);
    line("`table import` of all items that the migration wrote", rows, &same);
    println!();
    goal("a migration has at least half the speed of a raw import", raw.seconds / whole.seconds >= 0.5);
    goal("a migration has at least the speed of an import of the same items", same.seconds >= whole.seconds);
    let grown = whole.memory as f64 / small.memory as f64;
    goal("a migration of ten times the rows takes the same memory", grown <= MAX_GROWTH);
    let beside = whole.memory as f64 / same.memory as f64;
    goal("a migration takes the memory of an import of the same items", beside <= MAX_GROWTH);
    println!();
    Ok(())
}

fn category(number: usize) -> String {
    format!("category-{}", number % CATEGORIES)
}

fn content() -> String {
    "본문은 여러 줄입니다. A line of an old post.\n".repeat(16)
}

fn write_categories(path: &Path) -> std::io::Result<()> {
    let mut file = File::create(path)?;
    for number in 0..CATEGORIES {
        let row = json!({
            "categoryId": format!("c{number:03}"), "name": format!("Category {number}"), "slug": category(number),
            "description": "An old category", "order": number, "createdAt": "2025-11-10T01:00:00.000000+00:00",
        });
        writeln!(file, "{row}")?;
    }
    Ok(())
}

/// An export of the cloud: a manifest and compressed files.
fn export(directory: &Path, rows: usize) -> std::io::Result<()> {
    const PARTS: usize = 4;
    let export = directory.join("AWSDynamoDB/01-bench");
    std::fs::create_dir_all(export.join("data"))?;
    let mut manifest = File::create(export.join("manifest-files.json"))?;
    let content = content();
    for part in 0..PARTS {
        let name = format!("part{part}.json.gz");
        let file = BufWriter::new(File::create(export.join("data").join(&name))?);
        let mut file = GzEncoder::new(file, Compression::fast());
        let numbers = (rows * part / PARTS)..(rows * (part + 1) / PARTS);
        let count = numbers.len();
        for number in numbers {
            let item = json!({
                "postId": { "S": format!("p{number:07}") }, "category": { "S": category(number) },
                "title": { "S": format!("An old post, number {number}") }, "content": { "S": content },
                "author": { "S": "김대연" }, "thumbnailUrl": { "NULL": true },
                "createdAt": { "S": "2025-11-12T05:00:00.123456+00:00" },
                "updatedAt": { "S": "2025-11-13T05:00:00.123456+00:00" },
            });
            writeln!(file, "{}", json!({ "Item": item }))?;
        }
        file.finish()?.flush()?;
        writeln!(manifest, "{}", json!({ "itemCount": count, "dataFileS3Key": format!("x/data/{name}") }))?;
    }
    Ok(())
}

/// The same posts as items of the table.
fn write_items(path: &Path, rows: usize) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    let content = content();
    for number in 0..rows {
        let (id, category) = (format!("p{number:07}"), format!("c{:03}", number % CATEGORIES));
        let text = |text: &str| json!({ "S": text });
        let item = json!({
            "PK": text(&format!("CATEGORY#{category}")), "SK": text(&format!("POST#{id}")), "Type": text("Post"),
            "id": text(&id), "categoryId": text(&category), "authorId": text("u001"),
            "title": text(&format!("An old post, number {number}")), "contents": text(&content),
            "CreatedAt": text("2025-11-12T05:00:00Z"), "UpdatedAt": text("2025-11-13T05:00:00Z"),
        });
        writeln!(file, "{}", json!({ "Item": item }))?;
    }
    file.flush()
}

/// Runs a command to its end, and looks at its memory meanwhile.
fn run(command: &mut Command) -> Result<Ran, String> {
    let start = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("{command:?}: {error}"))?;
    let process = child.id().to_string();
    let mut most = 0;
    loop {
        // The peak of the process so far.
        most = most.max(memory(&process, "VmHWM:").unwrap_or_default());
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => {
                return Ok(Ran { seconds: start.elapsed().as_secs_f64(), memory: most });
            }
            Some(status) => return Err(format!("{command:?}: {status}")),
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
