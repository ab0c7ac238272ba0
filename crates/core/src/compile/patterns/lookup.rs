//! Patterns that find one item by a unique constraint.

use std::sync::Arc;

use super::super::{reader, suggest};
use super::Reader;
use crate::diagnostic::Code;
use crate::model::{Entity, Leg, Pattern};
use crate::value::Name;
use crate::words::Words;

impl Reader<'_, '_> {
    pub(super) fn lookup(
        mut self,
        name: Name,
        title: Words,
        doc: Words,
        entities: Vec<Arc<Entity>>,
    ) -> Option<Pattern> {
        for field in ["index", "given", "range", "over", "max", "order", "page"] {
            if let Some(key) = self.fields.key(field) {
                let message = format!("`{field}` cannot be combined with `unique`");
                let help = "remove it: the constraint has the arguments, and one item is returned";
                self.problems.report(Code::BadRule, key.span, message, help);
            }
        }
        let consistent = self.fields.flag("consistent", self.problems).unwrap_or(false);
        let wanted = reader::text(self.fields.get("unique")?, self.problems)?;
        let [entity] = entities.as_slice() else {
            let message = "a unique constraint belongs to one entity";
            self.report(Code::BadRule, "entities", message, "write `entity: Name`");
            return None;
        };
        let Some(unique) = entity.unique(wanted).cloned() else {
            let known = || entity.uniques.iter().map(|unique| &*unique.name);
            let help = suggest::did_you_mean(wanted, known(), || {
                let add = format!("add `unique: {{ {wanted}: [attribute] }}` to `{}`", entity.name);
                known().next().map_or(add.clone(), |_| format!("{add}; it has {}", suggest::some(known())))
            });
            let message = format!("`{}` has no unique constraint `{wanted}`", entity.name);
            self.report(Code::UnknownUnique, "unique", message, help);
            return None;
        };
        let given = unique.within.iter().chain(&unique.fields).cloned().collect();
        let legs = vec![Leg::Lookup { entity: entity.clone(), unique }];
        Some(Pattern {
            name,
            title,
            doc,
            entities,
            index: None,
            given,
            range: None,
            over: None,
            descending: false,
            page: 1,
            consistent,
            legs,
            also_reads: Vec::new(),
        })
    }
}
