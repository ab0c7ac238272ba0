//! Items as lines of `{"Item":{"PK":{"S":"…"},…}}`, the form of DynamoDB's own export.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use hansang_core::Item;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use serde_json::{Value as Json, json};

/// The maximum bytes of a line: an item of 400 KB, as JSON.
const MAX_LINE: u64 = 3 * 1024 * 1024;

/// Encodes items as lines. If compressed, the result can be appended to others.
///
/// # Errors
/// When compressing fails.
pub fn encode(items: &[Item], compressed: bool) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(items.len() * 512);
    for item in items {
        writeln!(text, "{}", json!({ "Item": item_to_typed(item) }))?;
    }
    if compressed { compress(&text) } else { Ok(text) }
}

/// Compresses text so that the result can be appended to others.
///
/// # Errors
/// When compressing fails.
pub fn compress(text: &[u8]) -> io::Result<Vec<u8>> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(text)?;
    encoder.finish()
}

/// Whether a file name asks for compression.
#[must_use]
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// The item of a line.
///
/// # Errors
/// The problem of the line.
pub fn decode(line: &str) -> Result<Item, String> {
    let json: Json = serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
    let item = json.get("Item").ok_or("has no `Item`")?;
    item_from_typed(item).map_err(|problem| problem.to_string())
}

/// The lines of a file, decompressed if it is compressed, and the number of bytes read.
pub struct Lines {
    lines: Box<dyn BufRead + Send>,
    /// The number of lines read so far.
    number: u64,
    read: Arc<AtomicU64>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("number", &self.number).finish_non_exhaustive()
    }
}

impl Lines {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: &Path) -> io::Result<Self> {
        let read = Arc::new(AtomicU64::new(0));
        let mut bytes = BufReader::new(Counted { file: File::open(path)?, read: read.clone() });
        let compressed = bytes.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let lines: Box<dyn BufRead + Send> =
            if compressed { Box::new(BufReader::new(MultiGzDecoder::new(bytes))) } else { Box::new(bytes) };
        Ok(Self { lines, number: 0, read })
    }

    /// The next line, without its end.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is too long to be an item: a small compressed file can contain a
    /// line that does not fit into memory.
    #[allow(clippy::should_implement_trait, reason = "an iterator would go on after an error")]
    pub fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let read = (&mut self.lines).take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        self.number += 1;
        if read as u64 > MAX_LINE {
            let problem = format!("line {} is longer than {MAX_LINE} bytes", self.number);
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let line =
            String::from_utf8(line).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok((read > 0).then(|| line.trim_end().to_owned()))
    }

    /// The number of bytes read from the file.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
