//! Plans: the work of a store as plain data. Planning decides, stores only execute.

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
    /// The key of the item.
    pub key: Key,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// The attributes to read, if not all.
    pub fields: Option<Vec<Name>>,
}

/// Reads many items of one table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchGet {
    /// The keys of the items.
    pub keys: Vec<Key>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// The attributes to read, if not all.
    pub fields: Option<Vec<Name>>,
}

/// Reads everything, page by page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The index, if not the table.
    pub index: Option<Name>,
    /// The maximum number of items to read.
    pub limit: u32,
    /// The key attributes to start after.
    pub start: Option<Item>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// Reads items of one partition in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The index, if not the table.
    pub index: Option<Name>,
    /// The partition key attribute and its value.
    pub pk: (Name, Value),
    /// The sort key attribute and its condition.
    pub sort: Option<(Name, SortCondition)>,
    /// Whether the order is descending.
    pub descending: bool,
    /// The maximum number of items to read.
    pub limit: u32,
    /// The key attributes to start after.
    pub start: Option<Item>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
    /// The attributes to read, if not all.
    pub fields: Option<Vec<Name>>,
    /// The filter of the items that are read.
    pub filter: Option<Condition>,
}

/// A condition on a sort key.
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

/// The reads of an access pattern, in the order of their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadPlan {
    /// The entities to keep; other items are dropped.
    pub entities: Vec<Name>,
    /// The reads, from the position of the cursor on.
    pub steps: Vec<Step>,
    /// The number of the first step among all steps of the pattern.
    pub first_step: usize,
    /// The number of steps of the pattern without a cursor.
    pub all_steps: usize,
    /// The maximum number of items of the page.
    pub limit: u32,
    /// Whether the steps run against the order of the page (a cursor to the previous page), so that their
    /// items must be reversed.
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
    /// A pointer; its `ownerPK` and `ownerSK` are the key of the item to get next.
    Lookup(Get),
}

/// One write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The key of the item.
    pub key: Key,
    /// The action.
    pub action: Action,
    /// The conditions, all of which must hold.
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

/// The action of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stores the whole item.
    Put(Item),
    /// Changes parts of it.
    Update(Vec<(Path, Change)>),
    /// Removes it.
    Delete,
    /// No change: only the guards matter, in a transaction.
    Check,
}

/// A condition of a write, and the reason to report when it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The condition.
    pub condition: Condition,
    /// The reason to report when it fails.
    pub otherwise: Reason,
}

/// A change to a part of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Sets the value.
    Set(Value),
    /// Sets the value if it is absent.
    SetIfAbsent(Value),
    /// Adds to a number; an absent one counts as zero.
    Add(Number),
    /// Appends to a list.
    Append(Vec<Value>),
    /// Adds members to a set.
    AddMembers(Value),
    /// A set loses these members.
    DeleteMembers(Value),
    /// Goes away.
    Remove,
}

/// The path to a value inside of an item.
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
    /// Whether the paths are equal or one contains the other.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.root == other.root && self.inside.iter().zip(&other.inside).all(|(a, b)| a == b)
    }

    /// Whether one path needs a list where the other needs a map.
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
    /// The path does not exist.
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

/// A comparison of two operands.
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
    /// The value at `name` is unchanged: equal to `value`, or absent.
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

/// The maximum number of writes of one transaction.
pub const MAX_TRANSACTION: usize = 100;
/// The maximum bytes of the items that one transaction puts.
pub const MAX_TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
