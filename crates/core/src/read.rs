//! Access patterns with arguments become read plans.

use crate::code::CoreCode;
use crate::cursor::{Position, Question};
use crate::error::Error;
use crate::kind::Kind;
use crate::kind::time;
use crate::message;
use crate::messages::{fields, keys, reads};
use crate::model::{KeySource, Leg, Model, Over, Pattern, Sort};
use crate::plan::{Get, Key, Query, ReadPlan, SortCondition, Step};
use crate::template::{KeyError, LAST, Template};
use crate::unique;
use crate::validate::violation;
use crate::value::{Item, Name, Value};

/// The most items of a page.
pub const MAX_PAGE: u32 = 1000;
/// The argument with the least value of a range or fan-out.
pub const FROM: &str = "from";
/// The argument with the greatest value of a range or fan-out.
pub const TO: &str = "to";

/// Options of a read; the model has the defaults.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The most items of the page.
    pub limit: Option<u32>,
    /// Whether the last comes first.
    pub descending: Option<bool>,
    /// Whether every write acknowledged before is seen.
    pub consistent: Option<bool>,
    /// The attributes to read, if not all.
    pub fields: Option<Vec<String>>,
    /// The position to continue from.
    pub position: Option<Position>,
}

/// An argument of a pattern.
#[derive(Clone, Debug)]
pub struct Parameter<'m> {
    /// The name.
    pub name: &'m str,
    /// The type.
    pub kind: &'m Kind,
    /// Whether it is required.
    pub required: bool,
}

/// The arguments of a pattern.
#[must_use]
pub fn parameters(pattern: &Pattern) -> Vec<Parameter<'_>> {
    let mut parameters: Vec<Parameter<'_>> = pattern
        .given
        .iter()
        .map(|attribute| Parameter { name: &attribute.name, kind: &attribute.kind, required: true })
        .collect();
    let months = pattern.over.as_ref().filter(|over| matches!(over.attribute.kind, Kind::Month { .. }));
    let ends =
        pattern.range.as_ref().map(|range| (range, false)).or(months.map(|over| (&over.attribute, true)));
    if let Some((attribute, required)) = ends {
        for name in [FROM, TO] {
            parameters.push(Parameter { name, kind: &attribute.kind, required });
        }
    }
    parameters
}

/// Converts loosely typed arguments to exact ones.
///
/// # Errors
/// Every argument that is missing, unknown or of the wrong type.
pub fn arguments(pattern: &Pattern, mut given: Item) -> Result<Item, Error> {
    let mut exact = Item::new();
    let mut violations = Vec::new();
    for parameter in parameters(pattern) {
        match given.remove_entry(parameter.name) {
            Some((name, value)) => match parameter.kind.coerce(value) {
                Ok(value) => {
                    exact.insert(name, value);
                }
                Err(problem) => violations.push(violation(parameter.name, problem)),
            },
            None if parameter.required => {
                violations.push(violation(parameter.name, message!(fields::REQUIRED)))
            }
            None => {}
        }
    }
    violations
        .extend(given.keys().map(|name| violation(name, message!(fields::UNKNOWN_ARGUMENT, &pattern.name))));
    if violations.is_empty() { Ok(exact) } else { Err(Error::fields(violations)) }
}

/// Plans the reads of a pattern. `arguments` are exact: see [`arguments`].
///
/// # Errors
/// When an argument cannot be part of a key, a range is reversed or too long, a strong read is wanted of
/// an index, or an option is out of bounds.
pub fn plan(
    model: &Model,
    pattern: &Pattern,
    arguments: &Item,
    options: &ReadOptions,
) -> Result<ReadPlan, Error> {
    let planner = Planner::new(model, pattern, options)?;
    let mut steps = Vec::with_capacity(pattern.legs.len());
    match &pattern.over {
        None => planner.round(arguments, &mut steps)?,
        Some(over) => {
            let mut values = fan_out(over, arguments)?;
            if planner.descending {
                values.reverse();
            }
            let mut arguments = arguments.clone();
            for value in values {
                arguments.insert(over.attribute.name.clone(), Value::from(value));
                planner.round(&arguments, &mut steps)?;
            }
        }
    }
    planner.finish(steps)
}

/// The query that the cursors of a pattern belong to.
#[must_use]
pub fn question<'a>(
    model: &'a Model,
    pattern: &'a Pattern,
    arguments: &'a Item,
    descending: bool,
) -> Question<'a> {
    let index = pattern.index.map_or("", |index| &*model.table.indexes[index].name);
    Question { model: &model.name, pattern: &pattern.name, index, arguments, descending }
}

struct Planner<'a> {
    model: &'a Model,
    pattern: &'a Pattern,
    position: Option<&'a Position>,
    descending: bool,
    consistent: bool,
    limit: u32,
    fields: Option<Vec<Name>>,
}

impl<'a> Planner<'a> {
    fn new(model: &'a Model, pattern: &'a Pattern, options: &'a ReadOptions) -> Result<Self, Error> {
        let consistent = options.consistent.unwrap_or(pattern.consistent);
        if let (true, Some(index)) = (consistent, pattern.index) {
            let index = &model.table.indexes[index].name;
            let message = message!(reads::PATTERN_NOT_STRONG, &pattern.name, index);
            return Err(Error::invalid(CoreCode::NoStrongReadOnIndex, message));
        }
        let limit = options.limit.unwrap_or(pattern.page);
        if !(1..=MAX_PAGE).contains(&limit) {
            return Err(Error::invalid(
                CoreCode::InvalidPageSize,
                message!(reads::PAGE_SIZE, MAX_PAGE, limit),
            ));
        }
        let fields = options.fields.as_ref().map(|fields| projection(model, pattern, fields)).transpose()?;
        let descending = options.descending.unwrap_or(pattern.descending);
        Ok(Self {
            model,
            pattern,
            position: options.position.as_ref(),
            descending,
            consistent,
            limit,
            fields,
        })
    }

    /// The steps for one set of arguments.
    fn round(&self, arguments: &Item, steps: &mut Vec<Step>) -> Result<(), Error> {
        for leg in &self.pattern.legs {
            steps.push(match leg {
                Leg::Get { pk, sk } => {
                    Step::Get(self.get(Key { pk: whole(pk, arguments)?, sk: whole(sk, arguments)? }))
                }
                Leg::Query { pk, sort } => Step::Query(self.query(pk, sort, arguments)?),
                Leg::Lookup { entity, unique } => {
                    let delimiter = self.model.table.delimiter;
                    let pk = unique::pointer_pk(entity, unique, delimiter, arguments).ok_or_else(|| {
                        Error::invalid(CoreCode::InvalidFields, message!(keys::CONSTRAINT_FIELD_MISSING))
                    })?;
                    Step::Lookup(Get { fields: None, ..self.get(Key { pk, sk: unique::PREFIX.to_owned() }) })
                }
            });
        }
        Ok(())
    }

    fn get(&self, key: Key) -> Get {
        Get { key, consistent: self.consistent, fields: self.fields.clone() }
    }

    fn query(&self, pk: &KeySource, sort: &Sort, arguments: &Item) -> Result<Query, Error> {
        let index = self.pattern.index.map(|index| &self.model.table.indexes[index]);
        let (pk_name, sk_name) = match index {
            Some(index) => (&index.pk, index.sk.as_ref()),
            None => (&self.model.table.pk, Some(&self.model.table.sk)),
        };
        let pk_value = pk.render(arguments)?.ok_or_else(|| missing(&self.pattern.name))?;
        let condition = sort_condition(sort, arguments)?;
        Ok(Query {
            index: index.map(|index| index.name.clone()),
            pk: (pk_name.clone(), pk_value),
            sort: sk_name.cloned().zip(condition),
            descending: self.descending,
            limit: self.limit,
            start: None,
            consistent: self.consistent,
            fields: self.fields.clone(),
            filter: None,
        })
    }

    /// Skips the steps before the cursor, and reverses the steps if it points backwards.
    fn finish(&self, mut steps: Vec<Step>) -> Result<ReadPlan, Error> {
        let backward = self.position.is_some_and(|position| position.backward);
        let mut first_step = 0;
        let all_steps = steps.len();
        if let Some(position) = self.position {
            if position.step >= steps.len() {
                return Err(Error::invalid(CoreCode::InvalidCursor, message!(reads::CURSOR_PAST_END)));
            }
            first_step = position.step;
            if backward {
                steps.truncate(position.step + 1);
                steps.reverse();
            } else {
                steps.drain(..position.step);
            }
            if let (Some(Step::Query(query)), Some(key)) = (steps.first_mut(), &position.key) {
                query.start = Some(key.clone());
            }
        }
        if backward {
            for step in &mut steps {
                if let Step::Query(query) = step {
                    query.descending = !query.descending;
                }
            }
        }
        let entities = self.pattern.entities.iter().map(|entity| entity.name.clone()).collect();
        Ok(ReadPlan { entities, steps, first_step, all_steps, limit: self.limit, backward })
    }
}

fn missing(pattern: &str) -> Error {
    Error::invalid(CoreCode::InvalidFields, message!(reads::ARGUMENT_MISSING, pattern))
}

fn whole(template: &Template, arguments: &Item) -> Result<String, Error> {
    template.render(arguments)?.ok_or_else(|| missing(&template.text))
}

/// The values of a fan-out, in ascending order.
fn fan_out(over: &Over, arguments: &Item) -> Result<Vec<String>, Error> {
    let Kind::Month { separator } = over.attribute.kind else {
        let choices = over.attribute.kind.choices().unwrap_or_default();
        return Ok(choices.iter().map(ToString::to_string).collect());
    };
    let month = |name: &str| {
        arguments.get(name).and_then(Value::as_str).and_then(|text| time::month_number(text, separator))
    };
    let (Some(from), Some(to)) = (month(FROM), month(TO)) else { return Err(missing(&over.attribute.name)) };
    if from > to {
        return Err(Error::invalid(CoreCode::InvalidRange, message!(reads::FROM_AFTER_TO)));
    }
    if to - from >= over.max {
        let message = message!(reads::TOO_MANY_MONTHS, to - from + 1, over.max);
        return Err(Error::invalid(CoreCode::RangeTooLong, message));
    }
    Ok((from..=to).map(|number| time::month_text(number, separator)).collect())
}

fn sort_condition(sort: &Sort, arguments: &Item) -> Result<Option<SortCondition>, Error> {
    Ok(match sort {
        Sort::All => None,
        Sort::Exact(source) => source.render(arguments)?.map(SortCondition::Equal),
        Sort::Prefix { template, known } => {
            Some(SortCondition::BeginsWith(template.render_prefix(*known, arguments)?))
        }
        Sort::Range { source, known } => range_condition(source, *known, arguments)?,
    })
}

fn range_condition(
    source: &KeySource,
    known: usize,
    arguments: &Item,
) -> Result<Option<SortCondition>, Error> {
    let (from, to) = (arguments.get(FROM), arguments.get(TO));
    let Some(template) = source.template() else {
        return ends(from.cloned(), to.cloned(), |from, to| from.as_number() <= to.as_number());
    };
    let prefix = template.render_prefix(known, arguments)?;
    let end = |value: &Value| -> Result<String, KeyError> {
        let mut text = prefix.clone();
        if let Some(field) = template.segments.get(known).and_then(|segment| segment.field.as_ref()) {
            field.write(value, template.delimiter, &mut text)?;
        }
        Ok(text)
    };
    let low = from.map(end).transpose()?;
    let high = to.map(end).transpose()?.map(|text| {
        // If more segments follow, the range includes every key with the value and the delimiter.
        if template.segments.len() > known + 1 { format!("{text}{}{LAST}", template.delimiter) } else { text }
    });
    if prefix.is_empty() {
        return ends(low.map(Value::from), high.map(Value::from), |from, to| from.as_str() <= to.as_str());
    }
    if low.is_none() && high.is_none() {
        return Ok(Some(SortCondition::BeginsWith(prefix)));
    }
    let high = high.unwrap_or_else(|| format!("{prefix}{LAST}"));
    let low = low.unwrap_or(prefix);
    ends(Some(Value::from(low)), Some(Value::from(high)), |from, to| from.as_str() <= to.as_str())
}

fn ends(
    from: Option<Value>,
    to: Option<Value>,
    in_order: impl Fn(&Value, &Value) -> bool,
) -> Result<Option<SortCondition>, Error> {
    Ok(match (from, to) {
        (None, None) => None,
        (Some(from), None) => Some(SortCondition::AtLeast(from)),
        (None, Some(to)) => Some(SortCondition::AtMost(to)),
        (Some(from), Some(to)) if in_order(&from, &to) => Some(SortCondition::Between(from, to)),
        _ => return Err(Error::invalid(CoreCode::InvalidRange, message!(reads::FROM_AFTER_TO))),
    })
}

/// The attributes to fetch: the wanted ones, the keys and the entity name.
fn projection(model: &Model, pattern: &Pattern, fields: &[String]) -> Result<Vec<Name>, Error> {
    let table = &model.table;
    let mut names = vec![table.pk.clone(), table.sk.clone()];
    names.extend(table.type_attribute.clone());
    if let Some(index) = pattern.index.map(|index| &table.indexes[index]) {
        names.push(index.pk.clone());
        names.extend(index.sk.clone());
    }
    let mut violations = Vec::new();
    for field in fields {
        match pattern.entities.iter().find_map(|entity| entity.attribute(field)) {
            Some(attribute) if attribute.stored => names.push(attribute.name.clone()),
            Some(_) => {}
            None => violations.push(violation(field, message!(fields::UNKNOWN_RESULT, &pattern.name))),
        }
    }
    if !violations.is_empty() {
        return Err(Error::fields(violations));
    }
    // Attributes that are not in the index cannot be read from it: such records stay partial.
    if let Some(index) = pattern.index.map(|index| &table.indexes[index]) {
        names.retain(|name| index.carries(table, name));
    }
    names.sort();
    names.dedup();
    Ok(names)
}
