//! The only list of the systems of this program.

use std::sync::Arc;

use hansang_command::{Failure, Setting};
use hansang_content_web::ContentSystem;
use hansang_contracts_web::ContractsSystem;
use hansang_core::Model;
use hansang_documents_web::DocumentsSystem;
use hansang_entry_web::EntrySystem;
use hansang_ledger_web::LedgerSystem;
use hansang_server::System;

use crate::config::SERVER_SETTINGS;
use crate::model::source;

/// All systems, in the order of the console.
pub(crate) fn all() -> [Arc<dyn System>; 5] {
    [
        Arc::new(ContentSystem),
        Arc::new(LedgerSystem),
        Arc::new(EntrySystem),
        Arc::new(DocumentsSystem),
        Arc::new(ContractsSystem),
    ]
}

/// The settings of the server, followed by those of the systems.
pub(crate) fn settings() -> Vec<Setting> {
    let systems = all();
    let own = systems.iter().flat_map(|system| system.settings());
    SERVER_SETTINGS.iter().chain(own).copied().collect()
}

/// A system and its own model.
pub(crate) type Owner = (Arc<dyn System>, Model);

/// The system that a model belongs to: its own model has the same name and table.
pub(crate) fn of_model(model: &Model) -> Result<Option<Owner>, Failure> {
    for system in all() {
        let own = source::built_in(system.model())?;
        if model.name == own.name && model.table.name == own.table.name {
            return Ok(Some((system, own)));
        }
    }
    Ok(None)
}
