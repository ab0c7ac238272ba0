//! `hansang table backup` and `restore`: all items with a checksum, in the same format for both stores.

use std::fs::{self, File};
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hansang_core::plan::Scan;
use hansang_core::{Item, Page, StoreError};
use serde_json::{Value as Json, json};
use sha2::{Digest as _, Sha256};

use super::export::PAGE;
use super::remote::Server;
use crate::target::{Opened, Target};
use hansang_command::Failure;
use hansang_command::lines::{self, Lines};
use hansang_command::progress;

const ITEMS: &str = "items.json.gz";
const MANIFEST: &str = "backup.json";
const FORMAT: u64 = 1;
/// The number of items that are restored at once.
const CHUNK: usize = 2000;

pub(super) async fn backup(target: &Target, to: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut backup = Backup::begin(to)?;
    let bar = progress::counting("backing up");
    scan(target, async |items| {
        bar.inc(items.len() as u64);
        let text = lines::encode(&items, false).map_err(|error| Failure::unwritable(to, &error))?;
        backup.push(&text)
    })
    .await?;
    let count = backup.finish(json!({
        "model": &*target.db.model().name, "version": target.db.model().version,
        "table": target.table().name, "oneMoment": matches!(target.store, Opened::Embedded(_)),
    }))?;
    bar.finish_and_clear();
    writeln!(out, "{count} items of {} backed up in {}", target.table().name, to.display())?;
    if let Opened::DynamoDb(_) = target.store {
        let hint = "They were read while others may have written; for one moment use point-in-time recovery.";
        writeln!(out, "{hint}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Backs up a model of a running server.
pub(super) async fn of_server(server: &Server, to: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let mut backup = Backup::begin(to)?;
    server.lines("backup", |text| backup.push(text)).await?;
    let count = backup.finish(json!({ "model": server.model, "server": server.url() }))?;
    writeln!(out, "{count} items of {} backed up in {}", server.model, to.display())?;
    Ok(ExitCode::SUCCESS)
}

/// A backup in progress. It is renamed when it is complete.
struct Backup<'t> {
    to: &'t Path,
    draft: PathBuf,
    file: File,
    hash: Sha256,
    count: usize,
}

impl<'t> Backup<'t> {
    fn begin(to: &'t Path) -> Result<Self, Failure> {
        let unwritable = |error: io::Error| Failure::unwritable(to, &error);
        if to.exists() {
            return Err(Failure::usage(format!("{} exists already: name another directory", to.display())));
        }
        let draft = to.with_extension("part");
        let _ = fs::remove_dir_all(&draft);
        fs::create_dir_all(&draft).map_err(unwritable)?;
        let file = File::create(draft.join(ITEMS)).map_err(unwritable)?;
        Ok(Self { to, draft, file, hash: Sha256::new(), count: 0 })
    }

    /// Adds whole lines.
    fn push(&mut self, text: &[u8]) -> Result<(), Failure> {
        let unwritable = |error: io::Error| Failure::unwritable(self.to, &error);
        let bytes = lines::compress(text).map_err(unwritable)?;
        self.hash.update(&bytes);
        self.count += text.iter().filter(|byte| **byte == b'\n').count();
        self.file.write_all(&bytes).map_err(unwritable)
    }

    /// Writes the manifest and renames the backup. Returns the number of items.
    fn finish(self, mut manifest: Json) -> Result<usize, Failure> {
        let unwritable = |error: io::Error| Failure::unwritable(self.to, &error);
        self.file.sync_all().map_err(unwritable)?;
        manifest["format"] = json!(FORMAT);
        manifest["items"] = json!(self.count);
        manifest["sha256"] = json!(hex(&self.hash.finalize()));
        let mut file = File::create(self.draft.join(MANIFEST)).map_err(unwritable)?;
        writeln!(file, "{manifest:#}").map_err(unwritable)?;
        file.sync_all().map_err(unwritable)?;
        fs::rename(&self.draft, self.to).map_err(unwritable)?;
        Ok(self.count)
    }
}

/// Reads all items page by page, from one snapshot if the store supports it.
async fn scan(
    target: &Target,
    mut each: impl AsyncFnMut(Vec<Item>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let frozen = match &target.store {
        Opened::Embedded(store) => Some(store.freeze()?),
        Opened::DynamoDb(_) => None,
    };
    let mut scan = Scan { index: None, limit: PAGE, start: None, consistent: true };
    loop {
        let page: Result<Page, StoreError> = match &frozen {
            Some(frozen) => frozen.scan(target.table(), &scan),
            None => target.db.store().scan(target.table(), &scan).await,
        };
        let page = page?;
        each(page.items).await?;
        scan.start = page.next;
        if scan.start.is_none() {
            return Ok(());
        }
    }
}

pub(super) async fn restore(target: &Target, from: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let expected = check(from)?;
    target.db.ensure_table().await?;
    let first = Scan { index: None, limit: 1, start: None, consistent: true };
    if !target.db.store().scan(target.table(), &first).await?.items.is_empty() {
        let text = format!("the table {} is not empty: restore into an empty one", target.table().name);
        return Err(Failure::Message { text, code: 4 });
    }
    let path = from.join(ITEMS);
    let unreadable = |error: io::Error| Failure::unreadable(&path, &error);
    let size = fs::metadata(&path).map_err(unreadable)?.len();
    let bar = progress::reading("restoring", size);
    let mut lines = Lines::open(&path).map_err(unreadable)?;
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut count = 0;
    loop {
        let line = lines.next().map_err(unreadable)?;
        if let Some(line) = &line {
            chunk.push(lines::decode(line).map_err(|problem| damaged(&path, &format!("a line {problem}")))?);
        }
        if chunk.len() == CHUNK || line.is_none() {
            count += chunk.len() as u64;
            target.db.store().batch_put(target.table(), std::mem::take(&mut chunk)).await?;
            bar.set_position(lines.position());
            if line.is_none() {
                break;
            }
        }
    }
    bar.finish_and_clear();
    if count != expected {
        return Err(damaged(&path, &format!("it has {count} items instead of {expected}")));
    }
    writeln!(out, "{count} items restored into {}", target.table().name)?;
    Ok(ExitCode::SUCCESS)
}

/// Verifies a backup before anything is stored. Returns the number of its items.
fn check(from: &Path) -> Result<u64, Failure> {
    let manifest: PathBuf = from.join(MANIFEST);
    let bytes = fs::read(&manifest).map_err(|error| Failure::unreadable(&manifest, &error))?;
    let json: Json = serde_json::from_slice(&bytes).map_err(|_| damaged(&manifest, "it is not JSON"))?;
    if json["format"].as_u64() != Some(FORMAT) {
        return Err(damaged(&manifest, "this version of Hansang does not know its format"));
    }
    let path = from.join(ITEMS);
    let unreadable = |error: io::Error| Failure::unreadable(&path, &error);
    let mut file = File::open(&path).map_err(unreadable)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(unreadable)? {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    if json["sha256"] != hex(&hash.finalize()).as_str() {
        return Err(damaged(&path, "its check sum is another one than when it was written"));
    }
    json["items"].as_u64().ok_or_else(|| damaged(&manifest, "it does not say how many items there are"))
}

fn damaged(path: &Path, problem: &str) -> Failure {
    let text = format!("{} is damaged, and nothing is restored from it: {problem}", path.display());
    Failure::Message { text, code: 1 }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
