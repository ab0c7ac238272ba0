//! What can go wrong while a file is read, as data that crosses the border of a process.

use hansang_core::message::Message;
use hansang_core::{Error, codes, message};
use serde::{Deserialize, Serialize};

use crate::messages;

codes! {
    /// The codes of document processing.
    pub enum ProcessingCode {
        FileCrashed = "file_crashed",
        FileDamaged = "file_damaged",
        FileEmpty = "file_empty",
        FileEncrypted = "file_encrypted",
        FileExpandsTooMuch = "file_expands_too_much",
        FileMissing = "file_missing",
        FileNotReadable = "file_not_readable",
        FileNotSupported = "file_not_supported",
        FileOfOldFormat = "file_of_old_format",
        FileOutOfMemory = "file_out_of_memory",
        FileTooManyPages = "file_too_many_pages",
        FileTooManyPixels = "file_too_many_pixels",
        FileTooSlow = "file_too_slow",
        FileTruncated = "file_truncated",
        IndexUnavailable = "index_unavailable",
        ModelAnswerInvalid = "model_answer_invalid",
        ModelRefused = "model_refused",
        ModelSlow = "model_slow",
        ModelUnavailable = "model_unavailable",
        OcrFailed = "ocr_failed",
        OcrSlow = "ocr_slow",
        OcrUnavailable = "ocr_unavailable",
        QueryEmpty = "query_empty",
        ReaderNotStarted = "reader_not_started",
    }
}

/// The reason why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Trouble {
    /// The content has a type that is not read.
    NotSupported {
        /// The type that was found, such as `application/zip`.
        found: String,
    },
    /// The content has an old format with a successor that is read.
    OldFormat {
        /// The old format.
        format: String,
        /// The format to save it as.
        instead: String,
    },
    /// The file has no bytes.
    Empty,
    /// The file ends before its format says so.
    Truncated(Format),
    /// The file breaks the rules of its format.
    Damaged(Format),
    /// The file needs a password.
    Encrypted(Format),
    /// The file unpacks to more than so many megabytes.
    ExpandsTooMuch(u64),
    /// A picture has more than so many million pixels.
    TooManyPixels(u64),
    /// The file has more than so many pages.
    TooManyPages(u32),
    /// Reading needs more than so many megabytes of memory.
    OutOfMemory(u64),
    /// Reading takes longer than so many seconds.
    TooSlow(u64),
    /// The process that reads ended in an unexpected way.
    Crashed,
    /// The file or the directory of images cannot be read or written.
    NotReadable,
    /// The process that reads cannot be started.
    NotStarted,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A PDF file.
    Pdf,
    /// A JPEG, PNG, GIF, WebP or TIFF picture.
    Picture,
    /// A text document of Word.
    Docx,
    /// A workbook of Excel.
    Xlsx,
    /// A presentation of PowerPoint.
    Pptx,
    /// A document of Hangul in its binary format.
    Hwp,
    /// A document of Hangul in its XML format.
    Hwpx,
    /// A web page.
    Html,
    /// A text with Markdown.
    Markdown,
    /// Any other text.
    Text,
}

impl Format {
    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pdf => "PDF",
            Self::Picture => "picture",
            Self::Docx => "DOCX",
            Self::Xlsx => "XLSX",
            Self::Pptx => "PPTX",
            Self::Hwp => "HWP",
            Self::Hwpx => "HWPX",
            Self::Html => "HTML",
            Self::Markdown => "Markdown",
            Self::Text => "text",
        }
    }
}

impl Trouble {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> ProcessingCode {
        match self {
            Self::NotSupported { .. } => ProcessingCode::FileNotSupported,
            Self::OldFormat { .. } => ProcessingCode::FileOfOldFormat,
            Self::Empty => ProcessingCode::FileEmpty,
            Self::Truncated(_) => ProcessingCode::FileTruncated,
            Self::Damaged(_) => ProcessingCode::FileDamaged,
            Self::Encrypted(_) => ProcessingCode::FileEncrypted,
            Self::ExpandsTooMuch(_) => ProcessingCode::FileExpandsTooMuch,
            Self::TooManyPixels(_) => ProcessingCode::FileTooManyPixels,
            Self::TooManyPages(_) => ProcessingCode::FileTooManyPages,
            Self::OutOfMemory(_) => ProcessingCode::FileOutOfMemory,
            Self::TooSlow(_) => ProcessingCode::FileTooSlow,
            Self::Crashed => ProcessingCode::FileCrashed,
            Self::NotReadable => ProcessingCode::FileNotReadable,
            Self::NotStarted => ProcessingCode::ReaderNotStarted,
        }
    }

    /// What is wrong, and what to do.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::NotSupported { found } => message!(messages::NOT_SUPPORTED, found.clone()),
            Self::OldFormat { format, instead } => {
                message!(messages::OLD_FORMAT, format.clone(), instead.clone())
            }
            Self::Empty => message!(messages::EMPTY),
            Self::Truncated(format) => message!(messages::TRUNCATED, format.name()),
            Self::Damaged(format) => message!(messages::DAMAGED, format.name()),
            Self::Encrypted(format) => message!(messages::ENCRYPTED, format.name()),
            Self::ExpandsTooMuch(megabytes) => message!(messages::EXPANDS_TOO_MUCH, *megabytes),
            Self::TooManyPixels(megapixels) => message!(messages::TOO_MANY_PIXELS, *megapixels),
            Self::TooManyPages(pages) => message!(messages::TOO_MANY_PAGES, *pages),
            Self::OutOfMemory(megabytes) => message!(messages::OUT_OF_MEMORY, *megabytes),
            Self::TooSlow(seconds) => message!(messages::TOO_SLOW, *seconds),
            Self::Crashed => message!(messages::CRASHED),
            Self::NotReadable => message!(messages::NOT_READABLE),
            Self::NotStarted => message!(messages::NOT_STARTED),
        }
    }

    /// Whether another attempt may end otherwise: the machine failed, not the file.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::NotReadable | Self::NotStarted)
    }
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        if trouble.may_pass() {
            Self::unavailable(trouble.code(), trouble.message())
        } else {
            Self::invalid(trouble.code(), trouble.message())
        }
    }
}

/// A disk that fails is the trouble of the machine.
impl From<std::io::Error> for Trouble {
    fn from(_: std::io::Error) -> Self {
        Self::NotReadable
    }
}
