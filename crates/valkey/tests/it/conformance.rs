//! The conformance suite of caches: one server with a password, one with TLS, and a cluster with both.

use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use hansang_testkit::cache_suite::{self, Trial};
use hansang_valkey::{Login, Settings, Valkey};
use tempfile::TempDir;

use crate::cluster::Cluster;
use crate::server::{Certificate, PASSWORD, Server, program};

/// Enough for a busy machine: the suite is about answers, not about their time.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) fn login() -> Option<Login> {
    Some(Login { user: None, password: PASSWORD.to_owned() })
}

pub(crate) fn settings(node: &str) -> Settings {
    Settings { connect_limit: PATIENCE, answer_limit: PATIENCE, login: login(), ..Settings::new(node) }
}

async fn trial(settings: Settings) -> Trial {
    let cache = Valkey::connect(settings).await.unwrap();
    // The server has the real clock: a little more than the time.
    let pass = Box::new(|time: Duration| Box::pin(tokio::time::sleep(time + Duration::from_millis(20))) as _);
    Trial::new(Arc::new(cache), pass, None)
}

async fn single() -> Trial {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(|| Server::start(&["--requirepass", PASSWORD]));
    trial(settings(&server.address())).await
}

/// A certificate whose files are gone when the servers that use it have read them.
fn certificate() -> (TempDir, Certificate) {
    let directory = tempfile::tempdir().unwrap();
    let certificate = Certificate::make(directory.path());
    (directory, certificate)
}

async fn with_tls() -> Trial {
    static SERVER: OnceLock<(Server, Vec<u8>)> = OnceLock::new();
    let (server, trusted) = SERVER.get_or_init(|| {
        let (_kept, certificate) = certificate();
        let options = certificate.options();
        let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
        // A user of its own.
        options.extend(["--user", "ann", "on", ">secret-of-ann", "~*", "&*", "+@all"]);
        (Server::start(&options), certificate.pem)
    });
    let login = Some(Login { user: Some("ann".to_owned()), password: "secret-of-ann".to_owned() });
    trial(Settings { tls: true, trusted: Some(trusted.clone()), login, ..settings(&server.address()) }).await
}

async fn cluster_with_tls() -> Trial {
    static CLUSTER: OnceLock<(Cluster, Vec<u8>)> = OnceLock::new();
    let (cluster, trusted) = CLUSTER.get_or_init(|| {
        let (_kept, certificate) = certificate();
        (Cluster::start(0, Some(&certificate)), certificate.pem)
    });
    // One node is enough to find the others.
    let settings = settings(&cluster.nodes[1].address());
    trial(Settings { is_cluster: true, tls: true, trusted: Some(trusted.clone()), ..settings }).await
}

/// D19
#[tokio::test]
async fn a_cluster_is_reached_over_tls() {
    let trial = cluster_with_tls().await;
    let keys: Vec<String> = (0..50).map(|_| cache_suite::key()).collect();
    for key in &keys {
        trial.set(key, key.clone(), Duration::from_secs(3600)).await;
    }
    for key in &keys {
        assert_eq!(trial.get(key).await.unwrap(), *key);
    }
}

/// Ds9
#[tokio::test]
async fn a_value_is_set_with_its_expiry_in_one_command() {
    let server = Server::start(&["--requirepass", PASSWORD]);
    let trial = trial(settings(&server.address())).await;
    trial.set("query_projects", "[]", Duration::from_secs(3600)).await;
    let told = |what: &[&str]| {
        let mut command = Command::new(program("cli"));
        command.args(["--no-auth-warning", "-a", PASSWORD, "-p", &server.port.to_string()]).args(what);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let left: u64 = told(&["pttl", "query_projects"]).trim().parse().unwrap();
    assert!((3_500_000..=3_600_000).contains(&left), "{left}");
    let commands = told(&["info", "commandstats"]);
    assert!(commands.contains("cmdstat_set:calls=1,") && !commands.contains("expire"), "{commands}");
}

mod on_one_server {
    use super::single;

    hansang_testkit::cache_conformance!(single().await);
}

mod on_one_server_with_tls {
    use super::with_tls;

    hansang_testkit::cache_conformance!(with_tls().await);
}

mod on_a_cluster_with_tls {
    use super::cluster_with_tls;

    hansang_testkit::cache_conformance!(cluster_with_tls().await);
}
