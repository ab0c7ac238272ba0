//! A proxy that injects faults by script: the first fault into the first request, and so on. Requests after
//! the script pass.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_aws::{DynamoDb, Settings};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::endpoints;

/// A fault of a request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// None.
    Pass,
    /// Executed; the connection is closed instead of a response.
    LoseResponse,
    /// Executed; no response is sent.
    Hang,
    /// The connection is closed before execution.
    LoseRequest,
    /// Not executed; this response is sent.
    Respond(u16, Json),
    /// The first half of a batch is executed, the rest is unprocessed.
    Half,
    /// All of a batch is unprocessed.
    NoneOfIt,
}

impl Fault {
    /// A DynamoDB error response.
    pub(crate) fn error(status: u16, code: &str) -> Self {
        Self::Respond(
            status,
            json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "spoiled" }),
        )
    }

    /// A cancelled transaction with these reasons.
    pub(crate) fn cancelled(reasons: &[&str]) -> Self {
        let reasons: Vec<Json> =
            reasons.iter().map(|code| json!({ "Code": code, "Message": "spoiled" })).collect();
        let code = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
        Self::Respond(400, json!({ "__type": code, "message": "spoiled", "CancellationReasons": reasons }))
    }
}

/// The proxy and the requests that it received.
#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    url: String,
    endpoint: &'static str,
    faults: Arc<Mutex<VecDeque<Fault>>>,
    seen: Arc<Mutex<Vec<Json>>>,
}

impl Proxy {
    /// Starts a proxy before dynoxide, without faults.
    pub(crate) async fn start() -> Self {
        Self::before(endpoints::dynoxide_url()).await
    }

    /// Starts a proxy before this endpoint, without faults.
    pub(crate) async fn before(endpoint: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let proxy = Self { url, endpoint, faults: Arc::default(), seen: Arc::default() };
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let proxy = shared.clone();
                // A connection ends when either side closes it.
                tokio::spawn(async move { drop(proxy.serve(stream).await) });
            }
        });
        proxy
    }

    /// A store behind the proxy, with at most four attempts.
    pub(crate) async fn store(&self) -> DynamoDb {
        DynamoDb::connect(self.settings()).await.unwrap()
    }

    /// Settings for the proxy, with at most four attempts.
    pub(crate) fn settings(&self) -> Settings {
        let attempt_timeout = Some(Duration::from_secs(3));
        Settings { attempts: Some(4), attempt_timeout, ..endpoints::settings(&self.url) }
    }

    /// Sets the faults of the next requests, and forgets earlier requests.
    pub(crate) fn inject(&self, faults: impl IntoIterator<Item = Fault>) {
        *self.faults.lock().unwrap() = faults.into_iter().collect();
        self.seen.lock().unwrap().clear();
    }

    /// Bodies of the requests since [`Proxy::inject`].
    pub(crate) fn seen(&self) -> Vec<Json> {
        self.seen.lock().unwrap().clone()
    }

    async fn serve(&self, stream: TcpStream) -> std::io::Result<()> {
        let mut client = BufReader::new(stream);
        loop {
            let (head, body) = message(&mut client).await?;
            let json: Json = serde_json::from_slice(&body)?;
            self.seen.lock().unwrap().push(json.clone());
            let fault = self.faults.lock().unwrap().pop_front().unwrap_or(Fault::Pass);
            let response = match fault {
                Fault::Pass => self.forward(&head, &body).await?,
                Fault::LoseResponse => {
                    self.forward(&head, &body).await?;
                    return Ok(());
                }
                Fault::Hang => {
                    self.forward(&head, &body).await?;
                    // The client times out and closes the connection.
                    return client.read_u8().await.map(drop);
                }
                Fault::LoseRequest => return Ok(()),
                Fault::Respond(status, json) => response(status, &json),
                Fault::Half => self.part(&head, json, |all| all / 2).await?,
                Fault::NoneOfIt => self.part(&head, json, |_| 0).await?,
            };
            client.get_mut().write_all(&response).await?;
        }
    }

    async fn forward(&self, head: &str, body: &[u8]) -> std::io::Result<Vec<u8>> {
        let address = self.endpoint.strip_prefix("http://").unwrap();
        let mut stream = BufReader::new(TcpStream::connect(address).await?);
        stream.get_mut().write_all(&[head.as_bytes(), body].concat()).await?;
        let (head, body) = message(&mut stream).await?;
        Ok([head.as_bytes(), &body].concat())
    }

    /// Executes a part of a batch, and reports the rest as unprocessed.
    async fn part(
        &self,
        head: &str,
        mut json: Json,
        share: impl Fn(usize) -> usize,
    ) -> std::io::Result<Vec<u8>> {
        let (name, mut wanted) = {
            let tables = json["RequestItems"].as_object().unwrap();
            let (name, wanted) = tables.iter().next().unwrap();
            (name.clone(), wanted.clone())
        };
        let puts = wanted.is_array();
        let place = if puts { &mut wanted } else { &mut wanted["Keys"] };
        let all = place.as_array_mut().unwrap();
        let left = all.split_off(share(all.len()));
        let done = !all.is_empty();
        let mut rest = wanted.clone();
        *(if puts { &mut rest } else { &mut rest["Keys"] }) = Json::Array(left);
        json["RequestItems"][&name] = wanted;
        let mut reply = json!({});
        if done {
            let body = json.to_string();
            let head: String = head
                .split_inclusive("\r\n")
                .map(|line| match line.to_ascii_lowercase().starts_with("content-length:") {
                    true => format!("content-length: {}\r\n", body.len()),
                    false => line.to_owned(),
                })
                .collect();
            let whole = self.forward(&head, body.as_bytes()).await?;
            let start = whole.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
            reply = serde_json::from_slice(&whole[start..])?;
        }
        reply[if puts { "UnprocessedItems" } else { "UnprocessedKeys" }] = json!({ name: rest });
        Ok(response(200, &reply))
    }
}

/// Reads one HTTP message with a content length.
async fn message(stream: &mut BufReader<TcpStream>) -> std::io::Result<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
    }
    let length = head
        .lines()
        .find_map(|line| {
            line.to_ascii_lowercase().strip_prefix("content-length:").map(|text| text.trim().parse())
        })
        .unwrap()
        .unwrap();
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await?;
    Ok((head, body))
}

fn response(status: u16, json: &Json) -> Vec<u8> {
    let body = json.to_string();
    let head = format!("HTTP/1.1 {status} Spoiled\r\ncontent-type: application/x-amz-json-1.0\r\n");
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
