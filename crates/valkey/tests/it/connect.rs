//! Connections that cannot be made, and settings that make no sense.

use std::net::TcpListener;
use std::time::Duration;

use hansang_core::cache::{Cache as _, CacheError};
use hansang_valkey::{Login, Settings, Valkey};

use crate::conformance::{login, settings};
use crate::server::{Certificate, PASSWORD, Server, free_port};

/// Fails at once, without asking.
async fn is_down(settings: Settings) {
    let cache = Valkey::connect(settings).await.unwrap();
    for _ in 0..1000 {
        assert!(matches!(cache.get("a").await, Err(CacheError::Down)));
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_down() {
    is_down(settings(&format!("127.0.0.1:{}", free_port()))).await;
    let cluster = Settings { is_cluster: true, ..settings(&format!("127.0.0.1:{}", free_port())) };
    is_down(cluster).await;
}

/// A server that accepts connections and says nothing is given up after the limit.
#[tokio::test]
async fn a_server_that_says_nothing_is_down() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let settings = settings(&silent.local_addr().unwrap().to_string());
    is_down(Settings { connect_limit: Duration::from_millis(50), ..settings }).await;
}

#[tokio::test]
async fn a_wrong_login_or_certificate_is_down() {
    let directory = tempfile::tempdir().unwrap();
    let certificate = Certificate::make(directory.path());
    let options = certificate.options();
    let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
    options.extend(["--requirepass", PASSWORD]);
    let server = Server::start(&options);
    let right = Settings { tls: true, trusted: Some(certificate.pem.clone()), ..settings(&server.address()) };
    let cache = Valkey::connect(right.clone()).await.unwrap();
    assert!(cache.get("a").await.unwrap().is_none());

    let wrong = Some(Login { user: None, password: "wrong".to_owned() });
    is_down(Settings { login: wrong, ..right.clone() }).await;
    is_down(Settings { login: None, ..right.clone() }).await;
    is_down(Settings { tls: false, connect_limit: Duration::from_millis(200), ..right.clone() }).await;
    let other = tempfile::tempdir().unwrap();
    is_down(Settings { trusted: Some(Certificate::make(other.path()).pem), ..right }).await;
}

#[tokio::test]
async fn settings_are_checked() {
    let nodes = |nodes: &[&str]| nodes.iter().map(|node| (*node).to_owned()).collect::<Vec<_>>();
    let cases = [
        (nodes(&[]), false, "name one as host:port"),
        (nodes(&["a", "b"]), false, "only a cluster has several nodes"),
        (nodes(&["redis://a"]), false, "`redis://a` is no address of a cache"),
        (nodes(&["a", "b:x"]), true, "`b:x` is no address of a cache"),
    ];
    for (nodes, is_cluster, problem) in cases {
        let settings = Settings { nodes, is_cluster, login: login(), ..Settings::new("a") };
        let refused = Valkey::connect(settings).await.unwrap_err().to_string();
        assert!(refused.contains(problem), "{refused}");
    }
    let trusted = Some(b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec());
    let refused = Valkey::connect(Settings { tls: true, trusted, ..Settings::new("a") }).await.unwrap_err();
    assert!(refused.to_string().contains("check the certificates"), "{refused}");
}
