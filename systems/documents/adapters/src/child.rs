//! The process that reads a file: it limits itself, and writes what it reads as lines of JSON.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use rustix::process::{Resource, Rlimit, setrlimit};
use serde::{Deserialize, Serialize};

use crate::event::Event;
use crate::extract::extract;
use crate::limits::{Limits, MEGABYTE, Options};
use crate::trouble::Trouble;

/// What a reader is asked for, as its only argument.
#[derive(Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) file: PathBuf,
    pub(crate) options: Options,
}

/// Reads the file that `request` names, as the last argument that [`crate::extract_in_child`] gives to a program. Call it
/// first in a process that does nothing else: it limits the whole process.
#[must_use]
pub fn read_as_child(request: &str) -> ExitCode {
    let Ok(Request { file, options }) = serde_json::from_str(request) else { return ExitCode::from(2) };
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut write = |event: &Event| -> Result<(), Trouble> {
        serde_json::to_writer(&mut out, event).map_err(|_| Trouble::NotReadable)?;
        out.write_all(b"\n")?;
        // The parent shows progress, and has all pages before one that fails.
        Ok(out.flush()?)
    };
    let result =
        limit(&file, &options.limits).and_then(|()| extract(&file, &options, &mut |event| write(&event)));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            // A parent that is gone needs no reason.
            let _ = write(&Event::Failed(trouble));
            ExitCode::FAILURE
        }
    }
}

/// Limits the address space, the time of the processor and the size of files, and writes no core.
fn limit(file: &Path, limits: &Limits) -> Result<(), Trouble> {
    let size = std::fs::metadata(file)?.len();
    let memory = used().saturating_add(limits.memory_mb * MEGABYTE).saturating_add(size);
    let set = |resource, soft: u64, hard: u64| {
        let limit = Rlimit { current: Some(soft), maximum: Some(hard) };
        setrlimit(resource, limit).map_err(|_| Trouble::NotStarted)
    };
    set(Resource::Core, 0, 0)?;
    set(Resource::Cpu, limits.seconds, limits.seconds + 1)?;
    set(Resource::Fsize, limits.image_mb * MEGABYTE, limits.image_mb * MEGABYTE)?;
    set(Resource::As, memory, memory)
}

/// The address space that the program itself has: its allocator may reserve a lot.
fn used() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = pages.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or_default();
    pages.saturating_mul(rustix::param::page_size() as u64)
}
