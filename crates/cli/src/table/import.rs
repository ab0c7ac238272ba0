//! `hansang table import`: stores the items of files in a table.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use hansang_core::identify::check_item;
use hansang_core::plan::{Action, Condition, Guard, Reason, Write as Put};
use hansang_core::store::check;
use hansang_core::{Db, Error, Item, Name, StoreError};
use serde_json::json;

use super::checkpoint::Checkpoint;
use crate::systems;
use crate::target::Target;
use hansang_command::export::Export;
use hansang_command::lines::{self, Lines};
use hansang_command::progress;
use hansang_command::{Failure, say};

/// The maximum number of items that are checked and stored at once.
const MAX_CHUNK_ITEMS: usize = 1000;
/// The bytes of lines after which a chunk is stored.
const MAX_CHUNK_BYTES: usize = 4 * 1024 * 1024;
/// The maximum number of rejections that are printed.
const MAX_PRINTED: u64 = 20;

/// The number of items that are stored at once where each is stored under a condition.
const MAX_PARALLEL: usize = 32;

/// The counts of an import.
#[derive(Default)]
struct Counts {
    stored: u64,
    refused: u64,
    before: u64,
}

pub(super) async fn run(
    target: &Target,
    files: &[PathBuf],
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let files = expand(files)?;
    target.db.ensure_table().await?;
    let replaces = may_replace(&target.db)?;
    let mut counts = Counts::default();
    for file in &files {
        import(target, replaces, file, &mut counts).await?;
    }
    let before = match counts.before {
        0 => String::new(),
        before => format!(" ({before} lines were done before it was cut off)"),
    };
    let refused = match counts.refused {
        0 => String::new(),
        refused => format!(", {refused} refused"),
    };
    writeln!(out, "{} items stored in {}{refused}{before}", counts.stored, target.table().name)?;
    Ok(if counts.refused == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The files of a list of files, directories and exports of the cloud.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(Export::open(path)?.paths().map(Path::to_owned));
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Whether items may replace stored ones: not where only the operations of a system write its table.
fn may_replace(db: &Db) -> Result<bool, Failure> {
    Ok(systems::of_model(db.model())?.is_none_or(|(system, _)| system.check_local_write().is_ok()))
}

async fn import(target: &Target, replaces: bool, file: &Path, counts: &mut Counts) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| Failure::unreadable(file, &error);
    let checkpoint = Checkpoint::beside(file, "import");
    let done = match checkpoint.load()? {
        Some(saved) if saved["table"] == target.table().name.as_str() => saved["lines"].as_u64().unwrap_or(0),
        _ => 0,
    };
    counts.before += done;
    let size = fs::metadata(file).map_err(unreadable)?.len();
    let mut lines = Lines::open(file).map_err(unreadable)?;
    let bar = progress::reading(&file.display().to_string(), size);
    let (mut number, mut bytes) = (0, 0);
    let mut chunk: Vec<(u64, Item)> = Vec::new();
    loop {
        let line = lines.next().map_err(unreadable)?;
        if let Some(line) = &line {
            number += 1;
            if number <= done || line.is_empty() {
                continue;
            }
            bytes += line.len();
            match lines::decode(line) {
                Ok(item) => chunk.push((number, item)),
                Err(problem) => refuse(file, number, &problem, counts),
            }
        }
        if chunk.len() == MAX_CHUNK_ITEMS || bytes >= MAX_CHUNK_BYTES || line.is_none() {
            bytes = 0;
            store(target, replaces, file, std::mem::take(&mut chunk), counts).await?;
            bar.set_position(lines.position());
            if line.is_none() {
                break;
            }
            checkpoint.save(&json!({ "table": target.table().name, "lines": number }))?;
        }
    }
    bar.finish_and_clear();
    checkpoint.remove()
}

async fn store(
    target: &Target,
    replaces: bool,
    file: &Path,
    chunk: Vec<(u64, Item)>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    if !replaces {
        return store_new(target, file, chunk, counts).await;
    }
    let (numbers, items): (Vec<u64>, Vec<Item>) = chunk.into_iter().unzip();
    let imported = target.db.import(items).await?;
    counts.stored += imported.stored as u64;
    for refused in imported.refused {
        refuse(file, numbers[refused.index], &refused.error.message.to_string(), counts);
    }
    Ok(())
}

/// Stores items whose keys are free.
async fn store_new(
    target: &Target,
    file: &Path,
    chunk: Vec<(u64, Item)>,
    counts: &mut Counts,
) -> Result<(), Failure> {
    let one = async |(number, item)| Ok::<_, Failure>((number, store_one(&target.db, item).await?));
    // In the order of the lines, so that the first of two with the same key is stored.
    let done: Vec<(u64, Option<String>)> =
        stream::iter(chunk).map(one).buffered(MAX_PARALLEL).try_collect().await?;
    for (number, refused) in done {
        match refused {
            None => counts.stored += 1,
            Some(problem) => refuse(file, number, &problem, counts),
        }
    }
    Ok(())
}

/// Stores an item whose key is free. Returns the reason for one that is refused. An equal one is not, so that a retry is
/// safe.
async fn store_one(db: &Db, item: Item) -> Result<Option<String>, Failure> {
    let fits = check::item(db.table(), &item)
        .and_then(|key| check_item(db.model(), &item).map(|()| key).map_err(Error::fields));
    let key = match fits {
        Ok(key) => key,
        Err(error) => return Ok(Some(error.message.to_string())),
    };
    let is_free = Guard {
        condition: Condition::Absent((&db.table().pk).into()),
        otherwise: Reason::Exists { entity: Name::from("item") },
    };
    let put = Put { key, action: Action::Put(item.clone()), guards: vec![is_free].into() };
    match db.store().write(db.table(), put).await {
        Ok(_) => Ok(None),
        Err(StoreError::Condition(failed)) => {
            let is_equal = failed.first().and_then(|one| one.item.as_ref()) == Some(&item);
            let text = "exists with other content: change it with the commands of its system, or restore a backup into \
                        an empty table";
            Ok((!is_equal).then(|| text.to_owned()))
        }
        Err(error) => Err(error.into()),
    }
}

fn refuse(file: &Path, line: u64, problem: &str, counts: &mut Counts) {
    counts.refused += 1;
    if counts.refused <= MAX_PRINTED {
        say(&format!("{}:{line}: {problem}", file.display()));
    } else if counts.refused == MAX_PRINTED + 1 {
        say("… and more");
    }
}
