//! The slices of specs: their types, and whether the rule set of a view has them.

use std::collections::BTreeSet;
use std::sync::Arc;

use hansang_core::message::{Argument, Message};
use hansang_core::validate::Violation;
use hansang_core::{Item, Value, message};

use crate::body::rule_set::part_name;
use crate::messages::specs;
use crate::references::Reference;
use crate::{Contract, ContractError, ContractRef, ContractRegistry, Kind, Known, Status, Wanted};

/// The slice types that every spec may use.
pub const SLICE_TYPES: [&str; 15] = [
    "CORE",
    "JOINED",
    "DERIVED",
    "PRICE",
    "INVENTORY",
    "MEDIA",
    "CATEGORY",
    "PROMOTION",
    "REVIEW",
    "CUSTOM",
    "INDEX",
    "ENRICHED",
    "NOTICE",
    "ASSOCIATED",
    "BRAND",
];

/// The member of an entity schema with further slice types.
const DECLARED: &str = "sliceTypes";

/// The problems with the slices of a spec.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Slices whose type is not known.
    pub(crate) unknown: Vec<Violation>,
    /// Slices of a view that its rule set does not have.
    pub(crate) lacking: Vec<Violation>,
}

/// Checks the slices of a spec that refers to these contracts. Those of a view must be slices of its rule set; all others must
/// have a known type, or one that a contract to which the spec refers declares or has.
pub(crate) async fn check(
    registry: &dyn ContractRegistry,
    kind: &Kind,
    spec: &Item,
    named: &[Reference],
) -> Result<Found, ContractError> {
    let slices = slices(kind, spec);
    if kind.known() == Some(Known::ViewDefinition) {
        let is_rules =
            |one: &&Reference| one.path == "ruleSetRef" && one.kind.known() == Some(Known::RuleSet);
        if let Some(reference) = named.iter().find(is_rules)
            && let Some(rules) = resolve(registry, reference).await?
        {
            let own = of_contract(&rules);
            let name = rules.header.reference.to_string();
            let lacking = slices.into_iter().filter(|(_, slice)| !own.contains(slice));
            let lacking =
                lacking.map(|(path, slice)| wrong(path, message!(specs::LACKING_SLICE, slice, &name)));
            return Ok(Found { unknown: Vec::new(), lacking: lacking.collect() });
        }
    }
    let mut unknown: Vec<(String, String)> =
        slices.into_iter().filter(|(_, slice)| !SLICE_TYPES.contains(&&**slice)).collect();
    for reference in named {
        if unknown.is_empty() {
            break;
        }
        let may_declare = [Known::EntitySchema, Known::RuleSet, Known::ViewDefinition];
        if reference.kind.known().is_some_and(|known| may_declare.contains(&known))
            && let Some(contract) = resolve(registry, reference).await?
        {
            let declared = of_contract(&contract);
            unknown.retain(|(_, slice)| !declared.contains(slice));
        }
    }
    let problem = || message!(specs::UNKNOWN_SLICE, Argument::list(SLICE_TYPES.map(str::to_owned).to_vec()));
    let unknown = unknown.into_iter().map(|(path, _)| wrong(path, problem())).collect();
    Ok(Found { unknown, lacking: Vec::new() })
}

/// The highest served version that a reference accepts.
async fn resolve(
    registry: &dyn ContractRegistry,
    reference: &Reference,
) -> Result<Option<Arc<Contract>>, ContractError> {
    let (kind, id) = (reference.kind.clone(), reference.id.clone());
    let name = match &reference.wanted {
        Wanted::Exact(version) => ContractRef { kind, id, version: version.clone() },
        Wanted::Range(_) => {
            let headers = registry.versions(&kind, &id).await?;
            let fits = |status: Status| {
                headers.iter().rfind(|header| {
                    header.status == status && reference.wanted.allows(&header.reference.version)
                })
            };
            match fits(Status::Active).or_else(|| fits(Status::Deprecated)) {
                Some(header) => header.reference.clone(),
                None => return Ok(None),
            }
        }
    };
    match registry.fetch(&name).await {
        Ok(contract) if contract.header.status == Status::Draft => Ok(None),
        Ok(contract) => Ok(Some(contract)),
        Err(ContractError::NotFound(_)) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The slices that a contract has or declares.
fn of_contract(contract: &Contract) -> BTreeSet<String> {
    let kind = &contract.header.reference.kind;
    match kind.known() {
        Some(Known::EntitySchema) => texts(&contract.spec, DECLARED).map(|(_, slice)| slice).collect(),
        Some(Known::RuleSet) => {
            let named = elements(&contract.spec, "slices").filter_map(|(_, part)| part_name(part));
            let named = named.map(str::to_owned);
            slices(kind, &contract.spec).into_iter().map(|(_, slice)| slice).chain(named).collect()
        }
        _ => slices(kind, &contract.spec).into_iter().map(|(_, slice)| slice).collect(),
    }
}

/// The slices of a spec, each with its path.
fn slices(kind: &Kind, spec: &Item) -> Vec<(String, String)> {
    match kind.known() {
        Some(Known::RuleSet) => {
            let slices = elements(spec, "slices");
            let slices = slices.filter_map(|(path, part)| Some((path, slice_type(part)?.to_owned())));
            let impact = match spec.get("impactMap") {
                Some(Value::M(map)) => Some(map),
                _ => None,
            };
            let impact = impact.into_iter().flat_map(Item::keys);
            slices.chain(impact.map(|slice| (format!("impactMap.{slice}"), slice.to_string()))).collect()
        }
        Some(Known::ViewDefinition) => {
            texts(spec, "requiredSlices").chain(texts(spec, "optionalSlices")).collect()
        }
        Some(Known::SinkRule) => match spec.get("input") {
            Some(Value::M(input)) => {
                texts(input, "sliceTypes").map(|(path, slice)| (format!("input.{path}"), slice)).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The type of a slice of a rule set: its `type`, or its name.
fn slice_type(part: &Value) -> Option<&str> {
    let own = match part {
        Value::M(map) => map.get("type").and_then(Value::as_str).filter(|text| !text.is_empty()),
        _ => None,
    };
    own.or_else(|| part_name(part))
}

fn texts<'s>(spec: &'s Item, list: &'s str) -> impl Iterator<Item = (String, String)> + 's {
    elements(spec, list).filter_map(|(path, value)| Some((path, value.as_str()?.to_owned())))
}

fn elements<'s>(spec: &'s Item, list: &'s str) -> impl Iterator<Item = (String, &'s Value)> + 's {
    let values = match spec.get(list) {
        Some(Value::L(values)) => values.as_slice(),
        _ => &[],
    };
    values.iter().enumerate().map(move |(position, value)| (format!("{list}[{position}]"), value))
}

fn wrong(path: String, problem: Message) -> Violation {
    Violation { attribute: path, problem }
}
