//! The server in front of Redis, in a separate process: axum, token verification, one call of the script.

use std::sync::Arc;
use std::time::Duration;

use axum::Json as Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::{get, post};
use axum::serve::ListenerExt as _;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Script};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::EVENT;
use super::people::{AUDIENCE, ISSUER};

/// The response timeout of Redis, longer than the default of the library because of the load.
const PATIENCE: Duration = Duration::from_secs(30);
/// The number of locks that are read at once when they are counted.
const PAGE: usize = 1000;

struct Peer {
    redis: MultiplexedConnection,
    script: Script,
    /// The public keys by name.
    known: Vec<(String, DecodingKey)>,
    validation: Validation,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

/// Serves until it is killed. The arguments are its port, the port of Redis, a file with keys, and the number of seats.
pub(crate) fn run(arguments: Vec<String>) -> Result<(), String> {
    let [port, redis, keys, seats] = &*arguments else {
        return Err("entry-redis-peer is started by `bench/run entry`".to_owned());
    };
    let number = |text: &str| text.parse::<u16>().map_err(|_| format!("`{text}` is no port"));
    let (port, redis) = (number(port)?, number(redis)?);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let peer = Arc::new(Peer::connect(redis, keys, seats).await.map_err(|error| error.to_string())?);
        let router = axum::Router::new()
            .route("/events/{event}/entries", post(enter))
            .route("/events/{event}/results", get(results))
            .with_state(peer);
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.map_err(|error| error.to_string())?.tap_io(|stream| {
            // A failure only adds latency.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await.map_err(|error| error.to_string())
    })
}

impl Peer {
    async fn connect(port: u16, keys: &str, seats: &str) -> Result<Self, Box<dyn std::error::Error>> {
        let client = redis::Client::open(format!("redis://127.0.0.1:{port}/"))?;
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(PATIENCE));
        let mut redis = client.get_multiplexed_async_connection_with_config(&config).await?;
        let _: () = redis::cmd("SET").arg(capacity(EVENT)).arg(seats).query_async(&mut redis).await?;
        let keys: JwkSet = serde_json::from_slice(&std::fs::read(keys)?)?;
        let mut known = Vec::new();
        for key in &keys.keys {
            known.push((key.common.key_id.clone().unwrap_or_default(), DecodingKey::from_jwk(key)?));
        }
        let mut validation = Validation::new(Algorithm::RS256);
        validation.set_issuer(&[ISSUER]);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
        let script = Script::new(include_str!("../../entry/enter.lua"));
        Ok(Self { redis, script, known, validation })
    }

    /// Returns the user of the token.
    fn user(&self, headers: &HeaderMap) -> Option<String> {
        let token = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
        let kid = decode_header(token).ok()?.kid?;
        let (_, key) = self.known.iter().find(|(name, _)| *name == kid)?;
        decode::<Claims>(token, key, &self.validation).ok().map(|token| token.claims.sub)
    }
}

async fn enter(
    State(peer): State<Arc<Peer>>,
    Path(event): Path<String>,
    headers: HeaderMap,
) -> Result<(StatusCode, Body<Json>), StatusCode> {
    let user = peer.user(&headers).ok_or(StatusCode::UNAUTHORIZED)?;
    let mut call = peer.script.prepare_invoke();
    call.key(format!("lock:{event}:{user}")).key(capacity(&event)).arg(uuid::Uuid::new_v4().to_string());
    let answer = call.invoke_async::<(String, bool)>(&mut peer.redis.clone()).await;
    let (accepted, duplicate) = answer.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    let (request, status) = accepted.split_once(' ').unwrap_or_default();
    let body = json!({ "requestId": request, "status": status, "duplicate": duplicate });
    Ok((StatusCode::ACCEPTED, Body(body)))
}

/// Counts the results of all locks.
async fn results(State(peer): State<Arc<Peer>>, Path(event): Path<String>) -> Result<Body<Json>, StatusCode> {
    let counted = count(&mut peer.redis.clone(), &event).await;
    let [winners, rejected, others] = counted.map_err(|_| StatusCode::SERVICE_UNAVAILABLE)?;
    Ok(Body(json!({ "SUCCEEDED": winners, "REJECTED": rejected, "others": others })))
}

async fn count(redis: &mut MultiplexedConnection, event: &str) -> redis::RedisResult<[u64; 3]> {
    let mut counts = [0; 3];
    let mut cursor = 0_u64;
    loop {
        let mut scan = redis::cmd("SCAN");
        scan.arg(cursor).arg("MATCH").arg(format!("lock:{event}:*")).arg("COUNT").arg(PAGE);
        let (next, locks): (u64, Vec<String>) = scan.query_async(redis).await?;
        if !locks.is_empty() {
            let ended: Vec<String> = redis::cmd("MGET").arg(locks).query_async(redis).await?;
            for result in ended {
                let outcome = match result.split_once(' ') {
                    Some((_, "SUCCEEDED")) => 0,
                    Some((_, "REJECTED")) => 1,
                    _ => 2,
                };
                counts[outcome] += 1;
            }
        }
        if next == 0 {
            return Ok(counts);
        }
        cursor = next;
    }
}

fn capacity(event: &str) -> String {
    format!("capacity:{event}")
}
