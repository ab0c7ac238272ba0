//! Commands on the whole registry: seed, verify and compare.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use hansang_contracts::messages::errors;
use hansang_contracts::{
    Act, ContractFile, Disagreement, SeedOutcome, SeedReport, Seeded, YamlRegistry, audit, read_directory,
};

use super::RegistryArguments;
use super::change::Exceptions;
use super::failure;
use hansang_command::progress;
use hansang_command::{Context, Failure};
use hansang_core::message;

/// Arguments of `seed`.
#[derive(Args)]
pub(crate) struct Seed {
    /// A directory of YAML files, each with one contract
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Who registers them
    #[arg(long, value_name = "WHO")]
    created_by: String,
    /// Only say what would become of each file
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    exceptions: Exceptions,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `verify`.
#[derive(Args)]
pub(crate) struct Verify {
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `compare`.
#[derive(Args)]
pub(crate) struct Compare {
    /// A directory of YAML files, each with one contract
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub(super) async fn seed(ask: &Seed, context: &Context, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let files = files(&ask.directory)?;
    let source = ask.registry.open(context).await?;
    // Reports an unavailable registry once, instead of once per file.
    source.registry.kinds().await.map_err(failure)?;
    let bar = progress::of_total("seeding", files.len());
    let mut tell = |_: &Seeded| bar.inc(1);
    let act = Act { by: ask.created_by.clone(), allowed: ask.exceptions.allowed() };
    let report = hansang_contracts::seed(&*source.registry, &files, act, ask.dry_run, &mut tell).await;
    bar.finish_and_clear();
    let SeedReport { uploaded, skipped, conflicts, errors, outage } = &report;
    let mut told: Vec<&Seeded> = [uploaded, skipped, conflicts, errors].into_iter().flatten().collect();
    told.retain(|seeded| ask.dry_run || seeded.message.is_some());
    told.sort_by(|one, other| one.path.cmp(&other.path));
    for seeded in told {
        tell_one(seeded, ask.dry_run, out)?;
    }
    let dry = if ask.dry_run { "dry run: " } else { "" };
    let counts = [uploaded.len(), skipped.len(), conflicts.len(), errors.len()];
    let [uploaded, skipped, conflicts, failed] = counts;
    writeln!(out, "{dry}uploaded {uploaded}, skipped {skipped}, conflicts {conflicts}, errors {failed}")?;
    Ok(ExitCode::from(match (conflicts, failed) {
        _ if *outage => 5,
        (_, 1..) => 1,
        (1.., 0) => 4,
        (0, 0) => 0,
    }))
}

/// The files of a directory. An empty directory is an error.
fn files(directory: &Path) -> Result<Vec<ContractFile>, Failure> {
    let shown = directory.display();
    if !directory.is_dir() {
        return Err(Failure::usage(message!(errors::NOT_A_DIRECTORY, shown.to_string()).to_string()));
    }
    let files = read_directory(directory)?;
    if files.is_empty() {
        return Err(Failure::usage(format!("there is no .yaml file in {shown}")));
    }
    Ok(files)
}

fn tell_one(seeded: &Seeded, dry_run: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let outcome = match seeded.outcome {
        SeedOutcome::Uploaded if dry_run => "would be uploaded",
        SeedOutcome::Uploaded => "uploaded",
        SeedOutcome::Skipped => "skipped",
        SeedOutcome::Conflict => "conflict",
        SeedOutcome::Error => "error",
    };
    let name = seeded.reference.as_ref().map(|reference| format!(" {reference}")).unwrap_or_default();
    let message = seeded.message.as_ref().map(|message| format!(": {message}")).unwrap_or_default();
    Ok(writeln!(out, "{}: {outcome}{name}{message}", seeded.path.display())?)
}

pub(super) async fn verify(
    ask: &Verify,
    context: &Context,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let source = ask.registry.open(context).await?;
    let bar = progress::counting("verifying");
    let found =
        audit(&*source.registry, &mut |so_far| bar.set_position(so_far.checked)).await.map_err(failure)?;
    bar.finish_and_clear();
    for failure in &found.failures {
        writeln!(out, "{}: {}", failure.location, failure.error)?;
    }
    let (checked, failures, name) = (found.checked, found.failures.len(), &source.name);
    if failures == 0 {
        writeln!(out, "{checked} contracts of {name} are what was registered")?;
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(out, "{checked} contracts of {name}, {failures} of them not what was registered")?;
    Ok(ExitCode::from(4))
}

pub(super) async fn compare(
    ask: &Compare,
    context: &Context,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let files = YamlRegistry::open(ask.directory.clone(), context.clock.clone())?;
    let source = ask.registry.open(context).await?;
    let (one, other) = (&source.name, ask.directory.display());
    let found = hansang_contracts::compare(&*source.registry, &files).await.map_err(failure)?;
    if found.is_empty() {
        writeln!(out, "{one} and {other} agree")?;
        return Ok(ExitCode::SUCCESS);
    }
    for Disagreement { reference, location, message } in &found {
        let name = reference.as_ref().map_or_else(|| location.clone(), ToString::to_string);
        writeln!(out, "{name}: {message}")?;
    }
    writeln!(out, "{} differences between {one} (first) and {other} (second)", found.len())?;
    Ok(ExitCode::from(4))
}
