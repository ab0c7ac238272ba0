//! The references of a version, and whether each is served.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use hansang_contracts::references::{Reference, references};
use hansang_contracts::{Contract, ContractRegistry as _, Header, Kind, Status, Wanted};
use hansang_core::{Error, ErrorKind};

use super::super::{Badge, Contracts, of_contract, of_version};
use hansang_ui::frame::View;

/// A contract that a version refers to.
pub(in super::super) struct Named {
    pub(in super::super) path: String,
    pub(in super::super) text: String,
    /// Its address, if it exists.
    pub(in super::super) address: Option<String>,
    /// The version that a range resolves to now.
    pub(in super::super) means: String,
    pub(in super::super) badge: Badge,
}

/// The maximum number of concurrent lookups.
const MAX_CONCURRENT: usize = 8;

/// A contract without a version.
type Name = (Kind, Arc<str>);

/// The versions of a contract, unless one of them cannot be read.
type Versions = Option<Vec<Header>>;

/// All references of a version, and the invalid ones. An outage is not treated as a missing contract.
pub(super) async fn names(
    contracts: &Contracts,
    contract: &Contract,
    view: &View,
) -> Result<(Vec<Named>, Vec<String>), Error> {
    let found = match references(&contract.header.reference.kind, &contract.spec) {
        Ok(found) => found,
        Err(wrong) => {
            let sentences = wrong.iter().map(|one| view.sentence(one.message()));
            return Ok((Vec::new(), sentences.collect()));
        }
    };
    let wanted: BTreeSet<Name> = found.iter().map(|one| (one.kind.clone(), one.id.clone())).collect();
    let read = stream::iter(wanted).map(|name| async {
        let versions = versions(contracts, &name).await?;
        Ok::<_, Error>((name, versions))
    });
    let known: BTreeMap<Name, Versions> = read.buffered(MAX_CONCURRENT).try_collect().await?;
    let named = |one: Reference| {
        let versions = known.get(&(one.kind.clone(), one.id.clone())).and_then(Option::as_ref);
        named(view, &one, versions)
    };
    Ok((found.into_iter().map(named).collect(), Vec::new()))
}

async fn versions(contracts: &Contracts, (kind, id): &Name) -> Result<Versions, Error> {
    match contracts.read("versions", contracts.registry.versions(kind, id)).await {
        Ok(headers) => Ok(Some(headers)),
        Err(error) if matches!(error.kind, ErrorKind::Conflict | ErrorKind::Corrupt) => Ok(None),
        Err(error) => Err(error),
    }
}

fn named(view: &View, reference: &Reference, versions: Option<&Vec<Header>>) -> Named {
    let will_do =
        versions.into_iter().flatten().filter(|one| reference.wanted.allows(&one.reference.version));
    // Served versions come first, then the highest one.
    let rank = |status: Status| {
        [Status::Draft, Status::Deprecated, Status::Active].iter().position(|one| *one == status)
    };
    let best = will_do.max_by_key(|one| (rank(one.status), one.reference.version.clone()));
    let bad = |text| Badge { text, class: "bad" };
    let badge = match (versions, best) {
        (None, _) => bad(view.say("Unreadable", "읽을 수 없음")),
        (_, None) => bad(view.say("Missing", "없음")),
        (_, Some(best)) => Badge::of(view, best.status),
    };
    let address = match (versions, best) {
        (_, Some(best)) => Some(of_version("version", &best.reference)),
        (Some(all), None) if all.is_empty() => None,
        _ => Some(of_contract("contract", &reference.kind, &reference.id)),
    };
    Named {
        path: reference.path.clone(),
        text: reference.to_string(),
        address,
        means: match (&reference.wanted, best) {
            (Wanted::Range(_), Some(best)) => best.reference.version.to_string(),
            _ => String::new(),
        },
        badge,
    }
}
