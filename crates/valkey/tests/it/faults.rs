//! Servers that are killed, paused, restarted and failed over under load. No read is an error or older than an
//! acknowledged write, and nobody waits for a server that does not answer.

use std::time::Duration;

use hansang_valkey::{Settings, Valkey};

use crate::cluster::Cluster;
use crate::conformance::{login, settings};
use crate::load::Load;
use crate::server::{PASSWORD, Server};

/// Longer than by default: a busy machine is no fault.
const LIMIT: Duration = Duration::from_millis(100);

/// D18 Ds11 Ds13
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_may_fail_at_any_time() {
    let mut server = Server::start(&["--requirepass", PASSWORD]);
    let valkey =
        Valkey::connect(Settings { answer_limit: LIMIT, ..settings(&server.address()) }).await.unwrap();
    let load = Load::start(valkey);
    load.until_it_hits().await;
    server.kill();
    load.until_it_fails().await;
    server.restart();
    load.until_it_hits().await;
    server.pause();
    load.until_it_fails().await;
    server.resume();
    load.until_it_hits().await;
    server.kill();
    load.until_it_fails().await;
    load.end().await;
}

/// Ds11 Ds13
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_may_fail_over_at_any_time() {
    let mut cluster = Cluster::start(1, None);
    let settings = Settings {
        nodes: cluster.addresses(),
        is_cluster: true,
        answer_limit: LIMIT,
        login: login(),
        ..Settings::new("")
    };
    let load = Load::start(Valkey::connect(settings).await.unwrap());
    load.until_it_hits().await;
    // A primary dies, its replica takes over, and it comes back as a replica.
    cluster.nodes[0].kill();
    load.until_it_fails().await;
    load.until_all_keys_are_back().await;
    load.until_it_hits().await;
    cluster.nodes[0].restart();
    // Another hangs. When it goes on, it has old values, and does not know yet that it was replaced.
    cluster.nodes[1].pause();
    load.until_it_fails().await;
    load.until_all_keys_are_back().await;
    load.until_it_hits().await;
    cluster.nodes[1].resume();
    load.reads(500).await;
    load.until_all_keys_are_back().await;
    // All of them hang.
    cluster.nodes.iter().for_each(Server::pause);
    load.until_it_fails().await;
    cluster.nodes.iter().for_each(Server::resume);
    load.until_all_keys_are_back().await;
    load.until_it_hits().await;
    load.end().await;
}
