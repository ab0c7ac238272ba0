//! Conversations and agents of the caller.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::message;
use hansang_documents::{agents, find_agent, find_project, find_session, messages_of_session, sessions};
use hansang_http::route::Route;

use super::sent::{SentAgent, SentMessage, SentSession};
use super::{Api, nothing_else, output, page_parameters};
use crate::actions::own;
use crate::messages as api;

impl Api {
    pub(super) fn own_routes(&self) -> Vec<Route> {
        let mut routes = self.session_routes();
        routes.extend(self.agent_routes());
        routes
    }

    fn session_routes(&self) -> Vec<Route> {
        let model = self.model();
        let session = || output::of(model, "Session");
        vec![
            self.read(
                "projects/{project_id}/sessions",
                "session.list",
                (message!(api::LIST_SESSIONS), message!(api::THE_SESSIONS)),
                Role::Viewer,
                (page_parameters(), output::cut_of(model, "Session")),
                async move |state, asked| {
                    let (by, project_id) = (asked.by.clone(), asked.text("project_id"));
                    find_project(&state.documents, &project_id).await?;
                    let (ask, rest) = asked.list()?;
                    nothing_else(&rest)?;
                    Ok(output::cut(&sessions(&state.documents, &by, &project_id, &ask).await?))
                },
            ),
            self.read(
                "projects/{project_id}/sessions/{session_id}",
                "session.get",
                (message!(api::GET_SESSION), message!(api::THE_SESSION)),
                Role::Viewer,
                (Vec::new(), session()),
                async move |state, asked| {
                    let (project_id, id) = (asked.text("project_id"), asked.text("session_id"));
                    Ok(output::record(&find_session(&state.documents, &asked.by, &project_id, &id).await?))
                },
            ),
            self.read(
                "projects/{project_id}/sessions/{session_id}/messages",
                "message.list",
                (message!(api::LIST_MESSAGES), message!(api::THE_MESSAGES)),
                Role::Viewer,
                (page_parameters(), output::page_of(model, "Message")),
                async move |state, asked| {
                    let (project_id, id) = (asked.text("project_id"), asked.text("session_id"));
                    let by = asked.by.clone();
                    let ask = asked.page()?;
                    Ok(output::page(
                        &messages_of_session(&state.documents, &by, &project_id, &id, ask).await?,
                    ))
                },
            ),
            self.change::<SentSession, _, _>(
                (Method::POST, "projects/{project_id}/sessions"),
                own::CREATE_SESSION,
                (StatusCode::CREATED, Role::Viewer),
                session(),
                |asked| Ok((asked.text("project_id"), asked.body.text())),
                |session| output::record(&session),
            ),
            self.change::<SentSession, _, _>(
                (Method::PUT, "projects/{project_id}/sessions/{session_id}"),
                own::CHANGE_SESSION,
                (StatusCode::OK, Role::Viewer),
                session(),
                |asked| {
                    let (project_id, id) = (asked.text("project_id"), asked.text("session_id"));
                    let revision = asked.revision()?;
                    Ok((project_id, id, asked.body.text(), revision))
                },
                |session| output::record(&session),
            ),
            self.order(
                (Method::DELETE, "projects/{project_id}/sessions/{session_id}"),
                own::DELETE_SESSION,
                Role::Viewer,
                |asked| Ok((asked.text("project_id"), asked.text("session_id"))),
                None,
            ),
            self.change::<SentMessage, _, _>(
                (Method::POST, "projects/{project_id}/sessions/{session_id}/messages"),
                own::ADD_MESSAGE,
                (StatusCode::CREATED, Role::Viewer),
                output::of(model, "Message"),
                |asked| Ok((asked.text("project_id"), asked.text("session_id"), asked.body.message())),
                |message| output::record(&message),
            ),
        ]
    }

    fn agent_routes(&self) -> Vec<Route> {
        let model = self.model();
        let agent = || output::of(model, "Agent");
        vec![
            self.read(
                "projects/{project_id}/agents",
                "agent.list",
                (message!(api::LIST_AGENTS), message!(api::THE_AGENTS)),
                Role::Viewer,
                (page_parameters(), output::cut_of(model, "Agent")),
                async move |state, asked| {
                    let (by, project_id) = (asked.by.clone(), asked.text("project_id"));
                    find_project(&state.documents, &project_id).await?;
                    let (ask, rest) = asked.list()?;
                    nothing_else(&rest)?;
                    Ok(output::cut(&agents(&state.documents, &by, &project_id, &ask).await?))
                },
            ),
            self.read(
                "projects/{project_id}/agents/{agent_id}",
                "agent.get",
                (message!(api::GET_AGENT), message!(api::THE_AGENT)),
                Role::Viewer,
                (Vec::new(), agent()),
                async move |state, asked| {
                    let (project_id, id) = (asked.text("project_id"), asked.text("agent_id"));
                    Ok(output::record(&find_agent(&state.documents, &asked.by, &project_id, &id).await?))
                },
            ),
            self.change::<SentAgent, _, _>(
                (Method::POST, "projects/{project_id}/agents"),
                own::CREATE_AGENT,
                (StatusCode::CREATED, Role::Viewer),
                agent(),
                |asked| Ok((asked.text("project_id"), asked.body.text())),
                |agent| output::record(&agent),
            ),
            self.change::<SentAgent, _, _>(
                (Method::PUT, "projects/{project_id}/agents/{agent_id}"),
                own::CHANGE_AGENT,
                (StatusCode::OK, Role::Viewer),
                agent(),
                |asked| {
                    let (project_id, id) = (asked.text("project_id"), asked.text("agent_id"));
                    let revision = asked.revision()?;
                    Ok((project_id, id, asked.body.text(), revision))
                },
                |agent| output::record(&agent),
            ),
            self.order(
                (Method::DELETE, "projects/{project_id}/agents/{agent_id}"),
                own::DELETE_AGENT,
                Role::Viewer,
                |asked| Ok((asked.text("project_id"), asked.text("agent_id"))),
                None,
            ),
        ]
    }
}
