//! A mailer that writes mails into a directory, for a site without a mail server.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use hansang_content::{Mail, Mailer, Sent};
use hansang_core::{CoreCode, Error, message};
use lettre::message::Mailbox;

use crate::{letter, messages};

/// Writes each mail into a file `{id}.eml`. A second attempt replaces the first.
#[derive(Clone, Debug)]
pub struct EmlMailer {
    directory: PathBuf,
    from: Mailbox,
}

impl EmlMailer {
    /// A mailer into a directory, which is created with the first mail. `from` is `name@example.com` or
    /// `Name <name@example.com>`.
    ///
    /// # Errors
    /// A sender that is no e-mail address.
    pub fn new(directory: &Path, from: &str) -> Result<Self, String> {
        let from = from.parse().map_err(|_| format!("`{from}` is not an email address"))?;
        Ok(Self { directory: directory.to_owned(), from })
    }
}

#[async_trait]
impl Mailer for EmlMailer {
    async fn send(&self, mail: &Mail) -> Sent {
        let letter = match letter::write(&self.from, mail) {
            Ok(letter) => letter,
            Err(why) => return Sent::Refused(why),
        };
        if mail.id.is_empty() || !mail.id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return Sent::Refused(format!("`{}` is not the id of a mail", mail.id));
        }
        let (folder, id) = (self.directory.clone(), mail.id.clone());
        let written = tokio::task::spawn_blocking(move || store(&folder, &id, &letter.bytes));
        match written.await {
            Ok(Ok(())) => Sent::Accepted,
            Ok(Err(error)) => Sent::Later(format!("the mail cannot be written to disk: {error}")),
            Err(error) => Sent::Later(format!("the mail was not written: {error}")),
        }
    }

    async fn forget(&self, id: &str) -> Result<(), Error> {
        let (folder, id) = (self.directory.clone(), id.to_owned());
        let removed = tokio::task::spawn_blocking(move || remove(&folder, &id)).await;
        let failed = |error: io::Error| {
            Error::unavailable(CoreCode::FilesUnavailable, message!(messages::MAIL_KEPT)).caused_by(error)
        };
        removed.map_err(io::Error::other).and_then(|removed| removed).map_err(failed)
    }
}

/// The end of the name of a file that is being written.
const PART: &str = ".part";

/// Writes a file that survives a crash and is never seen half written.
fn store(folder: &Path, id: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(&format!("{id}-")).suffix(PART).tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(folder.join(format!("{id}.eml")))?;
    sync(folder)
}

/// Removes the file of a mail, and what an attempt that was cut off has left of it.
fn remove(folder: &Path, id: &str) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    let (whole, begun) = (format!("{id}.eml"), format!("{id}-"));
    let mut removed = false;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if name == whole || name.starts_with(&begun) && name.ends_with(PART) {
            match fs::remove_file(entry.path()) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => removed = true,
            }
        }
    }
    if removed { sync(folder) } else { Ok(()) }
}

/// Makes changes of a directory survive a crash.
fn sync(folder: &Path) -> io::Result<()> {
    // Directories can be opened to be synced on Unix alone.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
