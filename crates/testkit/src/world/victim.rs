//! Tasks of processes, which can be killed.

use std::fmt;
use std::future::Future;
use std::panic::resume_unwind;
use std::sync::Arc;

use tokio::task::JoinHandle;

use super::Event;
use super::ground::Shared;

/// A task of a process.
pub struct Task<T> {
    shared: Arc<Shared>,
    process: usize,
    name: String,
    task: JoinHandle<T>,
}

pub(super) fn spawn<F>(shared: Arc<Shared>, process: usize, name: &str, work: F) -> Task<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send,
{
    let task = tokio::spawn(work);
    shared.state().process(process).tasks.push((name.to_owned(), task.abort_handle()));
    Task { shared, process, name: name.to_owned(), task }
}

impl<T> Task<T> {
    /// Kills the task at its current await, and drops its state before time advances. Other tasks of the
    /// process go on.
    pub fn kill(&self) {
        if !self.task.is_finished() {
            self.task.abort();
            let killed = Event::Killed { name: self.name.clone() };
            self.shared.record(&mut self.shared.state(), self.process, killed);
        }
    }

    /// Returns whether it ended or was killed.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.task.is_finished()
    }

    /// Waits for the end. Returns the result, or `None` if it was killed.
    ///
    /// # Panics
    /// When the task panicked, with the same panic.
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

impl<T> fmt::Debug for Task<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("process", &self.process)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
