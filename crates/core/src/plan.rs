//! Plans: what a store is to do, as plain data. Planning decides, stores only execute.

use std::fmt;
use std::sync::Arc;

use crate::model::Table;
use crate::number::Number;
use crate::value::{Item, Name, Value};

mod guards;
mod reason;

pub use guards::Guards;
pub use reason::Reason;

/// The key of an item in its table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The partition key.
    pub pk: String,
    /// The sort key.
    pub sk: String,
}

/// Reads one item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Get {
    /// Which item.
    pub key: Key,
    /// Whether every write acknowledged before is seen.
    pub consistent: bool,
    /// Which attributes, if not all.
    pub fields: Option<Vec<Name>>,
}

/// Reads many items of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchGet {
    /// Which items.
    pub keys: Vec<Key>,
    /// Whether every write acknowledged before is seen.
    pub consistent: bool,
    /// Which attributes, if not all.
    pub fields: Option<Vec<Name>>,
}

/// Reads everything, page by page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Which index, if not the table.
    pub index: Option<Name>,
    /// The most items to read.
    pub limit: u32,
    /// The key attributes behind which to start.
    pub start: Option<Item>,
    /// Whether every write acknowledged before is seen.
    pub consistent: bool,
}

/// Reads items of one partition in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// Which index, if not the table.
    pub index: Option<Name>,
    /// The partition key attribute and its value.
    pub pk: (Name, Value),
    /// The sort key attribute and what it must be.
    pub sort: Option<(Name, SortCondition)>,
    /// Whether the last comes first.
    pub descending: bool,
    /// The most items to read.
    pub limit: u32,
    /// The key attributes behind which to start.
    pub start: Option<Item>,
    /// Whether every write acknowledged before is seen.
    pub consistent: bool,
    /// Which attributes, if not all.
    pub fields: Option<Vec<Name>>,
    /// What an item must be to be returned, if it was read.
    pub filter: Option<Condition>,
}

/// What a sort key must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SortCondition {
    /// Equal to this.
    Equal(Value),
    /// Text that starts with this.
    BeginsWith(String),
    /// From the first to the second, both included.
    Between(Value, Value),
    /// This or more.
    AtLeast(Value),
    /// This or less.
    AtMost(Value),
}

/// The reads that answer an access pattern. Their results follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPlan {
    /// The entities to keep; whatever else is read is dropped.
    pub entities: Vec<Name>,
    /// The reads, from the place where the cursor stood.
    pub steps: Vec<Step>,
    /// The number of the first step among all steps of the pattern.
    pub first_step: usize,
    /// How many steps the pattern has without a cursor.
    pub all_steps: usize,
    /// The most items of the page.
    pub limit: u32,
    /// Whether the steps run against the order of the page (a cursor to the page before), so that
    /// what they give has to be turned around.
    pub backward: bool,
}

/// One read of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "a plan has a handful of steps, and most are queries")]
pub enum Step {
    /// One item.
    Get(Get),
    /// Items of a partition.
    Query(Query),
    /// A pointer; its `ownerPK` and `ownerSK` say which item to get next.
    Lookup(Get),
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// Which item.
    pub key: Key,
    /// What is done to it.
    pub action: Action,
    /// What must hold, all of it, for the write to happen.
    pub guards: Guards,
}

/// A write and its table: one part of a transaction, which may span tables.
#[derive(Clone, Debug)]
pub struct TableWrite {
    /// The table, with its real name. Shared, because most transactions have one.
    pub table: Arc<Table>,
    /// The write.
    pub write: Write,
}

impl TableWrite {
    /// Writes of one table.
    pub fn all(table: &Arc<Table>, writes: impl IntoIterator<Item = Write>) -> Vec<Self> {
        writes.into_iter().map(|write| Self { table: table.clone(), write }).collect()
    }
}

/// What a write does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stores the whole item.
    Put(Item),
    /// Changes parts of it.
    Update(Vec<(Path, Change)>),
    /// Removes it.
    Delete,
    /// Nothing: the guards alone matter, in a transaction.
    Check,
}

/// A condition of a write, and what it means when it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The condition.
    pub condition: Condition,
    /// What it means when it fails.
    pub otherwise: Reason,
}

/// A change to a part of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Becomes this.
    Set(Value),
    /// Becomes this if there is nothing yet.
    SetIfAbsent(Value),
    /// A number grows by this; nothing counts as zero.
    Add(Number),
    /// A list gets these at its end.
    Append(Vec<Value>),
    /// A set gets these members.
    AddMembers(Value),
    /// A set loses these members.
    DeleteMembers(Value),
    /// Goes away.
    Remove,
}

/// The way to a value inside an item.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The attribute.
    pub root: Name,
    /// The members and elements inside it.
    pub inside: Vec<Part>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The member of a map.
    Member(Name),
    /// The element of a list.
    Element(usize),
}

impl Path {
    /// Whether one path leads to the other, or to the same place.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.root == other.root && self.inside.iter().zip(&other.inside).all(|(a, b)| a == b)
    }

    /// Whether the two take the same value for a list and for a map, which it cannot both be.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        let mut parts = self.inside.iter().zip(&other.inside);
        let differ = parts.find(|(a, b)| a != b);
        self.root == other.root
            && matches!(
                differ,
                Some((Part::Member(_), Part::Element(_)) | (Part::Element(_), Part::Member(_)))
            )
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.root)?;
        self.inside.iter().try_for_each(|part| match part {
            Part::Member(name) => write!(f, ".{name}"),
            Part::Element(index) => write!(f, "[{index}]"),
        })
    }
}

impl From<&Name> for Path {
    fn from(name: &Name) -> Self {
        Self { root: name.clone(), inside: Vec::new() }
    }
}

/// A condition on an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// There is a value.
    Exists(Path),
    /// There is none.
    Absent(Path),
    /// Two operands compare so.
    Compare(Operand, Comparison, Operand),
    /// From the first to the second, both included.
    Between(Operand, Value, Value),
    /// One of these.
    In(Operand, Vec<Value>),
    /// Text or bytes that start with this.
    BeginsWith(Path, Value),
    /// A text, set or list that contains this.
    Contains(Path, Value),
    /// All of these.
    And(Vec<Condition>),
    /// At least one of these.
    Or(Vec<Condition>),
    /// Not this.
    Not(Box<Condition>),
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value at a path.
    Path(Path),
    /// The length of the value at a path.
    Size(Path),
    /// This value.
    Value(Value),
}

/// How two operands compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// =
    Equal,
    /// <>
    NotEqual,
    /// <
    Less,
    /// <=
    AtMost,
    /// >
    Greater,
    /// >=
    AtLeast,
}

impl Condition {
    /// The value at `name` is still what was read: equal to `value`, or absent.
    #[must_use]
    pub fn unchanged(name: &Name, value: Option<&Value>) -> Self {
        match value {
            Some(value) => {
                Self::Compare(Operand::Path(name.into()), Comparison::Equal, Operand::Value(value.clone()))
            }
            None => Self::Absent(name.into()),
        }
    }
}

/// The most writes of one transaction.
pub const MAX_TRANSACTION: usize = 100;
/// The most bytes of the items that one transaction stores.
pub const MAX_TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
