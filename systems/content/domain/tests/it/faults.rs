//! Inquiries on a store with injected faults: what was accepted is there with its notification, once.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hansang_content::InquiryStatus::{Done, InProgress};
use hansang_content::{
    ContentCode, InquiryFilter, MailKind, NewInquiry, SpamSign, find_inquiry, inquiries, mails_of, release,
    reply, set_status, submit,
};
use hansang_core::db::{Ask, Clock};
use hansang_core::write::Moment;
use hansang_core::{CoreCode, ErrorKind, Item};
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;

use crate::grounds::{at, check_items, content};
use crate::inquiries::inquiry;

const SEEDS: u64 = 20;
const VISITORS: usize = 12;

fn clock(start: u64) -> Clock {
    let count = AtomicU64::new(start << 32);
    Clock::new(move || Moment { now: at(0), random: u128::from(count.fetch_add(1, Ordering::Relaxed)) })
}

/// Cs9, Cs10, Cs15, Cs17: an accepted inquiry is never lost, and its notification is stored with it, in the outbox too. A
/// refused one may be stored after a lost answer; then it is whole as well. Replies, releases and statuses are as whole.
#[tokio::test]
async fn an_accepted_inquiry_is_whole() {
    let (mut accepted, mut refused, mut released) = (0, 0, 0);
    for seed in 0..SEEDS {
        let memory = Arc::new(Memory::new());
        let faults = Faults {
            throttle: 0.05,
            conflict: 0.1,
            timeout_before: 0.1,
            timeout_after: 0.15,
            ..Faults::default()
        };
        let calm = content(memory.clone(), clock(0));
        calm.db.ensure_table().await.unwrap();
        let stormy = content(Arc::new(Faulty::new(memory, faults, seed)), clock(1));
        let mut chance = fastrand::Rng::with_seed(seed);
        let (mut told, mut answered) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..VISITORS {
            let is_spam = chance.u32(..3) == 0;
            let spam = if is_spam { vec![SpamSign::Links] } else { Vec::new() };
            match submit(&stormy, &NewInquiry { spam, ..inquiry() }).await {
                Ok(new) => told.insert(new.id),
                Err(error) => {
                    let passes = error.kind == ErrorKind::Unavailable || error.code == CoreCode::Contended;
                    assert!(passes, "seed {seed}: {error:?}");
                    refused += 1;
                    false
                }
            };
        }
        accepted += told.len();
        let page = inquiries(&calm, InquiryFilter::default(), Ask { limit: Some(100), ..Ask::default() })
            .await
            .unwrap();
        let stored: BTreeSet<String> = page.inquiries.iter().map(|one| one.id.clone()).collect();
        assert!(stored.is_superset(&told), "seed {seed}: an inquiry is lost");
        for one in &page.inquiries {
            let mut is_spam = one.spam;
            for _ in 0..4 {
                if is_spam {
                    match release(&stormy, &one.id).await {
                        Ok(_) => is_spam = false,
                        // Done by an attempt whose answer was lost.
                        Err(error) if error.code == ContentCode::NotInQuarantine => is_spam = false,
                        Err(error) => assert!(is_passing(&error), "seed {seed}: {error:?}"),
                    }
                    released += usize::from(!is_spam);
                } else if reply(&stormy, "ann", &one.id, "답변").await.is_ok() {
                    answered.insert(one.id.clone());
                }
                let _ =
                    set_status(&stormy, &one.id, if chance.bool() { Done } else { InProgress }, None).await;
            }
            let now = find_inquiry(&calm, &one.id).await.unwrap();
            let mails = mails_of(&calm, &one.id).await.unwrap();
            let of = |kind: MailKind| mails.iter().filter(|mail| mail.kind == kind).count();
            assert_eq!(of(MailKind::Notification), usize::from(!now.spam), "seed {seed}: {now:?}");
            assert!(of(MailKind::Reply) >= usize::from(answered.contains(&one.id)), "seed {seed}");
            // Every mail waits in the outbox, and nothing else does.
            let waiting = calm.db.query("outbox", Item::new(), Ask::default()).await.unwrap().records;
            let own = waiting.iter().filter(|record| record.text("inquiryId") == Some(&one.id));
            let own: BTreeSet<&str> = own.filter_map(|record| record.text("id")).collect();
            assert_eq!(own, mails.iter().map(|mail| &*mail.id).collect(), "seed {seed}");
        }
        check_items(&calm).await;
    }
    let many = SEEDS as usize * 3;
    assert!(accepted > many && refused > 0 && released > SEEDS as usize, "{accepted} {refused} {released}");
}

fn is_passing(error: &hansang_core::Error) -> bool {
    matches!(error.kind, ErrorKind::Unavailable | ErrorKind::Conflict | ErrorKind::Precondition)
}
