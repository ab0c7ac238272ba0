//! The first administrator.

use hansang_access::Secret;
use hansang_access::{Grants, Role};
use hansang_core::ErrorKind;
use tokio::task::JoinSet;

use super::{HOUR, World, code, new_account};
use hansang_testserver::On;

hansang_testserver::on_each_store! {
    the_link_makes_one_administrator,
    only_the_last_link_works_and_only_for_a_while,
    a_refused_account_leaves_the_link,
    of_concurrent_uses_of_the_link_one_wins,
    the_first_account_needs_the_link,
}

async fn the_link_makes_one_administrator(on: On) {
    let world = World::new(on).await;
    let link = world.access.set_up_link().await.unwrap().unwrap();
    let root = world.access.set_up(link.expose(), new_account("Root", &[])).await.unwrap();
    assert_eq!((&*root.login, &*root.name, root.disabled), ("root", "The Root", false));
    // The requested grants are ignored: the first account has to administer everything.
    assert_eq!(root.grants, Grants::everywhere(Role::Admin));
    assert!(world.access.set_up_link().await.unwrap().is_none());
    let again = world.access.set_up(link.expose(), new_account("other", &[])).await.unwrap_err();
    assert_eq!((again.kind, again.code.as_str()), (ErrorKind::Unauthenticated, "invalid_set_up_link"));
    world.sign_in("root").await;
}

async fn only_the_last_link_works_and_only_for_a_while(on: On) {
    let world = World::new(on).await;
    let first = world.access.set_up_link().await.unwrap().unwrap();
    let second = world.access.set_up_link().await.unwrap().unwrap();
    for wrong in [first.expose(), "", "guess", &second.expose()[1..]] {
        let refused = world.access.set_up(wrong, new_account("root", &[])).await;
        assert_eq!(code(refused), "invalid_set_up_link");
    }
    world.pass(HOUR);
    let late = world.access.set_up(second.expose(), new_account("root", &[])).await;
    assert_eq!(code(late), "invalid_set_up_link");
    world.first_administrator().await;
}

/// An invalid form does not use up the link.
async fn a_refused_account_leaves_the_link(on: On) {
    let world = World::new(on).await;
    let link = world.access.set_up_link().await.unwrap().unwrap();
    let weak = hansang_access::NewAccount { password: Secret::new("short"), ..new_account("root", &[]) };
    for wrong in [weak, new_account("no spaces", &[]), new_account("", &[])] {
        let refused = world.access.set_up(link.expose(), wrong).await;
        assert_eq!(code(refused), "invalid_fields");
    }
    world.access.set_up(link.expose(), new_account("root", &[])).await.unwrap();
}

async fn of_concurrent_uses_of_the_link_one_wins(on: On) {
    for same_login in [true, false] {
        let world = World::new(on).await;
        let link = world.access.set_up_link().await.unwrap().unwrap();
        let mut tasks = JoinSet::new();
        for number in 0..16 {
            let (access, link) = (world.access.clone(), link.clone());
            let login = if same_login { "root".to_owned() } else { format!("root{number}") };
            tasks.spawn(async move { access.set_up(link.expose(), new_account(&login, &[])).await });
        }
        let (won, lost): (Vec<_>, Vec<_>) = tasks.join_all().await.into_iter().partition(Result::is_ok);
        assert_eq!((won.len(), lost.len()), (1, 15));
        for refused in lost {
            assert_eq!(code(refused), "invalid_set_up_link");
        }
        assert_eq!(world.access.accounts(Default::default()).await.unwrap().items.len(), 1);
    }
}

async fn the_first_account_needs_the_link(on: On) {
    let world = World::new(on).await;
    for grants in [vec![], vec![("*", Role::Admin)]] {
        let early = world.access.create_account(new_account("kim", &grants)).await;
        assert_eq!(code(early), "not_set_up");
    }
    world.first_administrator().await;
    world.account("kim", &[]).await;
}
