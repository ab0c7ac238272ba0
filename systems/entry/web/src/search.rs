//! Events and entries as results of a search.

use hansang_core::kind::Kind;
use hansang_core::{Error, ErrorKind};
use hansang_entry::{events, find as find_request};

use crate::Door;
use crate::pages::{event_address, request_address};
use hansang_server::Hit;
use hansang_ui::frame::View;

/// Finds events by title or id and, for operators, an entry by its id.
pub(crate) async fn find(door: &Door, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
    let event = view.say("Event", "이벤트");
    let hits = events::list(&door.entry).await?.into_iter().map(|one| {
        let address = event_address(&one.id);
        Hit::new(event, one.title, one.id, address)
    });
    let mut hits: Vec<Hit> = hits.filter(|hit| hit.contains(text)).collect();
    let is_operator = view.role_in(&door.db.model().name).is_some();
    if is_operator && Kind::Ulid.from_text(text).is_ok() {
        match find_request(&door.entry, text).await {
            Ok(request) => {
                let address = request_address(&request.id);
                hits.push(Hit::new(view.say("Entry", "응모"), request.id, request.event_id, address));
            }
            Err(error) if error.kind == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(hits)
}
