//! The differences between two specs.

use hansang_core::{Item, Value};

mod lists;

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path as a JSON pointer (RFC 6901).
    pub path: String,
    /// The old value; `None` if it was added.
    pub old: Option<Value>,
    /// The new value; `None` if it was removed.
    pub new: Option<Value>,
}

/// Returns the differences between two specs, each as deep as possible.
///
/// Applied in order they turn one spec into the other, like the steps of a JSON patch (RFC 6902): inserting into a list
/// shifts later elements down, and removing shifts them up.
#[must_use]
pub fn diff(old: &Item, new: &Item) -> Vec<Difference> {
    let mut differ = Differ { path: String::new(), found: Vec::new() };
    differ.maps(old, new);
    differ.found
}

struct Differ {
    /// The current path.
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

    /// Positions assume that all earlier elements have already been replaced.
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

#[cfg(test)]
mod tests {
    use hansang_core::value::json::to_plain;
    use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
    use serde_json::json;

    use super::*;
    use crate::body::arbitrary::{spec, specs};

    fn lines(old: serde_json::Value, new: serde_json::Value) -> Vec<String> {
        let shown =
            |value: &Option<Value>| value.as_ref().map_or("-".to_owned(), |one| to_plain(one).to_string());
        let line = |one: &Difference| format!("{} {} {}", one.path, shown(&one.old), shown(&one.new));
        diff(&spec(old), &spec(new)).iter().map(line).collect()
    }

    #[test]
    fn differences_are_as_deep_as_possible() {
        let slices = |names: &[&str]| json!({ "l": names });
        for (old, new, expected) in [
            (json!({ "a": 1.0 }), json!({ "a": 1 }), &[][..]),
            (
                json!({ "a": 1, "b": { "c": true, "d": 1 }, "z": 0 }),
                json!({ "b": { "c": false, "d": 1 }, "e": {}, "z": 0 }),
                &["/a 1 -", "/b/c true false", "/e - {}"],
            ),
            (json!({ "a": [1] }), json!({ "a": { "0": 1 } }), &[r#"/a [1] {"0":1}"#]),
            (json!({ "a/b": { "~": 1 }, "": 1 }), json!({ "a/b": { "~": 2 } }), &["/ 1 -", "/a~1b/~0 1 2"]),
            (slices(&["B", "C"]), slices(&["A", "B", "C"]), &[r#"/l/0 - "A""#]),
            (slices(&["A", "B", "C", "D"]), slices(&["A", "D"]), &[r#"/l/1 "B" -"#, r#"/l/1 "C" -"#]),
            (
                slices(&["A", "B", "C", "D", "E"]),
                slices(&["A", "X", "C", "E", "F"]),
                &[r#"/l/1 "B" "X""#, r#"/l/3 "D" -"#, r#"/l/4 - "F""#],
            ),
            (
                json!({ "fields": [{ "name": "a", "type": "x" }, { "name": "b", "type": "x" }] }),
                json!({ "fields": [{ "name": "n" }, { "name": "a", "type": "y" }, { "name": "b", "type": "x" }] }),
                &[
                    r#"/fields/0/name "a" "n""#,
                    r#"/fields/0/type "x" -"#,
                    r#"/fields/1 - {"name":"a","type":"y"}"#,
                ],
            ),
        ] {
            assert_eq!(lines(old.clone(), new.clone()), expected, "{old} {new}");
        }
    }

    /// A table of all pairs of these would have four billion cells.
    #[test]
    fn long_lists_are_compared_by_position() {
        let list = |step: i64| {
            Item::from([("l".into(), Value::L((0..65_536).map(|one| Value::from(one * step)).collect()))])
        };
        let found = diff(&list(1), &list(2));
        assert_eq!(found.len(), 65_535);
        assert_eq!(applied(&list(1), &found), list(2));
    }

    /// Applies the differences one after the other.
    fn applied(old: &Item, differences: &[Difference]) -> Item {
        let mut spec = Value::M(old.clone());
        for difference in differences {
            let mut steps: Vec<String> = difference
                .path
                .split('/')
                .skip(1)
                .map(|step| step.replace("~1", "/").replace("~0", "~"))
                .collect();
            let last = steps.pop().unwrap();
            let holder = steps.iter().fold(&mut spec, |value, step| match value {
                Value::M(map) => map.get_mut(step).unwrap(),
                Value::L(list) => &mut list[step.parse::<usize>().unwrap()],
                other => panic!("{step} in {other:?}"),
            });
            match holder {
                Value::M(map) => {
                    let was = match difference.new.clone() {
                        Some(new) => map.insert(last.as_str().into(), new),
                        None => map.remove(&last),
                    };
                    assert_eq!(was, difference.old);
                }
                Value::L(list) => {
                    let at = last.parse().unwrap();
                    match (&difference.old, difference.new.clone()) {
                        (None, Some(new)) => list.insert(at, new),
                        (Some(old), Some(new)) => assert_eq!(std::mem::replace(&mut list[at], new), *old),
                        (Some(old), None) => assert_eq!(list.remove(at), *old),
                        (None, None) => panic!("{difference:?} is none"),
                    }
                }
                other => panic!("{last} in {other:?}"),
            }
        }
        match spec {
            Value::M(spec) => spec,
            other => panic!("{other:?}"),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_spec_has_no_differences_from_itself(spec in specs()) {
            prop_assert!(diff(&spec, &spec).is_empty());
        }

        #[test]
        fn differences_turn_one_spec_into_the_other(old in specs(), new in specs()) {
            prop_assert_eq!(applied(&old, &diff(&old, &new)), new);
        }
    }
}
