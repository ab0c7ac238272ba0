//! Runs in simulated worlds: people, processors and workers in several processes, with injected faults, a cache that
//! misbehaves, and crashes, from one seed.
//!
//! `DOCUMENTS_SEED=123` runs one seed; `DOCUMENTS_SEEDS=10000` sets the number of seeds, and `DOCUMENTS_FIRST=5000` the first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream;
use hansang_core::ErrorKind;
use hansang_core::cache::{Cache, CacheError, Cached};
use hansang_core::db::Ask;
use hansang_core::files::Files as _;
use hansang_documents::{
    Claimed, Document, DocumentStatus, Documents, ListAsk, NewArtifact, Outcome, Reprocess, SegmentWriter,
    SessionText, StepName, StepProgress, Workflow, artifact_key, begin_upload, cancel, change_project, claim,
    complete, create_artifact, create_project, create_session, delete_document, delete_project,
    delete_session, documents_of_project, fail, finish_upload, heartbeat, query_projects, reprocess,
    segments, sessions, skip, tend,
};
use hansang_testkit::memory::{Memory, MemoryQueue};
use hansang_testkit::world::{self, Hazards, World};
use tokio::time::sleep;

use crate::grounds::{MemoryCache, MemoryFiles, db, everything, file, named, page, received};

/// The processes of people. Process 0 has no faults.
const PEOPLE: [usize; 3] = [1, 2, 3];
const PROCESSORS: [usize; 2] = [4, 5];
const WORKER: usize = 6;

/// D21, Ds11, Ds13, Ds14, Ds20: under any faults, lists show what was acknowledged, no document has two active runs, leases
/// are never shared, segments are complete, every document ends, and what was deleted is gone.
#[test]
fn documents_are_right_under_faults() {
    let variable = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = variable("DOCUMENTS_SEED").or(variable("DOCUMENTS_FIRST")).unwrap_or(0);
    let count =
        if variable("DOCUMENTS_SEED").is_some() { 1 } else { variable("DOCUMENTS_SEEDS").unwrap_or(60) };
    let mut total = Counts::default();
    for seed in first..first + count {
        let (problems, counts) = world::run(play(seed));
        assert!(problems.is_empty(), "run again with DOCUMENTS_SEED={seed}: {problems:#?}");
        total.lists += counts.lists;
        total.claims += counts.claims;
        total.completed += counts.completed;
        total.deleted += counts.deleted;
        total.kills += counts.kills;
    }
    // Invariants of an empty run would prove nothing.
    let enough = total.lists > count * 10
        && total.claims > count * 10
        && total.completed > count / 2
        && total.deleted > count / 2
        && total.kills > count / 2;
    assert!(count == 1 || enough, "{total:?}");
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    lists: u64,
    claims: u64,
    completed: u64,
    deleted: u64,
    kills: u64,
}

/// What has been acknowledged, of projects and sessions by their ids.
#[derive(Clone, Debug, Default)]
struct Facts {
    created: BTreeSet<String>,
    delete_started: BTreeSet<String>,
    deleted: BTreeSet<String>,
    /// The project of each session.
    sessions: BTreeMap<String, (String, String)>,
    claims: BTreeSet<(String, StepName, i64)>,
    /// Files that someone is storing: whoever dies then leaves them.
    storing: BTreeSet<String>,
    counts: Counts,
    problems: Vec<String>,
}

type Known = Arc<Mutex<Facts>>;

/// A cache that takes its time, before and after its effect, and may fail.
#[derive(Debug)]
struct Slow {
    inner: MemoryCache,
    chance: Mutex<fastrand::Rng>,
}

impl Slow {
    async fn pause(&self) {
        let millis = self.chance.lock().unwrap().u64(0..30);
        sleep(Duration::from_millis(millis)).await;
    }
}

#[async_trait]
impl Cache for Slow {
    async fn get(&self, key: &str) -> Result<Option<Bytes>, CacheError> {
        self.pause().await;
        let found = self.inner.get(key).await;
        self.pause().await;
        found
    }

    async fn set(&self, key: &str, value: Bytes, ttl: Duration) -> Result<(), CacheError> {
        self.pause().await;
        let done = self.inner.set(key, value, ttl).await;
        self.pause().await;
        done
    }

    async fn delete(&self, key: &str) -> Result<(), CacheError> {
        self.pause().await;
        let done = self.inner.delete(key).await;
        self.pause().await;
        done
    }
}

/// What all processes of a world share.
#[derive(Clone)]
struct Scene {
    world: World,
    cache: Option<Arc<Slow>>,
    files: Arc<MemoryFiles>,
    known: Known,
}

impl Scene {
    fn documents(&self, process: usize) -> Documents {
        let handles = self.world.process(process);
        let cached = self.cache.clone().map_or_else(Cached::none, |cache| Cached::new(cache));
        Documents::new(db(handles.store, handles.clock), cached, self.files.clone())
    }

    /// Stores a file that is named in the table afterwards, or was before.
    fn store(&self, key: &str) {
        self.facts().storing.insert(key.to_owned());
        self.files.store(key, "x");
    }

    /// After that, the file is named, or was deleted again.
    async fn stored(&self, key: &str, named: bool) {
        if !named {
            self.files.delete(key).await.unwrap();
        }
        self.facts().storing.remove(key);
    }

    fn facts(&self) -> std::sync::MutexGuard<'_, Facts> {
        self.known.lock().unwrap()
    }
}

async fn play(seed: u64) -> (Vec<String>, Counts) {
    let mut chance = fastrand::Rng::with_seed(seed);
    let world = World::new(seed, hazards(&mut chance));
    let store = Arc::new(Memory::new());
    world.queue(Arc::new(MemoryQueue::new(world.time(), 100)));
    world.store(store.clone(), Arc::new(Memory::new()));
    let cache = match seed % 3 {
        0 => None,
        kind => {
            let inner = if kind == 1 { MemoryCache::default() } else { MemoryCache::failing(30, seed) };
            Some(Arc::new(Slow { inner, chance: Mutex::new(fastrand::Rng::with_seed(seed)) }))
        }
    };
    let files = Arc::new(MemoryFiles::default());
    let scene = Scene { world: world.clone(), cache, files: files.clone(), known: Known::default() };
    let truth = Documents::new(db(store, world.clock(0)), Cached::none(), files);
    world.process(0).store.ensure_table(truth.db.table()).await.unwrap();
    let mut tasks = Vec::new();
    for person in PEOPLE {
        tasks.push(start_person(&scene, person, chance.u64(..)));
    }
    for processor in PROCESSORS {
        start_processor(&scene, processor, chance.u64(..));
    }
    start_worker(&scene);
    let watch = tokio::spawn(watch(truth.clone(), scene.known.clone()));
    for _ in 0..chance.usize(0..5) {
        sleep(Duration::from_secs(chance.u64(0..60))).await;
        scene.facts().counts.kills += 1;
        match chance.usize(0..4) {
            0 => {
                let person = PEOPLE[chance.usize(0..PEOPLE.len())];
                world.kill(person);
                tasks.push(start_person(&scene, person, chance.u64(..)));
            }
            1 => {
                world.kill(WORKER);
                start_worker(&scene);
            }
            _ => {
                let processor = PROCESSORS[chance.usize(0..PROCESSORS.len())];
                world.kill(processor);
                start_processor(&scene, processor, chance.u64(..));
            }
        }
    }
    for task in tasks {
        let _ = task.ended().await;
    }
    for process in PROCESSORS.into_iter().chain([WORKER]) {
        world.kill(process);
    }
    // Writes whose answer was lost may still take effect.
    sleep(Duration::from_secs(120)).await;
    watch.abort();
    finish(&truth, &scene).await;
    let facts = scene.facts();
    (facts.problems.clone(), facts.counts)
}

fn hazards(chance: &mut fastrand::Rng) -> Hazards {
    let mut some = |max: f64| if chance.bool() { chance.f64() * max } else { 0.0 };
    Hazards {
        throttle: some(0.05),
        conflict: some(0.05),
        timeout_before: some(0.03),
        timeout_after: some(0.03),
        timeout_late: some(0.02),
        stall: (some(0.02), Duration::from_secs(90)),
        latency: (Duration::from_micros(500), Duration::from_millis(chance.u64(2..20))),
        ..Hazards::default()
    }
}

fn start_person(scene: &Scene, process: usize, seed: u64) -> world::Task<()> {
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

/// One action of a person, or a look at a list. Refusals are fine; anything that should not happen is a panic.
async fn act(documents: &Documents, scene: &Scene, user: &str, chance: &mut fastrand::Rng) {
    if chance.bool() {
        return look(documents, scene, user, chance).await;
    }
    let alive: Vec<String> = {
        let facts = scene.facts();
        let projects = facts.created.iter().filter(|id| !facts.sessions.contains_key(*id));
        projects.filter(|id| !facts.delete_started.contains(*id)).cloned().collect()
    };
    let project = chance.choice(&alive).cloned();
    let result = match (chance.usize(0..14), project) {
        (0..2, _) | (_, None) => create_project(documents, user, &named("p")).await.map(|project| {
            scene.facts().created.insert(project.project_id);
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
                let mut facts = scene.facts();
                facts.created.insert(session.session_id.clone());
                facts.sessions.insert(session.session_id, (user.to_owned(), id));
            })
        }
        (6, Some(_)) => {
            let mine = {
                let facts = scene.facts();
                let mine = facts
                    .sessions
                    .iter()
                    .filter(|(id, of)| of.0 == user && !facts.delete_started.contains(*id));
                mine.map(|(id, of)| (id.clone(), of.1.clone())).next()
            };
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
            scene.stored(&key, made.is_ok()).await;
            made
        }
        (action, Some(id)) => {
            let listed = documents_of_project(documents, &id, Ask::default()).await;
            let Some(document) = listed.ok().and_then(|page| chance.choice(page.items)) else { return };
            let document = document.document_id;
            let pages = if chance.bool() { vec![0, 1] } else { Vec::new() };
            let again = Reprocess { instructions: None, pages };
            match action {
                11 => cancel(documents, user, &id, &document).await.map(drop),
                12 => delete_document(documents, &id, &document).await,
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

fn expected(result: Result<(), hansang_core::Error>) {
    if let Err(error) = result {
        let kinds = [
            ErrorKind::Unavailable,
            ErrorKind::Conflict,
            ErrorKind::NotFound,
            ErrorKind::Precondition,
            ErrorKind::Invalid,
        ];
        assert!(kinds.contains(&error.kind), "{error:?}");
    }
}

/// Reads a list, and compares it with what was acknowledged before.
async fn look(documents: &Documents, scene: &Scene, user: &str, chance: &mut fastrand::Rng) {
    let before = scene.facts().clone();
    let of = chance.bool().then(|| {
        let mine: Vec<_> = before.sessions.values().filter(|of| of.0 == user).collect();
        chance.choice(&mine).map(|of| of.1.clone())
    });
    let listed: BTreeSet<String> = match &of {
        Some(Some(project)) => {
            let ask = ListAsk { limit: Some(1000), ..ListAsk::default() };
            let Ok(page) = sessions(documents, user, project, &ask).await else { return };
            page.items.into_iter().map(|session| session.session_id).collect()
        }
        Some(None) => return,
        None => {
            let Ok(all) = query_projects(documents).await else { return };
            all.iter().map(|project| project.project_id.clone()).collect()
        }
    };
    let mut facts = scene.facts();
    facts.counts.lists += 1;
    let belongs = |id: &String| match (&of, before.sessions.get(id)) {
        (Some(Some(project)), Some(of)) => of.0 == user && of.1 == *project,
        (None, None) => true,
        _ => false,
    };
    let goes = |id: &String, facts: &Facts| {
        let project = before.sessions.get(id).is_some_and(|of| facts.delete_started.contains(&of.1));
        project || facts.delete_started.contains(id)
    };
    let missing: Vec<&String> = before
        .created
        .iter()
        .filter(|id| belongs(id) && !goes(id, &facts) && !listed.contains(*id))
        .collect();
    let shown: Vec<&String> =
        before.deleted.iter().filter(|id| belongs(id) && listed.contains(*id)).collect();
    if !missing.is_empty() || !shown.is_empty() {
        facts.problems.push(format!("a list of {of:?} misses {missing:?} and shows {shown:?}"));
    }
}

fn start_processor(scene: &Scene, process: usize, seed: u64) {
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

fn seen(scene: &Scene, claimed: &Claimed) {
    let mut facts = scene.facts();
    facts.counts.claims += 1;
    let lease = &claimed.lease;
    if !facts.claims.insert((lease.workflow_id.clone(), lease.name, lease.attempt)) {
        facts.problems.push(format!("a lease was given twice: {lease:?}"));
    }
}

async fn process_step(documents: &Documents, claimed: &Claimed, chance: &mut fastrand::Rng) {
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

fn start_worker(scene: &Scene) {
    let documents = scene.documents(WORKER);
    scene.world.spawn(WORKER, "worker", async move {
        loop {
            sleep(Duration::from_secs(7)).await;
            let _ = tend(&documents).await;
        }
    });
}

/// Looks at the whole table again and again: states that must never be, even for a moment.
async fn watch(truth: Documents, known: Known) {
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
async fn finish(truth: &Documents, scene: &Scene) {
    let mut chance = fastrand::Rng::with_seed(7);
    for _ in 0..400 {
        sleep(Duration::from_secs(10)).await;
        let _ = tend(truth).await.unwrap();
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
    tend(truth).await.unwrap();
    sleep(Duration::from_secs(120)).await;
    tend(truth).await.unwrap();
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
        // projects/{id}/…
        let is_deleted = key.split('/').nth(1).is_some_and(|project| deleted.contains(project));
        if is_deleted && !scene.facts().storing.contains(&key) {
            problems.push(format!("the file {key} is left"));
        }
    }
    let mut facts = scene.facts();
    facts.problems.extend(problems);
    facts.counts.completed += completed;
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
