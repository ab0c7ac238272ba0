//! Records by their key or title, through the access patterns of a model.

use hansang_core::db::Ask;
use hansang_core::kind::Kind;
use hansang_core::model::Pattern;
use hansang_core::{Error, Item, Record, Value};

use super::Hit;
use crate::Service;
use crate::console::explore::{of_record, title_of};
use hansang_ui::frame::View;

/// The maximum number of patterns that are read.
const MAX_PATTERNS: usize = 30;
/// The number of records that are read of a pattern with an argument.
const GIVEN: u32 = 5;
/// The number of records that are read of a list, and searched.
const LISTED: u32 = 100;

/// Finds records. A pattern with one text is asked for the text; of a list, the first page is searched.
pub(super) async fn find(service: &dyn Service, view: &View, text: &str) -> Result<Vec<Hit>, Error> {
    let (db, model) = (service.db(), service.db().model());
    let (reserved, role) = (service.reserved(), view.role_in(&model.name));
    let mut hits: Vec<Hit> = Vec::new();
    let readable = model.patterns.iter().filter(|pattern| reserved.may_query(role, pattern));
    let asked = readable.filter_map(|pattern| Some((pattern, argument(pattern, text)?)));
    for (pattern, arguments) in asked.take(MAX_PATTERNS) {
        let listed = arguments.is_empty();
        let limit = Some(if listed { LISTED } else { GIVEN });
        let page = match db.query(&pattern.name, arguments, Ask { limit, ..Ask::default() }).await {
            Ok(page) => page,
            // The text is no value of the argument.
            Err(error) if error.kind == hansang_core::ErrorKind::Invalid => continue,
            Err(error) => return Err(error),
        };
        for record in page.records.iter().filter(|record| !listed || contains(record, text)) {
            let kind = record.entity.plural_in(view.language);
            let detail = model.title_in(view.language);
            let hit = Hit::new(
                kind,
                title_of(record, &view.reader),
                detail,
                of_record(&model.name, &record.entity, "record", &record.fields),
            );
            if !hits.contains(&hit) {
                hits.push(hit);
            }
        }
    }
    Ok(hits)
}

/// The arguments of a pattern for a text; `None` if it takes something else.
fn argument(pattern: &Pattern, text: &str) -> Option<Item> {
    if pattern.over.is_some() {
        return None;
    }
    match pattern.given.as_slice() {
        [] => Some(Item::new()),
        [one] if !matches!(one.kind, Kind::Enum(_) | Kind::Lifecycle(_)) => {
            let value = one.kind.from_text(text).ok()?;
            matches!(value, Value::S(_)).then(|| Item::from([(one.name.clone(), value)]))
        }
        _ => None,
    }
}

/// Whether a text field of a record contains a text, in any case.
fn contains(record: &Record, text: &str) -> bool {
    let text = text.to_lowercase();
    record.fields.values().any(|value| value.as_str().is_some_and(|one| one.to_lowercase().contains(&text)))
}
