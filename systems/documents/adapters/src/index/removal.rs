//! The content of an index by project, and the removal of deleted text from the disk.

use std::collections::BTreeSet;

use hansang_core::Error;
use tantivy::collector::Count;
use tantivy::index::SegmentId;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{TantivyError, Term};

use super::{TextIndex, unavailable};

impl TextIndex {
    /// The projects of which the index has some text.
    ///
    /// # Errors
    /// `index_unavailable`.
    pub fn projects(&self) -> Result<BTreeSet<String>, Error> {
        let searcher = self.reader.searcher();
        let mut projects = BTreeSet::new();
        for segment in searcher.segment_readers() {
            let terms = segment.inverted_index(self.fields.project).map_err(unavailable)?;
            let mut terms = terms.terms().stream().map_err(unavailable)?;
            while terms.advance() {
                projects.insert(String::from_utf8_lossy(terms.key()).into_owned());
            }
        }
        let mut held = BTreeSet::new();
        for project in projects {
            // The terms of what was removed stay until its file is rewritten.
            let term = Term::from_field_text(self.fields.project, &project);
            let query = TermQuery::new(term, IndexRecordOption::Basic);
            if searcher.search(&query, &Count).map_err(unavailable)? > 0 {
                held.insert(project);
            }
        }
        Ok(held)
    }

    /// Rewrites the files that have text of what was removed, so that nothing of it is left on the disk.
    ///
    /// # Errors
    /// `index_unavailable`.
    pub async fn compact(&self) -> Result<(), Error> {
        let mut writer = self.writer.clone().lock_owned().await;
        let reader = self.reader.clone();
        let compacted = tokio::task::spawn_blocking(move || {
            let metas = reader.searcher().index().searchable_segment_metas()?;
            let with_removed: Vec<SegmentId> =
                metas.iter().filter(|meta| meta.has_deletes()).map(tantivy::SegmentMeta::id).collect();
            if with_removed.is_empty() {
                return Ok::<_, TantivyError>(());
            }
            writer.merge(&with_removed).wait()?;
            reader.reload()?;
            writer.garbage_collect_files().wait()?;
            Ok(())
        });
        compacted.await.map_err(unavailable)?.map_err(unavailable)
    }
}
