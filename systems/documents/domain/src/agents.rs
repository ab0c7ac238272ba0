//! Agents: a user's own instructions for answers in a project.

use std::sync::Arc;

use hansang_core::db::{Operation, Typed};
use hansang_core::{CoreCode, Error, Item, Value, message, name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::edit::{
    ATTEMPTS, Check, busy, check_id, commit, commit_known, create, delete, every, key, load, present,
    project_exists, same_revision, set, update,
};
use crate::lists::{
    ListAsk, Listed, PageOf, UserList, cut, newest_first, raise_user, stamp_of_user, through_cache,
};
use crate::projects::{join, joined_meanwhile};
use crate::{Documents, DocumentsCode, messages};

/// The maximum number of characters of instructions.
const MAX_CONTENT: usize = 50_000;

/// A user's own instructions for answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    /// The user.
    pub user_id: String,
    /// The project.
    pub project_id: String,
    /// The id.
    pub agent_id: String,
    /// The name.
    pub name: String,
    /// The instructions.
    pub content: String,
    /// The number of changes; 0 for one that another program wrote.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

impl Typed for Agent {
    const ENTITY: &'static str = "Agent";
}

impl Listed for Agent {
    fn at(&self) -> (Timestamp, &str) {
        (self.created_at, &self.agent_id)
    }
}

/// The part of an agent that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentText {
    /// The name.
    pub name: String,
    /// The instructions.
    pub content: String,
}

pub(crate) fn agent_key(user_id: &str, project_id: &str, agent_id: &str) -> Item {
    key([(name!("user_id"), user_id), (name!("project_id"), project_id), (name!("agent_id"), agent_id)])
}

/// Creates an agent.
///
/// # Errors
/// Every field that is wrong, or `project_unknown`.
pub async fn create_agent(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    text: &AgentText,
) -> Result<Agent, Error> {
    check_id("user_id", user_id)?;
    check_id("project_id", project_id)?;
    check(text)?;
    let agent_id = documents.new_id();
    let mut fields = agent_key(user_id, project_id, &agent_id);
    fields.extend(present([
        (name!("name"), Some(Value::from(text.name.trim()))),
        (name!("content"), Some(text.content.trim().into())),
        (name!("revision"), Some(1.into())),
    ]));
    add_to_list(documents, UserList::Agents, user_id, project_id, create(name!("Agent"), fields)).await?;
    find_agent(documents, user_id, project_id, &agent_id).await
}

/// Changes an agent, if it has the revision.
///
/// # Errors
/// Every field that is wrong, `agent_unknown`, or `changed` for an older revision.
pub async fn change_agent(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    agent_id: &str,
    text: &AgentText,
    revision: i64,
) -> Result<Agent, Error> {
    check(text)?;
    check_id("agent_id", agent_id)?;
    let changes = vec![
        set(name!("name"), text.name.trim()),
        set(name!("content"), text.content.trim()),
        set(name!("revision"), revision + 1),
    ];
    let key = agent_key(user_id, project_id, agent_id);
    let change = update(name!("Agent"), key, changes, vec![same_revision(revision)]);
    change_list(documents, UserList::Agents, user_id, project_id, vec![change], || unknown(agent_id)).await?;
    find_agent(documents, user_id, project_id, agent_id).await
}

/// Deletes an agent. Sessions with it stay.
///
/// # Errors
/// `agent_unknown`.
pub async fn delete_agent(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    agent_id: &str,
) -> Result<(), Error> {
    check_id("agent_id", agent_id)?;
    let gone = delete(name!("Agent"), agent_key(user_id, project_id, agent_id), Vec::new());
    change_list(documents, UserList::Agents, user_id, project_id, vec![gone], || unknown(agent_id)).await
}

/// Finds an agent.
///
/// # Errors
/// `agent_unknown`.
pub async fn find_agent(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    agent_id: &str,
) -> Result<Agent, Error> {
    check_id("agent_id", agent_id)?;
    load(documents, &agent_key(user_id, project_id, agent_id)).await?.ok_or_else(|| unknown(agent_id))
}

/// A page of a user's agents in a project, the newest first, through the cache.
///
/// # Errors
/// A wrong cursor or id.
pub async fn agents(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    ask: &ListAsk,
) -> Result<PageOf<Agent>, Error> {
    let (list, pattern) = (UserList::Agents, "agentsOfUserInProject");
    let all: Arc<Vec<Agent>> = query_list(documents, list, pattern, user_id, project_id).await?;
    cut(&all, ask)
}

/// A list of a user in a project, the newest first, through the cache.
pub(crate) async fn query_list<T>(
    documents: &Documents,
    list: UserList,
    pattern: &'static str,
    user_id: &str,
    project_id: &str,
) -> Result<Arc<Vec<T>>, Error>
where
    T: Typed + Listed + Send + Sync + 'static,
{
    check_id("user_id", user_id)?;
    check_id("project_id", project_id)?;
    let stamp = stamp_of_user(documents, list, user_id, project_id);
    let arguments = key([(name!("user_id"), user_id), (name!("project_id"), project_id)]);
    let load = async {
        let mut all: Vec<T> = every(documents, pattern, arguments).await?;
        newest_first(&mut all);
        Ok(all)
    };
    through_cache(documents, &list.key(user_id, project_id), stamp, load).await
}

/// Adds an item to a list of a user, who becomes a member of the project.
pub(crate) async fn add_to_list(
    documents: &Documents,
    list: UserList,
    user_id: &str,
    project_id: &str,
    new: Operation,
) -> Result<(), Error> {
    for _ in 0..ATTEMPTS {
        let mut operations =
            vec![new.clone(), project_exists(project_id), raise_user(documents, list, user_id, project_id)?];
        operations.extend(join(documents, project_id, user_id).await?);
        let done = commit(documents, operations).await;
        documents.cached.invalidate(&list.key(user_id, project_id)).await;
        match done {
            Err(error) if joined_meanwhile(&error) || error.code == CoreCode::Contended => {}
            done => return done,
        }
    }
    Err(busy())
}

/// Changes an item of a list of a user.
pub(crate) async fn change_list(
    documents: &Documents,
    list: UserList,
    user_id: &str,
    project_id: &str,
    mut operations: Vec<Operation>,
    unknown: impl FnOnce() -> Error,
) -> Result<(), Error> {
    check_id("user_id", user_id)?;
    check_id("project_id", project_id)?;
    operations.push(raise_user(documents, list, user_id, project_id)?);
    let done = commit_known(documents, operations, unknown).await;
    documents.cached.invalidate(&list.key(user_id, project_id)).await;
    done
}

fn check(text: &AgentText) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("name", &text.name, 120);
    check.text("content", &text.content, MAX_CONTENT);
    check.done()
}

fn unknown(id: &str) -> Error {
    Error::not_found(DocumentsCode::AgentUnknown, message!(messages::AGENT_UNKNOWN, id))
}
