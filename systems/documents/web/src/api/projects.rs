//! Projects and their progress.

use axum::http::{Method, StatusCode};
use hansang_access::Role;
use hansang_core::{Error, message};
use hansang_documents::{ProjectStatus, find_project, members, progress, projects};
use hansang_http::route::{Route, query_parameter};
use serde_json::json;

use super::sent::{SentArchive, SentProject};
use super::{Api, nothing_else, output, page_parameters};
use crate::actions;
use crate::messages as api;

impl Api {
    pub(super) fn project_routes(&self) -> Vec<Route> {
        let project = || output::of(self.model(), "Project");
        let status = json!({ "enum": ProjectStatus::ALL.map(ProjectStatus::name) });
        let mut listed = page_parameters();
        listed.push(query_parameter("status", false, status, message!(api::BY_STATUS)));
        vec![
            self.read(
                "projects",
                "project.list",
                (message!(api::LIST_PROJECTS), message!(api::THE_PROJECTS)),
                Role::Viewer,
                (listed, output::cut_of(self.model(), "Project")),
                async move |state, asked| {
                    let (ask, mut rest) = asked.list()?;
                    let status =
                        rest.remove("status").map(|status| status_of(status.as_str().unwrap_or_default()));
                    nothing_else(&rest)?;
                    Ok(output::cut(&projects(&state.documents, status.transpose()?, &ask).await?))
                },
            ),
            self.read(
                "projects/{project_id}",
                "project.get",
                (message!(api::GET_PROJECT), message!(api::THE_PROJECT)),
                Role::Viewer,
                (Vec::new(), project()),
                async move |state, asked| {
                    Ok(output::record(&find_project(&state.documents, &asked.text("project_id")).await?))
                },
            ),
            self.read(
                "projects/{project_id}/members",
                "project.members",
                (message!(api::LIST_MEMBERS), message!(api::THE_MEMBERS)),
                Role::Viewer,
                (page_parameters(), output::members_schema()),
                async move |state, asked| {
                    let project_id = asked.text("project_id");
                    find_project(&state.documents, &project_id).await?;
                    Ok(output::page(&members(&state.documents, &project_id, asked.page()?).await?))
                },
            ),
            self.read(
                "projects/{project_id}/progress",
                "project.progress",
                (message!(api::GET_PROGRESS), message!(api::THE_PROGRESS)),
                Role::Viewer,
                (Vec::new(), output::progress_schema()),
                async move |state, asked| {
                    Ok(output::progress(&progress(&state.documents, &asked.text("project_id")).await?))
                },
            ),
            self.change::<SentProject, _, _>(
                (Method::POST, "projects"),
                actions::CREATE_PROJECT,
                (StatusCode::CREATED, Role::Editor),
                project(),
                |asked| Ok(asked.body.text()),
                |project| output::record(&project),
            ),
            self.change::<SentProject, _, _>(
                (Method::PUT, "projects/{project_id}"),
                actions::CHANGE_PROJECT,
                (StatusCode::OK, Role::Editor),
                project(),
                |asked| {
                    let (id, revision) = (asked.text("project_id"), asked.revision()?);
                    Ok((id, asked.body.text(), revision))
                },
                |project| output::record(&project),
            ),
            self.change::<SentArchive, _, _>(
                (Method::POST, "projects/{project_id}/archive"),
                actions::ARCHIVE_PROJECT,
                (StatusCode::OK, Role::Editor),
                project(),
                |asked| Ok((asked.text("project_id"), asked.body.archived, asked.revision()?)),
                |project| output::record(&project),
            ),
            self.order(
                (Method::DELETE, "projects/{project_id}"),
                actions::DELETE_PROJECT,
                Role::Editor,
                |asked| Ok(asked.text("project_id")),
                None,
            ),
        ]
    }
}

fn status_of(text: &str) -> Result<ProjectStatus, Error> {
    ProjectStatus::named(text).ok_or_else(|| {
        let all = ProjectStatus::ALL.map(ProjectStatus::name).join(", ");
        let problem = hansang_core::validate::violation("status", message!(api::NOT_A_STATUS, all));
        Error::fields(vec![problem])
    })
}
