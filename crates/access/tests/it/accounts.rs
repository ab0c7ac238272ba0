//! Accounts, and the last administrator.

use hansang_access::{AccountChange, NewAccount, Paging, Secret, must_administer};
use hansang_access::{Grants, Role};
use hansang_core::ErrorKind;
use tokio::task::JoinSet;

use super::{HOUR, World, code, grants, new_account};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    an_account_is_made_read_changed_and_deleted,
    logins_are_unique_whatever_their_case,
    invalid_fields_are_rejected,
    accounts_are_listed_page_by_page,
    an_old_version_is_rejected,
    the_last_administrator_remains,
    of_concurrent_removals_one_administrator_remains,
    promotions_and_demotions_of_one_are_counted_once,
    only_administrators_of_every_system_administer,
}

fn demote() -> AccountChange {
    AccountChange { grants: Some(grants(&[("*", Role::Editor)])), ..Default::default() }
}

fn disable() -> AccountChange {
    AccountChange { disabled: Some(true), ..Default::default() }
}

async fn an_account_is_made_read_changed_and_deleted(on: On) {
    let (world, root) = World::set_up(on).await;
    let kim = world.account("Kim.Minji@example.com", &[("ledger", Role::Editor)]).await;
    assert_eq!((&*kim.login, kim.version, kim.disabled), ("kim.minji@example.com", 1, false));
    assert_eq!(world.access.account(&kim.id).await.unwrap(), kim);
    world.pass(HOUR);
    let change = AccountChange {
        name: Some("Minji".to_owned()),
        grants: Some(grants(&[("*", Role::Viewer), ("content", Role::Admin)])),
        ..Default::default()
    };
    let changed = world.access.change_account(&kim.id, change).await.unwrap();
    assert_eq!((&*changed.name, changed.version), ("Minji", 2));
    assert_eq!(changed.grants, grants(&[("*", Role::Viewer), ("content", Role::Admin)]));
    assert_eq!(changed.updated.as_second() - changed.created.as_second(), HOUR);
    assert_eq!(world.access.account(&kim.id).await.unwrap(), changed);
    let nothing = world.access.change_account(&kim.id, AccountChange::default()).await.unwrap();
    assert_eq!(nothing, changed);
    let logins = world.access.accounts(Paging::default()).await.unwrap().items;
    assert_eq!(logins, [changed, root]);
    world.access.delete_account(&kim.id, None).await.unwrap();
    for id in [&*kim.id, "nonsense", ""] {
        assert_eq!(code(world.access.account(id).await), "account_not_found");
        assert_eq!(code(world.access.change_account(id, disable()).await), "account_not_found");
        assert_eq!(code(world.access.delete_account(id, None).await), "account_not_found");
        assert_eq!(
            code(world.access.set_password(id, &Secret::new("long enough")).await),
            "account_not_found"
        );
    }
    // The login can be used again by another account.
    assert_ne!(world.account("kim.minji@example.com", &[]).await.id, kim.id);
}

async fn logins_are_unique_whatever_their_case(on: On) {
    let (world, _) = World::set_up(on).await;
    world.account("kim", &[]).await;
    let taken = world.access.create_account(new_account(" KIM", &[])).await.unwrap_err();
    assert_eq!((taken.kind, taken.code.as_str()), (ErrorKind::Conflict, "login_taken"));
    assert_eq!(taken.violations[0].attribute, "login");
}

async fn invalid_fields_are_rejected(on: On) {
    let (world, root) = World::set_up(on).await;
    let weak =
        |password: &str| NewAccount { password: Secret::new(password), ..new_account("kim-minji", &[]) };
    for wrong in [
        new_account("", &[]),
        new_account("김민지", &[]),
        new_account("two words", &[]),
        new_account("a#b", &[]),
        NewAccount { name: "X".to_owned(), ..new_account(&"x".repeat(129), &[]) },
        new_account("kim", &[("Ledger", Role::Viewer)]),
        NewAccount { name: String::new(), ..new_account("kim", &[]) },
        NewAccount { name: "x".repeat(81), ..new_account("kim", &[]) },
        weak("too short"),
        weak(&"x".repeat(257)),
        weak("Kim-Minji"),
        weak("KIM-MINJI "),
    ] {
        let refused = world.access.create_account(wrong.clone()).await.unwrap_err();
        assert_eq!(
            (refused.kind, refused.code.as_str()),
            (ErrorKind::Invalid, "invalid_fields"),
            "{wrong:?}"
        );
        assert_eq!(refused.violations.len(), 1, "{wrong:?}");
    }
    let change = AccountChange { name: Some(String::new()), ..Default::default() };
    assert_eq!(code(world.access.change_account(&root.id, change).await), "invalid_fields");
    let change = AccountChange { grants: Some(grants(&[("a#b", Role::Admin)])), ..Default::default() };
    assert_eq!(code(world.access.change_account(&root.id, change).await), "invalid_fields");
    assert_eq!(world.access.accounts(Paging::default()).await.unwrap().items, [root]);
}

async fn accounts_are_listed_page_by_page(on: On) {
    let (world, _) = World::set_up(on).await;
    for login in ["b", "d", "a", "c"] {
        world.account(login, &[]).await;
    }
    let mut paging = Paging { limit: Some(2), cursor: None };
    let mut pages = Vec::new();
    loop {
        let page = world.access.accounts(paging).await.unwrap();
        pages.push(page.items.iter().map(|account| account.login.clone()).collect::<Vec<_>>().join(" "));
        let Some(next) = page.next else { break };
        paging = Paging { limit: Some(2), cursor: Some(next) };
    }
    assert_eq!(pages, ["a b", "c d", "root"]);
    let forged = Paging { limit: None, cursor: Some("forged".to_owned()) };
    assert_eq!(world.access.accounts(forged).await.unwrap_err().kind, ErrorKind::Invalid);
}

async fn an_old_version_is_rejected(on: On) {
    let (world, root) = World::set_up(on).await;
    let rename = |name: &str, version| AccountChange {
        name: Some(name.to_owned()),
        expected_version: Some(version),
        ..Default::default()
    };
    let one = world.access.change_account(&root.id, rename("One", root.version)).await.unwrap();
    let stale = world.access.change_account(&root.id, rename("Two", root.version)).await;
    assert_eq!(code(stale), "changed_meanwhile");
    let kim = world.account("kim", &[]).await;
    assert_eq!(code(world.access.delete_account(&kim.id, Some(7)).await), "changed_meanwhile");
    assert_eq!(world.access.account(&root.id).await.unwrap(), one);
}

async fn the_last_administrator_remains(on: On) {
    let (world, root) = World::set_up(on).await;
    // Administrators of one system and disabled ones do not count.
    world.account("ledger", &[("ledger", Role::Admin), ("*", Role::Editor)]).await;
    let kim = world.account("kim", &[("*", Role::Admin)]).await;
    world.access.change_account(&kim.id, disable()).await.unwrap();
    let last = world.access.delete_account(&root.id, None).await.unwrap_err();
    assert_eq!((last.kind, last.code.as_str()), (ErrorKind::Conflict, "last_administrator"));
    assert_eq!(code(world.access.change_account(&root.id, disable()).await), "last_administrator");
    assert_eq!(code(world.access.change_account(&root.id, demote()).await), "last_administrator");
    assert_eq!(world.access.account(&root.id).await.unwrap(), root);
    // With a second administrator each of these works, and the second is the last then.
    let enable = AccountChange { disabled: Some(false), ..Default::default() };
    world.access.change_account(&kim.id, enable).await.unwrap();
    world.access.change_account(&root.id, demote()).await.unwrap();
    assert_eq!(code(world.access.delete_account(&kim.id, None).await), "last_administrator");
    let promote = AccountChange { grants: Some(Grants::everywhere(Role::Admin)), ..Default::default() };
    world.access.change_account(&root.id, promote).await.unwrap();
    world.access.delete_account(&kim.id, None).await.unwrap();
    assert_eq!(code(world.access.change_account(&root.id, disable()).await), "last_administrator");
}

/// All administrators are removed concurrently, each in another way.
async fn of_concurrent_removals_one_administrator_remains(on: On) {
    let (world, root) = World::set_up(on).await;
    let mut ids = vec![root.id];
    for number in 1..9 {
        ids.push(world.account(&format!("admin{number}"), &[("*", Role::Admin)]).await.id);
    }
    let mut tasks = JoinSet::new();
    for (number, id) in ids.into_iter().enumerate() {
        let access = world.access.clone();
        tasks.spawn(async move {
            match number % 3 {
                0 => access.change_account(&id, demote()).await.map(drop),
                1 => access.change_account(&id, disable()).await.map(drop),
                _ => access.delete_account(&id, None).await,
            }
        });
    }
    let refused: Vec<&str> =
        tasks.join_all().await.into_iter().filter_map(Result::err).map(|error| error.code.as_str()).collect();
    assert_eq!(refused, ["last_administrator"]);
    let left = world.access.accounts(Paging::default()).await.unwrap().items;
    let everywhere = Grants::everywhere(Role::Admin);
    let admins = left.iter().filter(|account| account.grants == everywhere && !account.disabled);
    assert_eq!(admins.count(), 1);
}

/// The count stays right when the same account changes many times concurrently.
async fn promotions_and_demotions_of_one_are_counted_once(on: On) {
    let (world, root) = World::set_up(on).await;
    let kim = world.account("kim", &[]).await;
    let mut tasks = JoinSet::new();
    for number in 0..12 {
        let (access, id) = (world.access.clone(), kim.id.clone());
        let role = if number % 2 == 0 { Role::Admin } else { Role::Editor };
        let change = AccountChange { grants: Some(Grants::everywhere(role)), ..Default::default() };
        tasks.spawn(async move { access.change_account(&id, change).await });
    }
    tasks.join_all().await.into_iter().for_each(|result| drop(result.unwrap()));
    // Whatever kim's final role, with kim deleted root is the last administrator, and the count is one.
    world.access.delete_account(&kim.id, None).await.unwrap();
    assert_eq!(code(world.access.delete_account(&root.id, None).await), "last_administrator");
    let counted = world.stored().await.into_iter().find_map(|item| item.get("administrators").cloned());
    assert_eq!(counted, Some(1.into()));
}

async fn only_administrators_of_every_system_administer(on: On) {
    let (world, _) = World::set_up(on).await;
    must_administer(&world.identity("root").await).unwrap();
    world.account("ledger", &[("ledger", Role::Admin), ("*", Role::Editor)]).await;
    let refused = must_administer(&world.identity("ledger").await).unwrap_err();
    assert_eq!((refused.kind, refused.code.as_str()), (ErrorKind::Forbidden, "not_administrator"));
}
