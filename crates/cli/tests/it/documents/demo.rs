//! The example data, with its results.

use super::{Api, follow};
use crate::serve::{Server, temporary_data};

/// Every document of the example data is processed: it has text, pages and a summary, and is found.
#[test]
fn the_demo_has_results() {
    let (_directory, data) = temporary_data();
    let server = Server::start(&data, &["--demo"]);
    let api = Api { token: server.token(), server: &server };
    let (mut names, mut hits) = (Vec::new(), 0);
    for project in api.get("projects")["items"].as_array().unwrap() {
        let project = project["project_id"].as_str().unwrap();
        follow(&api, project);
        for document in api.get(&format!("projects/{project}/documents"))["items"].as_array().unwrap() {
            assert_eq!(document["status"], "completed", "{document:#}");
            let workflow = document["workflow_id"].as_str().unwrap();
            let id = document["document_id"].as_str().unwrap();
            let run = api.get(&format!("projects/{project}/documents/{id}/workflows/{workflow}"));
            assert_ne!(run["summary"].as_str().unwrap_or_default(), "", "{run:#}");
            let segments = api.get(&format!("workflows/{workflow}/segments"));
            for segment in segments["items"].as_array().unwrap() {
                assert_ne!(segment["content"].as_str().unwrap_or_default(), "", "{document:#}");
            }
            names.push(document["name"].as_str().unwrap().to_owned());
        }
        // 보증금, which the contract has.
        let found = api.get(&format!("projects/{project}/search?q=%EB%B3%B4%EC%A6%9D%EA%B8%88"));
        hits += found["total"].as_u64().unwrap();
    }
    assert_eq!(hits, 1);
    names.sort();
    let expected = [
        "2026-11 회의록.docx",
        "spinach.md",
        "단가표.xlsx",
        "영수증 스캔.pdf",
        "위생 점검 안내.hwpx",
        "임대차계약서.pdf",
    ];
    assert_eq!(names, expected);
}
