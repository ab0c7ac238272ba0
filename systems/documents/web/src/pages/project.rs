//! The head of the pages of one project.

use futures_util::FutureExt as _;
use hansang_documents::{Project, ProjectStatus, find_project};
use hansang_http::problem::Problem;
use hansang_ui::frame::View;

use super::{Pages, START};

/// What every page of a project shows of it.
pub(super) struct Head {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) description: String,
    /// The colour, if it is one.
    pub(super) color: Option<String>,
    pub(super) archived: bool,
    /// The address of its first page.
    pub(super) address: String,
    /// Whether the visitor may change it.
    pub(super) can_edit: bool,
}

impl Head {
    pub(super) fn of(pages: &Pages, view: &View, project: &Project) -> Self {
        Self {
            id: project.project_id.clone(),
            name: project.text.name.clone(),
            description: project.text.description.clone().unwrap_or_default(),
            color: color(project),
            archived: project.status == ProjectStatus::Archived,
            address: address(&project.project_id),
            can_edit: pages.is_editor(view),
        }
    }

    /// Whether documents can be added and processed.
    pub(super) fn takes_documents(&self) -> bool {
        self.can_edit && !self.archived
    }

    /// The way to a page of the project.
    pub(super) fn trail(&self, view: &View, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let first = [(view.say("Projects", "프로젝트"), START), (&self.name, &self.address)];
        first.iter().chain(more).map(|(name, address)| ((*name).to_owned(), (*address).to_owned())).collect()
    }
}

/// The address of a project.
pub(super) fn address(project_id: &str) -> String {
    format!("{START}/projects/{project_id}")
}

/// The colour of a project, if what is stored is one.
pub(super) fn color(project: &Project) -> Option<String> {
    let is_color = |color: &&String| {
        color.len() == 7
            && color.starts_with('#')
            && color.bytes().skip(1).all(|byte| byte.is_ascii_hexdigit())
    };
    project.text.color.as_ref().filter(is_color).cloned()
}

/// Reads a project for one of its pages.
pub(super) async fn head(pages: &Pages, view: &View, project_id: &str) -> Result<Head, Problem> {
    let project = pages.read("project", find_project(pages.documents(), project_id).boxed()).await?;
    Ok(Head::of(pages, view, &project))
}
