//! Compares two registries.

use std::collections::BTreeMap;

use hansang_core::{Error, Message, message};

use crate::checksum::same_checksum;
use crate::messages::errors;
use crate::{ContractError, ContractRef, ContractRegistry, Header};

/// A difference between two registries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The version, if its name can be read.
    pub reference: Option<ContractRef>,
    /// Its key or file in the first registry that has it.
    pub location: String,
    /// The difference.
    pub message: Message,
}

/// Reads all versions of both registries and returns every difference, sorted by name.
///
/// # Errors
/// If either registry is unavailable.
pub async fn compare(
    one: &dyn ContractRegistry,
    other: &dyn ContractRegistry,
) -> Result<Vec<Disagreement>, ContractError> {
    let (one, mut other) = (Side::read(one).await?, Side::read(other).await?);
    let mut all = Vec::new();
    for (reference, (location, here)) in one.named {
        let mut add = |message: Message| {
            let reference = Some(reference.clone());
            all.push(Disagreement { reference, location: location.clone(), message });
        };
        match other.named.remove(&reference) {
            None => add(message!(errors::ONLY_IN_FIRST)),
            Some((_, there)) => differences(&here, &there).into_iter().for_each(add),
        }
    }
    for (reference, (location, _)) in other.named {
        let message = message!(errors::ONLY_IN_SECOND);
        all.push(Disagreement { reference: Some(reference), location, message });
    }
    for (phrase, nameless) in
        [(&errors::FIRST_UNREADABLE, one.nameless), (&errors::SECOND_UNREADABLE, other.nameless)]
    {
        all.extend(nameless.into_iter().map(|(location, error)| {
            let message = Message::new(phrase, vec![Error::from(error).message.into()]);
            Disagreement { reference: None, location, message }
        }));
    }
    all.sort_by_cached_key(|one| (one.reference.clone(), one.location.clone(), one.message.to_string()));
    Ok(all)
}

/// The result of reading a version.
type Outcome = Result<Header, ContractError>;

/// All versions of a registry. Equal checksums mean equal specs, because both were verified.
#[derive(Default)]
struct Side {
    named: BTreeMap<ContractRef, (String, Outcome)>,
    nameless: Vec<(String, ContractError)>,
}

impl Side {
    async fn read(registry: &dyn ContractRegistry) -> Result<Self, ContractError> {
        let mut side = Self::default();
        let mut from = None;
        loop {
            let page = registry.walk(from.as_deref()).await?;
            for found in page.found {
                side.add(found.location, found.contract.map(|contract| contract.header.clone()))?;
            }
            match page.next {
                Some(next) => from = Some(next),
                None => return Ok(side),
            }
        }
    }

    fn add(&mut self, location: String, outcome: Outcome) -> Result<(), ContractError> {
        let reference = match &outcome {
            Ok(header) => header.reference.clone(),
            Err(
                ContractError::NotFound(reference)
                | ContractError::Corrupted { reference, .. }
                | ContractError::Integrity { reference, .. },
            ) => reference.clone(),
            Err(outage @ ContractError::Unavailable(_)) => return Err(outage.clone()),
            Err(error @ ContractError::Refused(_)) => {
                self.nameless.push((location, error.clone()));
                return Ok(());
            }
        };
        self.named.insert(reference, (location, outcome));
        Ok(())
    }
}

fn differences(one: &Outcome, other: &Outcome) -> Vec<Message> {
    match (one, other) {
        (Ok(one), Ok(other)) => headers(one, other),
        (Err(one), Err(other)) if cause(one) == cause(other) => Vec::new(),
        (one, other) => {
            let describe = |outcome: &Outcome| match outcome {
                Ok(_) => message!(errors::HAS_IT),
                Err(error) => message!(errors::SAYS, Error::from(error.clone()).message),
            };
            vec![message!(errors::DIFFERENT_OUTCOMES, describe(one), describe(other))]
        }
    }
}

/// Compares the author and the creation time only if both registries have them.
fn headers(one: &Header, other: &Header) -> Vec<Message> {
    let mut all = Vec::new();
    let mut add = |what: &str, one: String, other: String| {
        all.push(message!(errors::DIFFERENT_HEADER, what, one, other));
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

/// The variant of an error; its reason may be worded differently.
fn cause(error: &ContractError) -> &'static str {
    match error {
        ContractError::NotFound(_) => "not found",
        ContractError::Corrupted { .. } => "corrupted",
        ContractError::Integrity { .. } => "integrity",
        ContractError::Unavailable(_) => "unavailable",
        ContractError::Refused(_) => "refused",
    }
}
