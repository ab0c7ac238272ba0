//! Inquiries, their mails, and a mail server that fails in every way.

use std::collections::BTreeSet;
use std::sync::Mutex;

use async_trait::async_trait;
use hansang_content::{
    Content, ContentCode, CorpInfo, Delivered, InquiryStatus, Mail, MailKind, MailState, Mailer, NewInquiry,
    Sent, SpamSign, corp_info, deliver, erase, find_inquiry, mails_of, release, reply, resend,
    save_corp_info, set_status, submit,
};
use hansang_core::Error;

use crate::grounds::{Ground, on_each_store, ports};

/// Gives the next answer of a list, and accepts when the list is empty.
#[derive(Default)]
pub(crate) struct Scripted {
    answers: Mutex<Vec<Sent>>,
    received: Mutex<Vec<Mail>>,
    forgotten: Mutex<Vec<String>>,
}

impl Scripted {
    fn answering(answers: impl IntoIterator<Item = Sent>) -> Self {
        let mut answers: Vec<Sent> = answers.into_iter().collect();
        answers.reverse();
        Self { answers: Mutex::new(answers), ..Self::default() }
    }

    pub(crate) fn received(&self) -> Vec<Mail> {
        self.received.lock().unwrap().clone()
    }

    /// The ids of the mails that it forgot, each once.
    pub(crate) fn forgotten(&self) -> BTreeSet<String> {
        self.forgotten.lock().unwrap().iter().cloned().collect()
    }
}

#[async_trait]
impl Mailer for Scripted {
    async fn send(&self, mail: &Mail) -> Sent {
        self.received.lock().unwrap().push(mail.clone());
        self.answers.lock().unwrap().pop().unwrap_or(Sent::Accepted)
    }

    async fn forget(&self, id: &str) -> Result<(), Error> {
        self.forgotten.lock().unwrap().push(id.to_owned());
        Ok(())
    }
}

pub(crate) fn inquiry() -> NewInquiry {
    NewInquiry {
        name: "홍길동".to_owned(),
        email: "user@example.com".to_owned(),
        company: "패밀리매니지먼트".to_owned(),
        title: "팀장".to_owned(),
        referral: "search".to_owned(),
        subject: "협업 문의".to_owned(),
        message: "협업 관련해서\n문의드립니다.".to_owned(),
        consent_version: "2025-11".to_owned(),
        ..NewInquiry::default()
    }
}

async fn company(content: &Content, email: &str) {
    let info = corp_info(content).await.unwrap();
    save_corp_info(content, &CorpInfo { email: Some(email.to_owned()), ..info }).await.unwrap();
}

/// C12, C13: the company is told once, and the address is kept when the server accepted.
async fn the_company_is_notified(ground: Ground) {
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &inquiry()).await.unwrap();
    assert_eq!((new.status, &new.notified_email), (InquiryStatus::New, &None));
    let mailer = Scripted::default();
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap().sent, 1);
    let [mail] = &mailer.received()[..] else { panic!("{:?}", mailer.received()) };
    assert_eq!((&*mail.to, &*mail.subject), ("contact@family.com", "[FM-web 문의] 협업 문의"));
    assert_eq!(mail.reply_to.as_deref(), Some("user@example.com"), "an answer goes to the visitor");
    assert!(mail.body.contains("홍길동 <user@example.com>") && mail.body.contains("문의드립니다."));
    company(content, "other@family.com").await;
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap(), Delivered::default());
    let told = find_inquiry(content, &new.id).await.unwrap();
    assert_eq!(told.notified_email.as_deref(), Some("contact@family.com"));
}

/// A server that is down, greylists or loses the connection is tried again, later each time; a refusal is shown.
async fn a_mail_waits_until_it_is_accepted(ground: Ground) {
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &inquiry()).await.unwrap();
    let mailer = Scripted::answering([
        Sent::Later("connection refused".to_owned()),
        Sent::Later("450 greylisted".to_owned()),
        Sent::Unknown("connection lost".to_owned()),
    ]);
    let later = Delivered { later: 1, ..Delivered::default() };
    for pause in [30, 60, 120] {
        assert_eq!(deliver(content, ports(&mailer)).await.unwrap(), later);
        ground.pass(pause - 1);
        assert_eq!(deliver(content, ports(&mailer)).await.unwrap(), Delivered::default(), "not due yet");
        // By chance the pause is up to a quarter longer.
        ground.pass(1 + pause / 4);
    }
    let [waiting] = &mails_of(content, &new.id).await.unwrap()[..] else { panic!() };
    assert_eq!((waiting.state, waiting.attempts), (MailState::Pending, 3));
    assert_eq!(waiting.error.as_deref(), Some("connection lost"));
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap().sent, 1);
    assert!(mailer.received().iter().all(|mail| mail.id == waiting.id), "every attempt has the same id");

    let other = submit(content, &inquiry()).await.unwrap();
    let mailer = Scripted::answering([Sent::Refused("550 no such user".to_owned())]);
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap().failed, 1);
    let [mail] = &mails_of(content, &other.id).await.unwrap()[..] else { panic!() };
    assert_eq!((mail.state, mail.error.as_deref()), (MailState::Failed, Some("550 no such user")));
    let refused = find_inquiry(content, &other.id).await.unwrap();
    assert_eq!((refused.notified_email, refused.failed_mails), (None, 1), "managers see it at the inquiry");
    resend(content, &other.id, &mail.id).await.unwrap();
    assert_eq!(find_inquiry(content, &other.id).await.unwrap().failed_mails, 0);
    assert_eq!(deliver(content, ports(&Scripted::default())).await.unwrap().sent, 1);
    assert!(resend(content, &other.id, &mail.id).await.is_err(), "it was sent");
}

/// A server that answers late gets one mail: another worker waits for as long as an attempt may take.
async fn a_late_answer_is_waited_for(ground: Ground) {
    struct Late<'g>(&'g Ground, &'g Scripted);
    #[async_trait]
    impl Mailer for Late<'_> {
        async fn send(&self, mail: &Mail) -> Sent {
            self.0.pass(89);
            let other = deliver(&self.0.content, ports(self.1)).await.unwrap();
            assert_eq!(other, Delivered::default(), "another worker sends it too");
            self.1.send(mail).await
        }

        async fn forget(&self, id: &str) -> Result<(), Error> {
            self.1.forget(id).await
        }
    }
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &inquiry()).await.unwrap();
    let mailer = Scripted::default();
    assert_eq!(deliver(content, ports(&Late(&ground, &mailer))).await.unwrap().sent, 1);
    assert_eq!(mailer.received().len(), 1);
    assert_eq!(mails_of(content, &new.id).await.unwrap()[0].state, MailState::Sent);
}

/// A worker that stopped in the middle is replaced after its time, and cannot record anything any more.
async fn a_stopped_worker_is_replaced(ground: Ground) {
    struct Slow<'g>(&'g Ground, &'g Scripted);
    #[async_trait]
    impl Mailer for Slow<'_> {
        async fn send(&self, mail: &Mail) -> Sent {
            self.0.pass(181);
            let other = deliver(&self.0.content, ports(self.1)).await.unwrap();
            assert_eq!(other.sent, 1, "another worker takes it over");
            assert_eq!(self.1.received()[0].id, mail.id);
            Sent::Refused("late".to_owned())
        }

        async fn forget(&self, id: &str) -> Result<(), Error> {
            self.1.forget(id).await
        }
    }
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &inquiry()).await.unwrap();
    let mailer = Scripted::default();
    assert_eq!(deliver(content, ports(&Slow(&ground, &mailer))).await.unwrap(), Delivered::default());
    let [mail] = &mails_of(content, &new.id).await.unwrap()[..] else { panic!() };
    assert_eq!(mail.state, MailState::Sent);
}

/// A notification waits until the company has an address.
async fn a_notification_waits_for_an_address(ground: Ground) {
    let content = &ground.content;
    let new = submit(content, &inquiry()).await.unwrap();
    let mailer = Scripted::default();
    assert_eq!(
        deliver(content, ports(&mailer)).await.unwrap(),
        Delivered { later: 1, ..Delivered::default() }
    );
    let [waiting] = &mails_of(content, &new.id).await.unwrap()[..] else { panic!() };
    assert_eq!((waiting.state, &waiting.to, waiting.attempts), (MailState::Pending, &None, 0));
    assert!(mailer.received().is_empty());
    // It is sent as soon as there is an address, and not after the pause.
    company(content, "contact@family.com").await;
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap().sent, 1);
    assert_eq!(mailer.received()[0].to, "contact@family.com");
    let told = find_inquiry(content, &new.id).await.unwrap();
    assert_eq!(told.notified_email.as_deref(), Some("contact@family.com"));
}

/// A reply makes the inquiry done only when it was accepted; done can be reopened.
async fn an_inquiry_is_answered(ground: Ground) {
    let content = &ground.content;
    let new = submit(content, &inquiry()).await.unwrap();
    let answered = reply(content, "ann", &new.id, "내일 연락드리겠습니다.").await.unwrap();
    assert_eq!((answered.status, answered.first_reply_message), (InquiryStatus::InProgress, None));
    let mailer = Scripted::default();
    deliver(content, ports(&mailer)).await.unwrap();
    let [mail] = &mailer.received()[..] else { panic!() };
    assert_eq!((&*mail.to, &*mail.subject), ("user@example.com", "[FM-web 답변] 협업 문의"));
    assert_eq!(mail.reply_to, None);
    let done = find_inquiry(content, &new.id).await.unwrap();
    assert_eq!(done.status, InquiryStatus::Done);
    assert_eq!(done.first_reply_message.as_deref(), Some("내일 연락드리겠습니다."));
    set_status(content, &new.id, InquiryStatus::InProgress, None).await.unwrap();
    assert!(set_status(content, &new.id, InquiryStatus::New, None).await.is_err());
    reply(content, "ann", &new.id, "다시 답변드립니다.").await.unwrap();
    deliver(content, ports(&mailer)).await.unwrap();
    let done = find_inquiry(content, &new.id).await.unwrap();
    assert_eq!(done.first_reply_message.as_deref(), Some("내일 연락드리겠습니다."), "the first one stays");
    let replies = mails_of(content, &new.id).await.unwrap();
    assert_eq!(replies.iter().filter(|mail| mail.kind == MailKind::Reply).count(), 2);
    assert!(reply(content, "ann", &new.id, " ").await.is_err());
}

/// Suspected spam is kept without a notification until a manager releases it.
async fn suspected_spam_is_kept(ground: Ground) {
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &NewInquiry { spam: vec![SpamSign::Trap], ..inquiry() }).await.unwrap();
    let mailer = Scripted::default();
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap(), Delivered::default());
    assert!(!release(content, &new.id).await.unwrap().spam);
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap().sent, 1);
    let refused = release(content, &new.id).await.unwrap_err();
    assert_eq!(refused.code, ContentCode::NotInQuarantine);
}

/// Every wrong part is reported at once; a line break cannot forge a header.
async fn wrong_inquiries_are_refused(ground: Ground) {
    let wrong = NewInquiry {
        email: "not an address".to_owned(),
        subject: "x\r\nBcc: everyone@example.com".to_owned(),
        name: " ".to_owned(),
        message: "x".repeat(5001),
        consent_version: String::new(),
        ..inquiry()
    };
    let refused = submit(&ground.content, &wrong).await.unwrap_err();
    let fields: Vec<&str> = refused.violations.iter().map(|problem| &*problem.attribute).collect();
    assert_eq!(fields, ["name", "email", "subject", "message", "consent"]);
    for email in
        ["@example.com", "a@b", "a@b..c", "a b@example.com", "a@-x.com", "<a@example.com>", "a@@example.com"]
    {
        let wrong = NewInquiry { email: email.to_owned(), ..inquiry() };
        assert!(submit(&ground.content, &wrong).await.is_err(), "{email}");
    }
}

/// A person's data is erased with every mail, also those that wait, and those that the mailer keeps.
async fn an_inquiry_is_erased(ground: Ground) {
    let content = &ground.content;
    company(content, "contact@family.com").await;
    let new = submit(content, &inquiry()).await.unwrap();
    let mail = mails_of(content, &new.id).await.unwrap().remove(0).id;
    let mailer = Scripted::default();
    erase(content, &mailer, &new.id).await.unwrap();
    erase(content, &mailer, &new.id).await.unwrap();
    assert_eq!(find_inquiry(content, &new.id).await.unwrap_err().code, ContentCode::InquiryUnknown);
    assert!(mails_of(content, &new.id).await.unwrap().is_empty());
    assert_eq!(mailer.forgotten(), BTreeSet::from([mail]));
    assert_eq!(deliver(content, ports(&mailer)).await.unwrap(), Delivered::default());
    assert!(mailer.received().is_empty());
}

/// A mail that is being sent while its inquiry is erased is forgotten behind that too: the mailer may have written it since.
async fn a_mail_that_is_being_sent_is_erased(ground: Ground) {
    struct Late<'g>(&'g Ground, String, Scripted);
    #[async_trait]
    impl Mailer for Late<'_> {
        async fn send(&self, mail: &Mail) -> Sent {
            erase(&self.0.content, &Scripted::default(), &self.1).await.unwrap();
            self.2.send(mail).await
        }

        async fn forget(&self, id: &str) -> Result<(), Error> {
            self.2.forget(id).await
        }
    }
    let content = &ground.content;
    company(content, "contact@family.com").await;
    for answer in [Sent::Accepted, Sent::Later("busy".to_owned()), Sent::Refused("no".to_owned())] {
        let new = submit(content, &inquiry()).await.unwrap();
        let late = Late(&ground, new.id, Scripted::answering([answer]));
        deliver(content, ports(&late)).await.unwrap();
        let [mail] = &late.2.received()[..] else { panic!("{:?}", late.2.received()) };
        assert_eq!(late.2.forgotten(), BTreeSet::from([mail.id.clone()]));
    }
}

/// A form that is sent twice is one inquiry with one notification, also when the answer was lost; another message from the
/// same form is another inquiry.
async fn a_form_sent_twice_is_one_inquiry(ground: Ground) {
    let content = &ground.content;
    let sent = NewInquiry { form: Some(content.form_id()), ..inquiry() };
    let (one, two) = (submit(content, &sent).await.unwrap(), submit(content, &sent).await.unwrap());
    assert_eq!(one.id, two.id);
    assert_eq!(mails_of(content, &one.id).await.unwrap().len(), 1);
    let other = NewInquiry { message: "다른 문의입니다.".to_owned(), ..sent.clone() };
    let other = submit(content, &other).await.unwrap();
    assert_ne!(other.id, one.id);
    assert_eq!(find_inquiry(content, &one.id).await.unwrap().message, inquiry().message);
    let wrong = NewInquiry { form: Some("../x".to_owned()), ..sent };
    let refused = submit(content, &wrong).await.unwrap_err();
    assert_eq!(refused.violations[0].attribute, "formId");
}

on_each_store!(
    the_company_is_notified,
    a_mail_waits_until_it_is_accepted,
    a_notification_waits_for_an_address,
    a_late_answer_is_waited_for,
    a_stopped_worker_is_replaced,
    an_inquiry_is_answered,
    suspected_spam_is_kept,
    wrong_inquiries_are_refused,
    an_inquiry_is_erased,
    a_mail_that_is_being_sent_is_erased,
    a_form_sent_twice_is_one_inquiry,
);
