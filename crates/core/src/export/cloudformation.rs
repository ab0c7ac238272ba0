//! A CloudFormation template: the table, two policies, and outputs for other stacks.

use super::policy::{self, Statement};
use super::yaml::{self, Entry, Yaml, call, comment, pair};
use super::{ENV, NAME_CHARACTERS, banner, default_env, has_env, key_attributes, projection};
use crate::model::{Index, Model, Table};
use crate::value::Name;

/// The most bytes of a template's description.
const MAX_DESCRIPTION: usize = 1024;

pub(super) fn export(model: &Model, env: Option<&str>) -> String {
    let mut entries = vec![comment(banner(model)), pair("AWSTemplateFormatVersion", "2010-09-09")];
    entries.extend(body(model, env));
    yaml::document(&entries)
}

/// Everything after the version of the template, shared with SAM.
pub(super) fn body(model: &Model, env: Option<&str>) -> Vec<Entry> {
    let table = &model.table;
    let ids = Ids::of(model);
    let mut entries = vec![
        pair("Description", description(model)),
        Entry::Blank,
        pair("Parameters", parameters(table, env)),
    ];
    if !has_env(table) {
        let is_empty = call("!Equals", vec![call("!Ref", "Environment"), "".into()]);
        let has_environment = pair("HasEnvironment", call("!Not", vec![is_empty]));
        entries.extend([Entry::Blank, pair("Conditions", vec![has_environment])]);
    }
    let resources = vec![
        pair(&ids.table, table_resource(table)),
        Entry::Blank,
        pair(&ids.application, managed_policy(&ids, policy::APPLICATION, &policy::application(model))),
        Entry::Blank,
        pair(&ids.operators, managed_policy(&ids, policy::OPERATORS, &policy::operators())),
    ];
    entries.extend([
        Entry::Blank,
        pair("Resources", resources),
        Entry::Blank,
        pair("Outputs", outputs(table, &ids)),
    ]);
    entries
}

/// The logical ids of the resources. They start with the model's name, so that the templates of two
/// models can be merged.
pub(super) struct Ids {
    pub(super) table: String,
    pub(super) application: String,
    pub(super) operators: String,
}

impl Ids {
    pub(super) fn of(model: &Model) -> Self {
        let name: String = model.name.split('-').map(capitalised).collect();
        Self {
            table: format!("{name}Table"),
            application: format!("{name}ApplicationPolicy"),
            operators: format!("{name}OperatorPolicy"),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(characters).collect()
}

fn description(model: &Model) -> String {
    let mut text = format!("The DynamoDB table of {} and its policies. {}", model.name, model.doc.english());
    if text.len() > MAX_DESCRIPTION {
        let most = MAX_DESCRIPTION - '…'.len_utf8();
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text.trim_end().to_owned()
}

fn parameters(table: &Table, env: Option<&str>) -> Vec<Entry> {
    let mut parameters = Vec::new();
    let (about, allowed) = if has_env(table) {
        ("The environment, a part of the table's name.", format!("^[{NAME_CHARACTERS}]+$"))
    } else {
        let name = vec![
            pair("Type", "String"),
            pair("Description", "The name of the table, without the environment."),
            pair("Default", table.name.as_str()),
            pair("AllowedPattern", format!("^[{NAME_CHARACTERS}]{{3,200}}$")),
        ];
        parameters.push(pair("TableName", name));
        let about = "The environment, appended to the table's name as -dev or -prod. Empty appends nothing.";
        (about, format!("^[{NAME_CHARACTERS}]*$"))
    };
    let environment = vec![
        pair("Type", "String"),
        pair("Description", about),
        pair("Default", default_env(table, env)),
        pair("AllowedPattern", allowed),
    ];
    parameters.push(pair("Environment", environment));
    parameters
}

fn table_resource(table: &Table) -> Vec<Entry> {
    vec![
        pair("Type", "AWS::DynamoDB::Table"),
        comment("Data outlives the stack: deleting or replacing the stack's table leaves the old one."),
        pair("DeletionPolicy", "Retain"),
        pair("UpdateReplacePolicy", "Retain"),
        pair("Properties", table_properties(table)),
    ]
}

fn table_properties(table: &Table) -> Vec<Entry> {
    let definitions: Vec<Yaml> = key_attributes(table)
        .into_iter()
        .map(|(name, of_type)| {
            Yaml::Map(vec![pair("AttributeName", &**name), pair("AttributeType", of_type)])
        })
        .collect();
    let mut properties = vec![
        pair("TableName", table_name(table)),
        pair("BillingMode", "PAY_PER_REQUEST"),
        pair("DeletionProtectionEnabled", true),
        pair("AttributeDefinitions", definitions),
        pair("KeySchema", key_schema(&table.pk, Some(&table.sk))),
    ];
    if !table.indexes.is_empty() {
        let indexes: Vec<Yaml> = table.indexes.iter().map(|index| index_entry(table, index)).collect();
        properties.push(pair("GlobalSecondaryIndexes", indexes));
    }
    let recovery = vec![pair("PointInTimeRecoveryEnabled", table.recovery)];
    properties.push(pair("PointInTimeRecoverySpecification", recovery));
    properties.push(pair("SSESpecification", vec![pair("SSEEnabled", true)]));
    properties.push(if table.streams {
        pair("StreamSpecification", vec![pair("StreamViewType", "NEW_AND_OLD_IMAGES")])
    } else {
        comment("Streams are off; `streams: true` in the model turns NEW_AND_OLD_IMAGES on.")
    });
    properties.extend(time_to_live(table));
    if !table.tags.is_empty() {
        let tag = |(key, value): &(String, String)| {
            Yaml::Map(vec![pair("Key", literal(key)), pair("Value", literal(value))])
        };
        properties.push(pair("Tags", table.tags.iter().map(tag).collect::<Vec<_>>()));
    }
    properties
}

/// [`Table::name_in`] for an environment that is only known when the stack is created.
fn table_name(table: &Table) -> Yaml {
    if has_env(table) {
        return call("!Sub", table.name.replace(ENV, "${Environment}"));
    }
    let with_environment = call("!Sub", "${TableName}-${Environment}");
    call("!If", vec!["HasEnvironment".into(), with_environment, call("!Ref", "TableName")])
}

fn key_schema(pk: &Name, sk: Option<&Name>) -> Vec<Yaml> {
    let key = |name: &Name, of_type: &str| {
        Yaml::Map(vec![pair("AttributeName", &**name), pair("KeyType", of_type)])
    };
    let sort = sk.map(|sk| key(sk, "RANGE"));
    std::iter::once(key(pk, "HASH")).chain(sort).collect()
}

fn index_entry(table: &Table, index: &Index) -> Yaml {
    let (of_type, added) = projection(table, index);
    let mut carried = vec![pair("ProjectionType", of_type)];
    if !added.is_empty() {
        let names: Vec<Yaml> = added.into_iter().map(|name| Yaml::from(&**name)).collect();
        carried.push(pair("NonKeyAttributes", names));
    }
    Yaml::Map(vec![
        pair("IndexName", &*index.name),
        pair("KeySchema", key_schema(&index.pk, index.sk.as_ref())),
        pair("Projection", carried),
    ])
}

/// Literal text of the model. `${` looks like a forgotten `!Sub` to people and linters, so it is joined
/// from two halves.
fn literal(text: &str) -> Yaml {
    let halves: Vec<&str> = text.split("${").collect();
    let Some(last) = halves.len().checked_sub(1).filter(|last| *last > 0) else { return text.into() };
    let halves = halves.iter().enumerate().map(|(at, half)| {
        let (before, after) = (if at > 0 { "{" } else { "" }, if at < last { "$" } else { "" });
        Yaml::Text(format!("{before}{half}{after}"))
    });
    call("!Join", vec!["".into(), Yaml::List(halves.collect())])
}

fn time_to_live(table: &Table) -> Option<Entry> {
    let ttl = table.ttl.as_ref()?;
    Some(if ttl.enabled {
        let specification = vec![pair("AttributeName", &*ttl.attribute), pair("Enabled", true)];
        pair("TimeToLiveSpecification", specification)
    } else {
        comment(format!(
            "TTL is off. `{}` is reserved for it; `ttl: {{ enabled: true }}` in the model turns it on.",
            ttl.attribute
        ))
    })
}

/// A policy without a name: CloudFormation generates one, so that a changed policy can be replaced and
/// the stack needs only CAPABILITY_IAM.
fn managed_policy(ids: &Ids, about: &str, statements: &[Statement<'_>]) -> Vec<Entry> {
    let statements: Vec<Yaml> = statements.iter().map(|statement| statement_entry(ids, statement)).collect();
    let document = vec![pair("Version", "2012-10-17"), pair("Statement", statements)];
    vec![
        pair("Type", "AWS::IAM::ManagedPolicy"),
        pair("Properties", vec![pair("Description", about), pair("PolicyDocument", document)]),
    ]
}

fn statement_entry(ids: &Ids, statement: &Statement<'_>) -> Yaml {
    let actions: Vec<Yaml> = statement.actions.iter().map(|action| Yaml::from(*action)).collect();
    let mut resources: Vec<Yaml> = statement
        .indexes
        .iter()
        .map(|index| call("!Sub", format!("${{{}.Arn}}/index/{index}", ids.table)))
        .collect();
    if resources.is_empty() {
        resources.push(call("!GetAtt", format!("{}.Arn", ids.table)));
    }
    Yaml::Map(vec![
        pair("Sid", statement.sid),
        pair("Effect", "Allow"),
        pair("Action", actions),
        pair("Resource", resources),
    ])
}

fn outputs(table: &Table, ids: &Ids) -> Vec<Entry> {
    let of_table = |attribute: &str| call("!GetAtt", format!("{}.{attribute}", ids.table));
    let output = |name: &str, about: &str, value: Yaml| {
        pair(name, vec![pair("Description", about), pair("Value", value)])
    };
    let mut outputs = vec![
        output("TableName", "The name of the table.", call("!Ref", ids.table.as_str())),
        output("TableArn", "The ARN of the table.", of_table("Arn")),
    ];
    if table.streams {
        outputs.push(output("StreamArn", "The ARN of the table's stream.", of_table("StreamArn")));
    }
    let policies = [
        ("ApplicationPolicyArn", "Attach it to the role of the application.", &ids.application),
        ("OperatorPolicyArn", "Attach it to the role of operators.", &ids.operators),
    ];
    outputs.extend(policies.map(|(name, about, id)| output(name, about, call("!Ref", id.as_str()))));
    outputs
}
