//! The actions of processors.

use std::time::Duration;

use futures_util::stream;
use hansang_core::ErrorKind;
use hansang_documents::{
    Claimed, Documents, Outcome, SegmentWriter, StepName, StepProgress, claim, complete, fail, heartbeat,
    skip,
};
use tokio::time::sleep;

use super::{Scene, expected};
use crate::grounds::page;

pub(super) fn start_processor(scene: &Scene, process: usize, seed: u64) {
    let (documents, scene) = (scene.documents(process), scene.clone());
    scene.world.clone().spawn(process, &format!("processor-{process}"), async move {
        let mut chance = fastrand::Rng::with_seed(seed);
        loop {
            sleep(Duration::from_millis(chance.u64(0..2000))).await;
            let name = StepName::ALL[chance.usize(0..6)];
            if let Ok(Some(claimed)) = claim(&documents, name, &format!("p{}", process % 2)).await {
                seen(&scene, &claimed);
                process_step(&documents, &claimed, &mut chance).await;
            }
        }
    });
}

pub(super) fn seen(scene: &Scene, claimed: &Claimed) {
    let mut facts = scene.facts();
    facts.counts.claims += 1;
    let lease = &claimed.lease;
    if !facts.claims.insert((lease.workflow_id.clone(), lease.name, lease.attempt)) {
        facts.problems.push(format!("a lease was given twice: {lease:?}"));
    }
}

pub(super) async fn process_step(documents: &Documents, claimed: &Claimed, chance: &mut fastrand::Rng) {
    let lease = &claimed.lease;
    // Longer than a lease now and then.
    let work = if chance.u32(0..8) == 0 { 0..200 } else { 0..20 };
    sleep(Duration::from_secs(chance.u64(work))).await;
    let _ = heartbeat(documents, lease, &StepProgress { done: Some(1), total: Some(2), note: None }).await;
    let mut outcome = Outcome::default();
    if lease.name == StepName::Parse && claimed.workflow.pages.is_none() {
        let total = chance.i64(2..150);
        let text = format!("{}.{}", lease.name, lease.attempt);
        let pages: Vec<_> = (0..total).map(|index| page(index, &text)).collect();
        let mut written = false;
        for _ in 0..4 {
            let all = stream::iter(pages.iter().cloned().map(Ok));
            match hansang_documents::write_segments(documents, lease, all).await {
                Ok(_) => {
                    written = true;
                    break;
                }
                Err(error) if error.kind == ErrorKind::Unavailable => {}
                Err(error) => return expected(Err(error)),
            }
        }
        if !written {
            return;
        }
        outcome.total_segments = Some(total);
    } else if lease.name == StepName::Build {
        let Ok(mut writer) = SegmentWriter::begin(documents, lease).await else { return };
        let _ = writer.push(page(0, "built")).await;
        let _ = writer.finish().await;
    }
    for _ in 0..4 {
        let done = match chance.u32(0..12) {
            0 => fail(documents, lease, "broken", true).await,
            1 if lease.name != StepName::Parse => fail(documents, lease, "broken", false).await,
            2 if lease.name == StepName::Ocr => skip(documents, lease, "nothing to do").await,
            _ => complete(documents, lease, outcome.clone()).await,
        };
        match done {
            Err(error) if error.kind == ErrorKind::Unavailable => {}
            done => return expected(done),
        }
    }
}
