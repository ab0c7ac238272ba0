//! An example site.

use hansang_command::Failure;
use hansang_core::value::json::item_from_plain;

use crate::desk::Desk;

/// Fills an empty table.
pub(crate) async fn fill(desk: &Desk) -> Result<(), Failure> {
    for line in include_str!("demo.jsonl").lines() {
        let mut json: serde_json::Value =
            serde_json::from_str(line).map_err(|_| Failure::internal("the example records of content"))?;
        let entity = json.as_object_mut().and_then(|members| members.remove("$entity")).unwrap_or_default();
        let fields =
            item_from_plain(&json).map_err(|_| Failure::internal("the example records of content"))?;
        desk.content.db.put(entity.as_str().unwrap_or_default(), fields, None).await?;
    }
    Ok(())
}
