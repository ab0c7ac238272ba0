//! The limit: axum with routes that return fixed bytes, in a process of its own.

use axum::Router;
use axum::body::Bytes;
use axum::http::header;
use axum::routing::get;
use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

/// Serves the bytes of two files as `/get` and `/list`: the arguments are the port and the files.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let [port, one, many] = arguments else { return Err("give a port and two files".to_owned()) };
    let port: u16 = port.parse().map_err(|_| format!("`{port}` is not a port"))?;
    let bytes = |path: &String| std::fs::read(path).map(Bytes::from).map_err(|e| e.to_string());
    let (one, many) = (bytes(one)?, bytes(many)?);
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let json = |bytes: Bytes| async move { ([(header::CONTENT_TYPE, "application/json")], bytes) };
        let router = Router::new()
            .route("/get", get(move || json(one.clone())))
            .route("/list", get(move || json(many.clone())));
        let listener = TcpListener::bind(("127.0.0.1", port)).await.map_err(|error| error.to_string())?;
        let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, router).await.map_err(|error| error.to_string())
    })
}
