//! Clusters on loopback.

use std::process::Command;

use crate::server::{Certificate, PASSWORD, Server, free_port, program};

/// The time after which a node that does not answer is replaced, in milliseconds.
const NODE_TIMEOUT: &str = "1000";

/// A cluster of three primaries, perhaps each with a replica.
pub(crate) struct Cluster {
    /// The primaries at the start, followed by the replicas.
    pub(crate) nodes: Vec<Server>,
}

impl Cluster {
    /// Starts the nodes, and joins them.
    pub(crate) fn start(replicas: usize, tls: Option<&Certificate>) -> Self {
        let nodes: Vec<Server> = (0..3 * (1 + replicas)).map(|_| node(tls)).collect();
        let mut join = Command::new(program("cli"));
        join.args(["--no-auth-warning", "-a", PASSWORD]);
        if let Some(certificate) = tls {
            join.arg("--tls").arg("--cacert").arg(certificate.file());
        }
        join.args(["--cluster", "create"]).args(nodes.iter().map(Server::address));
        join.args(["--cluster-replicas", &replicas.to_string(), "--cluster-yes"]);
        let joined = join.output().unwrap();
        assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stdout));
        Self { nodes }
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
