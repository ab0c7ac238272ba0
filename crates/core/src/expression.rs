//! Plans as DynamoDB expressions.
//!
//! Every attribute name goes through an alias, so none of DynamoDB's reserved words (`name`,
//! `status`, `Type` and 570 more) can ever reach an expression, and no list of them is needed.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::plan::{Change, Comparison, Condition, Operand, Part, Path, Query, SortCondition, Write};
use crate::value::{Name, Value, json};

/// Aliases and values of the expressions of one request.
#[derive(Clone, Debug, Default)]
pub struct Expressions {
    /// `#alias` to attribute name.
    pub names: BTreeMap<String, Name>,
    /// `:alias` to value.
    pub values: BTreeMap<String, Value>,
}

impl Expressions {
    /// `#PK = :pk AND begins_with(#SK, :sk)`
    #[must_use]
    pub fn key_condition(&mut self, query: &Query) -> String {
        let (pk, value) = &query.pk;
        let mut text = format!("{} = {}", self.name(pk), self.value("pk", value));
        if let Some((sk, condition)) = &query.sort {
            let sk = self.name(sk);
            let part = match condition {
                SortCondition::Equal(value) => format!("{sk} = {}", self.value("sk", value)),
                SortCondition::BeginsWith(prefix) => {
                    format!("begins_with({sk}, {})", self.value("prefix", &Value::from(prefix.as_str())))
                }
                SortCondition::Between(from, to) => {
                    format!("{sk} BETWEEN {} AND {}", self.value("from", from), self.value("to", to))
                }
                SortCondition::AtLeast(from) => format!("{sk} >= {}", self.value("from", from)),
                SortCondition::AtMost(to) => format!("{sk} <= {}", self.value("to", to)),
            };
            text = format!("{text} AND {part}");
        }
        text
    }

    /// The guards of a write as one condition, if it has any.
    #[must_use]
    pub fn guards(&mut self, write: &Write) -> Option<String> {
        let several = write.guards.len() > 1;
        let parts: Vec<String> = write
            .guards
            .iter()
            .map(|guard| match alone(&guard.condition) {
                or @ Condition::Or(_) if several => format!("({})", self.condition(or)),
                condition => self.condition(condition),
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join(" AND "))
    }

    /// `attribute_not_exists(#PK)` and the like.
    #[must_use]
    pub fn condition(&mut self, condition: &Condition) -> String {
        match alone(condition) {
            Condition::Exists(path) => format!("attribute_exists({})", self.path(path)),
            Condition::Absent(path) => format!("attribute_not_exists({})", self.path(path)),
            Condition::Compare(left, comparison, right) => {
                let hint = hint(left);
                let left = self.operand(left, &hint);
                format!("{left} {} {}", symbol(*comparison), self.operand(right, &hint))
            }
            Condition::Between(operand, from, to) => {
                let hint = hint(operand);
                let operand = self.operand(operand, &hint);
                format!("{operand} BETWEEN {} AND {}", self.value(&hint, from), self.value(&hint, to))
            }
            Condition::In(operand, values) => {
                let hint = hint(operand);
                let operand = self.operand(operand, &hint);
                let values: Vec<String> = values.iter().map(|value| self.value(&hint, value)).collect();
                format!("{operand} IN ({})", values.join(", "))
            }
            Condition::BeginsWith(path, value) => {
                format!("begins_with({}, {})", self.path(path), self.value(&path.root, value))
            }
            Condition::Contains(path, value) => {
                format!("contains({}, {})", self.path(path), self.value(&path.root, value))
            }
            Condition::And(all) => self.joined(all, " AND "),
            Condition::Or(any) => self.joined(any, " OR "),
            Condition::Not(inner) => format!("NOT ({})", self.condition(inner)),
        }
    }

    fn joined(&mut self, conditions: &[Condition], word: &str) -> String {
        let parts: Vec<String> = conditions
            .iter()
            .map(|condition| match alone(condition) {
                Condition::And(_) | Condition::Or(_) => format!("({})", self.condition(condition)),
                _ => self.condition(condition),
            })
            .collect();
        parts.join(word)
    }

    /// `SET #title = :title REMOVE #desc`
    #[must_use]
    pub fn update(&mut self, changes: &[(Path, Change)]) -> String {
        let mut clauses: [(&str, Vec<String>); 4] =
            [("SET", Vec::new()), ("REMOVE", Vec::new()), ("ADD", Vec::new()), ("DELETE", Vec::new())];
        for (path, change) in changes {
            let name = self.path(path);
            let hint = path.root.to_string();
            let (clause, text) = match change {
                Change::Set(value) => (0, format!("{name} = {}", self.value(&hint, value))),
                Change::SetIfAbsent(value) => {
                    (0, format!("{name} = if_not_exists({name}, {})", self.value(&hint, value)))
                }
                Change::Append(values) => {
                    let more = self.value(&hint, &Value::L(values.clone()));
                    let none = self.value("none", &Value::L(Vec::new()));
                    (0, format!("{name} = list_append(if_not_exists({name}, {none}), {more})"))
                }
                Change::Remove => (1, name),
                Change::Add(number) => (2, format!("{name} {}", self.value(&hint, &Value::N(*number)))),
                Change::AddMembers(value) => (2, format!("{name} {}", self.value(&hint, value))),
                Change::DeleteMembers(value) => (3, format!("{name} {}", self.value(&hint, value))),
            };
            clauses[clause].1.push(text);
        }
        let used = clauses.iter().filter(|(_, parts)| !parts.is_empty());
        used.map(|(word, parts)| format!("{word} {}", parts.join(", "))).collect::<Vec<_>>().join(" ")
    }

    /// `#PK, #SK, #title`
    #[must_use]
    pub fn projection(&mut self, fields: &[Name]) -> String {
        fields.iter().map(|field| self.name(field)).collect::<Vec<_>>().join(", ")
    }

    fn path(&mut self, path: &Path) -> String {
        let mut text = self.name(&path.root);
        for part in &path.inside {
            match part {
                Part::Member(name) => {
                    text.push('.');
                    text.push_str(&self.name(name));
                }
                Part::Element(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }

    fn operand(&mut self, operand: &Operand, hint: &str) -> String {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Size(path) => format!("size({})", self.path(path)),
            Operand::Value(value) => self.value(hint, value),
        }
    }

    /// The alias of a name: the name itself where DynamoDB's grammar allows it.
    fn name(&mut self, name: &Name) -> String {
        let base = format!("#{}", word(name).unwrap_or("n"));
        alias(&mut self.names, &base, name)
    }

    fn value(&mut self, hint: &str, value: &Value) -> String {
        let base = format!(":{}", word(hint).unwrap_or("v"));
        alias(&mut self.values, &base, value)
    }

    /// Adds `ExpressionAttributeNames` and `ExpressionAttributeValues` to a request.
    pub fn add_to(&self, request: &mut Map<String, Json>) {
        if !self.names.is_empty() {
            let names = self.names.iter().map(|(alias, name)| (alias.clone(), Json::from(&**name)));
            request.insert("ExpressionAttributeNames".into(), Json::Object(names.collect()));
        }
        if !self.values.is_empty() {
            let values = self.values.iter().map(|(alias, value)| (alias.clone(), json::to_typed(value)));
            request.insert("ExpressionAttributeValues".into(), Json::Object(values.collect()));
        }
    }
}

/// Unwraps a combination of one condition: DynamoDB rejects the parentheses around it.
fn alone(condition: &Condition) -> &Condition {
    match condition {
        Condition::And(parts) | Condition::Or(parts) if parts.len() == 1 => alone(&parts[0]),
        _ => condition,
    }
}

/// The text itself, if it is valid in an alias.
fn word(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
        .then_some(text)
}

/// The alias under which `content` is known, or a new one: `base`, then `base2`, `base3`…
fn alias<T: Clone + PartialEq>(known: &mut BTreeMap<String, T>, base: &str, content: &T) -> String {
    let mut alias = base.to_owned();
    let mut number = 1;
    while let Some(taken) = known.get(&alias) {
        if taken == content {
            return alias;
        }
        number += 1;
        alias = format!("{base}{number}");
    }
    known.insert(alias.clone(), content.clone());
    alias
}

fn hint(operand: &Operand) -> String {
    match operand {
        Operand::Path(path) | Operand::Size(path) => path.root.to_string(),
        Operand::Value(_) => "v".to_owned(),
    }
}

fn symbol(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}
