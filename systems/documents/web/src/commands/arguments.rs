//! The arguments of commands.

use std::path::PathBuf;

use clap::Args;

use super::place::PlaceArguments;

/// Arguments of `projects`.
#[derive(Args)]
pub(super) struct Projects {
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `create`.
#[derive(Args)]
pub(super) struct Create {
    /// The name of the project
    pub(super) name: String,
    /// The language of the documents, such as ko
    #[arg(long)]
    pub(super) language: Option<String>,
    /// The description
    #[arg(long)]
    pub(super) description: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `upload`.
#[derive(Args)]
pub(super) struct Upload {
    /// The ID of the project
    pub(super) project: String,
    /// The files
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments with a project.
#[derive(Args)]
pub(super) struct OfProject {
    /// The ID of the project
    pub(super) project: String,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments with a document.
#[derive(Args)]
pub(super) struct OneDocument {
    /// The ID of the project
    pub(super) project: String,
    /// The ID of the document
    pub(super) document: String,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `reprocess`.
#[derive(Args)]
pub(super) struct Reprocess {
    /// The ID of the project
    pub(super) project: String,
    /// The ID of the document
    pub(super) document: String,
    /// The segments to process again, from 0, with commas; all without
    #[arg(long, value_delimiter = ',')]
    pub(super) pages: Vec<i64>,
    /// What processors are told
    #[arg(long)]
    pub(super) instructions: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `search`.
#[derive(Args)]
pub(super) struct Search {
    /// The ID of the project
    pub(super) project: String,
    /// The words
    pub(super) words: String,
    /// How many hits to print
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(super) limit: u32,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of `cache`.
#[derive(Args)]
pub(super) struct CacheArguments {
    /// The list to drop, such as query_projects
    #[arg(long, value_name = "KEY")]
    pub(super) invalidate: Option<String>,
    #[command(flatten)]
    pub(super) place: PlaceArguments,
}

/// Arguments of the process that reads a file.
#[derive(Args)]
pub(super) struct ReadFile {
    /// What is to be read
    pub(super) request: String,
}
