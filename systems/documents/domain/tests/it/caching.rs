//! The cache of lists: keys, fills, invalidations, and caches that fail.

use std::sync::Arc;

use hansang_core::cache::Cached;
use hansang_core::plan::{Action, Guards, Write};
use hansang_core::store::check::key_of;
use hansang_documents::{
    AgentText, Documents, ListAsk, SessionText, agents, change_agent, change_project, change_session,
    create_agent, create_project, create_session, delete_agent, delete_project, delete_session, invalidate,
    projects, query_projects, sessions,
};

use crate::grounds::{Ground, MemoryCache, everything, named, on_each_store};

fn taken(ground: &Ground) -> Vec<String> {
    std::mem::take(&mut *ground.cache.commands.lock().unwrap())
}

fn session(name: &str) -> SessionText {
    SessionText { session_name: name.to_owned(), session_type: "chat".to_owned(), agent_id: None }
}

fn agent(name: &str) -> AgentText {
    AgentText { name: name.to_owned(), content: "x".to_owned() }
}

/// D21, D22, D23, D24: the list of projects is cached under its key, and dropped by every change of a project.
async fn the_list_of_projects_is_cached(ground: Ground) {
    let documents = &ground.documents;
    let ask = ListAsk::default();
    let project = ground.project("a").await;
    assert_eq!(taken(&ground), ["delete query_projects"]);
    // An index may not show a change that was made a moment ago, so the list is not kept.
    assert_eq!(projects(documents, None, &ask).await.unwrap().total, 1);
    assert_eq!(taken(&ground), [""; 0]);
    ground.pass(10);
    let first = query_projects(documents).await.unwrap();
    assert_eq!(taken(&ground), ["get query_projects", "set query_projects"]);
    assert_eq!(query_projects(documents).await.unwrap(), first);
    assert_eq!(taken(&ground), ["get query_projects"]);
    assert_eq!((documents.cached.statistics().hits, documents.cached.statistics().fills), (1, 1));
    invalidate(documents, "query_projects").await;
    assert_eq!(taken(&ground), ["delete query_projects"]);
    change_project(documents, &project.project_id, &named("b"), 1).await.unwrap();
    assert_eq!(taken(&ground), ["delete query_projects"]);
    assert_eq!(query_projects(documents).await.unwrap()[0].text.name, "b");
    delete_project(documents, &project.project_id).await.unwrap();
    assert_eq!(taken(&ground)[0], "delete query_projects");
    assert_eq!(projects(documents, None, &ask).await.unwrap().total, 0);
}

/// D21, D25, D26, Ds7: the lists of a user are cached under their keys, at once, and dropped by every change.
async fn the_lists_of_a_user_are_cached(ground: Ground) {
    let documents = &ground.documents;
    let ask = ListAsk::default();
    let id = &ground.project("a").await.project_id;
    taken(&ground);
    let (keys, dropped) =
        ([format!("session_list:ann:{id}"), format!("agent_list:ann:{id}")], |key: &String| {
            vec![format!("delete {key}")]
        });
    let made = create_session(documents, "ann", id, &session("s")).await.unwrap();
    assert_eq!(taken(&ground), dropped(&keys[0]));
    for _ in 0..2 {
        assert_eq!(sessions(documents, "ann", id, &ask).await.unwrap().total, 1);
    }
    assert_eq!(
        taken(&ground),
        [format!("get {}", keys[0]), format!("set {}", keys[0]), format!("get {}", keys[0])]
    );
    change_session(documents, "ann", id, &made.session_id, &session("t"), 1).await.unwrap();
    assert_eq!(taken(&ground), dropped(&keys[0]));
    assert_eq!(sessions(documents, "ann", id, &ask).await.unwrap().items[0].session_name, "t");
    delete_session(documents, "ann", id, &made.session_id).await.unwrap();
    assert_eq!(sessions(documents, "ann", id, &ask).await.unwrap().total, 0);
    taken(&ground);
    let made = create_agent(documents, "ann", id, &agent("g")).await.unwrap();
    assert_eq!(agents(documents, "ann", id, &ask).await.unwrap().total, 1);
    change_agent(documents, "ann", id, &made.agent_id, &agent("h"), 1).await.unwrap();
    delete_agent(documents, "ann", id, &made.agent_id).await.unwrap();
    let of_agents: Vec<String> = taken(&ground);
    let expected = ["delete", "get", "set", "delete", "delete"].map(|verb| format!("{verb} {}", keys[1]));
    assert_eq!(of_agents, expected);
}

/// Ds8: deleting a project drops the lists of all its users.
async fn a_deleted_project_leaves_no_list(ground: Ground) {
    let documents = &ground.documents;
    let ask = ListAsk::default();
    let id = &ground.project("a").await.project_id;
    for user in ["ann", "bob"] {
        create_session(documents, user, id, &session("s")).await.unwrap();
        create_agent(documents, user, id, &agent("g")).await.unwrap();
        sessions(documents, user, id, &ask).await.unwrap();
        agents(documents, user, id, &ask).await.unwrap();
    }
    assert_eq!(ground.cache.keys().len(), 4);
    delete_project(documents, id).await.unwrap();
    assert_eq!(ground.cache.keys(), [""; 0]);
    for user in ["ann", "bob"] {
        assert_eq!(sessions(documents, user, id, &ask).await.unwrap().total, 0);
        assert_eq!(agents(documents, user, id, &ask).await.unwrap().total, 0);
    }
}

/// D20, Ds10, Ds11, Ds13: whatever the cache does, or without one, lists are those of the store. Two processes change a
/// list; invalidations of one of them never arrive.
async fn lists_are_right_with_any_cache(ground: Ground) {
    let documents = &ground.documents;
    let with = |cached| Documents::new(documents.db.clone(), cached, ground.files.clone());
    let ask = ListAsk { limit: Some(1000), ..ListAsk::default() };
    for (number, cache) in [None, Some(0), Some(50), Some(100)].into_iter().enumerate() {
        let shared = |seed| match cache {
            None => Cached::none(),
            Some(percent) => Cached::new(Arc::new(MemoryCache::failing(percent, seed))),
        };
        // Two caches that do not know each other: each sees only its own invalidations.
        let (one, two) = (with(shared(1)), with(shared(2)));
        let project = create_project(&one, "ann", &named(&format!("{number}"))).await.unwrap().project_id;
        let mut expected = Vec::new();
        for step in 0..12 {
            ground.pass(7);
            let (writer, reader) = if step % 2 == 0 { (&one, &two) } else { (&two, &one) };
            if step % 3 == 2 {
                let gone: String = expected.remove(0);
                delete_session(writer, "ann", &project, &gone).await.unwrap();
            } else {
                let made = create_session(writer, "ann", &project, &session("s")).await.unwrap();
                expected.push(made.session_id);
            }
            for documents in [reader, writer, reader] {
                let mut listed: Vec<String> = sessions(documents, "ann", &project, &ask)
                    .await
                    .unwrap()
                    .items
                    .into_iter()
                    .map(|session| session.session_id)
                    .collect();
                listed.reverse();
                assert_eq!(listed, expected, "cache {cache:?}, step {step}");
                let all = projects(documents, None, &ask).await.unwrap();
                assert_eq!(all.total, number + 1);
            }
        }
    }
}

/// D20: without a cache a list is read directly. Its counter is not read: here it cannot be.
async fn without_a_cache_no_counter_is_read(ground: Ground) {
    let documents = &ground.documents;
    let id = &ground.project("a").await.project_id;
    create_session(documents, "ann", id, &session("s")).await.unwrap();
    let items = everything(&documents.db).await;
    let mut counters = items.into_iter().filter(|item| item.contains_key("projects"));
    let mut counter = counters.next().expect("the counter of the list of projects");
    counter.insert("projects".into(), "none".into());
    let key = key_of(documents.db.table(), &counter).unwrap();
    let put = Write { key, action: Action::Put(counter), guards: Guards::default() };
    documents.db.store().write(documents.db.table(), put).await.unwrap();
    assert!(query_projects(documents).await.is_err(), "with a cache the counter is needed");
    let ask = ListAsk::default();
    let without = Documents::new(documents.db.clone(), Cached::none(), ground.files.clone());
    assert_eq!(query_projects(&without).await.unwrap().len(), 1);
    assert_eq!(sessions(&without, "ann", id, &ask).await.unwrap().total, 1);
}

on_each_store!(
    without_a_cache_no_counter_is_read,
    the_list_of_projects_is_cached,
    the_lists_of_a_user_are_cached,
    a_deleted_project_leaves_no_list,
    lists_are_right_with_any_cache,
);
