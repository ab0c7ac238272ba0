//! A minimal HTTP client, so that the client does not dominate the measurement.

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    line: String,
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
        let broken = |error: std::io::Error| format!("the connection broke: {error}");
        self.stream.get_mut().write_all(request.as_bytes()).await.map_err(broken)?;
        let status = self.status().await?;
        let mut headers = Vec::new();
        loop {
            let line = self.next_line().await?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.map_or(Ok(0), |(_, length)| length.parse());
        let mut body = vec![0; length.map_err(|_| "an answer with a length that is no number")?];
        self.stream.read_exact(&mut body).await.map_err(broken)?;
        Ok(Answer { status, headers, body })
    }

    /// Sends a request, reads the whole response and returns only its status, which leaves more CPU time to the server.
    pub(crate) async fn ask(&mut self, request: &str) -> Result<u16, String> {
        let broken = |error: std::io::Error| format!("the connection broke: {error}");
        self.stream.get_mut().write_all(request.as_bytes()).await.map_err(broken)?;
        let status = self.status().await?;
        let mut left = 0;
        while let Some((name, value)) = self.next_line().await?.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                let length = value.trim().parse();
                left = length.map_err(|_| "an answer with a length that is no number")?;
            }
        }
        while left > 0 {
            let there = self.stream.fill_buf().await.map_err(broken)?.len().min(left);
            if there == 0 {
                return Err("the server closed the connection".to_owned());
            }
            self.stream.consume(there);
            left -= there;
        }
        Ok(status)
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
