//! Processors: claims, leases, segments in bulk, images, artifacts; runs and what people do with them.

use std::fmt::Write as _;
use std::time::Duration;

use axum::http::Method;
use hansang_testserver::{On, ok, on_each_store, refusal};
use serde_json::{Value as Json, json};

use super::{all, id, start, step};

/// Ds5, Ds8, D8 to D13: the steps of a run are claimed in order, and the document is completed with the last one.
async fn a_run_is_processed(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let path = format!("projects/{project}/documents/{}", id(&sent["document"], "document_id"));
    let workflow = id(&sent["workflow"], "workflow_id").to_owned();
    let claim = json!({ "names": ["parse", "prepare"], "processor": "p" });
    let first = ok(ground.make(Method::POST, "steps/claim", claim.clone()).await);
    assert_eq!((id(&first["lease"], "name"), &first["lease"]["attempt"]), ("prepare", &json!(1)));
    assert_eq!((&first["project"]["project_id"], id(&first["document"], "status")), (&json!(project), "in_progress"));
    assert_eq!(ground.make(Method::POST, "steps/claim", claim).await.status, 204);
    ok(ground.under(&first, "heartbeat", json!({ "done": 1, "total": 4, "note": "reading" })).await);
    let progress = ok(ground.see(&format!("projects/{project}/progress")).await);
    assert_eq!((&progress["documents"], &progress["by_status"]), (&json!(1), &json!({ "in_progress": 1 })));
    let active = &progress["active"][0];
    assert_eq!((id(active, "step"), id(active, "note"), &active["done"]), ("prepare", "reading", &json!(1)));
    let done = ok(ground.under(&first, "complete", json!({})).await);
    assert_eq!(id(&done, "status"), "completed");

    let parse = ground.claim("parse").await;
    let lines = "{\"segment_index\": \"000001\", \"content\": \"둘\"}\n\n{\"segment_index\": 0, \"content\": \"하나\"}";
    assert_eq!(ok(ground.write(&parse, lines).await)["segments"], 2);
    let missing = ground.under(&parse, "complete", json!({ "total_segments": 3 })).await;
    assert_eq!(refusal(&missing), (409, "segments_missing".to_owned()));
    ok(ground.under(&parse, "complete", json!({ "total_segments": 2, "language": "ko" })).await);
    let ocr = ground.claim("ocr").await;
    let skipped = ok(ground.under(&ocr, "skip", json!({ "reason": "no images" })).await);
    assert_eq!((id(&skipped, "status"), id(&skipped, "reason")), ("skipped", "no images"));
    for name in ["build", "index", "summarise"] {
        let claim = ground.claim(name).await;
        let more = if name == "summarise" { json!({ "summary": "짧음" }) } else { json!({}) };
        ok(ground.under(&claim, "complete", more).await);
    }
    assert_eq!(id(&ok(ground.see(&path).await), "status"), "completed");
    let run = ok(ground.see(&format!("{path}/workflows/{workflow}")).await);
    assert_eq!((id(&run, "status"), id(&run, "summary"), &run["total_segments"]), ("completed", "짧음", &json!(2)));
    let steps = ok(ground.see(&format!("workflows/{workflow}/steps")).await);
    assert_eq!(all(&steps, "name"), ["prepare", "parse", "ocr", "build", "index", "summarise"]);

    let segments = format!("workflows/{workflow}/segments");
    assert_eq!(all(&ok(ground.see(&segments).await), "content"), ["하나", "둘"]);
    assert_eq!(all(&ok(ground.see(&format!("{segments}?from=1")).await), "content"), ["둘"]);
    assert_eq!(all(&ok(ground.see(&format!("{segments}?order=descending&limit=1")).await), "content"), ["둘"]);
    for index in ["1", "000001"] {
        assert_eq!(id(&ok(ground.see(&format!("{segments}/{index}")).await), "content"), "둘");
    }
    assert_eq!(refusal(&ground.see(&format!("{segments}/7")).await), (404, "segment_unknown".to_owned()));
    for index in ["1000000", "x", "-1"] {
        let refused = ground.see(&format!("{segments}/{index}")).await;
        assert_eq!(refusal(&refused), (400, "segment_out_of_range".to_owned()), "{index}");
    }
}

/// Ds8: a lease that ran out is given to another processor, and what the first one still sends is refused.
async fn an_old_lease_is_refused(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    ground.upload(&project, "a.txt", "text").await;
    let old = ground.claim("prepare").await;
    ground.later(Duration::from_secs(61));
    let new = ground.claim("prepare").await;
    assert_eq!(new["lease"]["attempt"], 2);
    let more = [
        ("heartbeat", json!({})),
        ("complete", json!({})),
        ("fail", json!({ "error": "late" })),
        ("skip", json!({ "reason": "late" })),
        ("release", json!({})),
    ];
    for (verb, more) in more {
        let refused = ground.under(&old, verb, more).await;
        assert_eq!(refusal(&refused), (409, "lease_lost".to_owned()), "{verb}");
    }
    let late = ground.write(&old, "{\"segment_index\": 0, \"content\": \"late\"}\n").await;
    assert_eq!(refusal(&late), (409, "lease_lost".to_owned()));
    let query = format!(
        "filename=a.md&workflow_id={}&step=prepare&processor=p&attempt=1",
        id(&old["lease"], "workflow_id")
    );
    let late = ground.bytes(Method::POST, &format!("projects/{project}/artifacts?{query}"), &[], "x").await;
    assert_eq!(refusal(&late), (409, "lease_lost".to_owned()));
    // The name of the processor and the account are part of the lease.
    let path = format!("{}/steps/{}/complete", super::API, step(&new));
    let body = json!({ "processor": "p", "attempt": 2 });
    let other = ground.call(Method::POST, &path, &ground.admin, Some(body), &[]).await;
    assert_eq!(refusal(&other), (409, "lease_lost".to_owned()));
    ok(ground.under(&new, "complete", json!({})).await);
}

/// Ds8, Ds18: 10,000 segments are written in one stream, and their list costs no more at its end.
async fn many_segments_are_streamed(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let prepare = ground.claim("prepare").await;
    ok(ground.under(&prepare, "complete", json!({})).await);
    let parse = ground.claim("parse").await;
    let mut lines = String::new();
    for index in 0..10_000 {
        writeln!(lines, "{{\"segment_index\":{index},\"content\":\"쪽 {index}\"}}").unwrap();
    }
    assert_eq!(ok(ground.write(&parse, &lines).await)["segments"], 10_000);
    let segments = format!("workflows/{}/segments", id(&sent["workflow"], "workflow_id"));
    let page = ok(ground.see(&format!("{segments}?from=9990")).await);
    assert_eq!(page["items"].as_array().unwrap().len(), 10);
    let more = ground.write(&parse, &format!("{lines}{{\"segment_index\":10000}}\n")).await;
    assert_eq!(refusal(&more), (400, "too_many_segments".to_owned()));
    for (line, code) in [
        ("{\"segment_index\": 1000000}", "segment_out_of_range"),
        ("{\"segment_index\": 1, \"other\": 1}", "line_invalid"),
        ("[1]", "line_invalid"),
        ("{", "line_invalid"),
        ("{\"segment_index\": 1, \"image_key\": \"projects/other/x\"}", "file_key_foreign"),
    ] {
        assert_eq!(refusal(&ground.write(&parse, line).await), (400, code.to_owned()), "{line}");
    }
    ok(ground.under(&parse, "complete", json!({ "total_segments": 10_000 })).await);
}

/// An image of a page is stored by the processor and seen by people; other files are no images.
async fn images_of_pages_are_stored(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let prepare = ground.claim("prepare").await;
    ok(ground.under(&prepare, "complete", json!({})).await);
    let parse = ground.claim("parse").await;
    let path = format!("steps/{}/images/0?processor=p&attempt=1", step(&parse));
    let png = [b"\x89PNG\r\n\x1a\n".as_slice(), b"rest"].concat();
    let stored = ok(ground.bytes(Method::PUT, &path, &[], png.clone()).await);
    let line = json!({ "segment_index": 0, "image_key": stored["image_key"] }).to_string();
    ok(ground.write(&parse, &line).await);
    let image = format!("workflows/{}/segments/0/image", id(&sent["workflow"], "workflow_id"));
    let seen = ground.see(&image).await;
    assert_eq!((seen.status, seen.header("content-type")), (200, "image/png"));
    let refused = ground.bytes(Method::PUT, &path, &[], "<svg/>").await;
    assert_eq!(refused.status, 400, "{refused:?}");
}

/// Ds5, Ds9: reprocessing a running document is refused; a completed one is processed again, whole or by segments.
async fn documents_are_processed_again(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let path = format!("projects/{project}/documents/{}", id(&sent["document"], "document_id"));
    let again = async |body: Json| ground.make(Method::POST, &format!("{path}/reprocess"), body).await;
    assert_eq!(refusal(&again(json!({})).await), (409, "document_busy".to_owned()));
    let cancelled = ok(ground.order(Method::POST, &format!("{path}/cancel")).await);
    assert_eq!(id(&cancelled, "status"), "failed");
    assert_eq!(refusal(&ground.order(Method::POST, &format!("{path}/cancel")).await), (409, "not_active".to_owned()));
    let run = ok(again(json!({ "instructions": "표를 살려" })).await);
    assert_eq!((id(&run, "status"), id(&run, "instructions")), ("pending", "표를 살려"));
    ground.process(&["하나", "둘"]).await;
    assert_eq!(refusal(&again(json!({ "pages": [2] })).await), (400, "pages_unknown".to_owned()));
    let part = ok(again(json!({ "pages": [1, 1] })).await);
    assert_eq!((&part["workflow_id"], &part["pages"]), (&run["workflow_id"], &json!([1])));
    let parse = ground.claim("parse").await;
    assert_eq!(parse["workflow"]["pages"], json!([1]));
    let failed = ok(ground.under(&parse, "fail", json!({ "error": "broken" })).await);
    assert_eq!((id(&failed, "status"), id(&failed, "error")), ("failed", "broken"));
    assert_eq!(id(&ok(ground.see(&path).await), "status"), "failed");
    assert_eq!(ground.order(Method::DELETE, &path).await.status, 204);
    assert_eq!(refusal(&ground.see(&path).await), (404, "document_unknown".to_owned()));
}

/// The text of a segment is corrected, and keeps questions with their answers.
async fn segments_are_corrected(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let path = format!("projects/{project}/documents/{}", id(&sent["document"], "document_id"));
    ground.process(&["오타"]).await;
    let text = ok(ground.make(Method::PUT, &format!("{path}/segments/000000/text"), json!({ "content": "정타" })).await);
    assert_eq!(id(&text, "content"), "정타");
    let questions = format!("workflows/{}/segments/0/questions", id(&sent["workflow"], "workflow_id"));
    let asked = json!({ "question": "무엇?", "answer": "이것" });
    let kept = ground.make(Method::POST, &questions, asked).await;
    assert_eq!((kept.status, id(&kept.json()["questions"][0], "answer")), (201, "이것"));
}

/// A processor's artifact belongs to the user who started the run.
async fn processors_make_artifacts(on: On) {
    let ground = start(on).await;
    let project = ground.project("p").await;
    let sent = ground.upload(&project, "a.txt", "text").await;
    let claim = ground.claim("prepare").await;
    let query = format!(
        "filename=a.md&workflow_id={}&step=prepare&processor=p&attempt=1",
        id(&claim["lease"], "workflow_id")
    );
    let path = format!("projects/{project}/artifacts");
    let made = ground.bytes(Method::POST, &format!("{path}?{query}"), &[("content-type", "text/markdown")], "# a").await;
    let made = ok(made);
    assert_eq!(made["user_id"], sent["workflow"]["started_by"]);
    assert_eq!((id(&made, "content_type"), &made["document_id"]), ("text/markdown", &sent["document"]["document_id"]));
    let half = ground.bytes(Method::POST, &format!("{path}?filename=a&step=parse"), &[], "x").await;
    assert_eq!(half.status, 400, "{half:?}");
    let of_document = format!("projects/{project}/documents/{}/artifacts", id(&sent["document"], "document_id"));
    assert_eq!(all(&ok(ground.order(Method::GET, &of_document).await), "filename"), ["a.md"]);
}

on_each_store!(
    a_run_is_processed,
    an_old_lease_is_refused,
    many_segments_are_streamed,
    images_of_pages_are_stored,
    documents_are_processed_again,
    segments_are_corrected,
    processors_make_artifacts,
);
