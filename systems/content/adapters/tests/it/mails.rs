//! Mails of inquiries through a real mail server, which fails in every way.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use hansang_content::{
    CorpInfo, Delivered, Inquiry, InquiryStatus, MailState, NewInquiry, Ports, deliver, erase, find_inquiry,
    mails_of, reply, save_corp_info, submit,
};
use hansang_content_adapters::{EmlMailer, Security, Smtp, SmtpSettings};
use serde_json::Value as Json;
use tempfile::TempDir;

use crate::grounds::{Ground, Unused};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

/// A running mail server.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start(mails: &Path, mode: &str, more: &[&Path]) -> Self {
        let python = Path::new(ROOT).join(".tools/venv/bin/python");
        assert!(python.exists(), "./test installs {}", python.display());
        let script = Path::new(ROOT).join("systems/content/adapters/tests/it/smtp_server.py");
        let mut command = Command::new(python);
        command.arg(script).arg(mails).arg(mode).args(more).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { process, port: line.trim().parse().unwrap() }
    }

    fn settings(&self) -> SmtpSettings {
        SmtpSettings {
            host: "localhost".to_owned(),
            port: Some(self.port),
            security: Security::None,
            from: "한상 <site@example.com>".to_owned(),
            ..SmtpSettings::default()
        }
    }

    fn mailer(&self) -> Smtp {
        Smtp::new(self.settings()).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The mails that servers took, in order.
fn received(mails: &Path) -> Vec<Json> {
    let count = std::fs::read_dir(mails).unwrap().count();
    let read = |number| std::fs::read_to_string(mails.join(format!("{number}.json"))).unwrap();
    (0..count).map(|number| serde_json::from_str(&read(number)).unwrap()).collect()
}

/// A site whose company has an address, with one inquiry.
async fn site() -> (Ground, Inquiry) {
    let ground = Ground::new().await;
    let info = CorpInfo { email: Some("contact@family.com".to_owned()), ..CorpInfo::default() };
    save_corp_info(&ground.content, &info).await.unwrap();
    let new = NewInquiry {
        name: "홍길동".to_owned(),
        email: "user@example.com".to_owned(),
        company: "패밀리매니지먼트".to_owned(),
        title: "팀장".to_owned(),
        referral: "검색".to_owned(),
        subject: "협업 문의드립니다 ✓".to_owned(),
        message: "안녕하세요.\n.\n점 하나만 있는 줄도 있습니다.".to_owned(),
        consent_version: "2025-11".to_owned(),
        ..NewInquiry::default()
    };
    let inquiry = submit(&ground.content, &new).await.unwrap();
    (ground, inquiry)
}

async fn send(ground: &Ground, mailer: &Smtp) -> Delivered {
    let ports = Ports { mailer, caller: &Unused, files: &Unused };
    deliver(&ground.content, ports).await.unwrap()
}

const SENT: Delivered = Delivered { sent: 1, later: 0, failed: 0 };
const LATER: Delivered = Delivered { sent: 0, later: 1, failed: 0 };

/// C12, C13, Cs10, Cs13: the server gets the notification and the reply, in Korean, once.
#[tokio::test]
async fn a_server_gets_the_mails_of_an_inquiry() {
    let mails = TempDir::new().unwrap();
    let (ground, inquiry) = site().await;
    let server = Server::start(mails.path(), "accept", &[]);
    assert_eq!(send(&ground, &server.mailer()).await, SENT);
    let [mail] = &received(mails.path())[..] else { panic!() };
    assert_eq!(mail["subject"], "[FM-web 문의] 협업 문의드립니다 ✓");
    assert_eq!(mail["replyTo"], "user@example.com", "an answer goes to the visitor");
    assert_eq!((&mail["to"][0], &mail["from"]), (&"contact@family.com".into(), &"site@example.com".into()));
    let body = mail["body"].as_str().unwrap().replace("\r\n", "\n");
    assert!(body.contains("홍길동 <user@example.com>") && body.contains("\n.\n점 하나만"), "{body}");
    let stored = mails_of(&ground.content, &inquiry.id).await.unwrap();
    assert_eq!(mail["id"], format!("<{}@example.com>", stored[0].id));
    assert_eq!(send(&ground, &server.mailer()).await, Delivered::default());
    reply(&ground.content, "ann", &inquiry.id, "내일 연락드리겠습니다.").await.unwrap();
    assert_eq!(send(&ground, &server.mailer()).await, SENT);
    assert_eq!(received(mails.path())[1]["subject"], "[FM-web 답변] 협업 문의드립니다 ✓");
    let done = find_inquiry(&ground.content, &inquiry.id).await.unwrap();
    assert_eq!(
        (done.status, done.notified_email.as_deref()),
        (InquiryStatus::Done, Some("contact@family.com"))
    );
}

/// A server that is stopped, busy or greylists gets the mail later, once.
#[tokio::test]
async fn a_server_that_is_not_ready_is_tried_again() {
    let mails = TempDir::new().unwrap();
    let (ground, inquiry) = site().await;
    let stopped = {
        let server = Server::start(mails.path(), "accept", &[]);
        server.mailer()
    };
    assert_eq!(send(&ground, &stopped).await, LATER);
    for mode in ["busy", "greylist"] {
        ground.pass(1000);
        let server = Server::start(mails.path(), mode, &[]);
        assert_eq!(send(&ground, &server.mailer()).await, LATER, "{mode}");
        if mode == "greylist" {
            let [mail] = &mails_of(&ground.content, &inquiry.id).await.unwrap()[..] else { panic!() };
            assert!(mail.error.as_ref().unwrap().contains("greylisted"), "{mail:?}");
            assert_eq!((mail.state, mail.attempts), (MailState::Pending, 3));
            ground.pass(1000);
            assert_eq!(send(&ground, &server.mailer()).await, SENT);
        }
    }
    assert_eq!(received(mails.path()).len(), 1);
}

/// A refusal of the receiver is shown to a manager and not tried again.
#[tokio::test]
async fn a_refused_mail_is_shown() {
    let mails = TempDir::new().unwrap();
    let (ground, inquiry) = site().await;
    let server = Server::start(mails.path(), "refuse", &[]);
    let failed = Delivered { failed: 1, ..Delivered::default() };
    assert_eq!(send(&ground, &server.mailer()).await, failed);
    let [mail] = &mails_of(&ground.content, &inquiry.id).await.unwrap()[..] else { panic!() };
    assert!(mail.error.as_ref().unwrap().contains("no such user"), "{mail:?}");
    assert_eq!(mail.state, MailState::Failed);
    ground.pass(100_000);
    assert_eq!(send(&ground, &server.mailer()).await, Delivered::default());
    assert!(find_inquiry(&ground.content, &inquiry.id).await.unwrap().notified_email.is_none());
}

/// A server that ends, or never answers, after it was given the text gets the mail again with the same id: it is not lost.
#[tokio::test]
async fn a_mail_without_an_answer_is_sent_again_with_its_id() {
    for mode in ["die", "hang"] {
        let mails = TempDir::new().unwrap();
        let (ground, inquiry) = site().await;
        let server = Server::start(mails.path(), mode, &[]);
        let timeout = Some(Duration::from_millis(if mode == "hang" { 1500 } else { 60_000 }));
        let mailer = Smtp::new(SmtpSettings { timeout, ..server.settings() }).unwrap();
        assert_eq!(send(&ground, &mailer).await, LATER, "{mode}");
        assert!(find_inquiry(&ground.content, &inquiry.id).await.unwrap().notified_email.is_none());
        drop(server);
        ground.pass(1000);
        let server = Server::start(mails.path(), "accept", &[]);
        assert_eq!(send(&ground, &server.mailer()).await, SENT);
        let received = received(mails.path());
        assert_eq!(received.len(), 2, "{mode}");
        assert_eq!(received[0]["id"], received[1]["id"]);
        ground.pass(100_000);
        assert_eq!(send(&ground, &server.mailer()).await, Delivered::default());
    }
}

/// A server that answers late, but in time, gets the mail once: its answer counts.
#[tokio::test]
async fn a_slow_server_gets_a_mail_once() {
    let mails = TempDir::new().unwrap();
    let (ground, inquiry) = site().await;
    let server = Server::start(mails.path(), "slow", &[]);
    assert_eq!(send(&ground, &server.mailer()).await, SENT);
    let [mail] = &mails_of(&ground.content, &inquiry.id).await.unwrap()[..] else { panic!() };
    assert_eq!((mail.state, mail.attempts), (MailState::Sent, 1));
    ground.pass(100_000);
    assert_eq!(send(&ground, &server.mailer()).await, Delivered::default());
    assert_eq!(received(mails.path()).len(), 1);
}

/// A wrong password concerns every mail: they wait until it is mended.
#[tokio::test]
async fn a_wrong_password_fails_no_mail() {
    let mails = TempDir::new().unwrap();
    let (ground, _) = site().await;
    let server = Server::start(mails.path(), "auth", &[]);
    let with = |password: &str| {
        let login = Some(("site".to_owned(), password.to_owned()));
        Smtp::new(SmtpSettings { login, ..server.settings() }).unwrap()
    };
    assert_eq!(send(&ground, &with("wrong")).await, LATER);
    ground.pass(1000);
    assert_eq!(send(&ground, &with("secret")).await, SENT);
    assert_eq!(received(mails.path())[0]["user"], "site");
}

/// Encrypted connections check the certificate.
#[tokio::test]
async fn connections_are_encrypted() {
    let certificate = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let folder = TempDir::new().unwrap();
    let (pem, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
    std::fs::write(&pem, certificate.cert.pem()).unwrap();
    std::fs::write(&key, certificate.signing_key.serialize_pem()).unwrap();
    for (mode, security) in [("starttls", Security::StartTls), ("tls", Security::Tls)] {
        let mails = TempDir::new().unwrap();
        let (ground, _) = site().await;
        let server = Server::start(mails.path(), mode, &[&pem, &key]);
        let unknown = Smtp::new(SmtpSettings { security, ..server.settings() }).unwrap();
        assert_eq!(send(&ground, &unknown).await, LATER, "{mode}: the certificate is not trusted");
        ground.pass(1000);
        let trusted = Some(certificate.cert.pem().into_bytes());
        let trusting = SmtpSettings { security, certificate: trusted, ..server.settings() };
        assert_eq!(send(&ground, &Smtp::new(trusting).unwrap()).await, SENT, "{mode}");
        assert_eq!(received(mails.path())[0]["encrypted"], true);
    }
    let plain = TempDir::new().unwrap();
    let (ground, _) = site().await;
    let server = Server::start(plain.path(), "accept", &[]);
    let strict = Smtp::new(SmtpSettings { security: Security::StartTls, ..server.settings() }).unwrap();
    assert_eq!(send(&ground, &strict).await, LATER, "nothing is sent without encryption");
    assert!(received(plain.path()).is_empty());
    assert!(Smtp::new(SmtpSettings { from: "nobody".to_owned(), ..server.settings() }).is_err());
}

/// Without a mail server each mail becomes one file, also when it is written twice.
#[tokio::test]
async fn mails_become_files() {
    let folder = TempDir::new().unwrap();
    let (ground, inquiry) = site().await;
    let mailer = EmlMailer::new(&folder.path().join("mail"), "site@example.com").unwrap();
    let ports = Ports { mailer: &mailer, caller: &Unused, files: &Unused };
    assert_eq!(deliver(&ground.content, ports).await.unwrap(), SENT);
    let [mail] = &mails_of(&ground.content, &inquiry.id).await.unwrap()[..] else { panic!() };
    let file = folder.path().join("mail").join(format!("{}.eml", mail.id));
    let text = std::fs::read_to_string(file).unwrap();
    assert!(
        text.contains("To: contact@family.com\r\n") && text.contains(&format!("<{}@example.com>", mail.id))
    );
    assert!(text.contains("Reply-To: user@example.com\r\n"), "{text}");
    let files = || std::fs::read_dir(folder.path().join("mail")).unwrap().count();
    assert_eq!(files(), 1, "no temporary file");
    let told = find_inquiry(&ground.content, &inquiry.id).await.unwrap();
    assert_eq!(told.notified_email.as_deref(), Some("contact@family.com"));
    // Erasing the person deletes the file, and what an attempt that was cut off has left.
    std::fs::write(folder.path().join("mail").join(format!("{}-x.part", mail.id)), "To: ").unwrap();
    std::fs::write(folder.path().join("mail").join("other.eml"), "of another inquiry").unwrap();
    assert_eq!(files(), 3);
    erase(&ground.content, &mailer, &inquiry.id).await.unwrap();
    assert_eq!(files(), 1);
    erase(&ground.content, &mailer, &inquiry.id).await.unwrap();
    assert!(EmlMailer::new(folder.path(), "nobody").is_err());
}
