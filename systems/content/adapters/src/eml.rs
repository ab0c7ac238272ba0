//! A mailer that writes mails into a directory, for a site without a mail server.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use hansang_content::{Mail, Mailer, Sent};
use lettre::message::Mailbox;

use crate::{directory, letter};

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
        let written = tokio::task::spawn_blocking(move || {
            directory::store(&file, &mut letter.bytes.as_slice())
        });
        match written.await {
            Ok(Ok(())) => Sent::Accepted,
            Ok(Err(error)) => Sent::Later(format!("the mail cannot be written to disk: {error}")),
            Err(error) => Sent::Later(format!("the mail was not written: {error}")),
        }
    }
}
