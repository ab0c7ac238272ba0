//! The comparison of two registries: where they would answer differently.

use std::collections::BTreeMap;

use crate::checksum::same_checksum;
use crate::{ContractError, ContractRef, ContractRegistry, Header};

/// Something about which two registries disagree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// The contract, if at least its name can be read.
    pub reference: Option<ContractRef>,
    /// Where it is: a key or a file, of the first registry that has it.
    pub place: String,
    /// What the two say.
    pub message: String,
}

/// Reads everything of both registries and tells every difference, in the order of names.
///
/// # Errors
/// An outage of either: what could not be read can neither agree nor disagree.
pub async fn compare(
    one: &dyn ContractRegistry,
    other: &dyn ContractRegistry,
) -> Result<Vec<Disagreement>, ContractError> {
    let (one, mut other) = (Side::read(one).await?, Side::read(other).await?);
    let mut all = Vec::new();
    for (reference, (place, here)) in one.named {
        let mut add = |message: String| {
            let reference = Some(reference.clone());
            all.push(Disagreement { reference, place: place.clone(), message });
        };
        match other.named.remove(&reference) {
            None => add("only the first registry has it".to_owned()),
            Some((_, there)) => differences(&here, &there).into_iter().for_each(add),
        }
    }
    for (reference, (place, _)) in other.named {
        let message = "only the second registry has it".to_owned();
        all.push(Disagreement { reference: Some(reference), place, message });
    }
    for (which, nameless) in [("first", one.nameless), ("second", other.nameless)] {
        all.extend(nameless.into_iter().map(|(place, error)| {
            let message = format!("the {which} registry cannot say what this is: {error}");
            Disagreement { reference: None, place, message }
        }));
    }
    all.sort();
    Ok(all)
}

/// What a registry says about a version.
type Answer = Result<Header, ContractError>;

/// Everything that a registry has. Checksums stand for specs: both were checked.
#[derive(Default)]
struct Side {
    named: BTreeMap<ContractRef, (String, Answer)>,
    nameless: Vec<(String, ContractError)>,
}

impl Side {
    async fn read(registry: &dyn ContractRegistry) -> Result<Self, ContractError> {
        let mut side = Self::default();
        let mut from = None;
        loop {
            let page = registry.walk(from.as_deref()).await?;
            for found in page.found {
                side.add(found.place, found.contract.map(|contract| contract.header.clone()))?;
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(side),
            }
        }
    }

    fn add(&mut self, place: String, answer: Answer) -> Result<(), ContractError> {
        let reference = match &answer {
            Ok(header) => header.reference.clone(),
            Err(
                ContractError::NotFound(reference)
                | ContractError::Corrupted { reference, .. }
                | ContractError::Integrity { reference, .. },
            ) => reference.clone(),
            Err(outage @ ContractError::Unavailable(_)) => return Err(outage.clone()),
            Err(error @ ContractError::Refused(_)) => {
                self.nameless.push((place, error.clone()));
                return Ok(());
            }
        };
        self.named.insert(reference, (place, answer));
        Ok(())
    }
}

fn differences(one: &Answer, other: &Answer) -> Vec<String> {
    match (one, other) {
        (Ok(one), Ok(other)) => headers(one, other),
        (Err(one), Err(other)) if cause(one) == cause(other) => Vec::new(),
        (one, other) => {
            let told = |answer: &Answer| match answer {
                Ok(_) => "has it".to_owned(),
                Err(error) => format!("says: {error}"),
            };
            vec![format!("the first registry {}; the second {}", told(one), told(other))]
        }
    }
}

/// Who made a version and when is not known to every registry.
fn headers(one: &Header, other: &Header) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |what: &str, one: String, other: String| {
        all.push(format!("its {what} is {one} in the first registry and {other} in the second"));
    };
    if !same_checksum(&one.checksum, &other.checksum) {
        add("checksum", one.checksum.clone(), other.checksum.clone());
    }
    if one.status != other.status {
        add("status", one.status.to_string(), other.status.to_string());
    }
    if let (Some(one), Some(other)) = (one.created_at, other.created_at)
        && one != other
    {
        add("createdAt", one.to_string(), other.to_string());
    }
    if let (Some(one), Some(other)) = (&one.created_by, &other.created_by)
        && one != other
    {
        add("createdBy", one.clone(), other.clone());
    }
    all
}

/// What kind of failure it is: reasons may be told in other words.
fn cause(error: &ContractError) -> &'static str {
    match error {
        ContractError::NotFound(_) => "not found",
        ContractError::Corrupted { .. } => "corrupted",
        ContractError::Integrity { .. } => "integrity",
        ContractError::Unavailable(_) => "unavailable",
        ContractError::Refused(_) => "refused",
    }
}
