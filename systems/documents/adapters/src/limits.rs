//! The limits within which files are read.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What a reader may use. The first three are enforced by the operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The address space of the process, in megabytes, beside the size of the file.
    pub memory_mb: u64,
    /// The time of the processor, and of the clock, in seconds.
    pub seconds: u64,
    /// The size of one written image, in megabytes.
    pub image_mb: u64,
    /// What a package may unpack to, in megabytes.
    pub expanded_mb: u64,
    /// The size of a picture, in million pixels.
    pub megapixels: u64,
    /// The number of pages, sheets, slides or sections.
    pub pages: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_mb: 1024,
            seconds: 600,
            image_mb: 50,
            expanded_mb: 1024,
            megapixels: 100,
            pages: 10_000,
        }
    }
}

/// The pages that get an image for OCR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scans {
    /// None.
    None,
    /// Those without text but with something to see.
    WithoutText,
    /// All.
    All,
}

/// What is read from a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The name of the file. It only tells Markdown from other text, which the content cannot.
    pub name: Option<String>,
    /// Where images are written; none are without.
    pub images: Option<PathBuf>,
    /// The longest side of an image for people, in pixels.
    pub image_side: u32,
    /// The pages that get an image for OCR.
    pub scans: Scans,
    /// The pages to read, from 0; all without.
    pub pages: Option<Vec<u32>>,
    /// The limits.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            name: None,
            images: None,
            image_side: 1600,
            scans: Scans::WithoutText,
            pages: None,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Whether a page is to be read.
    pub(crate) fn wants(&self, page: u32) -> bool {
        self.pages.as_ref().is_none_or(|pages| pages.contains(&page))
    }
}

/// The number of bytes in a megabyte.
pub(crate) const MEGABYTE: u64 = 1024 * 1024;
