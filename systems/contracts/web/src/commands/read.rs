//! Reading: one version, the latest one, and lists.

use std::io::Write;

use clap::Args;
use hansang_contracts::messages::errors;
use hansang_contracts::{ContractCode, ListAsk, Status};
use hansang_core::{Error, message};
use serde_json::{Value as Json, json};

use super::failure;
use super::{Contract, ContractRef, Kind, RegistryArguments, Wanted, contract_id, show};
use hansang_command::{Context, Failure};

/// Arguments of `get`.
#[derive(Args)]
pub(crate) struct Get {
    /// The version, as KIND:ID:VERSION
    #[arg(value_name = "REF")]
    reference: ContractRef,
    /// Also if it is a draft
    #[arg(long)]
    draft: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `list`.
#[derive(Args)]
pub(crate) struct List {
    /// The kind, such as CHANGESET or ChangeSetContract
    kind: Kind,
    /// Only versions with this status: DRAFT, ACTIVE or DEPRECATED
    #[arg(long)]
    status: Option<Status>,
    /// The most versions of a page
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u32>,
    /// The page, if not the first: `next` of the one before
    #[arg(long)]
    cursor: Option<String>,
    /// Print every page, a version a line
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `latest`.
#[derive(Args)]
pub(crate) struct Latest {
    /// The kind, such as CHANGESET or ChangeSetContract
    kind: Kind,
    /// The id
    #[arg(value_parser = contract_id)]
    id: std::sync::Arc<str>,
    /// Only versions that will do, such as ^1.2
    #[arg(long)]
    range: Option<Wanted>,
    /// Also pre-releases, such as 1.2.0-rc.1
    #[arg(long)]
    pre_release: bool,
    #[command(flatten)]
    registry: RegistryArguments,
}

/// Arguments of `history`.
#[derive(Args)]
pub(crate) struct History {
    /// The version, as KIND:ID:VERSION
    #[arg(value_name = "REF")]
    reference: ContractRef,
    #[command(flatten)]
    registry: RegistryArguments,
}

pub(super) async fn history(ask: &History, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let changes = source.registry.history(&ask.reference).await.map_err(failure)?;
    let rows = changes.into_iter().map(|change| {
        vec![
            change.at.to_string(),
            change.from.map_or("-", Status::name).to_owned(),
            change.to.to_string(),
            change.by,
            change.reason.unwrap_or_default(),
        ]
    });
    Ok(show::table(&rows.collect::<Vec<_>>(), out)?)
}

pub(super) async fn get(ask: &Get, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let found = if ask.draft {
        source.registry.fetch(&ask.reference).await.map_err(failure)?
    } else {
        source.registry.load(&ask.reference).await.map_err(failure)?
    };
    if found.header.status == Status::Deprecated {
        show::warn(&[format!("{} is deprecated", ask.reference)]);
    }
    Ok(writeln!(out, "{:#}", show::contract(&found))?)
}

pub(super) async fn list(ask: &List, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let mut page = ListAsk { status: ask.status, limit: ask.limit, cursor: ask.cursor.clone() };
    loop {
        let found = source.registry.list(&ask.kind, &page).await.map_err(failure)?;
        let items: Vec<Json> = found.headers.iter().map(show::header).collect();
        if !ask.all {
            return Ok(writeln!(out, "{:#}", json!({ "items": items, "next": found.next }))?);
        }
        for item in items {
            writeln!(out, "{item}")?;
        }
        match found.next {
            Some(_) => page.cursor = found.next,
            None => return Ok(()),
        }
    }
}

pub(super) async fn latest(ask: &Latest, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let range = ask.range.as_ref();
    let found = hansang_contracts::latest(&*source.registry, &ask.kind, &ask.id, range, ask.pre_release);
    let found = found.await.map_err(failure)?;
    Ok(writeln!(out, "{:#}", show::contract(&found))?)
}

pub(super) async fn versions(ask: &Contract, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let headers = source.registry.versions(&ask.kind, &ask.id).await.map_err(failure)?;
    if headers.is_empty() {
        let message = message!(errors::NO_VERSIONS, ask.kind.as_str(), &*ask.id);
        return Err(Error::not_found(ContractCode::ContractNotFound, message).into());
    }
    let rows = headers.into_iter().map(|header| {
        vec![
            header.reference.version.to_string(),
            header.status.to_string(),
            header.checksum,
            header.created_at.map(|at| at.to_string()).unwrap_or_default(),
            header.created_by.unwrap_or_default(),
        ]
    });
    Ok(show::table(&rows.collect::<Vec<_>>(), out)?)
}

pub(super) async fn referrers(ask: &Contract, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let source = ask.registry.open(context).await?;
    let referrers = source.registry.referrers(&ask.kind, &ask.id).await.map_err(failure)?;
    let rows: Vec<_> =
        referrers.iter().map(|one| vec![one.from.to_string(), one.wanted.join(", ")]).collect();
    Ok(show::table(&rows, out)?)
}

pub(super) async fn kinds(
    registry: &RegistryArguments,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    for kind in registry.open(context).await?.registry.kinds().await.map_err(failure)? {
        writeln!(out, "{kind}")?;
    }
    Ok(())
}
