//! Processing in a server that is killed again and again: every document ends, and its segments are complete.

use std::time::{Duration, Instant};

use hansang_documents_adapters::fixtures::{PdfPage, pdf};
use rustix::process::Signal;
use serde_json::Value as Json;

use super::{Api, follow};
use crate::serve::{Server, temporary_data};

/// The steps that are done before each kill, at least.
const KILLS: [u64; 3] = [4, 14, 26];
/// The documents of each kind.
const DOCUMENTS: u64 = 4;
/// The pages of a PDF file.
const PAGES: usize = 8;

fn steps_done(api: &Api<'_>, project: &str) -> u64 {
    let progress = api.get(&format!("projects/{project}/progress"));
    let active = progress["active"].as_array().unwrap();
    let waiting: u64 = active.iter().map(|one| one["steps_done"].as_u64().unwrap()).sum();
    (2 * DOCUMENTS - active.len() as u64) * 6 + waiting
}

/// kill -9 during processing leaves no document behind.
#[test]
fn documents_end_however_often_the_server_is_killed() {
    let (_directory, data) = temporary_data();
    let more = [
        "--documents-lease-seconds",
        "1",
        "--documents-processors",
        "2",
        "--documents-tesseract",
        "no-such-program",
        "--rate-address",
        "1000000",
        "--rate-account",
        "1000000",
    ];
    let titles: Vec<String> = (0..PAGES).map(|page| format!("Page {page}")).collect();
    let pages: Vec<PdfPage<'_>> =
        titles.iter().map(|title| PdfPage::of(&[title, "The rent is due."])).collect();
    let file = pdf("Lease", &pages);
    let (mut token, mut project, mut documents) = (String::new(), String::new(), Vec::new());
    for (round, steps) in KILLS.into_iter().enumerate() {
        let mut server = Server::start(&data, &more);
        if round == 0 {
            token = server.token();
        }
        let api = Api { token: token.clone(), server: &server };
        if round == 0 {
            project = api.project();
            for number in 0..DOCUMENTS {
                documents.push(api.upload(&project, &format!("{number}.pdf"), file.clone()));
                let text = format!("Document {number}. The deposit is returned.");
                documents.push(api.upload(&project, &format!("{number}.txt"), text));
            }
        }
        let wanted = steps + rand::random::<u64>() % 6;
        let began = Instant::now();
        while steps_done(&api, &project) < wanted {
            assert!(began.elapsed() < Duration::from_secs(60), "round {round}: nothing is processed");
            std::thread::yield_now();
        }
        server.signal(Signal::KILL);
        server.child.wait().unwrap();
    }
    let server = Server::start(&data, &more);
    let api = Api { token, server: &server };
    follow(&api, &project);
    let mut completed = 0;
    for document in &documents {
        let path = format!("projects/{project}/documents/{document}");
        let found = api.get(&path);
        let workflow = found["workflow_id"].as_str().unwrap();
        let run = api.get(&format!("{path}/workflows/{workflow}"));
        assert_eq!(run["status"], found["status"], "{found:#}");
        let steps = api.get(&format!("workflows/{workflow}/steps"));
        let open = |step: &&Json| ["pending", "in_progress"].contains(&step["status"].as_str().unwrap());
        assert_eq!(steps["items"].as_array().unwrap().iter().find(open), None, "{found:#}");
        if found["status"] == "failed" {
            continue;
        }
        assert_eq!(found["status"], "completed");
        completed += 1;
        let segments = api.get(&format!("workflows/{workflow}/segments?limit=100"));
        let segments = segments["items"].as_array().unwrap();
        assert_eq!(run["total_segments"], segments.len(), "{run:#}");
        let is_pdf = found["name"].as_str().unwrap().ends_with(".pdf");
        assert_eq!(segments.len(), if is_pdf { PAGES } else { 1 }, "{found:#}");
        for (index, segment) in segments.iter().enumerate() {
            assert_eq!(segment["segment_index"], index);
            let part = if is_pdf { format!("Page {index}") } else { "The deposit".to_owned() };
            assert!(segment["content"].as_str().unwrap().contains(&part), "{segment:#}");
        }
    }
    // A step that was killed three times fails: that is rare.
    assert!(completed > DOCUMENTS, "{completed} of {} documents", documents.len());
}
