//! Webhooks: events of posts and inquiries, attempts, and switching off.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use hansang_content::{
    Caller, Content, ContentCode, Delivered, Event, HookAnswer, HookCall, MAX_FAILURES, MailState,
    NewCategory, NewPost, Ports, Publication, WebhookText, change_webhook, create_category, create_post,
    create_webhook, delete_post, delete_webhook, deliver, find_webhook, next_due, publish_post, redeliver,
    sign, submit, test_webhook, unpublish_post, webhook_deliveries,
};
use hansang_core::Store;
use hansang_core::db::Ask;
use hansang_testkit::faults::{Faults, Faulty};
use hansang_testkit::memory::Memory;

use crate::grounds::{Ground, NoOutside, at, content, on_each_store, text};
use crate::inquiries::{Scripted, inquiry};
use crate::mails::clock;

const SECRET: &str = "0123456789abcdef";

/// Answers every call with a status, or not at all.
struct Answers {
    status: Mutex<Option<u16>>,
    calls: Mutex<Vec<HookCall>>,
}

impl Answers {
    fn with(status: u16) -> Self {
        Self { status: Mutex::new(Some(status)), calls: Mutex::default() }
    }

    fn set(&self, status: Option<u16>) {
        *self.status.lock().unwrap() = status;
    }

    /// The names and data of the calls since the last look.
    fn events(&self) -> Vec<String> {
        let calls = std::mem::take(&mut *self.calls.lock().unwrap());
        calls.into_iter().map(|call| call.event).collect()
    }
}

#[async_trait]
impl Caller for Answers {
    async fn call(&self, call: &HookCall) -> HookAnswer {
        self.calls.lock().unwrap().push(call.clone());
        HookAnswer { status: *self.status.lock().unwrap(), error: "no".to_owned() }
    }
}

fn hook(events: &[Event]) -> WebhookText {
    WebhookText {
        url: "https://hooks.example/site".to_owned(),
        secret: SECRET.to_owned(),
        events: events.to_vec(),
        active: true,
    }
}

/// Delivers until nothing is due: an event becomes deliveries, which are due at once.
async fn run(content: &Content, caller: &Answers) -> Delivered {
    let mailer = Scripted::default();
    let ports = Ports { mailer: &mailer, caller, files: &NoOutside };
    deliver(content, ports).await.unwrap();
    deliver(content, ports).await.unwrap()
}

/// A publication is told when visitors can see it, and its end when they cannot any more.
async fn posts_are_told_at_their_times(ground: Ground) {
    let content = &ground.content;
    let caller = Answers::with(204);
    create_webhook(content, &hook(&[Event::PostPublished, Event::PostUnpublished])).await.unwrap();
    let post = ground.post("예약").await;
    let period = Publication { publish_at: Some(at(100)), expires_at: Some(at(200)) };
    let post = publish_post(content, "ann", &post.id, period, 1).await.unwrap();
    run(content, &caller).await;
    assert!(caller.events().is_empty(), "it is not visible yet");
    ground.pass(100);
    run(content, &caller).await;
    let call = caller.calls.lock().unwrap()[0].clone();
    assert_eq!(call.signature, sign(SECRET, at(100).as_second(), &call.body));
    let body: serde_json::Value = serde_json::from_str(&call.body).unwrap();
    assert_eq!((&body["id"], &body["data"]["postId"]), (&call.id.into(), &post.id.clone().into()));
    assert_eq!(caller.events(), ["post.published"]);
    ground.pass(100);
    run(content, &caller).await;
    assert_eq!(caller.events(), ["post.unpublished"], "it has expired");
    let seen = ground.published("소식").await;
    let taken = unpublish_post(content, "ann", &seen.id, seen.revision).await.unwrap();
    delete_post(content, &seen.id, taken.post.revision).await.unwrap();
    run(content, &caller).await;
    assert_eq!(caller.events(), ["post.unpublished"], "the publication is no longer true");
}

/// A scheduled post is told once, at the time that it has in the end; an end that is taken away is not told, and neither is one
/// of a post that was taken back before visitors saw it.
async fn changed_times_are_told_once(ground: Ground) {
    let content = &ground.content;
    let caller = Answers::with(204);
    create_webhook(content, &hook(&[Event::PostPublished, Event::PostUnpublished])).await.unwrap();
    let told = async |second: i64| {
        ground.pass(second - content.now().duration_since(at(0)).as_secs());
        run(content, &caller).await;
        caller.events()
    };
    let period =
        |from: i64, end: Option<i64>| Publication { publish_at: Some(at(from)), expires_at: end.map(at) };
    let post = ground.post("예약").await;
    let mut revision = 1;
    // Moved to an earlier time, and published twice for it.
    for from in [300, 200, 200] {
        let period = period(from, Some(900));
        revision = publish_post(content, "ann", &post.id, period, revision).await.unwrap().revision;
    }
    assert!(told(199).await.is_empty());
    assert_eq!(told(200).await, ["post.published"]);
    assert!(told(300).await.is_empty(), "the old time");
    // An edit is told again, and the end moves.
    let edited = publish_post(content, "ann", &post.id, period(200, Some(600)), revision).await.unwrap();
    assert_eq!(told(301).await, ["post.published"]);
    assert_eq!(told(600).await, ["post.unpublished"]);
    assert!(told(900).await.is_empty(), "the old end");
    delete_post(content, &post.id, edited.revision).await.unwrap();

    let never = ground.post("취소된 예약").await;
    let never = publish_post(content, "ann", &never.id, period(1000, Some(1100)), 1).await.unwrap();
    unpublish_post(content, "ann", &never.id, never.revision).await.unwrap();
    assert!(told(1200).await.is_empty(), "visitors never saw it");

    // Taken back and scheduled at once: visitors see no post any more, and are shown it again later.
    let seen = ground.published("소식").await;
    assert_eq!(told(1201).await, ["post.published"]);
    let taken = unpublish_post(content, "ann", &seen.id, seen.revision).await.unwrap();
    let again = period(2000, Some(3000));
    publish_post(content, "ann", &seen.id, again, taken.post.revision).await.unwrap();
    assert_eq!(told(1202).await, ["post.unpublished"]);
    assert_eq!(told(2000).await, ["post.published"]);
}

/// An inquiry is told without personal data, once, and only to webhooks that want it.
async fn inquiries_are_told(ground: Ground) {
    let content = &ground.content;
    let caller = Answers::with(200);
    create_webhook(content, &hook(&[Event::InquiryCreated])).await.unwrap();
    create_webhook(content, &hook(&[Event::PostPublished])).await.unwrap();
    let new = submit(content, &inquiry()).await.unwrap();
    run(content, &caller).await;
    let [call] = &caller.calls.lock().unwrap()[..] else { panic!() };
    assert!(call.body.contains(&new.id) && !call.body.contains("example.com"), "{}", call.body);
}

/// A failing webhook is tried again later with the same id, and switched off after many failures; a deletion drops what waits.
async fn failing_webhooks_are_switched_off(ground: Ground) {
    let content = &ground.content;
    let caller = Answers::with(500);
    let made = create_webhook(content, &hook(&[Event::InquiryCreated])).await.unwrap();
    submit(content, &inquiry()).await.unwrap();
    run(content, &caller).await;
    let deliveries = async || webhook_deliveries(content, &made.id, Ask::default()).await.unwrap().deliveries;
    let [waiting] = &deliveries().await[..] else { panic!() };
    assert_eq!((waiting.state, waiting.attempts, waiting.status), (MailState::Pending, 1, Some(500)));
    ground.pass(60);
    caller.set(None);
    run(content, &caller).await;
    ground.pass(120);
    caller.set(Some(200));
    assert_eq!(find_webhook(content, &made.id).await.unwrap().failures, 2);
    run(content, &caller).await;
    let ids: Vec<String> = caller.calls.lock().unwrap().iter().map(|call| call.id.clone()).collect();
    assert_eq!(ids, vec![ids[0].clone(); 3], "every attempt has the same id");
    assert_eq!(deliveries().await[0].state, MailState::Sent);
    assert_eq!(find_webhook(content, &made.id).await.unwrap().failures, 0);

    caller.set(Some(404));
    for _ in 0..4 {
        submit(content, &inquiry()).await.unwrap();
    }
    let mut attempts = 0;
    while find_webhook(content, &made.id).await.unwrap().active {
        run(content, &caller).await;
        ground.pass(8 * 3600);
        attempts += 1;
        assert!(attempts < MAX_FAILURES);
    }
    run(content, &caller).await;
    let failed = deliveries().await.into_iter().filter(|one| one.state == MailState::Failed).count();
    assert_eq!(failed, 4, "nothing waits for a webhook that is switched off");
    let failed = deliveries().await.into_iter().find(|one| one.state == MailState::Failed).unwrap();
    let stored = find_webhook(content, &made.id).await.unwrap();
    let on = WebhookText { secret: String::new(), ..hook(&[Event::InquiryCreated]) };
    let on = change_webhook(content, &made.id, &on, stored.revision).await.unwrap();
    assert_eq!((on.active, on.failures), (true, 0));
    caller.set(Some(200));
    redeliver(content, &made.id, &failed.id).await.unwrap();
    assert_eq!(run(content, &caller).await, Delivered::default());
    assert!(deliveries().await.iter().any(|one| one.id == failed.id && one.state == MailState::Sent));
    submit(content, &inquiry()).await.unwrap();
    delete_webhook(content, &made.id, on.revision).await.unwrap();
    caller.calls.lock().unwrap().clear();
    run(content, &caller).await;
    assert!(caller.events().is_empty());
}

/// A test tells its result, also of a webhook that is switched off, and is tried once.
async fn a_webhook_is_tested(ground: Ground) {
    let content = &ground.content;
    let caller = Answers::with(401);
    let off = WebhookText { active: false, ..hook(&[Event::PostPublished]) };
    let made = create_webhook(content, &off).await.unwrap();
    let test = test_webhook(content, &made.id).await.unwrap();
    assert_eq!((test.event, test.state), (Event::Test, MailState::Pending));
    run(content, &caller).await;
    let page = webhook_deliveries(content, &made.id, Ask::default()).await.unwrap();
    assert_eq!((page.deliveries[0].state, page.deliveries[0].status), (MailState::Failed, Some(401)));
    assert_eq!(find_webhook(content, &made.id).await.unwrap().failures, 0);
    let wrong = WebhookText {
        url: "ftp://x".to_owned(),
        secret: "short".to_owned(),
        events: Vec::new(),
        active: true,
    };
    let refused = create_webhook(content, &wrong).await.unwrap_err();
    let fields: Vec<&str> = refused.violations.iter().map(|problem| &*problem.attribute).collect();
    assert_eq!(fields, ["url", "secret", "events"]);
    assert_eq!(test_webhook(content, "none").await.unwrap_err().code, ContentCode::WebhookUnknown);
    assert!(!format!("{made:?}").contains(SECRET));
}

/// Answers at random, and remembers the deliveries that it has accepted.
#[derive(Default)]
struct Moody {
    chance: Mutex<fastrand::Rng>,
    accepted: Mutex<BTreeMap<String, usize>>,
}

#[async_trait]
impl Caller for Moody {
    async fn call(&self, call: &HookCall) -> HookAnswer {
        tokio::task::yield_now().await;
        let status = [None, Some(500), Some(204), Some(200)][self.chance.lock().unwrap().usize(..4)];
        if status.is_some_and(|status| status < 300) {
            *self.accepted.lock().unwrap().entry(call.id.clone()).or_default() += 1;
        }
        HookAnswer { status, error: "no".to_owned() }
    }
}

/// With several workers on a store with faults, an event becomes one delivery for each webhook, and each is accepted.
#[tokio::test(start_paused = true)]
async fn no_event_is_lost_under_faults() {
    const POSTS: usize = 4;
    for seed in 0..10 {
        let (memory, seconds) = (Arc::new(Memory::new()), Arc::new(AtomicI64::new(0)));
        let calm = content(memory.clone(), clock(0, seconds.clone()));
        calm.db.ensure_table().await.unwrap();
        let mut hooks = Vec::new();
        for _ in 0..2 {
            hooks.push(create_webhook(&calm, &hook(&[Event::PostPublished])).await.unwrap().id);
        }
        let news =
            NewCategory { id: Some("news".to_owned()), title: "소식".to_owned(), ..NewCategory::default() };
        create_category(&calm, news).await.unwrap();
        for number in 0..POSTS {
            let text = text(&format!("소식 {number}"));
            let (category_id, author_id) = ("news".to_owned(), "ann".to_owned());
            let post =
                create_post(&calm, "ann", NewPost { id: None, category_id, author_id, text }).await.unwrap();
            publish_post(&calm, "ann", &post.id, Publication::default(), 1).await.unwrap();
        }
        let faults = Faults {
            throttle: 0.03,
            conflict: 0.03,
            timeout_before: 0.03,
            timeout_after: 0.03,
            ..Faults::default()
        };
        let caller = Arc::new(Moody::default());
        caller.chance.lock().unwrap().seed(seed);
        let mut rounds = 0;
        while next_due(&calm).await.unwrap().is_some() {
            let workers = (1..=3).map(|number| {
                let number = seed * 1000 + rounds * 10 + number;
                let store: Arc<dyn Store> = Arc::new(Faulty::new(memory.clone(), faults, number));
                let (content, caller) = (content(store, clock(number, seconds.clone())), caller.clone());
                tokio::spawn(async move {
                    let mailer = Scripted::default();
                    let ports = Ports { mailer: &mailer, caller: &*caller, files: &NoOutside };
                    // A run that fails is followed by the next one.
                    drop(deliver(&content, ports).await);
                })
            });
            for worker in workers.collect::<Vec<_>>() {
                worker.await.unwrap();
            }
            seconds.fetch_add(7 * 3600, Ordering::Relaxed);
            rounds += 1;
            assert!(rounds < 100, "seed {seed}: the outbox does not become empty");
        }
        let accepted = caller.accepted.lock().unwrap().clone();
        for id in &hooks {
            let deliveries = webhook_deliveries(&calm, id, Ask::default()).await.unwrap().deliveries;
            assert_eq!(deliveries.len(), POSTS, "seed {seed}");
            for delivery in deliveries {
                assert_eq!(delivery.state, MailState::Sent, "seed {seed}");
                assert_eq!(accepted.get(&delivery.id), Some(&1), "seed {seed}: {delivery:?}");
            }
        }
    }
}

on_each_store!(
    posts_are_told_at_their_times,
    changed_times_are_told_once,
    inquiries_are_told,
    failing_webhooks_are_switched_off,
    a_webhook_is_tested,
);
