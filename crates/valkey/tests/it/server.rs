//! Servers on loopback.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

pub(crate) const PASSWORD: &str = "open-sesame";

/// A server in a process of its own. It ends with this value or with the test, whatever comes first.
pub(crate) struct Server {
    pub(crate) port: u16,
    options: Vec<String>,
    directory: PathBuf,
    shell: Child,
    pid: Pid,
}

/// Starts a server in a directory and ends it, even a stopped one, when the input ends: with the test, however that
/// ends. The directory is removed, unless the server will be started again.
const SHELL: &str = r#"dir=$1; shift; cd "$dir" && { "$@" >/dev/null 2>&1 & } && echo $!
read next; kill -9 $!; wait $! 2>/dev/null; [ "$next" = restart ] || rm -rf "$dir""#;

impl Server {
    /// Starts a server with these options, and waits until it listens.
    pub(crate) fn start(options: &[&str]) -> Self {
        let port = free_port();
        let options: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
        let directory = tempfile::tempdir().unwrap().keep();
        let (shell, pid) = run(port, &directory, &options);
        Self { port, options, directory, shell, pid }
    }

    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Kills the process.
    pub(crate) fn kill(&self) {
        kill_process(self.pid, Signal::KILL).unwrap();
    }

    /// Starts it again on its port after it was killed. It has lost its values, but not its place in a cluster.
    pub(crate) fn restart(&mut self) {
        self.shell.stdin.as_mut().unwrap().write_all(b"restart\n").unwrap();
        self.end();
        (self.shell, self.pid) = run(self.port, &self.directory, &self.options);
    }

    /// Stops the process: connections stay, and nothing is answered.
    pub(crate) fn pause(&self) {
        kill_process(self.pid, Signal::STOP).unwrap();
    }

    pub(crate) fn resume(&self) {
        kill_process(self.pid, Signal::CONT).unwrap();
    }

    fn end(&mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(port: u16, directory: &Path, options: &[String]) -> (Child, Pid) {
    let has_tls = options.iter().any(|option| option == "--tls-cert-file");
    let port_option = if has_tls { ["--port", "0", "--tls-port"].as_slice() } else { ["--port"].as_slice() };
    let mut shell = Command::new("sh")
        .args(["-c", SHELL, "sh"])
        .arg(directory)
        .args([program("server"), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"])
        .args(port_option)
        .arg(port.to_string())
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let pid = Pid::from_raw(line.trim().parse().unwrap()).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        assert!(Instant::now() < deadline, "the server does not start: run it with {options:?}");
        thread::sleep(Duration::from_millis(10));
    }
    (shell, pid)
}

/// The name of a program of Valkey, or of Redis where that is installed instead.
pub(crate) fn program(what: &str) -> &'static str {
    let [valkey, redis] = match what {
        "server" => ["valkey-server", "redis-server"],
        _ => ["valkey-cli", "redis-cli"],
    };
    let exists = |name: &&str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    [valkey, redis]
        .into_iter()
        .find(exists)
        .expect("neither Valkey nor Redis is installed: run ./test, which installs it")
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A certificate for loopback that is its own authority, and its key, as files.
pub(crate) struct Certificate {
    pub(crate) pem: Vec<u8>,
    directory: PathBuf,
}

impl Certificate {
    /// Makes a certificate in a directory.
    pub(crate) fn make(directory: &Path) -> Self {
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names).unwrap();
        let pem = made.cert.pem();
        std::fs::write(directory.join("cert.pem"), &pem).unwrap();
        std::fs::write(directory.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
        Self { pem: pem.into_bytes(), directory: directory.to_owned() }
    }

    /// The options of a server with this certificate.
    pub(crate) fn options(&self) -> Vec<String> {
        let file = |name: &str| self.directory.join(name).to_str().unwrap().to_owned();
        let options = [
            ("--tls-cert-file", file("cert.pem")),
            ("--tls-key-file", file("key.pem")),
            ("--tls-ca-cert-file", file("cert.pem")),
            ("--tls-auth-clients", "no".to_owned()),
        ];
        options.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }

    /// The file with the certificate.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.join("cert.pem")
    }
}
