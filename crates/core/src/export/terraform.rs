//! Terraform configuration: the table, two policies, and outputs.

use super::hcl::{self, Line, Value, block, escape, labelled, quote, raw, set};
use super::policy::{self, Statement};
use super::{ENV, NAME_CHARACTERS, banner, default_env, has_env, key_attributes, projection};
use crate::model::{Index, Model, Table};

pub(super) fn export(model: &Model, env: Option<&str>) -> String {
    let label = model.name.replace('-', "_");
    let mut lines = vec![Line::Comment(banner(model)), Line::Blank, terraform_block()];
    lines.extend(variables(&model.table, env));
    lines.extend([
        Line::Blank,
        labelled("resource", &["aws_dynamodb_table", &label], table_body(&model.table)),
    ]);
    lines.extend(policy_blocks(&label, "application", policy::APPLICATION, &policy::application(model)));
    lines.extend(policy_blocks(&label, "operators", policy::OPERATORS, &policy::operators()));
    lines.extend(outputs(&model.table, &label));
    hcl::document(&lines)
}

fn terraform_block() -> Line {
    let aws = Value::Object(vec![
        ("source".to_owned(), "hashicorp/aws".into()),
        ("version".to_owned(), ">= 5.0".into()),
    ]);
    let body = vec![
        set("required_version", ">= 1.3"),
        Line::Blank,
        block("required_providers", vec![set("aws", aws)]),
    ];
    block("terraform", body)
}

fn variables(table: &Table, env: Option<&str>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut variable = |name: &str, about: &str, default: &str, allowed: &str| {
        let pattern = quote(&format!("^[{NAME_CHARACTERS}]{allowed}$"));
        let validation = vec![
            raw("condition", format!("can(regex({pattern}, var.{name}))")),
            set("error_message", "Use letters, digits, underscores, dots and hyphens."),
        ];
        let body = vec![
            set("description", about),
            raw("type", "string"),
            set("default", default),
            Line::Blank,
            block("validation", validation),
        ];
        lines.extend([Line::Blank, labelled("variable", &[name], body)]);
    };
    if has_env(table) {
        variable("env", "The environment, a part of the table's name.", default_env(table, env), "+");
    } else {
        let about = "The environment, appended to the table's name as -dev or -prod. Empty appends nothing.";
        variable("env", about, default_env(table, env), "*");
        variable("table_name", "The name of the table, without the environment.", &table.name, "{3,200}");
    }
    lines
}

fn table_body(table: &Table) -> Vec<Line> {
    let mut body = vec![
        raw("name", table_name(table)),
        set("billing_mode", "PAY_PER_REQUEST"),
        set("hash_key", &*table.pk),
        set("range_key", &*table.sk),
        set("deletion_protection_enabled", true),
    ];
    if table.streams {
        body.extend([set("stream_enabled", true), set("stream_view_type", "NEW_AND_OLD_IMAGES")]);
    } else {
        body.push(Line::Comment(
            "Streams are off; `streams: true` in the model turns NEW_AND_OLD_IMAGES on.".to_owned(),
        ));
    }
    for (name, of_type) in key_attributes(table) {
        body.extend([Line::Blank, block("attribute", vec![set("name", &**name), set("type", of_type)])]);
    }
    for index in &table.indexes {
        body.extend([Line::Blank, index_block(table, index)]);
    }
    body.extend([Line::Blank, block("point_in_time_recovery", vec![set("enabled", table.recovery)])]);
    body.extend([Line::Blank, block("server_side_encryption", vec![set("enabled", true)])]);
    body.extend(time_to_live(table));
    if !table.tags.is_empty() {
        let tags = table.tags.iter().map(|(key, value)| (key.clone(), value.as_str().into())).collect();
        body.extend([Line::Blank, set("tags", Value::Object(tags))]);
    }
    let lifecycle = vec![
        Line::Comment("Data outlives its configuration: `terraform destroy` stops here.".to_owned()),
        set("prevent_destroy", true),
    ];
    body.extend([Line::Blank, block("lifecycle", lifecycle)]);
    body
}

/// [`Table::name_in`] for an environment that is only known when the plan is created.
fn table_name(table: &Table) -> String {
    if has_env(table) {
        let parts: Vec<String> = table.name.split(ENV).map(escape).collect();
        return format!("\"{}\"", parts.join("${var.env}"));
    }
    r#"var.env == "" ? var.table_name : "${var.table_name}-${var.env}""#.to_owned()
}

fn index_block(table: &Table, index: &Index) -> Line {
    let (of_type, added) = projection(table, index);
    let mut body = vec![set("name", &*index.name), set("hash_key", &*index.pk)];
    body.extend(index.sk.as_ref().map(|sk| set("range_key", &**sk)));
    body.push(set("projection_type", of_type));
    if !added.is_empty() {
        let names = added.into_iter().map(|name| Value::from(&**name)).collect();
        body.extend([Line::Blank, set("non_key_attributes", Value::List(names))]);
    }
    block("global_secondary_index", body)
}

fn time_to_live(table: &Table) -> Vec<Line> {
    let Some(ttl) = &table.ttl else { return Vec::new() };
    let line = if ttl.enabled {
        block("ttl", vec![set("attribute_name", &*ttl.attribute), set("enabled", true)])
    } else {
        Line::Comment(format!(
            "TTL is off. `{}` is reserved for it; `ttl: {{ enabled: true }}` in the model turns it on.",
            ttl.attribute
        ))
    };
    vec![Line::Blank, line]
}

fn policy_blocks(label: &str, who: &str, about: &str, statements: &[Statement<'_>]) -> Vec<Line> {
    let name = format!("{label}_{who}");
    let mut document = Vec::new();
    for statement in statements {
        if !document.is_empty() {
            document.push(Line::Blank);
        }
        document.push(block("statement", statement_body(label, statement)));
    }
    let policy = vec![
        raw("name", format!("\"${{aws_dynamodb_table.{label}.name}}-{who}\"")),
        set("description", about),
        raw("policy", format!("data.aws_iam_policy_document.{name}.json")),
    ];
    vec![
        Line::Blank,
        labelled("data", &["aws_iam_policy_document", &name], document),
        Line::Blank,
        labelled("resource", &["aws_iam_policy", &name], policy),
    ]
}

fn statement_body(label: &str, statement: &Statement<'_>) -> Vec<Line> {
    let arn = format!("aws_dynamodb_table.{label}.arn");
    let mut resources: Vec<Value> = statement
        .indexes
        .iter()
        .map(|index| Value::Raw(format!("\"${{{arn}}}/index/{}\"", escape(index))))
        .collect();
    if resources.is_empty() {
        resources.push(Value::Raw(arn));
    }
    let actions = statement.actions.iter().map(|action| Value::from(*action)).collect();
    vec![
        set("sid", statement.sid),
        set("effect", "Allow"),
        Line::Blank,
        set("actions", Value::List(actions)),
        Line::Blank,
        set("resources", Value::List(resources)),
    ]
}

fn outputs(table: &Table, label: &str) -> Vec<Line> {
    let of_table = |attribute: &str| format!("aws_dynamodb_table.{label}.{attribute}");
    let policy = |who: &str| format!("aws_iam_policy.{label}_{who}.arn");
    let mut outputs = vec![
        ("table_name", "The name of the table.", of_table("name")),
        ("table_arn", "The ARN of the table.", of_table("arn")),
    ];
    if table.streams {
        outputs.push(("stream_arn", "The ARN of the table's stream.", of_table("stream_arn")));
    }
    outputs.push((
        "application_policy_arn",
        "Attach it to the role of the application.",
        policy("application"),
    ));
    outputs.push(("operator_policy_arn", "Attach it to the role of operators.", policy("operators")));
    outputs
        .into_iter()
        .flat_map(|(name, about, value)| {
            let body = vec![set("description", about), raw("value", value)];
            [Line::Blank, labelled("output", &[name], body)]
        })
        .collect()
}
