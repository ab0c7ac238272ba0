//! The model as files for other tools: infrastructure templates, a data model, a schema.
//!
//! Pure functions from a [`Model`] to text: the same model always gives the same bytes, so the
//! files can be committed and compared.

use std::fmt;
use std::str::FromStr;

use crate::model::{Index, Model, Projection, Table};
use crate::value::Name;

mod cloudformation;
mod hcl;
mod json_schema;
mod policy;
mod sam;
mod terraform;
mod workbench;
mod yaml;

pub use json_schema::{argument_schema, attribute_schema, attribute_schema_in, key_schema, kind_schema};

/// A kind of file that a model can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An AWS CloudFormation template in YAML.
    CloudFormation,
    /// An AWS SAM template in YAML.
    Sam,
    /// Terraform configuration.
    Terraform,
    /// A data model that NoSQL Workbench for DynamoDB imports.
    NosqlWorkbench,
    /// A JSON Schema (2020-12) of the stored items in plain JSON.
    JsonSchema,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] =
        [Self::CloudFormation, Self::Sam, Self::Terraform, Self::NosqlWorkbench, Self::JsonSchema];

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CloudFormation => "cloudformation",
            Self::Sam => "sam",
            Self::Terraform => "terraform",
            Self::NosqlWorkbench => "nosql-workbench",
            Self::JsonSchema => "json-schema",
        }
    }

    /// The file extension that its tools expect.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::CloudFormation | Self::Sam => "yaml",
            Self::Terraform => "tf",
            Self::NosqlWorkbench | Self::JsonSchema => "json",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("there is no format `{word}`: write one of {names}")
        })
    }
}

/// Writes the model as `format`. The infrastructure files take the environment as a parameter and
/// `env` is only its default; the other files name the table of that environment.
#[must_use]
pub fn export(model: &Model, format: Format, env: Option<&str>) -> String {
    let env = env.filter(|env| !env.is_empty());
    match format {
        Format::CloudFormation => cloudformation::export(model, env),
        Format::Sam => sam::export(model, env),
        Format::Terraform => terraform::export(model, env),
        Format::NosqlWorkbench => workbench::export(model, env),
        Format::JsonSchema => json_schema::export(model, env),
    }
}

/// The placeholder for the environment in the name of a table.
const ENV: &str = "{env}";
/// The characters of an environment and of a table's name.
const NAME_CHARACTERS: &str = "A-Za-z0-9_.-";

/// Whether the name of the table has a placeholder for the environment; otherwise the environment is
/// appended, and the name itself can be configured.
fn has_env(table: &Table) -> bool {
    table.name.contains(ENV)
}

/// The default environment of a template, as in [`Table::name_in`].
fn default_env<'a>(table: &Table, env: Option<&'a str>) -> &'a str {
    env.unwrap_or(if has_env(table) { "dev" } else { "" })
}

/// Every attribute that is a key of the table or an index, with its DynamoDB type.
fn key_attributes(table: &Table) -> Vec<(&Name, &'static str)> {
    let mut keys: Vec<(&Name, bool)> = vec![(&table.pk, false), (&table.sk, false)];
    for index in &table.indexes {
        let of_index =
            [Some((&index.pk, index.pk_numeric)), index.sk.as_ref().map(|sk| (sk, index.sk_numeric))];
        for (name, numeric) in of_index.into_iter().flatten() {
            match keys.iter_mut().find(|(known, _)| *known == name) {
                // An index that no entity is in does not know that its key is a number.
                Some(known) => known.1 |= numeric,
                None => keys.push((name, numeric)),
            }
        }
    }
    keys.into_iter().map(|(name, numeric)| (name, scalar_type(numeric))).collect()
}

fn scalar_type(numeric: bool) -> &'static str {
    if numeric { "N" } else { "S" }
}

/// DynamoDB's projection type of an index, and the non-key attributes: DynamoDB rejects keys in the
/// list.
fn projection<'t>(table: &'t Table, index: &'t Index) -> (&'static str, Vec<&'t Name>) {
    let names = match &index.projection {
        Projection::All => return ("ALL", Vec::new()),
        Projection::Keys => return ("KEYS_ONLY", Vec::new()),
        Projection::Include(names) => names,
    };
    let is_key =
        |name: &Name| [&table.pk, &table.sk, &index.pk].contains(&name) || index.sk.as_ref() == Some(name);
    let mut added: Vec<&Name> = Vec::new();
    for name in names.iter().filter(|name| !is_key(name)) {
        if !added.contains(&name) {
            added.push(name);
        }
    }
    if added.is_empty() { ("KEYS_ONLY", added) } else { ("INCLUDE", added) }
}

/// The comment at the head of a file: its origin, and the description of the model.
fn banner(model: &Model) -> String {
    let origin = format!("Written by Hansang from the model `{}`, version {}.", model.name, model.version);
    let text = format!("{origin}\nChange the model and write this file again; do not edit it.");
    if model.doc.is_empty() { text } else { format!("{text}\n\n{}", model.doc.english()) }
}

/// The lines of a comment. Every character that a parser may treat as a line end ends a line, and
/// invalid characters become spaces, so no text of a model leaves its comment.
fn comment_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']).map(|line| {
        let line: String = line.chars().map(|c| if unprintable(c) { ' ' } else { c }).collect();
        line.trim_end().to_owned()
    })
}

/// Whether a character is invalid in YAML or HCL.
fn unprintable(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}
