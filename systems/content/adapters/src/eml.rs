//! A mailer that writes mails into a directory, for a site without a mail server.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use hansang_content::{Mail, Mailer, Sent};
use lettre::message::Mailbox;
use tempfile::NamedTempFile;

use crate::letter;

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
        let file = self.directory.join(format!("{}.eml", mail.id));
        let folder = self.directory.clone();
        let written = tokio::task::spawn_blocking(move || store(&folder, &file, &letter.bytes));
        match written.await {
            Ok(Ok(())) => Sent::Accepted,
            Ok(Err(error)) => Sent::Later(format!("the mail cannot be written to disk: {error}")),
            Err(error) => Sent::Later(format!("the mail was not written: {error}")),
        }
    }
}

/// Writes a file that survives a crash and is never seen half written.
fn store(folder: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    // Directories can be opened to be synced on Unix alone.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
