//! `hansang model explain`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use hansang_core::plan::{ReadPlan, Step};
use hansang_core::read::{self, ReadOptions};
use hansang_core::request::{self, Request};
use hansang_core::{Item, Model, Name, Pattern, Value, cost};
use serde_json::json;

use super::{Format, Given, ModelArgument, Order, source};
use hansang_command::Failure;

/// The maximum number of requests of a fan-out that are printed in full.
const SHOWN: usize = 3;

/// Arguments of `explain`.
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArgument,
    /// The access pattern; leave it out to list them
    pattern: Option<String>,
    #[command(flatten)]
    given: Given,
    /// The environment, for the name of the table
    #[arg(long)]
    env: Option<String>,
    /// The most items of a page
    #[arg(long)]
    limit: Option<u32>,
    /// The order, if not the model's
    #[arg(long, value_enum)]
    order: Option<Order>,
    /// Read strongly consistent
    #[arg(long)]
    consistent: bool,
    /// Only these attributes
    #[arg(long, value_delimiter = ',')]
    fields: Option<Vec<String>>,
    /// The size of an item in bytes, if the estimate is not good enough
    #[arg(long, value_name = "BYTES")]
    item_size: Option<usize>,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(super) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let model = source::load(&arguments.model.model)?;
    let Some(name) = &arguments.pattern else {
        list(&model, out)?;
        return Ok(ExitCode::SUCCESS);
    };
    let Some(pattern) = model.pattern(name) else {
        return Err(source::unknown("pattern", name, model.patterns.iter().map(|pattern| &*pattern.name)));
    };
    let options = ReadOptions {
        limit: arguments.limit,
        descending: arguments.order.map(|order| order == Order::Descending),
        consistent: arguments.consistent.then_some(true),
        fields: arguments.fields.clone(),
        position: None,
    };
    let exact = read::arguments(pattern, given(pattern, &arguments.given)?)
        .map_err(|error| with_usage(pattern, error))?;
    let plan = read::plan(&model, pattern, &exact, &options)?;
    let table_name = model.table.name_in(arguments.env.as_deref());
    let requests: Vec<Request> =
        plan.steps.iter().map(|step| request::of_step(&model.table, &table_name, step)).collect();
    let cost = cost::read_units(&model, &plan, arguments.item_size);
    match arguments.format {
        Format::Text => show(pattern, &plan, &requests, &cost, out)?,
        Format::Json => {
            let steps = requests.iter().map(|one| json!({ "operation": one.operation, "request": one.body }));
            let answer = json!({
                "pattern": &*pattern.name,
                "returns": pattern.entities.iter().map(|entity| &*entity.name).collect::<Vec<_>>(),
                "alsoReads": pattern.also_reads.iter().map(|name| &**name).collect::<Vec<_>>(),
                "steps": steps.collect::<Vec<_>>(),
                "readUnits": cost.half_units as f64 / 2.0,
                "explanation": cost.explanation(),
            });
            writeln!(out, "{answer:#}")?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Converts texts to the types of the pattern's arguments; unknown names are left for [`read::arguments`] to reject.
fn given(pattern: &Pattern, given: &Given) -> Result<Item, Failure> {
    let parameters = read::parameters(pattern);
    let mut item = Item::new();
    for (name, text) in &given.values {
        let value = match parameters.iter().find(|parameter| parameter.name == name) {
            Some(parameter) => parameter
                .kind
                .from_text(text)
                .map_err(|problem| Failure::usage(format!("`{name}` {problem}")))?,
            None => Value::from(text.as_str()),
        };
        item.insert(Name::from(name.as_str()), value);
    }
    Ok(item)
}

fn with_usage(pattern: &Pattern, error: hansang_core::Error) -> Failure {
    let parameters = read::parameters(pattern);
    let usage: Vec<String> = parameters
        .iter()
        .map(|one| {
            let argument = format!("--arg {}=…", one.name);
            if one.required { argument } else { format!("[{argument}]") }
        })
        .collect();
    Failure::usage(format!("{}\nusage: explain … {} {}", error.message, pattern.name, usage.join(" ")))
}

fn list(model: &Model, out: &mut impl Write) -> Result<(), Failure> {
    let arguments = |pattern: &Pattern| {
        let names: Vec<&str> = read::parameters(pattern).iter().map(|parameter| parameter.name).collect();
        if names.is_empty() { "-".to_owned() } else { names.join(", ") }
    };
    let rows: Vec<[String; 3]> = model
        .patterns
        .iter()
        .map(|pattern| [pattern.name.to_string(), arguments(pattern), pattern.doc.english().to_owned()])
        .collect();
    if rows.is_empty() {
        writeln!(out, "{} has no access patterns yet: add `patterns:` to its model", model.name)?;
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (first, second) = (width(0), width(1));
    for [name, arguments, doc] in &rows {
        writeln!(out, "{}", format!("{name:first$}  {arguments:second$}  {doc}").trim_end())?;
    }
    Ok(())
}

fn show(
    pattern: &Pattern,
    plan: &ReadPlan,
    requests: &[Request],
    cost: &cost::Cost,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for (step, request) in plan.steps.iter().zip(requests).take(SHOWN) {
        writeln!(out, "{request}\n")?;
        if let Step::Lookup(_) = step {
            writeln!(out, "then GetItem with the pointer's ownerPK and ownerSK\n")?;
        }
    }
    if requests.len() > SHOWN {
        writeln!(out, "… and {} more like it (--format json shows all)\n", requests.len() - SHOWN)?;
    }
    let names = |names: Vec<&str>| names.join(", ");
    writeln!(out, "returns     {}", names(pattern.entities.iter().map(|entity| &*entity.name).collect()))?;
    if !pattern.also_reads.is_empty() {
        writeln!(
            out,
            "also reads  {} (and drops them)",
            names(pattern.also_reads.iter().map(|name| &**name).collect())
        )?;
    }
    writeln!(out, "costs       {}", cost.explanation())?;
    Ok(())
}
