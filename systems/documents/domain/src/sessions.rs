//! Sessions: conversations of a user in a project, with their messages.

use std::sync::Arc;

use hansang_core::db::{Ask, Operation, Typed, TypedListing};
use hansang_core::value::to_item;
use hansang_core::{CoreCode, Error, Item, Value, message, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::agents::{add_to_list, change_list, query_list};
use crate::deletions::{DeletionKind, finish_or_leave, note_deletion};
use crate::edit::{
    Check, check_id, commit, create, delete, exists, key, load, optional, page, present, replace,
    same_revision, set, update,
};
use crate::lists::{ListAsk, Listed, PageOf, UserList, cut};
use crate::{Documents, DocumentsCode, messages};

/// The maximum number of characters of a message.
const MAX_MESSAGE: usize = 50_000;
/// The maximum number of passages that a message cites.
const MAX_CITATIONS: usize = 50;

names! {
    /// Who a message is from.
    pub enum Role {
        /// The user.
        User = "user",
        /// The assistant.
        Assistant = "assistant",
    }
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// The user.
    pub user_id: String,
    /// The project.
    pub project_id: String,
    /// The id.
    pub session_id: String,
    /// The name.
    pub session_name: String,
    /// The kind, such as `chat`.
    pub session_type: String,
    /// The user's agent that answers.
    pub agent_id: Option<String>,
    /// The number of changes; 0 for one that another program wrote.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

impl Typed for Session {
    const ENTITY: &'static str = "Session";
}

impl Listed for Session {
    fn at(&self) -> (Timestamp, &str) {
        (self.created_at, &self.session_id)
    }
}

/// The part of a session that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionText {
    /// The name.
    pub session_name: String,
    /// The kind, such as `chat`.
    pub session_type: String,
    /// The user's agent that answers.
    pub agent_id: Option<String>,
}

/// A passage that an answer rests on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Citation {
    /// The document.
    pub document_id: String,
    /// The run.
    pub workflow_id: String,
    /// The number of the segment.
    pub segment_index: i64,
    /// The passage.
    pub quote: String,
}

/// A message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The session.
    pub session_id: String,
    /// The id.
    pub message_id: String,
    /// Who it is from.
    pub role: Role,
    /// The text.
    pub content: String,
    /// The passages it rests on.
    #[serde(default)]
    pub citations: Vec<Citation>,
    /// The time it was written.
    pub created_at: Timestamp,
}

impl Typed for Message {
    const ENTITY: &'static str = "Message";
}

/// A new message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMessage {
    /// Who it is from.
    pub role: Role,
    /// The text.
    pub content: String,
    /// The passages it rests on.
    #[serde(default)]
    pub citations: Vec<Citation>,
}

pub(crate) fn session_key(user_id: &str, project_id: &str, session_id: &str) -> Item {
    key([(name!("user_id"), user_id), (name!("project_id"), project_id), (name!("session_id"), session_id)])
}

/// Creates a session.
///
/// # Errors
/// Every field that is wrong, or `project_unknown`.
pub async fn create_session(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    text: &SessionText,
) -> Result<Session, Error> {
    check_id("user_id", user_id)?;
    check_id("project_id", project_id)?;
    check(text)?;
    let session_id = documents.new_id();
    let mut fields = session_key(user_id, project_id, &session_id);
    fields.extend(present([
        (name!("session_name"), Some(Value::from(text.session_name.trim()))),
        (name!("session_type"), Some(text.session_type.trim().into())),
        (name!("agent_id"), optional(text.agent_id.as_deref())),
        (name!("revision"), Some(1.into())),
    ]));
    add_to_list(documents, UserList::Sessions, user_id, project_id, create(name!("Session"), fields)).await?;
    find_session(documents, user_id, project_id, &session_id).await
}

/// Changes a session, if it has the revision.
///
/// # Errors
/// Every field that is wrong, `session_unknown`, or `changed` for an older revision.
pub async fn change_session(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    session_id: &str,
    text: &SessionText,
    revision: i64,
) -> Result<Session, Error> {
    check(text)?;
    check_id("session_id", session_id)?;
    let changes = vec![
        set(name!("session_name"), text.session_name.trim()),
        set(name!("session_type"), text.session_type.trim()),
        replace(name!("agent_id"), optional(text.agent_id.as_deref())),
        set(name!("revision"), revision + 1),
    ];
    let key = session_key(user_id, project_id, session_id);
    let change = vec![update(name!("Session"), key, changes, vec![same_revision(revision)])];
    change_list(documents, UserList::Sessions, user_id, project_id, change, || unknown(session_id)).await?;
    find_session(documents, user_id, project_id, session_id).await
}

/// Deletes a session with its messages.
///
/// # Errors
/// `session_unknown`.
pub async fn delete_session(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    session_id: &str,
) -> Result<(), Error> {
    check_id("session_id", session_id)?;
    let (deletion, note) = note_deletion(documents, DeletionKind::Session, session_id, project_id, "", None);
    let gone = delete(name!("Session"), session_key(user_id, project_id, session_id), Vec::new());
    let operations = vec![gone, note];
    change_list(documents, UserList::Sessions, user_id, project_id, operations, || unknown(session_id))
        .await?;
    finish_or_leave(documents, &deletion).await;
    Ok(())
}

/// Finds a session.
///
/// # Errors
/// `session_unknown`.
pub async fn find_session(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    session_id: &str,
) -> Result<Session, Error> {
    check_id("session_id", session_id)?;
    let found = load(documents, &session_key(user_id, project_id, session_id)).await?;
    found.ok_or_else(|| unknown(session_id))
}

/// A page of a user's sessions in a project, the newest first, through the cache.
///
/// # Errors
/// A wrong cursor or id.
pub async fn sessions(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    ask: &ListAsk,
) -> Result<PageOf<Session>, Error> {
    let (list, pattern) = (UserList::Sessions, "sessionsOfUserInProject");
    let all: Arc<Vec<Session>> = query_list(documents, list, pattern, user_id, project_id).await?;
    cut(&all, ask)
}

/// Adds a message to a session.
///
/// # Errors
/// A text that is empty or too long, or `session_unknown`.
pub async fn add_message(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    session_id: &str,
    new: &NewMessage,
) -> Result<Message, Error> {
    check_id("session_id", session_id)?;
    let mut check = Check::default();
    check.text("content", &new.content, MAX_MESSAGE);
    check.done()?;
    let citations = new.citations.iter().take(MAX_CITATIONS).map(|citation| {
        let quote = citation.quote.chars().take(1000).collect();
        to_item(&Citation { quote, ..citation.clone() }).map(Value::M)
    });
    let citations: Result<Vec<Value>, _> = citations.collect();
    let citations = citations.map_err(|problem| Error::invalid(CoreCode::InvalidFields, problem))?;
    let message_id = documents.new_id();
    let mut fields = key([(name!("session_id"), session_id), (name!("message_id"), &message_id)]);
    fields.extend(present([
        (name!("role"), Some(Value::from(new.role.name()))),
        (name!("content"), Some(new.content.trim().into())),
        (name!("citations"), (!citations.is_empty()).then_some(Value::L(citations))),
    ]));
    let session = Operation::Check {
        entity: name!("Session"),
        key: session_key(user_id, project_id, session_id),
        guards: vec![exists(unknown(session_id))],
    };
    commit(documents, vec![session, create(name!("Message"), fields.clone())]).await?;
    let stored = load(documents, &fields).await?;
    stored.ok_or_else(|| unknown(session_id))
}

/// The messages of a session, in order unless the other direction is asked for.
///
/// # Errors
/// `session_unknown`, or a wrong cursor or limit.
pub async fn messages_of_session(
    documents: &Documents,
    user_id: &str,
    project_id: &str,
    session_id: &str,
    ask: Ask,
) -> Result<TypedListing<Message>, Error> {
    find_session(documents, user_id, project_id, session_id).await?;
    page(documents, "messagesOfSession", key([(name!("session_id"), session_id)]), ask).await
}

fn check(text: &SessionText) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("session_name", &text.session_name, 200);
    check.text("session_type", &text.session_type, 40);
    check.done()?;
    text.agent_id.as_deref().map_or(Ok(()), |agent_id| check_id("agent_id", agent_id))
}

fn unknown(id: &str) -> Error {
    Error::not_found(DocumentsCode::SessionUnknown, message!(messages::SESSION_UNKNOWN, id))
}
