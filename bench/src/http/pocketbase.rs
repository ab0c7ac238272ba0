//! A collection of orders in PocketBase, for signed-in users, with an index on the customer.

use serde_json::{Value as Json, json};

use super::client::{Connection, request};
use super::expect;

/// The login of the superuser and of the user.
pub(crate) const LOGIN: (&str, &str) = ("bench@example.com", "a long password");

/// Creates the collection and a user, and returns the user's token.
pub(crate) async fn token(port: u16) -> Result<String, String> {
    let mut connection = Connection::open(port).await?;
    let admin = sign_in(&mut connection, "_superusers").await?;
    let text = |name: &str, max: u32| json!({ "name": name, "type": "text", "required": true, "max": max });
    let signed_in = "@request.auth.id != ''";
    let orders = json!({
        "name": "orders",
        "type": "base",
        "fields": [
            text("customer", 40),
            text("title", 200),
            text("note", 1000),
            text("status", 20),
            { "name": "total", "type": "number", "onlyInt": true, "min": 0 },
            { "name": "created", "type": "autodate", "onCreate": true },
            { "name": "updated", "type": "autodate", "onCreate": true, "onUpdate": true },
        ],
        "indexes": [
            "CREATE INDEX orders_customer ON orders (customer, created)",
            "CREATE INDEX orders_status ON orders (status, created)",
        ],
        "listRule": signed_in, "viewRule": signed_in, "createRule": signed_in,
    });
    post(&mut connection, "/api/collections", &admin, &orders).await?;
    let (email, password) = LOGIN;
    let user = json!({ "email": email, "password": password, "passwordConfirm": password });
    post(&mut connection, "/api/collections/users/records", &admin, &user).await?;
    sign_in(&mut connection, "users").await
}

/// Creates a collection with these records, and returns them.
pub(crate) async fn filled(port: u16, collection: &Json, new: Vec<Json>) -> Result<Vec<Json>, String> {
    let mut connection = Connection::open(port).await?;
    let admin = sign_in(&mut connection, "_superusers").await?;
    post(&mut connection, "/api/collections", &admin, collection).await?;
    let path = format!("/api/collections/{}/records", collection["name"].as_str().unwrap_or_default());
    let mut made = Vec::with_capacity(new.len());
    for record in &new {
        made.push(post(&mut connection, &path, &admin, record).await?);
    }
    Ok(made)
}

async fn sign_in(connection: &mut Connection, collection: &str) -> Result<String, String> {
    let body = json!({ "identity": LOGIN.0, "password": LOGIN.1 });
    let path = format!("/api/collections/{collection}/auth-with-password");
    let answer = post(connection, &path, "", &body).await?;
    answer["token"].as_str().map(str::to_owned).ok_or_else(|| format!("PocketBase gives no token: {answer}"))
}

async fn post(connection: &mut Connection, path: &str, token: &str, body: &Json) -> Result<Json, String> {
    let headers = [("authorization", token)];
    let headers = if token.is_empty() { &[] } else { &headers[..] };
    let answer = connection.send(&request("POST", path, headers, &body.to_string())).await?;
    expect(answer.status, 200).map_err(|problem| {
        format!("PocketBase, {path}: {problem}: {}", String::from_utf8_lossy(&answer.body))
    })?;
    serde_json::from_slice(&answer.body).map_err(|error| error.to_string())
}
