//! The documents of a command: in a store, or behind a server.

use std::path::PathBuf;

use clap::Args;
use hansang_command::{
    Config, Connection, Context, Does, Failure, FilesPlace, Given, Purpose, ServerArguments, StoreArguments,
};
use hansang_core::cache::Cached;
use hansang_core::compile;
use hansang_documents::{Documents, MODEL};
use reqwest::Method;
use serde_json::Value as Json;

/// Where the documents are, and how they are shown.
#[derive(Args)]
pub(super) struct PlaceArguments {
    #[command(flatten)]
    store: StoreArguments,
    #[command(flatten)]
    server: ServerArguments,
    /// The directory of files, as `documents-files` of the server; below the data directory if it is left out
    #[arg(long = "files", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Who works on them; a server knows it by the token
    #[arg(long, default_value = "cli", value_name = "WHO")]
    by: String,
    /// Print JSON, as the API has it
    #[arg(long)]
    pub(super) json: bool,
}

/// Open documents.
pub(super) enum Place {
    /// In a store.
    Store(Store),
    /// Behind a server.
    Server(Remote),
}

/// The documents of a store.
pub(super) struct Store {
    pub(super) documents: Documents,
    /// The user.
    pub(super) by: String,
    /// The directory of files and of the index.
    pub(super) folder: PathBuf,
}

/// The documents of a server.
pub(super) struct Remote(pub(super) Connection);

impl PlaceArguments {
    pub(super) async fn open(&self, context: &Context) -> Result<Place, Failure> {
        match self.server.connect()? {
            Some(connection) => Ok(Place::Server(Remote(connection))),
            None => self.open_store(context).await.map(Place::Store),
        }
    }

    /// The server, for what only a running one has.
    pub(super) fn server(&self) -> Result<Remote, Failure> {
        let connection = self.server.connect()?;
        connection.map(Remote).ok_or_else(|| Failure::usage("name a running server with --server"))
    }

    pub(super) async fn open_store(&self, context: &Context) -> Result<Store, Failure> {
        if hansang_documents::check_id("by", &self.by).is_err() {
            return Err(Failure::usage("--by has 1 to 64 characters other than `:`, `#` and white space"));
        }
        let folder = self.folder.clone().unwrap_or_else(|| self.store.data.join("documents"));
        let model = compile(MODEL.as_bytes()).map_err(|_| Failure::internal("the model of documents"))?;
        let db = (context.open_table)(model, self.store.clone(), Purpose::Items).await?;
        let config = Config::resolve(Vec::new(), Given::default(), |_| None)?;
        let files = (context.open_files)(&config, FilesPlace::Directory(folder.join("files"))).await?;
        Ok(Store { documents: Documents::new(db, Cached::none(), files), by: self.by.clone(), folder })
    }
}

impl Remote {
    /// Reads from a path below `/api/documents`.
    pub(super) async fn get(&self, names: &[&str], query: &[(&str, &str)]) -> Result<Json, Failure> {
        let request = self.request(Method::GET, names, query)?;
        Ok(self.0.send(request, Does::Read).await?.body)
    }

    /// Reads the items of all pages of a path.
    pub(super) async fn all(&self, names: &[&str]) -> Result<Vec<Json>, Failure> {
        let (mut items, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = vec![("limit", "1000")];
            query.extend(cursor.as_deref().map(|cursor| ("cursor", cursor)));
            let mut page = self.get(names, &query).await?;
            items.extend(page["items"].as_array_mut().map(std::mem::take).unwrap_or_default());
            cursor = page["next"].as_str().map(str::to_owned);
            if cursor.is_none() {
                return Ok(items);
            }
        }
    }

    /// Sends a change.
    pub(super) async fn send(&self, method: Method, names: &[&str], body: &Json) -> Result<Json, Failure> {
        let request = self.request(method, names, &[])?.json(body);
        Ok(self.0.send(request, Does::Write).await?.body)
    }

    /// A request to a path below `/api/documents`.
    pub(super) fn request(
        &self,
        method: Method,
        names: &[&str],
        query: &[(&str, &str)],
    ) -> Result<reqwest::RequestBuilder, Failure> {
        let all = [&["api", "documents"], names].concat();
        let wrong = |name: &str| Failure::usage(format!("`{name}` cannot be part of an address"));
        let mut url = self.0.path(&all).map_err(wrong)?;
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(self.0.request(method, url))
    }
}
