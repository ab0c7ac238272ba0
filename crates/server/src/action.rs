//! Actions: changes that callers make through the API and on pages, defined once for both.

use futures_util::future::BoxFuture;
use hansang_core::message::Phrase;
use hansang_core::{Error, Message};

use crate::{Caller, Calls};

/// A change of the data of a system.
///
/// The API offers it as a route and a page as a form; both [`call`](Action::call) it, so that it has one name in the
/// audit log and one implementation. `S` is the state it runs on, `I` its input, `O` its output.
pub struct Action<S: ?Sized, I, O> {
    /// The name in the audit log, the metrics and the API: `event.pause`.
    pub name: &'static str,
    /// The summary for the API, in one line.
    pub summary: &'static Phrase,
    /// The record that the audit log names.
    pub subject: fn(&I) -> String,
    /// Runs the action.
    pub run: Run<S, I, O>,
}

impl<S: ?Sized, I, O> Clone for Action<S, I, O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: ?Sized, I, O> Copy for Action<S, I, O> {}

/// The function of an [`Action`].
pub type Run<S, I, O> = for<'s> fn(&'s S, I) -> BoxFuture<'s, Result<O, Error>>;

impl<S: ?Sized, I, O> Action<S, I, O> {
    /// The summary in every language.
    pub fn summary(&self) -> Message {
        Message::new(self.summary, Vec::new())
    }

    /// Runs the action for a caller, measured and audited.
    ///
    /// # Errors
    /// Fails if the action does, or if the audit log cannot be written.
    pub async fn call(&self, calls: &Calls, on: &S, caller: &Caller, input: I) -> Result<O, Error> {
        let subject = (self.subject)(&input);
        calls.audited(caller, self.name, &subject, (self.run)(on, input)).await
    }
}
