//! Changes of what belongs to a user in a project: artifacts, conversations, agents.

use hansang_documents::{
    Agent, AgentText, Message, NewMessage, Session, SessionText, add_message, change_agent, change_session,
    create_agent, create_session, delete_agent, delete_artifact, delete_session,
};
use hansang_server::Action;

use super::Change;
use crate::messages;

/// Deletes an artifact of the user.
pub(crate) const DELETE_ARTIFACT: Change<String, ()> = Action {
    name: "artifact.delete",
    summary: &messages::DELETE_ARTIFACT,
    subject: |(_, id)| id.clone(),
    run: |state, (by, id)| Box::pin(async move { delete_artifact(&state.documents, &by, &id).await }),
};

/// Begins a conversation in a project.
pub(crate) const CREATE_SESSION: Change<(String, SessionText), Session> = Action {
    name: "session.create",
    summary: &messages::CREATE_SESSION,
    subject: |(_, (project_id, _))| project_id.clone(),
    run: |state, (by, (project_id, text))| {
        Box::pin(async move { create_session(&state.documents, &by, &project_id, &text).await })
    },
};

/// Changes a conversation of this revision: the project, its id, the text.
pub(crate) const CHANGE_SESSION: Change<(String, String, SessionText, i64), Session> = Action {
    name: "session.change",
    summary: &messages::CHANGE_SESSION,
    subject: |(_, (_, id, ..))| id.clone(),
    run: |state, (by, (project_id, id, text, revision))| {
        Box::pin(
            async move { change_session(&state.documents, &by, &project_id, &id, &text, revision).await },
        )
    },
};

/// Deletes a conversation of a project.
pub(crate) const DELETE_SESSION: Change<(String, String), ()> = Action {
    name: "session.delete",
    summary: &messages::DELETE_SESSION,
    subject: |(_, (_, id))| id.clone(),
    run: |state, (by, (project_id, id))| {
        Box::pin(async move { delete_session(&state.documents, &by, &project_id, &id).await })
    },
};

/// Adds a message to a conversation of a project.
pub(crate) const ADD_MESSAGE: Change<(String, String, NewMessage), Message> = Action {
    name: "message.add",
    summary: &messages::ADD_MESSAGE,
    subject: |(_, (_, id, _))| id.clone(),
    run: |state, (by, (project_id, id, new))| {
        Box::pin(async move { add_message(&state.documents, &by, &project_id, &id, &new).await })
    },
};

/// Creates an agent in a project.
pub(crate) const CREATE_AGENT: Change<(String, AgentText), Agent> = Action {
    name: "agent.create",
    summary: &messages::CREATE_AGENT,
    subject: |(_, (project_id, text))| format!("{project_id} {}", text.name),
    run: |state, (by, (project_id, text))| {
        Box::pin(async move { create_agent(&state.documents, &by, &project_id, &text).await })
    },
};

/// Changes an agent of this revision: the project, its id, the text.
pub(crate) const CHANGE_AGENT: Change<(String, String, AgentText, i64), Agent> = Action {
    name: "agent.change",
    summary: &messages::CHANGE_AGENT,
    subject: |(_, (_, id, ..))| id.clone(),
    run: |state, (by, (project_id, id, text, revision))| {
        Box::pin(async move { change_agent(&state.documents, &by, &project_id, &id, &text, revision).await })
    },
};

/// Deletes an agent of a project.
pub(crate) const DELETE_AGENT: Change<(String, String), ()> = Action {
    name: "agent.delete",
    summary: &messages::DELETE_AGENT,
    subject: |(_, (_, id))| id.clone(),
    run: |state, (by, (project_id, id))| {
        Box::pin(async move { delete_agent(&state.documents, &by, &project_id, &id).await })
    },
};
