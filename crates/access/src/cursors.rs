//! The secret that signs page cursors: one for all servers of a table.

use hansang_core::{CoreCode, Db, Error};
use serde::Deserialize;
use serde_json::json;

use crate::records;
use crate::secret::Secret;

#[derive(Deserialize)]
struct Stored {
    secret: String,
}

/// Returns the secret that the servers of this table share. The first one to call creates it.
///
/// # Errors
/// Fails if the store does.
pub async fn cursor_secret(db: &Db) -> Result<Secret, Error> {
    if let Some(secret) = stored(db).await? {
        return Ok(secret);
    }
    let new = Secret::random("")?;
    match db.create("CursorSecret", records::item(&json!({ "secret": new.expose() }))?).await {
        Ok(_) => Ok(new),
        // Another server won.
        Err(error) if error.code == CoreCode::AlreadyExists => stored(db).await?.ok_or(error),
        Err(error) => Err(error),
    }
}

async fn stored(db: &Db) -> Result<Option<Secret>, Error> {
    let found: Option<Stored> = records::one(db, "cursorSecret", json!({})).await?;
    Ok(found.map(|stored| Secret::new(stored.secret)))
}
