//! Limits of changes whose result is not known yet, as conditions.

use super::Plan;
use crate::kind::Kind;
use crate::message;
use crate::message::Message;
use crate::messages::fields;
use crate::model::Attribute;
use crate::number::{Number, NumberError};
use crate::plan::{Comparison, Condition, Guard, Operand, Path, Reason};
use crate::value::Value;

impl Plan<'_> {
    /// Keeps a sum within `min` and `max`; an absent number counts as zero.
    pub(super) fn guard_sum(&mut self, attribute: &Attribute, number: Number) -> Result<(), Message> {
        let (mut min, mut max) = (attribute.rules.min, attribute.rules.max);
        if attribute.kind == Kind::Integer {
            if number.to_i64().is_none() {
                return Err(attribute.kind.must_be());
            }
            (min, max) = whole(min, max, number);
        }
        self.guard_between(&(&attribute.name).into(), number, min, max)
    }

    /// The same for a whole number inside a map or list, which has no rules but its type.
    pub(super) fn guard_inside(&mut self, path: &Path, number: Number) -> Result<(), Message> {
        let (min, max) = whole(None, None, number);
        self.guard_between(path, number, min, max)
    }

    fn guard_between(
        &mut self,
        path: &Path,
        number: Number,
        min: Option<Number>,
        max: Option<Number>,
    ) -> Result<(), Message> {
        let bounds =
            [(min, Comparison::AtLeast, &fields::AT_LEAST), (max, Comparison::AtMost, &fields::AT_MOST)];
        for (bound, comparison, phrase) in bounds {
            let Some(bound) = bound else { continue };
            let room = bound.checked_sub(number).map_err(NumberError::message)?;
            let limit = Operand::Value(Value::N(room));
            let mut condition = Condition::Compare(Operand::Path(path.clone()), comparison, limit);
            let alone = if comparison == Comparison::AtLeast { number >= bound } else { number <= bound };
            if alone {
                condition = Condition::Or(vec![Condition::Absent(path.clone()), condition]);
            }
            let problem = Message::new(phrase, vec![bound.into()]);
            let otherwise = Reason::Rule { attribute: path.root.clone(), problem };
            self.guards.push(Guard { condition, otherwise });
        }
        Ok(())
    }

    pub(super) fn guard_length(&mut self, attribute: &Attribute, more: usize) -> Result<(), Message> {
        let Some(max) = attribute.rules.max_length else { return Ok(()) };
        let problem = message!(fields::MAX_ELEMENTS, max);
        if more > max {
            return Err(problem);
        }
        let room =
            Value::from(i64::try_from(max).unwrap_or(i64::MAX) - i64::try_from(more).unwrap_or(i64::MAX));
        let size = Operand::Size((&attribute.name).into());
        let condition = Condition::Or(vec![
            Condition::Absent((&attribute.name).into()),
            Condition::Compare(size, Comparison::AtMost, Operand::Value(room)),
        ]);
        let otherwise = Reason::Rule { attribute: attribute.name.clone(), problem };
        self.guards.push(Guard { condition, otherwise });
        Ok(())
    }

    /// Keeps a set that loses members from losing too many: one that loses all of them is gone.
    pub(super) fn guard_loss(&mut self, attribute: &Attribute, lost: &Value) {
        let least = attribute.rules.min_length.unwrap_or(0).max(usize::from(!attribute.optional));
        if least == 0 || (least == 1 && attribute.optional) {
            return;
        }
        let lost = match lost {
            Value::Ss(texts) => texts.len(),
            Value::Ns(numbers) => numbers.len(),
            Value::Bs(blobs) => blobs.len(),
            _ => 0,
        };
        let path: Path = (&attribute.name).into();
        let needed = Value::from(i64::try_from(least + lost).unwrap_or(i64::MAX));
        let size = Operand::Size(path.clone());
        let mut condition = Condition::Compare(size, Comparison::AtLeast, Operand::Value(needed));
        if attribute.optional {
            condition = Condition::Or(vec![Condition::Absent(path), condition]);
        }
        let problem = message!(fields::KEEP_ELEMENTS, least);
        let otherwise = Reason::Rule { attribute: attribute.name.clone(), problem };
        self.guards.push(Guard { condition, otherwise });
    }
}

/// The bounds of a sum that must fit an `i64`: only the bound in the direction of the change can be reached.
fn whole(min: Option<Number>, max: Option<Number>, number: Number) -> (Option<Number>, Option<Number>) {
    if number > Number::from(0) {
        (min, max.or(Some(Number::from(i64::MAX))))
    } else {
        (min.or((number < Number::from(0)).then(|| Number::from(i64::MIN))), max)
    }
}
