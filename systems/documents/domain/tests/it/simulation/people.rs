//! The actions of people.

use std::time::Duration;

use hansang_core::ErrorKind;
use hansang_core::db::Ask;
use hansang_documents::{
    AgentText, Documents, NewArtifact, Reprocess, SessionText, artifact_key, begin_upload, cancel,
    change_project, create_agent, create_artifact, create_project, create_session, delete_agent,
    delete_artifact, delete_document, delete_project, delete_session, documents_of_project, finish_upload,
    reprocess,
};
use hansang_testkit::world;
use tokio::time::sleep;

use super::lists::look;
use super::{Kind, Scene, expected};
use crate::grounds::{file, named, received};

pub(super) fn start_person(scene: &Scene, process: usize, seed: u64) -> world::Task<()> {
    let (documents, scene) = (scene.documents(process), scene.clone());
    scene.world.clone().spawn(process, &format!("person-{process}"), async move {
        let mut chance = fastrand::Rng::with_seed(seed);
        let user = format!("user{process}");
        for _ in 0..chance.usize(15..40) {
            sleep(Duration::from_millis(chance.u64(0..6000))).await;
            act(&documents, &scene, &user, &mut chance).await;
        }
    })
}

/// One action of a person, or a look at a list.
async fn act(documents: &Documents, scene: &Scene, user: &str, chance: &mut fastrand::Rng) {
    if chance.bool() {
        return look(documents, scene, user, chance).await;
    }
    let alive: Vec<String> = {
        let facts = scene.facts();
        let projects = facts.created.iter().filter(|(_, made)| made.kind == Kind::Project);
        projects.map(|(id, _)| id).filter(|id| !facts.delete_started.contains(*id)).cloned().collect()
    };
    let project = chance.choice(&alive).cloned();
    let result = match (chance.usize(0..18), project) {
        (0..2, _) | (_, None) => create_project(documents, user, &named("p")).await.map(|project| {
            scene.facts().make(&project.project_id, Kind::Project, user, &project.project_id);
        }),
        (2, Some(id)) => {
            scene.facts().delete_started.insert(id.clone());
            delete_project(documents, &id).await.map(|()| {
                let mut facts = scene.facts();
                facts.counts.deleted += 1;
                facts.deleted.insert(id);
            })
        }
        (3, Some(id)) => change_project(documents, &id, &named("q"), chance.i64(1..3)).await.map(drop),
        (4..6, Some(id)) => {
            let text =
                SessionText { session_name: "s".to_owned(), session_type: "chat".to_owned(), agent_id: None };
            create_session(documents, user, &id, &text).await.map(|session| {
                scene.facts().make(&session.session_id, Kind::Session, user, &id);
            })
        }
        (6, Some(_)) => {
            let mine = scene.facts().own(Kind::Session, user);
            let Some((session, project)) = mine else { return };
            scene.facts().delete_started.insert(session.clone());
            delete_session(documents, user, &project, &session).await.map(|()| {
                scene.facts().deleted.insert(session);
            })
        }
        (7..10, Some(id)) => upload(documents, scene, user, &id, chance).await,
        (10, Some(id)) => {
            let artifact_id = documents.new_id();
            let key = artifact_key(&id, &artifact_id);
            scene.store(&key);
            let new = NewArtifact {
                artifact_id: artifact_id.clone(),
                user_id: user.to_owned(),
                project_id: id.clone(),
                filename: "a".to_owned(),
                content_type: "text/plain".to_owned(),
                file_size: 1,
                ..NewArtifact::default()
            };
            let made = create_artifact(documents, None, &new).await.map(drop);
            if made.is_ok() {
                scene.facts().make(&artifact_id, Kind::Artifact, user, &id);
            }
            scene.stored(&key, made.is_ok()).await;
            made
        }
        (11, Some(_)) => {
            let mine = scene.facts().own(Kind::Artifact, user);
            let Some((artifact, _)) = mine else { return };
            scene.facts().delete_started.insert(artifact.clone());
            delete_artifact(documents, user, &artifact).await.map(|()| {
                scene.facts().deleted.insert(artifact);
            })
        }
        (12..14, Some(id)) => {
            let text = AgentText { name: "g".to_owned(), content: "x".to_owned() };
            create_agent(documents, user, &id, &text).await.map(|agent| {
                scene.facts().make(&agent.agent_id, Kind::Agent, user, &id);
            })
        }
        (14, Some(_)) => {
            let mine = scene.facts().own(Kind::Agent, user);
            let Some((agent, project)) = mine else { return };
            scene.facts().delete_started.insert(agent.clone());
            delete_agent(documents, user, &project, &agent).await.map(|()| {
                scene.facts().deleted.insert(agent);
            })
        }
        (action, Some(id)) => {
            let listed = documents_of_project(documents, &id, Ask::default()).await;
            let Some(document) = listed.ok().and_then(|page| chance.choice(page.items)) else { return };
            let document = document.document_id;
            let pages = if chance.bool() { vec![0, 1] } else { Vec::new() };
            let again = Reprocess { instructions: None, pages };
            match action {
                15 => cancel(documents, user, &id, &document).await.map(drop),
                16 => {
                    scene.facts().delete_started.insert(document.clone());
                    delete_document(documents, &id, &document).await.map(|()| {
                        scene.facts().deleted.insert(document);
                    })
                }
                _ => reprocess(documents, user, &id, &document, &again).await.map(drop),
            }
        }
    };
    expected(result);
}

async fn upload(
    documents: &Documents,
    scene: &Scene,
    user: &str,
    project: &str,
    chance: &mut fastrand::Rng,
) -> Result<(), hansang_core::Error> {
    let name = format!("{}.pdf", chance.u32(0..5));
    let upload = begin_upload(documents, user, project, &file(&name)).await?;
    scene.facts().make(&upload.document.document_id, Kind::Document, user, project);
    if chance.u32(0..6) == 0 {
        // The user went away.
        return Ok(());
    }
    scene.store(&upload.version.s3_key);
    let id = &upload.document.document_id;
    let mut done = Ok(());
    for _ in 0..5 {
        done = finish_upload(documents, user, project, id, 1, &received(&name)).await.map(drop);
        if done.as_ref().err().is_none_or(|error| error.kind != ErrorKind::Unavailable) {
            break;
        }
    }
    scene.stored(&upload.version.s3_key, done.is_ok()).await;
    done
}
