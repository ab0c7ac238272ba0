//! Runs one behaviour on one store, for [`crate::conformance!`].

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use hansang_core::Store;
use tempfile::TempDir;

use crate::suite::BEHAVIOURS;

/// A behaviour of the suite.
pub type Behaviour = for<'s> fn(&'s dyn Store) -> Pin<Box<dyn Future<Output = ()> + Send + 's>>;

/// A store under test, with values that must live as long.
pub struct Subject {
    store: Arc<dyn Store>,
    kept: Option<Box<dyn Any + Send>>,
}

impl fmt::Debug for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subject").field("store", &self.store).finish_non_exhaustive()
    }
}

impl From<Arc<dyn Store>> for Subject {
    fn from(store: Arc<dyn Store>) -> Self {
        Self { store, kept: None }
    }
}

impl From<(Arc<dyn Store>, TempDir)> for Subject {
    fn from((store, directory): (Arc<dyn Store>, TempDir)) -> Self {
        Self { store, kept: Some(Box::new(directory)) }
    }
}

/// Runs a behaviour, which must hold, or must fail if `exceptions` names it.
///
/// # Panics
/// When the behaviour fails, or holds despite an exception.
pub async fn run(subject: impl Into<Subject>, name: &str, exceptions: &[(&str, &str)]) {
    let Subject { store, kept } = subject.into();
    let behaviour = behaviour(name);
    hold(name, exceptions, async move { behaviour(&*store).await }).await;
    drop(kept);
}

/// Checks that every exception names a behaviour and gives a reason.
///
/// # Panics
/// When one is invalid.
pub fn check_exceptions(exceptions: &[(&str, &str)]) {
    check_reasons(BEHAVIOURS, exceptions);
}

/// Not generic, so that all behaviours are compiled once, in this crate.
fn behaviour(name: &str) -> Behaviour {
    find(BEHAVIOURS, name)
}

/// Runs a behaviour, which must hold, or must fail if `exceptions` names it.
pub(crate) async fn hold(
    name: &str,
    exceptions: &[(&str, &str)],
    behaviour: impl Future<Output = ()> + Send + 'static,
) {
    match exceptions.iter().find(|(excepted, _)| *excepted == name) {
        None => behaviour.await,
        Some((_, reason)) => {
            // In its own task, so that its panic can be caught.
            let outcome = tokio::spawn(behaviour).await;
            assert!(outcome.is_err(), "`{name}` holds now: take it off the exceptions ({reason})");
        }
    }
}

/// Checks exceptions against a list of behaviours.
pub(crate) fn check_reasons<B: Copy>(behaviours: &[(&str, B)], exceptions: &[(&str, &str)]) {
    for (name, reason) in exceptions {
        find(behaviours, name);
        assert!(
            reason.ends_with('.') && reason.contains(' '),
            "the reason of `{name}` is a sentence: {reason}"
        );
    }
}

/// Finds a behaviour by name.
pub(crate) fn find<B: Copy>(behaviours: &[(&str, B)], name: &str) -> B {
    let found = behaviours.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("there is no behaviour `{name}`")).1
}

/// Generates a test per behaviour, on the store of the expression.
///
/// The expression may await. Each exception has its reason.
#[macro_export]
macro_rules! conformance {
    ($store:expr) => {
        $crate::conformance!($store, except []);
    };
    ($store:expr, except [$($area:ident :: $name:ident: $reason:literal),* $(,)?]) => {
        $crate::behaviours! { conformance_tests {
            run ($store) (&[$((concat!(stringify!($area), "::", stringify!($name)), $reason)),*])
        } }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! conformance_tests {
    ({ $suite:ident ($subject:expr) ($exceptions:expr) } $($area:ident { $($name:ident)* })*) => {
        const EXCEPTIONS: &[(&str, &str)] = $exceptions;

        #[test]
        fn exceptions_name_behaviours() {
            $crate::$suite::check_exceptions(EXCEPTIONS);
        }

        $(mod $area {
            #[allow(unused_imports, reason = "the expression that makes a subject may need none of them")]
            use super::*;

            $(#[::tokio::test]
            async fn $name() {
                let name = concat!(stringify!($area), "::", stringify!($name));
                $crate::$suite::run($subject, name, super::EXCEPTIONS).await;
            })*
        })*
    };
}
