//! The measured servers and their requests.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::client::{Answer, Connection, request};
use super::{PAGE, expect};

/// A measured server.
#[derive(Clone)]
pub(crate) struct Peer {
    pub(crate) port: u16,
    /// The status of a create.
    pub(crate) created: u16,
    authorization: Option<String>,
    create: &'static str,
    get: fn(&Json) -> String,
    list: fn(u64) -> String,
}

impl Peer {
    pub(crate) fn hansang(port: u16, token: &str) -> Self {
        Self {
            port,
            created: 201,
            authorization: Some(format!("Bearer {token}")),
            create: "/api/orders/entities/Order",
            get: |order| {
                format!("/api/orders/entities/Order/{}/{}", part(order, "customer"), part(order, "orderId"))
            },
            list: |customer| {
                format!("/api/orders/patterns/ordersOfCustomer?customer=C{customer}&limit={PAGE}")
            },
        }
    }

    pub(crate) fn fastapi(port: u16) -> Self {
        Self {
            port,
            created: 201,
            authorization: None,
            create: "/orders",
            get: |order| format!("/customers/{}/orders/{}", part(order, "customer"), part(order, "orderId")),
            list: |customer| format!("/customers/C{customer}/orders?limit={PAGE}"),
        }
    }

    pub(crate) fn pocketbase(port: u16, token: &str) -> Self {
        Self {
            port,
            created: 200,
            authorization: Some(token.to_owned()),
            create: "/api/collections/orders/records",
            get: |order| format!("/api/collections/orders/records/{}", part(order, "id")),
            list: |customer| {
                let filter = format!("filter=customer%3D%27C{customer}%27&sort=created");
                format!("/api/collections/orders/records?{filter}&perPage={PAGE}&skipTotal=1")
            },
        }
    }

    /// A route that does nothing but return the bytes of a Hansang response: the limit for gets and lists.
    pub(crate) fn bare(port: u16) -> Self {
        let (get, list) = (|_: &Json| "/get".to_owned(), |_| "/list".to_owned());
        Self { port, created: 201, authorization: None, create: "", get, list }
    }

    pub(crate) fn create(&self, customer: u64, number: u64) -> String {
        self.request("POST", self.create, &order(customer, number).to_string())
    }

    /// Reads an order, which a create has returned.
    pub(crate) fn get(&self, order: &Json) -> String {
        self.request("GET", &(self.get)(order), "")
    }

    /// Changes the total of an order of Hansang.
    pub(crate) fn update(&self, order: &Json, total: u64) -> String {
        self.request("PATCH", &(self.get)(order), &json!({ "total": total }).to_string())
    }

    /// Deletes an order of Hansang.
    pub(crate) fn delete(&self, order: &Json) -> String {
        self.request("DELETE", &(self.get)(order), "")
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

fn part<'j>(order: &'j Json, name: &str) -> &'j str {
    order[name].as_str().unwrap_or_default()
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
