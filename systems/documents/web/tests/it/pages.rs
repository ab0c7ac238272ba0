//! The pages, as a browser without scripts sees them.

mod conversations;
mod documents;
mod projects;
mod results;

use std::sync::Arc;

use futures_util::stream;
use hansang_core::cache::Cached;
use hansang_core::db::Ask;
use hansang_documents::{
    Block, Document, Documents, MODEL, NewSegment, Outcome, SegmentType, StepName, claim, complete,
    documents_of_project, fail, write_segments,
};
use hansang_documents_web::DocumentsSystem;
use hansang_embedded::Directory;
use hansang_server::System;
use hansang_testserver::{On, Server, Visitor, settings};
use tempfile::TempDir;

pub(crate) const START: &str = "/console/documents";

/// A server with its documents, as a processor beside it has them.
pub(crate) struct Desk {
    pub(crate) server: Server,
    pub(crate) documents: Documents,
    _folder: TempDir,
}

pub(crate) async fn start(on: On) -> Desk {
    let folder = tempfile::tempdir().unwrap();
    let system: Arc<dyn System> = Arc::new(DocumentsSystem);
    let mut server = Server::of_system(on, system.clone(), settings()).await;
    let place = folder.path().to_str().unwrap().to_owned();
    let own = server.db(MODEL);
    let given = [("documents-files", &*place), ("documents-cache", "memory")];
    server.serve(&system, own, &given, &[7; 32]).await;
    let files = Arc::new(Directory::new(&folder.path().join("files")));
    let documents = Documents::new(server.db(MODEL), Cached::none(), files);
    Desk { server, documents, _folder: folder }
}

impl Desk {
    pub(crate) async fn visit(&self, login: &str) -> Visitor<'_> {
        Visitor::sign_in(&self.server, login, "ko").await
    }

    /// Creates a project by the form, and returns its address.
    pub(crate) async fn project(&self, editor: &Visitor<'_>, name: &str) -> String {
        let created = editor.post(&format!("{START}/projects/new"), &[("name", name)]).await;
        assert_eq!(created.status, 303, "{}", created.text);
        created.header("location").split('?').next().unwrap().to_owned()
    }

    /// Uploads a file by the form, and returns the document.
    pub(crate) async fn upload(
        &self,
        editor: &Visitor<'_>,
        project: &str,
        name: &str,
        text: &str,
    ) -> Document {
        let sent = editor.upload(project, name, text.as_bytes()).await;
        assert_eq!(sent.status, 303, "{}", sent.text);
        self.newest(project).await
    }

    /// The newest document of a project.
    pub(crate) async fn newest(&self, project: &str) -> Document {
        let id = project.rsplit('/').next().unwrap();
        documents_of_project(&self.documents, id, Ask::default()).await.unwrap().items.remove(0)
    }

    /// Does all steps of the waiting run, with these pages.
    pub(crate) async fn process(&self, pages: &[&str]) {
        for name in StepName::ALL {
            let claimed = claim(&self.documents, name, "worker").await.unwrap().unwrap();
            let mut outcome = Outcome::default();
            if name == StepName::Parse {
                let all = pages.iter().enumerate().map(|(index, text)| Ok(page(index, text)));
                write_segments(&self.documents, &claimed.lease, stream::iter(all)).await.unwrap();
                outcome.total_segments = i64::try_from(pages.len()).ok();
                outcome.language = Some("ko".to_owned());
            }
            if name == StepName::Summarise {
                outcome.summary = Some("짧은 요약입니다.".to_owned());
            }
            complete(&self.documents, &claimed.lease, outcome).await.unwrap();
        }
    }

    /// Fails the first step of the waiting run.
    pub(crate) async fn break_off(&self, reason: &str) {
        let claimed = claim(&self.documents, StepName::Prepare, "worker").await.unwrap().unwrap();
        fail(&self.documents, &claimed.lease, reason, false).await.unwrap();
    }
}

fn page(index: usize, text: &str) -> NewSegment {
    let line = |(line, text): (usize, &str)| Block {
        text: text.to_owned(),
        left: 1000,
        top: 1000 + i64::try_from(line).unwrap() * 400,
        width: 7000,
        height: 300,
        ..Block::default()
    };
    NewSegment {
        segment_index: i64::try_from(index).unwrap(),
        segment_type: Some(SegmentType::Page),
        content: Some(text.to_owned()),
        blocks: Some(text.lines().enumerate().map(line).collect()),
        keywords: Some(vec!["임대차".to_owned(), format!("낱말{index}")]),
        ..NewSegment::default()
    }
}

/// The address of a document.
pub(crate) fn address(project: &str, document: &Document) -> String {
    format!("{project}/documents/{}", document.document_id)
}
