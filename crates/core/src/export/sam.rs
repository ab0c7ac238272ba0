//! An AWS SAM template: CloudFormation's, and how a function gets the policy.

use super::banner;
use super::cloudformation::{Ids, body};
use super::yaml::{self, Entry, comment, pair};
use crate::model::Model;

pub(super) fn export(model: &Model, env: Option<&str>) -> String {
    let mut entries = vec![
        comment(banner(model)),
        Entry::Blank,
        comment(usage(&Ids::of(model))),
        pair("AWSTemplateFormatVersion", "2010-09-09"),
        pair("Transform", "AWS::Serverless-2016-10-31"),
    ];
    entries.extend(body(model, env));
    yaml::document(&entries)
}

/// A comment for SAM users: why neither the policy template nor the simple table resource is used.
fn usage(ids: &Ids) -> String {
    let Ids { table, application, .. } = ids;
    format!(
        "A function of this template gets its rights like this:

  MyFunction:
    Type: AWS::Serverless::Function
    Properties:
      Policies:
        - !Ref {application}
      Environment:
        Variables:
          TABLE_NAME: !Ref {table}

This takes the place of `DynamoDBCrudPolicy`, which also allows Scan and BatchWriteItem and
every index: {application} allows what the access patterns of the model need, on the
indexes they read. The table is no AWS::Serverless::SimpleTable because that has no sort key."
    )
}
