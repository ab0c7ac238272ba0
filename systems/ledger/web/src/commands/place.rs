//! The ledger of a command: a table, or a server.

use clap::Args;
use hansang_command::{Connection, Context, Does, Failure, Purpose, ServerArguments, StoreArguments};
use hansang_core::compile;
use hansang_ledger::{Ledger, MODEL};
use reqwest::Method;
use serde::Serialize;
use serde_json::Value as Json;

/// Where the ledger is, and how it is shown.
#[derive(Args)]
pub(crate) struct PlaceArguments {
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    server: ServerArguments,
    /// Who enters it; a server knows it by the token
    #[arg(long, default_value = "cli", value_name = "WHO")]
    by: String,
    /// Print JSON, as the API has it
    #[arg(long)]
    pub(super) json: bool,
}

/// An open ledger.
pub(crate) enum Place {
    /// In a table, with the person who works on it.
    Table(Ledger, String),
    /// Behind a server.
    Server(Remote),
}

/// The ledger of a server.
pub(crate) struct Remote(pub(super) Connection);

impl PlaceArguments {
    pub(super) async fn open(&self, context: &Context, purpose: Purpose) -> Result<Place, Failure> {
        if let Some(connection) = self.server.connect()? {
            return Ok(Place::Server(Remote(connection)));
        }
        if !(1..=64).contains(&self.by.chars().count()) {
            return Err(Failure::usage("--by has 1 to 64 characters"));
        }
        let model = compile(MODEL.as_bytes()).map_err(|_| Failure::internal("the model of the ledger"))?;
        let db = (context.open_table)(model, self.store.clone(), purpose).await?;
        if purpose == Purpose::Fill {
            db.ensure_table().await?;
        }
        Ok(Place::Table(Ledger::new(db), self.by.clone()))
    }
}

impl Remote {
    /// Reads from a path below `/api/ledger`.
    pub(super) async fn get(&self, names: &[&str], query: &[(&str, &str)]) -> Result<Json, Failure> {
        let request = self.request(Method::GET, names, query)?;
        Ok(self.0.send(request, Does::Read).await?.body)
    }

    /// Reads all pages of a path. Returns the first page, and the elements of a member of all of them.
    pub(super) async fn pages(&self, names: &[&str], member: &str) -> Result<(Json, Vec<Json>), Failure> {
        let (mut first, mut items, mut cursor) = (None, Vec::new(), None::<String>);
        loop {
            let mut query = vec![("limit", "1000")];
            query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let mut page = self.get(names, &query).await?;
            items.extend(page[member].as_array_mut().map(std::mem::take).unwrap_or_default());
            cursor = page["next"].as_str().map(str::to_owned);
            let first = first.get_or_insert(page);
            if cursor.is_none() {
                return Ok((std::mem::take(first), items));
            }
        }
    }

    /// Sends a change.
    pub(super) async fn send(&self, method: Method, names: &[&str], body: &Json) -> Result<Json, Failure> {
        let request = self.request(method, names, &[])?;
        let request = if body.is_null() { request } else { request.json(body) };
        Ok(self.0.send(request, Does::Write).await?.body)
    }

    /// Deletes something; the response has no body.
    pub(super) async fn delete(&self, names: &[&str]) -> Result<(), Failure> {
        let request = self.request(Method::DELETE, names, &[])?;
        self.0.stream(request).await?;
        Ok(())
    }

    /// Uploads a file.
    pub(super) async fn upload(
        &self,
        names: &[&str],
        query: &[(&str, &str)],
        (media, bytes): (&str, Vec<u8>),
        does: Does,
    ) -> Result<Json, Failure> {
        let request = self.request(Method::POST, names, query)?;
        // An upload takes as long as its work.
        let request = request.timeout(std::time::Duration::from_secs(3600));
        let request = request.header("content-type", media).body(bytes);
        Ok(self.0.send(request, does).await?.body)
    }

    /// A request to a path below `/api/ledger`.
    pub(super) fn request(
        &self,
        method: Method,
        names: &[&str],
        query: &[(&str, &str)],
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let all = [&["api", "ledger"], names].concat();
        let wrong = |name: &str| Failure::usage(format!("`{name}` cannot be part of an address"));
        let mut url = self.0.path(&all).map_err(wrong)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(self.0.request(method, url))
    }
}

/// The JSON of a response.
pub(super) fn json(shown: impl Serialize) -> Result<Json, Failure> {
    serde_json::to_value(shown).map_err(|_| Failure::internal("the output of the ledger"))
}
