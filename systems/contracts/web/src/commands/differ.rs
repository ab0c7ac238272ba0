//! Compares two versions: their differences, and whether one may follow the other.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use hansang_contracts::{Bump, Difference, compatibility};
use hansang_core::Value;
use hansang_core::value::json::to_plain;
use semver::Version;

use super::failure;
use super::{ContractRef, RegistryArguments, change, contract_version, show};
use hansang_command::{Context, Failure};

/// Arguments of `diff`.
#[derive(Args)]
pub(crate) struct Diff {
    /// The one version, as KIND:ID:VERSION
    #[arg(value_name = "REF")]
    reference: ContractRef,
    /// The other version of the same contract
    #[arg(value_parser = contract_version)]
    version: Version,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `check`.
#[derive(Args)]
pub(crate) struct Check {
    /// The version that is followed, as KIND:ID:VERSION
    #[arg(value_name = "REF")]
    reference: ContractRef,
    /// The version of the same contract that follows
    #[arg(value_parser = contract_version, required_unless_present = "file", conflicts_with = "file")]
    version: Option<Version>,
    /// A YAML file with the contract that is to follow, which need not be registered
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub(super) async fn diff(ask: &Diff, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let old = source.registry.fetch(&ask.reference).await.map_err(failure)?;
    let new = source.registry.fetch(&other(&ask.reference, &ask.version)).await.map_err(failure)?;
    for Difference { path, old, new } in hansang_contracts::diff(&old.spec, &new.spec) {
        let shown = |value: &Value| to_plain(value).to_string();
        match (old, new) {
            (Some(old), Some(new)) => writeln!(out, "~ {path} {} → {}", shown(&old), shown(&new))?,
            (Some(old), None) => writeln!(out, "- {path} {}", shown(&old))?,
            (None, Some(new)) => writeln!(out, "+ {path} {}", shown(&new))?,
            (None, None) => {}
        }
    }
    Ok(())
}

pub(super) async fn check(ask: &Check, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let file = ask.file.as_deref().map(change::read).transpose()?;
    if let Some(file) = &file
        && (&file.reference.kind, &file.reference.id) != (&ask.reference.kind, &ask.reference.id)
    {
        let text = format!("{} is of another contract than {}", file.reference, ask.reference);
        return Err(Failure::usage(text));
    }
    let source = ask.registry.open(context).await?;
    let old = source.registry.fetch(&ask.reference).await.map_err(failure)?;
    let (next, spec) = match (file, &ask.version) {
        (Some(file), _) => (file.reference.version, file.spec),
        (None, Some(version)) => {
            let new = source.registry.fetch(&other(&ask.reference, version)).await.map_err(failure)?;
            (version.clone(), new.spec.clone())
        }
        (None, None) => return Err(Failure::usage("name the version that follows, or a file with --file")),
    };
    let found = compatibility(&ask.reference.kind, &old.spec, &spec);
    let word = |breaking: bool| if breaking { "breaking" } else { "fine" };
    let rows: Vec<Vec<String>> = found
        .changes
        .iter()
        .map(|one| vec![word(one.breaking).to_owned(), one.message.to_string()])
        .collect();
    show::table(&rows, out)?;
    let first = &ask.reference.version;
    let needs = match found.needs {
        Bump::None => "nothing changed".to_owned(),
        bump => format!("what changed needs a {} step", bump.name()),
    };
    if found.fits(first, &next) {
        writeln!(out, "{next} may follow {first}: {needs}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let taken = match Bump::between(first, &next) {
        Bump::None => "none".to_owned(),
        bump => format!("a {} one", bump.name()),
    };
    writeln!(out, "{next} cannot follow {first}: {needs}, and this is {taken}")?;
    Ok(ExitCode::from(4))
}

/// Another version of the same contract.
fn other(reference: &ContractRef, version: &Version) -> ContractRef {
    ContractRef { version: version.clone(), ..reference.clone() }
}
