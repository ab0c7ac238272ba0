//! What is different between two specs.

use hansang_core::{Item, Value};

mod lists;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where: a JSON pointer (RFC 6901).
    pub path: String,
    /// What was there; nothing, if it was added.
    pub old: Option<Value>,
    /// What is there now; nothing, if it was removed.
    pub new: Option<Value>,
}

/// The differences between two specs, each as deep inside as it can be told.
///
/// In their order they lead from the one to the other, as the steps of a JSON patch do (RFC 6902): what is
/// added to a list moves what stands behind it, and what is removed lets it move up.
#[must_use]
pub fn diff(old: &Item, new: &Item) -> Vec<Difference> {
    let mut differ = Differ { path: String::new(), found: Vec::new() };
    differ.maps(old, new);
    differ.found
}

struct Differ {
    /// Where we are.
    path: String,
    found: Vec<Difference>,
}

impl Differ {
    fn values(&mut self, old: &Value, new: &Value) {
        match (old, new) {
            (Value::M(old), Value::M(new)) => self.maps(old, new),
            (Value::L(old), Value::L(new)) => self.lists(old, new),
            _ if old == new => {}
            _ => self.tell(Some(old), Some(new)),
        }
    }

    fn maps(&mut self, old: &Item, new: &Item) {
        let added = new.iter().filter(|(name, _)| !old.contains_key(name));
        let mut names: Vec<_> = old.keys().chain(added.map(|(name, _)| name)).collect();
        names.sort_unstable();
        for name in names {
            self.inside(name, |differ| match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) => differ.values(old, new),
                (old, new) => differ.tell(old, new),
            });
        }
    }

    /// Every element as it is at the moment at which everything before it is new already.
    fn lists(&mut self, old: &[Value], new: &[Value]) {
        let mut at = 0;
        for step in lists::steps(old, new) {
            let position = at.to_string();
            self.inside(&position, |differ| match step {
                (Some(old), Some(new)) => differ.values(old, new),
                (old, new) => differ.tell(old, new),
            });
            at += usize::from(step.1.is_some());
        }
    }

    fn inside(&mut self, step: &str, look: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push('/');
        for letter in step.chars() {
            match letter {
                '~' => self.path.push_str("~0"),
                '/' => self.path.push_str("~1"),
                other => self.path.push(other),
            }
        }
        look(self);
        self.path.truncate(length);
    }

    fn tell(&mut self, old: Option<&Value>, new: Option<&Value>) {
        self.found.push(Difference { path: self.path.clone(), old: old.cloned(), new: new.cloned() });
    }
}
