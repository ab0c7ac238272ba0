//! `hansang table export`: writes all items to a file, page by page.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hansang_core::Item;
use hansang_core::plan::Scan;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use serde_json::{Value as Json, json};

use super::checkpoint::Checkpoint;
use crate::target::Target;
use hansang_command::Failure;
use hansang_command::lines;
use hansang_command::progress;

/// The maximum page size.
pub(super) const PAGE: u32 = 1000;
/// The number of bytes between two checkpoints.
const BETWEEN: u64 = 4 * 1024 * 1024;

/// The position of an export.
struct Position {
    /// The last exported key.
    start: Option<Item>,
    items: u64,
    bytes: u64,
}

pub(super) async fn run(target: &Target, to: &Path, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let unwritable = |error: io::Error| Failure::unwritable(to, &error);
    let part = part_of(to);
    let checkpoint = Checkpoint::beside(to, "export");
    let mut position = begin(target, to, &part, &checkpoint)?;
    let mut file =
        OpenOptions::new().create(true).write(true).truncate(false).open(&part).map_err(unwritable)?;
    // Lines after the checkpoint are written again.
    file.set_len(position.bytes).map_err(unwritable)?;
    file.seek(SeekFrom::End(0)).map_err(unwritable)?;
    let resumed = position.items;
    let bar = progress::counting("exporting");
    let mut saved = position.bytes;
    loop {
        let scan = Scan { index: None, limit: PAGE, start: position.start.take(), consistent: true };
        let page = target.db.store().scan(target.table(), &scan).await?;
        let bytes = lines::encode(&page.items, lines::is_compressed(to)).map_err(unwritable)?;
        file.write_all(&bytes).map_err(unwritable)?;
        position.items += page.items.len() as u64;
        position.bytes += bytes.len() as u64;
        position.start = page.next;
        bar.set_position(position.items);
        if position.start.is_none() {
            break;
        }
        if position.bytes - saved >= BETWEEN {
            file.sync_data().map_err(unwritable)?;
            checkpoint.save(&to_json(target, &position))?;
            saved = position.bytes;
        }
    }
    finish(&file, &part, to).map_err(unwritable)?;
    checkpoint.remove()?;
    bar.finish_and_clear();
    let before =
        if resumed > 0 { format!(" ({resumed} of them before it was cut off)") } else { String::new() };
    writeln!(out, "{} items of {} in {}{before}", position.items, target.table().name, to.display())?;
    Ok(ExitCode::SUCCESS)
}

/// The name of the file until it is complete.
pub(super) fn part_of(to: &Path) -> PathBuf {
    let mut name = OsString::from(to.as_os_str());
    name.push(".part");
    name.into()
}

fn begin(target: &Target, to: &Path, part: &Path, checkpoint: &Checkpoint) -> Result<Position, Failure> {
    if to.exists() {
        return Err(Failure::usage(format!("{} exists already: name another file", to.display())));
    }
    let start = Position { start: None, items: 0, bytes: 0 };
    let Some(saved) = checkpoint.load()?.filter(|_| part.exists()) else { return Ok(start) };
    let read = || {
        let start = item_from_typed(&saved["start"]).ok()?;
        Some(Position {
            start: Some(start),
            items: saved["items"].as_u64()?,
            bytes: saved["bytes"].as_u64()?,
        })
    };
    match read() {
        Some(position) if saved["table"] == target.table().name.as_str() => Ok(position),
        _ => {
            let text =
                format!("{} belongs to another export: remove it, or name another file", part.display());
            Err(Failure::usage(text))
        }
    }
}

fn to_json(target: &Target, position: &Position) -> Json {
    let start = position.start.as_ref().map(item_to_typed);
    json!({ "table": target.table().name, "start": start, "items": position.items, "bytes": position.bytes })
}

/// Renames a complete part file, durably.
fn finish(file: &File, part: &Path, to: &Path) -> io::Result<()> {
    file.sync_all()?;
    fs::rename(part, to)
}
