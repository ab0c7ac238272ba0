//! Clusters on loopback.

use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::server::{Certificate, PASSWORD, Server, free_port, program};

/// The time after which a node that does not answer is replaced, in milliseconds.
const NODE_TIMEOUT: &str = "1000";

/// A cluster of three primaries, perhaps each with a replica.
pub(crate) struct Cluster {
    /// The primaries at the start, followed by the replicas.
    pub(crate) nodes: Vec<Server>,
    /// The certificate of the nodes, while they start.
    trusted: Option<PathBuf>,
}

impl Cluster {
    /// Starts the nodes, and joins them.
    pub(crate) fn start(replicas: usize, tls: Option<&Certificate>) -> Self {
        let nodes: Vec<Server> = (0..3 * (1 + replicas)).map(|_| node(tls)).collect();
        let cluster = Self { nodes, trusted: tls.map(Certificate::file) };
        let mut join = cluster.command();
        join.args(["--cluster", "create"]).args(cluster.addresses());
        join.args(["--cluster-replicas", &replicas.to_string(), "--cluster-yes"]);
        let joined = join.output().unwrap();
        assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stdout));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !cluster.is_ready() {
            assert!(Instant::now() < deadline, "the cluster does not become ready");
            thread::sleep(Duration::from_millis(20));
        }
        cluster
    }

    /// Whether every node knows that all slots are served, and every replica has its values.
    fn is_ready(&self) -> bool {
        self.nodes.iter().all(|node| {
            let told = |what: &[&str]| {
                let told = self.command().args(["-p", &node.port.to_string()]).args(what).output().unwrap();
                String::from_utf8(told.stdout).unwrap()
            };
            told(&["cluster", "info"]).contains("cluster_state:ok")
                && !told(&["info", "replication"]).contains("master_link_status:down")
        })
    }

    /// The command line of the server.
    fn command(&self) -> Command {
        let mut command = Command::new(program("cli"));
        command.args(["--no-auth-warning", "-a", PASSWORD]);
        if let Some(trusted) = &self.trusted {
            command.arg("--tls").arg("--cacert").arg(trusted);
        }
        command
    }

    pub(crate) fn addresses(&self) -> Vec<String> {
        self.nodes.iter().map(Server::address).collect()
    }
}

fn node(tls: Option<&Certificate>) -> Server {
    let bus = free_port().to_string();
    let mut options = vec![
        "--cluster-enabled",
        "yes",
        "--cluster-port",
        &bus,
        "--cluster-node-timeout",
        NODE_TIMEOUT,
        "--cluster-replica-validity-factor",
        "0",
        "--repl-diskless-sync-delay",
        "0",
        "--requirepass",
        PASSWORD,
        "--masterauth",
        PASSWORD,
    ];
    let certificate = tls.map(Certificate::options).unwrap_or_default();
    options.extend(certificate.iter().map(String::as_str));
    if tls.is_some() {
        options.extend(["--tls-cluster", "yes", "--tls-replication", "yes"]);
    }
    Server::start(&options)
}
