//! Items as lines of `{"Item":{"PK":{"S":"…"},…}}`, the form of DynamoDB's own export.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use hansang_core::Item;
use hansang_core::value::json::{item_from_typed, item_to_typed};
use serde_json::{Value as Json, json};

/// The lines of items, compressed as one piece that can follow others if asked so.
pub(super) fn encode(items: &[Item], compressed: bool) -> io::Result<Vec<u8>> {
    let mut text = Vec::with_capacity(items.len() * 512);
    for item in items {
        writeln!(text, "{}", json!({ "Item": item_to_typed(item) }))?;
    }
    if !compressed || text.is_empty() {
        return Ok(text);
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&text)?;
    encoder.finish()
}

/// Whether a file name asks for compression.
pub(super) fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "gz")
}

/// The item of a line, or what is wrong with it.
pub(super) fn decode(line: &str) -> Result<Item, String> {
    let json: Json = serde_json::from_str(line).map_err(|error| format!("is not JSON: {error}"))?;
    let item = json.get("Item").ok_or("has no `Item`")?;
    item_from_typed(item).map_err(|problem| problem.to_string())
}

/// The lines of a file, decompressed where its first bytes say so, and how many bytes of the file
/// were read for them.
pub(super) struct Lines {
    lines: Box<dyn BufRead>,
    read: std::rc::Rc<std::cell::Cell<u64>>,
}

impl Lines {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let read = std::rc::Rc::new(std::cell::Cell::new(0));
        let mut bytes = BufReader::new(Counted { file: File::open(path)?, read: read.clone() });
        let compressed = bytes.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let lines: Box<dyn BufRead> =
            if compressed { Box::new(BufReader::new(MultiGzDecoder::new(bytes))) } else { Box::new(bytes) };
        Ok(Self { lines, read })
    }

    /// The next line, without its end.
    pub(super) fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        Ok((self.lines.read_line(&mut line)? > 0).then(|| line.trim_end().to_owned()))
    }

    /// How many bytes of the file were read.
    pub(super) fn position(&self) -> u64 {
        self.read.get()
    }
}

struct Counted {
    file: File,
    read: std::rc::Rc<std::cell::Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}
