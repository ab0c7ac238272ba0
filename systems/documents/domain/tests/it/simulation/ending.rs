//! The checks at the end of a world: invariants, and leftovers of deletions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hansang_core::db::Ask;
use hansang_documents::{Document, DocumentStatus, Documents, StepName, Workflow, claim, segments, tend};
use tokio::time::sleep;

use super::processors::{process_step, seen};
use super::{Facts, Known, Scene};
use crate::grounds::everything;

/// Looks at the whole table again and again: states that must never be, even for a moment.
pub(super) async fn watch(truth: Documents, known: Known) {
    loop {
        sleep(Duration::from_millis(1500)).await;
        let problems = wrong(&truth).await;
        known.lock().unwrap().problems.extend(problems);
    }
}

/// Documents with more than one active run, or whose run is in another state. The store is read without a pause, so
/// nothing changes meanwhile.
async fn wrong(truth: &Documents) -> Vec<String> {
    let mut documents: BTreeMap<String, Document> = BTreeMap::new();
    let mut active: BTreeMap<String, Vec<Workflow>> = BTreeMap::new();
    for item in everything(&truth.db).await {
        let sk = item["SK"].as_str().unwrap_or_default();
        if sk.starts_with("DOC#") {
            let document: Document = hansang_core::value::from_item(&item).unwrap();
            documents.insert(document.document_id.clone(), document);
        } else if sk.starts_with("WF#") {
            let workflow: Workflow = hansang_core::value::from_item(&item).unwrap();
            if workflow.status.is_active() {
                active.entry(workflow.document_id.clone()).or_default().push(workflow);
            }
        }
    }
    let mut problems = Vec::new();
    for (id, document) in documents {
        let runs = active.remove(&id).unwrap_or_default();
        let named = runs.iter().all(|run| document.workflow_id.as_ref() == Some(&run.workflow_id));
        if runs.len() != usize::from(document.status.is_active()) || !named {
            problems.push(format!("{document:?} has the runs {runs:?}"));
        }
    }
    problems
}

/// Lets everything end, and checks what is left.
pub(super) async fn finish(truth: &Documents, scene: &Scene) {
    let mut chance = fastrand::Rng::with_seed(7);
    // A process without faults, but with the cache: what it deletes leaves the cache too.
    let worker = Documents::new(truth.db.clone(), scene.cached(), scene.files.clone());
    for _ in 0..400 {
        sleep(Duration::from_secs(10)).await;
        tend(&worker).await.unwrap();
        for name in StepName::ALL {
            while let Some(claimed) = claim(truth, name, "last").await.unwrap() {
                seen(scene, &claimed);
                process_step(truth, &claimed, &mut chance).await;
            }
        }
        if ended(truth).await {
            break;
        }
    }
    // Uploads whose user went away end after a day.
    sleep(Duration::from_secs(25 * 3600)).await;
    tend(&worker).await.unwrap();
    sleep(Duration::from_secs(120)).await;
    tend(&worker).await.unwrap();
    let mut problems = wrong(truth).await;
    let items = everything(&truth.db).await;
    let deleted = scene.facts().deleted.clone();
    for item in &items {
        let text = format!("{item:?}");
        if let Some(id) = deleted.iter().find(|id| text.contains(&***id)) {
            problems.push(format!("{id} was deleted, and there is {text}"));
        }
        if item["PK"].as_str().unwrap_or_default().starts_with("DELETION") {
            problems.push(format!("a deletion is not finished: {text}"));
        }
    }
    let mut completed = 0;
    for item in items.iter().filter(|item| item["SK"].as_str().unwrap_or_default().starts_with("DOC#")) {
        let document: Document = hansang_core::value::from_item(item).unwrap();
        if !document.status.has_ended() {
            problems.push(format!("{document:?} has not ended"));
        }
        if document.status == DocumentStatus::Completed {
            completed += 1;
            problems.extend(incomplete(truth, &document).await);
        }
    }
    for key in scene.files.keys() {
        // projects/{id}/…, projects/{id}/documents/{id}/…, projects/{id}/artifacts/{id}/…
        let is_deleted = key.split('/').any(|part| deleted.contains(part));
        if is_deleted && !scene.facts().storing.contains(&key) {
            problems.push(format!("the file {key} is left"));
        }
    }
    let mut facts = scene.facts();
    let dropped = check_cache(scene, &facts, &mut problems);
    facts.counts.dropped += dropped;
    facts.problems.extend(problems);
    facts.counts.completed += completed;
}

/// A deleted project leaves no list in a cache that works, unless a reader filled it late. Returns how many lists were dropped.
fn check_cache(scene: &Scene, facts: &Facts, problems: &mut Vec<String>) -> u64 {
    let Some(cache) = scene.cache.as_ref().filter(|cache| cache.inner.works()) else { return 0 };
    let cached: BTreeSet<String> = cache.inner.keys().into_iter().collect();
    let of_deleted =
        |key: &&String| key.rsplit(':').next().is_some_and(|project| facts.deleted.contains(project));
    let mut dropped = 0;
    let settled = facts.read.iter().filter(|key| facts.late.get(*key).is_none_or(|readers| *readers == 0));
    for key in settled.filter(of_deleted) {
        dropped += 1;
        if cached.contains(key) {
            problems.push(format!("the list {key} is left in the cache"));
        }
    }
    dropped
}

async fn ended(truth: &Documents) -> bool {
    let items = everything(&truth.db).await;
    let mut all = items.iter().filter(|item| item["SK"].as_str().unwrap_or_default().starts_with("DOC#"));
    all.all(|item| {
        let document: Document = hansang_core::value::from_item(item).unwrap();
        document.status.has_ended() || document.status == DocumentStatus::Uploading
    })
}

/// The segments of a completed run are 0 to its total, in order, none missing.
async fn incomplete(truth: &Documents, document: &Document) -> Option<String> {
    let id = document.workflow_id.clone()?;
    let workflow = hansang_documents::find_workflow(truth, &document.document_id, &id).await.unwrap();
    let ask = Ask { limit: Some(1000), ..Ask::default() };
    let listed = segments(truth, &id, None, ask).await.unwrap().items;
    let numbers: Vec<i64> = listed.iter().map(|segment| segment.segment_index).collect();
    let total = workflow.total_segments.unwrap_or_default();
    (numbers != (0..total).collect::<Vec<_>>()).then(|| format!("{workflow:?} has the segments {numbers:?}"))
}
