//! Why a command ended early, and the exit code that says so.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use hansang_core::{Error, ErrorKind, StoreError};

/// A command that could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// What the user is told.
    Message {
        /// The sentence.
        text: String,
        /// The exit code.
        code: u8,
    },
    /// The reader of the output went away (`hansang … | head`): nothing to say.
    BrokenPipe,
}

impl Failure {
    /// A mistake in how the command was called.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Message { text: text.into(), code: 2 }
    }

    /// A part of the program that is broken.
    #[must_use]
    pub fn internal(part: &str) -> Self {
        Self::Message { text: format!("{part} does not work: this is a bug in Hansang"), code: 1 }
    }

    /// A file that cannot be read.
    pub fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self::usage(unreadable(path, error))
    }

    /// A file that cannot be written.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::Message { text: format!("cannot write {}: {error}", path.display()), code: 1 }
    }

    /// Says it on standard error and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Message { text, code } => {
                say(&format!("hansang: {text}"));
                ExitCode::from(code)
            }
            Self::BrokenPipe => ExitCode::SUCCESS,
        }
    }
}

/// What to say of a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Writes a line to standard error; a closed one is no reason to fail.
pub fn say(text: &str) {
    use io::Write as _;
    let _ = writeln!(io::stderr(), "{text}");
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::BrokenPipe
        } else {
            Self::Message { text: format!("cannot write the output: {error}"), code: 1 }
        }
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Invalid(error) => error.into(),
            StoreError::Condition(_) | StoreError::Conflict => {
                Self::Message { text: error.to_string(), code: 4 }
            }
            StoreError::Throttled | StoreError::Unavailable(_) => {
                Self::Message { text: error.to_string(), code: 5 }
            }
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind {
            ErrorKind::Invalid => 2,
            ErrorKind::NotFound => 3,
            ErrorKind::Conflict | ErrorKind::Precondition | ErrorKind::Corrupt => 4,
            ErrorKind::Limited | ErrorKind::Unavailable => 5,
            ErrorKind::Unauthenticated | ErrorKind::Forbidden => 6,
            ErrorKind::Internal => 1,
        };
        // Whoever runs a command runs the store as well: the cause is for them.
        let text = match error.source {
            Some(source) => format!("{}\n  {}", error.message, source.0),
            None => error.message.to_string(),
        };
        Self::Message { text, code }
    }
}
