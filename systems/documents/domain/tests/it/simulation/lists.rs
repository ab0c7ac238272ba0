//! Lists, compared with what was acknowledged before they were read.

use std::collections::BTreeSet;

use hansang_core::Error;
use hansang_core::db::Ask;
use hansang_documents::{
    Documents, ListAsk, agent_list_key, agents, artifacts_of_user_in_project, documents_of_project,
    query_projects, session_list_key, sessions,
};

use super::{Facts, Kind, Made, Scene};

/// A list: its kind, and the user and the project of which it is.
struct List {
    kind: Kind,
    user: String,
    project: String,
}

impl List {
    /// Its key in the cache, if it is a user's in a project.
    fn key(&self) -> Option<String> {
        match self.kind {
            Kind::Session => Some(session_list_key(&self.user, &self.project)),
            Kind::Agent => Some(agent_list_key(&self.user, &self.project)),
            _ => None,
        }
    }

    /// Whether something that was created belongs to it.
    fn has(&self, made: &Made) -> bool {
        made.kind == self.kind
            && match self.kind {
                Kind::Project => true,
                Kind::Document => made.project == self.project,
                _ => made.user == self.user && made.project == self.project,
            }
    }

    async fn read(&self, documents: &Documents) -> Result<BTreeSet<String>, Error> {
        let (user, project) = (&self.user, &self.project);
        let (some, all) = (
            ListAsk { limit: Some(1000), ..ListAsk::default() },
            Ask { limit: Some(1000), ..Ask::default() },
        );
        Ok(match self.kind {
            Kind::Project => {
                query_projects(documents).await?.iter().map(|one| one.project_id.clone()).collect()
            }
            Kind::Session => {
                let found = sessions(documents, user, project, &some).await?.items;
                found.into_iter().map(|one| one.session_id).collect()
            }
            Kind::Agent => {
                let found = agents(documents, user, project, &some).await?.items;
                found.into_iter().map(|one| one.agent_id).collect()
            }
            Kind::Document => {
                let found = documents_of_project(documents, project, all).await?.items;
                found.into_iter().map(|one| one.document_id).collect()
            }
            Kind::Artifact => {
                let found = artifacts_of_user_in_project(documents, user, project, all).await?.items;
                found.into_iter().map(|one| one.artifact_id).collect()
            }
        })
    }
}

/// A list that has something, if there is one of the chosen kind.
fn choose(facts: &Facts, user: &str, chance: &mut fastrand::Rng) -> Option<List> {
    let kinds = [Kind::Project, Kind::Session, Kind::Agent, Kind::Document, Kind::Artifact];
    let kind = kinds[chance.usize(0..kinds.len())];
    let fits = |made: &&Made| {
        made.kind == kind && (matches!(kind, Kind::Project | Kind::Document) || made.user == user)
    };
    let made: Vec<&Made> = facts.created.values().filter(fits).collect();
    let project = match kind {
        Kind::Project => String::new(),
        _ => chance.choice(&made)?.project.clone(),
    };
    Some(List { kind, user: user.to_owned(), project })
}

/// Reads a list, and compares it with what was acknowledged before.
pub(super) async fn look(documents: &Documents, scene: &Scene, user: &str, chance: &mut fastrand::Rng) {
    let before = scene.facts().clone();
    let Some(list) = choose(&before, user, chance) else { return };
    let key = list.key();
    if let Some(key) = &key {
        // A reader that dies may have filled it.
        *scene.facts().late.entry(key.clone()).or_default() += 1;
    }
    let read = list.read(documents).await;
    let mut facts = scene.facts();
    if let Some(key) = key.filter(|_| !facts.delete_started.contains(&list.project)) {
        // It was filled before the deletion, which then has to drop it.
        if let Some(readers) = facts.late.get_mut(&key) {
            *readers -= 1;
        }
        facts.read.insert(key);
    }
    let Ok(listed) = read else { return };
    facts.counts.lists += 1;
    facts.counts.of_kind[list.kind as usize] += 1;
    let goes = |id: &String, made: &Made| {
        facts.delete_started.contains(id) || facts.delete_started.contains(&made.project)
    };
    let is_gone = |id: &String, made: &Made| {
        // Other records of a deleted project cannot be read without the project.
        let with_project = list.kind == Kind::Artifact && before.deleted.contains(&made.project);
        before.deleted.contains(id) || with_project
    };
    let all = || before.created.iter().filter(|(_, made)| list.has(made));
    let missing: Vec<&String> =
        all().filter(|(id, made)| !goes(id, made) && !listed.contains(*id)).map(|(id, _)| id).collect();
    let shown: Vec<&String> =
        all().filter(|(id, made)| is_gone(id, made) && listed.contains(*id)).map(|(id, _)| id).collect();
    if !missing.is_empty() || !shown.is_empty() {
        let problem = format!(
            "a list of {:?} of {} in {} misses {missing:?} and shows {shown:?}",
            list.kind, list.user, list.project
        );
        facts.problems.push(problem);
    }
}
