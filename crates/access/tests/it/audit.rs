//! The audit log.

use hansang_access::{
    AuditEntry, AuditOutcome, AuditVia, Audited, Done, Grants, Identity, Origin, Paging, Via,
};
use hansang_core::ErrorKind;
use jiff::civil::date;

use super::{BEGIN, DAY, World, code, from, origin};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    an_entry_has_caller_operation_origin_and_outcome,
    an_entry_ends_once,
    every_kind_of_caller_is_logged,
    entries_are_listed_newest_first_page_by_page,
    entries_expire_after_the_retention,
    long_texts_are_truncated_and_empty_ones_replaced,
}

async fn start(world: &World, who: Option<&Identity>, system: &str, operation: &str) -> AuditEntry {
    let entry =
        world.access.audit_start(audited(who, &origin(), system, operation, Some("POST#1"))).await.unwrap();
    world.pass(1);
    entry
}

fn operations(entries: &[AuditEntry]) -> Vec<&str> {
    entries.iter().map(|entry| &*entry.operation).collect()
}

async fn an_entry_has_caller_operation_origin_and_outcome(on: On) {
    let (world, root) = World::set_up(on).await;
    let identity = world.identity("root").await;
    let entry = start(&world, Some(&identity), "content", "Post.update").await;
    let Via::Session { id, .. } = &identity.via else { panic!("{identity:?}") };
    let expected = AuditEntry {
        id: entry.id.clone(),
        at: jiff::Timestamp::from_second(BEGIN).unwrap(),
        actor: root.id.clone(),
        actor_name: "The root".to_owned(),
        via: AuditVia::Session,
        via_id: Some(id.clone()),
        system: "content".to_owned(),
        operation: "Post.update".to_owned(),
        subject: Some("POST#1".to_owned()),
        keys: Vec::new(),
        detail: None,
        address: "192.0.2.1".to_owned(),
        trace: "4bf92f3577b34da6".to_owned(),
        outcome: AuditOutcome::Started,
        code: None,
        ended: None,
    };
    assert_eq!(entry, expected);
    let ended = world
        .access
        .audit_end(&entry, AuditOutcome::Refused, Some("changed_meanwhile"), Done::default())
        .await
        .unwrap();
    let expected = AuditEntry {
        outcome: AuditOutcome::Refused,
        code: Some("changed_meanwhile".to_owned()),
        ended: Some(world.now()),
        ..expected
    };
    assert_eq!(ended, expected);
    let listed = world.access.audit_of_actor(&root.id, Paging::default()).await.unwrap();
    assert_eq!(listed.items, [expected]);
}

async fn an_entry_ends_once(on: On) {
    let (world, _) = World::set_up(on).await;
    for outcome in [AuditOutcome::Done, AuditOutcome::Refused, AuditOutcome::Failed] {
        let entry = start(&world, None, "ledger", "x").await;
        assert_eq!(
            world.access.audit_end(&entry, outcome, None, Done::default()).await.unwrap().outcome,
            outcome
        );
        for again in [AuditOutcome::Done, AuditOutcome::Failed] {
            assert_eq!(
                code(world.access.audit_end(&entry, again, None, Done::default()).await),
                "wrong_state"
            );
        }
        let not_begun = world.access.audit_end(&entry, AuditOutcome::Started, None, Done::default()).await;
        assert_eq!(code(not_begun), "invalid_fields");
    }
}

async fn every_kind_of_caller_is_logged(on: On) {
    let (world, _) = World::set_up(on).await;
    let root = world.identity("root").await;
    let token =
        Identity { via: Via::Token { id: "t1".to_owned(), scope: Grants::default() }, ..root.clone() };
    let oidc = Identity { id: "oidc:kim".to_owned(), via: Via::Oidc, ..root };
    for (who, via, via_id) in [
        (Some(&token), AuditVia::Token, Some("t1")),
        (Some(&oidc), AuditVia::Oidc, None),
        (None, AuditVia::Nothing, None),
    ] {
        let entry = start(&world, who, "access", "signIn").await;
        assert_eq!((entry.via, entry.via_id.as_deref()), (via, via_id));
        let actor = who.map_or("anonymous", |who| &who.id);
        let listed = world.access.audit_of_actor(actor, Paging::default()).await.unwrap();
        assert_eq!(listed.items, [entry]);
    }
}

async fn entries_are_listed_newest_first_page_by_page(on: On) {
    let (world, _) = World::set_up(on).await;
    for (system, operation) in [("content", "a"), ("ledger", "b"), ("content", "c"), ("content", "d")] {
        start(&world, None, system, operation).await;
    }
    world.pass(DAY);
    start(&world, None, "ledger", "e").await;
    let all = Paging::default;
    let of_day = world.access.audit_of_day(date(2027, 1, 15), all()).await.unwrap();
    assert_eq!(operations(&of_day.items), ["d", "c", "b", "a"]);
    let next_day = world.access.audit_of_day(date(2027, 1, 16), all()).await.unwrap();
    assert_eq!(operations(&next_day.items), ["e"]);
    assert!(world.access.audit_of_day(date(2027, 1, 14), all()).await.unwrap().items.is_empty());
    let of_system = world.access.audit_of_system("ledger", all()).await.unwrap();
    assert_eq!(operations(&of_system.items), ["e", "b"]);
    let of_actor = world.access.audit_of_actor("anonymous", Paging { limit: Some(3), cursor: None });
    let of_actor = of_actor.await.unwrap();
    assert_eq!(operations(&of_actor.items), ["e", "d", "c"]);
    let rest = Paging { limit: Some(3), cursor: of_actor.next.clone() };
    assert_eq!(operations(&world.access.audit_of_actor("anonymous", rest).await.unwrap().items), ["b", "a"]);
    // A cursor is valid for its own list only.
    let other = Paging { limit: None, cursor: of_actor.next };
    let refused = world.access.audit_of_system("ledger", other).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Invalid);
}

async fn entries_expire_after_the_retention(on: On) {
    let (world, _) = World::set_up(on).await;
    let entry = start(&world, None, "content", "a").await;
    world.pass(400 * DAY - 2);
    let listed =
        async || world.access.audit_of_day(date(2027, 1, 15), Paging::default()).await.unwrap().items;
    assert_eq!(listed().await, std::slice::from_ref(&entry));
    world.pass(1);
    assert_eq!(listed().await, []);
    assert_eq!(
        code(world.access.audit_end(&entry, AuditOutcome::Done, None, Done::default()).await),
        "not_found"
    );
}

/// Requests with unusual texts are logged too.
async fn long_texts_are_truncated_and_empty_ones_replaced(on: On) {
    let (world, _) = World::set_up(on).await;
    let long = "한".repeat(5000);
    let mut origin = from(1);
    origin.trace = long.clone();
    let entry =
        world.access.audit_start(audited(None, &origin, "content", &long, Some(&long))).await.unwrap();
    assert_eq!(entry.operation.chars().count(), 128);
    assert_eq!(entry.subject.unwrap().chars().count(), 1024);
    origin.trace = String::new();
    let entry = world.access.audit_start(audited(None, &origin, "content", "", Some(""))).await.unwrap();
    assert_eq!((&*entry.trace, &*entry.operation, &entry.subject), ("-", "-", &None));
    let ended =
        world.access.audit_end(&entry, AuditOutcome::Failed, Some(&long), Done::default()).await.unwrap();
    assert_eq!(ended.code.unwrap().chars().count(), 64);
    // An invalid system is a bug of the server, not an entry.
    let wrong = world.access.audit_start(audited(None, &origin, "No System", "x", None)).await;
    assert_eq!(code(wrong), "invalid_fields");
}

fn audited<'a>(
    who: Option<&'a Identity>,
    origin: &'a Origin,
    system: &'a str,
    operation: &'a str,
    subject: Option<&'a str>,
) -> Audited<'a> {
    Audited { who, origin, system, operation, subject }
}
