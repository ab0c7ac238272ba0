//! Projects.

use std::sync::Arc;

use hansang_core::db::{Ask, Typed, TypedListing};
use hansang_core::{CoreCode, Error, Item, Name, Value, name, names};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Documents;
use crate::edit::{
    Check, check_id, commit, commit_known, create, every, load, optional, page, present, project_key,
    replace, same_revision, set, unknown_project, update,
};
use crate::lists::{
    ListAsk, Listed, PROJECTS_KEY, PageOf, cut, newest_first, raise_projects, stamp_of_projects,
    through_cache,
};

names! {
    /// Whether a project is in use.
    pub enum ProjectStatus {
        /// In use.
        Active = "active",
        /// Kept, without new documents and runs.
        Archived = "archived",
    }
}

names! {
    /// The pages whose text is recognised.
    pub enum OcrMode {
        /// Those without text.
        Auto = "auto",
        /// None.
        Never = "never",
        /// All.
        Always = "always",
    }
}

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// The id.
    pub project_id: String,
    /// The part that is edited.
    #[serde(flatten)]
    pub text: ProjectText,
    /// The status.
    pub status: ProjectStatus,
    /// Who created it.
    pub created_by: String,
    /// The number of changes; 0 for one that another program wrote.
    #[serde(default)]
    pub revision: i64,
    /// The time it was created.
    pub created_at: Timestamp,
    /// The time it was last written.
    pub updated_at: Timestamp,
}

/// The part of a project that is edited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectText {
    /// The name.
    pub name: String,
    /// The description.
    pub description: Option<String>,
    /// The language of the documents, as a tag such as `ko`.
    pub language: Option<String>,
    /// The colour, such as `#8A3B12`.
    pub color: Option<String>,
    /// What processors are told about every document.
    pub document_prompt: Option<String>,
    /// The pages whose text is recognised; those without text if absent.
    pub ocr: Option<OcrMode>,
    /// The languages to recognise, such as `kor+eng`.
    pub ocr_languages: Option<String>,
}

impl Typed for Project {
    const ENTITY: &'static str = "Project";
}

impl Listed for Project {
    fn at(&self) -> (Timestamp, &str) {
        (self.created_at, &self.project_id)
    }
}

/// A user of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Member {
    pub(crate) project_id: String,
    pub(crate) user_id: String,
}

impl Typed for Member {
    const ENTITY: &'static str = "Member";
}

/// Creates a project.
///
/// # Errors
/// Every field that is wrong.
pub async fn create_project(documents: &Documents, by: &str, text: &ProjectText) -> Result<Project, Error> {
    check_id("created_by", by)?;
    check(text)?;
    let project_id = documents.new_id();
    let mut fields = project_key(&project_id);
    fields.insert(name!("created_by"), by.into());
    fields.insert(name!("revision"), 1.into());
    fields.extend(present(values(text)));
    let done = commit(documents, vec![create(name!("Project"), fields), raise_projects(documents)?]).await;
    documents.cached.invalidate(PROJECTS_KEY).await;
    done?;
    find_project(documents, &project_id).await
}

/// Changes a project, if it has the revision.
///
/// # Errors
/// Every field that is wrong, `project_unknown`, or `changed` for an older revision.
pub async fn change_project(
    documents: &Documents,
    project_id: &str,
    text: &ProjectText,
    revision: i64,
) -> Result<Project, Error> {
    check(text)?;
    let changes = values(text).into_iter().map(|(name, value)| replace(name, value)).collect();
    write(documents, project_id, changes, revision).await
}

/// Archives a project, or makes it active again.
///
/// # Errors
/// `project_unknown`, or `changed` for an older revision.
pub async fn archive_project(
    documents: &Documents,
    project_id: &str,
    archived: bool,
    revision: i64,
) -> Result<Project, Error> {
    let status = if archived { ProjectStatus::Archived } else { ProjectStatus::Active };
    write(documents, project_id, vec![set(name!("status"), status.name())], revision).await
}

async fn write(
    documents: &Documents,
    project_id: &str,
    mut changes: Vec<(hansang_core::plan::Path, hansang_core::plan::Change)>,
    revision: i64,
) -> Result<Project, Error> {
    check_id("project_id", project_id)?;
    changes.push(set(name!("revision"), revision + 1));
    let guards = vec![same_revision(revision)];
    let change = update(name!("Project"), project_key(project_id), changes, guards);
    let operations = vec![change, raise_projects(documents)?];
    let done = commit_known(documents, operations, || unknown_project(project_id)).await;
    documents.cached.invalidate(PROJECTS_KEY).await;
    done?;
    find_project(documents, project_id).await
}

/// Finds a project.
///
/// # Errors
/// `project_unknown`.
pub async fn find_project(documents: &Documents, project_id: &str) -> Result<Project, Error> {
    check_id("project_id", project_id)?;
    load(documents, &project_key(project_id)).await?.ok_or_else(|| unknown_project(project_id))
}

/// All projects, the newest first, through the cache. Those that cannot be read are left out.
///
/// # Errors
/// When the store fails.
pub async fn query_projects(documents: &Documents) -> Result<Arc<Vec<Project>>, Error> {
    let stamp = stamp_of_projects(documents);
    let load = async {
        let mut projects: Vec<Project> = every(documents, "projects", Item::new()).await?;
        newest_first(&mut projects);
        Ok(projects)
    };
    through_cache(documents, PROJECTS_KEY, stamp, load).await
}

/// A page of the projects, of all or of one status.
///
/// # Errors
/// A wrong cursor.
pub async fn projects(
    documents: &Documents,
    status: Option<ProjectStatus>,
    ask: &ListAsk,
) -> Result<PageOf<Project>, Error> {
    let all = query_projects(documents).await?;
    let Some(status) = status else { return cut(&all, ask) };
    let some: Vec<Project> = all.iter().filter(|project| project.status == status).cloned().collect();
    cut(&some, ask)
}

/// The users with sessions, agents or artifacts in a project.
///
/// # Errors
/// A wrong cursor.
pub async fn members(
    documents: &Documents,
    project_id: &str,
    ask: Ask,
) -> Result<TypedListing<String>, Error> {
    let page: TypedListing<Member> =
        page(documents, "membersOfProject", project_key(project_id), ask).await?;
    Ok(TypedListing {
        items: page.items.into_iter().map(|member| member.user_id).collect(),
        unreadable: page.unreadable,
        next: page.next,
        previous: page.previous,
    })
}

fn values(text: &ProjectText) -> [(Name, Option<Value>); 7] {
    [
        (name!("name"), Some(text.name.trim().into())),
        (name!("description"), optional(text.description.as_deref())),
        (name!("language"), optional(text.language.as_deref())),
        (name!("color"), optional(text.color.as_deref())),
        (name!("document_prompt"), optional(text.document_prompt.as_deref())),
        (name!("ocr"), text.ocr.map(|mode| mode.name().into())),
        (name!("ocr_languages"), optional(text.ocr_languages.as_deref())),
    ]
}

/// Checks what the model does not word for people; the model checks the rest.
fn check(text: &ProjectText) -> Result<(), Error> {
    let mut check = Check::default();
    check.text("name", &text.name, 120);
    check.optional("description", text.description.as_deref(), 2000);
    check.optional("document_prompt", text.document_prompt.as_deref(), 20_000);
    check.done()
}

/// Adds a user to the members of a project.
pub(crate) async fn join(
    documents: &Documents,
    project_id: &str,
    user_id: &str,
) -> Result<Option<hansang_core::db::Operation>, Error> {
    let fields = crate::edit::key([(name!("project_id"), project_id), (name!("user_id"), user_id)]);
    // A member is deleted only with the project, which every write below a project checks.
    let member: Option<Member> = load(documents, &fields).await?;
    Ok(member.is_none().then(|| create(name!("Member"), fields)))
}

/// Whether another request made the user a member at the same time.
pub(crate) fn joined_meanwhile(error: &Error) -> bool {
    error.code == CoreCode::AlreadyExists
}
