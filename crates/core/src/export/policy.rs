//! Two access policies of the table, which every infrastructure file writes in its own syntax.
//!
//! The application gets the operations of the model's patterns and writes, and no Scan: every pattern is
//! a Get or a Query. Export, import, verification and backfill read the whole table: that right belongs
//! to a person or a job, not to the application.

use crate::model::{Leg, Model, Pattern};
use crate::value::Name;

/// Some actions on the table or on some of its indexes.
pub(super) struct Statement<'m> {
    /// Its name in the policy.
    pub(super) sid: &'static str,
    /// The actions, with their service.
    pub(super) actions: Vec<&'static str>,
    /// The indexes it covers; the table itself if empty.
    pub(super) indexes: Vec<&'m Name>,
}

const QUERY: &str = "dynamodb:Query";

/// The operations of reads by key and of writes, for any model. A transaction needs the rights of its
/// parts; a write may read first, and several items by key are one batch.
const ITEMS: [&str; 7] = [
    "dynamodb:BatchGetItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:DescribeTable",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
];

const WHOLE_TABLE: [&str; 7] = [
    "dynamodb:BatchGetItem",
    "dynamodb:BatchWriteItem",
    "dynamodb:DescribeTable",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Scan",
    "dynamodb:UpdateItem",
];

/// The description of the application policy.
pub(super) const APPLICATION: &str =
    "What the application needs: the access patterns and writes of the model, without Scan.";
/// The description of the operator policy.
pub(super) const OPERATORS: &str =
    "For operators only: export, import, verification and backfill read and write the whole table.";

/// The statements of the application policy.
pub(super) fn application(model: &Model) -> Vec<Statement<'_>> {
    let mut actions = ITEMS.to_vec();
    if model.patterns.iter().any(|pattern| pattern.index.is_none() && queries(pattern)) {
        actions.push(QUERY);
        actions.sort_unstable();
    }
    let mut statements = vec![Statement { sid: "Items", actions, indexes: Vec::new() }];
    let is_read = |number: usize| model.patterns.iter().any(|pattern| pattern.index == Some(number));
    let indexes: Vec<&Name> = model
        .table
        .indexes
        .iter()
        .enumerate()
        .filter(|(number, _)| is_read(*number))
        .map(|(_, index)| &index.name)
        .collect();
    if !indexes.is_empty() {
        statements.push(Statement { sid: "Indexes", actions: vec![QUERY], indexes });
    }
    statements
}

/// The statements of the operator policy.
pub(super) fn operators<'m>() -> Vec<Statement<'m>> {
    vec![Statement { sid: "WholeTable", actions: WHOLE_TABLE.to_vec(), indexes: Vec::new() }]
}

fn queries(pattern: &Pattern) -> bool {
    pattern.legs.iter().any(|leg| matches!(leg, Leg::Query { .. }))
}
