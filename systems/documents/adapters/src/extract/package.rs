//! The members of a ZIP file, with limits on what they unpack to.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use zip::ZipArchive;
use zip::result::ZipError;

use crate::limits::{Limits, MEGABYTE};
use crate::trouble::{Format, Trouble};

/// The members that a package may have.
const MAX_MEMBERS: usize = 100_000;

/// A package of members. What all reads give together is limited.
pub(super) struct Package {
    archive: ZipArchive<BufReader<File>>,
    format: Format,
    expanded_mb: u64,
    left: u64,
}

impl Package {
    /// Opens a package and adds up what its directory says.
    pub(super) fn open(file: &Path, format: Format, limits: &Limits) -> Result<Self, Trouble> {
        let archive = ZipArchive::new(BufReader::new(File::open(file)?)).map_err(|error| match error {
            ZipError::Io(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Trouble::NotReadable,
            // The directory is at the end of the file.
            _ => Trouble::Truncated(format),
        })?;
        if archive.len() > MAX_MEMBERS {
            return Err(Trouble::Damaged(format));
        }
        let left = limits.expanded_mb * MEGABYTE;
        Ok(Self { archive, format, expanded_mb: limits.expanded_mb, left })
    }

    /// Refuses a package that says that it unpacks to too much, or whose members are encrypted.
    pub(super) fn check(&mut self, format: Format) -> Result<(), Trouble> {
        self.format = format;
        let mut sum = 0u64;
        for index in 0..self.archive.len() {
            let member = self.archive.by_index_raw(index).map_err(|_| Trouble::Damaged(format))?;
            if member.encrypted() {
                return Err(Trouble::Encrypted(format));
            }
            sum = sum.saturating_add(member.size());
        }
        if sum > self.left { Err(Trouble::ExpandsTooMuch(self.expanded_mb)) } else { Ok(()) }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.index_for_name(name).is_some()
    }

    /// A small member as text.
    pub(super) fn text(&mut self, name: &str, limit: u64) -> Result<String, Trouble> {
        let mut text = Vec::new();
        self.member(name, |member| {
            member.take(limit).read_to_end(&mut text)?;
            Ok(())
        })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Gives a member to `read`, unpacked while it is read.
    pub(super) fn member<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let damaged = Trouble::Damaged(self.format);
        let member = self.archive.by_name(name).map_err(|_| damaged)?;
        let mut limited = Limited { inner: member, left: self.left, over: false };
        let result = read(&mut limited);
        self.left = limited.left;
        if limited.over { Err(Trouble::ExpandsTooMuch(self.expanded_mb)) } else { result }
    }
}

/// A reader that fails after so many bytes: a directory may understate sizes.
struct Limited<R> {
    inner: R,
    left: u64,
    over: bool,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(buffer)?;
        match self.left.checked_sub(count as u64) {
            Some(left) => self.left = left,
            None => {
                self.over = true;
                return Err(std::io::Error::other("unpacks to too much"));
            }
        }
        Ok(count)
    }
}
