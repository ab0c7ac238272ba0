//! A proxy in front of an endpoint that spoils requests by a script: the first fault is for the first
//! request, and so on; what comes after the script passes.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hansang_aws::{DynamoDb, Settings};
use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};

use crate::endpoints;

/// What happens to a request.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Nothing: it passes.
    Pass,
    /// It is carried out, and the connection is closed instead of an answer.
    LoseAnswer,
    /// It is carried out, and no answer ever comes.
    Hang,
    /// The connection is closed before it is carried out.
    LoseRequest,
    /// It is answered so, and not carried out.
    Answer(u16, Json),
    /// Of a batch, the first half is carried out and the rest is left over.
    Half,
    /// Of a batch, all is left over.
    NoneOfIt,
}

impl Fault {
    /// An error of DynamoDB.
    pub(crate) fn error(status: u16, code: &str) -> Self {
        Self::Answer(
            status,
            json!({ "__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "spoiled" }),
        )
    }

    /// A transaction that was cancelled for these reasons.
    pub(crate) fn cancelled(reasons: &[&str]) -> Self {
        let reasons: Vec<Json> =
            reasons.iter().map(|code| json!({ "Code": code, "Message": "spoiled" })).collect();
        let code = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
        Self::Answer(400, json!({ "__type": code, "message": "spoiled", "CancellationReasons": reasons }))
    }
}

/// The proxy, with the requests it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Proxy {
    url: String,
    endpoint: &'static str,
    faults: Arc<Mutex<VecDeque<Fault>>>,
    seen: Arc<Mutex<Vec<Json>>>,
}

impl Proxy {
    /// A proxy in front of dynoxide that nothing is spoiled by yet.
    pub(crate) async fn start() -> Self {
        Self::before(endpoints::dynoxide_url()).await
    }

    /// A proxy in front of this endpoint that nothing is spoiled by yet.
    pub(crate) async fn before(endpoint: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let proxy = Self { url, endpoint, faults: Arc::default(), seen: Arc::default() };
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let proxy = shared.clone();
                // A connection ends when either side closes it, which is no failure here.
                tokio::spawn(async move { drop(proxy.serve(stream).await) });
            }
        });
        proxy
    }

    /// A store behind the proxy that tries everything at most four times.
    pub(crate) async fn store(&self) -> DynamoDb {
        DynamoDb::connect(self.settings()).await.unwrap()
    }

    /// What leads to the proxy, and tries everything at most four times.
    pub(crate) fn settings(&self) -> Settings {
        let attempt_timeout = Some(Duration::from_secs(3));
        Settings { attempts: Some(4), attempt_timeout, ..endpoints::settings(&self.url) }
    }

    /// Spoils the requests from here on, and forgets those before.
    pub(crate) fn spoil(&self, faults: impl IntoIterator<Item = Fault>) {
        *self.faults.lock().unwrap() = faults.into_iter().collect();
        self.seen.lock().unwrap().clear();
    }

    /// The bodies of the requests since then.
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
            let answer = match fault {
                Fault::Pass => self.forward(&head, &body).await?,
                Fault::LoseAnswer => {
                    self.forward(&head, &body).await?;
                    return Ok(());
                }
                Fault::Hang => {
                    self.forward(&head, &body).await?;
                    // The client gives up and closes the connection: nothing more comes on it.
                    return client.read_u8().await.map(drop);
                }
                Fault::LoseRequest => return Ok(()),
                Fault::Answer(status, json) => answer(status, &json),
                Fault::Half => self.part(&head, json, |all| all / 2).await?,
                Fault::NoneOfIt => self.part(&head, json, |_| 0).await?,
            };
            client.get_mut().write_all(&answer).await?;
        }
    }

    async fn forward(&self, head: &str, body: &[u8]) -> std::io::Result<Vec<u8>> {
        let address = self.endpoint.strip_prefix("http://").unwrap();
        let mut stream = BufReader::new(TcpStream::connect(address).await?);
        stream.get_mut().write_all(&[head.as_bytes(), body].concat()).await?;
        let (head, body) = message(&mut stream).await?;
        Ok([head.as_bytes(), &body].concat())
    }

    /// Carries out a part of a batch, and says that the rest is left over.
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
        Ok(answer(200, &reply))
    }
}

/// One HTTP message with a length, request or answer.
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

fn answer(status: u16, json: &Json) -> Vec<u8> {
    let body = json.to_string();
    let head = format!("HTTP/1.1 {status} Spoiled\r\ncontent-type: application/x-amz-json-1.0\r\n");
    format!("{head}content-length: {}\r\n\r\n{body}", body.len()).into_bytes()
}
