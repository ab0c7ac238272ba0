//! The end of personal data, reply templates, lists of inquiries, and the worker.

use std::sync::Arc;
use std::time::Duration;

use hansang_content::{
    ContentCode, CorpInfo, InquiryFilter, InquiryStatus, NewInquiry, Ports, Purged, SpamSign,
    change_template, create_template, delete_template, deliver, erase_person, fill_template, find_inquiry,
    inquiries, mails_of, next_due, purge, reply, reply_templates, save_corp_info, set_status, submit, work,
};
use hansang_core::db::Ask;
use hansang_core::{Item, Value, name};

use crate::grounds::{Ground, NoOutside, On, at, on_each_store, ports};
use crate::inquiries::{Scripted, inquiry};

/// An inquiry is deleted with its mails at the end of its retention period.
async fn inquiries_end_with_their_retention_period(ground: Ground) {
    let content = &ground.content;
    let short = submit(content, &NewInquiry { purge_at: Some(at(100)), ..inquiry() }).await.unwrap();
    let long = submit(content, &NewInquiry { purge_at: Some(at(1000)), ..inquiry() }).await.unwrap();
    assert_eq!(purge(content, &Scripted::default()).await.unwrap(), Purged::default());
    ground.pass(100);
    assert_eq!(purge(content, &Scripted::default()).await.unwrap().inquiries, 1);
    assert_eq!(find_inquiry(content, &short.id).await.unwrap_err().code, ContentCode::InquiryUnknown);
    assert!(mails_of(content, &short.id).await.unwrap().is_empty());
    assert!(find_inquiry(content, &long.id).await.is_ok());
    assert_eq!(purge(content, &Scripted::default()).await.unwrap(), Purged::default());
}

/// A person's data is erased by the address, however it was written, with mails that wait.
async fn a_person_is_erased(ground: Ground) {
    let content = &ground.content;
    let of = |email: &str| NewInquiry { email: email.to_owned(), ..inquiry() };
    let one = submit(content, &of("User@Example.com")).await.unwrap();
    let two = submit(content, &of("user@example.com")).await.unwrap();
    let other = submit(content, &of("other@example.com")).await.unwrap();
    reply(content, "ann", &one.id, "답변").await.unwrap();
    assert_eq!(erase_person(content, &Scripted::default(), " USER@example.com ").await.unwrap(), 2);
    for id in [&one.id, &two.id] {
        assert!(find_inquiry(content, id).await.is_err());
        assert!(mails_of(content, id).await.unwrap().is_empty());
    }
    assert!(find_inquiry(content, &other.id).await.is_ok());
    let refused = reply(content, "ann", &one.id, "답변").await.unwrap_err();
    assert_eq!(refused.code, ContentCode::InquiryUnknown);
    let mailer = Scripted::default();
    deliver(content, ports(&mailer)).await.unwrap();
    assert!(
        mailer.received().is_empty(),
        "only the notification of the other inquiry waits, without an address"
    );
}

/// A manager sees what is kept aside as spam and why, cannot answer it, and the subject of an old item is one line.
async fn managers_list_inquiries(ground: Ground) {
    let content = &ground.content;
    let spam = NewInquiry { spam: vec![SpamSign::Fast, SpamSign::Links], ..inquiry() };
    let spam = submit(content, &spam).await.unwrap();
    assert_eq!(spam.spam_signs, [SpamSign::Fast, SpamSign::Links]);
    let refused = reply(content, "ann", &spam.id, "답변").await.unwrap_err();
    assert_eq!(refused.code, ContentCode::InQuarantine);
    ground.pass(1);
    let good = submit(content, &inquiry()).await.unwrap();
    let list = async |filter| -> Vec<String> {
        let page = inquiries(content, filter, Ask::default()).await.unwrap();
        page.inquiries.into_iter().map(|one| one.id).collect()
    };
    let all = InquiryFilter::default();
    assert_eq!(list(all).await, [good.id.clone(), spam.id.clone()]);
    assert_eq!(list(InquiryFilter { spam: Some(true), ..all }).await, std::slice::from_ref(&spam.id));
    let done = InquiryFilter { status: Some(InquiryStatus::Done), ..all };
    assert!(list(done).await.is_empty());
    set_status(content, &good.id, InquiryStatus::Done, Some(good.revision)).await.unwrap();
    let stale = set_status(content, &good.id, InquiryStatus::InProgress, Some(good.revision)).await;
    assert_eq!(stale.unwrap_err().code, ContentCode::Changed);
    assert_eq!(list(done).await, std::slice::from_ref(&good.id));

    let fields = [
        ("id", "old"),
        ("name", "a"),
        ("email", "a@example.com"),
        ("company", "c"),
        ("title", "t"),
        ("referral", "r"),
        ("subject", "x\r\nBcc: all@example.com"),
        ("message", "m"),
    ];
    let fields: Item = fields.into_iter().map(|(name, value)| (name.into(), Value::from(value))).collect();
    content.db.create("ContactInquiry", fields).await.unwrap();
    reply(content, "ann", "old", "답변").await.unwrap();
    let mailer = Scripted::default();
    deliver(content, ports(&mailer)).await.unwrap();
    let sent = mailer.received();
    assert_eq!(
        sent.iter().find(|mail| mail.to == "a@example.com").unwrap().subject,
        "[FM-web 답변] x Bcc: all@example.com"
    );
}

/// A template is filled in once; what a visitor wrote is no template.
async fn replies_start_with_templates(ground: Ground) {
    let content = &ground.content;
    let made = create_template(content, "접수", "{name}님, {subject} {other}").await.unwrap();
    let odd = NewInquiry { name: "{subject}".to_owned(), subject: "제목".to_owned(), ..inquiry() };
    let new = submit(content, &odd).await.unwrap();
    assert_eq!(fill_template(&made, &new), "{subject}님, 제목 {other}");
    let changed = change_template(content, &made.id, "접수 안내", "본문", made.revision).await.unwrap();
    let stale = delete_template(content, &made.id, made.revision).await.unwrap_err();
    assert_eq!(stale.code, ContentCode::Changed);
    assert_eq!(reply_templates(content).await.unwrap(), std::slice::from_ref(&changed));
    delete_template(content, &made.id, changed.revision).await.unwrap();
    let gone = change_template(content, &made.id, "a", "b", 1).await.unwrap_err();
    assert_eq!(gone.code, ContentCode::TemplateUnknown);
    assert!(create_template(content, " ", "").await.is_err());
}

on_each_store!(
    inquiries_end_with_their_retention_period,
    a_person_is_erased,
    managers_list_inquiries,
    replies_start_with_templates,
);

/// The worker sends what this process writes without being asked, and stops.
#[tokio::test(start_paused = true)]
async fn the_worker_sends_and_stops() {
    let ground = Ground::new(On::Embedded).await;
    let content = ground.content.clone();
    let info = CorpInfo { email: Some("contact@family.com".to_owned()), ..CorpInfo::default() };
    save_corp_info(&content, &info).await.unwrap();
    let mailer = Arc::new(Scripted::default());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let running = tokio::spawn({
        let (content, mailer) = (content.clone(), mailer.clone());
        async move {
            let ports = Ports { mailer: &*mailer, caller: &NoOutside, files: &NoOutside };
            work(&content, ports, async { drop(stopped.await) }).await;
        }
    });
    let new = submit(&content, &inquiry()).await.unwrap();
    // The clock of the runtime moves when every task waits.
    while next_due(&content).await.unwrap().is_some() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(mailer.received().len(), 1);
    let told = find_inquiry(&content, &new.id).await.unwrap();
    assert_eq!(told.notified_email.as_deref(), Some("contact@family.com"));
    let key = Item::from([(name!("id"), Value::from(new.id.as_str()))]);
    assert!(content.db.stored("ContactInquiry", &key).await.unwrap().is_some());
    drop(stop);
    running.await.unwrap();
}
