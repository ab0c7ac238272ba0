//! The two servers and their requests.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::client::{Answer, Connection, request};
use super::{PAGE, expect};

/// A measured server.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) port: u16,
    authorization: Option<String>,
    create: &'static str,
    list: fn(u64) -> String,
}

impl Peer {
    pub(crate) fn hansang(port: u16, token: &str) -> Self {
        Self {
            port,
            authorization: Some(format!("Bearer {token}")),
            create: "/api/orders/entities/Order",
            list: |customer| {
                format!("/api/orders/patterns/ordersOfCustomer?customer=C{customer}&limit={PAGE}")
            },
        }
    }

    pub(crate) fn fastapi(port: u16) -> Self {
        Self {
            port,
            authorization: None,
            create: "/orders",
            list: |customer| format!("/customers/C{customer}/orders?limit={PAGE}"),
        }
    }

    pub(crate) fn create(&self, customer: u64, number: u64) -> String {
        self.request("POST", self.create, &order(customer, number).to_string())
    }

    pub(crate) fn list(&self, customer: u64) -> String {
        self.request("GET", &(self.list)(customer), "")
    }

    /// Many orders in one request, one per line.
    pub(crate) fn import(&self, lines: &str) -> String {
        self.request("POST", "/api/orders/import?format=records", lines)
    }

    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let header = self.authorization.as_deref().map(|value| ("authorization", value));
        request(method, path, header.as_slice(), body)
    }
}

/// The body of an order, about 300 bytes.
pub(crate) fn order(customer: u64, number: u64) -> Json {
    json!({
        "customer": format!("C{customer}"),
        "title": format!("Order number {number} of a customer"),
        "note": "x".repeat(150),
        "status": "PAID",
        "total": number % 10_000,
    })
}

/// Creates the first administrator of a Hansang server, and a token.
pub(crate) async fn token(port: u16, said: &Path) -> Result<String, String> {
    let secret = set_up_key(said).await?;
    let mut connection = Connection::open(port).await?;
    let body = json!({ "secret": secret, "login": "bench", "name": "Bench", "password": "a long password" });
    let made = connection.send(&request("POST", "/api/access/set-up", &[], &body.to_string())).await?;
    expect(made.status, 201)?;
    let cookie = made.headers.iter().find(|(name, _)| name == "set-cookie").map(|(_, value)| value.as_str());
    let cookie = cookie.and_then(|value| value.split(';').next()).ok_or("no session")?;
    let csrf = text(&made, "csrf")?;
    #[allow(clippy::disallowed_methods, reason = "the server uses the real time")]
    let expires = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(24)).to_string();
    let body = json!({ "name": "bench", "grants": { "*": "admin" }, "expires": expires });
    let headers = [("cookie", cookie), ("x-csrf-token", csrf.as_str())];
    let made = connection.send(&request("POST", "/api/access/tokens", &headers, &body.to_string())).await?;
    expect(made.status, 201)?;
    text(&made, "secret")
}

/// Reads the key of the set-up link, which the server prints once it listens.
async fn set_up_key(said: &Path) -> Result<String, String> {
    let began = Instant::now();
    loop {
        let said = std::fs::read_to_string(said).map_err(|error| error.to_string())?;
        if let Some((key, _)) = said.split_once("set-up?key=").and_then(|(_, rest)| rest.split_once('\n')) {
            return Ok(key.to_owned());
        }
        if began.elapsed() > Duration::from_secs(10) {
            return Err(format!("no set-up link: {said}"));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn text(answer: &Answer, name: &str) -> Result<String, String> {
    let json: Json = serde_json::from_slice(&answer.body).map_err(|error| error.to_string())?;
    json[name].as_str().map(str::to_owned).ok_or_else(|| format!("no {name} in {json}"))
}
