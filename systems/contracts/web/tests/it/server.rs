//! A server with a registry of contracts.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use hansang_contracts_web::ContractsSystem;
use hansang_core::Db;
use hansang_server::System;
use hansang_testserver::{On, settings};

pub(crate) struct Server(hansang_testserver::Server);

impl Server {
    pub(crate) async fn contracts(on: On) -> Self {
        let server = hansang_testserver::Server::of_system(on, Arc::new(ContractsSystem), settings()).await;
        let mut server = Self(server);
        server.serve_contracts(&server.contracts_db()).await;
        server
    }

    /// Serves the registry of this table with an empty cache.
    pub(crate) async fn serve_contracts(&mut self, db: &Db) {
        let system: Arc<dyn System> = Arc::new(ContractsSystem);
        self.0
            .serve(
                &system,
                db.clone(),
                &[("contracts-cache-entries", "100"), ("contracts-cache-seconds", "300")],
                &[7; 32],
            )
            .await;
    }

    /// The table of the contracts.
    pub(crate) fn contracts_db(&self) -> Db {
        self.0.db(hansang_contracts::MODEL)
    }
}

impl Deref for Server {
    type Target = hansang_testserver::Server;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Server {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
