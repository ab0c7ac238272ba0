//! The servers that are compared, filled with the same posts.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

use super::{PAGE, POSTS};
use crate::http::client::{Connection, request};
use crate::http::{peers, pocketbase};
use crate::server::Server;

pub(super) use pocketbase::LOGIN;

/// A server and the addresses of its posts.
pub(super) struct Peer {
    pub(super) port: u16,
    paths: [Vec<String>; 4],
}

fn slug(number: usize) -> String {
    format!("post-{number}")
}

fn title(number: usize) -> String {
    format!("Post number {number}: 점심에도 한 상을 차립니다")
}

/// About three kilobytes of Markdown.
fn contents() -> String {
    let passage = "밥과 국, 아홉 가지 반찬. 새벽에 지어 **아침에** 떠납니다. We cook at dawn and deliver in the morning, \
                   with [a link](https://example.com) and some *emphasis*.\n\n";
    format!(
        "## 조리장\n\n{}- rice\n- soup\n- nine dishes\n\n## 배송\n\n{}",
        passage.repeat(8),
        passage.repeat(6)
    )
}

impl Peer {
    /// The requests of each kind of work; `None` for what the server does not have.
    pub(super) fn reads(&self) -> [Option<Vec<String>>; 4] {
        self.paths.clone().map(|paths| {
            let requests: Vec<String> = paths.iter().map(|path| request("GET", path, &[], "")).collect();
            (!requests.is_empty()).then_some(requests)
        })
    }

    /// Creates and publishes the posts through the API.
    pub(super) async fn hansang(port: u16, said: &Path) -> Result<Self, String> {
        let token = format!("Bearer {}", peers::token(port, said).await?);
        let mut connection = Connection::open(port).await?;
        let category = json!({ "id": "c001", "title": "News", "slug": "news" });
        let headers = [("authorization", token.as_str())];
        post(&mut connection, "/api/content/categories", &headers, &category).await?;
        for number in 0..POSTS {
            let new = json!({
                "id": format!("p{number:03}"), "categoryId": "c001", "title": title(number), "slug": slug(number),
                "contents": contents(),
            });
            let made = post(&mut connection, "/api/content/posts", &headers, &new).await?;
            let publish = format!("/api/content/posts/p{number:03}/publish");
            let headers = [("authorization", token.as_str()), ("if-match", made.as_str())];
            post(&mut connection, &publish, &headers, &json!({})).await?;
        }
        let each = |path: &dyn Fn(usize) -> String| (0..POSTS).map(path).collect::<Vec<_>>();
        Ok(Self {
            port,
            paths: [
                each(&|number| format!("/site/posts/{}", slug(number))),
                vec!["/site/posts".to_owned(), "/site/categories/news".to_owned()],
                each(&|number| format!("/api/content/posts/p{number:03}")),
                vec![format!("/api/content/posts?limit={PAGE}")],
            ],
        })
    }

    /// A collection that anyone may read; PocketBase has no pages.
    pub(super) async fn pocketbase(port: u16) -> Result<Self, String> {
        let text =
            |name: &str, max: u32| json!({ "name": name, "type": "text", "required": true, "max": max });
        let posts = json!({
            "name": "posts",
            "type": "base",
            "fields": [
                text("title", 200), text("slug", 200), text("contents", 100_000),
                { "name": "created", "type": "autodate", "onCreate": true },
            ],
            "indexes": ["CREATE INDEX posts_created ON posts (created)"],
            "listRule": "", "viewRule": "",
        });
        let new = (0..POSTS)
            .map(|number| json!({ "title": title(number), "slug": slug(number), "contents": contents() }));
        let made = pocketbase::filled(port, &posts, new.collect()).await?;
        let get = |post: &Json| {
            format!("/api/collections/posts/records/{}", post["id"].as_str().unwrap_or_default())
        };
        let list = format!("/api/collections/posts/records?sort=-created&perPage={PAGE}&skipTotal=1");
        Ok(Self { port, paths: [Vec::new(), Vec::new(), made.iter().map(get).collect(), vec![list]] })
    }

    pub(super) fn wagtail(port: u16) -> Self {
        let posts = (0..POSTS).map(|number| format!("/posts/{}/", slug(number))).collect();
        Self { port, paths: [posts, vec!["/posts/".to_owned()], Vec::new(), Vec::new()] }
    }

    pub(super) fn fastapi(port: u16) -> Self {
        let each = |prefix: &str| (0..POSTS).map(|number| format!("{prefix}/p{number:03}")).collect();
        let paths =
            [each("/posts"), vec!["/posts".to_owned()], each("/api/posts"), vec!["/api/posts".to_owned()]];
        Self { port, paths }
    }
}

/// Sends a change, and returns the `ETag` of the answer.
async fn post(
    connection: &mut Connection,
    path: &str,
    headers: &[(&str, &str)],
    body: &Json,
) -> Result<String, String> {
    let answer = connection.send(&request("POST", path, headers, &body.to_string())).await?;
    if !matches!(answer.status, 200 | 201) {
        return Err(format!("{path}: {}: {}", answer.status, String::from_utf8_lossy(&answer.body)));
    }
    let tag = answer.headers.iter().find(|(name, _)| name == "etag");
    Ok(tag.map(|(_, value)| value.clone()).unwrap_or_default())
}

/// Wagtail with SQLite, under gunicorn with a worker per core.
pub(super) fn wagtail(directory: &Path) -> Result<Server, String> {
    let path = |name: &str| std::path::absolute(name).map_err(|error| error.to_string());
    let (program, site) = (path(".tools/wagtail/bin/python")?, path("bench/content/wagtail")?);
    let database = std::path::absolute(directory.join("wagtail.db")).map_err(|error| error.to_string())?;
    let prepared = |command: &mut Command| {
        command.current_dir(&site).env("DATABASE", &database).env("PYTHONDONTWRITEBYTECODE", "1");
    };
    let mut fill = Command::new(&program);
    fill.args(["fill.py", &POSTS.to_string(), &title(0), &contents()]);
    prepared(&mut fill);
    done(&mut fill)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Server::start(|port| {
        let mut command = Command::new(&program);
        command.args(["-m", "gunicorn", "wsgi:application", "--bind", &format!("127.0.0.1:{port}")]);
        command.args(["--workers", &cores.to_string(), "--worker-class", "gthread", "--threads", "4"]);
        command.args(["--keep-alive", "60", "--log-level", "error"]);
        prepared(&mut command);
        command.stderr(Stdio::null());
        command
    })
}

/// FastAPI with boto3 and Jinja, one worker per core, on posts with the keys of the document.
pub(super) fn fastapi(local: &Server) -> Result<Server, String> {
    let prepared = |command: &mut Command| {
        command.env("ENDPOINT", local.url()).env("AWS_DEFAULT_REGION", "us-east-1");
        command.env("AWS_ACCESS_KEY_ID", "bench").env("AWS_SECRET_ACCESS_KEY", "bench");
        command.env("PYTHONDONTWRITEBYTECODE", "1");
    };
    let program = ".tools/fastapi-content/bin/python";
    let mut fill = Command::new(program);
    fill.args(["bench/content/app.py", &POSTS.to_string(), &title(0), &contents()]);
    prepared(&mut fill);
    done(&mut fill)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Server::start(|port| {
        let mut command = Command::new(program);
        command.args(["-m", "uvicorn", "app:app", "--app-dir", "bench/content", "--log-level", "warning"]);
        command.args(["--port", &port.to_string(), "--workers", &cores.to_string()]);
        prepared(&mut command);
        command.stderr(Stdio::null());
        command
    })
}

fn done(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}
