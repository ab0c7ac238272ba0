//! The state of the served system, shared by the API, the pages, the worker and the example data.

use std::sync::Arc;

use hansang_command::{Backends, CachePlace, Failure, FilesPlace};
use hansang_core::cache::Cached;
use hansang_core::db::{Ask, Clock};
use hansang_core::files::Files;
use hansang_core::{Db, Error, Item, message};
use hansang_documents::{Documents, DocumentsCode};
use hansang_server::Opening;

use crate::figures::Figures;
use crate::settings::{CacheKind, Settings};
use crate::uploads::Uploads;

/// The entities that only the verbs write: what a cascade finds, a list counts, a lease guards or a file belongs to. A model
/// file may add others, which are written as records.
const CLOSED: [&str; 17] = [
    "Agent",
    "Artifact",
    "ArtifactOfDocument",
    "ArtifactOfProject",
    "Deletion",
    "Document",
    "FileOfHash",
    "FileVersion",
    "Member",
    "Message",
    "Project",
    "ProjectLists",
    "Segment",
    "Session",
    "Step",
    "UserLists",
    "Workflow",
];

/// The open documents.
pub(crate) struct State {
    /// The table, with the served model. What the verbs own is read-only here.
    pub(crate) db: Db,
    /// The verbs, on the whole model, with cache and files.
    pub(crate) documents: Documents,
    /// The settings.
    pub(crate) settings: Settings,
    /// Uploads that are not complete.
    pub(crate) uploads: Uploads,
    /// What this process did.
    pub(crate) figures: Figures,
}

impl State {
    /// Opens the system.
    ///
    /// # Errors
    /// Invalid settings.
    pub(crate) async fn open(opening: Opening<'_>) -> Result<Self, Failure> {
        let settings = Settings::of(opening.config)?;
        let backends = opening.backends;
        Ok(Self {
            db: opening.db.closing(CLOSED),
            documents: documents(opening.own, backends, &settings).await?,
            uploads: Uploads::new(&settings.folder.join("uploads")),
            settings,
            figures: Figures::default(),
        })
    }

    /// Refuses a file that is larger than the setting allows.
    pub(crate) fn check_size(&self, size: i64) -> Result<(), Error> {
        let max = self.settings.max_file;
        if size <= max {
            return Ok(());
        }
        let message = message!(hansang_documents::messages::FILE_TOO_LARGE, size, max);
        Err(Error::invalid(DocumentsCode::FileTooLarge, message))
    }

    /// Whether the table can be read.
    pub(crate) async fn health(&self) -> Result<(), Error> {
        let ask = Ask { limit: Some(1), ..Ask::default() };
        self.documents.db.query("projects", Item::new(), ask).await.map(drop)
    }
}

/// The verbs with the files and the cache of the settings.
pub(crate) async fn documents(db: Db, backends: Backends, settings: &Settings) -> Result<Documents, Failure> {
    let files: Arc<dyn Files> =
        (backends.files)(FilesPlace::Directory(settings.folder.join("files"))).await?;
    let cached = cached(db.clock(), backends, &settings.cache).await?;
    Ok(Documents::new(db, cached, files))
}

async fn cached(clock: &Clock, backends: Backends, kind: &CacheKind) -> Result<Cached, Failure> {
    let place = match kind {
        CacheKind::None => return Ok(Cached::none()),
        CacheKind::Memory(bytes) => CachePlace::Memory(*bytes, clock.clone()),
    };
    Ok(Cached::new((backends.cache)(place).await?))
}
