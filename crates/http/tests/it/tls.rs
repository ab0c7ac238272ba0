//! HTTPS with certificates from files.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use hansang_core::Error;
use hansang_http::listen::{Listening, Tls};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls_pki_types::ServerName;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use hansang_testserver::running::{BLINK, Server, client, closed, patient, soon};

/// A directory with a certificate and its key.
struct Files(TempDir);

impl Files {
    fn new() -> (Self, CertifiedKey<KeyPair>) {
        let files = Self(TempDir::new().unwrap());
        let made = files.renew();
        (files, made)
    }

    fn certificate(&self) -> PathBuf {
        self.0.path().join("server.pem")
    }

    fn key(&self) -> PathBuf {
        self.0.path().join("server.key")
    }

    fn renew(&self) -> CertifiedKey<KeyPair> {
        let made = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(self.certificate(), made.cert.pem()).unwrap();
        fs::write(self.key(), made.signing_key.serialize_pem()).unwrap();
        made
    }

    fn load(&self) -> Result<Tls, Error> {
        Tls::load(self.certificate(), self.key())
    }
}

async fn start(tls: Tls, settings: Listening) -> Server {
    Server::with(Router::new().route("/", get(async || "hello")), Some(tls), settings).await
}

/// Whether a client that trusts only this certificate connects.
async fn trusts(server: &Server, made: &CertifiedKey<KeyPair>) -> bool {
    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect(server.address).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    soon(TlsConnector::from(Arc::new(config)).connect(name, stream)).await.is_ok()
}

#[tokio::test]
async fn http2_and_http1_are_negotiated() {
    let (files, made) = Files::new();
    let server = start(files.load().unwrap(), patient()).await;
    let root = reqwest::Certificate::from_pem(made.cert.pem().as_bytes()).unwrap();
    let client = || client().tls_certs_only([root.clone()]).resolve("localhost", server.address);
    let url = format!("https://localhost:{}/", server.address.port());
    for (client, version) in
        [(client(), reqwest::Version::HTTP_2), (client().http1_only(), reqwest::Version::HTTP_11)]
    {
        let response = soon(client.build().unwrap().get(&url).send()).await.unwrap();
        assert_eq!(response.version(), version);
        assert_eq!(response.text().await.unwrap(), "hello");
    }
}

#[tokio::test]
async fn certificates_are_reloaded_at_runtime() {
    let (files, old) = Files::new();
    let tls = files.load().unwrap();
    let server = start(tls.clone(), patient()).await;
    assert!(trusts(&server, &old).await);
    let new = files.renew();
    assert!(!trusts(&server, &new).await);
    tls.reload().unwrap();
    assert!(trusts(&server, &new).await && !trusts(&server, &old).await);
    fs::write(files.key(), "spoiled").unwrap();
    assert!(tls.reload().is_err());
    assert!(trusts(&server, &new).await, "what does not work does not replace what does");
}

#[tokio::test]
async fn a_missing_handshake_times_out() {
    let (files, _) = Files::new();
    let settings = Listening { handshake_timeout: BLINK, ..patient() };
    let server = start(files.load().unwrap(), settings).await;
    let mut stream = server.connect().await;
    assert_eq!(closed(&mut stream).await, "");
}

#[tokio::test]
async fn a_handshake_does_not_delay_shutdown() {
    let (files, made) = Files::new();
    let server = start(files.load().unwrap(), patient()).await;
    let mut silent = server.connect().await;
    // The idle connection has been accepted by then.
    assert!(trusts(&server, &made).await);
    assert_eq!(soon(server.stop()).await.unwrap().cut_off, 0);
    closed(&mut silent).await;
}

#[test]
fn errors_in_the_files_are_explained() {
    let (files, made) = Files::new();
    let key = made.signing_key.serialize_pem();
    let other = KeyPair::generate().unwrap().serialize_pem();
    let pem = made.cert.pem();
    let place = files.0.path().display().to_string();
    for (certificate, key, says) in [
        (None, Some(&*key), "there is no file DIR/server.pem: give the path of the certificate in PEM form"),
        (Some(&*pem), None, "there is no file DIR/server.key: give the path of the private key in PEM form"),
        (Some(""), Some(&*key), "DIR/server.pem has no certificate inside"),
        (Some(&*key), Some(&*key), "DIR/server.pem has no certificate inside"),
        (
            Some("-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----\n"),
            Some(&*key),
            "server.pem is damaged",
        ),
        (Some(&*pem), Some(""), "DIR/server.key has no private key inside"),
        (Some(&*pem), Some(&*pem), "DIR/server.key has no private key inside"),
        (Some(&*pem), Some("-----BEGIN PRIVATE KEY-----\nAA"), "DIR/server.key is damaged"),
        (Some(&*pem), Some(&*other), "the private key in DIR/server.key does not belong to the certificate"),
    ] {
        for (path, text) in [(files.certificate(), certificate), (files.key(), key)] {
            let _ = fs::remove_file(&path);
            if let Some(text) = text {
                fs::write(&path, text).unwrap();
            }
        }
        let message = files.load().unwrap_err().message.to_string().replace(&place, "DIR");
        assert!(message.contains(says), "{message}");
    }
    let directory = Tls::load(files.0.path(), files.key()).unwrap_err().message.to_string();
    assert!(directory.contains("cannot be read: check the path"), "{directory}");
}
