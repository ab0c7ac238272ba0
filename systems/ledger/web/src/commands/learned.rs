//! The command that prints what imports have learned, after forgetting some of it.

use std::io::Write;

use clap::Args;
use hansang_command::{Context, Failure};
use hansang_ledger::import::{forget_merchant, forget_source, learned as read_learned};

use super::open;
use super::place::{Place, PlaceArguments, json as json_of};
use super::show::{self, all, entry, text};
use crate::api::output::ShownLearned;

/// Arguments of `learned`.
#[derive(Args)]
pub(super) struct Learned {
    /// Forget the columns of a source
    #[arg(long, value_name = "NAME")]
    forget_source: Vec<String>,
    /// Forget where a merchant belongs
    #[arg(long, value_name = "MERCHANT")]
    forget_merchant: Vec<String>,
    #[command(flatten)]
    place: PlaceArguments,
}

pub(super) async fn learned(ask: &Learned, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
    let place = open(&ask.place, context).await?;
    for source in &ask.forget_source {
        match &place {
            Place::Table(ledger, _) => forget_source(ledger, source).await?,
            Place::Server(remote) => remote.delete(&["learned", "sources", source]).await?,
        }
    }
    for merchant in &ask.forget_merchant {
        match &place {
            Place::Table(ledger, _) => forget_merchant(ledger, merchant).await?,
            Place::Server(remote) => remote.delete(&["learned", "merchants", merchant]).await?,
        }
    }
    let shown = match &place {
        Place::Table(ledger, _) => json_of(ShownLearned::from(read_learned(ledger).await?))?,
        Place::Server(remote) => remote.get(&["learned"], &[]).await?,
    };
    if ask.place.json {
        return show::json(out, &shown);
    }
    for source in all(&shown, "sources") {
        writeln!(out, "source    {}", text(source))?;
    }
    for merchant in all(&shown, "merchants") {
        let place =
            if merchant["entry"].is_object() { entry(&merchant["entry"]) } else { "never".to_owned() };
        writeln!(out, "merchant  {} {place}", text(&merchant["merchant"]))?;
    }
    Ok(())
}
