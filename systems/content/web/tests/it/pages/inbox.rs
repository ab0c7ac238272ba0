//! The inbox: inquiries, replies, spam.

use hansang_content::{
    Caller, Content, CorpInfo, HookAnswer, HookCall, Inquiry, InquiryStatus, Mail, Mailer, NewInquiry, Ports,
    Sent, SpamSign, deliver, find_inquiry, mails_of, save_corp_info, submit,
};
use hansang_embedded::Directory;
use hansang_testserver::{On, Visitor, has, lacks};

use super::{START, start};

hansang_testserver::on_each_store! {
    an_inquiry_is_answered,
    suspected_spam_is_kept_for_a_manager,
    the_data_of_a_person_is_erased,
    a_mail_that_was_not_sent_is_seen,
}

async fn inquiry(content: &Content, subject: &str, spam: Vec<SpamSign>) -> Inquiry {
    let new = NewInquiry {
        name: "김문의".to_owned(),
        email: "kim@example.com".to_owned(),
        company: "예시 상사".to_owned(),
        title: "과장".to_owned(),
        referral: "검색".to_owned(),
        subject: subject.to_owned(),
        message: "제품 <b>견적</b>을 부탁드립니다.".to_owned(),
        consent_version: "2026-01".to_owned(),
        spam,
        ..NewInquiry::default()
    };
    submit(content, &new).await.unwrap()
}

fn at(id: &str) -> String {
    format!("{START}/inquiries/{id}")
}

/// Cs12, Cs13, Cs17: read, answered with a template, closed, reopened, deleted.
async fn an_inquiry_is_answered(on: On) {
    let (server, content) = start(on).await;
    let company = CorpInfo { email: Some("office@example.com".to_owned()), ..CorpInfo::default() };
    save_corp_info(&content, &company).await.unwrap();
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    has(&editor.get(&format!("{START}/inquiries")).await, &["답변할 문의가 없습니다"]);
    let asked = inquiry(&content, "견적 문의", Vec::new()).await;
    has(&editor.get(&format!("{START}/inquiries")).await, &["견적 문의", "김문의", "예시 상사", "접수"]);
    lacks(&editor.get(&format!("{START}/inquiries?q=없는말")).await, &["견적 문의"]);
    has(&editor.get(START).await, &["견적 문의 · 김문의"]);

    let template = [("title", "견적"), ("body", "{name}님, {subject} 잘 받았습니다.")];
    assert_eq!(editor.post(&format!("{START}/templates/new"), &template).await.status, 303);
    let page = editor.get(&at(&asked.id)).await;
    has(
        &page,
        &[
            "제품 &#60;b&#62;견적&#60;/b&#62;을",
            "kim@example.com",
            "알림",
            "발송 대기",
            "김문의님, 견적 문의 잘 받았습니다.",
        ],
    );
    let empty = editor.post(&at(&asked.id), &[("do", "reply"), ("message", " ")]).await;
    assert_eq!(empty.status, 400);
    has(&empty, &["f-message-problem"]);
    let sent = editor.post(&at(&asked.id), &[("do", "reply"), ("message", "견적서를 보냅니다.")]).await;
    assert_eq!(sent.header("location"), format!("{}?done=reply-waits", at(&asked.id)));
    has(&editor.get(&at(&asked.id)).await, &["견적서를 보냅니다.", "답변", "처리 중"]);

    assert_eq!(editor.post(&at(&asked.id), &[("do", "done")]).await.status, 303);
    assert_eq!(find_inquiry(&content, &asked.id).await.unwrap().status, InquiryStatus::Done);
    has(&editor.get(&format!("{START}/inquiries?folder=done")).await, &["견적 문의"]);
    has(&editor.get(&at(&asked.id)).await, &["다시 열기"]);
    assert_eq!(editor.post(&at(&asked.id), &[("do", "in_progress")]).await.status, 303);
    assert_eq!(find_inquiry(&content, &asked.id).await.unwrap().status, InquiryStatus::InProgress);

    let viewer = Visitor::sign_in(&server, "viewer", "ko").await;
    assert_eq!(viewer.get(&at(&asked.id)).await.status, 403);
    // Erasing is for administrators, here and in the API.
    let erase = format!("{}/delete", at(&asked.id));
    lacks(&editor.get(&at(&asked.id)).await, &["/delete\""]);
    assert_eq!((editor.get(&erase).await.status, editor.post(&erase, &[]).await.status), (403, 403));
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    has(&admin.get(&at(&asked.id)).await, &["/delete\""]);
    has(&admin.get(&erase).await, &["견적 문의", "되돌릴 수 없습니다"]);
    assert_eq!(admin.post(&erase, &[]).await.status, 303);
    assert_eq!(editor.get(&at(&asked.id)).await.status, 404);
}

/// Cs14: everything of a person is erased on request, by an administrator who sees what it is.
async fn the_data_of_a_person_is_erased(on: On) {
    let (server, content) = start(on).await;
    let asked = inquiry(&content, "견적 문의", Vec::new()).await;
    inquiry(&content, "배송 문의", Vec::new()).await;
    let page = format!("{START}/people/erase");
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    assert_eq!((editor.get(&page).await.status, editor.post(&page, &[]).await.status), (403, 403));
    lacks(&editor.get(&at(&asked.id)).await, &["people/erase"]);
    let admin = Visitor::sign_in(&server, "admin", "ko").await;
    has(&admin.get(&at(&asked.id)).await, &[&*format!("{page}?inquiry={}", asked.id)]);
    has(
        &admin.get(&format!("{page}?inquiry={}", asked.id)).await,
        &["kim@example.com", "견적 문의", "배송 문의", "모두 삭제"],
    );
    let wrong = admin.post(&page, &[("do", "find"), ("email", "kim")]).await;
    assert_eq!(wrong.status, 400);
    has(&wrong, &["f-email-problem"]);
    has(&admin.post(&page, &[("do", "find"), ("email", "other@example.com")]).await, &["문의가 없습니다"]);
    let found = admin.post(&page, &[("do", "find"), ("email", " KIM@example.com ")]).await;
    has(&found, &["견적 문의", "배송 문의"]);
    let erased = admin.post(&page, &[("do", "erase"), ("email", "KIM@example.com")]).await;
    assert_eq!(erased.header("location"), format!("{START}/inquiries?done=person-erased"));
    has(&admin.get(&format!("{START}/inquiries?folder=all")).await, &["문의가 없습니다"]);
}

/// A mailer that refuses everything.
struct Refusing;

#[async_trait::async_trait]
impl Mailer for Refusing {
    async fn send(&self, _: &Mail) -> Sent {
        Sent::Refused("550 no such user".to_owned())
    }

    async fn forget(&self, _: &str) -> Result<(), hansang_core::Error> {
        Ok(())
    }
}

/// Nothing else is to be sent in these tests.
#[async_trait::async_trait]
impl Caller for Refusing {
    async fn call(&self, _: &HookCall) -> HookAnswer {
        HookAnswer { status: None, error: "none".to_owned() }
    }
}

/// Cs11: no mail is lost silently: one that could not be sent is seen in the inbox and on the first page, until it is sent again.
async fn a_mail_that_was_not_sent_is_seen(on: On) {
    let (server, content) = start(on).await;
    let company = CorpInfo { email: Some("office@example.com".to_owned()), ..CorpInfo::default() };
    save_corp_info(&content, &company).await.unwrap();
    let asked = inquiry(&content, "견적 문의", Vec::new()).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    lacks(&editor.get(START).await, &["보내지 못한 메일"]);
    let folder = tempfile::tempdir().unwrap();
    let files = Directory::new(folder.path());
    deliver(&content, Ports { mailer: &Refusing, caller: &Refusing, files: &files }).await.unwrap();
    has(&editor.get(START).await, &["보내지 못한 메일", "folder=failed", "메일 발송 실패"]);
    has(&editor.get(&format!("{START}/inquiries")).await, &["견적 문의", "메일 발송 실패"]);
    has(&editor.get(&format!("{START}/inquiries?folder=failed")).await, &["견적 문의"]);
    let page = editor.get(&at(&asked.id)).await;
    has(&page, &["550 no such user", "메일 발송 실패", "다시 보내기"]);
    let mail = mails_of(&content, &asked.id).await.unwrap()[0].id.clone();
    assert_eq!(editor.post(&at(&asked.id), &[("do", "resend"), ("mail", &mail)]).await.status, 303);
    lacks(&editor.get(START).await, &["보내지 못한 메일"]);
    lacks(&editor.get(&format!("{START}/inquiries?folder=failed")).await, &["견적 문의"]);
}

/// Cs15: spam is kept aside, is not answered, and can be released.
async fn suspected_spam_is_kept_for_a_manager(on: On) {
    let (server, content) = start(on).await;
    let editor = Visitor::sign_in(&server, "editor", "ko").await;
    let spam = inquiry(&content, "특가 상품", vec![SpamSign::Links]).await;
    lacks(&editor.get(&format!("{START}/inquiries")).await, &["특가 상품"]);
    has(&editor.get(&format!("{START}/inquiries?folder=spam")).await, &["특가 상품", "스팸 의심"]);
    let page = editor.get(&at(&spam.id)).await;
    has(&page, &["알림을 보내지 않았습니다", "스팸 아님"]);
    lacks(&page, &["답변 보내기"]);
    let released = editor.post(&at(&spam.id), &[("do", "release")]).await;
    assert_eq!(released.header("location"), format!("{}?done=released", at(&spam.id)));
    has(&editor.get(&format!("{START}/inquiries")).await, &["특가 상품"]);
}
