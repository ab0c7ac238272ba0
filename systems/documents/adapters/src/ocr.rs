//! Recognition of text by the program `tesseract`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use hansang_core::message::Message;
use hansang_core::{Error, message};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

use crate::event::{Block, Bounds, share};
use crate::messages;
use crate::trouble::ProcessingCode;

/// The output that is read of one page, in bytes.
const MAX_OUTPUT: u64 = 32 * 1024 * 1024;
/// Words that are less sure than this, in percent, are specks and lines.
const MIN_CONFIDENCE: f32 = 15.0;

/// How text is recognised.
#[derive(Clone, Debug)]
pub struct Ocr {
    program: PathBuf,
    languages: String,
    limit: Duration,
}

/// The text of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recognised {
    /// The text.
    pub text: String,
    /// The lines, with their boxes and how sure they are.
    pub blocks: Vec<Block>,
    /// How sure the words are on average, in percent.
    pub confidence: Option<u8>,
}

impl Ocr {
    /// Finds the program and its languages: those of `languages`, such as `kor+eng`, that are installed.
    ///
    /// # Errors
    /// The reason why nothing can be recognised, for people.
    pub async fn find(program: &Path, languages: &str, seconds: u64) -> Result<Self, Message> {
        let listing =
            Command::new(program).arg("--list-langs").stdin(Stdio::null()).kill_on_drop(true).output();
        let listing = timeout(Duration::from_secs(10), listing).await;
        let Ok(Ok(listing)) = listing else { return Err(message!(messages::NO_TESSERACT)) };
        if !listing.status.success() {
            return Err(message!(messages::NO_TESSERACT));
        }
        let installed = String::from_utf8_lossy(&listing.stdout);
        let wanted = languages.split('+').filter(|language| is_name(language));
        let found: Vec<&str> =
            wanted.filter(|language| installed.lines().any(|line| line.trim() == *language)).collect();
        if found.is_empty() {
            return Err(message!(messages::NO_LANGUAGE, languages.to_owned()));
        }
        Ok(Self {
            program: program.to_owned(),
            languages: found.join("+"),
            limit: Duration::from_secs(seconds),
        })
    }

    /// The languages that are used.
    #[must_use]
    pub fn languages(&self) -> &str {
        &self.languages
    }

    /// Recognises the text of an image.
    ///
    /// # Errors
    /// `ocr_failed` or `ocr_slow`, with the number of the page.
    pub async fn read(&self, image: &Path, page: u32) -> Result<Recognised, Error> {
        let failed = || Error::invalid(ProcessingCode::OcrFailed, message!(messages::OCR_FAILED, page + 1));
        let mut child = Command::new(&self.program)
            .arg(image)
            .args(["stdout", "-l", &self.languages, "tsv"])
            // Its threads make it slower where several pages are read at once.
            .env("OMP_THREAD_LIMIT", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|cause| failed().caused_by(cause))?;
        let out = child.stdout.take().ok_or_else(failed)?;
        let read = timeout(self.limit, async {
            let table = all(out).await?;
            Ok::<_, std::io::Error>((table, child.wait().await?))
        });
        let Ok(read) = read.await else {
            let message = message!(messages::OCR_SLOW, page + 1, self.limit.as_secs());
            return Err(Error::invalid(ProcessingCode::OcrSlow, message));
        };
        let (table, status) = read.map_err(|cause| failed().caused_by(cause))?;
        if !status.success() {
            return Err(failed());
        }
        Ok(recognised(&table))
    }
}

/// Whether a text is the name of a language and nothing else: it becomes an argument.
fn is_name(language: &str) -> bool {
    !language.is_empty() && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

async fn all(from: impl AsyncRead + Unpin) -> std::io::Result<String> {
    let mut table = Vec::new();
    from.take(MAX_OUTPUT).read_to_end(&mut table).await?;
    Ok(String::from_utf8_lossy(&table).into_owned())
}

/// A line of words, put together from the table.
#[derive(Default)]
struct Line {
    words: Vec<String>,
    confidence: f32,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

/// Reads the table: a row for the page, for each block, paragraph and line, and for each word with its box.
fn recognised(table: &str) -> Recognised {
    let (mut width, mut height) = (0.0, 0.0);
    let mut lines: BTreeMap<(u32, u32, u32), Line> = BTreeMap::new();
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [level, _, block, paragraph, line, _, left, top, wide, high, confidence, text] = cells.as_slice()
        else {
            continue;
        };
        let number = |cell: &str| cell.parse::<f64>().unwrap_or_default();
        let (left, top, wide, high) = (number(left), number(top), number(wide), number(high));
        if *level == "1" {
            (width, height) = (wide, high);
        }
        let sure: f32 = confidence.parse().unwrap_or(-1.0);
        if *level != "5" || text.trim().is_empty() || sure < MIN_CONFIDENCE {
            continue;
        }
        let count = |cell: &str| cell.parse::<u32>().unwrap_or_default();
        let line = lines.entry((count(block), count(paragraph), count(line))).or_default();
        if line.words.is_empty() {
            (line.left, line.top, line.right, line.bottom) = (left, top, left + wide, top + high);
        }
        line.left = line.left.min(left);
        line.top = line.top.min(top);
        line.right = line.right.max(left + wide);
        line.bottom = line.bottom.max(top + high);
        line.confidence += sure;
        line.words.push(text.trim().to_owned());
    }
    let words: usize = lines.values().map(|line| line.words.len()).sum();
    let sum: f32 = lines.values().map(|line| line.confidence).sum();
    let blocks: Vec<Block> = lines.into_values().map(|line| line.block(width, height)).collect();
    let text = blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
    Recognised { text, blocks, confidence: average(sum, words) }
}

impl Line {
    fn block(self, width: f64, height: f64) -> Block {
        let bounds = Bounds {
            left: share(self.left, width),
            top: share(self.top, height),
            width: share(self.right - self.left, width),
            height: share(self.bottom - self.top, height),
        };
        let confidence = average(self.confidence, self.words.len());
        Block { text: self.words.join(" "), bounds: Some(bounds), confidence }
    }
}

fn average(sum: f32, count: usize) -> Option<u8> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "clamped"
    )]
    let average = (count > 0).then(|| (sum / count as f32).clamp(0.0, 100.0).round() as u8);
    average
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_becomes_lines() {
        let table = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n\
            1\t1\t0\t0\t0\t0\t0\t0\t1000\t2000\t-1\t\n\
            5\t1\t1\t1\t1\t1\t100\t200\t100\t50\t90.5\t예산\n\
            5\t1\t1\t1\t1\t2\t250\t210\t50\t40\t80\t보고서\n\
            5\t1\t1\t1\t2\t1\t100\t300\t10\t10\t3\t~\n\
            5\t1\t2\t1\t1\t1\t100\t400\t100\t50\t70\tBudget\n\
            broken row\n";
        let page = recognised(table);
        assert_eq!(page.text, "예산 보고서\nBudget");
        assert_eq!(page.confidence, Some(80));
        assert_eq!(page.blocks[0].bounds, Some(Bounds { left: 1000, top: 1000, width: 2000, height: 250 }));
        assert_eq!(page.blocks[0].confidence, Some(85));
        assert_eq!(recognised(""), Recognised::default());
        assert!(is_name("kor") && !is_name("") && !is_name("-x") && !is_name("a b"));
    }
}
