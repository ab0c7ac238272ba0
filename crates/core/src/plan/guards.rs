//! The conditions of a write.

use std::ops::Deref;
use std::slice;
use std::sync::Arc;

use super::Guard;

/// The conditions of a write, all of which must hold. Cheap to clone: `Db` keeps them to explain a failure, while the
/// store has them too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guards(Option<Arc<Vec<Guard>>>);

impl Guards {
    /// Adds a condition.
    pub fn push(&mut self, guard: Guard) {
        self.extend([guard]);
    }
}

impl Deref for Guards {
    type Target = [Guard];

    fn deref(&self) -> &[Guard] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl From<Vec<Guard>> for Guards {
    fn from(guards: Vec<Guard>) -> Self {
        Self((!guards.is_empty()).then(|| Arc::new(guards)))
    }
}

impl FromIterator<Guard> for Guards {
    fn from_iter<I: IntoIterator<Item = Guard>>(guards: I) -> Self {
        Vec::from_iter(guards).into()
    }
}

impl Extend<Guard> for Guards {
    fn extend<I: IntoIterator<Item = Guard>>(&mut self, guards: I) {
        let mut guards = guards.into_iter().peekable();
        if guards.peek().is_some() {
            Arc::make_mut(self.0.get_or_insert_default()).extend(guards);
        }
    }
}

impl<'g> IntoIterator for &'g Guards {
    type Item = &'g Guard;
    type IntoIter = slice::Iter<'g, Guard>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
