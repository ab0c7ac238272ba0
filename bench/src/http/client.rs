//! A minimal HTTP client, so that the client does not dominate the measurement.

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
}

/// The length of a body.
enum Length {
    Known(usize),
    Chunks,
}

impl Length {
    fn read(&mut self, name: &str, value: &str) {
        if name.eq_ignore_ascii_case("content-length") {
            *self = Self::Known(value.trim().parse().unwrap_or_default());
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            *self = Self::Chunks;
        }
    }
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// The bytes of a request.
pub(crate) fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n");
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("content-type: application/json\r\ncontent-length: {}\r\n", body.len()));
    }
    text + "\r\n" + body
}

impl Connection {
    pub(crate) async fn open(port: u16) -> Result<Self, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        Ok(Self { stream: BufReader::with_capacity(64 * 1024, stream), line: String::new() })
    }

    /// Sends a request and reads the whole response.
    pub(crate) async fn send(&mut self, request: &str) -> Result<Answer, String> {
        self.stream.get_mut().write_all(request.as_bytes()).await.map_err(broken)?;
        let status = self.status().await?;
        let mut headers = Vec::new();
        loop {
            let line = self.next_line().await?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut length = Length::Known(0);
        headers.iter().for_each(|(name, value)| length.read(name, value));
        let mut body = Vec::new();
        self.body(length, |bytes| body.extend_from_slice(bytes)).await?;
        Ok(Answer { status, headers, body })
    }

    /// Sends a request, reads the whole response and returns only its status, which leaves more CPU time to the server.
    pub(crate) async fn ask(&mut self, request: &str) -> Result<u16, String> {
        self.stream.get_mut().write_all(request.as_bytes()).await.map_err(broken)?;
        let status = self.status().await?;
        let mut length = Length::Known(0);
        while let Some((name, value)) = self.next_line().await?.split_once(':') {
            length.read(name, value);
        }
        self.body(length, |_| ()).await?;
        Ok(status)
    }

    /// Reads a body, whole or in chunks.
    async fn body(&mut self, length: Length, mut take: impl FnMut(&[u8])) -> Result<(), String> {
        match length {
            Length::Known(length) => self.bytes(length, &mut take).await,
            Length::Chunks => loop {
                let size = usize::from_str_radix(self.next_line().await?, 16);
                let size = size.map_err(|_| "a chunk without a size")?;
                self.bytes(size, &mut take).await?;
                self.next_line().await?;
                if size == 0 {
                    return Ok(());
                }
            },
        }
    }

    async fn bytes(&mut self, mut left: usize, take: &mut impl FnMut(&[u8])) -> Result<(), String> {
        while left > 0 {
            let there = self.stream.fill_buf().await.map_err(broken)?;
            let there = &there[..there.len().min(left)];
            if there.is_empty() {
                return Err("the server closed the connection".to_owned());
            }
            take(there);
            let read = there.len();
            self.stream.consume(read);
            left -= read;
        }
        Ok(())
    }

    async fn status(&mut self) -> Result<u16, String> {
        let status = self.next_line().await?.split(' ').nth(1).and_then(|code| code.parse().ok());
        status.ok_or_else(|| "an answer without a status".to_owned())
    }

    async fn next_line(&mut self) -> Result<&str, String> {
        self.line.clear();
        let read = self.stream.read_line(&mut self.line).await.map_err(|error| error.to_string())?;
        if read == 0 { Err("the server closed the connection".to_owned()) } else { Ok(self.line.trim_end()) }
    }
}

fn broken(error: std::io::Error) -> String {
    format!("the connection broke: {error}")
}
