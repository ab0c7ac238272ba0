//! `hansang model …`: commands on a model file alone.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use hansang_core::{diff, docs, export};

use hansang_command::Failure;

mod check;
mod explain;
mod keys;
pub(crate) mod source;

/// Commands for model files.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Check model files; silent when they are right, exit code 1 when they are not
    Check {
        /// Model files, or directories with them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// How problems are written
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Print the exact DynamoDB requests of an access pattern and what they cost
    Explain(explain::Arguments),
    /// Print the keys of an item
    Keys {
        #[command(flatten)]
        model: ModelArgument,
        /// The entity
        entity: String,
        #[command(flatten)]
        given: Given,
    },
    /// Say which entity a key belongs to, and what is in it
    Identify {
        #[command(flatten)]
        model: ModelArgument,
        /// The partition key
        pk: String,
        /// The sort key
        sk: String,
    },
    /// Write the documentation of a model as Markdown
    Docs {
        #[command(flatten)]
        model: ModelArgument,
    },
    /// Write a model in the form of another tool
    Export {
        #[command(flatten)]
        model: ModelArgument,
        /// cloudformation, sam, terraform, nosql-workbench or json-schema
        #[arg(long, value_name = "FORMAT")]
        to: export::Format,
        /// The environment, where the form has no parameter for it
        #[arg(long)]
        env: Option<String>,
    },
    /// List what changed between two versions of a model, and what each change needs
    ///
    /// Exit code 0 when nothing has to be done, 1 otherwise.
    Diff {
        /// The old model file
        old: PathBuf,
        /// The new model file
        new: PathBuf,
    },
}

/// The model file of a command.
#[derive(Args)]
pub(crate) struct ModelArgument {
    /// A model file, the name of one in ./models, or of one that comes with Hansang
    #[arg(value_name = "MODEL")]
    pub(crate) model: PathBuf,
}

/// Arguments of patterns and keys.
#[derive(Args)]
pub(crate) struct Given {
    /// A value, such as `--arg categoryId=c001`; repeat it for more
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = name_and_value)]
    pub(crate) values: Vec<(String, String)>,
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, such as categoryId=c001".to_owned()),
    }
}

/// The format of the output.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs
    Json,
}

/// The order of a query.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Order {
    /// The least first
    Ascending,
    /// The greatest first
    Descending,
}

/// Runs a command.
pub(crate) fn run(command: Command, out: &mut impl Write) -> Result<ExitCode, Failure> {
    match command {
        Command::Check { files, format } => check::run(&files, format, out),
        Command::Explain(arguments) => explain::run(&arguments, out),
        Command::Keys { model, entity, given } => {
            keys::run(&source::load(&model.model)?, &entity, &given, out)
        }
        Command::Identify { model, pk, sk } => keys::identify(&source::load(&model.model)?, &pk, &sk, out),
        Command::Docs { model } => {
            write!(out, "{}", docs::markdown(&source::load(&model.model)?))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Export { model, to, env } => {
            write!(out, "{}", export::export(&source::load(&model.model)?, to, env.as_deref()))?;
            Ok(ExitCode::SUCCESS)
        }
        Command::Diff { old, new } => {
            let differences = diff::diff(&source::load(&old)?, &source::load(&new)?);
            write!(out, "{}", diff::render(&differences))?;
            let harmless = diff::worst(&differences) == diff::Severity::Nothing;
            Ok(if harmless { ExitCode::SUCCESS } else { ExitCode::from(1) })
        }
    }
}
