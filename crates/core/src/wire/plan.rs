//! Plans, and the values in them.

use serde_json::Value as Json;

use super::Wire;
use crate::code::CoreCode;
use crate::error::Error;
use crate::message;
use crate::messages::stores;
use crate::number::Number;
use crate::plan::{
    Action, BatchGet, Change, Comparison, Condition, Get, Guard, Guards, Key, Operand, Part, Path, Query,
    Reason, Scan, SortCondition, Write,
};
use crate::value::json::{from_typed, item_from_typed, item_to_typed, to_typed};
use crate::value::{Item, Value};

record!(Key { pk, sk });
record!(Get { key, consistent, fields });
record!(BatchGet { keys, consistent, fields });
record!(Scan { index, limit, start, consistent });
record!(Query { index, pk, sort, descending, limit, start, consistent, fields, filter });
record!(Write { key, action, guards });
record!(Path { root, inside });

variants!(SortCondition {
    "equal": Equal { 0: value },
    "beginsWith": BeginsWith { 0: prefix },
    "between": Between { 0: from, 1: to },
    "atLeast": AtLeast { 0: value },
    "atMost": AtMost { 0: value },
});

variants!(Action {
    "put": Put { 0: item },
    "update": Update { 0: changes },
    "delete": Delete {},
    "check": Check {},
});

variants!(Change {
    "set": Set { 0: value },
    "setIfAbsent": SetIfAbsent { 0: value },
    "add": Add { 0: number },
    "append": Append { 0: values },
    "addMembers": AddMembers { 0: members },
    "deleteMembers": DeleteMembers { 0: members },
    "remove": Remove {},
});

variants!(Part { "member": Member { 0: name }, "element": Element { 0: index } });

variants!(Condition {
    "exists": Exists { 0: path },
    "absent": Absent { 0: path },
    "compare": Compare { 0: left, 1: how, 2: right },
    "between": Between { 0: operand, 1: from, 2: to },
    "in": In { 0: operand, 1: values },
    "beginsWith": BeginsWith { 0: path, 1: prefix },
    "contains": Contains { 0: path, 1: part },
    "and": And { 0: parts },
    "or": Or { 0: parts },
    "not": Not { 0: inner },
});

variants!(Operand { "path": Path { 0: path }, "size": Size { 0: path }, "value": Value { 0: value } });

variants!(Comparison {
    "equal": Equal {},
    "notEqual": NotEqual {},
    "less": Less {},
    "atMost": AtMost {},
    "greater": Greater {},
    "atLeast": AtLeast {},
});

impl Wire for Guards {
    fn to_json(&self) -> Json {
        self.iter().map(Wire::to_json).collect()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        Vec::from_json(json).map(Self::from)
    }
}

/// The condition alone: only the sender needs the reason.
impl Wire for Guard {
    fn to_json(&self) -> Json {
        self.condition.to_json()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let elsewhere = message!(stores::SENDER_KNOWS);
        let otherwise = Reason::Other(Error::internal(CoreCode::UnexplainedCondition, elsewhere));
        Ok(Self { condition: Condition::from_json(json)?, otherwise })
    }
}

impl Wire for Value {
    fn to_json(&self) -> Json {
        to_typed(self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        from_typed(json).map_err(|problem| problem.to_string())
    }
}

impl Wire for Item {
    fn to_json(&self) -> Json {
        item_to_typed(self)
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        item_from_typed(json).map_err(|problem| problem.to_string())
    }
}

/// Text, as in a typed value: not every JSON reader keeps 38 digits.
impl Wire for Number {
    fn to_json(&self) -> Json {
        self.to_string().into()
    }

    fn from_json(json: &Json) -> Result<Self, String> {
        let text = String::from_json(json)?;
        text.parse().map_err(|problem| format!("{text} {problem}"))
    }
}
