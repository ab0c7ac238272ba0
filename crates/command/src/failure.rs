//! The failure of a command, and its exit code.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use hansang_core::{Error, ErrorKind, StoreError};

/// A command that could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// A failure with a message.
    Message {
        /// The message.
        text: String,
        /// The exit code.
        code: u8,
    },
    /// The reader of the output was closed (`hansang … | head`): nothing is printed.
    BrokenPipe,
}

impl Failure {
    /// A usage error.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Message { text: text.into(), code: 2 }
    }

    /// A bug of the program.
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

    /// Prints the failure to standard error and returns the exit code.
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

/// The message about a file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Writes a line to standard error; ignores a closed one.
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
        // The user of a command also operates the store, so the cause is shown.
        let text = match error.source {
            Some(source) => format!("{}\n  {}", error.message, source.0),
            None => error.message.to_string(),
        };
        Self::Message { text, code }
    }
}
