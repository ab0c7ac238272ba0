//! The metrics of documents.

use std::sync::atomic::{AtomicU64, Ordering};

use hansang_http::metrics::{Figure, FigureKind};

use crate::state::State;

/// What happened in this process since it started.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    claimed: AtomicU64,
    completed: AtomicU64,
    failed: AtomicU64,
    skipped: AtomicU64,
    segments: AtomicU64,
    uploads: AtomicU64,
    bytes: AtomicU64,
}

/// One kind of event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    Claimed,
    Completed,
    Failed,
    Skipped,
    Segments(u64),
    /// An upload with its size.
    Upload(u64),
}

impl Figures {
    pub(crate) fn add(&self, count: Count) {
        let (counter, number) = match count {
            Count::Claimed => (&self.claimed, 1),
            Count::Completed => (&self.completed, 1),
            Count::Failed => (&self.failed, 1),
            Count::Skipped => (&self.skipped, 1),
            Count::Segments(number) => (&self.segments, number),
            Count::Upload(bytes) => {
                self.bytes.fetch_add(bytes, Ordering::Relaxed);
                (&self.uploads, 1)
            }
        };
        counter.fetch_add(number, Ordering::Relaxed);
    }
}

/// The metrics of a state.
pub(crate) fn of(state: &State) -> Vec<Figure> {
    let cache = state.documents.cached.statistics();
    let own = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let figures = &state.figures;
    let all = [
        ("hansang_documents_cache_hits_total", "Lists that came from the cache.", cache.hits),
        ("hansang_documents_cache_misses_total", "Lists that were not in the cache.", cache.misses),
        (
            "hansang_documents_cache_stale_total",
            "Cached lists that were not used, because they were old.",
            cache.stale,
        ),
        (
            "hansang_documents_cache_shared_total",
            "Callers that waited for the list of another one.",
            cache.shared,
        ),
        ("hansang_documents_cache_fills_total", "Lists that were stored in the cache.", cache.fills),
        ("hansang_documents_cache_errors_total", "Calls of the cache that failed.", cache.errors),
        ("hansang_documents_cache_invalidations_total", "Lists that were dropped.", cache.invalidations),
        ("hansang_documents_steps_claimed_total", "Steps that processors took.", own(&figures.claimed)),
        (
            "hansang_documents_steps_completed_total",
            "Steps that processors completed.",
            own(&figures.completed),
        ),
        ("hansang_documents_steps_failed_total", "Steps that processors failed.", own(&figures.failed)),
        ("hansang_documents_steps_skipped_total", "Steps that processors skipped.", own(&figures.skipped)),
        (
            "hansang_documents_segments_written_total",
            "Segments that processors wrote.",
            own(&figures.segments),
        ),
        ("hansang_documents_uploads_total", "Files that were uploaded.", own(&figures.uploads)),
        (
            "hansang_documents_upload_bytes_total",
            "The bytes of the files that were uploaded.",
            own(&figures.bytes),
        ),
    ];
    let figure = |(name, help, value)| Figure { name, kind: FigureKind::Counter, help, value };
    all.into_iter().map(figure).collect()
}
