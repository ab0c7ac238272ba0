//! Mails under faults: several workers, a store that fails, and a mail server that gives clear and unclear answers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hansang_content::{
    Content, CorpInfo, InquiryStatus, Mail, MailState, Mailer, Ports, Sent, deliver, find_inquiry, mails_of,
    next_due, reply, save_corp_info, submit,
};
use hansang_core::db::Clock;
use hansang_core::write::Moment;
use hansang_core::{Error, Store};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;

use crate::grounds::{NoOutside, at, check_items, content};
use crate::inquiries::inquiry;

const WORKERS: u64 = 3;
const INQUIRIES: usize = 4;
const SEEDS: u64 = 10;

/// A mail server that remembers what it took, by the id of the mail: how often, and how often with a clear answer.
#[derive(Default)]
struct Server {
    taken: Mutex<BTreeMap<String, (usize, usize)>>,
    chance: Mutex<fastrand::Rng>,
}

#[async_trait]
impl Mailer for Server {
    async fn send(&self, mail: &Mail) -> Sent {
        tokio::task::yield_now().await;
        let answer = self.chance.lock().unwrap().u32(..6);
        let mut taken = self.taken.lock().unwrap();
        let (all, clear) = taken.entry(mail.id.clone()).or_default();
        match answer {
            0 => Sent::Later("450 later".to_owned()),
            // The text was taken, but the answer was lost.
            1 => {
                *all += 1;
                Sent::Unknown("connection lost".to_owned())
            }
            _ => {
                *all += 1;
                *clear += 1;
                Sent::Accepted
            }
        }
    }

    async fn forget(&self, _: &str) -> Result<(), Error> {
        Ok(())
    }
}

pub(crate) fn clock(start: u64, seconds: Arc<AtomicI64>) -> Clock {
    let count = AtomicU64::new(start << 32);
    Clock::new(move || Moment {
        now: at(seconds.load(Ordering::Relaxed)),
        random: u128::from(count.fetch_add(1, Ordering::Relaxed)),
    })
}

async fn worker(content: Content, server: Arc<Server>) {
    let ports = Ports { mailer: &*server, caller: &NoOutside, files: &NoOutside };
    // A run that fails is followed by the next one.
    drop(deliver(&content, ports).await);
}

/// C12, C13, Cs10, Cs11, Cs13: no inquiry and no mail is lost; a mail that was clearly accepted is not sent again; an address is noted when
/// a server has the mail; a reply is done when a server has it. Every item has a type and its times (C6).
#[tokio::test(start_paused = true)]
async fn no_mail_is_lost_and_none_is_sent_twice_after_a_clear_answer() {
    for seed in 0..SEEDS {
        let memory = Arc::new(Memory::new());
        let seconds = Arc::new(AtomicI64::new(0));
        let calm = content(memory.clone(), clock(0, seconds.clone()));
        calm.db.ensure_table().await.unwrap();
        let info = CorpInfo { email: Some("contact@family.com".to_owned()), ..CorpInfo::default() };
        save_corp_info(&calm, &info).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..INQUIRIES {
            let new = submit(&calm, &inquiry()).await.unwrap();
            reply(&calm, "ann", &new.id, "답변드립니다.").await.unwrap();
            ids.push(new.id);
        }
        let faults = Faults {
            throttle: 0.03,
            conflict: 0.03,
            timeout_before: 0.03,
            timeout_after: 0.03,
            ..Faults::default()
        };
        let server = Arc::new(Server::default());
        server.chance.lock().unwrap().seed(seed);
        let mut rounds = 0;
        while next_due(&calm).await.unwrap().is_some() {
            let workers: Vec<_> = (1..=WORKERS)
                .map(|number| {
                    let store: Arc<dyn Store> =
                        Arc::new(Faulty::new(memory.clone(), faults, seed * 1000 + rounds * 10 + number));
                    let content = content(store, clock(seed * 1000 + rounds * 10 + number, seconds.clone()));
                    tokio::spawn(worker(content, server.clone()))
                })
                .collect();
            for worker in workers {
                worker.await.unwrap();
            }
            seconds.fetch_add(7 * 3600, Ordering::Relaxed);
            rounds += 1;
            assert!(rounds < 60, "seed {seed}: the outbox does not become empty");
        }
        let taken = server.taken.lock().unwrap().clone();
        for id in &ids {
            let inquiry = find_inquiry(&calm, id).await.unwrap();
            assert_eq!(inquiry.notified_email.as_deref(), Some("contact@family.com"), "seed {seed}");
            assert_eq!(inquiry.status, InquiryStatus::Done, "seed {seed}");
            assert_eq!(inquiry.first_reply_message.as_deref(), Some("답변드립니다."), "seed {seed}");
            let mails = mails_of(&calm, id).await.unwrap();
            assert_eq!(mails.len(), 2);
            for mail in mails {
                let (all, clear) = taken[&mail.id];
                assert_eq!((mail.state, clear), (MailState::Sent, 1), "seed {seed}: {mail:?}");
                assert!(all >= 1);
            }
        }
        check_items(&calm).await;
    }
}
