//! The state of the served system, shared by the API, the pages, the worker and the example data.

use std::any::Any;
use std::sync::Arc;

use hansang_command::{CachePlace, Config, Failure, FilesPlace, OpenCache, OpenFiles};
use hansang_core::cache::Cached;
use hansang_core::db::{Ask, Clock};
use hansang_core::files::unavailable;
use hansang_core::{Db, Error, Item, message};
use hansang_documents::{Documents, DocumentsCode};
use hansang_documents_adapters::TextIndex;
use hansang_server::Opening;
use tokio::sync::OnceCell;

use crate::DocumentsService;
use crate::code::WebCode;
use crate::figures::Figures;
use crate::messages;
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
    pub(crate) figures: Arc<Figures>,
    /// The full text index of this process, once it is needed.
    index: Arc<OnceCell<TextIndex>>,
}

impl State {
    /// Opens the system.
    ///
    /// # Errors
    /// Invalid settings.
    pub(crate) async fn open(opening: Opening<'_>) -> Result<Self, Failure> {
        let settings = Settings::of(opening.config)?;
        let open = (opening.open_files, opening.open_cache);
        let documents = documents(opening.own, opening.config, open, &settings).await?;
        let before = opening.before.and_then(|service| {
            let service: Arc<dyn Any + Send + Sync> = service;
            service.downcast::<DocumentsService>().ok()
        });
        // What belongs to the process goes on after a reload.
        let same = before.filter(|before| before.0.settings.folder == settings.folder);
        let (uploads, figures, index) = match same {
            Some(before) => (before.0.uploads.clone(), before.0.figures.clone(), before.0.index.clone()),
            None => (Uploads::new(&settings.folder.join("uploads")), Arc::default(), Arc::default()),
        };
        Ok(Self { db: opening.db.closing(CLOSED), documents, settings, uploads, figures, index })
    }

    /// The full text index.
    ///
    /// # Errors
    /// When other processes have all indexes of the directory, or it cannot be written.
    pub(crate) async fn index(&self) -> Result<&TextIndex, Error> {
        let folder = self.settings.folder.clone();
        let open = || async {
            let opened = tokio::task::spawn_blocking(move || TextIndex::open_own(&folder)).await;
            opened.map_err(unavailable)?
        };
        self.index.get_or_try_init(open).await
    }

    /// Removes the text of a deleted project, or of one of its documents, from the index of this process. The worker of each
    /// process removes what others deleted, and what could not be removed here.
    pub(crate) async fn forget_text(&self, project_id: &str, document_id: Option<&str>) {
        let removed = async {
            let index = self.index().await?;
            match document_id {
                Some(document_id) => index.remove_document(project_id, document_id).await,
                None => index.remove_project(project_id).await,
            }
        };
        if let Err(error) = removed.await {
            tracing::warn!(%error, cause = ?error.source, project_id, "deleted text is removed from the search index later");
        }
    }

    /// Refuses a file that is larger than the setting allows.
    ///
    /// # Errors
    /// `file_too_large`.
    pub(crate) fn check_size(&self, size: i64) -> Result<(), Error> {
        let max = self.settings.max_file;
        if size <= max {
            return Ok(());
        }
        let message = message!(hansang_documents::messages::FILE_TOO_LARGE, size, max);
        Err(Error::invalid(DocumentsCode::FileTooLarge, message))
    }

    /// The error of a body that was longer than the setting allows.
    pub(crate) fn too_large(&self, error: Error) -> Error {
        if error.code != WebCode::SizeDiffers {
            return error;
        }
        let max = self.settings.max_file;
        Error::invalid(DocumentsCode::FileTooLarge, message!(messages::LARGER_THAN, max))
    }

    /// Whether the table can be read.
    ///
    /// # Errors
    /// When it cannot.
    pub(crate) async fn health(&self) -> Result<(), Error> {
        let ask = Ask { limit: Some(1), ..Ask::default() };
        self.documents.db.query("projects", Item::new(), ask).await.map(drop)
    }
}

/// The verbs with the files and the cache of the settings.
///
/// # Errors
/// When files or cache cannot be opened.
pub(crate) async fn documents(
    db: Db,
    config: &Config,
    (open_files, open_cache): (OpenFiles, OpenCache),
    settings: &Settings,
) -> Result<Documents, Failure> {
    let place = match &settings.bucket {
        Some(bucket) => FilesPlace::Bucket(bucket.clone()),
        None => FilesPlace::Directory(settings.folder.join("files")),
    };
    let files = open_files(config, place).await?;
    let cached = cached(db.clock(), open_cache, &settings.cache).await?;
    let mut documents = Documents::new(db, cached, files);
    documents.lease = settings.lease;
    Ok(documents)
}

async fn cached(clock: &Clock, open: OpenCache, kind: &CacheKind) -> Result<Cached, Failure> {
    let place = match kind {
        CacheKind::None => return Ok(Cached::none()),
        CacheKind::Memory(bytes) => CachePlace::Memory(*bytes, clock.clone()),
        CacheKind::Valkey(place) => CachePlace::Valkey(place.clone()),
    };
    Ok(Cached::new(open(place).await?))
}
