//! `hansang model keys` and `hansang model identify`.

use std::io::Write;
use std::process::ExitCode;

use hansang_core::identify::{self, Identity};
use hansang_core::model::KeySource;
use hansang_core::value::json;
use hansang_core::{Entity, Item, Model, Name, Value, write};

use super::{Given, source};
use hansang_command::Failure;

pub(super) fn run(
    model: &Model,
    entity: &str,
    given: &Given,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let Some(entity) = model.entity(entity) else {
        return Err(source::unknown("entity", entity, model.entities.iter().map(|entity| &*entity.name)));
    };
    let fields = fields(entity, given)?;
    let key = write::key(entity, &fields)?;
    let mut rows = vec![(model.table.pk.to_string(), key.pk), (model.table.sk.to_string(), key.sk)];
    for entry in &entity.indexes {
        let index = &model.table.indexes[entry.index];
        let sources = [(Some(&index.pk), Some(&entry.pk)), (index.sk.as_ref(), entry.sk.as_ref())];
        let sources: Vec<_> = sources.into_iter().filter_map(|(name, source)| name.zip(source)).collect();
        let mut missing: Vec<&str> = sources.iter().flat_map(|(_, source)| absent(source, &fields)).collect();
        missing.dedup();
        for (name, source) in sources {
            let value = match source.render(&fields).map_err(hansang_core::Error::from)? {
                // An index key is complete or missing.
                _ if !missing.is_empty() => format!("(left out until {} is given)", missing.join(", ")),
                Some(Value::S(text)) => text.into(),
                Some(other) => json::to_plain(&other).to_string(),
                None => String::new(),
            };
            rows.push((name.to_string(), format!("{value}  [{}]", index.name)));
        }
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, value) in rows {
        writeln!(out, "{name:width$}  {value}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The fields of a key that are not given.
fn absent<'m>(source: &'m KeySource, fields: &Item) -> Vec<&'m str> {
    let names: Vec<&str> = match source {
        KeySource::Number(attribute) => vec![&attribute.name],
        KeySource::Derived(template) | KeySource::Own(template) => {
            template.fields().map(|field| &*field.attribute.name).collect()
        }
    };
    names.into_iter().filter(|name| !fields.contains_key(name)).collect()
}

fn fields(entity: &Entity, given: &Given) -> Result<Item, Failure> {
    let mut fields = Item::new();
    for (name, text) in &given.values {
        let Some(attribute) = entity.attribute(name) else {
            let known = entity.attributes.iter().map(|attribute| &*attribute.name);
            return Err(source::unknown(&format!("attribute of {}", entity.name), name, known));
        };
        let value = attribute
            .kind
            .from_text(text)
            .map_err(|problem| Failure::usage(format!("`{name}` {problem}")))?;
        fields.insert(Name::from(name.as_str()), value);
    }
    Ok(fields)
}

pub(super) fn identify(model: &Model, pk: &str, sk: &str, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match identify::identify(model, pk, sk) {
        Some(Identity::Entity { entity, fields }) => {
            writeln!(out, "{}", entity.name)?;
            for (name, value) in &fields {
                writeln!(out, "  {name} = {}", json::to_plain(value))?;
            }
        }
        Some(Identity::Pointer { entity, unique }) => {
            writeln!(out, "the pointer that keeps `{}` of {} unique", unique.name, entity.name)?;
        }
        None => {
            let mut text = format!("`{pk}` / `{sk}` is the key of no entity; there is");
            for entity in &model.entities {
                text.push_str(&format!("\n  {}: {} / {}", entity.name, entity.pk, entity.sk));
            }
            return Err(Failure::Message { text, code: 1 });
        }
    }
    Ok(ExitCode::SUCCESS)
}
