//! Parses pasted text: a spec, or several contracts.

use hansang_contracts::messages::specs;
use hansang_contracts::{ContractFile, read_yaml};
use hansang_core::messages::fields;
use hansang_core::validate::violation;
use hansang_core::value::json::from_plain;
use hansang_core::{Error, Item, Message, Value, message};

/// Parses a spec from JSON or YAML.
pub(super) fn spec(text: &str) -> Result<Item, Error> {
    let wrong = |problem: Message| Error::fields(vec![violation("spec", problem)]);
    if text.trim().is_empty() {
        return Err(wrong(message!(fields::REQUIRED)));
    }
    // JSON is parsed as JSON, because YAML does not allow indentation by tabs.
    let value = match serde_json::from_str(text) {
        Ok(json) => from_plain(&json).map_err(wrong)?,
        Err(_) => read_yaml(text).map_err(|problem| wrong(message!(specs::NOT_JSON_OR_YAML, problem)))?,
    };
    match value {
        Value::M(spec) => Ok(spec),
        _ => Err(wrong(message!(specs::MAP))),
    }
}

/// Splits a text into contracts at lines of `---`, like YAML documents.
pub(super) fn contracts(text: &str) -> Vec<ContractFile> {
    let mut documents = vec![String::new()];
    for line in text.lines() {
        if line.trim_end() == "---" {
            documents.push(String::new());
        } else if let Some(document) = documents.last_mut() {
            document.push_str(line);
            document.push('\n');
        }
    }
    let said = |document: &String| {
        document.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
    };
    let numbered = documents.into_iter().filter(said).enumerate();
    numbered.map(|(place, document)| ContractFile::read((place + 1).to_string().into(), &document)).collect()
}
