//! Contracts as results of a search.

use hansang_contracts::{ContractRegistry, ListAsk};
use hansang_core::Error;

use crate::pages::contract_address;
use hansang_server::Hit;
use hansang_ui::frame::View;

/// The number of versions of a kind that are searched.
const MAX_VERSIONS: u32 = 500;

/// Finds contracts by their id or kind.
pub(crate) async fn find(
    registry: &dyn ContractRegistry,
    view: &View,
    text: &str,
) -> Result<Vec<Hit>, Error> {
    let label = view.say("Contract", "계약");
    let mut hits: Vec<Hit> = Vec::new();
    for kind in registry.kinds().await? {
        let ask = ListAsk { limit: Some(MAX_VERSIONS), ..ListAsk::default() };
        for header in registry.list(&kind, &ask).await?.headers {
            let id = &header.reference.id;
            let hit = Hit::new(label, &**id, kind.as_str(), contract_address(&kind, id));
            if hit.contains(text) && !hits.contains(&hit) {
                hits.push(hit);
            }
        }
    }
    hits.sort_by(|one, other| (&one.title, &one.detail).cmp(&(&other.title, &other.detail)));
    Ok(hits)
}
