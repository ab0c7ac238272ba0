//! Splits a stream of bytes into lines, and lines into batches of bounded size.

use bytes::{Bytes, BytesMut};
use hansang_core::{Error, message};

use crate::{ServerCode, messages};

/// The maximum number of lines that are stored together.
const MAX_BATCH_LINES: usize = 500;
/// The bytes of lines after which a batch is stored.
const MAX_BATCH_BYTES: usize = 1024 * 1024;
/// The maximum bytes of a line: an item of 400 KB, as JSON.
const MAX_LINE: usize = 3 * 1024 * 1024;

/// The lines of a stream, numbered from 1. Each byte is scanned once, however it arrives.
#[derive(Default)]
pub(super) struct Lines {
    rest: BytesMut,
    /// The number of bytes of `rest` without a line end.
    seen: usize,
    count: usize,
    batch: Vec<(usize, Bytes)>,
    batch_bytes: usize,
}

impl Lines {
    /// Adds bytes of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.rest.extend_from_slice(bytes);
    }

    /// The next full batch of lines, if the bytes so far have one.
    ///
    /// # Errors
    /// Fails if a line is too long.
    pub(super) fn batch(&mut self) -> Result<Option<Vec<(usize, Bytes)>>, Error> {
        while let Some(end) = self.rest[self.seen..].iter().position(|byte| *byte == b'\n') {
            let line = self.rest.split_to(self.seen + end + 1).freeze();
            self.seen = 0;
            self.add(line)?;
            if self.batch.len() == MAX_BATCH_LINES || self.batch_bytes >= MAX_BATCH_BYTES {
                self.batch_bytes = 0;
                return Ok(Some(std::mem::take(&mut self.batch)));
            }
        }
        self.seen = self.rest.len();
        if self.seen > MAX_LINE { Err(too_long(self.count + 1)) } else { Ok(None) }
    }

    /// The remaining lines at the end of the stream.
    ///
    /// # Errors
    /// Fails if the last line is too long.
    pub(super) fn last(mut self) -> Result<Vec<(usize, Bytes)>, Error> {
        let line = std::mem::take(&mut self.rest).freeze();
        self.add(line)?;
        Ok(self.batch)
    }

    fn add(&mut self, line: Bytes) -> Result<(), Error> {
        self.count += 1;
        if line.len() > MAX_LINE {
            return Err(too_long(self.count));
        }
        self.batch_bytes += line.len();
        self.batch.push((self.count, line));
        Ok(())
    }
}

fn too_long(number: usize) -> Error {
    Error::invalid(ServerCode::LineTooLong, message!(messages::LINE_TOO_LONG, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line numbers of each batch of a text that arrives in pieces of this size.
    fn batches(text: &[u8], piece: usize) -> Vec<Vec<usize>> {
        let mut lines = Lines::default();
        let mut all = Vec::new();
        for piece in text.chunks(piece) {
            lines.push(piece);
            while let Some(batch) = lines.batch().unwrap() {
                all.push(batch);
            }
        }
        all.push(lines.last().unwrap());
        all.into_iter().map(|batch| batch.into_iter().map(|(number, _)| number).collect()).collect()
    }

    #[test]
    fn batches_are_bounded_by_lines_and_by_bytes() {
        let short = "x\n".repeat(1200);
        for piece in [1, 7, 4096] {
            let found = batches(short.as_bytes(), piece);
            assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [500, 500, 201], "{piece}");
            assert!(found.concat().into_iter().eq(1..=1201));
        }
        let long = format!("{}\n", "x".repeat(2 * 1024 * 1024)).repeat(5);
        assert_eq!(batches(long.as_bytes(), 8192), [vec![1], vec![2], vec![3], vec![4], vec![5], vec![6]]);
    }

    #[test]
    fn a_line_that_is_too_long_is_rejected_by_number() {
        let mut lines = Lines::default();
        lines.push(b"x\n");
        lines.push(&vec![b'x'; MAX_LINE + 1]);
        let error = lines.batch().unwrap_err();
        assert!(
            error.code == ServerCode::LineTooLong && error.message.to_string().contains("line 2"),
            "{error}"
        );
    }

    /// Bytes that arrive one by one are not scanned again, which took minutes.
    #[test]
    fn a_long_line_is_split_in_linear_time() {
        let mut lines = Lines::default();
        for _ in 0..MAX_LINE {
            lines.push(b"x");
            assert!(lines.batch().unwrap().is_none());
        }
        assert_eq!(lines.last().unwrap().len(), 1);
    }
}
