//! A mailer over SMTP.

use std::time::Duration;

use async_trait::async_trait;
use hansang_content::{Mail, Mailer, SEND_TIMEOUT, Sent};
use lettre::message::Mailbox;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail as MailFrom, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};

use crate::letter::{self, Letter};

/// The time that one mail may take, from the connection to the answer.
const TIMEOUT: Duration = Duration::from_secs(60);
const _: () = assert!(TIMEOUT.as_secs() < SEND_TIMEOUT.as_secs());

/// The encryption of the connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Security {
    /// None: for a server on the same machine.
    None,
    /// The connection begins without and must become encrypted (port 587).
    #[default]
    StartTls,
    /// Encrypted from the beginning (port 465).
    Tls,
}

/// The settings of a mail server.
#[derive(Clone, Debug, Default)]
pub struct SmtpSettings {
    /// The name of the server.
    pub host: String,
    /// The port; 25, 587 or 465 by the security without one.
    pub port: Option<u16>,
    /// The encryption.
    pub security: Security,
    /// The user and the password, if the server wants them.
    pub login: Option<(String, String)>,
    /// The sender: `name@example.com` or `Name <name@example.com>`.
    pub from: String,
    /// A certificate in PEM that signs that of the server, beside those of the system.
    pub certificate: Option<Vec<u8>>,
    /// The time that one mail may take, at most 60 seconds.
    pub timeout: Option<Duration>,
}

/// A mailer over SMTP, with a connection for each mail.
pub struct Smtp {
    host: String,
    port: u16,
    security: Security,
    login: Option<Credentials>,
    from: Mailbox,
    tls: Option<TlsParameters>,
    timeout: Duration,
}

/// How far an attempt came: what an error means depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The server does not know of the mail.
    Before,
    /// The server was told the receiver.
    Receiver,
    /// The server was given the text, and may have taken it.
    Text,
}

impl Smtp {
    /// A mailer with these settings. Nothing is connected.
    ///
    /// # Errors
    /// A sender that is no e-mail address, or a certificate that cannot be read.
    pub fn new(settings: SmtpSettings) -> Result<Self, String> {
        let SmtpSettings { host, port, security, login, from, certificate, timeout } = settings;
        let tls = match security {
            Security::None => None,
            Security::StartTls | Security::Tls => {
                let mut tls = TlsParameters::builder(host.clone());
                if let Some(pem) = certificate {
                    let certificate = Certificate::from_pem(&pem);
                    tls = tls.add_root_certificate(
                        certificate.map_err(|error| format!("the certificate cannot be read: {error}"))?,
                    );
                }
                Some(tls.build_rustls().map_err(|error| format!("TLS cannot be set up: {error}"))?)
            }
        };
        let standard = match security {
            Security::None => 25,
            Security::StartTls => 587,
            Security::Tls => 465,
        };
        Ok(Self {
            port: port.unwrap_or(standard),
            security,
            login: login.map(|(user, password)| Credentials::new(user, password)),
            from: from.parse().map_err(|_| format!("`{from}` is not an email address"))?,
            tls,
            timeout: timeout.unwrap_or(TIMEOUT).min(TIMEOUT),
            host,
        })
    }

    async fn exchange(&self, letter: &Letter, stage: &mut Stage) -> Result<(), Error> {
        let mut connection = self.connect().await?;
        let sent = Self::hand_over(&mut connection, letter, stage).await;
        // The answer is known: how the connection ends does not matter.
        if sent.is_ok() {
            let _ = tokio::time::timeout(Duration::from_secs(1), connection.quit()).await;
        }
        sent
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let hello = ClientId::Domain(self.from.email.domain().to_owned());
        let server = (self.host.as_str(), self.port);
        let at_once = self.tls.clone().filter(|_| self.security == Security::Tls);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(self.timeout), &hello, at_once, None).await?;
        if let Some(tls) = self.tls.clone().filter(|_| self.security == Security::StartTls) {
            connection.starttls(tls, &hello).await?;
        }
        if let Some(login) = &self.login {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], login).await?;
        }
        Ok(connection)
    }

    async fn hand_over(
        connection: &mut AsyncSmtpConnection,
        letter: &Letter,
        stage: &mut Stage,
    ) -> Result<(), Error> {
        let mut options = Vec::new();
        let mut addresses = letter.envelope.to().iter().chain(letter.envelope.from());
        if addresses.any(|address| !AsRef::<str>::as_ref(address).is_ascii()) {
            options.push(MailParameter::SmtpUtfEight);
        }
        if !letter.bytes.is_ascii() && connection.server_info().supports_feature(Extension::EightBitMime) {
            options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        connection.command(MailFrom::new(letter.envelope.from().cloned(), options)).await?;
        *stage = Stage::Receiver;
        for to in letter.envelope.to() {
            connection.command(Rcpt::new(to.clone(), Vec::new())).await?;
        }
        connection.command(Data).await?;
        *stage = Stage::Text;
        connection.message(&letter.bytes).await.map(drop)
    }
}

#[async_trait]
impl Mailer for Smtp {
    async fn send(&self, mail: &Mail) -> Sent {
        let letter = match letter::write(&self.from, mail) {
            Ok(letter) => letter,
            Err(why) => return Sent::Refused(why),
        };
        let mut stage = Stage::Before;
        let error = match tokio::time::timeout(self.timeout, self.exchange(&letter, &mut stage)).await {
            Ok(Ok(())) => return Sent::Accepted,
            Ok(Err(error)) => Some(error),
            Err(_) => None,
        };
        let why = match &error {
            Some(error) => why(error),
            None => format!("no answer in {} s", self.timeout.as_secs()),
        };
        match (stage, error) {
            // A refusal of this server or of its login concerns every mail, and passes when the settings are mended.
            (Stage::Before, _) => Sent::Later(why),
            (_, Some(error)) if error.is_permanent() => Sent::Refused(why),
            (_, Some(error)) if error.is_transient() => Sent::Later(why),
            (Stage::Receiver, _) => Sent::Later(why),
            (Stage::Text, _) => Sent::Unknown(why),
        }
    }

    /// The mail server has it, and nothing here.
    async fn forget(&self, _: &str) -> Result<(), hansang_core::Error> {
        Ok(())
    }
}

/// An error with its causes.
fn why(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}
