//! Settings of a connection.

use std::fmt;
use std::time::Duration;

/// The port of a server that is named without one.
const PORT: u16 = 6379;

/// Settings of a connection.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server, or some nodes of the cluster: `host` or `host:port`.
    pub nodes: Vec<String>,
    /// Whether the nodes are those of a cluster.
    pub is_cluster: bool,
    /// Whether to speak TLS.
    pub tls: bool,
    /// The certificates to trust, as PEM, instead of those of the machine.
    pub trusted: Option<Vec<u8>>,
    /// The user and password.
    pub login: Option<Login>,
    /// The time in which a connection must be made, those to all nodes of a cluster included.
    pub connect_limit: Duration,
    /// The time in which a command must be answered.
    pub answer_limit: Duration,
}

/// A user and a password.
#[derive(Clone)]
pub struct Login {
    /// The user; the default one if there is none.
    pub user: Option<String>,
    /// The password.
    pub password: String,
}

impl Settings {
    /// One server, without TLS and login, with 2 s to connect and 50 ms for each answer.
    #[must_use]
    pub fn new(node: &str) -> Self {
        Self {
            nodes: vec![node.to_owned()],
            is_cluster: false,
            tls: false,
            trusted: None,
            login: None,
            connect_limit: Duration::from_secs(2),
            answer_limit: Duration::from_millis(50),
        }
    }
}

impl fmt::Debug for Login {
    /// Leaves the password out, because debug output is logged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The host and port of a node; brackets hold an IPv6 address.
pub(crate) fn host_and_port(node: &str) -> Option<(String, u16)> {
    let (host, port) = match node.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()?),
        _ => (node, PORT),
    };
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_host =
        !host.is_empty() && host.chars().all(|one| one.is_ascii_alphanumeric() || "-._:".contains(one));
    is_host.then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_a_host_and_a_port() {
        let cases = [
            ("cache", Some(("cache", 6379))),
            ("cache.example.com:7000", Some(("cache.example.com", 7000))),
            ("127.0.0.1:1", Some(("127.0.0.1", 1))),
            ("[::1]", Some(("::1", 6379))),
            ("[::1]:7000", Some(("::1", 7000))),
            ("", None),
            (":7000", None),
            ("cache:seven", None),
            ("cache:70000", None),
            ("redis://cache:7000", None),
            ("user@cache:7000", None),
        ];
        for (node, expected) in cases {
            let expected = expected.map(|(host, port)| (host.to_owned(), port));
            assert_eq!(host_and_port(node), expected, "{node:?}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        let login = Login { user: Some("ann".to_owned()), password: "sesame".to_owned() };
        let settings = Settings { login: Some(login), ..Settings::new("cache") };
        assert!(!format!("{settings:?}").contains("sesame"));
    }
}
