//! A process with a low limit on open files, and more connections than that.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The program that listens; cargo puts examples beside the tests.
fn hello() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().unwrap().parent().unwrap().join("examples/hello");
    assert!(path.exists(), "{} is missing: run `cargo test -p hansang-server`", path.display());
    path
}

fn ask(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n").unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said
}

#[test]
fn running_out_of_files_is_survived() {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -n 24 && exec \"$0\""])
        .arg(hello())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address: SocketAddr = line.trim().parse().unwrap();
    assert!(ask(address).ends_with("hello"));
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let crowd: Vec<TcpStream> = (0..64).map(|_| TcpStream::connect(address).unwrap()).collect();
    line.clear();
    log.read_line(&mut line).unwrap();
    assert!(line.contains("no connection can be accepted"), "{line}");
    // Further connections wait until file descriptors are free.
    let waiting = std::thread::spawn(move || ask(address));
    drop(crowd);
    // Reads the log on another thread, so that the pipe does not fill up.
    let reading = std::thread::spawn(move || drop(log.read_to_end(&mut Vec::new())));
    assert!(waiting.join().unwrap().ends_with("hello"));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    reading.join().unwrap();
}
