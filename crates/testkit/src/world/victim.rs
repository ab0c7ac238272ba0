//! Parts of processes, which can be killed.

use std::fmt;
use std::future::Future;
use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::task::JoinHandle;

use super::Event;
use super::ground::Ground;

/// A part of a process.
pub struct Victim<T> {
    ground: Arc<Ground>,
    process: usize,
    name: String,
    task: JoinHandle<T>,
}

pub(super) fn spawn<F>(ground: Arc<Ground>, process: usize, name: &str, work: F) -> Victim<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    let task = tokio::spawn(work);
    ground.state().process(process).parts.push((name.to_owned(), task.abort_handle()));
    Victim { ground, process, name: name.to_owned(), task }
}

impl<T> Victim<T> {
    /// Ends it where it waits: it never runs again, and what it holds is dropped before time goes on. The other
    /// parts of its process live.
    pub fn kill(&self) {
        if !self.task.is_finished() {
            self.task.abort();
            let killed = Event::Killed { name: self.name.clone() };
            self.ground.record(&mut self.ground.state(), self.process, killed);
        }
    }

    /// Whether it has ended or was killed.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits for its end: what it came to, or nothing if it was killed.
    ///
    /// # Panics
    /// When it panicked, with its own panic.
    pub async fn ended(self) -> Option<T> {
        match self.task.await {
            Ok(result) => Some(result),
            Err(error) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                Err(_) => None,
            },
        }
    }
}

impl<T> fmt::Debug for Victim<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Victim")
            .field("process", &self.process)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
