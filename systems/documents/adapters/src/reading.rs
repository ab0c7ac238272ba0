//! Reading in a child process, as its parent: time, and the reasons why a child ends.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::Signal;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::child::Request;
use crate::event::Event;
use crate::limits::{Limits, Options};
use crate::trouble::Trouble;

/// The bytes that one line of a child may have: a page with its positions.
const MAX_LINE: usize = 64 * 1024 * 1024;
/// The bytes of a child's words that are kept.
const MAX_WORDS: usize = 4096;

/// The program that reads files, with the arguments before the request: the product itself with a hidden command.
#[derive(Clone, Debug)]
pub struct Reader {
    /// The path of the program.
    pub program: PathBuf,
    /// Its first arguments. It gives the last one to [`crate::read_as_child`].
    pub arguments: Vec<OsString>,
}

/// Starts to read a file in a child process. Dropping the result kills the child.
///
/// # Errors
/// When the program cannot be started.
pub fn extract_in_child(reader: &Reader, file: &Path, options: &Options) -> Result<Reading, Trouble> {
    let request = Request { file: file.to_owned(), options: options.clone() };
    let request = serde_json::to_string(&request).map_err(|_| Trouble::NotStarted)?;
    let mut child = Command::new(&reader.program)
        .args(&reader.arguments)
        .arg(request)
        // The child reads files of strangers: it needs none of our keys.
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(|_| Trouble::NotStarted)?;
    let (Some(out), Some(words)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(Trouble::NotStarted);
    };
    Ok(Reading {
        child,
        lines: BufReader::new(out),
        words: tokio::spawn(last_words(words)),
        deadline: Instant::now() + Duration::from_secs(options.limits.seconds),
        limits: options.limits,
        over: false,
    })
}

/// A file that is being read.
#[derive(Debug)]
pub struct Reading {
    child: Child,
    lines: BufReader<ChildStdout>,
    words: JoinHandle<String>,
    deadline: Instant,
    limits: Limits,
    over: bool,
}

impl Reading {
    /// The next event, or nothing after the last. The next page is read while this one is worked on, a few pages ahead.
    ///
    /// # Errors
    /// Why the file cannot be read to its end. Nothing comes after.
    pub async fn next(&mut self) -> Result<Option<Event>, Trouble> {
        if self.over {
            return Ok(None);
        }
        let event = self.event().await;
        match &event {
            Ok(Event::Facts(_) | Event::Segment(_)) => {}
            Ok(Event::Done(_) | Event::Failed(_)) | Err(_) => {
                self.over = true;
                let _ = self.child.kill().await;
            }
        }
        match event? {
            Event::Failed(trouble) => Err(trouble),
            event => Ok(Some(event)),
        }
    }

    async fn event(&mut self) -> Result<Event, Trouble> {
        let line = timeout_at(self.deadline, line(&mut self.lines)).await;
        let line = line.map_err(|_| Trouble::TooSlow(self.limits.seconds))??;
        if let Some(line) = line {
            return serde_json::from_slice(&line).map_err(|_| Trouble::Crashed);
        }
        let status = timeout_at(self.deadline, self.child.wait()).await;
        let status = status.map_err(|_| Trouble::TooSlow(self.limits.seconds))??;
        let words = (&mut self.words).await.unwrap_or_default();
        tracing::warn!(%status, words, "a reader ended before its file");
        Err(reason(status, &words, &self.limits))
    }
}

/// Why a child ended before it was done.
fn reason(status: ExitStatus, words: &str, limits: &Limits) -> Trouble {
    // What Rust writes before it aborts.
    if words.contains("memory allocation of") {
        return Trouble::OutOfMemory(limits.memory_mb);
    }
    let signal = status.signal().and_then(Signal::from_named_raw);
    match signal {
        Some(Signal::XCPU) => Trouble::TooSlow(limits.seconds),
        Some(Signal::XFSZ) => Trouble::ExpandsTooMuch(limits.image_mb),
        // Only the system kills it: the parent reports that it was too slow.
        Some(Signal::KILL) => Trouble::OutOfMemory(limits.memory_mb),
        _ => Trouble::Crashed,
    }
}

/// The next line, or nothing at the end. A line without an end was cut off by a crash.
async fn line(from: &mut (impl tokio::io::AsyncBufRead + Unpin)) -> Result<Option<Vec<u8>>, Trouble> {
    let mut line = Vec::new();
    let mut limited = from.take(MAX_LINE as u64);
    limited.read_until(b'\n', &mut line).await?;
    if line.len() >= MAX_LINE {
        return Err(Trouble::Crashed);
    }
    Ok((line.last() == Some(&b'\n')).then_some(line))
}

/// The end of what a child says. It is read to the end, so that a child never waits for it.
async fn last_words(mut from: ChildStderr) -> String {
    let (mut kept, mut part) = (Vec::new(), [0; 1024]);
    while let Ok(count) = read(&mut from, &mut part).await {
        if count == 0 {
            break;
        }
        kept.extend_from_slice(&part[..count]);
        if kept.len() > 2 * MAX_WORDS {
            kept.drain(..kept.len() - MAX_WORDS);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

async fn read(from: &mut (impl AsyncRead + Unpin), part: &mut [u8]) -> std::io::Result<usize> {
    from.read(part).await
}
