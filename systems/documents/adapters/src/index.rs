//! A full text index of segments in a directory. It is never a second source of truth: it can be deleted at any time, a
//! damaged one is, and what it lacks is added from the store.

mod query;
mod removal;
mod terms;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hansang_core::{Error, message};
use serde::{Deserialize, Serialize};
use tantivy::collector::DocSetCollector;
use tantivy::directory::error::LockError;
use tantivy::query::TermQuery;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions, Value as _,
};
use tantivy::{
    DocAddress, Index, IndexReader, IndexWriter, ReloadPolicy, TantivyDocument, TantivyError, Term,
};
use tokio::sync::{Mutex, OwnedMutexGuard};

pub use query::{Hit, Hits, Matching};

use crate::messages;
use crate::trouble::ProcessingCode;

/// The memory of the writer, in bytes.
const WRITER_MEMORY: usize = 30 * 1024 * 1024;
/// The processes that can have an index in one folder.
const MAX_PROCESSES: usize = 8;
/// The name of the tokenizer. A change of its terms needs a new name: an index of the old one is built again.
const TOKENIZER: &str = "words-and-bigrams-1";

/// The index. Cheap to clone.
#[derive(Clone)]
pub struct TextIndex {
    reader: IndexReader,
    fields: Fields,
    writer: Arc<Mutex<IndexWriter>>,
}

impl std::fmt::Debug for TextIndex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TextIndex").finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
struct Fields {
    /// The project of a segment, and of the entry of its document.
    project: Field,
    /// Project and document of the same.
    document: Field,
    /// The project of the entry of a document: it says that the document is complete.
    held: Field,
    document_id: Field,
    workflow_id: Field,
    revision: Field,
    segment: Field,
    text: Field,
}

/// The state of a document's text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TextState {
    /// The run whose segments are the text.
    pub workflow_id: String,
    /// Another number, another text.
    pub revision: i64,
}

impl TextIndex {
    /// Opens the index in a directory, which is created. One that is damaged or of another version is deleted and begun
    /// again.
    ///
    /// # Errors
    /// `index_unavailable` when the directory cannot be written, or another process has it.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        Self::open_free(directory)?
            .ok_or_else(|| unavailable(std::io::Error::other("another process has it")))
    }

    /// Opens an index in a folder that no other process has: several processes may share a folder.
    ///
    /// # Errors
    /// `index_unavailable` when the folder cannot be written, or other processes have all of them.
    pub fn open_own(folder: &Path) -> Result<Self, Error> {
        for directory in directories(folder) {
            if let Some(index) = Self::open_free(&directory)? {
                return Ok(index);
            }
        }
        Err(unavailable(std::io::Error::other("other processes have all of them")))
    }

    /// Deletes the indexes of a folder.
    ///
    /// # Errors
    /// `index_unavailable` when a process has one of them, or they cannot be deleted.
    pub fn delete_all(folder: &Path) -> Result<(), Error> {
        for directory in directories(folder).filter(|directory| directory.exists()) {
            // Opened first: it fails while another process has it.
            drop(Self::open(&directory)?);
            fs::remove_dir_all(&directory).map_err(unavailable)?;
        }
        Ok(())
    }

    /// Opens an index; `None` if another process has it.
    fn open_free(directory: &Path) -> Result<Option<Self>, Error> {
        fs::create_dir_all(directory).map_err(unavailable)?;
        match Self::open_sound(directory) {
            Ok(index) => Ok(Some(index)),
            Err(TantivyError::LockFailure(LockError::LockBusy, _)) => Ok(None),
            Err(error) => {
                tracing::warn!(%error, "the search index is built again");
                fs::remove_dir_all(directory).map_err(unavailable)?;
                fs::create_dir_all(directory).map_err(unavailable)?;
                Self::open_sound(directory).map(Some).map_err(unavailable)
            }
        }
    }

    fn open_sound(directory: &Path) -> Result<Self, TantivyError> {
        let (schema, fields) = schema();
        let empty = fs::read_dir(directory)?.next().is_none();
        let index = if empty {
            Index::create_in_dir(directory, schema)?
        } else {
            let index = Index::open_in_dir(directory)?;
            if index.schema() != schema {
                return Err(TantivyError::SchemaError("another version".to_owned()));
            }
            if !index.validate_checksum()?.is_empty() {
                return Err(TantivyError::InternalError("a checksum is wrong".to_owned()));
            }
            index
        };
        index.tokenizers().register(TOKENIZER, terms::Terms::default());
        let writer = index.writer_with_num_threads(1, WRITER_MEMORY)?;
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { reader, fields, writer: Arc::new(Mutex::new(writer)) })
    }

    /// Begins to add the text of a document, in place of what the index has of it. One at a time. Nothing is changed before
    /// [`Adding::commit`].
    pub async fn add_workflow(&self, project_id: &str, document_id: &str, state: &TextState) -> Adding {
        let writer = self.writer.clone().lock_owned().await;
        let adding = Adding {
            index: self.clone(),
            writer: Some(writer),
            project_id: project_id.to_owned(),
            document_id: document_id.to_owned(),
            state: state.clone(),
            problem: None,
        };
        adding.delete(Term::from_field_text(self.fields.document, &document_key(project_id, document_id)));
        adding
    }

    /// Removes a document.
    ///
    /// # Errors
    /// `index_unavailable`.
    pub async fn remove_document(&self, project_id: &str, document_id: &str) -> Result<(), Error> {
        self.remove(Term::from_field_text(self.fields.document, &document_key(project_id, document_id))).await
    }

    /// Removes all documents of a project.
    ///
    /// # Errors
    /// `index_unavailable`.
    pub async fn remove_project(&self, project_id: &str) -> Result<(), Error> {
        self.remove(Term::from_field_text(self.fields.project, project_id)).await
    }

    async fn remove(&self, term: Term) -> Result<(), Error> {
        let writer = self.writer.clone().lock_owned().await;
        writer.delete_term(term);
        self.commit(writer).await
    }

    /// Makes what was written durable and visible. Nothing of it is, if that fails.
    async fn commit(&self, mut writer: OwnedMutexGuard<IndexWriter>) -> Result<(), Error> {
        let reader = self.reader.clone();
        let committed = tokio::task::spawn_blocking(move || {
            let done = writer.commit();
            if done.is_err() {
                // A writer that cannot roll back has ended, and fails the next commit too.
                let _ = writer.rollback();
            }
            done?;
            reader.reload()
        });
        committed.await.map_err(unavailable)?.map_err(unavailable)
    }

    /// The documents of a project that the index has completely, with the state of their text.
    ///
    /// # Errors
    /// `index_unavailable`.
    pub fn held(&self, project_id: &str) -> Result<HashMap<String, TextState>, Error> {
        let searcher = self.reader.searcher();
        let term = Term::from_field_text(self.fields.held, project_id);
        let query = TermQuery::new(term, IndexRecordOption::Basic);
        let found = searcher.search(&query, &DocSetCollector).map_err(unavailable)?;
        found.into_iter().map(|at| self.entry(&searcher, at)).collect()
    }

    fn entry(&self, searcher: &tantivy::Searcher, at: DocAddress) -> Result<(String, TextState), Error> {
        let document: TantivyDocument = searcher.doc(at).map_err(unavailable)?;
        let workflow_id = text(&document, self.fields.workflow_id);
        let revision = number(&document, self.fields.revision);
        Ok((text(&document, self.fields.document_id), TextState { workflow_id, revision }))
    }
}

/// A document that is being added. Dropped without a commit, it changes nothing.
#[must_use]
pub struct Adding {
    index: TextIndex,
    /// Taken by the commit.
    writer: Option<OwnedMutexGuard<IndexWriter>>,
    project_id: String,
    document_id: String,
    state: TextState,
    problem: Option<TantivyError>,
}

impl std::fmt::Debug for Adding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Adding")
            .field("document_id", &self.document_id)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}

impl Adding {
    /// Adds the text of a segment.
    pub fn segment(&mut self, number: i64, text: &str) {
        let fields = self.index.fields;
        let mut document = self.document();
        document.add_i64(fields.segment, number);
        document.add_text(fields.text, text);
        self.write(document);
    }

    /// Makes the document searchable, and durable.
    ///
    /// # Errors
    /// `index_unavailable`; nothing is changed then.
    pub async fn commit(mut self) -> Result<(), Error> {
        let fields = self.index.fields;
        let mut entry = self.document();
        entry.add_text(fields.held, &self.project_id);
        self.write(entry);
        if let Some(problem) = self.problem.take() {
            return Err(unavailable(problem));
        }
        match self.writer.take() {
            Some(writer) => self.index.clone().commit(writer).await,
            None => Ok(()),
        }
    }

    fn document(&self) -> TantivyDocument {
        let fields = self.index.fields;
        let mut document = TantivyDocument::new();
        document.add_text(fields.project, &self.project_id);
        document.add_text(fields.document, document_key(&self.project_id, &self.document_id));
        document.add_text(fields.document_id, &self.document_id);
        document.add_text(fields.workflow_id, &self.state.workflow_id);
        document.add_i64(fields.revision, self.state.revision);
        document
    }

    fn delete(&self, term: Term) {
        if let Some(writer) = &self.writer {
            writer.delete_term(term);
        }
    }

    fn write(&mut self, document: TantivyDocument) {
        if let Some(Err(error)) = self.writer.as_ref().map(|writer| writer.add_document(document)) {
            self.problem = Some(error);
        }
    }
}

impl Drop for Adding {
    fn drop(&mut self) {
        if let Some(Err(error)) = self.writer.as_mut().map(|writer| writer.rollback()) {
            tracing::warn!(%error, "the search index cannot roll back");
        }
    }
}

/// The directories of the indexes in a folder.
fn directories(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let others = (1..MAX_PROCESSES).map(|number| format!("index-{number}"));
    std::iter::once("index".to_owned()).chain(others).map(|name| folder.join(name))
}

fn document_key(project_id: &str, document_id: &str) -> String {
    format!("{project_id}#{document_id}")
}

fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let words = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let fields = Fields {
        project: schema.add_text_field("project", STRING),
        document: schema.add_text_field("document", STRING),
        held: schema.add_text_field("held", STRING),
        document_id: schema.add_text_field("document_id", STORED),
        workflow_id: schema.add_text_field("workflow_id", STORED),
        revision: schema.add_i64_field("revision", STORED),
        segment: schema.add_i64_field("segment", STORED),
        text: schema.add_text_field("text", TextOptions::default().set_indexing_options(words).set_stored()),
    };
    (schema.build(), fields)
}

fn text(document: &TantivyDocument, field: Field) -> String {
    document.get_first(field).and_then(|value| value.as_str()).unwrap_or_default().to_owned()
}

fn number(document: &TantivyDocument, field: Field) -> i64 {
    document.get_first(field).and_then(|value| value.as_i64()).unwrap_or_default()
}

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> Error {
    Error::unavailable(ProcessingCode::IndexUnavailable, message!(messages::INDEX_UNAVAILABLE))
        .caused_by(cause)
}
