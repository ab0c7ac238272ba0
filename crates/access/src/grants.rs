//! Conversions of grants: stored forms and claims of identity providers.

use std::collections::BTreeMap;

use hansang_core::{Error, message};
use serde_json::Value as Json;

use crate::identity::{EVERYWHERE, Grants, Role};
use crate::messages;
use crate::records;

/// The stored form of grants.
pub(super) fn to_json(grants: &Grants) -> Json {
    grants.0.iter().map(|(system, role)| (system.clone(), Json::from(role.name()))).collect()
}

/// Grants from their stored form.
pub(super) fn from_stored(stored: &BTreeMap<String, String>) -> Result<Grants, Error> {
    let grants = stored.iter().map(|(system, role)| Ok((system.clone(), role.parse()?)));
    grants.collect::<Result<_, Error>>().map(Grants)
}

/// Rejects grants for invalid system names.
pub(super) fn check(grants: &Grants) -> Result<(), Error> {
    match grants.0.keys().find(|system| !is_system(system)) {
        None => Ok(()),
        Some(_) => Err(records::wrong("grants", message!(messages::NOT_SYSTEMS))),
    }
}

/// Adds the grant that one text of a claim names: `viewer` or `ledger:editor`. Ignores other texts, because providers
/// name roles of other programs in the same claim.
pub(super) fn add_claimed(grants: &mut Grants, text: &str) {
    let (system, role) = text.split_once(':').unwrap_or((EVERYWHERE, text));
    if let (true, Ok(role)) = (is_system(system), role.parse::<Role>()) {
        let held = grants.0.entry(system.to_owned()).or_insert(role);
        *held = role.max(*held);
    }
}

fn is_system(name: &str) -> bool {
    let letters = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    name == EVERYWHERE || (!name.starts_with('-') && (1..=64).contains(&name.len()) && letters(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_give_the_highest_named_role() {
        let mut grants = Grants::default();
        for text in ["ledger:editor", "ledger:viewer", "viewer", "offline_access", "Admin", ":admin", "x:y:z"]
        {
            add_claimed(&mut grants, text);
        }
        let expected = [("*".to_owned(), Role::Viewer), ("ledger".to_owned(), Role::Editor)];
        assert_eq!(grants.0, BTreeMap::from(expected));
    }

    #[test]
    fn only_names_of_systems_can_be_granted() {
        let of = |system: &str| Grants(BTreeMap::from([(system.to_owned(), Role::Viewer)]));
        assert!(check(&of("*")).is_ok() && check(&of("ledger-2")).is_ok());
        for system in ["", "Ledger", "-", "**", "a#b", "a b"] {
            assert_eq!(check(&of(system)).unwrap_err().code, "invalid_fields", "{system}");
        }
    }

    #[test]
    fn grants_come_back_from_storage() {
        let grants = Grants(BTreeMap::from([("*".to_owned(), Role::Admin)]));
        let stored = serde_json::from_value(to_json(&grants)).unwrap();
        assert_eq!(from_stored(&stored).unwrap(), grants);
    }
}
