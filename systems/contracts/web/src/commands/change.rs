//! Commands that change: registration, status changes, and invalidation.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use hansang_contracts::{
    Act, Allowed, CompatibilityRule, ContractError, ContractFile, FileContract, Mode, Moved, NewContract,
    RuleScope,
    checksum::{checksum, same_checksum},
    contract_id, rule_of,
};

use super::failure;
use super::remote::Forget;
use super::{ContractRef, Kind, RegistryArguments, Source, show};
use hansang_command::{Context, Failure};
use hansang_core::Message;

/// Arguments of `register`.
#[derive(Args)]
pub(crate) struct Register {
    /// A YAML file with one contract
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Who registers it; behind a server, the account that asks if left out
    #[arg(long, value_name = "WHO")]
    created_by: Option<String>,
    #[command(flatten)]
    exceptions: Exceptions,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Exceptions from the checks of a version that becomes active.
#[derive(Args)]
pub(crate) struct Exceptions {
    /// Only warn of references that lead nowhere
    #[arg(long)]
    allow_missing: bool,
    /// Do not apply the compatibility rule, for this reason, which is kept in the history
    #[arg(long = "override", value_name = "REASON")]
    reason: Option<String>,
}

/// Arguments of `promote`.
#[derive(Args)]
pub(crate) struct Promote {
    #[command(flatten)]
    one: Move,
    #[command(flatten)]
    exceptions: Exceptions,
    /// Only say what would come of it
    #[arg(long)]
    dry_run: bool,
}

/// Arguments of `restore`.
#[derive(Args)]
pub(crate) struct Restore {
    #[command(flatten)]
    one: Move,
    #[command(flatten)]
    exceptions: Exceptions,
}

/// Arguments of `deprecate`.
#[derive(Args)]
pub(crate) struct Move {
    /// The version, as KIND:ID:VERSION
    #[arg(value_name = "REF")]
    reference: ContractRef,
    /// Who does it; a server knows whose token it is
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `invalidate`.
#[derive(Args)]
pub(crate) struct Invalidate {
    /// One version, as KIND:ID:VERSION; everything if left out
    #[arg(value_name = "REF")]
    reference: Option<ContractRef>,
    /// The versions of a kind
    #[arg(long, conflicts_with = "reference")]
    kind: Option<Kind>,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `rule`.
#[derive(Args)]
pub(crate) struct Rule {
    /// The kind, such as CHANGESET or ChangeSetContract; the rule of everything if left out
    kind: Option<Kind>,
    /// The id, for the rule of one contract
    #[arg(value_parser = contract_id)]
    id: Option<Arc<str>>,
    /// The new rule: none, backward, forward or full
    #[arg(long, value_name = "MODE")]
    set: Option<Mode>,
    /// Remove the rule: that of the kind counts again, or that of everything
    #[arg(long, conflicts_with = "set")]
    unset: bool,
    /// Compare with all earlier versions, not only the last active one
    #[arg(long, requires = "set")]
    transitive: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub(super) async fn rule(ask: &Rule, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let scope = match (&ask.kind, &ask.id) {
        (None, _) => RuleScope::All,
        (Some(kind), None) => RuleScope::Kind(kind.clone()),
        (Some(kind), Some(id)) => RuleScope::Contract(kind.clone(), id.clone()),
    };
    let set = ask.set.map(|mode| CompatibilityRule { mode, transitive: ask.transitive });
    if set.is_some() || ask.unset {
        source.registry.set_rule(&scope, set).await.map_err(failure)?;
    }
    let (rule, from) = rule_of(&*source.registry, scope.clone()).await.map_err(failure)?;
    let transitive = if rule.transitive { " transitive" } else { "" };
    let inherited = match from {
        Some(from) if from != scope => format!(" (the rule of {from})"),
        _ => String::new(),
    };
    Ok(writeln!(out, "{}{transitive}{inherited}", rule.mode)?)
}

pub(super) async fn register(ask: &Register, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let contract = read(&ask.file)?;
    let source = ask.registry.open(context).await?;
    let registered = match (&source.server, &ask.created_by) {
        (Some(server), None) => server
            .register((&contract.reference, contract.status), &contract.spec, None, &ask.exceptions.allowed())
            .await
            .map_err(failure)?,
        (None, None) => return Err(Failure::usage("say who registers it, with --created-by")),
        (_, Some(created_by)) => {
            let FileContract { reference, status, spec, .. } = contract;
            let (created_by, allowed) = (created_by.clone(), ask.exceptions.allowed());
            let new = NewContract { reference, status, spec, created_by, allowed };
            hansang_contracts::register(&*source.registry, new).await.map_err(failure)?
        }
    };
    if !registered.created {
        let same = format!("{} was there already, with the same content", registered.header.reference);
        show::warn(&[same]);
    }
    show::warn(&registered.warnings);
    Ok(writeln!(out, "{:#}", show::header(&registered.header))?)
}

pub(super) async fn promote(ask: &Promote, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let Move { reference, registry, .. } = &ask.one;
    if ask.dry_run {
        let source = registry.open(context).await?;
        let allowed = ask.exceptions.allowed();
        let checked = hansang_contracts::check_promotion(&*source.registry, reference, &allowed).await;
        show::warn(&checked.map_err(failure)?);
        return Ok(writeln!(out, "{reference} can be promoted")?);
    }
    let (source, by) = ask.one.open(context).await?;
    let act = Act { by, allowed: ask.exceptions.allowed() };
    moved(hansang_contracts::promote(&*source.registry, reference, act).await, out)
}

pub(super) async fn deprecate(ask: &Move, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let (source, by) = ask.open(context).await?;
    moved(hansang_contracts::deprecate(&*source.registry, &ask.reference, &*by).await, out)
}

pub(super) async fn restore(ask: &Restore, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let (source, by) = ask.one.open(context).await?;
    let act = Act { by, allowed: ask.exceptions.allowed() };
    moved(hansang_contracts::restore(&*source.registry, &ask.one.reference, act).await, out)
}

pub(super) async fn invalidate(
    ask: &Invalidate,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let Some(server) = &source.server else {
        let text = "a command has no cache of its own: name the server whose cache is meant with --server";
        return Err(Failure::usage(text));
    };
    let forget = match (&ask.reference, &ask.kind) {
        (Some(reference), _) => Forget::One(reference),
        (None, Some(kind)) => Forget::Kind(kind),
        (None, None) => Forget::Everything,
    };
    let dropped = server.invalidate(&forget).await.map_err(failure)?;
    Ok(writeln!(out, "forgot {dropped}")?)
}

impl Exceptions {
    pub(super) fn allowed(&self) -> Allowed {
        Allowed { missing: self.allow_missing, incompatible: self.reason.clone() }
    }
}

impl Move {
    /// Opens the registry, and returns the author of the change.
    async fn open(&self, context: &Context) -> Result<(Source, String), Failure> {
        let source = self.registry.open(context).await?;
        let by = match (&source.server, &self.by) {
            (None, Some(by)) => by.clone(),
            (None, None) => return Err(Failure::usage("say who does it, with --by")),
            (Some(_), None) => "the account of the token".to_owned(),
            (Some(_), Some(_)) => {
                let text = "a server writes down whose token it is: leave --by out";
                return Err(Failure::usage(text));
            }
        };
        Ok((source, by))
    }
}

fn moved(moved: Result<Moved, ContractError>, out: &mut dyn Write) -> Result<(), Failure> {
    let Moved { header, warnings } = moved.map_err(failure)?;
    show::warn(&warnings);
    Ok(writeln!(out, "{:#}", show::header(&header))?)
}

/// The contract of a file.
pub(super) fn read(path: &Path) -> Result<FileContract, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
    let wrong = |problems: &[Message]| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Failure::usage(format!("{} is not a contract:\n  {}", path.display(), lines.join("\n  ")))
    };
    let contract =
        ContractFile::read(path.to_owned(), &text).contract.map_err(|problems| wrong(&problems))?;
    let counted = checksum(&contract.spec).map_err(|problem| wrong(&[problem]))?;
    match &contract.checksum {
        Some(written) if !same_checksum(written, &counted) => {
            let text = format!(
                "{} says that its checksum is {written}, and it is {counted}: leave `checksum` out, or have \
                 the file that was meant",
                path.display()
            );
            Err(Failure::Message { text, code: 4 })
        }
        _ => Ok(contract),
    }
}
